//! Roles of all games in one list, for code that does not know which game it handles.

/// The kind of a piece. Each game has a small `Role` type of its own that converts into this one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AnyRole {
    /// Chess pawn.
    Pawn,
    /// Chess knight.
    Knight,
    /// Chess bishop.
    Bishop,
    /// Chess rook.
    Rook,
    /// Chess queen.
    Queen,
    /// Chess king.
    King,
    /// Xiangqi soldier.
    Soldier,
    /// Xiangqi advisor.
    Advisor,
    /// Xiangqi elephant.
    Elephant,
    /// Xiangqi horse.
    Horse,
    /// Xiangqi cannon.
    Cannon,
    /// Xiangqi chariot.
    Chariot,
    /// Xiangqi general.
    General,
}

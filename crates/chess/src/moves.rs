//! A chess move.

use game::position::CastlingSide;

use crate::role::Role;
use crate::square::Square;

/// A move as the rules see it.
///
/// For castling, `to` is the square of the rook that castles: only so is a Chess960 move complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move {
    /// The square that the piece leaves.
    pub from: Square,
    /// The square where the piece arrives; for castling, the rook's square.
    pub to: Square,
    /// The piece that moves, as it was before a promotion.
    pub role: Role,
    /// What else happens.
    pub kind: MoveKind,
}

const _: () = assert!(size_of::<Move>() == 4);

/// What a move does besides going from one square to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum MoveKind {
    /// Nothing.
    Normal,
    /// A pawn's double step.
    DoubleStep,
    /// A pawn takes en passant.
    EnPassant,
    /// Castling, the king goes to the g-file.
    CastleKing,
    /// Castling, the king goes to the c-file.
    CastleQueen,
    /// A pawn becomes a knight.
    PromoteKnight,
    /// A pawn becomes a bishop.
    PromoteBishop,
    /// A pawn becomes a rook.
    PromoteRook,
    /// A pawn becomes a queen.
    PromoteQueen,
}

impl MoveKind {
    /// The four promotions.
    pub const PROMOTIONS: [MoveKind; 4] =
        [MoveKind::PromoteQueen, MoveKind::PromoteKnight, MoveKind::PromoteRook, MoveKind::PromoteBishop];

    /// What a pawn becomes.
    #[inline]
    #[must_use]
    pub const fn promotion(self) -> Option<Role> {
        match self {
            MoveKind::PromoteKnight => Some(Role::Knight),
            MoveKind::PromoteBishop => Some(Role::Bishop),
            MoveKind::PromoteRook => Some(Role::Rook),
            MoveKind::PromoteQueen => Some(Role::Queen),
            _ => None,
        }
    }

    /// The wing of a castling move.
    #[inline]
    #[must_use]
    pub const fn castling(self) -> Option<CastlingSide> {
        match self {
            MoveKind::CastleKing => Some(CastlingSide::King),
            MoveKind::CastleQueen => Some(CastlingSide::Queen),
            _ => None,
        }
    }
}

impl From<CastlingSide> for MoveKind {
    #[inline]
    fn from(wing: CastlingSide) -> Self {
        match wing {
            CastlingSide::King => MoveKind::CastleKing,
            CastlingSide::Queen => MoveKind::CastleQueen,
        }
    }
}

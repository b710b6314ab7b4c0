//! The placement of the pieces, and nothing else.

use game::side::Side;

use crate::attacks;
use crate::role::{Piece, Role};
use crate::square::{Bitboard, Square};

/// Which piece stands where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    roles: [Bitboard; 6],
    sides: [Bitboard; 2],
}

impl Board {
    /// A board without a piece.
    pub const EMPTY: Board = Board { roles: [Bitboard::EMPTY; 6], sides: [Bitboard::EMPTY; 2] };

    /// All occupied squares.
    #[inline]
    #[must_use]
    pub fn occupied(&self) -> Bitboard {
        self.sides[0] | self.sides[1]
    }

    /// The squares of one side's pieces.
    #[inline]
    #[must_use]
    pub fn of_side(&self, side: Side) -> Bitboard {
        self.sides[side.index()]
    }

    /// The squares of both sides' pieces of one role.
    #[inline]
    #[must_use]
    pub fn of_role(&self, role: Role) -> Bitboard {
        self.roles[role.index()]
    }

    /// The squares of one side's pieces of one role.
    #[inline]
    #[must_use]
    pub fn of(&self, side: Side, role: Role) -> Bitboard {
        self.of_side(side) & self.of_role(role)
    }

    /// The pieces of a side that slide along diagonals.
    #[inline]
    #[must_use]
    pub fn diagonal_sliders(&self, side: Side) -> Bitboard {
        (self.of_role(Role::Bishop) | self.of_role(Role::Queen)) & self.of_side(side)
    }

    /// The pieces of a side that slide along ranks and files.
    #[inline]
    #[must_use]
    pub fn straight_sliders(&self, side: Side) -> Bitboard {
        (self.of_role(Role::Rook) | self.of_role(Role::Queen)) & self.of_side(side)
    }

    /// The role of the piece on a square.
    #[inline]
    #[must_use]
    pub fn role_at(&self, square: Square) -> Option<Role> {
        Role::ALL.into_iter().find(|&role| self.of_role(role).has(square))
    }

    /// The piece on a square.
    #[must_use]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let side = if self.of_side(Side::First).has(square) { Side::First } else { Side::Second };
        self.role_at(square).map(|role| Piece { side, role })
    }

    /// Adds a piece to an empty square, or removes exactly this piece from its square.
    #[inline]
    pub fn toggle(&mut self, side: Side, role: Role, squares: Bitboard) {
        self.roles[role.index()] ^= squares;
        self.sides[side.index()] ^= squares;
    }

    /// The pieces of `by` that attack a square, if `occupied` were the occupied squares.
    #[inline]
    #[must_use]
    pub fn attackers(&self, square: Square, by: Side, occupied: Bitboard) -> Bitboard {
        let leapers = attacks::pawn(by.opponent(), square) & self.of_role(Role::Pawn)
            | attacks::knight(square) & self.of_role(Role::Knight)
            | attacks::king(square) & self.of_role(Role::King);
        let diagonal = attacks::bishop(square, occupied) & self.diagonal_sliders(by);
        let straight = attacks::rook(square, occupied) & self.straight_sliders(by);
        leapers & self.of_side(by) | diagonal | straight
    }
}

//! The placement of the pieces, and nothing else.

use game::side::Side;

use crate::attacks::{self, Occupied};
use crate::role::{Piece, Role};
use crate::square::{Bitboard, Square};

/// Which piece stands where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    roles: [Bitboard; 7],
    sides: [Bitboard; 2],
    occupied_by_file: u128,
}

impl Board {
    /// A board without a piece.
    pub const EMPTY: Board =
        Board { roles: [Bitboard::EMPTY; 7], sides: [Bitboard::EMPTY; 2], occupied_by_file: 0 };

    /// All occupied points.
    #[inline]
    #[must_use]
    pub fn occupied(&self) -> Occupied {
        Occupied { by_rank: (self.sides[0] | self.sides[1]).bits(), by_file: self.occupied_by_file }
    }

    /// The points of one side's pieces.
    #[inline]
    #[must_use]
    pub fn of_side(&self, side: Side) -> Bitboard {
        self.sides[side.index()]
    }

    /// The points of both sides' pieces of one role.
    #[inline]
    #[must_use]
    pub fn of_role(&self, role: Role) -> Bitboard {
        self.roles[role.index()]
    }

    /// The points of one side's pieces of one role.
    #[inline]
    #[must_use]
    pub fn of(&self, side: Side, role: Role) -> Bitboard {
        self.of_side(side) & self.of_role(role)
    }

    /// The role of the piece on a point.
    #[inline]
    #[must_use]
    pub fn role_at(&self, square: Square) -> Option<Role> {
        Role::ALL.into_iter().find(|&role| self.of_role(role).has(square))
    }

    /// The piece on a point.
    #[must_use]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let side = if self.of_side(Side::First).has(square) { Side::First } else { Side::Second };
        self.role_at(square).map(|role| Piece { side, role })
    }

    /// The pieces of `by` that could take an enemy piece on `square`, if that did not expose their general.
    #[must_use]
    pub fn takers_of(&self, square: Square, by: Side) -> Bitboard {
        self.takers(square, self.occupied()) & self.of_side(by)
    }

    /// The men of both sides, among the occupied points, that could take an enemy piece on `square`, if
    /// that did not expose their general.
    #[must_use]
    pub fn takers(&self, square: Square, occupied: Occupied) -> Bitboard {
        let sight = attacks::sight(square, occupied);
        let mut takers = sight.first & self.of_role(Role::Chariot)
            | sight.second & self.of_role(Role::Cannon)
            | attacks::soldiers_before(Side::First, square) & self.of(Side::First, Role::Soldier)
            | attacks::soldiers_before(Side::Second, square) & self.of(Side::Second, Role::Soldier)
            | attacks::advisor(square) & self.of_role(Role::Advisor)
            | attacks::elephant(square, occupied.set()) & self.of_role(Role::Elephant)
            | attacks::general(square) & self.of_role(Role::General);
        for horse in attacks::horse_jumps(square) & self.of_role(Role::Horse) {
            if !occupied.set().has(attacks::horse_leg(horse, square)) {
                takers |= Bitboard::of(horse);
            }
        }
        takers & occupied.set()
    }

    /// Adds a piece to an empty point, or removes exactly this piece from its point.
    #[inline]
    pub fn toggle(&mut self, side: Side, role: Role, square: Square) {
        self.toggle_if(true, side, role, square);
    }

    /// The same if `holds`, and otherwise nothing, without a branch.
    #[inline]
    pub(crate) fn toggle_if(&mut self, holds: bool, side: Side, role: Role, square: Square) {
        let mask = u128::from(holds).wrapping_neg();
        let point = Bitboard::of(square) & Bitboard::from_bits(mask);
        self.roles[role.index()] ^= point;
        self.sides[side.index()] ^= point;
        self.occupied_by_file ^= square.bit_by_file() & mask;
    }

    /// The pieces of `by` that attack a general on `square`, if `occupied` were the occupied points; the
    /// other general among them when nothing stands between the two (XQ-2.2b). Advisors and elephants
    /// never reach a general.
    #[inline]
    #[must_use]
    pub fn attackers(&self, square: Square, by: Side, occupied: Occupied) -> Bitboard {
        let sight = attacks::sight(square, occupied);
        let straight = sight.first & (self.of_role(Role::Chariot) | self.of_role(Role::General));
        let over = sight.second & self.of_role(Role::Cannon);
        let soldiers = attacks::soldiers_before(by, square) & self.of_role(Role::Soldier);
        let mut attackers = straight | over | soldiers;
        for horse in attacks::horse_jumps(square) & self.of(by, Role::Horse) {
            if !occupied.set().has(attacks::horse_leg(horse, square)) {
                attackers |= Bitboard::of(horse);
            }
        }
        attackers & self.of_side(by)
    }
}

//! Where pieces may stand: palace, river, and the points of advisors, elephants and soldiers.
//!
//! Only xiangqi has such regions.

use game::side::Side;

use crate::role::Role;
use crate::square::Bitboard;

/// The points of one side's half of the board.
#[must_use]
pub const fn half(side: Side) -> Bitboard {
    let half = (1 << 45) - 1;
    Bitboard::from_bits(match side {
        Side::First => half,
        Side::Second => half << 45,
    })
}

/// The nine points of a side's palace.
#[must_use]
pub const fn palace(side: Side) -> Bitboard {
    let palace = 0b111 << 3 | 0b111 << 12 | 0b111 << 21;
    Bitboard::from_bits(match side {
        Side::First => palace,
        Side::Second => palace << 63,
    })
}

/// The points where a piece can come to stand (XQ-1.3b): the palace for generals, five of its points
/// for advisors, seven points for elephants, no point behind the start rank or off the five files for a
/// soldier that has not crossed the river.
#[must_use]
pub const fn points(side: Side, role: Role) -> Bitboard {
    let bits = match (role, side) {
        (Role::General, _) => return palace(side),
        (Role::Advisor, Side::First) => ADVISOR_POINTS,
        (Role::Advisor, Side::Second) => ADVISOR_POINTS << 63,
        (Role::Elephant, Side::First) => ELEPHANT_POINTS,
        (Role::Elephant, Side::Second) => ELEPHANT_POINTS << 45,
        (Role::Soldier, Side::First) => half(Side::Second).bits() | SOLDIER_FILES << 27 | SOLDIER_FILES << 36,
        (Role::Soldier, Side::Second) => half(Side::First).bits() | SOLDIER_FILES << 45 | SOLDIER_FILES << 54,
        (Role::Horse | Role::Cannon | Role::Chariot, _) => ALL,
    };
    Bitboard::from_bits(bits)
}

/// Every point.
const ALL: u128 = (1 << 90) - 1;
/// d0, f0, e1, d2, f2.
const ADVISOR_POINTS: u128 = 1 << 3 | 1 << 5 | 1 << 13 | 1 << 21 | 1 << 23;
/// c0, g0, a2, e2, i2, c4, g4; mirrored they are five ranks on.
const ELEPHANT_POINTS: u128 = 1 << 2 | 1 << 6 | 1 << 18 | 1 << 22 | 1 << 26 | 1 << 38 | 1 << 42;
/// The files a, c, e, g, i on the first rank.
const SOLDIER_FILES: u128 = 0b1_0101_0101;

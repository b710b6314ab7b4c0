//! A xiangqi move.

use crate::role::Role;
use crate::square::Square;

/// A move as the rules see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move {
    /// The point that the piece leaves.
    pub from: Square,
    /// The point where it arrives.
    pub to: Square,
    /// The piece that moves.
    pub role: Role,
}

const _: () = assert!(size_of::<Move>() == 3);

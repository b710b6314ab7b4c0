//! Castling: where king and rook go, and what must hold (CH-08, CH-09, CH-16).
//!
//! One rule serves chess and Chess960: king and rook go to their fixed squares, whatever files they
//! start from. Only chess has castling.

use game::position::CastlingSide;
use game::side::Side;

use crate::attacks;
use crate::position::Chess;
use crate::square::{Bitboard, Square};

/// The condition of CH-08 that a castling move fails, with the squares that make it fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CastlingFault {
    /// Condition 1: the king or that rook has moved.
    RightLost,
    /// Condition 2: pieces on squares that must be free.
    PathBlocked(Bitboard),
    /// Condition 3: the pieces that give check.
    InCheck(Bitboard),
    /// Condition 4: a square that the king crosses, and its attackers.
    ThroughCheck(Square, Bitboard),
    /// Condition 5: the square where the king arrives, and its attackers.
    IntoCheck(Square, Bitboard),
}

/// The squares of a side's first rank.
#[inline]
#[must_use]
pub fn back_rank(side: Side) -> Bitboard {
    Bitboard::from_bits(match side {
        Side::First => 0xff,
        Side::Second => 0xff << 56,
    })
}

/// The squares where king and rook arrive.
#[inline]
#[must_use]
pub fn targets(side: Side, wing: CastlingSide) -> (Square, Square) {
    let rank = match side {
        Side::First => 0,
        Side::Second => 7,
    };
    match wing {
        CastlingSide::King => (Square::new(6, rank), Square::new(5, rank)),
        CastlingSide::Queen => (Square::new(2, rank), Square::new(3, rank)),
    }
}

impl Chess {
    /// Whether the side to move may castle on a wing now; the rook that castles if it may.
    ///
    /// # Errors
    /// The first condition of CH-08 that fails.
    pub fn check_castling(&self, wing: CastlingSide) -> Result<Square, CastlingFault> {
        let us = self.side_to_move;
        let king = self.king(us);
        let rook = self.castling_rook(us, wing).ok_or(CastlingFault::RightLost)?;
        let (king_to, rook_to) = targets(us, wing);
        let movers = Bitboard::of(king) | Bitboard::of(rook);
        let others = self.board.occupied() - movers;

        let king_path = attacks::between(king, king_to);
        let needed = king_path | Bitboard::of(king_to) | rook_path(king, rook, rook_to);
        if (needed & others).any() {
            return Err(CastlingFault::PathBlocked(needed & others));
        }
        if self.checkers.any() {
            return Err(CastlingFault::InCheck(self.checkers));
        }
        let them = us.opponent();
        for square in king_path {
            let attackers = self.board.attackers(square, them, self.board.occupied() - Bitboard::of(king));
            if attackers.any() {
                return Err(CastlingFault::ThroughCheck(square, attackers));
            }
        }
        // The rook may have shielded the king on its old square, and may shield it on its new one.
        let occupied = others | Bitboard::of(king_to) | Bitboard::of(rook_to);
        let attackers = self.board.attackers(king_to, them, occupied);
        if attackers.any() {
            return Err(CastlingFault::IntoCheck(king_to, attackers));
        }
        Ok(rook)
    }
}

/// The squares that must be free for the rook: between it and the king, and on its way.
fn rook_path(king: Square, rook: Square, rook_to: Square) -> Bitboard {
    attacks::between(king, rook) | attacks::between(rook, rook_to) | Bitboard::of(rook_to)
}

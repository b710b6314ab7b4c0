//! What a search tells, on its way and at its end.

use std::time::Duration;

use crate::score::{Bound, Score};
use crate::stop::StopReason;

/// One of the best moves and what follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PvLine<M> {
    /// The score, for the side to move.
    pub score: Score,
    /// What the score tells; nothing when the line was never looked at: the score is then what the
    /// position is worth at a glance.
    pub bound: Option<Bound>,
    /// The moves, the line's own one first; never empty.
    pub moves: Vec<M>,
    /// The iteration that found the line, in plies: so deep at most, extensions apart, and up to three plies less
    /// where the move turned out better than was expected. 0 when it was never looked at.
    pub depth: u32,
    /// The longest line that was looked at for its exact score, in plies.
    pub seldepth: u32,
}

/// What is known so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report<M> {
    /// The depth of the last iteration that was finished, or of the one under way for a report of
    /// progress, in plies.
    pub depth: u32,
    /// The best lines, best first; empty when there is no move.
    pub lines: Vec<PvLine<M>>,
    /// The positions looked at.
    pub nodes: u64,
    /// The time since the beginning.
    pub elapsed: Duration,
    /// How full the table is, in per mille.
    pub hashfull_permille: u32,
    /// Why the search stopped; nothing while it goes on.
    pub stop_reason: Option<StopReason>,
}

impl<M: Copy> Report<M> {
    /// The best move.
    #[must_use]
    pub fn best_move(&self) -> Option<M> {
        self.lines.first().and_then(|line| line.moves.first()).copied()
    }

    /// The reply that is expected.
    #[must_use]
    pub fn ponder_move(&self) -> Option<M> {
        self.lines.first().and_then(|line| line.moves.get(1)).copied()
    }
}

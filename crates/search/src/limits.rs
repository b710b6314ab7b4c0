//! What is asked, and how much it may cost.

use std::time::Duration;

use game::tactics::QuietRule;

use crate::score::MAX_PLY;

/// The greatest depth of a search, in plies; what is asked for beyond it is no deeper.
#[expect(clippy::cast_possible_truncation, reason = "it is a small number")]
pub const MAX_DEPTH: u32 = MAX_PLY as u32;

/// When to stop, at the first of these. Without any, a search goes on until it is told to stop or has
/// nothing left to find.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Limits {
    /// So many plies deep, extensions apart.
    pub depth: Option<u32>,
    /// So many positions, never more.
    pub nodes: Option<u64>,
    /// A mate in so many moves is found.
    pub mate: Option<u32>,
    /// So much time has passed.
    pub time: Option<Duration>,
    /// So much time has passed when another iteration would begin. The more of the search went into its
    /// best move, the earlier.
    pub time_to_begin: Option<Duration>,
    /// So many positions have been looked at when another iteration would begin.
    pub nodes_to_begin: Option<u64>,
}

/// A question to the search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request<M> {
    /// What it may cost.
    pub limits: Limits,
    /// How many of the best moves to report; at least 1.
    pub multi_pv: usize,
    /// Only these moves are looked at; all when empty.
    pub search_moves: Vec<M>,
    /// These moves are not looked at.
    pub exclude_moves: Vec<M>,
    /// When the game is drawn for want of progress; as the usual rule set has it when it is not said.
    pub quiet_rule: Option<QuietRule>,
}

impl<M: PartialEq> Request<M> {
    /// Asks for the best of all moves.
    #[must_use]
    pub const fn within(limits: Limits) -> Self {
        Self { limits, multi_pv: 1, search_moves: Vec::new(), exclude_moves: Vec::new(), quiet_rule: None }
    }

    /// Whether a move is to be looked at.
    pub fn wants(&self, m: &M) -> bool {
        (self.search_moves.is_empty() || self.search_moves.contains(m)) && !self.exclude_moves.contains(m)
    }
}

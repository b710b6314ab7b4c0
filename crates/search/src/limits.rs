//! What is asked, and how much it may cost.

use std::time::Duration;

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
}

impl<M> Request<M> {
    /// Asks for the best of all moves.
    #[must_use]
    pub const fn within(limits: Limits) -> Self {
        Self { limits, multi_pv: 1, search_moves: Vec::new(), exclude_moves: Vec::new() }
    }
}

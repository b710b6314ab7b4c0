//! When a search stops. The only place that reads a clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::limits::Limits;

/// How many nodes may pass between two looks at the token and the clock; a power of two.
const NODES_BETWEEN_LOOKS: u64 = 512;

/// Tells one search to stop, from any thread. Its time begins with the token: what is made ready for the
/// search counts.
#[derive(Debug, Clone)]
pub struct Token {
    is_stopped: Arc<AtomicBool>,
    begin: Instant,
}

impl Default for Token {
    fn default() -> Self {
        Self { is_stopped: Arc::default(), begin: Instant::now() }
    }
}

impl Token {
    /// Tells the search to stop.
    pub fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// Whether the search was told to stop.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }
}

/// Why a search stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopReason {
    /// The depth was reached.
    Depth,
    /// The nodes were used up.
    Nodes,
    /// The time was used up.
    Time,
    /// A mate within the limit was found.
    Mate,
    /// It was told to stop.
    Stopped,
    /// There is no move to look at.
    NoMoves,
}

/// Counts nodes and decides when to stop.
#[derive(Debug)]
pub(crate) struct Control<'a> {
    token: &'a Token,
    begin: Instant,
    time: Option<Duration>,
    node_limit: u64,
    nodes: u64,
    reason: Option<StopReason>,
}

impl<'a> Control<'a> {
    pub(crate) fn new(limits: &Limits, token: &'a Token) -> Self {
        Self {
            token,
            begin: token.begin,
            time: limits.time,
            node_limit: limits.nodes.unwrap_or(u64::MAX),
            nodes: 0,
            reason: None,
        }
    }

    /// Counts a node; whether the search has to stop instead of looking at it.
    #[inline]
    pub(crate) fn tick(&mut self) -> bool {
        if self.reason.is_some() {
            return true;
        }
        if self.nodes >= self.node_limit {
            self.reason = Some(StopReason::Nodes);
            return true;
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_BETWEEN_LOOKS) {
            self.look();
        }
        self.reason.is_some()
    }

    #[cold]
    fn look(&mut self) {
        if self.token.is_stopped() {
            self.reason = Some(StopReason::Stopped);
        } else if self.time.is_some_and(|time| self.begin.elapsed() >= time) {
            self.reason = Some(StopReason::Time);
        }
    }

    /// Looks at the token and the clock; whether to stop.
    pub(crate) fn must_stop(&mut self) -> bool {
        if self.reason.is_none() {
            self.look();
        }
        self.reason.is_some()
    }

    #[inline]
    pub(crate) fn is_stopped(&self) -> bool {
        self.reason.is_some()
    }

    pub(crate) fn reason(&self) -> Option<StopReason> {
        self.reason
    }

    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.begin.elapsed()
    }
}

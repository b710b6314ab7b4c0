//! How a load is put on.

use std::time::{Duration, Instant};

use crate::arrival::Arrival;

/// How a load is put on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan {
    /// What decides when a call begins.
    pub(crate) pace: Pace,
    /// How long calls are made before they count.
    pub(crate) warm_up: Duration,
    /// How long they count.
    pub(crate) duration: Duration,
    /// Chance, repeatably.
    pub(crate) seed: u64,
}

/// What decides when a call begins.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Pace {
    /// The clock: so many calls a second, however long the answers take.
    Open {
        /// Calls a second.
        rate: f64,
        /// How they are spread.
        arrival: Arrival,
        /// The most calls in flight; further ones wait, and their wait counts.
        max_in_flight: usize,
    },
    /// The answers: as one call ends, the next one begins.
    Closed {
        /// Calls in flight.
        in_flight: usize,
    },
}

/// When what happens.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Times {
    /// The first call.
    pub(crate) begin: Instant,
    /// The first call that counts.
    pub(crate) start: Instant,
    /// No more calls.
    pub(crate) end: Instant,
}

impl Plan {
    /// When what happens, from now on.
    pub(crate) fn times(&self) -> Times {
        let begin = Instant::now();
        let start = begin + self.warm_up;
        Times { begin, start, end: start + self.duration }
    }
}

//! How much is worked on at once, and for how long.

use std::num::NonZero;
use std::thread::available_parallelism;
use std::time::Duration;

use clap::Args;

use super::values::{parse_count, parse_duration};

/// How much is worked on at once, and for how long.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Work")]
pub struct Work {
    /// The most calls that may be open at once over all connections, as many searches, and four times as many
    /// streams of questions; further ones are refused at once (`RESOURCE_EXHAUSTED`).
    ///
    /// `GetServerInfo`, `Watch` of health, and reflection have as many of their own; a `Check` of health is always
    /// answered. A call holds up to some 2 MiB. A stream counts among the calls from its first message that is long
    /// or compressed.
    #[arg(long, env = "ARBITER_MAX_IN_FLIGHT", value_name = "COUNT", default_value = "4096",
          value_parser = parse_count::<1, 1_000_000>)]
    pub max_in_flight: u32,

    /// The longest that a call with one answer may take, whatever its own deadline is.
    #[arg(long, env = "ARBITER_MAX_DEADLINE", value_name = "DURATION", default_value = "30s",
          value_parser = parse_duration)]
    pub max_deadline: Duration,

    /// The most long requests (a long PGN, hundreds of moves) that are worked on at once; further ones wait.
    /// [default: the number of cores]
    #[arg(long, env = "ARBITER_WORKERS", value_name = "COUNT", default_value_t = cores(),
          hide_default_value = true, value_parser = parse_count::<1, MAX_THREADS>)]
    pub workers: u32,

    /// The most long requests that wait for a worker; further ones are refused at once
    /// (`RESOURCE_EXHAUSTED`).
    ///
    /// A request that waits holds up to some 2 MiB.
    #[arg(long, env = "ARBITER_MAX_WAITING", value_name = "COUNT", default_value = "1024",
          value_parser = parse_count::<0, 1_000_000>)]
    pub max_waiting: u32,

    /// The most searches that are worked on at once, each on a thread of its own; further ones are refused at
    /// once (`RESOURCE_EXHAUSTED`). [default: the number of cores less one, at least 1]
    ///
    /// A search holds its transposition table besides, up to 256 MiB. There are no more than `max_in_flight`.
    #[arg(long, env = "ARBITER_SEARCH_SLOTS", value_name = "COUNT",
          default_value_t = cores().saturating_sub(1).max(1), hide_default_value = true,
          value_parser = parse_count::<1, MAX_THREADS>)]
    pub search_slots: u32,

    /// The longest that one search goes on, whatever its request says.
    #[arg(long, env = "ARBITER_MAX_SEARCH_TIME", value_name = "DURATION", default_value = "60s",
          value_parser = parse_duration)]
    pub max_search_time: Duration,
}

/// The most threads of one kind.
const MAX_THREADS: u32 = 1024;

/// The cores that this process may use.
fn cores() -> u32 {
    let cores = available_parallelism().map_or(1, NonZero::get);
    u32::try_from(cores).unwrap_or(MAX_THREADS).min(MAX_THREADS)
}

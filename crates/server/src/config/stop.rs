//! How the server stops.

use std::time::Duration;

use clap::Args;

use super::values::parse_duration;

/// How the server stops.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "The end")]
pub struct Stop {
    /// After SIGTERM: how long new calls are still answered while health says `NOT_SERVING`.
    ///
    /// Gives load balancers the time to look elsewhere. SIGINT goes without.
    #[arg(long, env = "ARBITER_LAME_DUCK", value_name = "DURATION", default_value = "3s",
          value_parser = parse_duration)]
    pub lame_duck: Duration,

    /// After the lame duck: how long running calls may take until they are cut off.
    #[arg(long, env = "ARBITER_DRAIN_DEADLINE", value_name = "DURATION", default_value = "10s",
          value_parser = parse_duration)]
    pub drain_deadline: Duration,
}

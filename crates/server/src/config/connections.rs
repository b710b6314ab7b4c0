//! How many connections there may be, and how each of them ends.

use std::time::Duration;

use clap::Args;

use super::values::{parse_count, parse_duration};

/// How many connections there may be, and how each of them ends.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Connections")]
pub struct Connections {
    /// The most connections that may be open at once; further ones are closed as soon as they come.
    #[arg(long, env = "ARBITER_MAX_CONNECTIONS", value_name = "COUNT", default_value = "1024",
          value_parser = parse_count::<1, { u32::MAX }>)]
    pub max_connections: u32,

    /// The most calls that one connection may have open at once; further ones wait in the client.
    #[arg(long, env = "ARBITER_MAX_CONCURRENT_STREAMS", value_name = "COUNT", default_value = "100",
          value_parser = parse_count::<1, { u32::MAX }>)]
    pub max_concurrent_streams: u32,

    /// A connection on which no call is open for so long is ended (GOAWAY); 0s: never.
    #[arg(long, env = "ARBITER_MAX_CONNECTION_IDLE", value_name = "DURATION", default_value = "15m",
          value_parser = parse_duration)]
    pub max_connection_idle: Duration,

    /// A connection that is so old, give or take a tenth, takes no new calls (GOAWAY); 0s: never.
    ///
    /// Clients open a new one, and so find servers that have been added.
    #[arg(long, env = "ARBITER_MAX_CONNECTION_AGE", value_name = "DURATION", default_value = "30m",
          value_parser = parse_duration)]
    pub max_connection_age: Duration,

    /// How long the calls of a connection that takes no new ones may go on until they are ended.
    #[arg(long, env = "ARBITER_MAX_CONNECTION_AGE_GRACE", value_name = "DURATION", default_value = "2m",
          value_parser = parse_duration)]
    pub max_connection_age_grace: Duration,

    /// How long nothing may come from a client until it is asked for a sign of life (PING); 0s: never.
    #[arg(long, env = "ARBITER_KEEPALIVE_INTERVAL", value_name = "DURATION", default_value = "30s",
          value_parser = parse_duration)]
    pub keepalive_interval: Duration,

    /// How long the sign of life may take until the connection is given up.
    #[arg(long, env = "ARBITER_KEEPALIVE_TIMEOUT", value_name = "DURATION", default_value = "20s",
          value_parser = parse_duration)]
    pub keepalive_timeout: Duration,
}

//! What can be set from outside: flags, and an environment variable for each.

use std::net::SocketAddr;
use std::time::Duration;

use clap::Parser;
use tracing_subscriber::EnvFilter;

/// A stateless gRPC service that referees chess and xiangqi: it validates moves and says why not, lists legal
/// moves, and says how a game stands.
#[derive(Debug, Clone, Parser)]
#[command(name = "arbiter", version, max_term_width = 100)]
pub struct Config {
    /// Address that gRPC is served on (HTTP/2 without TLS). Port 0 takes a free port; the log names it.
    #[arg(long, env = "ARBITER_LISTEN", value_name = "IP:PORT", default_value = "127.0.0.1:50051")]
    pub listen: SocketAddr,

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

    /// The most connections that may be open at once; further ones are closed as soon as they come.
    #[arg(long, env = "ARBITER_MAX_CONNECTIONS", value_name = "COUNT", default_value_t = 1024,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub max_connections: u32,

    /// The most calls that one connection may have open at once; further ones wait in the client.
    #[arg(long, env = "ARBITER_MAX_CONCURRENT_STREAMS", value_name = "COUNT", default_value_t = 100,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub max_concurrent_streams: u32,

    /// The most long requests (a long PGN, hundreds of moves) that are worked on at once; further ones wait.
    /// [default: the number of cores]
    #[arg(long, env = "ARBITER_WORKERS", value_name = "COUNT",
          value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub workers: Option<u32>,

    /// The most long requests that wait for a worker; further ones are refused at once
    /// (`RESOURCE_EXHAUSTED`).
    ///
    /// A request that waits holds up to some 2 MiB.
    #[arg(long, env = "ARBITER_MAX_WAITING", value_name = "COUNT", default_value_t = 1024,
          value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    pub max_waiting: u32,

    /// The most searches that are worked on at once, each on a thread of its own; further ones are refused at
    /// once (`RESOURCE_EXHAUSTED`). [default: the number of cores less one, at least 1]
    ///
    /// A search holds its transposition table besides, up to 256 MiB.
    #[arg(long, env = "ARBITER_SEARCH_SLOTS", value_name = "COUNT",
          value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub search_slots: Option<u32>,

    /// The longest that one search goes on, whatever its request says.
    #[arg(long, env = "ARBITER_MAX_SEARCH_TIME", value_name = "DURATION", default_value = "60s",
          value_parser = parse_duration)]
    pub max_search_time: Duration,

    /// Which log lines are written to standard error: a level, or levels by module
    /// (`warn,server=debug`).
    #[arg(long, env = "ARBITER_LOG_FILTER", value_name = "FILTER", default_value = "info",
          value_parser = parse_filter)]
    pub log_filter: String,
}

/// Reads a duration of one number and one unit: `500ms`, `3s`, `2m`, `1h`.
///
/// # Errors
/// What is wrong with the text, and what would be right.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = text.split_at(digits);
    let wrong = || format!("{text:?} is not a duration; expected one like \"500ms\", \"3s\" or \"2m\"");
    let number: u64 = number.parse().map_err(|_| wrong())?;
    let seconds = |factor| number.checked_mul(factor).map(Duration::from_secs).ok_or_else(wrong);
    match unit {
        "ms" => Ok(Duration::from_millis(number)),
        "s" => seconds(1),
        "m" => seconds(60),
        "h" => seconds(60 * 60),
        _ => Err(wrong()),
    }
    .and_then(|duration| {
        if duration > LONGEST { Err(format!("{text:?} is longer than a day")) } else { Ok(duration) }
    })
}

/// Beyond this, adding a duration to a point in time could overflow.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

fn parse_filter(text: &str) -> Result<String, String> {
    // Taken as a filter, it would let nothing through.
    if text.split(',').all(|directive| directive.trim().is_empty()) {
        return Err("it is empty; expected one like \"info\" or \"warn,server=debug\"".to_owned());
    }
    match EnvFilter::try_new(text) {
        Ok(_) => Ok(text.to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn flags_are_consistent() {
        Config::command().debug_assert();
    }

    #[test]
    fn every_flag_has_a_variable_and_a_text() {
        for flag in Config::command().get_arguments() {
            let variable = format!("ARBITER_{}", flag.get_id().as_str().to_uppercase());
            assert_eq!(flag.get_env().and_then(|name| name.to_str()), Some(variable.as_str()));
            assert!(flag.get_help().is_some(), "{} has no help", flag.get_id());
        }
    }

    #[test]
    fn reads_durations() {
        assert_eq!(parse_duration("0s"), Ok(Duration::ZERO));
        assert_eq!(parse_duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(parse_duration("2m"), Ok(Duration::from_secs(120)));
        assert_eq!(parse_duration("24h"), Ok(LONGEST));
        for text in
            ["", "s", "3", "3 s", "-1s", "1.5s", "1d", "25h", "99999999999999999999s", "9999999999999999999h"]
        {
            assert!(parse_duration(text).is_err(), "{text:?} was read");
        }
    }

    #[test]
    fn refuses_a_broken_filter() {
        for filter in ["server=loud", "", " ", ","] {
            assert!(Config::try_parse_from(["arbiter", "--log-filter", filter]).is_err(), "{filter:?}");
        }
    }
}

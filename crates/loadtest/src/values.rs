//! The values of options, read from text. Errors say what would be right.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::time::Duration;

use crate::exit::Failure;
use crate::limits::{
    MAX_CONNECTIONS, MAX_DEADLINE, MAX_DURATION, MAX_HISTORY, MAX_IN_FLIGHT, MAX_ITEMS, MAX_RATE,
};

/// Reads a number and one of these units, each with its factor.
fn parse_with_unit(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let unit = text[digits.len()..].trim();
    let factor = units.iter().find(|(name, _)| *name == unit)?.1;
    // What Rust reads besides digits (`1e9`, `inf`, `-1`) is not meant.
    let is_plain = !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit() || c == '.');
    let number: f64 = if is_plain { digits.parse().ok()? } else { return None };
    Some(number * factor)
}

/// Reads a latency or a time: `250us`, `5ms`, `1.5s`, `2m`, `1h`.
///
/// # Errors
/// What would be right.
pub(crate) fn parse_time(text: &str) -> Result<Duration, String> {
    let units = [("us", 1e-6), ("µs", 1e-6), ("ms", 1e-3), ("s", 1.0), ("m", 60.0), ("h", 3_600.0)];
    let seconds = parse_with_unit(text, &units).and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or_else(|| {
        format!(
            "{text:?} is no time: expected a number and a unit, like \"250us\", \"5ms\", \"1.5s\" or \"2m\""
        )
    })
}

/// Reads how long something is done.
///
/// # Errors
/// What would be right.
pub(crate) fn parse_duration(text: &str) -> Result<Duration, String> {
    parse_time(text).and_then(|time| at_most(time, MAX_DURATION, "an hour"))
}

/// Reads the time that a call is given.
///
/// # Errors
/// What would be right.
pub(crate) fn parse_deadline(text: &str) -> Result<Duration, String> {
    let time = parse_time(text)?;
    if time.is_zero() {
        Err("expected more than nothing".to_owned())
    } else {
        at_most(time, MAX_DEADLINE, "ten minutes")
    }
}

fn at_most(time: Duration, limit: Duration, name: &str) -> Result<Duration, String> {
    if time > limit { Err(format!("expected {name} or less")) } else { Ok(time) }
}

/// Reads a share: `0.1%`, `10%`.
///
/// # Errors
/// What would be right.
pub(crate) fn parse_percent(text: &str) -> Result<f64, String> {
    let share = parse_with_unit(text, &[("%", 0.01)]);
    share.ok_or_else(|| format!("{text:?} is no share: expected a number and a percent sign, like \"0.1%\""))
}

/// Reads a share of a whole.
///
/// # Errors
/// What would be right.
pub(crate) fn parse_share(text: &str) -> Result<f64, String> {
    let share = parse_percent(text)?;
    if share > 1.0 { Err("expected 100% or less".to_owned()) } else { Ok(share) }
}

/// Reads calls a second.
///
/// # Errors
/// What would be right.
pub(crate) fn parse_rate(text: &str) -> Result<f64, String> {
    match parse_with_unit(text, &[("", 1.0), ("/s", 1.0)]) {
        Some(rate) if rate > 0.0 && rate <= MAX_RATE => Ok(rate),
        _ => Err(format!("expected calls a second, more than 0 and at most {MAX_RATE}")),
    }
}

/// Reads a count of at least one.
fn parse_count(text: &str, most: usize) -> Result<usize, String> {
    let count = text.parse().ok().filter(|count| (1..=most).contains(count));
    count.ok_or_else(|| format!("expected a number from 1 to {most}"))
}

/// Reads how many calls may be in flight.
///
/// # Errors
/// What would be right.
pub(crate) fn parse_in_flight(text: &str) -> Result<usize, String> {
    parse_count(text, MAX_IN_FLIGHT)
}

/// Reads how many connections there are.
///
/// # Errors
/// What would be right.
pub(crate) fn parse_connections(text: &str) -> Result<usize, String> {
    parse_count(text, MAX_CONNECTIONS)
}

/// Reads how many requests a stream has.
///
/// # Errors
/// What would be right.
pub(crate) fn parse_items(text: &str) -> Result<usize, String> {
    parse_count(text, MAX_ITEMS)
}

/// Reads how many plies of history there are.
///
/// # Errors
/// What would be right.
pub(crate) fn parse_history(text: &str) -> Result<usize, String> {
    let plies = text.parse().ok().filter(|plies| *plies <= MAX_HISTORY);
    plies.ok_or_else(|| format!("expected a number of plies, at most {MAX_HISTORY}"))
}

/// Reads a small file whole.
///
/// # Errors
/// Which file cannot be read, and why.
pub(crate) fn read_file(path: &Path, limit: u64) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(limit + 1).read_to_end(&mut bytes));
    read.map_err(|error| format!("{}: {error}", path.display()))?;
    if bytes.len() as u64 > limit {
        return Err(format!("{}: more than {limit} bytes", path.display()));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_a_number_and_a_unit() {
        assert_eq!(parse_time("250us"), Ok(Duration::from_micros(250)));
        assert_eq!(parse_time("1.5s"), Ok(Duration::from_millis(1_500)));
        for wrong in ["", "5", "ms", "-1s", "1e9s", "5 parsecs", "1.2.3s", "inf s"] {
            assert!(parse_time(wrong).is_err(), "{wrong}");
        }
        assert_eq!(parse_duration("2h"), Err("expected an hour or less".to_owned()));
        assert!(parse_deadline("0s").is_err());
    }

    #[test]
    fn shares_have_a_percent_sign() {
        assert!((parse_percent("0.1%").unwrap() - 0.001).abs() < 1e-12);
        assert!(parse_percent("0.1").is_err());
        assert!(parse_share("101%").is_err());
    }

    #[test]
    fn counts_and_rates_have_bounds() {
        assert_eq!(parse_rate("2000"), Ok(2_000.0));
        assert!(parse_rate("0").is_err() && parse_rate("1000001").is_err());
        assert!(parse_in_flight("0").is_err() && parse_in_flight("100001").is_err());
    }
}

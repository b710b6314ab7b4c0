//! Targets: what a run has to reach.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::method::Method;
use crate::values::{parse_percent, parse_time};

/// A target, like `p99<5ms`, `errors<0.1%` or `Search.max<2s`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Slo {
    /// The RPC that it is about. None: all of them together.
    pub(crate) method: Option<Method>,
    /// What is to be small enough.
    pub(crate) goal: Goal,
    text: String,
}

/// What is to be small enough.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Goal {
    /// So large a share of the calls is answered in less than this time. 1 is the slowest.
    Latency(f64, Duration),
    /// Less than this share of the calls fails.
    Errors(f64),
}

/// What a target may look like.
const EXPECTED: &str = "expected a target like \"p99<5ms\", \"p99.9<20ms\", \"max<1s\" or \"errors<0.1%\", where it is about \
                        one RPC with its name before it (\"Search.p99<2s\")";

impl FromStr for Slo {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (what, bound) =
            text.split_once('<').ok_or_else(|| format!("{text:?} has no \"<\": {EXPECTED}"))?;
        let (what, bound) = (what.trim(), bound.trim());
        // The name of an RPC starts with a capital, a number does not.
        let (method, what) = match what.split_once('.') {
            Some((name, rest)) if name.starts_with(|c: char| c.is_ascii_uppercase()) => {
                let method = Method::parse(name);
                let known = method
                    .ok_or_else(|| format!("{name:?} is no RPC: expected one of {}", Method::names()))?;
                (Some(known), rest)
            }
            _ => (None, what),
        };
        let goal = match what {
            "errors" => Goal::Errors(parse_percent(bound)?),
            "max" => Goal::Latency(1.0, parse_time(bound)?),
            _ => Goal::Latency(parse_quantile(what)?, parse_time(bound)?),
        };
        Ok(Self { method, goal, text: text.to_owned() })
    }
}

/// Reads the name of a percentile: `p99.9` is 0.999.
fn parse_quantile(text: &str) -> Result<f64, String> {
    let wrong = || format!("{text:?} is nothing that is measured: {EXPECTED}");
    let digits = text.strip_prefix('p').ok_or_else(wrong)?;
    let is_plain = digits.chars().all(|c| c.is_ascii_digit() || c == '.');
    let percent: f64 = digits.parse().map_err(|_| wrong())?;
    if is_plain && percent > 0.0 && percent < 100.0 { Ok(percent / 100.0) } else { Err(wrong()) }
}

impl fmt::Display for Slo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_read() {
        let goal = |text: &str| text.parse::<Slo>().unwrap().goal;
        assert_eq!(goal("p99<5ms"), Goal::Latency(0.99, Duration::from_millis(5)));
        assert_eq!(goal("max < 1s"), Goal::Latency(1.0, Duration::from_secs(1)));
        assert_eq!(goal("errors<1%"), Goal::Errors(0.01));
        let Goal::Latency(quantile, _) = goal("p99.9<20ms") else { panic!("no latency") };
        assert!((quantile - 0.999).abs() < 1e-9);
        assert_eq!("Search.p50<2s".parse::<Slo>().unwrap().method, Some(Method::Search));
    }

    #[test]
    fn a_mistake_says_what_would_be_right() {
        let error = |text: &str| text.parse::<Slo>().unwrap_err();
        for text in ["p99=5ms", "p99", "p0<5ms", "p100<5ms", "pinf<1s", "p1e1<1s", "mean<5ms", ""] {
            assert!(error(text).contains("expected a target like"), "{text}: {}", error(text));
        }
        assert!(error("p99<5").contains("a number and a unit"));
        assert!(error("errors<1").contains("percent sign"));
        assert!(error("Serach.p99<5ms").contains("expected one of"));
    }
}

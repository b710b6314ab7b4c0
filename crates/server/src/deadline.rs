//! Until when the client waits for an answer.

use std::time::Duration;

use http::{HeaderMap, HeaderName};
use tokio::time::Instant;

/// How long the client waits, from the beginning of the call.
const TIMEOUT: HeaderName = HeaderName::from_static("grpc-timeout");

/// When the client stops waiting, as an extension of the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Deadline(pub Instant);

impl Deadline {
    /// The deadline that the headers of a call set which began at this time. One that breaks the grammar of
    /// gRPC is passed over.
    #[must_use]
    pub fn of(headers: &HeaderMap, begun: Instant) -> Option<Deadline> {
        let timeout = parse_timeout(headers.get(TIMEOUT)?.to_str().ok()?)?;
        begun.checked_add(timeout).map(Deadline)
    }
}

/// Reads a timeout of at most eight digits and a unit (`250m` for 250 ms).
fn parse_timeout(text: &str) -> Option<Duration> {
    let (digits, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    if digits.len() > 8 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number: u64 = digits.parse().ok()?;
    match unit {
        "H" => Some(Duration::from_secs(number * 60 * 60)),
        "M" => Some(Duration::from_secs(number * 60)),
        "S" => Some(Duration::from_secs(number)),
        "m" => Some(Duration::from_millis(number)),
        "u" => Some(Duration::from_micros(number)),
        "n" => Some(Duration::from_nanos(number)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_grpc_allows() {
        assert_eq!(parse_timeout("250m"), Some(Duration::from_millis(250)));
        assert_eq!(parse_timeout("0S"), Some(Duration::ZERO));
        assert_eq!(parse_timeout("99999999H"), Some(Duration::from_secs(99_999_999 * 3600)));
        for text in ["", "m", "1", "123456789m", "-1m", "+1m", "1 m", "1d", "1µ"] {
            assert_eq!(parse_timeout(text), None, "{text:?}");
        }
    }
}

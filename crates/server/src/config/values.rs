//! The values of settings, read from text. What is wrong is named by whoever asks; errors say what would be
//! right.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use clap::ValueEnum;
use http::uri::Scheme;
use http::{HeaderValue, Uri};

/// Beyond this, adding a duration to a point in time could overflow.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// Reads a duration of one number and one unit: `500ms`, `3s`, `2m`, `1h`.
///
/// # Errors
/// What would be right.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = text.split_at(digits);
    let wrong = || "expected a duration like \"500ms\", \"3s\", \"2m\" or \"1h\"".to_owned();
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
        if duration > LONGEST { Err("expected a duration of a day or less".to_owned()) } else { Ok(duration) }
    })
}

/// Reads an address with its port.
///
/// # Errors
/// What would be right.
pub fn parse_address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| "expected an address like \"127.0.0.1:50051\" or \"[::]:50051\"".to_owned())
}

/// Something that is done or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    /// It is done.
    On,
    /// It is not.
    Off,
}

/// Reads where a web page comes from, as browsers say it, or `*` for all pages.
///
/// # Errors
/// What would be right.
pub fn parse_origin(text: &str) -> Result<HeaderValue, String> {
    const RIGHT: &str = "expected an origin as browsers say it, like \"https://example.org\" or \
                         \"http://localhost:8080\": in lower case, without a path, and with a port only \
                         where the scheme has another; or \"*\" for all";
    let value = Some(text).filter(|text| *text == "*" || is_origin(text)).and_then(|text| text.parse().ok());
    value.ok_or_else(|| RIGHT.to_owned())
}

/// Whether this is an origin as browsers say it. One in another form would never be met.
fn is_origin(text: &str) -> bool {
    let Some((scheme, authority)) = text.split_once("://") else { return false };
    let default = match scheme {
        "http" => 80,
        "https" => 443,
        _ => return false,
    };
    let (host, port) = host_and_port(authority);
    let is_port = |text: &str| {
        text.parse::<u16>().is_ok_and(|port| port != 0 && port != default && port.to_string() == text)
    };
    is_host(host) && port.is_none_or(is_port)
}

/// Whether this is a host in the form in which browsers have it.
fn is_host(text: &str) -> bool {
    if let Some(address) = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) {
        return address.parse::<Ipv6Addr>().is_ok_and(|read| read.to_string() == address);
    }
    let is_label = |label: &str| {
        let is_of_name =
            |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte);
        !label.is_empty() && !label.starts_with('-') && label.bytes().all(is_of_name)
    };
    let last = text.rsplit('.').next().unwrap_or_default();
    if last.bytes().all(|byte| byte.is_ascii_digit()) {
        return text.parse::<Ipv4Addr>().is_ok();
    }
    text.split('.').all(is_label)
}

/// An address, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OptionalAddress(pub Option<SocketAddr>);

/// Reads an address with its port, or `off` or nothing for none.
///
/// # Errors
/// What would be right.
pub fn parse_optional_address(text: &str) -> Result<OptionalAddress, String> {
    match text {
        "" | "off" => Ok(OptionalAddress(None)),
        text => match text.parse() {
            Ok(address) => Ok(OptionalAddress(Some(address))),
            Err(_) => Err("expected an address like \"127.0.0.1:9464\", or \"off\"".to_owned()),
        },
    }
}

/// Reads the URL of a collector.
///
/// # Errors
/// What would be right.
pub fn parse_endpoint(text: &str) -> Result<String, String> {
    let url = text.parse::<Uri>().ok();
    // What `--print-config` has hidden has to be put back.
    let is_hidden = text.contains("://***@");
    let is_right = url.is_some_and(|url| {
        url.scheme() == Some(&Scheme::HTTP)
            && url.authority().is_some_and(|authority| is_place(authority.as_str()))
    });
    // A collector that is far away is talked to through an agent nearby.
    if is_right && !is_hidden {
        Ok(text.to_owned())
    } else {
        Err("expected a URL like \"http://127.0.0.1:4317\": with a host, a port from 1 to 65535, and without TLS"
            .to_owned())
    }
}

/// Whether this is a host, maybe with a port, maybe after a user. `Uri` takes hosts and ports that are none.
fn is_place(authority: &str) -> bool {
    let (_, place) = authority.split_once('@').unwrap_or(("", authority));
    let (host, port) = host_and_port(place);
    // A name may end with the dot of the root.
    let host = host.strip_suffix('.').unwrap_or(host);
    let is_port = |text: &str| {
        text.bytes().all(|byte| byte.is_ascii_digit()) && text.parse::<u16>().is_ok_and(|port| port != 0)
    };
    let address = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    let is_address = address.is_some_and(|address| address.parse::<Ipv6Addr>().is_ok());
    (is_address || is_host(&host.to_ascii_lowercase())) && port.is_none_or(is_port)
}

fn host_and_port(text: &str) -> (&str, Option<&str>) {
    // The colons of an address of IPv6 stand in brackets.
    match text.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
        _ => (text, None),
    }
}

/// Reads a share from 0 to 1.
///
/// # Errors
/// What would be right.
pub fn parse_ratio(text: &str) -> Result<f64, String> {
    let ratio = text.parse().ok().filter(|ratio| (0.0..=1.0).contains(ratio));
    ratio.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

/// Reads a number from `MIN` to `MAX`.
///
/// # Errors
/// What would be right.
pub fn parse_count<const MIN: u32, const MAX: u32>(text: &str) -> Result<u32, String> {
    let count = text.parse().ok().filter(|count| (MIN..=MAX).contains(count));
    count.ok_or_else(|| format!("expected a whole number from {MIN} to {MAX}"))
}

/// Reads which log lines are written: levels, and levels by module.
///
/// `EnvFilter` could do more, filter by fields with regular expressions: some of a hundred bytes take it
/// seconds to read. And it takes a misspelt level for a module, of which it then writes everything, and
/// nothing else.
///
/// # Errors
/// What would be right.
pub fn parse_filter(text: &str) -> Result<String, String> {
    const RIGHT: &str = "expected levels like \"info\" or \"warn,server=debug\", \
                         of error, warn, info, debug, trace and off";
    let is_level = |text: &str| LEVELS.iter().any(|level| text.eq_ignore_ascii_case(level));
    let is_module = |text: &str| {
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_:".contains(&byte))
    };
    let is_right = |directive: &str| match directive.split_once('=') {
        Some((module, level)) => is_module(module) && is_level(level),
        None => is_level(directive),
    };
    if text.split(',').all(is_right) { Ok(text.to_owned()) } else { Err(RIGHT.to_owned()) }
}

/// The levels of log lines, and none.
const LEVELS: [&str; 6] = ["error", "warn", "info", "debug", "trace", "off"];

#[cfg(test)]
mod tests {
    use tracing_subscriber::EnvFilter;

    use super::*;

    #[test]
    fn reads_origins() {
        for text in [
            "*",
            "https://example.org",
            "https://play.chess-club.example.org:8443",
            "http://localhost:8080",
            "http://127.0.0.1",
            "http://[::1]:3000",
            "http://[::1]",
        ] {
            assert_eq!(parse_origin(text).as_ref().map(HeaderValue::as_bytes), Ok(text.as_bytes()));
        }
        for text in [
            "",
            "null",
            "example.org",
            "https://",
            "https://*.example.org",
            "https://example.org/",
            "https://example.org/path",
            "https://example.org?query",
            "https://user@example.org",
            "https://a b",
            "https://Example.org",
            "HTTPS://example.org",
            "ftp://example.org",
            "https://example..org",
            "https://-example.org",
            "https://:8443",
            "https://example.org:",
            "https://example.org:0",
            "https://example.org:443",
            "http://example.org:80",
            "https://example.org:08443",
            "https://example.org:65536",
            "https://example.org:port",
            "https://1.2.3",
            "https://1.2.3.400",
            "http://::1",
            "http://[::1",
            "http://[0:0::1]",
            "http://[]:3000",
        ] {
            let error = parse_origin(text).expect_err(text);
            assert!(error.contains("https://example.org"), "{error}");
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
    fn reads_shares_addresses_and_endpoints() {
        assert_eq!((parse_ratio("0"), parse_ratio("0.25"), parse_ratio("1")), (Ok(0.0), Ok(0.25), Ok(1.0)));
        for text in ["", "-0.1", "1.1", "NaN", "inf", "1%"] {
            assert!(parse_ratio(text).is_err(), "{text:?} was read");
        }
        let off = Ok(OptionalAddress(None));
        assert_eq!((parse_optional_address("off"), parse_optional_address("")), (off.clone(), off));
        assert!(parse_optional_address("9464").is_err());
        for text in [
            "http://collector:4317",
            "http://collector",
            "http://u:p@Collector.example:1/",
            "http://[0::1]:4317",
            "http://collector.tools.:4317",
        ] {
            assert_eq!(parse_endpoint(text).as_deref(), Ok(text));
        }
        for text in [
            "",
            "collector:4317",
            "https://collector:4317",
            "http://",
            "/v1",
            "http://***@collector:4317",
            "http://collector:99999",
            "http://u:p@[::1]:65536",
            "http://collector:",
            "http://collector:+1",
            "http://collector:0",
            "http://:4317",
            "http://[zz]:1",
            "http://a:b@c@d:1",
        ] {
            assert!(parse_endpoint(text).is_err(), "{text:?} was read");
        }
    }

    #[test]
    fn reads_levels_and_nothing_else() {
        for text in ["info", "WARN", "warn,server=debug", "off,h2::proto=trace"] {
            assert_eq!(parse_filter(text).as_deref(), Ok(text));
            assert!(EnvFilter::try_new(text).is_ok(), "{text:?}");
        }
        let costly = format!("[{{a=(a|b)*a{}}}]=info", "(a|b)".repeat(25));
        for text in [
            "",
            ",",
            "ifno",
            "info,",
            "info;server=debug",
            "info\r\nX: y",
            "server=",
            "=info",
            "server",
            &costly,
        ] {
            assert!(parse_filter(text).is_err(), "{text:?} was read");
        }
    }

    #[test]
    fn reads_counts_within_their_range() {
        assert_eq!(parse_count::<1, 3>("3"), Ok(3));
        for text in ["", "0", "4", "-1", "1.0", "one"] {
            let error = parse_count::<1, 3>(text).expect_err(text);
            assert_eq!(error, "expected a whole number from 1 to 3");
        }
    }
}

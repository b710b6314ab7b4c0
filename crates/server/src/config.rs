//! What can be set from outside: by a flag, by an environment variable or in a file.
//!
//! [`load`] brings the three together. A setting is a flag that takes a value and has a variable; that makes
//! it a key of the file, too. A flag without a variable asks for something else than to serve.

mod load;
mod print;
mod served;
mod telemetry_variables;
mod values;

use std::net::SocketAddr;
use std::num::NonZero;
use std::path::PathBuf;
use std::thread::available_parallelism;
use std::time::Duration;

use clap::{ArgAction, Parser};
use http::HeaderValue;

use crate::telemetry::format::LogFormat;

pub use load::{Asked, MAX_FILE_BYTES, Wrong, load};
pub use served::Served;
pub use values::{
    OptionalAddress, Switch, parse_address, parse_count, parse_duration, parse_endpoint, parse_filter,
    parse_optional_address, parse_origin, parse_ratio,
};

use crate::tokens::TokenHash;

/// A stateless gRPC service that referees chess and xiangqi: it validates moves and says why not, lists legal
/// moves, and says how a game stands.
///
/// A flag comes before its environment variable, which comes before the file's key: the flag's name with
/// underscores (`max_connections = 100`).
#[derive(Debug, Clone, Parser)]
#[command(name = "arbiter", version, max_term_width = 100)]
pub struct Config {
    /// A file of settings in TOML.
    #[arg(long, env = "ARBITER_CONFIG", value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// Say whether the settings are valid, and do nothing else: status 0 or 2.
    #[arg(long)]
    pub check_config: bool,

    /// Print the settings that hold, as a file that `--config` takes, and do nothing else. Secrets are not
    /// shown.
    #[arg(long, conflicts_with = "check_config")]
    pub print_config: bool,

    /// Address that gRPC is served on: HTTP/2, without TLS unless `--tls-cert` is set. Port 0 takes a free
    /// port; the log names it.
    #[arg(long, env = "ARBITER_LISTEN", value_name = "IP:PORT", default_value = "127.0.0.1:50051",
          value_parser = parse_address)]
    pub listen: SocketAddr,

    /// Address on which health alone is served, without TLS and without tokens, for probes that have neither.
    #[arg(long, env = "ARBITER_HEALTH_LISTEN", value_name = "IP:PORT", value_parser = parse_address)]
    pub health_listen: Option<SocketAddr>,

    /// A file with the server's certificates in PEM, its own first; needs `--tls-key`. Then everything on
    /// `--listen` is TLS.
    #[arg(long, env = "ARBITER_TLS_CERT", value_name = "FILE")]
    pub tls_cert: Option<PathBuf>,

    /// A file with the key of the certificate in PEM.
    #[arg(long, env = "ARBITER_TLS_KEY", value_name = "FILE")]
    pub tls_key: Option<PathBuf>,

    /// A file with certificates in PEM: only clients with a certificate that one of them has signed may
    /// connect (mutual TLS).
    #[arg(long, env = "ARBITER_TLS_CLIENT_CA", value_name = "FILE")]
    pub tls_client_ca: Option<PathBuf>,

    /// Hashes of tokens, divided by commas: a call needs one of the tokens. Each is the SHA-256 in
    /// hexadecimal digits, or NAME:SHA256.
    ///
    /// A token is sent as `authorization: Bearer TOKEN`. Health needs none.
    #[arg(long, env = "ARBITER_TOKEN_HASHES", value_name = "HASHES", action = ArgAction::Append,
          value_delimiter = ',', hide_env_values = true)]
    pub token_hashes: Vec<TokenHash>,

    /// A file of further hashes, one on each line, that may change while the server runs.
    #[arg(long, env = "ARBITER_TOKEN_HASHES_FILE", value_name = "FILE")]
    pub token_hashes_file: Option<PathBuf>,

    /// How often the files of certificates and tokens are looked at, beside at once on SIGHUP. New certificates
    /// are for new connections; files that cannot be used are passed over.
    #[arg(long, env = "ARBITER_RELOAD_INTERVAL", value_name = "DURATION", default_value = "10s",
          value_parser = parse_duration)]
    pub reload_interval: Duration,

    /// Whether tools may ask what the server has (server reflection).
    #[arg(long, env = "ARBITER_REFLECTION", value_name = "SWITCH", default_value = "on")]
    pub reflection: Switch,

    /// Whether browsers may call (gRPC-Web), also over HTTP/1.1.
    #[arg(long, env = "ARBITER_GRPC_WEB", value_name = "SWITCH", default_value = "off")]
    pub grpc_web: Switch,

    /// The origins of web pages that may call (`https://example.org`), divided by commas; `*` for all pages.
    #[arg(long, env = "ARBITER_CORS_ORIGINS", value_name = "ORIGINS", action = ArgAction::Append,
          value_delimiter = ',', value_parser = parse_origin)]
    pub cors_origins: Vec<HeaderValue>,

    /// Which RPCs are answered: the questions about rules, the search, or all. Those of the other kind are
    /// refused (`UNIMPLEMENTED`).
    ///
    /// `GetServerInfo`, health and reflection are always there.
    #[arg(long, env = "ARBITER_SERVE", value_name = "WHAT", default_value = "all")]
    pub serve: Served,

    /// Address of the admin port: metrics, probes, the log filter (HTTP/1.1 without TLS). `off` for none.
    #[arg(long, env = "ARBITER_ADMIN_LISTEN", value_name = "IP:PORT", default_value = "127.0.0.1:9464",
          value_parser = parse_optional_address)]
    pub admin_listen: OptionalAddress,

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
    #[arg(long, env = "ARBITER_MAX_CONNECTIONS", value_name = "COUNT", default_value = "1024",
          value_parser = parse_count::<1, { u32::MAX }>)]
    pub max_connections: u32,

    /// The most calls that one connection may have open at once; further ones wait in the client.
    #[arg(long, env = "ARBITER_MAX_CONCURRENT_STREAMS", value_name = "COUNT", default_value = "100",
          value_parser = parse_count::<1, { u32::MAX }>)]
    pub max_concurrent_streams: u32,

    /// The most calls that may be open at once over all connections, and as many searches; further ones are
    /// refused at once (`RESOURCE_EXHAUSTED`).
    ///
    /// Health, reflection and `GetServerInfo` are always answered. A call holds up to some 2 MiB. A stream counts
    /// until it begins, and again from its first long message.
    #[arg(long, env = "ARBITER_MAX_IN_FLIGHT", value_name = "COUNT", default_value = "4096",
          value_parser = parse_count::<1, 1_000_000>)]
    pub max_in_flight: u32,

    /// The longest that a call with one answer may take, whatever its own deadline is.
    #[arg(long, env = "ARBITER_MAX_DEADLINE", value_name = "DURATION", default_value = "30s",
          value_parser = parse_duration)]
    pub max_deadline: Duration,

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
    /// A search holds its transposition table besides, up to 256 MiB.
    #[arg(long, env = "ARBITER_SEARCH_SLOTS", value_name = "COUNT",
          default_value_t = cores().saturating_sub(1).max(1), hide_default_value = true,
          value_parser = parse_count::<1, MAX_THREADS>)]
    pub search_slots: u32,

    /// The longest that one search goes on, whatever its request says.
    #[arg(long, env = "ARBITER_MAX_SEARCH_TIME", value_name = "DURATION", default_value = "60s",
          value_parser = parse_duration)]
    pub max_search_time: Duration,

    /// Which log lines are written to standard error: a level, or levels by module
    /// (`warn,server=debug`).
    #[arg(long, env = "ARBITER_LOG_FILTER", value_name = "FILTER", default_value = "info",
          value_parser = parse_filter)]
    pub log_filter: String,

    /// The form of log lines.
    #[arg(long, env = "ARBITER_LOG_FORMAT", value_name = "FORMAT", default_value = "text")]
    pub log_format: LogFormat,

    /// The share of calls that get a log line, from 0 to 1. Failures that are the server's are logged at any
    /// rate, though not each of many.
    #[arg(long, env = "ARBITER_ACCESS_LOG_RATIO", value_name = "RATIO", default_value = "0",
          value_parser = parse_ratio)]
    pub access_log_ratio: f64,

    /// A collector that spans and metrics are sent to by OTLP over gRPC (`http://127.0.0.1:4317`); without
    /// one, there are no spans.
    #[arg(long, env = "ARBITER_OTLP_ENDPOINT", value_name = "URL", value_parser = parse_endpoint)]
    pub otlp_endpoint: Option<String>,

    /// The share of calls that have spans, from 0 to 1, where the caller does not decide (`traceparent`).
    #[arg(long, env = "ARBITER_TRACE_SAMPLE_RATIO", value_name = "RATIO", default_value = "0.01",
          value_parser = parse_ratio)]
    pub trace_sample_ratio: f64,

    /// Whether callers decide which of their calls have spans (`traceparent`). If not, only the share does.
    #[arg(long, env = "ARBITER_TRACE_CALLERS", value_name = "SWITCH", default_value = "on")]
    pub trace_callers: Switch,
}

impl Config {
    /// Looks at settings that are right one by one and wrong together.
    ///
    /// # Errors
    /// Which ones, and why.
    fn check(&self) -> Result<(), String> {
        self.check_security()?;
        self.check_times()?;
        self.check_addresses()
    }

    /// Whether each listener has an address of its own.
    fn check_addresses(&self) -> Result<(), String> {
        let OptionalAddress(admin) = self.admin_listen;
        let all =
            [("listen", Some(self.listen)), ("health_listen", self.health_listen), ("admin_listen", admin)];
        for (index, (name, address)) in all.into_iter().enumerate() {
            let Some(address) = address.filter(|address| address.port() != 0) else { continue };
            if let Some((other, _)) = all[..index].iter().find(|(_, other)| *other == Some(address)) {
                return Err(format!(
                    "{other} and {name} are both {address}; expected two different addresses"
                ));
            }
        }
        Ok(())
    }

    /// Whether what guards the server is complete.
    fn check_security(&self) -> Result<(), String> {
        let is_set = [self.tls_cert.is_some(), self.tls_key.is_some()];
        if is_set[0] != is_set[1] {
            return Err("tls_cert and tls_key go together; expected both or neither".to_owned());
        }
        if self.tls_client_ca.is_some() && !is_set[0] {
            return Err("tls_client_ca needs tls_cert and tls_key".to_owned());
        }
        if !self.cors_origins.is_empty() && self.grpc_web == Switch::Off {
            return Err("cors_origins need grpc_web; expected \"on\" for it".to_owned());
        }
        if self.cors_origins.len() > 1 && self.cors_origins.iter().any(|origin| origin == "*") {
            return Err("cors_origins has \"*\" beside others; expected \"*\" alone, or none".to_owned());
        }
        Ok(())
    }

    /// Whether times that must pass do.
    fn check_times(&self) -> Result<(), String> {
        let times = [
            ("max_deadline", self.max_deadline),
            ("reload_interval", self.reload_interval),
            ("keepalive_timeout", self.keepalive_timeout),
        ];
        match times.into_iter().find(|(_, time)| time.is_zero()) {
            Some((name, _)) => Err(format!("{name} is 0s; expected a longer time")),
            None => Ok(()),
        }
    }
}

/// The most threads of one kind.
const MAX_THREADS: u32 = 1024;

/// The cores that this process may use.
fn cores() -> u32 {
    let cores = available_parallelism().map_or(1, NonZero::get);
    u32::try_from(cores).unwrap_or(MAX_THREADS).min(MAX_THREADS)
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
    fn every_setting_has_a_variable_and_every_flag_a_text() {
        for flag in Config::command().get_arguments() {
            let id = flag.get_id().as_str();
            assert!(flag.get_help().is_some(), "{id} has no help");
            assert_eq!(flag.get_long(), Some(id.replace('_', "-").as_str()));
            if flag.get_action().takes_values() {
                let variable = format!("ARBITER_{}", id.to_uppercase());
                assert_eq!(flag.get_env().and_then(|name| name.to_str()), Some(variable.as_str()));
            }
        }
    }

    #[test]
    fn settings_that_do_not_go_together_are_named() {
        for (flags, named) in [
            (&["--tls-cert", "a"][..], "tls_key"),
            (&["--tls-key", "a"], "tls_cert"),
            (&["--tls-client-ca", "a"], "tls_client_ca"),
            (&["--cors-origins", "https://example.org"], "grpc_web"),
            (&["--grpc-web", "on", "--cors-origins", "*,https://example.org"], "\"*\" alone"),
            (&["--max-deadline", "0s"], "max_deadline"),
            (&["--listen", "[::]:1", "--admin-listen", "[::]:1"], "listen and admin_listen"),
            (&["--listen", "[::]:1", "--health-listen", "[::]:1"], "listen and health_listen"),
            (&["--health-listen", "[::]:1", "--admin-listen", "[::]:1"], "health_listen and admin_listen"),
        ] {
            let config = Config::try_parse_from([&["arbiter"], flags].concat()).expect("each is right");
            let error = config.check().expect_err("together they are not");
            assert!(error.contains(named), "{error}");
        }
    }

    #[test]
    fn refuses_a_broken_filter() {
        for filter in ["server=loud", "", " ", ","] {
            assert!(Config::try_parse_from(["arbiter", "--log-filter", filter]).is_err(), "{filter:?}");
        }
    }
}

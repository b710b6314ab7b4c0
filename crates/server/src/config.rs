//! What can be set from outside: by a flag, by an environment variable or in a file.
//!
//! [`load`] brings the three together. A setting is a flag that takes a value and has a variable; that makes
//! it a key of the file, too. A flag without a variable asks for something else than to serve.

mod connections;
mod guard;
mod listen;
mod load;
mod observe;
mod offer;
mod print;
mod served;
mod stop;
mod telemetry_variables;
mod values;
mod work;

use std::path::PathBuf;

use clap::Parser;

pub use connections::Connections;
pub use guard::Guard;
pub use listen::Listen;
pub use load::{Asked, MAX_FILE_BYTES, Wrong, load};
pub use observe::Observe;
pub use offer::Offer;
pub use served::Served;
pub use stop::Stop;
pub use values::{
    OptionalAddress, Switch, parse_address, parse_count, parse_duration, parse_endpoint, parse_filter,
    parse_optional_address, parse_origin, parse_ratio,
};
pub use work::Work;

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

    /// Where the server listens.
    #[command(flatten)]
    pub listen: Listen,

    /// Who may connect and ask.
    #[command(flatten)]
    pub guard: Guard,

    /// What is answered, and to whom beside clients of gRPC.
    #[command(flatten)]
    pub offer: Offer,

    /// How the server stops.
    #[command(flatten)]
    pub stop: Stop,

    /// How many connections there may be, and how each of them ends.
    #[command(flatten)]
    pub connections: Connections,

    /// How much is worked on at once, and for how long.
    #[command(flatten)]
    pub work: Work,

    /// What the server tells of itself.
    #[command(flatten)]
    pub observe: Observe,
}

impl Config {
    /// Looks at settings that are right one by one and wrong together.
    ///
    /// # Errors
    /// Which ones, and why.
    fn check(&self) -> Result<(), String> {
        self.guard.check()?;
        self.offer.check()?;
        self.check_times()?;
        self.listen.check()
    }

    /// Whether times that must pass do.
    fn check_times(&self) -> Result<(), String> {
        let times = [
            ("max_deadline", self.work.max_deadline),
            ("max_search_time", self.work.max_search_time),
            ("reload_interval", self.guard.reload_interval),
            ("keepalive_timeout", self.connections.keepalive_timeout),
        ];
        match times.into_iter().find(|(_, time)| time.is_zero()) {
            Some((name, _)) => Err(format!("{name} is 0s; expected a longer time")),
            None => Ok(()),
        }
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
            (&["--max-search-time", "0s"], "max_search_time"),
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

//! What is answered, and to whom beside clients of gRPC.

use clap::{ArgAction, Args};
use http::HeaderValue;

use super::served::Served;
use super::values::{Switch, parse_origin};

/// What is answered, and to whom beside clients of gRPC.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "What is answered")]
pub struct Offer {
    /// Which RPCs are answered: the questions about rules, the search, or all. Those of the other kind are
    /// refused (`UNIMPLEMENTED`).
    ///
    /// `GetServerInfo`, health and reflection are always there.
    #[arg(long, env = "ARBITER_SERVE", value_name = "WHAT", default_value = "all")]
    pub serve: Served,

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
}

impl Offer {
    /// Whether pages are named that may call.
    ///
    /// # Errors
    /// Why none may.
    pub(super) fn check(&self) -> Result<(), String> {
        if !self.cors_origins.is_empty() && self.grpc_web == Switch::Off {
            return Err("cors_origins need grpc_web; expected \"on\" for it".to_owned());
        }
        if self.cors_origins.len() > 1 && self.cors_origins.iter().any(|origin| origin == "*") {
            return Err("cors_origins has \"*\" beside others; expected \"*\" alone, or none".to_owned());
        }
        Ok(())
    }
}

//! Who may connect and ask.

use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgAction, Args};

use super::values::parse_duration;
use crate::tokens::TokenHash;

/// Who may connect and ask.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "TLS and tokens")]
pub struct Guard {
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
}

impl Guard {
    /// Whether what guards the server is complete.
    ///
    /// # Errors
    /// What is missing.
    pub(super) fn check(&self) -> Result<(), String> {
        let is_set = [self.tls_cert.is_some(), self.tls_key.is_some()];
        if is_set[0] != is_set[1] {
            return Err("tls_cert and tls_key go together; expected both or neither".to_owned());
        }
        if self.tls_client_ca.is_some() && !is_set[0] {
            return Err("tls_client_ca needs tls_cert and tls_key".to_owned());
        }
        Ok(())
    }
}

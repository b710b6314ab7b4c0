//! Where the server listens.

use std::net::SocketAddr;

use clap::Args;

use super::values::{OptionalAddress, parse_address, parse_optional_address};

/// Where the server listens.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Addresses")]
pub struct Listen {
    /// Address that gRPC is served on: HTTP/2, without TLS unless `--tls-cert` is set. Port 0 takes a free
    /// port; the log names it.
    #[arg(long, env = "ARBITER_LISTEN", value_name = "IP:PORT", default_value = "127.0.0.1:50051",
          value_parser = parse_address)]
    pub listen: SocketAddr,

    /// Address on which health alone is served, without TLS and without tokens, for probes that have neither.
    #[arg(long, env = "ARBITER_HEALTH_LISTEN", value_name = "IP:PORT", value_parser = parse_address)]
    pub health_listen: Option<SocketAddr>,

    /// Address of the admin port: metrics, probes, the log filter (HTTP/1.1 without TLS). `off` for none.
    #[arg(long, env = "ARBITER_ADMIN_LISTEN", value_name = "IP:PORT", default_value = "127.0.0.1:9464",
          value_parser = parse_optional_address)]
    pub admin_listen: OptionalAddress,
}

impl Listen {
    /// Whether each listener has an address of its own.
    ///
    /// # Errors
    /// Which two do not.
    pub(super) fn check(&self) -> Result<(), String> {
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
}

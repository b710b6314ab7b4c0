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
    /// Whether each listener has an address of its own. Who listens on all addresses listens on each.
    ///
    /// # Errors
    /// Which two do not.
    pub(super) fn check(&self) -> Result<(), String> {
        let OptionalAddress(admin) = self.admin_listen;
        let all =
            [("listen", Some(self.listen)), ("health_listen", self.health_listen), ("admin_listen", admin)];
        for (index, (name, address)) in all.into_iter().enumerate() {
            let Some(address) = address.filter(|address| address.port() != 0) else { continue };
            let meets = |other: &&(_, Option<SocketAddr>)| other.1.is_some_and(|other| meet(other, address));
            if let Some(&(other, Some(taken))) = all[..index].iter().find(meets) {
                return Err(format!(
                    "{other} and {name} meet on {taken} and {address}; expected addresses apart"
                ));
            }
        }
        Ok(())
    }
}

/// Whether two listeners would be in each other's way. What listens on all addresses of IPv6 takes those of IPv4
/// with it.
fn meet(one: SocketAddr, other: SocketAddr) -> bool {
    let covers =
        |one: SocketAddr, other: SocketAddr| one.ip().is_unspecified() && (one.is_ipv6() || other.is_ipv4());
    one == other || (one.port() == other.port() && (covers(one, other) || covers(other, one)))
}

#[cfg(test)]
mod tests {
    #[test]
    fn who_listens_on_all_addresses_meets_others() {
        let meet = |one: &str, other: &str| {
            let (one, other) = (one.parse().expect("an address"), other.parse().expect("an address"));
            assert_eq!(super::meet(one, other), super::meet(other, one));
            super::meet(one, other)
        };
        assert!(meet("127.0.0.1:1", "127.0.0.1:1") && meet("0.0.0.0:1", "127.0.0.1:1"));
        assert!(meet("[::]:1", "127.0.0.1:1") && meet("[::]:1", "[::1]:1"));
        assert!(!meet("127.0.0.1:1", "127.0.0.1:2") && !meet("0.0.0.0:1", "0.0.0.0:2"));
        assert!(!meet("127.0.0.1:1", "127.0.0.2:1") && !meet("0.0.0.0:1", "[::1]:1"));
    }
}

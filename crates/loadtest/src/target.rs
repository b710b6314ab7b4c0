//! Where the service is.

use std::net::SocketAddr;
use std::str::FromStr;
use std::sync::Arc;

use http::Uri;
use http::uri::{Authority, Scheme};
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::ServerName;

use crate::exit::Failure;
use crate::method::Method;

/// An address as it was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Target {
    authority: Authority,
    is_tls: bool,
}

impl FromStr for Target {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || "expected an address like \"127.0.0.1:50051\" or \"https://arbiter.example:443\"".to_owned();
        let url = if text.contains("://") { text.to_owned() } else { format!("http://{text}") };
        let url: Uri = url.parse().map_err(|_| wrong())?;
        let authority = url.authority().cloned().ok_or_else(wrong)?;
        let is_tls = url.scheme() == Some(&Scheme::HTTPS);
        let is_plain = url.scheme() == Some(&Scheme::HTTP);
        let has_path = url.path_and_query().is_some_and(|path| path.as_str() != "/");
        if authority.port_u16().is_none() || has_path || !(is_tls || is_plain) {
            return Err(wrong());
        }
        Ok(Self { authority, is_tls })
    }
}

impl std::fmt::Display for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.authority.fmt(f)
    }
}

/// An address that can be connected to.
#[derive(Clone)]
pub(crate) struct Place {
    /// What the service is called.
    pub(crate) authority: Authority,
    /// Where it is.
    pub(crate) address: SocketAddr,
    /// How it is spoken to in secret.
    pub(crate) tls: Option<(TlsConnector, Arc<ServerName<'static>>)>,
    /// The URL of each RPC, in their order.
    uris: Arc<Vec<Uri>>,
}

impl Place {
    /// The URL of an RPC.
    pub(crate) fn uri(&self, method: Method) -> Uri {
        self.uris.get(method as usize).cloned().unwrap_or_default()
    }
}

impl Target {
    /// Whether the target asks for TLS by itself.
    pub(crate) fn is_tls(&self) -> bool {
        self.is_tls
    }

    /// Every address that the name stands for.
    ///
    /// # Errors
    /// The name is not known, or cannot be on a certificate.
    pub(crate) async fn resolve(&self, tls: Option<&TlsConnector>) -> Result<Vec<Place>, Failure> {
        let host = self.authority.host().trim_start_matches('[').trim_end_matches(']');
        let tls = match tls {
            None => None,
            Some(connector) => {
                let name = ServerName::try_from(host.to_owned());
                let name = name.map_err(|_| format!("{self}: {host:?} cannot be the name of a server"))?;
                Some((connector.clone(), Arc::new(name)))
            }
        };
        let port = self.authority.port_u16().unwrap_or_default();
        let found = tokio::net::lookup_host((host, port)).await;
        let found = found.map_err(|error| format!("cannot resolve {self}: {error}"))?;
        let scheme = if tls.is_some() { Scheme::HTTPS } else { Scheme::HTTP };
        let uris: Result<Vec<_>, _> =
            Method::ALL.into_iter().map(|method| self.uri(scheme.clone(), method)).collect();
        let uris = Arc::new(uris.map_err(|error| format!("{self}: {error}"))?);
        let place = |address| Place {
            authority: self.authority.clone(),
            address,
            tls: tls.clone(),
            uris: uris.clone(),
        };
        Ok(found.map(place).collect())
    }

    fn uri(&self, scheme: Scheme, method: Method) -> Result<Uri, http::Error> {
        let path = format!("/{}/{}", method.service(), method.name());
        Uri::builder().scheme(scheme).authority(self.authority.clone()).path_and_query(path).build()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_a_port_and_nothing_else() {
        for right in ["127.0.0.1:50051", "[::1]:50051", "http://a.example:1", "https://a.example:443/"] {
            assert!(right.parse::<Target>().is_ok(), "{right}");
        }
        for wrong in ["", "127.0.0.1", "grpc://a:1", "http://a:1/path", "a b:1"] {
            assert!(wrong.parse::<Target>().is_err(), "{wrong}");
        }
        assert!("https://a:1".parse::<Target>().unwrap().is_tls());
    }
}

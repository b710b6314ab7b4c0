//! TLS: with which certificate the server shows itself, and whose certificates it takes.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::{RootCertStore, ServerConfig};

use crate::config::{Config, Switch};
use crate::follow::follow;
use crate::shutdown::Hangups;
use crate::small_file::read_regular;

/// The certificates that are in use, and where they come from.
#[derive(Debug)]
pub struct Tls {
    files: Files,
    protocols: Vec<Vec<u8>>,
    /// What the files said at the start.
    loaded: Contents,
    current: RwLock<Arc<ServerConfig>>,
    /// Whether the files cannot be used as they are now.
    is_stale: AtomicBool,
    look_again: Duration,
}

#[derive(Debug, Clone)]
struct Files {
    certificate: PathBuf,
    key: PathBuf,
    client_ca: Option<PathBuf>,
}

/// What the files say.
#[derive(Clone, PartialEq, Eq)]
struct Contents {
    certificate: Vec<u8>,
    key: Vec<u8>,
    client_ca: Option<Vec<u8>>,
}

impl Tls {
    /// The certificates that are configured, if any are.
    ///
    /// # Errors
    /// A file cannot be read, or they do not fit together.
    pub fn of(config: &Config) -> io::Result<Option<Self>> {
        let (Some(certificate), Some(key)) = (&config.guard.tls_cert, &config.guard.tls_key) else {
            return Ok(None);
        };
        let files = Files {
            certificate: certificate.clone(),
            key: key.clone(),
            client_ca: config.guard.tls_client_ca.clone(),
        };
        let mut protocols = vec![b"h2".to_vec()];
        if config.offer.grpc_web == Switch::On {
            // Not every browser's proxy speaks HTTP/2.
            protocols.push(b"http/1.1".to_vec());
        }
        let loaded = files.read()?;
        let current = RwLock::new(Arc::new(loaded.server_config(&protocols)?));
        let is_stale = AtomicBool::new(false);
        Ok(Some(Self {
            files,
            protocols,
            loaded,
            current,
            is_stale,
            look_again: config.guard.reload_interval,
        }))
    }

    /// What shakes hands with the certificates that are in use now.
    #[must_use]
    pub fn acceptor(&self) -> TlsAcceptor {
        TlsAcceptor::from(self.current.read().unwrap_or_else(PoisonError::into_inner).clone())
    }

    /// Whether the files cannot be used as they are now, so that what they said before holds.
    #[must_use]
    pub fn is_stale(&self) -> bool {
        self.is_stale.load(Ordering::Relaxed)
    }

    /// Looks at the files from time to time and for every hangup, and takes new certificates for new
    /// connections. Where the new ones cannot be used, the old ones stay.
    pub async fn follow(&self, hangups: Hangups) {
        let (loaded, files) = (self.loaded.clone(), self.files.clone());
        follow(loaded, move || files.read(), |now| self.take(now), self.look_again, hangups).await;
    }

    fn take(&self, read: Result<&Contents, &String>) {
        let config = match read {
            Ok(contents) => contents.server_config(&self.protocols).map_err(|error| error.to_string()),
            Err(error) => Err(error.clone()),
        };
        self.is_stale.store(config.is_err(), Ordering::Relaxed);
        match config {
            Ok(config) => {
                *self.current.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(config);
                tracing::info!("new certificates are in use");
            }
            Err(error) => tracing::error!(error, "new certificates cannot be used; the old ones stay"),
        }
    }
}

impl Files {
    fn read(&self) -> io::Result<Contents> {
        Ok(Contents {
            certificate: read_regular(&self.certificate)?,
            key: read_regular(&self.key)?,
            client_ca: self.client_ca.as_deref().map(read_regular).transpose()?,
        })
    }
}

/// The key is not shown.
impl fmt::Debug for Contents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

impl Contents {
    fn server_config(&self, protocols: &[Vec<u8>]) -> io::Result<ServerConfig> {
        let provider = Arc::new(ring::default_provider());
        let builder = ServerConfig::builder_with_provider(provider.clone())
            .with_safe_default_protocol_versions()
            .map_err(io::Error::other)?;
        let builder = match &self.client_ca {
            None => builder.with_no_client_auth(),
            Some(pem) => {
                let mut roots = RootCertStore::empty();
                for root in certificates("tls_client_ca", pem)? {
                    roots.add(root).map_err(|error| wrong("tls_client_ca", &error))?;
                }
                let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider);
                let verifier = verifier.build().map_err(|error| wrong("tls_client_ca", &error))?;
                builder.with_client_cert_verifier(verifier)
            }
        };
        let chain = certificates("tls_cert", &self.certificate)?;
        let key = PrivateKeyDer::from_pem_slice(&self.key).map_err(|error| wrong("tls_key", &error))?;
        let config = builder.with_single_cert(chain, key);
        let mut config = config.map_err(|error| wrong("tls_cert and tls_key", &error))?;
        config.alpn_protocols = protocols.to_vec();
        Ok(config)
    }
}

fn certificates(setting: &str, pem: &[u8]) -> io::Result<Vec<CertificateDer<'static>>> {
    let found = CertificateDer::pem_slice_iter(pem).collect::<Result<Vec<_>, _>>();
    let found = found.map_err(|error| wrong(setting, &error))?;
    if found.is_empty() {
        return Err(wrong(setting, &"the file has no certificate; expected some in PEM"));
    }
    Ok(found)
}

fn wrong(setting: &str, error: &dyn std::fmt::Display) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("{setting}: {error}"))
}

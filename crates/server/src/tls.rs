//! TLS: with which certificate the server shows itself, and whose certificates it takes.

use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use tokio::time::sleep;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::{RootCertStore, ServerConfig};

use crate::config::Config;
use crate::limits::MAX_SECURITY_FILE_BYTES;

/// The certificates that are in use, and where they come from.
#[derive(Debug)]
pub struct Tls {
    files: Files,
    protocols: Vec<Vec<u8>>,
    current: RwLock<Arc<ServerConfig>>,
    look_again: Duration,
}

#[derive(Debug, Clone)]
struct Files {
    certificate: PathBuf,
    key: PathBuf,
    client_ca: Option<PathBuf>,
}

/// What the files say.
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
        let (Some(certificate), Some(key)) = (&config.tls_cert, &config.tls_key) else { return Ok(None) };
        let files = Files {
            certificate: certificate.clone(),
            key: key.clone(),
            client_ca: config.tls_client_ca.clone(),
        };
        let protocols = vec![b"h2".to_vec()];
        let current = RwLock::new(Arc::new(files.read()?.server_config(&protocols)?));
        Ok(Some(Self { files, protocols, current, look_again: config.reload_interval }))
    }

    /// What shakes hands with the certificates that are in use now.
    #[must_use]
    pub fn acceptor(&self) -> TlsAcceptor {
        TlsAcceptor::from(self.current.read().unwrap_or_else(PoisonError::into_inner).clone())
    }

    /// Looks at the files from time to time, and takes new certificates for new connections. Where the new
    /// ones cannot be used, the old ones stay.
    pub async fn follow(&self) {
        let mut seen = None;
        loop {
            let files = self.files.clone();
            // Files may be on a disk that is far away.
            let read = tokio::task::spawn_blocking(move || files.read()).await;
            let Ok(read) = read else { return };
            let now =
                read.as_ref().map_or_else(|error| fingerprint(&error.to_string()), Contents::fingerprint);
            if seen.is_some_and(|seen| seen != now) {
                self.take(read);
            }
            seen = Some(now);
            sleep(self.look_again).await;
        }
    }

    fn take(&self, read: io::Result<Contents>) {
        match read.and_then(|contents| contents.server_config(&self.protocols)) {
            Ok(config) => {
                *self.current.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(config);
                tracing::info!("new certificates are in use");
            }
            Err(error) => tracing::error!(%error, "new certificates cannot be used; the old ones stay"),
        }
    }
}

impl Files {
    fn read(&self) -> io::Result<Contents> {
        Ok(Contents {
            certificate: read_limited(&self.certificate)?,
            key: read_limited(&self.key)?,
            client_ca: self.client_ca.as_deref().map(read_limited).transpose()?,
        })
    }
}

impl Contents {
    fn fingerprint(&self) -> u64 {
        fingerprint(&(&self.certificate, &self.key, &self.client_ca))
    }

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

fn fingerprint(what: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}

/// Reads a small file. An error names it.
///
/// # Errors
/// It cannot be read, or is not small.
pub fn read_limited(path: &Path) -> io::Result<Vec<u8>> {
    let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(named)?;
    file.take(MAX_SECURITY_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(named)?;
    if bytes.len() as u64 > MAX_SECURITY_FILE_BYTES {
        let error = format!("it has more than {MAX_SECURITY_FILE_BYTES} bytes");
        return Err(named(io::Error::new(io::ErrorKind::InvalidData, error)));
    }
    Ok(bytes)
}

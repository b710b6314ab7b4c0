//! TLS: whom the generator trusts, and with which certificate it shows itself.

use std::path::Path;
use std::sync::Arc;

use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use crate::exit::Failure;
use crate::limits::MAX_PEM_BYTES;
use crate::values::read_file;

/// What shakes hands with servers whose certificates `ca` has signed.
///
/// # Errors
/// Which file cannot be used, and why.
pub(crate) fn connector(ca: &Path, identity: Option<(&Path, &Path)>) -> Result<TlsConnector, Failure> {
    let mut roots = RootCertStore::empty();
    for certificate in certificates(ca)? {
        roots.add(certificate).map_err(|error| format!("{}: {error}", ca.display()))?;
    }
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?
        .with_root_certificates(roots);
    let mut config = match identity {
        None => builder.with_no_client_auth(),
        Some((certificate, key)) => {
            let pem = read_file(key, MAX_PEM_BYTES)?;
            let private = PrivateKeyDer::from_pem_slice(&pem)
                .map_err(|error| format!("{}: no private key in PEM: {error}", key.display()))?;
            let built = builder.with_client_auth_cert(certificates(certificate)?, private);
            built.map_err(|error| format!("{}, {}: {error}", certificate.display(), key.display()))?
        }
    };
    config.alpn_protocols = vec![b"h2".to_vec()];
    Ok(TlsConnector::from(Arc::new(config)))
}

fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, Failure> {
    let pem = read_file(path, MAX_PEM_BYTES)?;
    let found: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&pem).collect();
    match found {
        Ok(found) if !found.is_empty() => Ok(found),
        Ok(_) => Err(format!("{}: no certificate in PEM", path.display())),
        Err(error) => Err(format!("{}: {error}", path.display())),
    }
}

//! Certificates that a test makes for itself.

use crate::Folder;
use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};

/// Who signs certificates.
pub struct Authority {
    issuer: Issuer<'static, KeyPair>,
    pem: String,
}

impl Authority {
    /// One that nobody knows yet.
    ///
    /// # Panics
    /// Never: it is made of nothing but chance.
    #[must_use]
    pub fn new() -> Authority {
        let mut params = CertificateParams::new(Vec::new()).expect("no names");
        params.distinguished_name.push(DnType::CommonName, "an authority of a test");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().expect("a key");
        let pem = params.self_signed(&key).expect("a certificate").pem();
        Authority { issuer: Issuer::new(params, key), pem }
    }

    /// Its own certificate.
    #[must_use]
    pub fn pem(&self) -> &str {
        &self.pem
    }

    /// A certificate for the address that tests use and for the name of the service, and its key.
    ///
    /// # Panics
    /// Never: they are an address and a name.
    #[must_use]
    pub fn issue(&self) -> (String, String) {
        let names = ["127.0.0.1", "arbiter"].map(str::to_owned);
        let mut params = CertificateParams::new(names).expect("an address and a name");
        params.distinguished_name.push(DnType::CommonName, "a peer of a test");
        let key = KeyPair::generate().expect("a key");
        let certificate = params.signed_by(&key, &self.issuer).expect("a certificate");
        (certificate.pem(), key.serialize_pem())
    }

    /// Writes a certificate and its key into a folder under a name, and returns where they are.
    #[must_use]
    pub fn issue_to(&self, folder: &Folder, name: &str) -> (String, String) {
        let (certificate, key) = self.issue();
        (folder.write(&format!("{name}.crt"), &certificate), folder.write(&format!("{name}.key"), &key))
    }

    /// Writes a certificate for a server, and returns the flags that name it.
    #[must_use]
    pub fn identity(&self, folder: &Folder) -> Vec<String> {
        let (certificate, key) = self.issue_to(folder, "tls");
        vec!["--tls-cert".to_owned(), certificate, "--tls-key".to_owned(), key]
    }
}

impl Default for Authority {
    fn default() -> Self {
        Self::new()
    }
}

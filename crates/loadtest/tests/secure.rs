//! TLS and tokens.

mod common;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use common::fake::{self, Manner};
use common::{file, load, run, status, text};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::{RootCertStore, ServerConfig};

const QUICK: &str = "--mix GetServerInfo --rate 100 --duration 200ms --warm-up 0s";

/// Who signs, and the file that says so.
struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
    file: PathBuf,
}

fn authority(name: &str) -> Authority {
    let mut parameters = CertificateParams::default();
    parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let issuer =
        CertifiedIssuer::self_signed(parameters, KeyPair::generate().expect("certificates and keys"))
            .expect("certificates and keys");
    let file = file(name);
    std::fs::write(&file, issuer.pem()).expect("certificates and keys");
    Authority { issuer, file }
}

/// A certificate for this name, and its key.
fn certificate(authority: &Authority, name: &str) -> (rcgen::Certificate, KeyPair) {
    let key = KeyPair::generate().expect("certificates and keys");
    let parameters = CertificateParams::new(vec![name.to_owned()]).expect("certificates and keys");
    (parameters.signed_by(&key, &authority.issuer).expect("certificates and keys"), key)
}

/// A service that speaks TLS and wants certificates that the authority has signed.
async fn start(authority: &Authority) -> SocketAddr {
    let provider = Arc::new(ring::default_provider());
    let mut roots = RootCertStore::empty();
    roots.add(authority.issuer.der().clone()).expect("certificates and keys");
    let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider.clone());
    let (certificate, key) = certificate(authority, "localhost");
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("certificates and keys")
        .with_client_cert_verifier(verifier.build().expect("certificates and keys"))
        .with_single_cert(vec![certificate.der().clone()], key)
        .expect("certificates and keys");
    config.alpn_protocols = vec![b"h2".to_vec()];
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("certificates and keys");
    let address = listener.local_addr().expect("certificates and keys");
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let (sender, receiver) = tokio::sync::mpsc::channel(1);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            if let Ok(stream) = acceptor.accept(stream).await {
                let _ = sender.send(Ok(Tls(stream))).await;
            }
        }
    });
    tokio::spawn(fake::serve(Manner::Right, None, tokio_stream::wrappers::ReceiverStream::new(receiver)));
    address
}

#[tokio::test]
async fn both_sides_show_certificates() {
    let authority = authority("ca.pem");
    let port = start(&authority).await.port();
    let (certificate, key) = certificate(&authority, "load");
    let (cert_file, key_file) = (file("cert.pem"), file("key.pem"));
    std::fs::write(&cert_file, certificate.pem()).unwrap();
    std::fs::write(&key_file, key.serialize_pem()).unwrap();
    let ca = authority.file.display();
    let both = format!("--cert {} --key {}", cert_file.display(), key_file.display());
    for (options, expected) in
        [(format!("--ca {ca} {both}"), 0), (format!("--ca {ca}"), 2), (String::new(), 2)]
    {
        let line = format!("run --target https://localhost:{port} {QUICK} {options}");
        let output = run(&line.split_whitespace().collect::<Vec<_>>()).await;
        assert_eq!(status(&output), expected, "{options}: {}", text(&output));
    }
}

#[tokio::test]
async fn a_server_that_somebody_else_has_signed_is_not_trusted() {
    let (ours, theirs) = (authority("ours.pem"), authority("theirs.pem"));
    let port = start(&ours).await.port();
    let line = format!("run --target https://localhost:{port} {QUICK} --ca {}", theirs.file.display());
    let output = run(&line.split_whitespace().collect::<Vec<_>>()).await;
    assert_eq!(status(&output), 2);
    assert!(text(&output).contains("TLS: "), "{}", text(&output));
}

#[tokio::test]
async fn the_token_is_sent() {
    let address = fake::start_with_token(Manner::Right, Some("open-sesame")).await;
    let path = file("token");
    std::fs::write(&path, "open-sesame\n").unwrap();
    let with = load(address, &format!("run {QUICK} --token-file {}", path.display())).await;
    assert_eq!(status(&with), 0, "{}", text(&with));
    let without = load(address, &format!("run {QUICK}")).await;
    assert_eq!(status(&without), 2, "{}", text(&without));
    assert!(text(&without).contains("Unauthenticated"), "{}", text(&without));
}

/// A TLS stream as tonic takes it.
struct Tls(tokio_rustls::server::TlsStream<tokio::net::TcpStream>);

impl tonic::transport::server::Connected for Tls {
    type ConnectInfo = ();

    fn connect_info(&self) {}
}

impl tokio::io::AsyncRead for Tls {
    fn poll_read(
        mut self: std::pin::Pin<&mut Self>,
        context: &mut std::task::Context<'_>,
        buffer: &mut tokio::io::ReadBuf<'_>,
    ) -> std::task::Poll<std::io::Result<()>> {
        std::pin::Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl tokio::io::AsyncWrite for Tls {
    fn poll_write(
        mut self: std::pin::Pin<&mut Self>,
        context: &mut std::task::Context<'_>,
        bytes: &[u8],
    ) -> std::task::Poll<std::io::Result<usize>> {
        std::pin::Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(
        mut self: std::pin::Pin<&mut Self>,
        context: &mut std::task::Context<'_>,
    ) -> std::task::Poll<std::io::Result<()>> {
        std::pin::Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(
        mut self: std::pin::Pin<&mut Self>,
        context: &mut std::task::Context<'_>,
    ) -> std::task::Poll<std::io::Result<()>> {
        std::pin::Pin::new(&mut self.0).poll_shutdown(context)
    }
}

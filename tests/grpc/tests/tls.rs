//! TLS: who is let in, and how certificates change while the server runs.

use grpc_tests::certificates::Authority;
use grpc_tests::games::ask;
use grpc_tests::python::Script;
use grpc_tests::scrape::Scrape;
use grpc_tests::server::PATIENCE;
use grpc_tests::{Client, Folder, Server};
use proto::v1::Game;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tonic::Code;
use tonic::transport::Endpoint;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;

/// The settings of a client that trusts `ca` and has a certificate of its own, signed by an authority.
fn signed_by(folder: &Folder, ca: &str, authority: &Authority, name: &str) -> serde_json::Value {
    let (certificate, key) = authority.issue_to(folder, name);
    json!({"ca": ca, "cert": certificate, "key": key})
}

async fn start(flags: &[String], more: &[&str]) -> Server {
    let flags: Vec<_> = flags.iter().map(String::as_str).chain(more.iter().copied()).collect();
    Server::start_with(&flags).await
}

/// A client that trusts an authority.
fn client(server: &Server, settings: &serde_json::Value) -> Script {
    Script::start("obedient.py", &[&server.address().to_string(), &settings.to_string()])
}

async fn health(server: &Server) -> ServingStatus {
    let answer = server.health_alone().await.check(HealthCheckRequest::default()).await;
    answer.expect("an answer").into_inner().status()
}

#[tokio::test(flavor = "multi_thread")]
async fn who_trusts_the_server_is_answered_and_nothing_goes_in_the_clear() {
    let (folder, authority) = (Folder::new(), Authority::new());
    let flags = authority.identity(&folder);
    let mut server = start(&flags, &["--health-listen", "127.0.0.1:0", "--lame-duck", "1h"]).await;
    let ca = folder.write("ca.crt", authority.pem());
    assert_eq!(client(&server, &json!({"ca": ca})).ask("call").await, "legal");
    let other = folder.write("other.crt", Authority::new().pem());
    assert_eq!(client(&server, &json!({"ca": other})).ask("call").await, "UNAVAILABLE -");
    assert_eq!(client(&server, &json!({})).ask("call").await, "UNAVAILABLE -");

    // Probes have no certificates: they are told of health, and of nothing else.
    assert_eq!(health(&server).await, ServingStatus::Serving);
    let alone = Endpoint::from_shared(format!("http://{}", server.health_address())).unwrap();
    let mut question = Client::new(alone.connect().await.unwrap());
    let answer = question.validate_move(ask(Game::default(), "e4")).await;
    assert_eq!(answer.unwrap_err().code(), Code::Unimplemented);
    server.signal("TERM").await;
    server.wait_for_log("NOT_SERVING").await;
    assert_eq!(health(&server).await, ServingStatus::NotServing);
    server.signal("TERM").await;
    assert!(server.exit().await.success());
    let log = server.whole_log().await;
    assert!(!log.contains("BEGIN"), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn with_mutual_tls_a_client_needs_a_certificate_of_the_right_authority() {
    let (folder, servers, clients) = (Folder::new(), Authority::new(), Authority::new());
    let mut flags = servers.identity(&folder);
    flags.extend(["--tls-client-ca".to_owned(), folder.write("clients.crt", clients.pem())]);
    let server = start(&flags, &[]).await;
    let ca = folder.write("ca.crt", servers.pem());
    let signed_by = |authority: &Authority, name: &str| signed_by(&folder, &ca, authority, name);
    assert_eq!(client(&server, &signed_by(&clients, "right")).ask("call").await, "legal");
    assert_eq!(client(&server, &json!({"ca": ca})).ask("call").await, "UNAVAILABLE -");
    for (authority, name) in [(&servers, "servers"), (&Authority::new(), "wrong")] {
        assert_eq!(client(&server, &signed_by(authority, name)).ask("call").await, "UNAVAILABLE -", "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whose_certificates_are_taken_may_change() {
    let (folder, servers) = (Folder::new(), Authority::new());
    let (old, new) = (Authority::new(), Authority::new());
    let mut flags = servers.identity(&folder);
    flags.extend(["--tls-client-ca".to_owned(), folder.write("clients.crt", old.pem())]);
    let server = start(&flags, &["--reload-interval", "50ms"]).await;
    let ca = folder.write("ca.crt", servers.pem());
    let (old, by_new) = (signed_by(&folder, &ca, &old, "old"), signed_by(&folder, &ca, &new, "new"));
    assert_eq!(client(&server, &old).ask("call").await, "legal");
    assert_eq!(client(&server, &by_new).ask("call").await, "UNAVAILABLE -");
    folder.write("clients.crt", new.pem());
    server.wait_for_log("new certificates are in use").await;
    assert_eq!(client(&server, &old).ask("call").await, "UNAVAILABLE -");
    assert_eq!(client(&server, &by_new).ask("call").await, "legal");
}

#[tokio::test(flavor = "multi_thread")]
async fn certificates_change_without_a_stream_noticing_and_broken_ones_are_passed_over() {
    let (folder, old, new) = (Folder::new(), Authority::new(), Authority::new());
    let (first, second) = (folder.within("first"), folder.within("second"));
    let _flags = [old.identity(&first), new.identity(&second)];
    folder.link("now", "first");
    let path = |name: &str| folder.path().join("now").join(name).to_str().unwrap().to_owned();
    let flags = ["--tls-cert".to_owned(), path("tls.crt"), "--tls-key".to_owned(), path("tls.key")];
    let more = ["--reload-interval", "50ms", "--admin-listen", "127.0.0.1:0"];
    let mut server = start(&flags, &more).await;
    let old_ca = json!({"ca": folder.write("old.crt", old.pem())});
    let new_ca = json!({"ca": folder.write("new.crt", new.pem())});
    let mut streaming = client(&server, &old_ca);
    assert_eq!(streaming.ask("open").await, "legal");
    folder.link("now", "second");
    server.wait_for_log("new certificates are in use").await;
    assert_eq!(streaming.ask("next").await, "legal");
    assert_eq!(client(&server, &old_ca).ask("call").await, "UNAVAILABLE -");
    assert_eq!(client(&server, &new_ca).ask("call").await, "legal");

    second.write("tls.crt", "-----BEGIN CERTIFICATE-----\nbroken\n");
    server.wait_for_log("the old ones stay").await;
    let stale = async || Scrape::of(server.admin()).await.sum("arbiter_certificates_stale", &[]);
    assert_eq!(stale().await, 1.0);
    assert_eq!(streaming.ask("next").await, "legal");
    assert_eq!(client(&server, &new_ca).ask("call").await, "legal");
    // A key that belongs to another certificate is no better.
    let (certificate, _) = new.issue();
    second.write("tls.crt", &certificate);
    server.wait_for_logs("the old ones stay", 2).await;
    assert_eq!(client(&server, &new_ca).ask("call").await, "legal");
    let _flags = new.identity(&second);
    server.wait_for_logs("new certificates are in use", 2).await;
    assert_eq!(stale().await, 0.0);
    let log = server.stop().await;
    assert!(!log.contains("PRIVATE KEY"), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hangup_has_new_certificates_taken_at_once_and_ends_nothing() {
    let (folder, old, new) = (Folder::new(), Authority::new(), Authority::new());
    let server = start(&old.identity(&folder), &["--reload-interval", "24h"]).await;
    let old_ca = json!({"ca": folder.write("old.crt", old.pem())});
    let new_ca = json!({"ca": folder.write("new.crt", new.pem())});
    let mut streaming = client(&server, &old_ca);
    assert_eq!(streaming.ask("open").await, "legal");
    let _flags = new.identity(&folder);
    server.signal("HUP").await;
    server.wait_for_log("new certificates are in use").await;
    assert_eq!(streaming.ask("next").await, "legal");
    assert_eq!(client(&server, &old_ca).ask("call").await, "UNAVAILABLE -");
    assert_eq!(client(&server, &new_ca).ask("call").await, "legal");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_never_shakes_hands_is_let_go_and_holds_nothing_up() {
    let (folder, authority) = (Folder::new(), Authority::new());
    let flags = authority.identity(&folder);
    let mut server = start(&flags, &["--lame-duck", "0s", "--drain-deadline", "1h"]).await;
    // Nothing, and half of a ClientHello.
    let mut sockets = Vec::new();
    for beginning in [b"".as_slice(), b"\x16\x03\x01\x02\0\x01"] {
        let mut socket = TcpStream::connect(server.address()).await.unwrap();
        socket.write_all(beginning).await.unwrap();
        sockets.push(socket);
    }
    let ca = folder.write("ca.crt", authority.pem());
    assert_eq!(client(&server, &json!({"ca": ca})).ask("call").await, "legal");
    for socket in &mut sockets {
        let mut answer = Vec::new();
        let _ = timeout(PATIENCE, socket.read_to_end(&mut answer)).await.expect("it is let go");
    }
    let _late = TcpStream::connect(server.address()).await.unwrap();
    server.signal("TERM").await;
    assert!(server.exit().await.success());
}

#[tokio::test]
async fn certificates_that_cannot_be_used_are_one_clear_line() {
    let (folder, authority) = (Folder::new(), Authority::new());
    let (certificate, key) = authority.issue();
    let (_, other_key) = authority.issue();
    let certificate = folder.write("tls.crt", &certificate);
    let missing = folder.path().join("missing").to_str().unwrap().to_owned();
    let (key, other_key) = (folder.write("tls.key", &key), folder.write("other.key", &other_key));
    for (certificate, key, named) in [
        (&missing, &key, "missing"),
        (&key, &key, "tls_cert"),
        (&certificate, &certificate, "tls_key"),
        (&certificate, &other_key, "tls_key"),
    ] {
        let flags = ["--tls-cert", certificate, "--tls-key", key];
        let output = grpc_tests::server::command(&flags).output().await.unwrap();
        assert_eq!(output.status.code(), Some(1));
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.lines().count() == 1 && error.contains(named), "{error}");
    }
}

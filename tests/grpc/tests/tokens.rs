//! Tokens: who may ask.

use std::time::Duration;

use grpc_tests::certificates::Authority;
use grpc_tests::games::ask;
use grpc_tests::python::Script;
use grpc_tests::scrape::Scrape;
use grpc_tests::server::PATIENCE;
use grpc_tests::{Client, Fault, Folder, Server};
use proto::v1::Game;
use serde_json::json;
use tokio::time::{sleep, timeout};
use tonic::{Code, Request, Status};
use tonic_health::pb::HealthCheckRequest;
use tonic_reflection::pb::v1::ServerReflectionRequest;
use tonic_reflection::pb::v1::server_reflection_client::ServerReflectionClient;

/// Tokens and their hashes, as `printf %s TOKEN | sha256sum` tells them.
const RED: (&str, &str) =
    ("red-0123456789abcdef", "b038c069347d0f70737d93c388b3b675202137a15c3755e0720d7267bd5dd485");
const BLACK: (&str, &str) =
    ("black-0123456789abcdef", "7224385546ed6ee4e1aad172fe6a8b1b0081814cac9457aa06c410532477d22a");

fn with_token<T>(message: T, token: Option<&str>) -> Request<T> {
    let mut request = Request::new(message);
    if let Some(token) = token {
        let value = format!("Bearer {token}").parse().expect("a value");
        request.metadata_mut().insert("authorization", value);
    }
    request
}

async fn call(client: &mut Client, token: Option<&str>) -> Result<bool, Status> {
    let answer = client.validate_move(with_token(ask(Game::default(), "e4"), token)).await?;
    Ok(answer.into_inner().legal)
}

async fn assert_refused(client: &mut Client, token: Option<&str>) {
    let fault = Fault::expect(call(client, token).await);
    assert_eq!((fault.code, fault.reason.as_str()), (Code::Unauthenticated, "UNAUTHENTICATED"));
    assert!(fault.message.contains("Bearer") && !fault.message.contains("0123456789"), "{fault:?}");
}

#[tokio::test]
async fn a_call_needs_one_of_the_tokens_and_health_none() {
    let hashes = format!("red:{},{}", RED.1, BLACK.1);
    let flags = ["--token-hashes", &hashes, "--log-filter", "server=trace,info"];
    let mut server = Server::start_with(&flags).await;
    let mut client = server.client().await;
    for token in [RED.0, BLACK.0] {
        assert!(call(&mut client, Some(token)).await.unwrap());
    }
    for token in [None, Some("red-0123456789abcdeg"), Some("red-0123456789abcde"), Some(RED.1)] {
        assert_refused(&mut client, token).await;
    }
    assert!(server.health().await.check(HealthCheckRequest::default()).await.is_ok());

    let mut reflection = ServerReflectionClient::new(server.channel().await);
    let question = || tokio_stream::once(ServerReflectionRequest::default());
    let refused = reflection.server_reflection_info(with_token(question(), None)).await;
    assert_eq!(Fault::expect(refused).code, Code::Unauthenticated);
    assert!(reflection.server_reflection_info(with_token(question(), Some(RED.0))).await.is_ok());
    let log = server.stop().await;
    for secret in ["0123456789", &RED.1[..16], &BLACK.1[..16]] {
        assert!(!log.contains(secret), "{log}");
    }
}

#[tokio::test]
async fn tokens_in_a_file_are_rotated_without_a_restart() {
    let folder = Folder::new();
    let file = folder.write("tokens", &format!("# who may ask\nred:{}\n", RED.1));
    let flags = ["--token-hashes-file", &file, "--reload-interval", "50ms"];
    let server = Server::start_with(&flags).await;
    let mut client = server.client().await;
    assert!(call(&mut client, Some(RED.0)).await.unwrap());
    assert_refused(&mut client, Some(BLACK.0)).await;
    folder.write("tokens", &format!("red:{}\nblack:{} # the next one\n", RED.1, BLACK.1));
    until_taken(&mut client, BLACK.0, true).await;
    assert!(call(&mut client, Some(RED.0)).await.unwrap(), "both are taken for a while");
    folder.write("tokens", &format!("black:{}\n", BLACK.1));
    until_taken(&mut client, RED.0, false).await;
    assert!(call(&mut client, Some(BLACK.0)).await.unwrap());
}

#[tokio::test]
async fn a_file_of_hashes_that_cannot_be_used_changes_nothing_and_is_told_of() {
    let folder = Folder::new();
    let file = folder.write("tokens", &format!("red:{}\n", RED.1));
    let more = ["--reload-interval", "50ms", "--admin-listen", "127.0.0.1:0"];
    let server = Server::start_with(&[&["--token-hashes-file", &file], &more[..]].concat()).await;
    let stale = async || Scrape::of(server.admin()).await.sum("arbiter_tokens_stale", &[]);
    let mut client = server.client().await;
    assert_eq!(stale().await, 0.0);
    for (times, unusable) in (1..).zip(["red:broken\n", ""]) {
        folder.write("tokens", unusable);
        server.wait_for_logs("the old ones stay", times).await;
        assert_eq!(stale().await, 1.0);
        assert!(call(&mut client, Some(RED.0)).await.unwrap(), "{unusable:?}");
        assert_refused(&mut client, None).await;
    }
    folder.write("tokens", &format!("black:{}\n", BLACK.1));
    until_taken(&mut client, BLACK.0, true).await;
    assert_refused(&mut client, Some(RED.0)).await;
    assert_eq!(stale().await, 0.0);
}

#[tokio::test]
async fn a_hangup_has_a_file_of_hashes_taken_at_once() {
    let folder = Folder::new();
    let file = folder.write("tokens", &format!("red:{}\n", RED.1));
    let server = Server::start_with(&["--token-hashes-file", &file, "--reload-interval", "24h"]).await;
    let mut client = server.client().await;
    folder.write("tokens", &format!("black:{}\n", BLACK.1));
    server.signal("HUP").await;
    until_taken(&mut client, BLACK.0, true).await;
    assert_refused(&mut client, Some(RED.0)).await;
    server.wait_for_log("SIGHUP").await;
}

/// What a client of another library hears with a token, or without one.
async fn hear_with(client: &mut Script, token: &str) -> String {
    assert_eq!(client.ask(&format!("token {token}")).await, "taken");
    client.ask("call").await
}

/// A client of another library asks without a token, with a wrong one, with the right one, and while that is
/// rotated.
async fn assert_asks_by_token(is_tls: bool) {
    const REFUSED: &str = "UNAUTHENTICATED UNAUTHENTICATED";
    let (folder, authority) = (Folder::new(), Authority::new());
    let hashes = folder.write("tokens", &format!("red:{}\n", RED.1));
    let (mut flags, mut settings) = (Vec::new(), json!({}));
    if is_tls {
        flags = authority.identity(&folder);
        settings = json!({"ca": folder.write("ca.crt", authority.pem())});
    }
    flags.extend(["--token-hashes-file", &hashes, "--reload-interval", "50ms"].map(str::to_owned));
    let server = Server::start_with(&flags.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let start = |settings: &serde_json::Value| {
        Script::start("obedient.py", &[&server.address().to_string(), &settings.to_string()])
    };
    let mut client = start(&settings);
    assert_eq!(client.ask("call").await, REFUSED, "without a token");
    assert_eq!(hear_with(&mut client, BLACK.0).await, REFUSED, "a wrong token");
    assert_eq!(hear_with(&mut client, RED.0).await, "legal", "the right token");
    assert_eq!(client.ask("open").await, "legal");

    folder.write("tokens", &format!("red:{}\nblack:{}\n", RED.1, BLACK.1));
    server.wait_for_log("new tokens are taken").await;
    assert_eq!(client.ask("call").await, "legal", "the old token beside the new one");
    settings["token"] = BLACK.0.into();
    assert_eq!(start(&settings).ask("call").await, "legal", "the new token from the start");
    folder.write("tokens", &format!("black:{}\n", BLACK.1));
    server.wait_for_logs("new tokens are taken", 2).await;
    assert_eq!(client.ask("call").await, REFUSED, "the old token");
    assert_eq!(client.ask("next").await, "legal", "a call that runs goes on");
    assert_eq!(hear_with(&mut client, BLACK.0).await, "legal", "the new token");
    assert_eq!(hear_with(&mut client, "").await, REFUSED, "no token again");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_of_another_library_asks_by_its_token() {
    assert_asks_by_token(false).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_of_another_library_asks_by_its_token_over_tls() {
    assert_asks_by_token(true).await;
}

async fn until_taken(client: &mut Client, token: &str, is_taken: bool) {
    let taken = async {
        while call(client, Some(token)).await.is_ok() != is_taken {
            sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(PATIENCE, taken).await.expect("the file is read in time");
}

#[tokio::test]
async fn a_file_of_hashes_has_a_limit() {
    let folder = Folder::new();
    let hash = format!("red:{}\n", RED.1);
    for (size, status) in [(1024 * 1024, 0), (1024 * 1024 + 1, 2)] {
        let file = folder.write("tokens", &format!("{hash}#{}", "x".repeat(size - hash.len() - 1)));
        let flags = ["--check-config", "--token-hashes-file", &file];
        let output = grpc_tests::server::command(&flags).output().await.unwrap();
        assert_eq!(output.status.code(), Some(status), "{output:?}");
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(error.contains(&file) && error.contains("1048576 bytes"), status == 2, "{error}");
    }
}

#[tokio::test]
async fn hashes_that_are_none_are_refused_and_not_shown() {
    for flags in [["--token-hashes", "my-secret-token"], ["--token-hashes-file", "/nowhere/tokens"]] {
        let output = grpc_tests::server::command(&flags).output().await.unwrap();
        assert!(!output.status.success());
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(!error.contains("my-secret-token"), "{error}");
    }
}

#[tokio::test]
async fn a_file_without_hashes_would_lock_everyone_out_and_is_refused() {
    let folder = Folder::new();
    for text in ["", "\n", "# who may ask\n"] {
        let file = folder.write("tokens", text);
        for (flags, status) in [
            (&["--token-hashes-file", &file][..], 1),
            (&["--check-config", "--token-hashes-file", &file], 2),
            (&["--token-hashes", RED.1, "--token-hashes-file", &file], 1),
        ] {
            let output = grpc_tests::server::command(flags).output().await.unwrap();
            assert_eq!(output.status.code(), Some(status), "{output:?}");
            let error = String::from_utf8(output.stderr).unwrap();
            assert!(error.contains(&file) && error.contains("it has no hash of a token"), "{error}");
        }
    }
}

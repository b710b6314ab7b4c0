//! Tokens: who may ask.

use std::time::Duration;

use grpc_tests::games::ask;
use grpc_tests::server::PATIENCE;
use grpc_tests::{Client, Fault, Folder, Server};
use proto::v1::Game;
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
    let server = Server::start_with(&flags).await;
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
    let log = server.log();
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

    folder.write("tokens", "black:broken\n");
    server.wait_for_log("the old ones stay").await;
    assert!(call(&mut client, Some(BLACK.0)).await.unwrap());
    folder.write("tokens", "");
    until_taken(&mut client, BLACK.0, false).await;
    assert_refused(&mut client, None).await;
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

//! The admin port.

use std::time::Duration;

use grpc_tests::Server;
use grpc_tests::games::ask;
use grpc_tests::http::{get, send};
use grpc_tests::server::{PATIENCE, command};
use proto::v1::Game;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;

const ADMIN: [&str; 2] = ["--admin-listen", "127.0.0.1:0"];

#[tokio::test]
async fn probes_and_version_answer() {
    let server = Server::start_with(&ADMIN).await;
    let admin = server.admin();
    assert_eq!(get(admin, "/livez").await.status, 200);
    let ready = get(admin, "/readyz").await;
    assert_eq!((ready.status, ready.body.as_str()), (200, "serving\n"));
    let version = get(admin, "/version").await;
    let version: serde_json::Value = serde_json::from_str(&version.body).expect("JSON");
    assert_eq!(version["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(version["api"], "arbiter.v1");
}

#[tokio::test]
async fn what_is_not_there_says_what_is() {
    let server = Server::start_with(&ADMIN).await;
    let missing = get(server.admin(), "/nope").await;
    assert_eq!(missing.status, 404);
    assert!(missing.body.contains("/metrics"), "{missing:?}");
    let wrong = send(server.admin(), "POST", "/metrics", "").await;
    assert_eq!(wrong.status, 405);
    assert!(wrong.head.contains("allow: get, head"), "{wrong:?}");
}

#[tokio::test]
async fn off_means_off_and_a_port_in_use_is_named() {
    let server = Server::start_with(&["--admin-listen", "off"]).await;
    assert!(!server.log().contains("admin"), "{}", server.log());
    let other = Server::start_with(&ADMIN).await;
    let taken = other.admin().to_string();
    let output = command(&["--admin-listen", &taken]).output().await.unwrap();
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains(&taken) && error.contains("in use"), "{error}");
    let output = command(&["--listen", "127.0.0.1:9999", "--admin-listen", "127.0.0.1:9999"]).output().await;
    let output = output.unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

/// Readiness and health, asked one after the other.
async fn readiness(server: &Server) -> (u16, ServingStatus) {
    let mut health = server.health().await;
    let told = health.check(HealthCheckRequest::default()).await.expect("an answer").into_inner();
    (get(server.admin(), "/readyz").await.status, told.status())
}

#[tokio::test]
async fn readiness_agrees_with_health_and_the_port_answers_to_the_end() {
    let flags = [&ADMIN[..], &["--lame-duck", "1h", "--drain-deadline", "2s"]].concat();
    let mut server = Server::start_with(&flags).await;
    assert_eq!(readiness(&server).await, (200, ServingStatus::Serving));
    server.signal("TERM").await;
    let stopping = async {
        while get(server.admin(), "/readyz").await.status == 200 {
            sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(PATIENCE, stopping).await.expect("it stops");
    assert_eq!(readiness(&server).await, (503, ServingStatus::NotServing));
    assert_eq!(get(server.admin(), "/readyz").await.body, "stopping\n");
    assert_eq!(get(server.admin(), "/livez").await.status, 200);
    assert_eq!(get(server.admin(), "/metrics").await.status, 200);
    server.signal("TERM").await;
    assert!(server.exit().await.success());
}

#[tokio::test]
async fn it_answers_while_calls_are_drained() {
    let flags = [&ADMIN[..], &["--lame-duck", "0s", "--drain-deadline", "1h"]].concat();
    let mut server = Server::start_with(&flags).await;
    // A stream that stays open holds the drain up.
    let (questions, stream) = tokio::sync::mpsc::channel(1);
    let mut client = server.client().await;
    let answers = client.validate_moves(tokio_stream::wrappers::ReceiverStream::new(stream)).await;
    server.signal("TERM").await;
    let refused = async {
        while TcpStream::connect(server.address()).await.is_ok() {
            sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(PATIENCE, refused).await.expect("the listener closes");
    let ready = get(server.admin(), "/readyz").await;
    assert_eq!((ready.status, ready.body.as_str()), (503, "stopping\n"));
    drop((questions, answers));
    assert!(server.exit().await.success());
}

#[tokio::test]
async fn the_log_filter_can_be_set_while_it_runs() {
    let flags = [&ADMIN[..], &["--log-filter", "warn,arbiter=info,server=info"]].concat();
    let server = Server::start_with(&flags).await;
    let admin = server.admin();
    let wrong = send(admin, "PUT", "/log-filter", "server=loud").await;
    assert_eq!(wrong.status, 400);
    assert!(wrong.body.contains("warn,server=debug"), "{wrong:?}");
    assert_eq!(send(admin, "PUT", "/log-filter", "").await.status, 400);
    assert_eq!(send(admin, "PUT", "/log-filter", "trace\n").await.status, 200);
    assert_eq!(get(admin, "/log-filter").await.body, "trace\n");
    assert!(server.validate(ask(Game::default(), "e4")).await.legal);
    server.wait_for_log("TRACE").await;
}

#[tokio::test]
async fn requests_are_bounded() {
    let server = Server::start_with(&ADMIN).await;
    let large = send(server.admin(), "PUT", "/log-filter", &"a=info,".repeat(1000)).await;
    assert_eq!(large.status, 413, "{large:?}");
    assert!(large.body.contains("4096 bytes"), "{large:?}");
    let mut stream = TcpStream::connect(server.admin()).await.unwrap();
    let header = format!("GET /livez HTTP/1.1\r\nx: {}\r\n\r\n", "x".repeat(64 * 1024));
    // It may be closed before it has taken everything.
    let _ = stream.write_all(header.as_bytes()).await;
    let mut answer = Vec::new();
    let _ = timeout(PATIENCE, stream.read_to_end(&mut answer)).await.expect("an end");
    assert!(!answer.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&answer));
    assert_eq!(get(server.admin(), "/livez").await.status, 200);
}

#[tokio::test]
async fn connections_are_bounded_and_keep_no_probe_out() {
    let server = Server::start_with(&ADMIN).await;
    let mut half_open = Vec::new();
    for _ in 0..40 {
        let mut stream = TcpStream::connect(server.admin()).await.unwrap();
        stream.write_all(b"GET /livez HTTP/1.1\r\nhost: a\r\n").await.unwrap();
        half_open.push(stream);
    }
    assert_eq!(get(server.admin(), "/livez").await.status, 200);
    // The oldest have made room; the newest are still waited for.
    let closed = timeout(PATIENCE, half_open[0].read(&mut [0; 1])).await.expect("it is closed");
    assert!(matches!(closed, Ok(0) | Err(_)), "{closed:?}");
    let newest = half_open.last_mut().unwrap();
    newest.write_all(b"\r\n").await.unwrap();
    let mut answer = [0; 12];
    timeout(PATIENCE, newest.read_exact(&mut answer)).await.expect("in time").expect("an answer");
    assert_eq!(&answer, b"HTTP/1.1 200");
    server.wait_for_log("the oldest connection was closed for a new one").await;
}

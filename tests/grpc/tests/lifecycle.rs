//! Start, health, and the way down.

use std::time::Duration;

use grpc_tests::frames::Wire;
use grpc_tests::games::{ask, item};
use grpc_tests::server::{PATIENCE, command};
use grpc_tests::{Client, Fault, Server, raw};
use proto::v1::{Game, ValidateMovesRequest, ValidateMovesResponse};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout};
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Code, Streaming};
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::{HealthCheckRequest, HealthCheckResponse};

const SERVICE: &str = "arbiter.v1.ArbiterService";

fn of(service: &str) -> HealthCheckRequest {
    HealthCheckRequest { service: service.to_owned() }
}

async fn watch(server: &Server, service: &str) -> Streaming<HealthCheckResponse> {
    server.health().await.watch(of(service)).await.expect("a watch").into_inner()
}

async fn next_status(watch: &mut Streaming<HealthCheckResponse>) -> ServingStatus {
    let update = timeout(PATIENCE, watch.message()).await.expect("an update in time");
    update.expect("no error").expect("an update").status()
}

/// Waits until the server has begun to stop.
async fn wait_for_lame_duck(watch: &mut Streaming<HealthCheckResponse>) {
    while next_status(watch).await != ServingStatus::NotServing {}
}

/// An open stream of questions, with one answer received.
async fn open_stream(
    client: &mut Client,
) -> (mpsc::Sender<ValidateMovesRequest>, Streaming<ValidateMovesResponse>) {
    let (questions, receiver) = mpsc::channel(1);
    let mut answers =
        client.validate_moves(ReceiverStream::new(receiver)).await.expect("a stream").into_inner();
    questions.send(item(Game::default(), "e4")).await.expect("an open stream");
    assert!(answers.message().await.expect("no error").expect("an answer").legal);
    (questions, answers)
}

#[tokio::test]
async fn health_knows_its_names() {
    let server = Server::start().await;
    let mut health = server.health().await;
    for name in ["", SERVICE] {
        let answer = health.check(of(name)).await.unwrap().into_inner();
        assert_eq!(answer.status(), ServingStatus::Serving, "{name:?}");
    }
    assert_eq!(health.check(of("nope")).await.unwrap_err().code(), Code::NotFound);
    let long = health.check(of("x".repeat(20_000).as_str())).await.unwrap_err();
    assert_eq!(Fault::of(&long).reason, "LIMIT_EXCEEDED");
    let garbage = raw::call(server.channel().await, "/grpc.health.v1.Health/Check", vec![0xff; 9]).await;
    assert_eq!(Fault::expect(garbage).reason, "REQUEST_UNREADABLE");
}

#[tokio::test]
async fn a_watch_of_an_unknown_name_says_so_and_stays_open() {
    let mut server = Server::start_with(&["--lame-duck", "300ms", "--drain-deadline", "1h"]).await;
    let mut unknown = watch(&server, "nope").await;
    assert_eq!(next_status(&mut unknown).await, ServingStatus::ServiceUnknown);
    let mut known = watch(&server, "").await;
    server.signal("TERM").await;
    wait_for_lame_duck(&mut known).await;
    // It ends with the others, and hears nothing of what it did not ask for.
    let end = timeout(PATIENCE, unknown.message()).await.expect("an end in time");
    assert!(!matches!(end, Ok(Some(_))), "{end:?}");
    assert!(server.exit().await.success());
}

#[tokio::test]
async fn a_lame_duck_says_so_and_still_answers() {
    let mut server = Server::start_with(&["--lame-duck", "1h"]).await;
    let mut watches = [watch(&server, "").await, watch(&server, SERVICE).await];
    for watch in &mut watches {
        assert_eq!(next_status(watch).await, ServingStatus::Serving);
    }
    server.signal("TERM").await;
    for watch in &mut watches {
        assert_eq!(next_status(watch).await, ServingStatus::NotServing);
    }
    // The listener is still open: calls on new connections are answered.
    let mut health = server.health().await;
    for name in ["", SERVICE] {
        assert_eq!(health.check(of(name)).await.unwrap().into_inner().status(), ServingStatus::NotServing);
    }
    assert!(server.validate(ask(Game::default(), "e4")).await.legal);
    // A second signal does not wait for the hour to pass.
    server.signal("TERM").await;
    assert!(server.exit().await.success());
    let log = server.whole_log().await;
    assert!(log.contains("signal=SIGTERM") && log.contains("stopping at once"), "{log}");
}

#[tokio::test]
async fn health_says_not_serving_to_the_end_of_the_drain() {
    let flags = ["--health-listen", "127.0.0.1:0", "--lame-duck", "0s", "--drain-deadline", "1h"];
    let mut server = Server::start_with(&flags).await;
    let mut client = server.client().await;
    let (questions, mut answers) = open_stream(&mut client).await;
    let mut watch = watch(&server, "").await;
    server.signal("TERM").await;
    // The watch ends when the drain begins.
    while timeout(PATIENCE, watch.message()).await.expect("an end").is_ok_and(|update| update.is_some()) {}
    let mut health = server.health_alone().await;
    for name in ["", SERVICE] {
        assert_eq!(health.check(of(name)).await.unwrap().into_inner().status(), ServingStatus::NotServing);
    }
    drop(questions);
    assert!(answers.message().await.unwrap().is_none());
    assert!(server.exit().await.success());
}

#[tokio::test]
async fn a_connection_without_calls_that_hears_nothing_does_not_hold_the_server() {
    let mut server = Server::start_with(&["--lame-duck", "0s", "--drain-deadline", "1h"]).await;
    // It acknowledges nothing that it is sent.
    let _deaf = Wire::to(&server).await;
    assert!(server.validate(ask(Game::default(), "e4")).await.legal);
    server.signal("TERM").await;
    assert!(server.exit().await.success());
}

#[tokio::test]
async fn the_port_for_health_has_a_limit_of_its_own() {
    let server = Server::start_with(&["--health-listen", "127.0.0.1:0"]).await;
    let mut open = Vec::new();
    for _ in 0..64 {
        let mut health = server.health_alone().await;
        assert!(health.check(of("")).await.is_ok());
        open.push(health);
    }
    let mut more = server.health_alone().await;
    assert!(more.check(of("")).await.is_ok(), "whoever comes is let in");
    assert!(server.health().await.check(of("")).await.is_ok(), "the other port has places");
    // The oldest has made room, and its client comes again.
    server.wait_for_log("the oldest connection was closed for a new one").await;
    assert!(open[63].check(of("")).await.is_ok());
}

#[tokio::test]
async fn an_idle_server_stops_at_once_after_the_lame_duck() {
    let mut server = Server::start_with(&["--lame-duck", "300ms", "--drain-deadline", "1h"]).await;
    let mut client = server.client().await;
    client.validate_move(ask(Game::default(), "e4")).await.unwrap();
    let mut watch = watch(&server, "").await;
    let begin = Instant::now();
    server.signal("TERM").await;
    wait_for_lame_duck(&mut watch).await;
    // Neither an idle connection nor a watch holds the server.
    assert!(server.exit().await.success());
    assert!(begin.elapsed() >= Duration::from_millis(300), "the lame duck was skipped");
    assert!(server.endpoint().connect().await.is_err(), "the port is free");
}

#[tokio::test]
async fn sigint_skips_the_lame_duck() {
    let mut server = Server::start_with(&["--lame-duck", "1h"]).await;
    server.signal("INT").await;
    assert!(server.exit().await.success());
}

#[tokio::test]
async fn a_hangup_ends_nothing() {
    let server = Server::start().await;
    let mut client = server.client().await;
    let (questions, mut answers) = open_stream(&mut client).await;
    server.signal("HUP").await;
    server.wait_for_log("SIGHUP").await;
    questions.send(item(Game::default(), "e4")).await.unwrap();
    assert!(answers.message().await.unwrap().expect("an answer").legal);
    assert!(server.validate(ask(Game::default(), "e4")).await.legal, "on a new connection");
}

#[tokio::test]
async fn a_connection_that_never_spoke_does_not_hold_the_server() {
    let mut server = Server::start_with(&["--lame-duck", "0s", "--drain-deadline", "1h"]).await;
    let silent = TcpStream::connect(server.address()).await.unwrap();
    let mut halting = TcpStream::connect(server.address()).await.unwrap();
    halting.write_all(b"PRI * HTT").await.unwrap();
    assert!(server.validate(ask(Game::default(), "e4")).await.legal);
    server.signal("TERM").await;
    assert!(server.exit().await.success());
    drop((silent, halting));
}

#[tokio::test]
async fn an_open_stream_ends_before_the_drain_deadline() {
    let mut server = Server::start_with(&["--lame-duck", "0s", "--drain-deadline", "2s"]).await;
    let mut client = server.client().await;
    let (questions, mut answers) = open_stream(&mut client).await;
    let begin = Instant::now();
    server.signal("TERM").await;
    // The stream goes on during the drain; every question that is answered is answered before the end.
    let asker =
        tokio::spawn(async move { while questions.send(item(Game::default(), "e4")).await.is_ok() {} });
    let fault = loop {
        match timeout(PATIENCE, answers.message()).await.expect("the stream goes on or ends") {
            Ok(answer) => assert!(answer.expect("an answer or an error").legal),
            Err(status) => break Fault::of(&status),
        }
    };
    assert_eq!((fault.code, fault.reason.as_str()), (Code::Unavailable, "SHUTTING_DOWN"));
    assert!(fault.has_retry, "{fault:?}");
    assert!(server.exit().await.success());
    assert!(begin.elapsed() < Duration::from_secs(4), "{:?}", begin.elapsed());
    asker.await.unwrap();
}

#[tokio::test]
async fn a_stream_that_ends_in_time_ends_well() {
    let mut server = Server::start_with(&["--lame-duck", "300ms", "--drain-deadline", "1h"]).await;
    let mut client = server.client().await;
    let (questions, mut answers) = open_stream(&mut client).await;
    let mut watch = watch(&server, "").await;
    server.signal("TERM").await;
    wait_for_lame_duck(&mut watch).await;
    // The watch ends when the drain begins.
    assert!(timeout(PATIENCE, watch.message()).await.expect("an end").unwrap().is_none());
    questions.send(item(Game::default(), "e5")).await.unwrap();
    assert!(!answers.message().await.unwrap().expect("an answer").legal);
    drop(questions);
    assert!(answers.message().await.unwrap().is_none());
    assert!(server.exit().await.success());
}

#[tokio::test]
async fn a_client_that_takes_nothing_in_is_cut_off() {
    let mut server = Server::start_with(&["--lame-duck", "0s", "--drain-deadline", "1s"]).await;
    let endless = tokio_stream::iter(std::iter::repeat_with(|| item(Game::default(), "e4")));
    let answers = server.client().await.validate_moves(endless).await.unwrap().into_inner();
    server.signal("TERM").await;
    assert!(server.exit().await.success());
    drop(answers);
}

#[tokio::test]
async fn a_second_signal_ends_a_drain() {
    let mut server = Server::start_with(&["--lame-duck", "300ms", "--drain-deadline", "1h"]).await;
    let mut client = server.client().await;
    let (_questions, _answers) = open_stream(&mut client).await;
    let mut watch = watch(&server, "").await;
    server.signal("TERM").await;
    wait_for_lame_duck(&mut watch).await;
    while timeout(PATIENCE, watch.message()).await.expect("an end").is_ok_and(|update| update.is_some()) {}
    server.signal("TERM").await;
    assert!(server.exit().await.success());
}

#[tokio::test]
async fn a_port_in_use_is_one_clear_line() {
    let server = Server::start().await;
    let address = server.address().to_string();
    let output = command(&["--listen", &address]).output().await.unwrap();
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(error.contains(&address) && error.contains("in use"), "{error}");
}

#[tokio::test]
async fn a_flag_that_makes_no_sense_is_refused() {
    for flags in [
        ["--lame-duck", "3"],
        ["--listen", "nowhere"],
        ["--max-concurrent-streams", "0"],
        ["--log-filter", ""],
    ] {
        let output = command(&flags).output().await.unwrap();
        assert_eq!(output.status.code(), Some(2), "{flags:?}");
    }
}

#[tokio::test]
async fn what_is_not_there_is_unimplemented() {
    let server = Server::start().await;
    for path in ["/arbiter.v1.ArbiterService/Nope", "/arbiter.v2.ArbiterService/ValidateMove", "/nope"] {
        let answer = raw::call(server.channel().await, path, Vec::new()).await;
        assert_eq!(answer.unwrap_err().code(), Code::Unimplemented, "{path}");
    }
}

#[tokio::test]
async fn other_protocols_are_turned_away() {
    let mut server = Server::start().await;
    let mut get = TcpStream::connect(server.address()).await.unwrap();
    get.write_all(b"GET / HTTP/1.1\r\nHost: arbiter\r\n\r\n").await.unwrap();
    let mut answer = Vec::new();
    // Closed or reset: either way the reading ends.
    let _ = timeout(PATIENCE, get.read_to_end(&mut answer)).await.expect("the connection is closed");
    assert!(!answer.starts_with(b"HTTP/1.1 2"), "{answer:?}");
    assert!(server.validate(ask(Game::default(), "e4")).await.legal);
    let log = server.stop().await;
    assert!(!log.contains("panic"), "{log}");
}

#[tokio::test]
async fn it_starts_fast_and_small() {
    let begin = Instant::now();
    let server = Server::start().await;
    let start = begin.elapsed();
    assert!(server.validate(ask(Game::default(), "e4")).await.legal);
    let resident = server.resident_kib();
    eprintln!("started in {start:?}, {resident} KiB resident");
    // The promise is 100 ms; machines that run other tests at the same time get some more.
    assert!(start < Duration::from_secs(1), "{start:?}");
    assert!(resident < 30 * 1024, "{resident} KiB");
}

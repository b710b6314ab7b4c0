//! A flood of searches. This file has one test, so that nothing but the flood takes the processor.

use std::sync::Arc;
use std::time::{Duration, Instant};

use grpc_tests::Server;
use grpc_tests::frames::{HEADERS, Wire, call, data, end, message};
use grpc_tests::games::ask;
use grpc_tests::raw::path_of;
use grpc_tests::searches::with_limits;
use grpc_tests::server::PATIENCE;
use proto::v1::{Game, SearchLimits};
use tokio::sync::Barrier;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;

/// The time that 95 of 100 calls do not exceed, and the same of 99.
fn percentiles(mut times: Vec<Duration>) -> (Duration, Duration) {
    times.sort_unstable();
    let at = |part: usize| times[times.len() * part / 100];
    (at(95), at(99))
}

/// Asks for a hundred searches in one go, and returns how long each refusal took.
async fn flood(mut wire: Wire, begin: Arc<Barrier>) -> Vec<Duration> {
    let time = SearchLimits {
        move_time: Some(prost_types::Duration { seconds: 1, nanos: 0 }),
        ..SearchLimits::default()
    };
    let request = message(&with_limits(Game::default(), time));
    let calls: Vec<_> = (0..100)
        .flat_map(|index| {
            let stream = 2 * index + 1;
            [call(stream, &path_of("Search")), data(stream, &request), end(stream)]
        })
        .collect();
    begin.wait().await;
    let asked = Instant::now();
    wire.send(calls).await;
    let mut refused = Vec::new();
    let mut answered = 0;
    while refused.len() + answered < 100 {
        let frame = wire.any().await;
        if frame.kind == HEADERS && frame.ends_stream() {
            // A refusal has nothing but headers, or it is the end of an answer.
            refused.push(asked.elapsed());
        } else if frame.kind == HEADERS {
            answered += 1;
        }
    }
    refused
}

/// How long 95 of 100 refused searches of a flood took, and so many of the questions beside it.
async fn times_of_flood(server: &Server) -> [Duration; 2] {
    let begin = Arc::new(Barrier::new(21));
    let mut floods = JoinSet::new();
    for _ in 0..20 {
        floods.spawn(flood(Wire::to(server).await, begin.clone()));
    }
    let (mut client, mut health) = (server.client().await, server.health().await);
    begin.wait().await;
    let mut validated = Vec::new();
    for _ in 0..200 {
        let asked = Instant::now();
        client.validate_move(ask(Game::default(), "e4")).await.expect("an answer");
        validated.push(asked.elapsed());
        let health = health.check(HealthCheckRequest::default()).await.expect("an answer").into_inner();
        assert_eq!(health.status(), ServingStatus::Serving);
    }
    let refused = timeout(PATIENCE, floods.join_all()).await.expect("refusals in time").concat();
    assert!((1_900..2_000).contains(&refused.len()), "{} of 2,000 were refused", refused.len());
    [("refused searches", refused), ("other questions", validated)].map(|(what, times)| {
        let (p95, p99) = percentiles(times);
        eprintln!("{what}: p95 {p95:?}, p99 {p99:?}");
        p95
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_of_searches_is_refused_at_once_and_holds_nothing_else_up() {
    let server = Server::start_with(&["--search-slots", "1"]).await;
    // Nothing may be refused that should not be, ever. The time is that of the server in one of a few floods: in
    // the others the machine may have had something else to do.
    let mut slow = Vec::new();
    for _ in 0..8 {
        let times = times_of_flood(&server).await;
        if times.iter().all(|&p95| p95 < Duration::from_millis(100)) {
            return;
        }
        slow.push(times);
    }
    panic!("each flood was slow: {slow:?}");
}

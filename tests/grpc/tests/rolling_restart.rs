//! One server is replaced by another while calls go on, and nobody notices.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use grpc_tests::games::{ask, moves};
use grpc_tests::searches::{last, with_limits};
use grpc_tests::{Client, Server};
use proto::v1::{Game, SearchLimits};
use tokio::task::JoinSet;
use tokio::time::interval;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;

/// A balancer in a few lines: calls go to the first server until its health says otherwise.
struct Balancer {
    servers: [Client; 2],
    moved: Arc<AtomicBool>,
}

impl Balancer {
    async fn over(old: &Server, new: &Server) -> Balancer {
        let moved = Arc::new(AtomicBool::new(false));
        let watched = moved.clone();
        let request = HealthCheckRequest { service: "arbiter.v1.ArbiterService".to_owned() };
        let mut watch = old.health().await.watch(request).await.expect("a watch").into_inner();
        tokio::spawn(async move {
            while watch
                .message()
                .await
                .is_ok_and(|update| update.is_some_and(|update| update.status() == ServingStatus::Serving))
            {
            }
            watched.store(true, Ordering::Relaxed);
        });
        Balancer { servers: [old.client().await, new.client().await], moved }
    }

    fn pick(&self) -> Client {
        self.servers[usize::from(self.moved.load(Ordering::Relaxed))].clone()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_call_fails_when_a_server_is_replaced_under_load() {
    let mut old = Server::start_with(&["--lame-duck", "1s", "--drain-deadline", "10s"]).await;
    let new = Server::start().await;
    let balancer = Balancer::over(&old, &new).await;
    let mut searching = balancer.pick();
    let time = SearchLimits {
        move_time: Some(prost_types::Duration { seconds: 60, nanos: 0 }),
        ..SearchLimits::default()
    };
    let search = searching.search(with_limits(moves("e4"), time)).await.expect("a slot").into_inner();
    let mut clock = interval(Duration::from_millis(5));
    let mut calls = JoinSet::new();
    for index in 0..600 {
        clock.tick().await;
        if index == 200 {
            old.signal("TERM").await;
        }
        let mut client = balancer.pick();
        calls.spawn(async move { client.validate_move(ask(Game::default(), "e4")).await });
    }
    while let Some(answer) = calls.join_next().await {
        assert!(answer.unwrap().expect("no call fails").into_inner().legal);
    }
    assert!(balancer.moved.load(Ordering::Relaxed), "the calls have moved");
    let (_, answer) = last(search).await.expect("the best so far");
    assert!(answer.best_move.is_some());
    assert!(old.exit().await.success());
}

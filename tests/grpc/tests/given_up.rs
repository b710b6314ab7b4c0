//! Very many searches that are given up, and what they leave behind.

use std::time::Duration;

use grpc_tests::frames::{DATA, HEADERS, Wire, call_with, data, end, message, take, take_nothing};
use grpc_tests::games::{moves, xiangqi};
use grpc_tests::python::Script;
use grpc_tests::raw::path_of;
use grpc_tests::scrape::Scrape;
use grpc_tests::searches::{search, with_nodes};
use grpc_tests::server::{PATIENCE, signal};
use grpc_tests::{Client, Fault, Server};
use proto::v1::{Game, SearchRequest, SearchResponse};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tonic::Streaming;

/// As many searches as there are slots, each on a connection of its own; none ends by itself.
async fn begin_fifty(server: &Server, game: &Game) -> Vec<(Client, Streaming<SearchResponse>)> {
    let mut searches = JoinSet::new();
    for index in 0..50 {
        let mut client = server.client().await;
        let request = SearchRequest { game: Some(game.clone()), hash_mib: 1, ..SearchRequest::default() };
        searches.spawn(async move {
            let mut messages = client.search(request).await.expect("a free slot").into_inner();
            if index % 10 == 0 {
                // In the middle of it.
                timeout(PATIENCE, messages.message()).await.expect("a message in time").expect("progress");
            }
            (client, messages)
        });
    }
    timeout(PATIENCE, searches.join_all()).await.expect("they begin in time")
}

#[tokio::test(flavor = "multi_thread")]
async fn five_hundred_searches_that_are_given_up_leave_nothing_behind() {
    let mut server = Server::start_with(&["--search-slots", "50", "--admin-listen", "127.0.0.1:0"]).await;
    let games = [moves("e4 e5"), xiangqi("", "h2e2 h9g7")];
    let mut resident = Vec::new();
    for round in 0..12 {
        let searches = begin_fifty(&server, &games[round % 2]).await;
        if round % 4 < 2 {
            // Cancelled: the connections stay until all of their calls are.
            let (clients, messages): (Vec<_>, Vec<_>) = searches.into_iter().unzip();
            drop(messages);
            assert_stops(&server).await;
            drop(clients);
        } else {
            // Gone: the connections end with them.
            drop(searches);
            assert_stops(&server).await;
        }
        resident.push(server.resident_kib());
    }
    server.wait_until_idle().await;
    // What the allocator keeps goes up and down. A leak of half a MiB for each search would show.
    let most = |rounds: &[u64]| rounds.iter().copied().max().unwrap_or_default();
    let grown = most(&resident[8..]).saturating_sub(most(&resident[..4]));
    eprintln!("after each round {resident:?} KiB; {} threads at last", server.threads());
    assert!(grown < 100 * 1024, "it grew by {grown} KiB");
    assert!(server.threads() < 20, "{} threads are left", server.threads());
    assert!(search(&mut server.client().await, with_nodes(Game::default(), 1_000)).await.nodes > 0);
    let log = server.stop().await;
    assert!(!log.contains("panic"), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_process_that_is_killed_leaves_nothing_behind() {
    let mut server = Server::start_with(&["--search-slots", "10", "--admin-listen", "127.0.0.1:0"]).await;
    for _ in 0..3 {
        let mut client = Script::start("obedient.py", &[&server.address().to_string()]);
        assert_eq!(client.ask("search 10").await, "10 searches");
        assert_eq!(busy_slots(&server).await, 10.0);
        let fault = Fault::expect(server.client().await.search(SearchRequest::default()).await);
        assert_eq!(fault.reason, "OVERLOADED");
        signal(client.pid(), "KILL").await;
        client.ended().await;
        assert_stops(&server).await;
    }
    assert!(server.threads() < 20, "{} threads are left", server.threads());
    assert!(search(&mut server.client().await, with_nodes(Game::default(), 1_000)).await.nodes > 0);
    let log = server.stop().await;
    assert!(!log.contains("panic"), "{log}");
}

#[tokio::test]
async fn a_search_of_which_nothing_is_taken_ends_at_its_deadline() {
    let server = Server::start_with(&["--search-slots", "1", "--admin-listen", "127.0.0.1:0"]).await;
    let mut wire = Wire::to(&server).await;
    wire.send([take_nothing()]).await;
    let begun = call_with(1, &path_of("Search"), &[("grpc-timeout", "300m")]);
    wire.send([begun, data(1, &message(&SearchRequest::default())), end(1)]).await;
    wire.next(HEADERS, 1).await;
    let ended = async {
        // There is no event for "a search has ended": look until it is counted.
        let deadline = [("stop_reason", "deadline")];
        while Scrape::of(server.admin()).await.sum("arbiter_searches_total", &deadline) < 1.0 {}
    };
    timeout(PATIENCE, ended).await.expect("the search ends");
    assert!(search(&mut server.client().await, with_nodes(Game::default(), 1_000)).await.nodes > 0);
    // Its stream is there, and has its answer for whoever takes it.
    wire.send([take(1, 1 << 20)]).await;
    let mut bytes = Vec::new();
    let trailers = loop {
        let frame = timeout(PATIENCE, wire.any()).await.expect("a frame in time");
        match (frame.kind, frame.stream) {
            (DATA, 1) => bytes.extend(frame.payload),
            (HEADERS, 1) => break frame,
            _ => {}
        }
    };
    assert!(trailers.ends_stream() && !bytes.is_empty(), "{trailers:?}");
}

async fn busy_slots(server: &Server) -> f64 {
    Scrape::of(server.admin()).await.sum("arbiter_search_slots_busy", &[])
}

/// What was begun in vain is left at once, and its slots are free. Time that the threads work is counted, which does not depend on
/// what else the machine does: on two idle cores, 50 threads that stop within 10 ms of it need no 50 ms.
async fn assert_stops(server: &Server) {
    let begin = server.cpu_time();
    let (mut before, mut quiet) = (begin, false);
    while !quiet {
        sleep(Duration::from_millis(50)).await;
        let now = server.cpu_time();
        // Where others take the processor, threads may have been quiet for they did not get to run.
        quiet = now.saturating_sub(before) < Duration::from_millis(5) && busy_slots(server).await < 1.0;
        before = now;
        let used = now.saturating_sub(begin);
        assert!(used < Duration::from_millis(50 * 10), "after the end it has worked for {used:?}");
    }
}

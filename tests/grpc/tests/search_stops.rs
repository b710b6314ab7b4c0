//! How searches end before their time: by deadlines, clients that go away, a full house, and the end of the
//! server.

use std::time::Duration;

use grpc_tests::games::{ask, moves, shuffle, xiangqi};
use grpc_tests::searches::{last, search, try_search, with_limits, with_nodes};
use grpc_tests::server::PATIENCE;
use grpc_tests::{Client, Fault, Server};
use proto::v1::{Game, SearchLimits, SearchRequest, SearchResponse, StopReason};
use tokio::time::{Instant, timeout};
use tonic::{Code, Request, Status, Streaming};

const ONE_SLOT: [&str; 2] = ["--search-slots", "1"];

/// Begins a search without an end, as soon as there is a slot.
async fn begin(client: &mut Client, game: &Game) -> Streaming<SearchResponse> {
    let begin = async {
        loop {
            let request = SearchRequest { game: Some(game.clone()), ..SearchRequest::default() };
            match client.search(request).await {
                Ok(messages) => return messages.into_inner(),
                Err(status) => check_full(&status),
            }
        }
    };
    timeout(PATIENCE, begin).await.expect("a free slot in time")
}

/// No slot is free, and the client is told what to do about it.
fn check_full(status: &Status) {
    let fault = Fault::of(status);
    assert_eq!((fault.code, fault.reason.as_str()), (Code::ResourceExhausted, "OVERLOADED"));
    assert!(fault.has_retry && fault.fields.is_empty(), "{fault:?}");
}

fn elapsed(answer: &SearchResponse) -> Duration {
    Duration::try_from(answer.elapsed.expect("a time")).expect("a time")
}

#[tokio::test]
async fn a_deadline_brings_the_best_so_far() {
    let server = Server::start_with(&ONE_SLOT).await;
    let mut client = server.client().await;
    let chess = SearchRequest::default();
    let xiangqi = SearchRequest { game: Some(xiangqi("", "h2e2 h9g7")), ..SearchRequest::default() };
    // A long game and a large table take their time, too.
    let large = SearchRequest { game: Some(shuffle(10)), hash_mib: 256, ..SearchRequest::default() };
    for request in [chess, xiangqi, large] {
        for _ in 0..5 {
            let mut call = Request::new(request.clone());
            call.set_timeout(Duration::from_millis(200));
            let answer = search(&mut client, call).await;
            assert_eq!(answer.stop_reason(), StopReason::Deadline);
            assert!(answer.depth > 0, "{answer:?}");
            // It would be 60 s without the deadline; a busy machine may wake up late.
            assert!(elapsed(&answer) < Duration::from_secs(5), "{:?}", elapsed(&answer));
        }
    }
}

#[tokio::test]
async fn the_first_limit_that_is_reached_is_the_reason() {
    let server = Server::start_with(&["--search-slots", "1", "--max-search-time", "300ms"]).await;
    let mut client = server.client().await;
    let begin = Instant::now();
    let answer = search(&mut client, SearchRequest::default()).await;
    assert_eq!(answer.stop_reason(), StopReason::Time);
    assert!(begin.elapsed() >= Duration::from_millis(300), "{:?}", begin.elapsed());
    assert!(elapsed(&answer) < Duration::from_secs(2), "{:?}", elapsed(&answer));

    let time = |millis: u64| prost_types::Duration::try_from(Duration::from_millis(millis)).ok();
    let long = SearchLimits { move_time: time(3_600_000), ..SearchLimits::default() };
    let answer = search(&mut client, with_limits(Game::default(), long)).await;
    assert_eq!(answer.stop_reason(), StopReason::Time);
    assert!(elapsed(&answer) < Duration::from_secs(2), "the server's limit holds for every request");

    let mut call = Request::new(with_limits(
        Game::default(),
        SearchLimits { move_time: time(20), ..SearchLimits::default() },
    ));
    call.set_timeout(Duration::from_secs(5));
    assert_eq!(search(&mut client, call).await.stop_reason(), StopReason::Time);
    let mut call = Request::new(with_nodes(Game::default(), 500));
    call.set_timeout(Duration::from_secs(5));
    assert_eq!(search(&mut client, call).await.stop_reason(), StopReason::Nodes);
}

#[tokio::test]
async fn a_cancelled_search_frees_its_slot() {
    let mut server = Server::start_with(&ONE_SLOT).await;
    let mut client = server.client().await;
    let games = [moves("e4 c5"), xiangqi("", "h2e2 h9g7")];
    let round = |index: usize| &games[index % 2];
    for index in 0..20 {
        drop(begin(&mut client, round(index)).await);
    }
    server.wait_until_idle().await;
    let (memory, threads) = (server.resident_kib(), server.threads());
    for index in 0..150 {
        let mut messages = begin(&mut client, round(index)).await;
        if index % 25 == 0 {
            // In the middle of it.
            assert!(!messages.message().await.expect("a message").expect("progress").r#final);
        }
    }
    server.wait_until_idle().await;
    assert!(server.threads() <= threads, "{threads} threads became {}", server.threads());
    let grown = server.resident_kib().saturating_sub(memory);
    // The allocator keeps a table of 16 MiB more or less. A leak of a third of a MiB a search would show.
    assert!(grown < 50 * 1024, "it grew by {grown} KiB");
    assert!(search(&mut client, with_nodes(Game::default(), 1_000)).await.nodes > 0);
    let log = server.stop().await;
    assert!(!log.contains("panic"), "{log}");
}

#[tokio::test]
async fn a_client_that_vanishes_frees_its_slot() {
    let server = Server::start_with(&ONE_SLOT).await;
    let game = moves("d4 d5");
    for index in 0..50 {
        let mut client = server.client().await;
        let mut messages = begin(&mut client, &game).await;
        if index % 25 == 0 {
            assert!(!messages.message().await.expect("a message").expect("progress").r#final);
        }
        // The connection goes with its last user, and says nothing about the call.
        drop((client, messages));
    }
    server.wait_until_idle().await;
    let answer = search(&mut server.client().await, with_nodes(Game::default(), 1_000)).await;
    assert_eq!(answer.stop_reason(), StopReason::Nodes);
}

#[tokio::test]
async fn a_full_house_refuses_at_once_and_answers_other_questions() {
    let server = Server::start_with(&ONE_SLOT).await;
    let mut client = server.client().await;
    let messages = begin(&mut client, &moves("e4 e5")).await;
    for _ in 0..50 {
        let refused = timeout(PATIENCE, try_search(&mut client, SearchRequest::default()));
        check_full(&refused.await.expect("a refusal in time").expect_err("a refusal"));
        let answer = timeout(PATIENCE, client.validate_move(ask(Game::default(), "e4"))).await;
        assert!(answer.expect("an answer in time").expect("an answer").into_inner().legal);
    }
    // What is wrong with a request is said even so.
    let wrong = SearchRequest { multi_pv: 1_000, ..SearchRequest::default() };
    assert_eq!(Fault::expect(try_search(&mut client, wrong).await).reason, "LIMIT_EXCEEDED");
    drop(messages);
    drop(begin(&mut client, &moves("e4")).await);
}

#[tokio::test]
async fn of_very_many_searches_some_are_answered_and_the_others_refused() {
    let mut server = Server::start_with(&ONE_SLOT).await;
    let mut calls = Vec::new();
    for _ in 0..5 {
        let client = server.client().await;
        calls.extend((0..100).map(|_| {
            let mut client = client.clone();
            tokio::spawn(async move { try_search(&mut client, with_nodes(Game::default(), 20_000)).await })
        }));
    }
    let (mut answered, mut refused) = (0, 0);
    for call in calls {
        match call.await.expect("an answer or a refusal") {
            Ok(answer) => {
                assert_eq!(answer.stop_reason(), StopReason::Nodes);
                answered += 1;
            }
            Err(status) => {
                check_full(&status);
                refused += 1;
            }
        }
    }
    assert!(answered > 0 && refused > 0, "{answered} were answered, {refused} refused");
    // Who has an answer may ask again at once.
    let mut client = server.client().await;
    for _ in 0..20 {
        search(&mut client, with_nodes(Game::default(), 500)).await;
    }
    server.wait_until_idle().await;
    let log = server.stop().await;
    assert!(!log.contains("panic"), "{log}");
}

#[tokio::test]
async fn when_the_server_stops_the_best_so_far_arrives() {
    for (signal, lame_duck) in [("TERM", "0s"), ("TERM", "300ms"), ("INT", "1h")] {
        let flags = ["--search-slots", "2", "--lame-duck", lame_duck, "--drain-deadline", "10s"];
        let mut server = Server::start_with(&flags).await;
        let mut client = server.client().await;
        let searches =
            [begin(&mut client, &moves("c4 e5")).await, begin(&mut client, &xiangqi("", "h2e2")).await];
        server.signal(signal).await;
        let begin = Instant::now();
        for messages in searches {
            let (_, answer) = last(messages).await.expect("an answer");
            assert_eq!(answer.stop_reason(), StopReason::Shutdown);
            assert!(answer.depth > 0 && answer.best_move.is_some(), "{answer:?}");
        }
        drop(client);
        assert!(server.exit().await.success());
        assert!(begin.elapsed() < Duration::from_secs(8), "{:?}", begin.elapsed());
        let log = server.whole_log().await;
        assert!(!log.contains("drain deadline passed"), "{log}");
    }
}

#[tokio::test]
async fn a_search_that_nobody_reads_does_not_hold_the_server() {
    let mut server = Server::start_with(&["--lame-duck", "0s", "--drain-deadline", "2s"]).await;
    let mut client = server.client().await;
    let messages = begin(&mut client, &moves("c4 e5")).await;
    server.signal("TERM").await;
    assert!(server.exit().await.success());
    drop(messages);
}

/// How late answers are is printed (`-- --nocapture`): it depends on what else the machine does.
#[tokio::test]
async fn the_time_for_a_move_is_kept() {
    let server = Server::start_with(&ONE_SLOT).await;
    let mut client = server.client().await;
    let wanted = Duration::from_millis(50);
    let mut late = Vec::new();
    for game in [Game::default(), xiangqi("", "h2e2 h9g7")] {
        let move_time = Some(wanted.try_into().expect("a short time"));
        let request = with_limits(game, SearchLimits { move_time, ..SearchLimits::default() });
        for _ in 0..50 {
            let begun = Instant::now();
            let answer = search(&mut client, request.clone()).await;
            assert_eq!(answer.stop_reason(), StopReason::Time);
            let took = begun.elapsed();
            assert!(took >= wanted && took < Duration::from_secs(5), "{took:?}");
            late.push(took - wanted);
        }
    }
    late.sort_unstable();
    eprintln!(
        "later than {wanted:?} by {:?} (median), {:?} (p95), {:?} (worst)",
        late[50], late[95], late[99]
    );
}

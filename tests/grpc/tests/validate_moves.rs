//! The bidirectional stream: order, volume, backpressure, ends.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use grpc_tests::games::{item, moves, shuffle};
use grpc_tests::server::PATIENCE;
use grpc_tests::{Fault, Server};
use proto::v1::{Game, Reason, ValidateMovesRequest};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, timeout};
use tokio_stream::StreamExt as _;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Code, Request};

#[tokio::test]
async fn answers_come_one_by_one_while_the_stream_is_open() {
    let server = Server::start().await;
    let (questions, receiver) = mpsc::channel(1);
    let stream = server.client().await.validate_moves(ReceiverStream::new(receiver)).await;
    let mut answers = stream.expect("a stream before the first question").into_inner();
    for (text, legal) in [("e4", true), ("e5", false), ("Nf3", true)] {
        questions.send(item(Game::default(), text)).await.unwrap();
        let answer = answers.message().await.unwrap().expect("an answer");
        assert_eq!(answer.legal, legal, "{text}");
        assert!(answer.state.is_none(), "the view is basic");
    }
    drop(questions);
    assert!(answers.message().await.unwrap().is_none(), "the stream ends when the client has ended it");
}

#[tokio::test]
async fn tens_of_thousands_keep_their_order() {
    const COUNT: usize = 50_000;
    let server = Server::start().await;
    // Every seventh question is long enough to be worked on elsewhere, and must not be overtaken.
    let question = |index: usize| match index {
        index if index % 5_000 == 7 => item(shuffle(400 + index % 4), "a2a3"),
        index if index % 2 == 0 => item(Game::default(), "e2e4"),
        _ => item(moves("e2e4"), "e2e4"),
    };
    let questions = tokio_stream::iter((0..COUNT).map(question));
    let mut answers = server.client().await.validate_moves(questions).await.unwrap().into_inner();
    let begin = Instant::now();
    for index in 0..COUNT {
        let answer = answers.message().await.unwrap().expect("an answer");
        if index % 5_000 == 7 {
            assert_eq!(answer.legal, index % 2 == 0, "{index}: {answer:?}");
        } else if index % 2 == 0 {
            assert_eq!(answer.r#move.expect("a move").uci, "e2e4", "{index}");
        } else {
            assert_eq!(answer.illegal.expect("a reason").reason(), Reason::NoPiece, "{index}");
        }
    }
    assert!(answers.message().await.unwrap().is_none());
    eprintln!("{:.0} answers a second", COUNT as f64 / begin.elapsed().as_secs_f64());
}

#[tokio::test]
async fn a_client_that_does_not_read_is_not_read_from() {
    let server = Server::start().await;
    let before = server.resident_kib();
    let sent = Arc::new(AtomicUsize::new(0));
    let counter = sent.clone();
    let endless = tokio_stream::iter(std::iter::repeat_with(move || {
        counter.fetch_add(1, Ordering::Relaxed);
        item(shuffle(100), "e2e4")
    }));
    let answers = server.client().await.validate_moves(endless).await.unwrap().into_inner();
    // There is no event for "no more is sent": wait until the number stands still.
    let standstill = async {
        let mut last = 0;
        loop {
            sleep(Duration::from_millis(300)).await;
            let now = sent.load(Ordering::Relaxed);
            if now == last && now > 0 {
                return now;
            }
            last = now;
        }
    };
    let sent = timeout(PATIENCE, standstill).await.expect("the client is held back");
    assert!(sent < 100_000, "{sent} questions were taken in");
    let grown = server.resident_kib().saturating_sub(before);
    assert!(grown < 32 * 1024, "the server grew by {grown} KiB");
    drop(answers);
}

#[tokio::test]
async fn a_backlog_of_small_questions_is_not_taken_for_an_attack() {
    let server = Server::start().await;
    let (questions, receiver) = mpsc::channel(1);
    let mut answers =
        server.client().await.validate_moves(ReceiverStream::new(receiver)).await.unwrap().into_inner();
    // One at a time, so that each travels in a frame of its own; until the stream takes no more in.
    let sender = tokio::spawn(async move {
        let mut sent = 0;
        while timeout(Duration::from_secs(1), questions.send(item(Game::default(), "e4"))).await.is_ok() {
            sent += 1;
        }
        sent
    });
    let sent = sender.await.unwrap();
    assert!(sent > 10_000, "the backlog is only {sent} questions long");
    for index in 0..sent {
        let answer = answers.message().await.unwrap_or_else(|status| panic!("{index} of {sent}: {status}"));
        assert!(answer.expect("an answer").legal);
    }
}

#[tokio::test]
async fn what_cannot_be_decoded_ends_the_stream_after_the_answers_before_it() {
    let server = Server::start().await;
    let huge = ValidateMovesRequest { r#move: "x".repeat(2 << 20), ..ValidateMovesRequest::default() };
    let (questions, receiver) = mpsc::channel(2);
    let mut client = server.client().await.max_encoding_message_size(usize::MAX);
    let mut answers = client.validate_moves(ReceiverStream::new(receiver)).await.unwrap().into_inner();
    questions.send(item(Game::default(), "e4")).await.unwrap();
    assert!(answers.message().await.unwrap().expect("an answer").legal);
    questions.send(huge).await.unwrap();
    let fault = Fault::expect(answers.message().await);
    assert_eq!((fault.code, fault.reason.as_str()), (Code::InvalidArgument, "LIMIT_EXCEEDED"));
    assert_eq!(fault.metadata["limit"], "max_request_bytes");
    assert!(client.validate_move(grpc_tests::games::ask(Game::default(), "e4")).await.is_ok());
}

#[tokio::test]
async fn a_deadline_ends_the_stream() {
    let server = Server::start().await;
    let (questions, receiver) = mpsc::channel(1);
    let mut request = Request::new(ReceiverStream::new(receiver));
    request.set_timeout(Duration::from_millis(300));
    let mut answers = server.client().await.validate_moves(request).await.unwrap().into_inner();
    questions.send(item(Game::default(), "e4")).await.unwrap();
    assert!(answers.message().await.unwrap().expect("an answer").legal);
    let fault = Fault::expect(timeout(PATIENCE, answers.message()).await.expect("the deadline is kept"));
    assert_eq!((fault.code, fault.reason.as_str()), (Code::DeadlineExceeded, "DEADLINE_EXCEEDED"));
}

#[tokio::test]
async fn work_stops_when_the_client_is_gone() {
    let server = Server::start().await;
    let endless = tokio_stream::iter(std::iter::repeat_with(|| item(shuffle(200), "e2e4")));
    let mut answers = server.client().await.validate_moves(endless).await.unwrap().into_inner();
    for _ in 0..1_000 {
        answers.next().await.expect("an answer").unwrap();
    }
    drop(answers);
    server.wait_until_idle().await;
}

//! How long a call may take.

use std::time::{Duration, Instant};

use grpc_tests::frames::{HEADERS, Wire, call_with};
use grpc_tests::games::{ask, item};
use grpc_tests::raw::{call_without_end, path_of};
use grpc_tests::server::PATIENCE;
use grpc_tests::{Fault, Server};
use proto::v1::Game;
use tokio::time::timeout;
use tonic::Code;

const UNARY: [&str; 4] = ["ValidateMove", "LegalMoves", "GameStatus", "ReplayGame"];

#[tokio::test]
async fn a_call_without_a_deadline_has_the_servers() {
    let server = Server::start_with(&["--max-deadline", "300ms"]).await;
    let channel = server.channel().await;
    for method in UNARY {
        let begin = Instant::now();
        // The server waits for a question that does not come.
        let answer = timeout(PATIENCE, call_without_end(channel.clone(), &path_of(method))).await;
        let fault = Fault::expect(answer.expect("an end in time"));
        assert_eq!((fault.code, fault.reason.as_str()), (Code::DeadlineExceeded, "DEADLINE_EXCEEDED"));
        assert!(begin.elapsed() >= Duration::from_millis(290), "{:?}", begin.elapsed());
    }
}

#[tokio::test]
async fn the_earlier_of_two_deadlines_counts() {
    let server = Server::start_with(&["--max-deadline", "300ms"]).await;
    for (asked, ends) in [("100m", 100), ("20S", 300), ("99999999H", 300), ("soon", 300)] {
        // A client library would end the call itself.
        let mut wire = Wire::to(&server).await;
        let begin = Instant::now();
        wire.send([call_with(1, &path_of("ValidateMove"), &[("grpc-timeout", asked)])]).await;
        wire.next(HEADERS, 1).await;
        let (least, most) = (Duration::from_millis(ends - 10), Duration::from_millis(ends + 5_000));
        assert!((least..most).contains(&begin.elapsed()), "{asked}: {:?}", begin.elapsed());
    }
}

#[tokio::test]
async fn streams_go_on_beyond_it() {
    let server = Server::start_with(&["--max-deadline", "100ms"]).await;
    let (questions, receiver) = tokio::sync::mpsc::channel(1);
    let receiver = tokio_stream::wrappers::ReceiverStream::new(receiver);
    let mut answers = server.client().await.validate_moves(receiver).await.unwrap().into_inner();
    for _ in 0..3 {
        // The time of a call with one answer, as the server has it.
        let late = call_without_end(server.channel().await, &path_of("ValidateMove")).await;
        assert_eq!(late.unwrap_err().code(), Code::DeadlineExceeded);
        questions.send(item(Game::default(), "e4")).await.unwrap();
        assert!(answers.message().await.unwrap().expect("an answer").legal);
    }
}

#[tokio::test]
async fn an_answer_in_time_is_given() {
    let server = Server::start_with(&["--max-deadline", "20s"]).await;
    let mut request = tonic::Request::new(ask(Game::default(), "e4"));
    request.set_timeout(Duration::from_secs(10));
    assert!(server.client().await.validate_move(request).await.unwrap().into_inner().legal);
}

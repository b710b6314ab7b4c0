//! More long requests than the workers can take on.

use grpc_tests::games::{ask, item, shuffle};
use grpc_tests::server::PATIENCE;
use grpc_tests::{Client, Fault, Server};
use proto::v1::{Game, ReplayGameRequest};
use tokio::task::JoinSet;
use tokio::time::timeout;
use tonic::{Code, Status};

/// One request is worked on and one waits.
const FLAGS: [&str; 4] = ["--workers", "1", "--max-waiting", "1"];

/// The longest question there is; the game is told ply by ply.
fn long_question() -> ReplayGameRequest {
    ReplayGameRequest { game: Some(shuffle(20_000)), max_plies: 20_000, ..ReplayGameRequest::default() }
}

async fn ask_long(mut client: Client) -> Result<(), Status> {
    client.replay_game(long_question()).await.map(drop)
}

#[tokio::test]
async fn what_cannot_even_wait_is_refused_at_once() {
    let server = Server::start_with(&FLAGS).await;
    let client = server.client().await;
    let calls: Vec<_> = (0..40).map(|_| tokio::spawn(ask_long(client.clone()))).collect();
    // Short questions are answered meanwhile.
    for _ in 0..20 {
        let answer = server.validate(ask(Game::default(), "e4"));
        assert!(timeout(PATIENCE, answer).await.expect("an answer in time").legal);
    }
    let mut answered = 0;
    let mut refused = 0;
    for call in calls {
        match call.await.unwrap() {
            Ok(()) => answered += 1,
            Err(status) => {
                let fault = Fault::of(&status);
                assert_eq!((fault.code, fault.reason.as_str()), (Code::ResourceExhausted, "OVERLOADED"));
                assert!(fault.has_retry && fault.fields.is_empty(), "{fault:?}");
                refused += 1;
            }
        }
    }
    assert!(answered >= 2 && refused > 0, "{answered} were answered, {refused} refused");
    assert!(ask_long(client).await.is_ok(), "the workers are free again");
}

#[tokio::test]
async fn in_a_stream_an_overload_is_an_answer() {
    let server = Server::start_with(&FLAGS).await;
    let client = server.client().await;
    let mut others = JoinSet::new();
    for _ in 0..4 {
        let client = client.clone();
        others.spawn(async move {
            loop {
                // Answered or refused, as it comes.
                let _ = ask_long(client.clone()).await;
            }
        });
    }
    let questions = std::iter::repeat_with(|| item(shuffle(20_000), "e4")).take(1_000);
    let questions = questions.flat_map(|long| [long, item(Game::default(), "e4")]);
    let mut answers =
        client.clone().validate_moves(tokio_stream::iter(questions)).await.unwrap().into_inner();
    // Items that are refused do not end the stream, and those between them are answered.
    let refused = loop {
        let long = answers.message().await.unwrap().expect("an overloaded item in time");
        let short = answers.message().await.unwrap().expect("an answer");
        assert!(short.legal && short.error.is_none(), "{short:?}");
        if let Some(error) = long.error {
            break error;
        }
    };
    assert_eq!((refused.reason.as_str(), refused.field.as_str()), ("OVERLOADED", ""));
    assert!(!refused.message.is_empty());
}

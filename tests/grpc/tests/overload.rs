//! More calls than there are places for, and more long requests than the workers can take on.

use grpc_tests::frames::{Wire, call, cancel};
use grpc_tests::games::{ask, item, moves, shuffle};
use grpc_tests::raw::path_of;
use grpc_tests::searches::{search, with_nodes};
use grpc_tests::server::PATIENCE;
use grpc_tests::{Client, Fault, Server};
use proto::v1::{
    Game, GameStatusRequest, GetServerInfoRequest, ReplayGameRequest, ValidateMovesRequest,
    ValidateMovesResponse, Variant,
};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Code, Status, Streaming};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;

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

/// Begins so many calls that hold their places: their questions never come.
async fn hold(server: &Server, places: u32) -> Wire {
    let mut wire = Wire::to(server).await;
    wire.send((0..places).map(|index| call(1 + 2 * index, &path_of("ValidateMove")))).await;
    // It answers this when it has seen what came before.
    wire.ping().await;
    wire
}

#[tokio::test]
async fn calls_beyond_the_places_are_refused_at_once_and_health_is_not() {
    let server = Server::start_with(&["--max-in-flight", "4"]).await;
    let mut held = hold(&server, 4).await;
    let full = async {
        // A call has its place soon after its headers have come; there is no event for it.
        while server.client().await.validate_move(ask(Game::default(), "e4")).await.is_ok() {}
    };
    timeout(PATIENCE, full).await.expect("a refusal");
    let mut client = server.client().await;
    for _ in 0..2 {
        let fault = Fault::expect(client.validate_move(ask(Game::default(), "e4")).await);
        assert_eq!((fault.code, fault.reason.as_str()), (Code::ResourceExhausted, "OVERLOADED"));
        assert!(fault.has_retry, "{fault:?}");
        // These need no place, or have places of their own.
        assert!(client.get_server_info(GetServerInfoRequest {}).await.is_ok());
        assert!(search(&mut client, with_nodes(Game::default(), 100)).await.nodes > 0);
    }
    let health = server.health().await.check(HealthCheckRequest::default()).await.unwrap().into_inner();
    assert_eq!(health.status(), ServingStatus::Serving);
    held.send([cancel(1)]).await;
    let again = async {
        // There is no event for "the server has seen the end of a call": ask until it has.
        while server.client().await.validate_move(ask(Game::default(), "e4")).await.is_err() {}
    };
    timeout(PATIENCE, again).await.expect("the place is free again");
}

/// A stream that has had an answer and is silent now.
async fn silent(client: &Client) -> (mpsc::Sender<ValidateMovesRequest>, Streaming<ValidateMovesResponse>) {
    let (questions, receiver) = mpsc::channel(1);
    questions.send(item(Game::default(), "e4")).await.expect("an open stream");
    let answers = client.clone().validate_moves(ReceiverStream::new(receiver)).await;
    let mut answers = answers.expect("a place").into_inner();
    assert!(answers.message().await.expect("no error").expect("an answer").legal);
    (questions, answers)
}

#[tokio::test]
async fn streams_that_are_silent_keep_nobody_away() {
    let server = Server::start_with(&["--max-in-flight", "14"]).await;
    let client = server.client().await;
    // Four streams for each call in flight are the most.
    let mut streams = Vec::new();
    for _ in 0..4 * 14 {
        streams.push(silent(&client).await);
    }
    let fault = Fault::expect(client.clone().validate_moves(tokio_stream::pending()).await);
    assert_eq!((fault.code, fault.reason.as_str()), (Code::ResourceExhausted, "OVERLOADED"));
    // All else has places of its own.
    let mut client = server.client().await;
    assert!(client.validate_move(ask(Game::default(), "e4")).await.expect("a place").into_inner().legal);
    assert!(client.get_server_info(GetServerInfoRequest {}).await.is_ok());
    assert!(search(&mut client, with_nodes(Game::default(), 100)).await.nodes > 0);
    let watch = server.health().await.watch(HealthCheckRequest::default()).await;
    assert!(watch.expect("a place").into_inner().message().await.expect("no error").is_some());
    for (questions, answers) in &mut streams {
        questions.send(item(Game::default(), "e4")).await.expect("an open stream");
        assert!(answers.message().await.expect("no error").expect("an answer").legal);
    }
}

#[tokio::test]
async fn a_stream_that_brings_much_needs_a_place() {
    let server = Server::start_with(&["--max-in-flight", "1"]).await;
    let long = || item(shuffle(20_000), "e4");
    let (first, mut first_answers) = silent(&server.client().await).await;
    let (second, mut second_answers) = silent(&server.client().await).await;
    first.send(long()).await.expect("an open stream");
    assert!(first_answers.message().await.expect("no error").expect("an answer").error.is_none());
    second.send(long()).await.expect("an open stream");
    let fault = Fault::expect(second_answers.message().await);
    assert_eq!((fault.code, fault.reason.as_str()), (Code::ResourceExhausted, "OVERLOADED"));
    drop((first, first_answers));
    let again = async {
        // There is no event for "the server has seen the end of a call": ask until it has.
        while server.client().await.validate_move(ask(Game::default(), "e4")).await.is_err() {}
    };
    timeout(PATIENCE, again).await.expect("the place is free again");
}

/// A position that comes back again and again, so that the question is about a ruling.
fn much_to_rule_on() -> Game {
    let cycle = ["h2h4", "h9g7", "h4h2", "g7h9"];
    let moves = cycle.iter().cycle().take(200).map(|&m| m.to_owned()).collect();
    Game { variant: Variant::Xiangqi.into(), moves, ..Game::default() }
}

#[tokio::test]
async fn questions_with_rulings_wait_for_workers_and_others_do_not() {
    let server = Server::start_with(&["--workers", "1", "--max-waiting", "0"]).await;
    let client = server.client().await;
    let mut busy = JoinSet::new();
    for _ in 0..4 {
        let mut client = client.clone();
        busy.spawn(async move {
            loop {
                let status = GameStatusRequest { game: Some(much_to_rule_on()) };
                if let Err(status) = client.game_status(status).await {
                    return Fault::of(&status);
                }
            }
        });
    }
    // One at a time is worked on: sooner or later, one finds the worker busy. Short as they are, they are
    // long questions.
    let fault = timeout(PATIENCE, busy.join_next()).await.expect("a refusal in time").expect("a task");
    assert_eq!(fault.expect("a refusal").reason, "OVERLOADED");
    let game = Game { variant: Variant::Xiangqi.into(), ..moves("h2e2 h9g7 h0g2 i9h9 i0h0 h7h3 b0c2 c6c5") };
    for _ in 0..100 {
        let mut client = client.clone();
        let answer = client.game_status(GameStatusRequest { game: Some(game.clone()) });
        assert!(timeout(PATIENCE, answer).await.expect("an answer in time").is_ok());
    }
}

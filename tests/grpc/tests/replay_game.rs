//! Whole games.

use grpc_tests::games::{from_fen, moves, shuffle};
use grpc_tests::{Fault, Server};
use proto::v1::{Game, Reason, ReplayGameRequest, ReplayGameResponse, Result as Ended, Variant};

async fn replay(server: &Server, request: ReplayGameRequest) -> ReplayGameResponse {
    server.client().await.replay_game(request).await.expect("an answer").into_inner()
}

fn of_moves(game: Game) -> ReplayGameRequest {
    ReplayGameRequest { game: Some(game), ..ReplayGameRequest::default() }
}

fn of_pgn(pgn: &str) -> ReplayGameRequest {
    ReplayGameRequest { pgn: pgn.to_owned(), ..ReplayGameRequest::default() }
}

const TWO_GAMES: &str = r#"[Event "First"]
[Result "0-1"]

1. f3 e5 2. g4 {a comment} Qh4# 0-1

[Event "Second"]
[Result "1/2-1/2"]

1. e4 (1. d4 d5) e5 $1 1/2-1/2
"#;

#[tokio::test]
async fn a_list_of_moves_is_replayed() {
    let server = Server::start().await;
    let answer = replay(&server, of_moves(moves("e4 e5 Ke2"))).await;
    let san: Vec<_> = answer.plies.iter().map(|ply| ply.r#move.as_ref().unwrap().san.as_str()).collect();
    assert_eq!(san, ["e4", "e5", "Ke2"]);
    assert_eq!(answer.plies[2].fen, "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPPKPPP/RNBQ1BNR b kq - 1 2");
    assert_eq!((answer.ply_count, answer.game_count, answer.result.as_str()), (3, 1, "*"));
    assert_eq!((answer.first_illegal_ply, answer.ended_at_ply), (None, None));
}

#[tokio::test]
async fn a_start_position_may_be_the_end() {
    let server = Server::start().await;
    for (fen, played, plies, result) in [
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "", 0, "1-0"),
        ("7K/6q1/6k1/8/8/8/8/8 w - - 0 1", "", 0, "0-1"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "", 0, "1/2-1/2"),
        // Dead material ends the game, and moves that were played all the same are replayed.
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Kd1 Kd8", 2, "1/2-1/2"),
    ] {
        let answer = replay(&server, of_moves(from_fen(fen, played))).await;
        assert_eq!((answer.ply_count, answer.result.as_str()), (plies, result), "{fen}");
        assert_eq!((answer.first_illegal_ply, answer.ended_at_ply), (None, None), "{fen}");
    }
    let answer = replay(&server, of_moves(from_fen("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "Kg8"))).await;
    assert_eq!((answer.first_illegal_ply, answer.result.as_str()), (Some(0), "1-0"));
    assert_eq!(answer.illegal.unwrap().reason(), Reason::GameOver);
}

#[tokio::test]
async fn the_first_bad_ply_is_an_answer() {
    let server = Server::start().await;
    let answer = replay(&server, of_moves(moves("e4 e5 Ke3 Nf6"))).await;
    assert_eq!((answer.ply_count, answer.first_illegal_ply), (2, Some(2)));
    assert_eq!(answer.illegal.unwrap().reason(), Reason::NotAMoveOfThisPiece);
    assert_eq!(answer.state.unwrap().ply, 2);
}

#[tokio::test]
async fn a_game_of_a_pgn_is_replayed() {
    let server = Server::start().await;
    let answer = replay(&server, of_pgn(TWO_GAMES)).await;
    assert_eq!((answer.ply_count, answer.game_count, answer.result.as_str()), (4, 2, "0-1"));
    assert_eq!(answer.ended_at_ply, Some(3));
    assert_eq!(answer.state.unwrap().outcome.unwrap().result(), Ended::Win);
    let tags: Vec<_> = answer.tags.iter().map(|tag| (tag.name.as_str(), tag.value.as_str())).collect();
    assert_eq!(tags, [("Event", "First"), ("Result", "0-1")]);

    let second = ReplayGameRequest { game_index: 1, ..of_pgn(TWO_GAMES) };
    let answer = replay(&server, second).await;
    assert_eq!((answer.ply_count, answer.game_count, answer.result.as_str()), (2, 2, "1/2-1/2"));
}

#[tokio::test]
async fn a_list_of_moves_is_one_game() {
    let server = Server::start().await;
    let second = ReplayGameRequest { game_index: 1, ..of_moves(moves("e4")) };
    let fault = Fault::expect(server.client().await.replay_game(second).await);
    assert_eq!((fault.reason.as_str(), fault.field()), ("PGN_GAME_NOT_FOUND", "game_index"));
    assert_eq!(fault.metadata["game_count"], "1");
}

#[tokio::test]
async fn the_tags_decide_variant_and_start() {
    let server = Server::start().await;
    let pgn = r#"[Variant "Chess960"]
[SetUp "1"]
[FEN "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1"]

1. e4 e5 *"#;
    let answer = replay(&server, of_pgn(pgn)).await;
    assert_eq!((answer.ply_count, answer.first_illegal_ply), (2, None));
    let chess960 = Game { variant: Variant::Chess960.into(), ..Game::default() };
    let same = replay(&server, ReplayGameRequest { game: Some(chess960), ..of_pgn(pgn) }).await;
    assert_eq!(answer, same);
}

#[tokio::test]
async fn a_window_of_plies_is_returned_and_all_are_replayed() {
    let server = Server::start().await;
    let all = replay(&server, of_moves(shuffle(1_500))).await;
    assert_eq!((all.plies.len(), all.ply_count), (1_000, 1_500));
    let window = ReplayGameRequest { first_ply: 1_498, max_plies: 7, ..of_moves(shuffle(1_500)) };
    let answer = replay(&server, window).await;
    assert_eq!((answer.plies.len(), answer.ply_count), (2, 1_500));
    assert_eq!(answer.plies[0].r#move.as_ref().unwrap().uci, "f3g1");
    // A game goes on after it was over by a count.
    assert_eq!(answer.ended_at_ply, Some(15));
    assert_eq!(answer.result, "1/2-1/2");
}

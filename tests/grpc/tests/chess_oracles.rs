//! The oracles of `tests/data/chess`, asked through the service.

#![allow(clippy::unwrap_used, reason = "a test may stop at bad data")]

use grpc_tests::cases::{cases, check_fen, game_of, text, unpacked};
use grpc_tests::games::ask;
use grpc_tests::{Client, Server};
use proto::v1::{
    ClaimType, Game, GameStatusRequest, GameStatusResponse, LegalMovesRequest, Notation, Reason,
    ReplayGameRequest, ReplayGameResponse, Result as Ended, Side, Termination, ValidateMoveRequest,
    ValidateMovesRequest,
};
use serde_json::Value;
use tokio_stream::StreamExt as _;

const CASES: &str = include_str!("../../data/chess/cases.jsonl");
const FENS: &str = include_str!("../../data/chess/fens.jsonl");
const GAMES: &[u8] = include_bytes!("../../data/chess/games/lichess.pgn.gz");

#[tokio::test]
async fn cases_are_answered() {
    let server = Server::start().await;
    let mut client = server.client().await;
    let mut asked = 0;
    for case in cases(CASES) {
        // Resignation, flag fall and dead positions beyond material are not asked of this service yet.
        if matches!(text(&case, "topic"), "resign" | "flag" | "dead_position") {
            continue;
        }
        match text(&case, "query") {
            "validate" => check_move(&mut client, &case, Notation::Uci).await,
            "validate_san" => check_move(&mut client, &case, Notation::San).await,
            "status" => check_status(&mut client, &case).await,
            "parse" => check_verdict(&mut client, &case).await,
            query => panic!("{query}"),
        }
        asked += 1;
    }
    assert!(asked >= 33, "only {asked} cases were asked");
}

async fn check_move(client: &mut Client, case: &Value, notation: Notation) {
    let request = ask(game_of(case), text(case, "input"));
    let request = ValidateMoveRequest { notation: notation.into(), ..request };
    let answer = client.validate_move(request).await.unwrap().into_inner();
    let expected = &case["expected"];
    // The one move that is a policy is read as its canonical spelling (docs/fen-policy.md).
    assert_eq!(answer.legal, expected["legal"].as_bool().unwrap_or(true), "{case}");
    let m = answer.r#move.unwrap_or_default();
    for (field, found) in [("san", &m.san), ("uci", &m.uci), ("canonical", &m.uci)] {
        if let Some(expected) = expected[field].as_str() {
            assert_eq!(found, expected, "{case}");
        }
    }
    if let Some(reason) = expected["reason"].as_str() {
        let expected = match reason {
            "leaves_king_in_check" => Reason::LeavesKingInCheck,
            "castling_path_blocked" => Reason::CastlingPathBlocked,
            "bad_promotion_piece" => Reason::PromotionInvalid,
            reason => panic!("{reason}"),
        };
        let illegal = answer.illegal.unwrap();
        assert_eq!(illegal.reason(), expected, "{case}");
        assert!(illegal.rule.starts_with("CH-") && !illegal.squares.is_empty(), "{illegal:?}");
    }
}

async fn check_status(client: &mut Client, case: &Value) {
    let request = GameStatusRequest { game: Some(game_of(case)) };
    let status = client.game_status(request).await.unwrap().into_inner();
    let state = status.state.as_ref().unwrap();
    let outcome = state.outcome.as_ref().unwrap();
    for (field, expected) in case["expected"].as_object().unwrap() {
        let found: Value = match field.as_str() {
            "in_check" => state.check.into(),
            "checkmate" => (outcome.termination() == Termination::Checkmate).into(),
            "insufficient_material" => (outcome.termination() == Termination::DeadMaterial).into(),
            "game_over" => (outcome.result() != Ended::InProgress).into(),
            "fen" => status.fen.clone().into(),
            "castling" => status.fen.split(' ').nth(2).unwrap().into(),
            "halfmove_clock" => state.quiet_plies.into(),
            "repetitions" => state.repetitions.into(),
            "claim_threefold" => may_claim(&status, ClaimType::Threefold).into(),
            "claim_fifty" => may_claim(&status, ClaimType::FiftyMoves).into(),
            "result" => result_text(&status).into(),
            "reason" => match outcome.termination() {
                Termination::DeadMaterial => "dead_position".into(),
                Termination::SeventyFiveMoves => "seventyfive_moves".into(),
                other => panic!("{other:?}"),
            },
            "legal_moves_include" => {
                let request = LegalMovesRequest { game: Some(game_of(case)), from_squares: Vec::new() };
                let answer = client.legal_moves(request).await.unwrap().into_inner();
                let m = answer.moves.iter().find(|m| m.uci == expected.as_str().unwrap());
                m.map(|m| m.uci.clone()).into()
            }
            field => panic!("{field}"),
        };
        assert_eq!(&found, expected, "{field} of {case}");
    }
}

fn may_claim(status: &GameStatusResponse, kind: ClaimType) -> bool {
    status.claims.iter().any(|claim| claim.r#type() == kind && claim.available_now)
}

/// The result as a PGN writes it.
fn result_text(status: &GameStatusResponse) -> &'static str {
    let outcome = status.state.as_ref().unwrap().outcome.as_ref().unwrap();
    match (outcome.result(), outcome.winner()) {
        (Ended::Win, Side::First) => "1-0",
        (Ended::Win, _) => "0-1",
        (Ended::Draw, _) => "1/2-1/2",
        _ => "*",
    }
}

#[tokio::test]
async fn fens_are_accepted_or_refused() {
    let server = Server::start().await;
    let mut client = server.client().await;
    let mut asked = 0;
    for case in cases(FENS) {
        check_verdict(&mut client, &case).await;
        asked += 1;
    }
    assert_eq!(asked, 42);
}

async fn check_verdict(client: &mut Client, case: &Value) {
    let expected = &case["expected"];
    let kinds = check_fen(client, case, expected["valid"].as_bool().unwrap()).await;
    if let Some(reason) = expected["reason"].as_str()
        && !kinds.is_empty()
    {
        assert!(kinds.contains(&reason.to_uppercase()), "{case}: {kinds:?}");
    }
}

/// The texts of the games.
fn games() -> Vec<String> {
    let pgn = unpacked(GAMES);
    let mut starts: Vec<_> = pgn.match_indices("[Result ").map(|(at, _)| at).collect();
    starts.push(pgn.len());
    starts.windows(2).map(|pair| pgn[pair[0]..pair[1]].to_owned()).collect()
}

async fn replay(client: &mut Client, pgn: &str, game_index: u32) -> ReplayGameResponse {
    let pgn = pgn.to_owned();
    let request = ReplayGameRequest { pgn, game_index, ..ReplayGameRequest::default() };
    client.replay_game(request).await.unwrap().into_inner()
}

#[tokio::test]
async fn real_games_are_replayed_and_validated_move_by_move() {
    let server = Server::start().await;
    let mut client = server.client().await;
    let texts = games();
    assert_eq!(texts.len(), 1527);
    let mut games = Vec::new();
    for text in &texts {
        let game = replay(&mut client, text, 0).await;
        assert_eq!(game.game_count, 1);
        check_replayed(&game);
        games.push(game);
    }
    // The same game taken out of a text of many.
    let many = texts[100..500].concat();
    for (index, game) in [(0, &games[100]), (399, &games[499])] {
        let taken = replay(&mut client, &many, index).await;
        assert_eq!(taken.game_count, 400);
        assert_eq!((&taken.plies, &taken.tags, &taken.state), (&game.plies, &game.tags, &game.state));
    }
    validate_all(&mut client, &games).await;
}

fn check_replayed(game: &ReplayGameResponse) {
    assert_eq!(game.first_illegal_ply, None, "{:?}", game.illegal);
    assert_eq!(game.plies.len(), game.ply_count as usize);
    let tag = |name: &str| game.tags.iter().find(|tag| tag.name == name).map(|tag| tag.value.as_str());
    assert_eq!(tag("Result"), Some(game.result.as_str()));
    let outcome = game.state.as_ref().unwrap().outcome.as_ref().unwrap();
    // Where the board decides, the players' result is the board's.
    match outcome.termination() {
        Termination::Checkmate if outcome.winner() == Side::First => assert_eq!(game.result, "1-0"),
        Termination::Checkmate => assert_eq!(game.result, "0-1"),
        Termination::Stalemate => assert_eq!(game.result, "1/2-1/2"),
        _ => {}
    }
    let last_san = game.plies.last().map(|ply| ply.r#move.as_ref().unwrap().san.as_str());
    let is_mate = last_san.is_some_and(|san| san.ends_with('#'));
    assert_eq!(is_mate, outcome.termination() == Termination::Checkmate);
}

/// Asks about each move of each game with all the moves before it, over one stream.
async fn validate_all(client: &mut Client, games: &[ReplayGameResponse]) {
    let requests: Vec<_> = games.iter().flat_map(requests_of).collect();
    let expected = games.iter().flat_map(|game| {
        let ended_at = game.ended_at_ply;
        game.plies.iter().enumerate().map(move |(ply, replayed)| {
            let is_after_end = ended_at.is_some_and(|end| ply > end as usize);
            (!is_after_end).then_some(replayed)
        })
    });
    let asked = requests.len();
    assert!(asked > 100_000);
    let stream = client.validate_moves(tokio_stream::iter(requests)).await.unwrap();
    let mut answers = stream.into_inner();
    let mut checked = 0;
    for expected in expected {
        let answer = answers.next().await.unwrap().unwrap();
        assert_eq!(answer.error, None);
        match expected {
            Some(replayed) => {
                assert!(answer.legal, "{answer:?}");
                assert_eq!(answer.fen, replayed.fen);
                assert_eq!(answer.r#move, replayed.r#move);
            }
            None => assert_eq!(answer.illegal.unwrap().reason(), Reason::GameOver),
        }
        checked += 1;
    }
    assert_eq!(checked, asked);
    assert!(answers.next().await.is_none());
}

fn requests_of(game: &ReplayGameResponse) -> Vec<ValidateMovesRequest> {
    let texts: Vec<_> = game.plies.iter().map(|ply| ply.r#move.as_ref().unwrap()).collect();
    (0..texts.len())
        .map(|ply| {
            let played =
                Game { moves: texts[..ply].iter().map(|m| m.uci.clone()).collect(), ..Game::default() };
            let text = texts[ply].san.clone();
            ValidateMovesRequest { game: Some(played), r#move: text, ..ValidateMovesRequest::default() }
        })
        .collect()
}

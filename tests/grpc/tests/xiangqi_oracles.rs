//! The oracles of `tests/data/xiangqi`, asked through the service.

#![allow(clippy::unwrap_used, reason = "a test may stop at bad data")]

use std::collections::BTreeSet;

use grpc_tests::cases::{cases, check_fen, game_of, text, texts, unpacked};
use grpc_tests::games::{ask, xiangqi};
use grpc_tests::{Client, Server};
use proto::v1::{
    Conduct, Game, GameStatusRequest, LegalMovesRequest, Move, Notation, Reason, ReplayGameRequest,
    ReplayGameResponse, Result as Ended, Side, Termination, ValidateMoveRequest, ValidateMoveResponse,
    Verdict, XiangqiRepetition,
};
use serde_json::Value;

const CASES: &str = include_str!("../../data/xiangqi/cases.jsonl");
const MASTERS: &[u8] = include_bytes!("../../data/xiangqi/games/masters_uci.txt.gz");
const PRINTED: &[u8] = include_bytes!("../../data/xiangqi/games/ccpd.jsonl.gz");

/// What one move does without a repetition, and scores of a search: other questions than this service
/// answers. Repetitions have an oracle of their own, which is asked in `repetition.rs`.
const OTHER_QUESTIONS: [&str; 2] = ["chase_detection", "perpetual_chase_2fold"];

/// Cases whose position no game can have, and the fault that it has (docs/fen-policy.md).
const IMPOSSIBLE: [(&str, &str); 2] =
    [("xq-notation-109", "PIECE_OUT_OF_PLACE"), ("xq-natural-121", "GENERALS_FACE")];

/// Cases about a move in a position without attackers, where the game is over (docs/fen-policy.md).
const OVER: [&str; 3] = ["xq-notation-106", "xq-notation-107", "xq-notation-108"];

/// FENs that might be accepted or not, and whether they are (docs/fen-policy.md).
const CHOICES: [(&str, bool); 4] =
    [("xq-fen-005", false), ("xq-fen-019", true), ("xq-fen-039", true), ("xq-fen-045", false)];

#[tokio::test]
async fn cases_are_answered() {
    let server = Server::start().await;
    let mut client = server.client().await;
    let mut asked = 0;
    for case in cases(CASES).filter(|case| !OTHER_QUESTIONS.contains(&text(case, "topic"))) {
        asked += 1;
        if let Some((_, fault)) = IMPOSSIBLE.iter().find(|(id, _)| *id == text(&case, "id")) {
            assert_eq!(check_fen(&mut client, &case, false).await, [*fault]);
            continue;
        }
        match text(&case, "query") {
            "ValidateFen" => {
                check_fen(&mut client, &case, is_valid(&case)).await;
            }
            "convert" => check_conversion(&mut client, &case).await,
            "from_zh" => check_read(&mut client, &case, Notation::Chinese, "d1e1").await,
            "from_wxf" => {
                let uci = text(&case["expected"], "uci");
                check_read(&mut client, &case, Notation::Wxf, uci).await;
            }
            "GameStatus" => check_status(&mut client, &case).await,
            "LegalMoves" => check_targets(&mut client, &case).await,
            query => panic!("{query}"),
        }
    }
    assert_eq!(asked, 70);
}

fn is_valid(case: &Value) -> bool {
    match (text(case, "expected"), CHOICES.iter().find(|(id, _)| *id == text(case, "id"))) {
        ("accept", None) => true,
        ("reject", None) => false,
        (_, Some(&(_, is_accepted))) => is_accepted,
        (expected, None) => panic!("{expected}: {case}"),
    }
}

/// A move is listed in every notation, and read again from each of them.
async fn check_conversion(client: &mut Client, case: &Value) {
    let request = LegalMovesRequest { game: Some(game_of(case)), from_squares: Vec::new() };
    let answer = client.legal_moves(request).await.unwrap().into_inner();
    let is_over = answer.state.unwrap().outcome.unwrap().result() != Ended::InProgress;
    assert_eq!(is_over, OVER.contains(&text(case, "id")), "{case}");
    let listed =
        answer.moves.iter().find(|m| m.uci == text(case, "input")).unwrap_or_else(|| panic!("{case}"));
    let expected = &case["expected"];
    let texts = [
        (Notation::Uci, "uci", Some(&listed.uci)),
        (Notation::UciRank1, "uci_rank1", None),
        (Notation::Iccs, "iccs", Some(&listed.iccs)),
        (Notation::Wxf, "wxf", Some(&listed.wxf)),
        (Notation::Chinese, "chinese", Some(&listed.chinese)),
    ];
    for (notation, field, written) in texts {
        let expected = text(expected, field);
        assert!(!expected.is_empty(), "{case}");
        assert!(written.is_none_or(|written| written == expected), "{case}: {listed:?}");
        // Ranks from 1 to 10 have to be asked for.
        let readings = if notation == Notation::UciRank1 { 1 } else { 2 };
        for notation in [notation, Notation::Auto].into_iter().take(readings) {
            let answer = validate(client, game_of(case), expected, notation).await;
            if is_over {
                // Without attackers the game is over; its moves can still be replayed.
                assert_eq!(answer.illegal.unwrap().reason(), Reason::GameOver, "{case}");
                let game = of_moves(text(case, "fen"), vec![expected.to_owned()], notation);
                assert_eq!(replay(client, game).await.plies[0].r#move.as_ref(), Some(listed), "{case}");
            } else {
                assert_eq!(answer.r#move.as_ref(), Some(listed), "{expected} as {notation:?}: {case}");
            }
        }
    }
}

/// A text is read as this move.
async fn check_read(client: &mut Client, case: &Value, notation: Notation, uci: &str) {
    for notation in [notation, Notation::Auto] {
        let answer = validate(client, game_of(case), text(case, "input"), notation).await;
        assert_eq!(answer.r#move.unwrap_or_default().uci, uci, "{case}: {:?}", answer.illegal);
    }
}

async fn validate(client: &mut Client, game: Game, text: &str, notation: Notation) -> ValidateMoveResponse {
    let request = ValidateMoveRequest { notation: notation.into(), ..ask(game, text) };
    client.validate_move(request).await.unwrap().into_inner()
}

async fn check_status(client: &mut Client, case: &Value) {
    let request = GameStatusRequest { game: Some(game_of(case)) };
    let answer = client.game_status(request).await.unwrap().into_inner();
    let state = answer.state.unwrap();
    let outcome = state.outcome.as_ref().unwrap();
    for (field, expected) in case["expected"].as_object().unwrap() {
        let found = match field.as_str() {
            "check" => state.check,
            "mate" => outcome.termination() == Termination::Checkmate,
            "draw" => outcome.result() == Ended::Draw,
            "verdict" => {
                assert_eq!(ruled(answer.repetition.as_ref()), *expected, "{case}");
                continue;
            }
            field => panic!("{field}"),
        };
        assert_eq!(found, *expected, "{field} of {case}: {state:?}");
    }
}

/// A ruling on a repetition against Red, as the cases write it.
fn ruled(repetition: Option<&XiangqiRepetition>) -> &'static str {
    let ruling = repetition.map(|ruling| (ruling.verdict(), ruling.side(), ruling.first(), ruling.second()));
    match ruling {
        Some((Verdict::Loses, Side::First, ..)) => "red_loses",
        Some((Verdict::MustChange, Side::First, Conduct::PerpetualChase, Conduct::Idle)) => {
            "red perpetual chase, black idle"
        }
        _ => "something else",
    }
}

async fn check_targets(client: &mut Client, case: &Value) {
    let from_squares = vec![text(case, "input").to_owned()];
    let request = LegalMovesRequest { game: Some(game_of(case)), from_squares };
    let moves = client.legal_moves(request).await.unwrap().into_inner().moves;
    let found: BTreeSet<_> = moves.into_iter().map(|m| m.to_square).collect();
    assert_eq!(found, texts(&case["expected"], "to").into_iter().collect(), "{case}");
}

/// Replays a game in which every move has to be legal.
async fn replay(client: &mut Client, request: ReplayGameRequest) -> ReplayGameResponse {
    let game = client.replay_game(request).await.unwrap().into_inner();
    assert_eq!(game.first_illegal_ply, None, "{:?}", game.illegal);
    assert_eq!(game.plies.len(), game.ply_count as usize);
    game
}

/// The moves of a replayed game in one notation.
fn written(game: &ReplayGameResponse, write: fn(&Move) -> &String) -> Vec<String> {
    game.plies.iter().map(|ply| write(ply.r#move.as_ref().unwrap()).clone()).collect()
}

fn of_moves(fen: &str, moves: Vec<String>, notation: Notation) -> ReplayGameRequest {
    let game = Game { moves, notation: notation.into(), ..xiangqi(fen, "") };
    ReplayGameRequest { game: Some(game), ..ReplayGameRequest::default() }
}

#[tokio::test]
async fn master_games_are_replayed() {
    let server = Server::start().await;
    let mut client = server.client().await;
    let (mut games, mut plies) = (0, 0);
    for line in unpacked(MASTERS).lines() {
        let moves: Vec<_> = line.split_whitespace().skip(1).map(str::to_owned).collect();
        let game = replay(&mut client, of_moves("", moves.clone(), Notation::Uci)).await;
        assert_eq!(written(&game, |m| &m.uci), moves);
        games += 1;
        plies += moves.len();
    }
    assert_eq!((games, plies), (2516, 221_678));
}

/// Each text means the move that is printed beside it; and what is written out is the same game when it is
/// read again.
/// Takes one notation of a move.
type Write = fn(&Move) -> &String;

#[tokio::test]
async fn printed_games_are_replayed() {
    let server = Server::start().await;
    let mut client = server.client().await;
    let (mut games, mut plies) = (0, 0);
    for case in cases(&unpacked(PRINTED)) {
        let (fen, printed) = (text(&case, "fen"), texts(&case, "zh"));
        plies += printed.len();
        let game = replay(&mut client, of_moves(fen, printed, Notation::Auto)).await;
        assert_eq!(written(&game, |m| &m.uci), texts(&case, "uci"), "{}", case["id"]);
        let notations: [(Notation, Write); 3] =
            [(Notation::Chinese, |m| &m.chinese), (Notation::Wxf, |m| &m.wxf), (Notation::Iccs, |m| &m.iccs)];
        for (notation, write) in notations {
            let again = replay(&mut client, of_moves(fen, written(&game, write), notation)).await;
            assert_eq!(again, game, "{} as {notation:?}", case["id"]);
        }
        games += 1;
    }
    assert_eq!((games, plies), (1500, 126_019));
}

const CHINESE_PGN: &str = r#"[Game "Chinese Chess"]
[Event "全國象棋個人賽"]
[Red "甲"]
[Black "乙"]
[Result "1-0"]

1. 炮二平五 馬８進７ {起馬} 2. 馬二進三 車９平８ 3. 車一平二 馬２進３
4. 兵三進一 卒３進１ (4... 卒７進１) 5. 傌八進九 卒１進１ 1-0
"#;

const WXF_PGN: &str = r#"[Game "xiangqi"]
[Result "1/2-1/2"]

1. C2.5 h8+7 2. H2+3 r9.8 3. R1=2 H2+3 4. P3+1 P3+1 5. N8+9 P1+1 1/2-1/2
"#;

const ICCS_PGN: &str = r#"[Game "Chinese Chess"]
[Format "ICCS"]
[FEN "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR r - - 2 2"]

1. H0-G2 I9-H9 2. I0-H0 B9-C7 3. G3-G4 C6-C5 4. B0-A2 A6-A5 *
"#;

#[tokio::test]
async fn records_in_every_notation_are_the_same_game() {
    let server = Server::start().await;
    let mut client = server.client().await;
    let mut positions = Vec::new();
    for (pgn, plies, result) in [(CHINESE_PGN, 10, "1-0"), (WXF_PGN, 10, "1/2-1/2"), (ICCS_PGN, 8, "*")] {
        let request = ReplayGameRequest { pgn: pgn.to_owned(), ..ReplayGameRequest::default() };
        let game = replay(&mut client, request).await;
        assert_eq!((game.ply_count, game.result.as_str()), (plies, result), "{pgn}");
        positions.push(game.plies.last().unwrap().fen.clone());
    }
    assert_eq!(positions, ["r1bakabr1/9/1cn3nc1/4p1p1p/p1p6/6P2/P1P1P3P/NC2C1N2/9/R1BAKABR1 w - - 10 6"; 3]);
}

//! Rulings on repetitions of xiangqi: the oracle of `tests/data/xiangqi/repetition.jsonl`, asked through the
//! service.

#![allow(clippy::unwrap_used, reason = "a test may stop at bad data")]

use grpc_tests::cases::{cases, text, texts};
use grpc_tests::games::{ask, shuffle, xiangqi};
use grpc_tests::{Client, Server};
use proto::v1::{
    ClaimType, Conduct, Game, GameState, GameStatusRequest, GameStatusResponse, IdleKind, Language,
    LegalMovesRequest, Move, MoveClass, PlyConduct, ReplayGameRequest, ReplayGameResponse, Result as Ended,
    RuleSet, Side, Termination, ValidateMoveResponse, Verdict, XiangqiRepetition,
};
use serde_json::Value;

const CASES: &str = include_str!("../../data/xiangqi/repetition.jsonl");

/// The cases of one rule set.
fn cases_of(rule_set: &'static str) -> impl Iterator<Item = Value> {
    cases(CASES).filter(move |case| text(case, "rule_set") == rule_set)
}

/// A case hangs on one reading of the rules when its answer is not sure.
fn is_sure(case: &Value) -> bool {
    text(case, "confidence") != "low"
}

/// The game of a case, with the moves in one of its fields.
fn game_of(case: &Value, moves: &str, rule_set: RuleSet) -> Game {
    Game { rule_set: rule_set.into(), moves: texts(case, moves), ..xiangqi(text(case, "fen"), "") }
}

/// The game of a case up to the fourth occurrence, begun one ply later: the other side completes the cycle.
async fn turned(client: &mut Client, case: &Value) -> Game {
    let mut game = game_of(case, "moves_to_fourth", RuleSet::Cxa);
    let first = game.moves.remove(0);
    let start = Game { moves: Vec::new(), ..game.clone() };
    game.initial_fen = validate(client, start, &first).await.fen;
    game.moves.push(first);
    game
}

async fn status(client: &mut Client, game: Game) -> GameStatusResponse {
    client.game_status(GameStatusRequest { game: Some(game) }).await.unwrap().into_inner()
}

async fn validate(client: &mut Client, game: Game, text: &str) -> ValidateMoveResponse {
    client.validate_move(ask(game, text)).await.unwrap().into_inner()
}

async fn list(client: &mut Client, game: Game) -> Vec<Move> {
    let request = LegalMovesRequest { game: Some(game), from_squares: Vec::new() };
    client.legal_moves(request).await.unwrap().into_inner().moves
}

async fn replay(client: &mut Client, game: Game) -> ReplayGameResponse {
    let request = ReplayGameRequest { game: Some(game), ..ReplayGameRequest::default() };
    client.replay_game(request).await.unwrap().into_inner()
}

fn other(side: Side) -> Side {
    match side {
        Side::First => Side::Second,
        Side::Second => Side::First,
        Side::Unspecified => Side::Unspecified,
    }
}

/// The verdict and the offender that a text of a case means.
fn ruling(text: &str) -> (Verdict, Side) {
    match text {
        "draw" => (Verdict::Draw, Side::Unspecified),
        "continue" => (Verdict::None, Side::Unspecified),
        "red_loses" => (Verdict::Loses, Side::First),
        "black_loses" => (Verdict::Loses, Side::Second),
        "red_must_change" => (Verdict::MustChange, Side::First),
        "black_must_change" => (Verdict::MustChange, Side::Second),
        text => panic!("{text}"),
    }
}

/// What a side does, as a case calls it.
fn conduct(text: &str) -> Conduct {
    match text {
        "idle" => Conduct::Idle,
        "check+idle" => Conduct::CheckAndIdle,
        "kill+idle" => Conduct::MateThreatAndIdle,
        "chase+idle" => Conduct::ChaseAndIdle,
        "perpetual_check" => Conduct::PerpetualCheck,
        "perpetual_mate_threat" => Conduct::PerpetualMateThreat,
        "perpetual_chase" => Conduct::PerpetualChase,
        "check_and_kill" => Conduct::CheckAndMateThreat,
        text => panic!("{text}"),
    }
}

/// The ruling of an answer, and what is wrong with the answer beside it.
fn read(answer: &GameStatusResponse, game: &Game) -> Result<(Verdict, Side), String> {
    let repetition = answer.repetition.as_ref().ok_or("no repetition is told")?;
    let state = answer.state.as_ref().unwrap();
    check_state(state, repetition)?;
    check_plies(repetition, game)?;
    Ok((repetition.verdict(), repetition.side()))
}

/// The state says what follows from the verdict.
fn check_state(state: &GameState, repetition: &XiangqiRepetition) -> Result<(), String> {
    let outcome = state.outcome.as_ref().unwrap();
    let loser = repetition.side();
    let conduct = if loser == Side::First { repetition.first() } else { repetition.second() };
    let (result, winner, must_change) = match repetition.verdict() {
        Verdict::Draw => (Ended::Draw, Side::Unspecified, Side::Unspecified),
        Verdict::Loses => (Ended::Win, other(loser), Side::Unspecified),
        Verdict::MustChange => (Ended::InProgress, Side::Unspecified, loser),
        Verdict::None | Verdict::ArbiterDecides => (Ended::InProgress, Side::Unspecified, Side::Unspecified),
        Verdict::Unspecified => return Err("no verdict".to_owned()),
    };
    let termination = match repetition.verdict() {
        Verdict::Draw => Termination::Repetition,
        Verdict::Loses if conduct == Conduct::PerpetualCheck => Termination::PerpetualCheck,
        Verdict::Loses => Termination::PerpetualAttack,
        _ => Termination::Unspecified,
    };
    let found = (outcome.result(), outcome.winner(), outcome.termination(), state.must_change());
    let expected = (result, winner, termination, must_change);
    let rule = if result == Ended::InProgress { "" } else { &repetition.rule };
    if found != expected || outcome.rule != rule || repetition.rule.is_empty() {
        return Err(format!("{state:?} with {:?} by {}", repetition.verdict(), repetition.rule));
    }
    if repetition.explanation.is_empty() { Err("nothing is explained".to_owned()) } else { Ok(()) }
}

/// The plies are the last ones of the game, and each says what fits its class.
fn check_plies(repetition: &XiangqiRepetition, game: &Game) -> Result<(), String> {
    let first = game.moves.len() - repetition.plies.len();
    for (ply, judged) in (first..).zip(&repetition.plies) {
        let class = judged.move_class();
        let is_right = judged.ply as usize == ply
            && judged.r#move == game.moves[ply]
            // Where only the chase of one man is forbidden, a check may be part of it.
            && (class == MoveClass::Check || judged.targets.is_empty() == (class != MoveClass::Chase))
            && judged.mate.is_empty() == (class != MoveClass::MateThreat)
            && (judged.idle() == IdleKind::Unspecified) == (class != MoveClass::Idle)
            && judged.targets.iter().all(|target| !target.square.is_empty() && !target.line.is_empty())
            && class != MoveClass::Unspecified
            && !judged.rule.is_empty()
            && !judged.chinese.is_empty();
        if !is_right {
            return Err(format!("ply {ply}: {judged:?}"));
        }
    }
    let sides: Vec<_> = repetition.plies.iter().map(PlyConduct::side).collect();
    let is_alternating = sides.windows(2).all(|pair| pair[0] == other(pair[1]));
    if sides.is_empty() || !is_alternating { Err(format!("{sides:?}")) } else { Ok(()) }
}

/// Shows everything that is wrong, and not just the first of it.
fn assert_right(wrong: &[String]) {
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[tokio::test]
async fn the_third_and_the_fourth_occurrence_are_ruled_on() {
    let server = Server::start().await;
    let mut client = server.client().await;
    let (mut asked, mut wrong) = (0, Vec::new());
    for case in cases_of("CXA") {
        let fields = [("moves", "verdict_at_third"), ("moves_to_fourth", "verdict_at_fourth")];
        for (moves, expected) in fields.into_iter().filter(|(moves, _)| case.get(moves).is_some()) {
            asked += 1;
            let game = game_of(&case, moves, RuleSet::Cxa);
            let found = read(&status(&mut client, game.clone()).await, &game);
            let expected = ruling(text(&case, expected));
            if found.is_err() || is_sure(&case) && found != Ok(expected) {
                wrong.push(format!("{} {moves}: {found:?}, expected {expected:?}", case["id"]));
            }
        }
    }
    assert_right(&wrong);
    assert_eq!(asked, 49);
}

#[tokio::test]
async fn each_side_is_told_what_it_does() {
    let server = Server::start().await;
    let mut client = server.client().await;
    let mut wrong = Vec::new();
    for case in cases_of("CXA").filter(is_sure) {
        let answer = status(&mut client, game_of(&case, "moves", RuleSet::Cxa)).await;
        let found = answer.repetition.map(|repetition| [repetition.first(), repetition.second()]);
        let expected = ["red", "black"].map(|side| conduct(text(&case["conduct"], side)));
        if found != Some(expected) {
            wrong.push(format!("{}: {found:?}, expected {expected:?}", case["id"]));
        }
    }
    assert_right(&wrong);
}

/// Ruled otherwise than its source says: a screen that steps in or out takes a root away here and in
/// axf-065, whose source does not call that a chase. No reading of the rule gives both.
const AXF_MISSES: [&str; 1] = ["axf-113"];

#[tokio::test]
async fn the_asian_rules_have_rulings_of_their_own() {
    let server = Server::start().await;
    let mut client = server.client().await;
    let (mut asked, mut wrong) = (0, Vec::new());
    for case in cases_of("AXF") {
        asked += 1;
        let game = game_of(&case, "moves", RuleSet::Axf);
        let found = read(&status(&mut client, game.clone()).await, &game);
        let expected = ruling(text(&case, "verdict"));
        if found.is_err() || (found == Ok(expected)) == AXF_MISSES.contains(&text(&case, "id")) {
            wrong.push(format!("{}: {found:?}, expected {expected:?}", case["id"]));
        }
    }
    assert_right(&wrong);
    assert_eq!(asked, 100);
}

/// The same moves, ruled by what each rule set forbids.
#[tokio::test]
async fn rule_sets_differ() {
    let server = Server::start().await;
    let mut client = server.client().await;
    let mut wrong = Vec::new();
    for (id, cxa, axf, computer) in [
        ("own01", "red_loses", "red_loses", "red_loses"),
        // Threats to mate.
        ("own34", "red_must_change", "draw", "draw"),
        // A chase against threats to mate.
        ("own36", "draw", "red_loses", "red_loses"),
        // Two men in turn.
        ("own16", "red_must_change", "draw", "draw"),
        // Neither chases.
        ("own27", "draw", "draw", "draw"),
    ] {
        let case = cases(CASES).find(|case| case["id"] == id).unwrap();
        for (rule_set, expected) in [(RuleSet::Cxa, cxa), (RuleSet::Axf, axf), (RuleSet::Computer, computer)]
        {
            let game = game_of(&case, "moves", rule_set);
            let found = read(&status(&mut client, game.clone()).await, &game);
            if found != Ok(ruling(expected)) {
                wrong.push(format!("{id} under {rule_set:?}: {found:?}, expected {expected}"));
            }
        }
    }
    assert_right(&wrong);
}

/// Every RPC tells of the same position the same.
#[tokio::test]
async fn every_question_is_answered_by_the_same_ruling() {
    let server = Server::start().await;
    let mut client = server.client().await;
    let mut ruled = 0;
    for case in cases_of("CXA").filter(|case| case.get("moves_to_fourth").is_some()) {
        let game = game_of(&case, "moves_to_fourth", RuleSet::Cxa);
        let mut ended_at_ply = None;
        for ply in 0..game.moves.len() {
            let before = Game { moves: game.moves[..ply].to_vec(), ..game.clone() };
            let after = Game { moves: game.moves[..=ply].to_vec(), ..game.clone() };
            let answer = status(&mut client, after.clone()).await;
            let is_ruled = answer.repetition.is_some();
            let state = answer.state.unwrap();
            assert_eq!(is_ruled, state.repetitions >= 3, "{}, ply {ply}", case["id"]);
            ruled += u32::from(is_ruled);
            let has_ended = state.outcome.as_ref().unwrap().result() != Ended::InProgress;
            ended_at_ply = ended_at_ply.or_else(|| has_ended.then(|| u32::try_from(ply).unwrap()));
            let validated = validate(&mut client, before, &game.moves[ply]).await;
            assert!(validated.legal, "{}, ply {ply}: {:?}", case["id"], validated.illegal);
            assert_eq!(validated.state.as_ref(), Some(&state), "{}, ply {ply}", case["id"]);
            let replayed = replay(&mut client, after).await;
            assert_eq!((replayed.first_illegal_ply, replayed.ended_at_ply), (None, ended_at_ply));
            assert_eq!(replayed.state.as_ref(), Some(&state), "{}, ply {ply}", case["id"]);
        }
    }
    assert!(ruled > 24 * 5, "{ruled} positions are ruled on");
}

/// A listed move is marked when the game is lost by it, and not when it only goes on or is drawn.
#[tokio::test]
async fn a_move_that_loses_is_marked() {
    let server = Server::start().await;
    let mut client = server.client().await;
    let mut marked = 0;
    for case in cases_of("CXA").filter(|case| case.get("moves_to_fourth").is_some() && is_sure(case)) {
        let as_played = game_of(&case, "moves_to_fourth", RuleSet::Cxa);
        for mut game in [turned(&mut client, &case).await, as_played] {
            let last = game.moves.pop().unwrap();
            for listed in list(&mut client, game.clone()).await {
                let validated = validate(&mut client, game.clone(), &listed.uci).await;
                let state = validated.state.unwrap();
                let outcome = state.outcome.as_ref().unwrap();
                let by_ruling = [Termination::PerpetualCheck, Termination::PerpetualAttack];
                let loses =
                    outcome.winner() == state.side_to_move() && by_ruling.contains(&outcome.termination());
                assert_eq!(listed.loses_by_repetition, loses, "{}: {listed:?}", case["id"]);
                assert_eq!(validated.r#move.as_ref(), Some(&listed), "{}", case["id"]);
                if loses {
                    assert_eq!(listed.uci, last, "{}: only the cycle loses", case["id"]);
                    marked += 1;
                }
            }
        }
    }
    // Eleven cases are lost; in one of the two games of each, the offender makes the last move.
    assert_eq!(marked, 11);
}

/// The ply by which an offender loses is marked in a replay, and it is the one that ends the game.
#[tokio::test]
async fn a_replay_marks_the_ply_that_loses() {
    let server = Server::start().await;
    let mut client = server.client().await;
    let case = cases(CASES).find(|case| case["id"] == "own10").unwrap();
    let mut game = turned(&mut client, &case).await;
    let more: Vec<_> = game.moves[..4].to_vec();
    game.moves.extend(more);
    let answer = replay(&mut client, game).await;
    assert_eq!((answer.first_illegal_ply, answer.ended_at_ply), (None, Some(11)));
    assert_eq!((answer.ply_count, answer.result.as_str()), (16, "0-1"));
    let marked: Vec<_> = (0..16)
        .filter(|&ply| answer.plies[ply].r#move.as_ref().is_some_and(|m| m.loses_by_repetition))
        .collect();
    assert_eq!(marked, [11]);
}

/// A side that does something else in time has done what it must.
#[tokio::test]
async fn who_changes_does_not_lose() {
    let server = Server::start().await;
    let mut client = server.client().await;
    let case = cases(CASES).find(|case| case["id"] == "own10").unwrap();
    let mut game = game_of(&case, "moves", RuleSet::Cxa);
    let state = status(&mut client, game.clone()).await.state.unwrap();
    assert_eq!((state.must_change(), state.side_to_move()), (Side::First, Side::First));
    game.moves.push("d0d1".to_owned());
    let answer = status(&mut client, game).await;
    assert_eq!(answer.repetition, None);
    let state = answer.state.unwrap();
    assert_eq!(state.must_change(), Side::Unspecified);
    assert_eq!(state.outcome.unwrap().result(), Ended::InProgress);
}

/// The game may be over for an arbiter; its moves stay legal.
#[tokio::test]
async fn no_ruling_makes_a_move_illegal() {
    let server = Server::start().await;
    let mut client = server.client().await;
    for id in ["own01", "own27"] {
        let case = cases(CASES).find(|case| case["id"] == id).unwrap();
        let mut game = game_of(&case, "moves", RuleSet::Cxa);
        let answer = status(&mut client, game.clone()).await;
        assert_ne!(answer.state.unwrap().outcome.unwrap().result(), Ended::InProgress, "{id}");
        for _ in 0..8 {
            let text = game.moves[game.moves.len() - 4].clone();
            assert!(list(&mut client, game.clone()).await.iter().any(|m| m.uci == text), "{id}");
            let answer = validate(&mut client, game.clone(), &text).await;
            assert!(answer.legal, "{id}: {:?}", answer.illegal);
            game.moves.push(text);
        }
        let answer = replay(&mut client, game.clone()).await;
        assert_eq!((answer.first_illegal_ply, answer.ended_at_ply), (None, Some(7)), "{id}");
    }
}

/// An arbiter who reads Chinese gets an explanation in Chinese; codes stay what they are.
#[tokio::test]
async fn where_rulings_are_claimed_they_are_claims() {
    let server = Server::start().await;
    let mut client = server.client().await;
    let game = cases_of("CXA")
        .find(|case| text(case, "id") == "own01")
        .map(|case| game_of(&case, "moves", RuleSet::Cxa));
    let game = Game { rule_on_claim: true, ..game.unwrap() };
    let answer = status(&mut client, game.clone()).await;
    assert_eq!(answer.state.unwrap().outcome.unwrap().result(), Ended::InProgress);
    assert_eq!(answer.repetition.unwrap().verdict(), Verdict::Loses);
    let claims: Vec<_> = answer.claims.iter().map(|claim| (claim.r#type(), claim.available_now)).collect();
    assert_eq!(claims, [(ClaimType::Repetition, true)]);
    assert_eq!(replay(&mut client, game.clone()).await.ended_at_ply, None);
    let chess = Game { rule_on_claim: true, ..Game::default() };
    let refused = client.game_status(GameStatusRequest { game: Some(chess) }).await.unwrap_err();
    assert!(refused.message().contains("expected it unset"), "{refused:?}");
}

#[tokio::test]
async fn a_ruling_is_explained_in_the_language_of_the_game() {
    let server = Server::start().await;
    let mut client = server.client().await;
    let case = cases(CASES).find(|case| case["id"] == "own12").unwrap();
    let english = game_of(&case, "moves", RuleSet::Cxa);
    let chinese = Game { language: Language::Zh.into(), ..english.clone() };
    let english = status(&mut client, english).await.repetition.expect("a ruling");
    let chinese = status(&mut client, chinese).await.repetition.expect("a ruling");
    for (explanation, parts) in
        [(&english.explanation, ["a5c5", "XQ-26.4"]), (&chinese.explanation, ["捉", "XQ-26.4"])]
    {
        assert!(parts.iter().all(|part| explanation.contains(part)), "{explanation}");
    }
    assert_eq!(XiangqiRepetition { explanation: english.explanation.clone(), ..chinese }, english);
}

#[tokio::test]
async fn there_is_no_ruling_before_the_third_time_and_none_in_chess() {
    let server = Server::start().await;
    let mut client = server.client().await;
    let second = xiangqi("", "a0a1 a9a8 a1a0 a8a9");
    for (game, repetitions) in [(second, 2), (shuffle(8), 3), (shuffle(16), 5)] {
        let answer = status(&mut client, game).await;
        assert_eq!(answer.repetition, None);
        let state = answer.state.unwrap();
        assert_eq!((state.repetitions, state.must_change()), (repetitions, Side::Unspecified));
    }
    assert!(list(&mut client, shuffle(7)).await.iter().all(|m| !m.loses_by_repetition));
}

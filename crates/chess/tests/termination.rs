//! How games end, what may be claimed, and who can still mate.

#![allow(clippy::unwrap_used, reason = "a test may stop at bad data")]

use chess::fen;
use chess::position::{CastlingStyle, Chess};
use chess::rules::Rules;
use game::language::Language;
use game::line::Line;
use game::notation::{MoveNotation, Notation as _};
use game::outcome::{ClaimKind, Termination};
use game::position::Position as _;
use game::side::Side;

fn line(fen: &str, moves: &str) -> Line<Chess> {
    let fen = if fen.is_empty() { fen::START } else { fen };
    let mut line = Line::new(fen::parse(fen, CastlingStyle::Standard).unwrap());
    for text in moves.split_whitespace() {
        let m = line.last().read_move(text, MoveNotation::Auto, Language::En);
        line.play(m.unwrap_or_else(|illegal| panic!("{text}: {illegal:?}")));
    }
    line
}

/// What may be claimed: the kind, whether now, and the declared moves.
fn claims(line: &Line<Chess>, rules: &Rules) -> Vec<(ClaimKind, bool, String)> {
    Chess::claims(line, rules)
        .into_iter()
        .map(|claim| {
            let moves: Vec<_> = claim.declared.iter().map(|&m| line.last().uci(m).to_string()).collect();
            (claim.kind, claim.available_now, moves.join(" "))
        })
        .collect()
}

fn end(line: &Line<Chess>, rules: &Rules) -> Option<(Termination, Option<Side>)> {
    Chess::adjudicate(line, rules, &mut ()).map(|outcome| (outcome.termination, outcome.winner))
}

const SHUFFLE: &str = "Nf3 Nf6 Ng1 Ng8 ";

#[test]
fn mate_and_stalemate() {
    let mate = line("", "f3 e5 g4 Qh4");
    assert_eq!(end(&mate, &Rules::FIDE), Some((Termination::Checkmate, Some(Side::Second))));
    let stalemate = line("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "Qf7");
    assert_eq!(end(&stalemate, &Rules::CLASSIC), Some((Termination::Stalemate, None)));
}

#[test]
fn threefold_is_a_claim_now_or_with_a_declared_move() {
    let almost = line("", SHUFFLE.repeat(2).trim_end_matches("Ng8 "));
    assert_eq!(claims(&almost, &Rules::FIDE), [(ClaimKind::Threefold, false, "f6g8".to_owned())]);
    let third = line("", &SHUFFLE.repeat(2));
    assert_eq!(third.repetitions(), 3);
    // The knights' next step would again be a third time.
    assert_eq!(claims(&third, &Rules::FIDE), [(ClaimKind::Threefold, true, "g1f3".to_owned())]);
    // CH-22: the claim is lost by moving.
    assert_eq!(claims(&line("", &(SHUFFLE.repeat(2) + "e4")), &Rules::FIDE), []);
}

#[test]
fn fivefold_ends_the_game_under_fide_only() {
    let fourth = line("", &SHUFFLE.repeat(3));
    assert_eq!(end(&fourth, &Rules::FIDE), None);
    let fifth = line("", &SHUFFLE.repeat(4));
    assert_eq!(end(&fifth, &Rules::FIDE), Some((Termination::Fivefold, None)));
    assert_eq!(end(&fifth, &Rules::CLASSIC), None);
}

#[test]
fn fifty_moves_is_a_claim() {
    let declared = line("4k3/8/8/8/8/4P3/8/4K2R w - - 99 90", "");
    let [(kind, now, moves)] = &claims(&declared, &Rules::FIDE)[..] else { panic!() };
    assert_eq!((kind, now), (&ClaimKind::FiftyMoves, &false));
    assert!(moves.contains("h1h2") && !moves.contains("e3e4"), "{moves}");
    // CLASSIC counts only what has been played.
    assert_eq!(claims(&declared, &Rules::CLASSIC), []);
    let complete = line("4k3/8/8/8/8/4P3/8/4K2R w - - 99 90", "Rh2");
    for rules in [Rules::FIDE, Rules::CLASSIC] {
        let claims = claims(&complete, &rules);
        assert_eq!((claims[0].0, claims[0].1), (ClaimKind::FiftyMoves, true));
        assert_eq!(end(&complete, &rules), None);
    }
}

#[test]
fn an_organiser_sets_longer_limits_under_classic() {
    let mut rules = Rules::CLASSIC;
    Chess::set_move_limit(&mut rules, "KRKBP", 60).unwrap();
    Chess::set_move_limit(&mut rules, "KRPK", 60).unwrap();
    let at = |clock| line(&format!("4k3/8/8/8/8/4P3/8/4K2R w - - {clock} 90"), "");
    assert_eq!(claims(&at(119), &rules), []);
    assert!(claims(&at(120), &rules)[0].1);
    assert!(Chess::set_move_limit(&mut rules, "KRPK", 49).is_err());
    assert!(Chess::set_move_limit(&mut rules, "KRPK", 1_001).is_err());
    assert!(Chess::set_move_limit(&mut rules, "rook", 60).is_err());
    assert!(Chess::set_move_limit(&mut Rules::FIDE.clone(), "KRPK", 60).is_err());
}

#[test]
fn seventy_five_moves_end_the_game_but_mate_comes_first() {
    let fen = "7k/8/6K1/8/8/8/8/R7 w - - 149 200";
    assert_eq!(end(&line(fen, "Ra2"), &Rules::FIDE), Some((Termination::SeventyFiveMoves, None)));
    assert_eq!(end(&line(fen, "Ra2"), &Rules::CLASSIC), None);
    let mate = Some((Termination::Checkmate, Some(Side::First)));
    assert_eq!(end(&line(fen, "Ra8"), &Rules::FIDE), mate);
}

#[test]
fn perpetual_check_is_named() {
    let fen = "7k/8/8/8/8/6q1/8/5Q1K b - - 0 1";
    let line = line(fen, &"Qh4+ Kg1 Qg3+ Kh1 ".repeat(2));
    assert_eq!(
        claims(&line, &Rules::CLASSIC),
        [(ClaimKind::Threefold, true, "g3h4".to_owned()), (ClaimKind::PerpetualCheck, true, String::new())]
    );
    assert_eq!(claims(&line, &Rules::FIDE)[1], (ClaimKind::PerpetualCheck, false, String::new()));
}

#[test]
fn perpetual_check_counts_from_the_third_last_time() {
    // Without checks first, then with nothing else.
    let quiet = "Kd7 Ke2 Kd8 Ke1 ";
    let checks = "Qh4+ Kg1 Qg3+ Kh1 ";
    let fen = "7k/8/8/8/8/6q1/8/5Q1K b - - 0 1";
    let quiet = quiet.replace("Kd7 Ke2 Kd8 Ke1", "Kg7 Qg1 Kh8 Qf1");
    let kinds = |moves: &str| {
        let line = line(fen, moves);
        Chess::claims(&line, &Rules::CLASSIC).into_iter().map(|claim| claim.kind).collect::<Vec<_>>()
    };
    let both = [ClaimKind::Threefold, ClaimKind::PerpetualCheck];
    assert_eq!(kinds(&(quiet.clone() + checks)), [ClaimKind::Threefold]);
    assert_eq!(kinds(&(quiet.clone() + &checks.repeat(2))), both);
    assert_eq!(kinds(&(checks.repeat(2) + &quiet)), [ClaimKind::Threefold]);
}

#[test]
fn dead_material() {
    for (men, is_dead) in [
        ("4k3/8/8/8/8/8/8/4K3", true),
        ("4k3/8/8/8/8/8/8/4KB2", true),
        ("4k3/8/8/8/8/8/8/4KN2", true),
        ("2b1k3/8/8/8/8/8/8/4KB2", true),
        ("4k1b1/8/8/3B4/8/8/8/4KB2", true),
        ("4kb2/8/8/8/8/8/8/4KB2", false),
        ("4k3/8/8/8/8/8/8/4KNN1", false),
        ("4kn2/8/8/8/8/8/8/4KN2", false),
        ("4kn2/8/8/8/8/8/8/4KB2", false),
        ("4k3/p7/8/8/8/8/8/4K3", false),
        ("4k3/8/8/8/8/8/8/4K2R", false),
    ] {
        let line = line(&format!("{men} w - - 0 1"), "");
        let expected = is_dead.then_some((Termination::DeadMaterial, None));
        assert_eq!(end(&line, &Rules::FIDE), expected, "{men}");
    }
}

#[test]
fn who_can_still_mate() {
    /// Men, then for each side: can mate, proven, cannot be forced.
    type Chance = (bool, bool, bool);
    const BARE: Chance = (false, true, true);
    const OPEN: Chance = (true, false, false);
    for (men, first, second) in [
        ("4k3/8/8/8/8/8/8/Q3K3", OPEN, BARE),
        ("4k3/8/8/8/8/8/8/3NKN2", (true, false, true), BARE),
        ("4k3/p7/8/8/8/8/8/3NKN2", OPEN, OPEN),
        ("4k3/p7/8/8/8/8/8/4KN2", OPEN, OPEN),
        ("q3k3/8/8/8/8/8/8/4KN2", BARE, OPEN),
        ("r3k3/8/8/8/8/8/8/4KN2", OPEN, OPEN),
        ("r3k3/8/8/8/8/8/8/4KB2", BARE, OPEN),
        ("4kb2/8/8/8/8/8/8/4KB2", OPEN, OPEN),
        ("4k3/p7/8/8/8/8/8/4KB2", OPEN, OPEN),
        ("4k3/p7/8/8/8/8/8/4KBN1", OPEN, OPEN),
    ] {
        let line = line(&format!("{men} w - - 0 1"), "");
        let chance = |side| {
            let chance = line.last().mating_chance(side);
            (chance.can_mate, chance.proven, chance.cannot_be_forced)
        };
        assert_eq!((chance(Side::First), chance(Side::Second)), (first, second), "{men}");
    }
    let mated = line("", "f3 e5 g4 Qh4");
    assert!(mated.last().mating_chance(Side::Second).proven);
    assert!(!mated.last().mating_chance(Side::First).can_mate);
}

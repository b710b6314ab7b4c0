//! How games end, and what may be claimed.

#![allow(clippy::unwrap_used, reason = "a test may stop at bad data")]

use game::language::Language;
use game::line::Line;
use game::notation::{MoveNotation, Notation as _};
use game::outcome::{ClaimKind, Termination};
use game::position::Position as _;
use game::rule_set::RuleSet;
use game::side::Side;
use xiangqi::fen;
use xiangqi::position::Xiangqi;
use xiangqi::rules::Rules;

fn line(fen: &str, moves: &str) -> Line<Xiangqi> {
    let mut line = Line::new(fen::parse(fen).unwrap_or_else(|faults| panic!("{fen}: {faults:?}")));
    for text in moves.split_whitespace() {
        let m = line.last().read_move(text, MoveNotation::Auto, Language::En);
        line.play(m.unwrap_or_else(|illegal| panic!("{text}: {illegal:?}")));
    }
    line
}

fn end(line: &Line<Xiangqi>, rules: &Rules) -> Option<(Termination, Option<Side>)> {
    Xiangqi::adjudicate(line, rules, &mut <Xiangqi as game::position::Position>::Memo::default())
        .map(|outcome| (outcome.termination, outcome.winner))
}

#[test]
fn who_has_no_move_loses() {
    let mate = line("4k4/3P1P3/9/9/9/9/9/9/4R4/3K5 b - - 0 1", "");
    assert_eq!(end(&mate, &Rules::CXA), Some((Termination::Checkmate, Some(Side::First))));
    let stalemate = line("3k5/9/3P5/9/9/9/9/9/9/4K4 b - - 0 1", "");
    assert_eq!(end(&stalemate, &Rules::CXA), Some((Termination::Stalemate, Some(Side::First))));
    let not_mate = line("c3k2C1/4a4/6R2/9/9/9/9/9/9/3K5 w - - 0 1", "g7g9");
    assert!(not_mate.last().is_check());
    assert_eq!(end(&not_mate, &Rules::CXA), None);
}

#[test]
fn without_attackers_on_both_sides_it_is_a_draw() {
    let dead = line("3k1ab2/4a4/9/9/9/9/9/9/9/2BAKAB2 w - - 0 1", "");
    assert_eq!(end(&dead, &Rules::CXA), Some((Termination::DeadMaterial, None)));
    let alive = line("3k1ab2/4a4/9/9/8P/9/9/9/9/2BAKAB2 w - - 0 1", "");
    assert_eq!(end(&alive, &Rules::CXA), None);
    let chance = |side| alive.last().mating_chance(side);
    assert!(chance(Side::First).can_mate && !chance(Side::First).cannot_be_forced);
    assert!(chance(Side::Second).can_mate && chance(Side::Second).cannot_be_forced);
    assert!(!dead.last().mating_chance(Side::First).can_mate);
}

const QUIET: &str = "3aka3/9/9/9/4p4/9/9/9/R8/3AKA3 w - -";

#[test]
fn the_natural_limit_counts_moves_of_both_sides() {
    let at = |clock| line(&format!("{QUIET} {clock} 100"), "");
    assert_eq!(end(&at(119), &Rules::CXA), None);
    assert_eq!(end(&at(120), &Rules::CXA), Some((Termination::NaturalLimit, None)));
    let claimed = Rules { rule_on_claim: true, ..Rules::CXA };
    assert_eq!(end(&at(120), &claimed), None);
    assert_eq!(Xiangqi::claims(&at(120), &claimed)[0].kind, ClaimKind::NaturalLimit);
    assert_eq!(Xiangqi::claims(&at(119), &claimed), []);
    let mut lowered = Rules::CXA;
    Xiangqi::set_move_limit(&mut lowered, "", 40).unwrap();
    assert!(end(&at(80), &lowered).is_some());
    assert!(Xiangqi::set_move_limit(&mut lowered, "", 30).is_err(), "a second limit");
    let mut lowered = Rules::CXA;
    assert!(Xiangqi::set_move_limit(&mut lowered, "", 61).is_err());
    assert!(Xiangqi::set_move_limit(&mut lowered, "KRK", 40).is_err());
}

/// Of a side's checks only ten count towards the limit it claims; the answers of the other side do.
#[test]
fn checks_beyond_the_tenth_do_not_count() {
    // Twelve checks, each answered, after 48 rounds without a capture.
    let checks = "a8a9 e9e8 a9a8 e8e9 ".repeat(6);
    let line = line("4k4/R8/9/9/9/9/9/8p/9/3K5 w - - 96 100", &checks);
    assert_eq!(line.last().halfmove_clock(), 120);
    // Red, to move, has 60 moves, of which two checks do not count.
    // The checks were a repetition that has an end of its own; nothing to claim beside it.
    assert_eq!(end(&line, &Rules::CXA), Some((Termination::PerpetualCheck, Some(Side::Second))));
    assert_eq!(Xiangqi::claims(&line, &Rules::CXA), []);
    let repeated = line.clone();
    let mut line = line;
    for text in ["a8b8", "e9f9", "b8c8", "f9e9"] {
        let m = line.last().read_move(text, MoveNotation::Uci, Language::En).unwrap();
        line.play(m);
    }
    assert!(Xiangqi::claims(&line, &Rules::CXA)[0].available_now);
    assert_eq!(end(&line, &Rules::CXA), Some((Termination::NaturalLimit, None)));
    // What is ruled only when it is claimed is a claim.
    let claimed = Rules { rule_on_claim: true, ..Rules::CXA };
    assert_eq!(end(&repeated, &claimed), None);
    assert_eq!(Xiangqi::claims(&repeated, &claimed)[0].kind, ClaimKind::Repetition);
}

#[test]
fn the_rule_sets_are_those_of_xiangqi() {
    for rule_set in RuleSet::ALL {
        let is_ours = matches!(rule_set, RuleSet::Cxa | RuleSet::Axf | RuleSet::Computer);
        assert_eq!(Xiangqi::rules(rule_set).is_some(), is_ours);
    }
}

#[test]
fn repetitions_are_counted() {
    let shuffle = "h0g2 h9g7 g2h0 g7h9 ".repeat(2);
    assert_eq!(line(fen::START, &shuffle).repetitions(), 3);
    assert_eq!(line(fen::START, "c3c4 c6c5 c4c5").repetitions(), 1);
}

//! Exchanges whose worth is known by counting, and repetitions.

#![allow(clippy::unwrap_used, reason = "a test may stop at bad data")]

use game::language::Language;
use game::line::Line;
use game::notation::{MoveNotation, Notation as _};
use game::tactics::{Path, Repetition, Tactics as _};
use xiangqi::fen;

/// Position, move, and what the exchange wins in centipawns: soldier 120, advisor 200, elephant 220,
/// horse 430, cannon 480, chariot 950.
const EXCHANGES: &[(&str, &str, i32)] = &[
    // Nothing takes back.
    ("4k4/9/9/9/4p4/9/9/9/4R4/3K5 w - - 0 1", "e1e5", 120),
    // The other chariot takes back.
    ("4k4/9/4r4/9/4p4/9/9/9/4R4/3K5 w - - 0 1", "e1e5", 120 - 950),
    // A cannon takes over a screen, and a chariot takes back.
    ("4k4/9/4r4/9/4p4/9/4P4/9/4C4/3K5 w - - 0 1", "e1e5", 120 - 480),
    // The cannon that took is the screen of a cannon behind the chariot that took back.
    ("4k4/9/9/r3p4/9/9/4P4/4C4/9/3KC4 w - - 0 1", "e2e6", 120),
    // A horse with a blocked leg does not take back.
    ("4k4/9/9/4nP3/6p2/9/9/6R2/9/3K5 w - - 0 1", "g2g5", 120),
    ("4k4/9/9/4n4/6p2/9/9/6R2/9/3K5 w - - 0 1", "g2g5", 120 - 950),
    // A general does not take where it would face the other one.
    ("9/3ka4/9/9/9/9/9/9/4R4/4K4 w - - 0 1", "e1e8", 200),
    ("9/3ka4/9/9/9/9/9/9/4R4/5K3 w - - 0 1", "e1e8", 200 - 950),
];

#[test]
fn exchanges_win_what_counting_says() {
    for &(fen, uci, worth) in EXCHANGES {
        let position = fen::parse(fen).unwrap();
        let m = position.read_move(uci, MoveNotation::Uci, Language::En).unwrap();
        assert!(position.exchange_wins(m, worth), "{uci} wins {worth}: {fen}");
        assert!(!position.exchange_wins(m, worth + 1), "{uci} wins no more than {worth}: {fen}");
    }
}

fn repetition(start: &str, moves: &str) -> Option<Repetition> {
    let mut path = Path::of_game(&Line::new(fen::parse(start).unwrap()));
    let mut position = fen::parse(start).unwrap();
    for uci in moves.split(' ') {
        let m = position.read_move(uci, MoveNotation::Uci, Language::En).unwrap();
        position = game::position::Position::after(&position, m);
        path.push(&position);
    }
    xiangqi::position::Xiangqi::repetition(&path)
}

#[test]
fn perpetual_check_loses() {
    let start = "3k5/9/9/9/9/9/9/9/4R4/5K3 w - - 0 1";
    // Red checks with each move, Black never does: Red has lost, and Black is to move or Red.
    assert_eq!(repetition(start, "e1d1 d9e9 d1e1 e9d9 e1d1"), Some(Repetition::Win));
    assert_eq!(repetition(start, "e1e2 d9d8 e2e1 d8d9"), Some(Repetition::Draw));
    assert_eq!(repetition(start, "e1d1 d9e9 d1e1"), None);
}

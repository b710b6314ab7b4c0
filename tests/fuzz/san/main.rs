//! SAN: any text is a legal move, whose own SAN means the same move, or is refused with a reason.

use bolero::check;
use chess::position::Chess;
use fuzz::{TIME, positions, texts};
use game::language::Language;
use game::notation::{MoveNotation, Notation as _};
use game::position::Position as _;

const FRAGMENTS: &[&str] = &[
    "K", "Q", "R", "B", "N", "P", "a", "b", "c", "d", "e", "f", "g", "h", "1", "2", "3", "4", "5", "6", "7",
    "8", "x", ":", "-", "=", "=Q", "(N)", "/", "+", "#", "++", "O", "0", "o", "O-O", "0-0-0", "!", "?",
    "e.p.", " ", "@", "♘", "é",
];

const SAMPLES: &[&str] = &[
    "e4",
    "exd5",
    "Nbd7",
    "R1e2",
    "Qa1xb2+",
    "O-O",
    "O-O-O",
    "0-0",
    "e8=Q",
    "bxa1=N#",
    "e2-e4",
    "Ng1-f3",
    "exd6 e.p.",
];

fn main() {
    let positions = positions();
    check!().with_test_time(TIME).for_each(|input: &[u8]| {
        for text in texts(input, FRAGMENTS, SAMPLES) {
            for position in pick(&positions, input) {
                try_text(position, &text);
            }
        }
    });
}

/// A few positions that depend on the input.
fn pick<'a>(positions: &'a [Chess], input: &[u8]) -> impl Iterator<Item = &'a Chess> {
    let at = input.iter().fold(0_usize, |sum, &byte| sum * 31 % 4_093 + usize::from(byte));
    positions.iter().cycle().skip(at % positions.len()).step_by(17).take(4)
}

fn try_text(position: &Chess, text: &str) {
    let read = |text: &str, notation| position.read_move(text, notation, Language::En);
    match read(text, MoveNotation::San) {
        Ok(m) => {
            assert!(position.is_legal(m), "{position:?}: {text:?} is {m:?}");
            let san = position.move_text(m, &position.after(m)).san;
            assert_eq!(read(&san, MoveNotation::San), Ok(m), "{position:?}: {text:?} is {san}");
        }
        Err(illegal) => assert!(!illegal.message.is_empty(), "{position:?}: {text:?}: {illegal:?}"),
    }
    if let Ok(m) = read(text, MoveNotation::Auto) {
        assert!(position.is_legal(m), "{position:?}: {text:?} is {m:?}");
    }
}

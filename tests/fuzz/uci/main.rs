//! UCI: a text is accepted exactly when it spells a legal move, in one of the spellings that there are: small
//! or capital letters, blanks around it, and castling by the king's target or by the rook's square.

use bolero::check;
use chess::position::Chess;
use fuzz::{TIME, positions, texts};
use game::language::Language;
use game::laws;
use game::notation::{MoveNotation, MoveString, Notation as _};

const FRAGMENTS: &[&str] = &[
    "a", "b", "c", "d", "e", "f", "g", "h", "1", "2", "3", "4", "5", "6", "7", "8", "q", "r", "n", "k", "p",
    "Q", "=", "-", "0000", " ", "é",
];

fn main() {
    let positions = positions();
    check!().with_test_time(TIME).for_each(|input: &[u8]| {
        let position =
            &positions[input.iter().map(|&byte| usize::from(byte)).sum::<usize>() % positions.len()];
        let legal: Vec<_> = position.legal_moves().into_iter().map(|m| position.uci(m)).collect();
        let samples: Vec<_> = legal.iter().map(MoveString::as_str).chain(["e1g1", "e1h1", "a7a8q"]).collect();
        for text in texts(input, FRAGMENTS, &samples) {
            try_text(position, &text, legal.iter().any(|legal| legal.as_str() == text));
        }
    });
}

fn try_text(position: &Chess, text: &str, is_spelling_of_legal_move: bool) {
    match position.read_move(text, MoveNotation::Uci, Language::En) {
        Ok(m) => {
            assert!(position.is_legal(m), "{position:?}: {text:?} is {m:?}");
            laws::assert_spells(position, &text.trim().to_ascii_lowercase(), m);
            let uci = position.uci(m);
            assert_eq!(
                position.read_move(&uci, MoveNotation::Uci, Language::En),
                Ok(m),
                "{position:?}: {uci}"
            );
        }
        Err(illegal) => {
            assert!(!is_spelling_of_legal_move, "{position:?}: {text:?}: {illegal:?}");
            assert!(!illegal.message.is_empty(), "{position:?}: {text:?}: {illegal:?}");
        }
    }
}

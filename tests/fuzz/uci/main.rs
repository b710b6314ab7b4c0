//! UCI: a text is accepted exactly when it spells a legal move, in one of the spellings that there are: small
//! or capital letters, blanks around it, and in chess castling by the king's target or by the rook's square.

use bolero::check;
use fuzz::{TIME, chess_positions, pick, texts, xiangqi_positions};
use game::language::Language;
use game::laws;
use game::notation::{MoveNotation, MoveString, Notation};

const FRAGMENTS: &[&str] = &[
    "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "0", "9", "1", "2", "3", "4", "5", "6", "7", "8", "q",
    "r", "n", "k", "p", "Q", "=", "-", "0000", " ", "é",
];

fn main() {
    let (chess, xiangqi) = (chess_positions(), xiangqi_positions());
    check!().with_test_time(TIME).for_each(|input: &[u8]| {
        try_position(pick(&chess, input), input, &["e1g1", "e1h1", "a7a8q"]);
        try_position(pick(&xiangqi, input), input, &["e0e9", "i0i10"]);
    });
}

fn try_position<P: Notation>(position: &P, input: &[u8], samples: &[&str]) {
    let legal: Vec<_> = position.legal_moves().into_iter().map(|m| position.uci(m)).collect();
    let samples: Vec<_> = legal.iter().map(MoveString::as_str).chain(samples.iter().copied()).collect();
    for text in texts(input, FRAGMENTS, &samples) {
        try_text(position, &text, legal.iter().any(|legal| legal.as_str() == text));
    }
}

fn try_text<P: Notation>(position: &P, text: &str, is_spelling_of_legal_move: bool) {
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

//! FENs: any text is a position or has faults, in every game; a position can be written and read again, and
//! its moves stand up to every other way of looking at them.

use bolero::check;
use chess::position::{CastlingStyle, Chess};
use fuzz::{TIME, chess_fens, texts, xiangqi_fens};
use game::laws;
use game::notation::Notation;
use xiangqi::position::Xiangqi;

const CHESS_FRAGMENTS: &[&str] = &[
    "K", "k", "Q", "q", "R", "r", "B", "b", "N", "n", "P", "p", "1", "2", "3", "4", "5", "6", "7", "8", "9",
    "0", "/", " ", "w", "-", "a", "c", "d", "e", "f", "g", "h", "H", "A", "e3", "d6", "KQkq", "HAha",
    " w - - ", "100", "x", "é",
];

const XIANGQI_FRAGMENTS: &[&str] = &[
    "K", "k", "A", "a", "B", "b", "E", "e", "N", "n", "H", "h", "R", "r", "C", "c", "P", "p", "1", "2", "3",
    "4", "5", "6", "7", "8", "9", "0", "/", " ", "w", "r", "-", " w - - ", "119", "[]", "x", "é",
];

fn main() {
    let (chess, xiangqi) = (chess_fens(), xiangqi_fens());
    check!().with_test_time(TIME).for_each(|input: &[u8]| {
        let of_chess = texts(input, CHESS_FRAGMENTS, &chess);
        let of_xiangqi = texts(input, XIANGQI_FRAGMENTS, &xiangqi);
        // Each game is also handed the texts of the other.
        for text in of_chess.iter().chain(&of_xiangqi) {
            for style in [CastlingStyle::Standard, CastlingStyle::Chess960] {
                try_text::<Chess>(text, style);
            }
            try_text::<Xiangqi>(text, ());
        }
    });
}

fn try_text<P: Notation>(text: &str, style: P::Style) {
    match P::parse_fen(text, style) {
        Ok(position) => {
            laws::assert_moves(&position);
            laws::assert_texts(&position);
            laws::assert_fen(&position, style);
            // What a legal move leads to is a legal position.
            laws::assert_successors(&position, style);
        }
        Err(faults) => assert!(!faults.is_empty(), "refused without a fault: {text:?}"),
    }
}

//! FENs: any text is a position or has faults; a position can be written and read again, and its moves
//! stand up to every other way of looking at them.

use bolero::check;
use chess::position::{CastlingStyle, Chess};
use fuzz::{TIME, fens, texts};
use game::language::Language;
use game::notation::{MoveNotation, Notation as _};
use game::position::Position as _;

const FRAGMENTS: &[&str] = &[
    "K", "k", "Q", "q", "R", "r", "B", "b", "N", "n", "P", "p", "1", "2", "3", "4", "5", "6", "7", "8", "9",
    "0", "/", " ", "w", "-", "a", "c", "d", "e", "f", "g", "h", "H", "A", "e3", "d6", "KQkq", "HAha",
    " w - - ", "100", "x", "é",
];

fn main() {
    let fens = fens();
    let samples: Vec<_> = fens.iter().map(|(fen, _)| *fen).collect();
    check!().with_test_time(TIME).for_each(|input: &[u8]| {
        for text in texts(input, FRAGMENTS, &samples) {
            for style in [CastlingStyle::Standard, CastlingStyle::Chess960] {
                match Chess::parse_fen(&text, style) {
                    Ok(position) => try_position(&position, style),
                    Err(faults) => assert!(!faults.is_empty(), "refused without a fault: {text:?}"),
                }
            }
        }
    });
}

fn try_position(position: &Chess, style: CastlingStyle) {
    let fen = written(position);
    let again = Chess::parse_fen(&fen, style).unwrap_or_else(|faults| panic!("{fen}: {faults:?}"));
    assert_eq!((written(&again), again.key()), (fen.clone(), position.key()), "{fen}");

    let moves = position.legal_moves();
    assert_eq!(position.legal_move_count(), moves.len(), "{fen}");
    assert_eq!(position.has_legal_move(), !moves.is_empty(), "{fen}");
    for m in moves {
        assert!(position.is_legal(m), "{fen}: {m:?}");
        let after = position.after(m);
        let text = position.move_text(m, &after);
        for (notation, text) in [(MoveNotation::Uci, text.uci), (MoveNotation::San, text.san)] {
            for notation in [notation, MoveNotation::Auto] {
                assert_eq!(
                    position.read_move(&text, notation, Language::En),
                    Ok(m),
                    "{fen}: {text} {notation:?}"
                );
            }
        }
        // What a legal move leads to is a legal position.
        let next = written(&after);
        let again =
            Chess::parse_fen(&next, style).unwrap_or_else(|faults| panic!("{fen}: {text:?}: {faults:?}"));
        assert_eq!(again.key(), after.key(), "{fen}: {text:?}");
    }
}

fn written(position: &Chess) -> String {
    let mut fen = String::new();
    position.write_fen(&mut fen);
    fen
}

//! Exchanges whose worth is known by counting.

#![allow(clippy::unwrap_used, reason = "a test may stop at bad data")]

use chess::fen;
use chess::position::{CastlingStyle, Chess};
use game::language::Language;
use game::notation::{MoveNotation, Notation as _};
use game::tactics::Tactics as _;

/// Position, move, and what the exchange wins in centipawns: P 100, N 320, B 330, R 500, Q 950.
const EXCHANGES: &[(&str, &str, i32)] = &[
    ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100),
    ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", 100 - 320),
    // Nothing takes back.
    ("4k3/8/8/3r4/8/8/3Q4/4K3 w - - 0 1", "d2d5", 500),
    // A queen behind a rook takes part.
    ("3qk3/3r4/8/8/8/8/3R4/3QK3 w - - 0 1", "d2d7", 0),
    ("3qk3/3r4/8/3p4/8/8/3R4/3QK3 w - - 0 1", "d2d5", 100 - 500),
    // En passant, promotion, and a quiet move that loses a rook.
    ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100),
    ("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", 850),
    ("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", -100),
    ("4k3/8/2p5/8/8/8/3R4/4K3 w - - 0 1", "d2d5", -500),
    // A king takes only what nothing protects.
    ("8/8/8/3pk3/8/8/3R4/4K3 w - - 0 1", "d2d5", 100 - 500),
    ("8/8/8/3pk3/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100),
];

#[test]
fn exchanges_win_what_counting_says() {
    for &(fen, uci, worth) in EXCHANGES {
        let position: Chess = fen::parse(fen, CastlingStyle::Standard).unwrap();
        let m = position.read_move(uci, MoveNotation::Uci, Language::En).unwrap();
        assert!(position.exchange_wins(m, worth), "{uci} wins {worth}: {fen}");
        assert!(!position.exchange_wins(m, worth + 1), "{uci} wins no more than {worth}: {fen}");
    }
}

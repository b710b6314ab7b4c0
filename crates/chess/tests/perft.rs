//! Node counts on which Stockfish, shakmaty and cozy-chess agree (`tests/data/chess/perft`).

#![allow(clippy::unwrap_used, reason = "a test may stop at bad data")]

use chess::fen;
use chess::position::CastlingStyle;
use game::perft::{Counted, parse_epd, perft};

/// Counts above this are left to `cargo xtask perft`.
const MAX_NODES: u64 = 20_000_000;

fn check(data: &str, style: CastlingStyle) {
    let mut checked = 0;
    for Counted { fen, counts } in parse_epd(data).unwrap() {
        let position = fen::parse(fen, style).unwrap_or_else(|faults| panic!("{fen}: {faults:?}"));
        for (depth, nodes) in counts {
            if nodes <= MAX_NODES {
                assert_eq!(perft(&position, depth), nodes, "{fen} depth {depth}");
                checked += 1;
            }
        }
    }
    assert!(checked > 400, "only {checked} counts were checked");
}

#[test]
fn standard() {
    check(include_str!("../../../tests/data/chess/perft/standard.epd"), CastlingStyle::Standard);
}

#[test]
fn chess960() {
    check(include_str!("../../../tests/data/chess/perft/chess960.epd"), CastlingStyle::Chess960);
}

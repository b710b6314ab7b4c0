//! Node counts on which Stockfish, shakmaty and cozy-chess agree (`tests/data/chess/perft`).

#![allow(clippy::unwrap_used, reason = "a test may stop at bad data")]

use chess::fen;
use chess::position::CastlingStyle;
use game::perft::perft;

/// Counts above this are left to `cargo xtask perft`.
const MAX_NODES: u64 = 20_000_000;

fn check(data: &str, style: CastlingStyle) {
    let mut checked = 0;
    for line in data.lines().filter(|line| !line.is_empty()) {
        let mut parts = line.split(" ;D");
        let fen = parts.next().unwrap();
        let position = fen::parse(fen, style).unwrap_or_else(|faults| panic!("{fen}: {faults:?}"));
        for part in parts {
            let (depth, nodes) = part.trim().split_once(' ').unwrap();
            let (depth, nodes) = (depth.parse().unwrap(), nodes.parse().unwrap());
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

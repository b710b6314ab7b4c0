//! Node counts on which Pikafish and Fairy-Stockfish agree (`tests/data/xiangqi/perft`).

#![allow(clippy::unwrap_used, reason = "a test may stop at bad data")]

use game::perft::perft;
use xiangqi::fen;

/// Counts above this are left to `cargo xtask perft`.
const MAX_NODES: u64 = 20_000_000;

#[test]
fn counts() {
    let mut checked = 0;
    for line in include_str!("../../../tests/data/xiangqi/perft/xiangqi.epd").lines() {
        let mut parts = line.split(" ;");
        let fen = parts.next().unwrap();
        let position = fen::parse(fen).unwrap_or_else(|faults| panic!("{fen}: {faults:?}"));
        for part in parts.filter_map(|part| part.strip_prefix('D')) {
            let (depth, nodes) = part.trim().split_once(' ').unwrap();
            let (depth, nodes) = (depth.parse().unwrap(), nodes.parse().unwrap());
            if nodes <= MAX_NODES {
                assert_eq!(perft(&position, depth), nodes, "{fen} depth {depth}");
                checked += 1;
            }
        }
    }
    assert!(checked > 200, "only {checked} counts were checked");
}

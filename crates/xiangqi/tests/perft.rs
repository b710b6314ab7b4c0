//! Node counts on which Pikafish and Fairy-Stockfish agree (`tests/data/xiangqi/perft`).

#![allow(clippy::unwrap_used, reason = "a test may stop at bad data")]

use game::perft::check_epd;
use xiangqi::position::Xiangqi;

/// Counts above this are left to `cargo xtask perft`.
const MAX_NODES: u64 = 20_000_000;

#[test]
fn counts() {
    let data = include_str!("../../../tests/data/xiangqi/perft/xiangqi.epd");
    let checked = check_epd::<Xiangqi>(data, (), MAX_NODES).unwrap();
    assert_eq!(checked.wrong, [""; 0]);
    assert!(checked.counts > 200, "only {} counts were checked", checked.counts);
}

//! Node counts on which Stockfish, shakmaty and cozy-chess agree (`tests/data/chess/perft`).

#![allow(clippy::unwrap_used, reason = "a test may stop at bad data")]

use chess::position::{CastlingStyle, Chess};
use game::perft::check_epd;

/// Counts above this are left to `cargo xtask perft`.
const MAX_NODES: u64 = 20_000_000;

fn check(data: &str, style: CastlingStyle) {
    let checked = check_epd::<Chess>(data, style, MAX_NODES).unwrap();
    assert_eq!(checked.wrong, [""; 0]);
    assert!(checked.counts > 400, "only {} counts were checked", checked.counts);
}

#[test]
fn standard() {
    check(include_str!("../../../tests/data/chess/perft/standard.epd"), CastlingStyle::Standard);
}

#[test]
fn chess960() {
    check(include_str!("../../../tests/data/chess/perft/chess960.epd"), CastlingStyle::Chess960);
}

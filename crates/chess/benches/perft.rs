//! Perft with bulk counting, beside cozy-chess in the same run.
//!
//! `cargo bench -p chess --bench perft`

#![allow(clippy::unwrap_used, reason = "a benchmark may stop at bad data")]

use chess::fen;
use chess::position::{CastlingStyle, Chess};
use cozy_chess::Board;
use divan::counter::ItemsCount;

fn main() {
    divan::main();
}

/// Name, position, depth, nodes.
const POSITIONS: [(&str, &str, u32, u64); 5] = [
    ("start", fen::START, 6, 119_060_324),
    ("kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5, 193_690_690),
    ("rook endgame", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 7, 178_633_661),
    (
        "middlegame",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        5,
        164_075_551,
    ),
    ("promotions", "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 6, 71_179_139),
];

const NAMES: [&str; 5] = ["start", "kiwipete", "rook endgame", "middlegame", "promotions"];

fn position(name: &str) -> (&'static str, u32, u64) {
    let &(_, fen, depth, nodes) = POSITIONS.iter().find(|position| position.0 == name).unwrap();
    (fen, depth, nodes)
}

#[divan::bench(args = NAMES, sample_count = 7, sample_size = 1)]
fn arbiter(bencher: divan::Bencher<'_, '_>, name: &str) {
    let (fen, depth, nodes) = position(name);
    let position: Chess = fen::parse(fen, CastlingStyle::Standard).unwrap();
    bencher.counter(ItemsCount::new(nodes)).bench(|| {
        assert_eq!(game::perft::perft(&position, depth), nodes);
    });
}

#[divan::bench(args = NAMES, sample_count = 7, sample_size = 1)]
fn cozy_chess(bencher: divan::Bencher<'_, '_>, name: &str) {
    let (fen, depth, nodes) = position(name);
    let board: Board = fen.parse().unwrap();
    bencher.counter(ItemsCount::new(nodes)).bench(|| {
        assert_eq!(peer_perft(&board, depth), nodes);
    });
}

/// The bulk counting perft of cozy-chess's own example program.
fn peer_perft(board: &Board, depth: u32) -> u64 {
    let mut nodes = 0;
    if depth == 1 {
        board.generate_moves(|moves| {
            nodes += moves.len() as u64;
            false
        });
    } else {
        board.generate_moves(|moves| {
            for m in moves {
                let mut after = board.clone();
                after.play_unchecked(m);
                nodes += peer_perft(&after, depth - 1);
            }
            false
        });
    }
    nodes
}

//! Perft with bulk counting from the start position, beside Fairy-Stockfish in the same run: three times
//! each, in turn.
//!
//! `cargo run --release -p xiangqi --example xiangqi_perft_peer`

#[path = "../tests/peer/mod.rs"]
mod peer;

use std::io::Write as _;
use std::time::Instant;

use game::notation::Notation as _;
use game::perft::perft;
use xiangqi::position::Xiangqi;

const DEPTH: u32 = 5;
const NODES: u64 = 133_312_995;
const RUNS: usize = 3;

#[allow(clippy::print_stdout, reason = "a program that prints its result")]
fn main() {
    let Some(start) = Xiangqi::start(()) else { return };
    let (mut peer, mut input) = peer::start();
    // The fastest of the runs is the one that was disturbed least.
    let (mut ours, mut theirs) = (0.0_f64, 0.0_f64);
    for run in 1..=RUNS {
        let our_speed = speed(|| assert_eq!(perft(&start, DEPTH), NODES, "the count is known"));
        let their_speed = speed(|| {
            let sent = writeln!(input, "position startpos\ngo perft {DEPTH}");
            assert!(sent.is_ok(), "the peer reads");
            while peer.line() != format!("Nodes searched: {NODES}") {}
        });
        println!("run {run}: arbiter {our_speed:.1} Mnodes/s, fairy-stockfish {their_speed:.1} Mnodes/s");
        (ours, theirs) = (ours.max(our_speed), theirs.max(their_speed));
    }
    println!("best: {ours:.1} to {theirs:.1} Mnodes/s, {:.1} times as fast", ours / theirs);
}

/// Millions of nodes a second.
fn speed(count: impl FnOnce()) -> f64 {
    let started = Instant::now();
    count();
    NODES as f64 / 1e6 / started.elapsed().as_secs_f64()
}

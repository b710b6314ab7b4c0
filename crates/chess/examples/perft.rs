//! Counts every position of the perft files in a folder to its full depth.
//!
//! `cargo run --release -p chess --example perft -- tests/data/chess/perft`

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use chess::fen;
use chess::position::CastlingStyle;
use game::perft::perft;

#[allow(clippy::print_stdout, reason = "a program that prints its result")]
fn main() -> ExitCode {
    let Some(folder) = std::env::args_os().nth(1).map(PathBuf::from) else {
        println!("usage: perft FOLDER");
        return ExitCode::FAILURE;
    };
    let (mut wrong, mut counts, mut nodes, started) = (0, 0, 0, Instant::now());
    for (file, style) in
        [("standard.epd", CastlingStyle::Standard), ("chess960.epd", CastlingStyle::Chess960)]
    {
        let Ok(data) = std::fs::read_to_string(folder.join(file)) else {
            println!("{} cannot be read", folder.join(file).display());
            return ExitCode::FAILURE;
        };
        for (fen, depth, expected) in data.lines().flat_map(counts_of) {
            let found = fen::parse(fen, style).map(|position| perft(&position, depth));
            if found != Ok(expected) {
                println!("WRONG {fen} depth {depth}: {found:?}, expected {expected}");
                wrong += 1;
            }
            counts += 1;
            nodes += expected;
        }
    }
    let seconds = started.elapsed().as_secs_f64();
    println!("{counts} counts, {wrong} wrong, {nodes} nodes in {seconds:.1} s");
    if wrong == 0 && counts > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The counts of one line: `FEN ;D1 20 ;D2 400`.
fn counts_of(line: &str) -> impl Iterator<Item = (&str, u32, u64)> {
    let mut parts = line.split(" ;D");
    let fen = parts.next().unwrap_or_default();
    parts.filter_map(move |part| {
        let (depth, nodes) = part.trim().split_once(' ')?;
        Some((fen, depth.parse().ok()?, nodes.parse().ok()?))
    })
}

//! Counts every position of the perft files in a folder to its full depth.
//!
//! `cargo run --release -p chess --example perft -- tests/data/chess/perft`

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use chess::fen;
use chess::position::CastlingStyle;
use game::perft::{Counted, parse_epd, perft};

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
        let positions = match parse_epd(&data) {
            Ok(positions) => positions,
            Err(fault) => {
                println!("{}: {fault}", folder.join(file).display());
                return ExitCode::FAILURE;
            }
        };
        for (fen, (depth, expected)) in positions.iter().flat_map(each_count) {
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

fn each_count<'a>(position: &'a Counted<'_>) -> impl Iterator<Item = (&'a str, (u32, u64))> {
    position.counts.iter().map(|&count| (position.fen, count))
}

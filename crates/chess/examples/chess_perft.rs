//! Counts every position of a perft file to its full depth.
//!
//! `cargo run --release -p chess --example chess_perft -- tests/data/chess/perft`

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use chess::position::{CastlingStyle, Chess};
use game::perft::{Checked, check_epd};

#[allow(clippy::print_stdout, reason = "a program that prints its result")]
fn main() -> ExitCode {
    let Some(folder) = std::env::args_os().nth(1).map(PathBuf::from) else {
        println!("usage: chess_perft FOLDER");
        return ExitCode::FAILURE;
    };
    let mut is_good = true;
    for (file, style) in
        [("standard.epd", CastlingStyle::Standard), ("chess960.epd", CastlingStyle::Chess960)]
    {
        let (path, started) = (folder.join(file), Instant::now());
        let data = std::fs::read_to_string(&path).map_err(|error| error.to_string());
        match data.and_then(|data| check_epd::<Chess>(&data, style, u64::MAX)) {
            Ok(Checked { counts, nodes, wrong }) => {
                let seconds = started.elapsed().as_secs_f64();
                println!("{file}: {counts} counts, {} wrong, {nodes} nodes in {seconds:.1} s", wrong.len());
                wrong.iter().for_each(|wrong| println!("WRONG {wrong}"));
                is_good &= wrong.is_empty() && counts > 0;
            }
            Err(error) => {
                println!("{}: {error}", path.display());
                is_good = false;
            }
        }
    }
    if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

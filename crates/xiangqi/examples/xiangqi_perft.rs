//! Counts every position of the perft file in a folder to its full depth.
//!
//! `cargo run --release -p xiangqi --example xiangqi_perft -- tests/data/xiangqi/perft`

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use game::perft::{Checked, check_epd};
use xiangqi::position::Xiangqi;

const FILE: &str = "xiangqi.epd";

#[allow(clippy::print_stdout, reason = "a program that prints its result")]
fn main() -> ExitCode {
    let Some(folder) = std::env::args_os().nth(1).map(PathBuf::from) else {
        println!("usage: xiangqi_perft FOLDER");
        return ExitCode::FAILURE;
    };
    let (path, started) = (folder.join(FILE), Instant::now());
    let data = std::fs::read_to_string(&path).map_err(|error| error.to_string());
    match data.and_then(|data| check_epd::<Xiangqi>(&data, (), u64::MAX)) {
        Ok(Checked { counts, nodes, wrong }) => {
            let seconds = started.elapsed().as_secs_f64();
            println!("{FILE}: {counts} counts, {} wrong, {nodes} nodes in {seconds:.1} s", wrong.len());
            wrong.iter().for_each(|wrong| println!("WRONG {wrong}"));
            if wrong.is_empty() && counts > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(error) => {
            println!("{}: {error}", path.display());
            ExitCode::FAILURE
        }
    }
}

//! The program as a match tool speaks to it.

#![allow(clippy::unwrap_used, reason = "a test may stop at bad data")]

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};

#[test]
fn an_endless_search_says_its_move_when_it_is_told_to_stop() {
    let program = env!("CARGO_BIN_EXE_arbiter-lab");
    let mut child =
        Command::new(program).arg("uci").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    // There is nothing to find: the search is soon at its greatest depth.
    writeln!(input, "position fen k7/8/8/8/8/8/1q6/K7 w - - 0 1\ngo infinite").unwrap();
    assert!(lines.any(|line| line.starts_with("info depth 127 ")));
    for _ in 0..100 {
        writeln!(input, "isready").unwrap();
        assert_eq!(lines.next().unwrap(), "readyok");
    }
    writeln!(input, "stop").unwrap();
    assert!(lines.any(|line| line == "bestmove a1b2"));
    writeln!(input, "quit").unwrap();
    assert!(child.wait().unwrap().success());
}

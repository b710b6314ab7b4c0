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

/// What is said from a position with many moves, with some options set.
fn said(options: &[&str]) -> Vec<String> {
    let program = env!("CARGO_BIN_EXE_arbiter-lab");
    let mut child =
        Command::new(program).arg("uci").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    for option in options {
        writeln!(input, "setoption name {option}").unwrap();
    }
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let mut said = Vec::new();
    // The second time there is something to remember.
    for _ in 0..2 {
        writeln!(input, "position fen {fen}\ngo nodes 20000").unwrap();
        let infos = lines.by_ref().take_while(|line| !line.starts_with("bestmove")).collect::<Vec<_>>();
        assert!(infos.iter().all(|line| line.contains(" multipv 1 ")), "{infos:?}");
        let timeless = |line: &String| {
            line.split(" nps ").next().unwrap().to_owned() + line.split(" pv ").nth(1).unwrap()
        };
        said.push(infos.last().map(timeless).unwrap());
    }
    writeln!(input, "quit").unwrap();
    assert!(child.wait().unwrap().success());
    said
}

#[test]
fn weak_play_depends_on_the_strength_and_the_seed_alone() {
    let weak = |elo: u32, seed: u32| {
        let options = [format!("UCI_Elo value {elo}"), format!("Seed value {seed}")];
        said(&["UCI_LimitStrength value true", &options[0], &options[1]])
    };
    let first = weak(800, 1);
    assert_eq!(first[0], first[1], "nothing is remembered");
    assert_eq!(first, weak(800, 1));
    assert!((2..10).any(|seed| weak(800, seed) != first));
    let full = said(&[]);
    assert_ne!(first[0], full[0]);
    assert_eq!(weak(2800, 1), full, "the greatest number is full strength");
    assert_eq!(said(&["UCI_Elo value 800"]), full, "a number alone limits nothing");
}

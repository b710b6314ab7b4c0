//! How long a ruling takes, over every position of the real games that stands for the third time or more.
//!
//! Twice: each ruling for itself, as when a platform asks about one position, and with what the earlier
//! rulings of the game have found out, as when a whole game is replayed.

#![allow(clippy::print_stdout, reason = "a benchmark prints what it measures")]

use std::io::Read;
use std::time::{Duration, Instant};

use game::language::Language;
use game::line::Line;
use game::notation::{MoveNotation, Notation};
use game::position::Position;
use game::rule_set::RuleSet;
use xiangqi::position::Xiangqi;
use xiangqi::repetition::Memo;

fn main() {
    let games = games();
    println!(
        "{:<9} {:<6} {:>8} {:>10} {:>10} {:>10} {:>10}",
        "rules", "memo", "rulings", "incomplete", "median", "p99", "worst"
    );
    for rule_set in [RuleSet::Cxa, RuleSet::Axf, RuleSet::Computer] {
        for by_game in [false, true] {
            let (times, incomplete) = measure(&games, rule_set, by_game);
            let at = |part: usize| {
                times.get(times.len() * part / 100).or(times.last()).copied().unwrap_or_default()
            };
            println!(
                "{:<9} {:<6} {:>8} {incomplete:>10} {:>10.1?} {:>10.1?} {:>10.1?}",
                rule_set.name(),
                if by_game { "game" } else { "none" },
                times.len(),
                at(50),
                at(99),
                at(100),
            );
        }
    }
}

/// The times of all rulings, sorted, and how many were incomplete.
fn measure(games: &[(Xiangqi, Vec<String>)], rule_set: RuleSet, by_game: bool) -> (Vec<Duration>, usize) {
    let rules = Xiangqi::rules(rule_set).expect("a rule set of xiangqi");
    let (mut times, mut incomplete) = (Vec::new(), 0);
    for (start, game) in games {
        let mut line = Line::new(start.clone());
        let mut memo = Memo::default();
        for text in game {
            let m = line.last().read_move(text, MoveNotation::Uci, Language::En);
            line.play(m.unwrap_or_else(|illegal| panic!("{text}: {}", illegal.message)));
            if line.repetitions() < 3 {
                continue;
            }
            if !by_game {
                memo = Memo::default();
            }
            let start = Instant::now();
            let ruling = Xiangqi::ruling(&line, &rules, &mut memo).expect("a repetition");
            times.push(start.elapsed());
            incomplete += usize::from(ruling.incomplete);
        }
    }
    times.sort_unstable();
    (times, incomplete)
}

/// All games of tests/data: where they start, and their moves in UCI.
fn games() -> Vec<(Xiangqi, Vec<String>)> {
    let start = Xiangqi::start(()).expect("the start position");
    let masters = unpack(include_bytes!("../../../tests/data/xiangqi/games/masters_uci.txt.gz"));
    let masters = masters.lines().map(|line| {
        let moves = line.split_whitespace().skip(1).map(str::to_owned).collect();
        (start.clone(), moves)
    });
    let printed = unpack(include_bytes!("../../../tests/data/xiangqi/games/ccpd.jsonl.gz"));
    let printed = printed.lines().map(|line| {
        let game: serde_json::Value = serde_json::from_str(line).expect("a game");
        let moves = game["uci"].as_array().expect("moves");
        let start = xiangqi::fen::parse(game["fen"].as_str().expect("a FEN")).expect("a position");
        (start, moves.iter().map(|text| text.as_str().expect("a move").to_owned()).collect())
    });
    masters.chain(printed).collect()
}

fn unpack(data: &[u8]) -> String {
    let mut text = String::new();
    flate2::read::GzDecoder::new(data).read_to_string(&mut text).expect("a compressed text");
    text
}

//! Compares how repetitions are ruled with what Fairy-Stockfish says: how often each answer of the three rule
//! sets meets each answer of the peer, and, of every repetition on which `AXF` and the peer differ, our reasons.
//!
//! `cargo xtask rulings`
//!
//! With names, the reasons for those repetitions alone:
//! `cargo run --release -p xiangqi --example xiangqi_rulings_peer -- own10 "masters-0565, ply 72"`

#![allow(clippy::print_stdout, reason = "a program that prints its result")]

#[path = "../tests/rulings/mod.rs"]
mod rulings;

use std::collections::BTreeMap;

use game::language::Language;
use game::notation::Notation as _;
use game::rule_set::RuleSet;
use game::ruling::{Conduct, Means, Root, Ruling, Verdict};
use game::side::Side;
use rulings::{Repetition, Span, peer_words};
use xiangqi::moves::Move;
use xiangqi::position::Xiangqi;
use xiangqi::square::Square;

const CASES: [&str; 3] = ["AXF", "CXA", "disputed"];

fn main() {
    let names: Vec<_> = std::env::args().skip(1).collect();
    if !names.is_empty() {
        let all = CASES.into_iter().flat_map(rulings::cases).chain(rulings::games());
        all.filter(|repetition| names.contains(&repetition.name)).for_each(|repetition| {
            println!("{}", repetition.name);
            print_reasons(&repetition, &[RuleSet::Cxa, RuleSet::Axf]);
        });
        return;
    }
    for rule_set in CASES {
        compare(&format!("Cases, {rule_set}"), &rulings::cases(rule_set));
    }
    compare("Real games", &rulings::games());
}

/// What CXA, AXF, COMPUTER and the peer say.
type Words = [String; 4];

fn compare(title: &str, repetitions: &[Repetition]) {
    let peer = peer_words(repetitions, Span::Cycle);
    let words: Vec<Words> = repetitions
        .iter()
        .zip(&peer)
        .map(|(repetition, peer)| {
            let [cxa, axf, computer] =
                [RuleSet::Cxa, RuleSet::Axf, RuleSet::Computer].map(|rules| repetition.word(rules));
            [cxa, axf, computer, peer.clone()]
        })
        .collect();
    println!("\n## {title}\n");
    print_counts(
        "| CXA | AXF | COMPUTER | Fairy-Stockfish | first |",
        words.iter().zip(repetitions).map(|(words, of)| (words.join(" | "), of.name.as_str())),
    );
    let total = words.len();
    for (ours, name) in ["CXA", "AXF", "COMPUTER"].into_iter().enumerate() {
        let agree = words.iter().filter(|words| blamed(&words[ours]) == blamed(&words[3])).count();
        let percent = 100.0 * agree as f64 / total as f64;
        println!("{name} blames whom Fairy-Stockfish blames: {agree} of {total}, {percent:.2} %");
    }
    let is_incomplete = |of: &&Repetition| of.ruling(RuleSet::Cxa).is_some_and(|ruling| ruling.incomplete);
    println!("CXA gave up a search: {}", repetitions.iter().filter(is_incomplete).count());
    println!("\nWhere CXA blames another side than Fairy-Stockfish:\n");
    let differ = repetitions.iter().zip(&words).filter(|(_, words)| blamed(&words[0]) != blamed(&words[3]));
    print_counts(
        "| CXA | Fairy-Stockfish | because | first |",
        differ.map(|(repetition, words)| (grounds(repetition, &words[3]), repetition.name.as_str())),
    );
    for ((repetition, words), whole) in
        repetitions.iter().zip(&words).zip(peer_words(repetitions, Span::Whole))
    {
        if whole != words[3] {
            println!("{}: {}, but {whole} when told of the whole line", repetition.name, words[3]);
        }
    }
    for (repetition, words) in repetitions.iter().zip(&words) {
        if words[1] != words[3] {
            print_difference(repetition, words);
        }
    }
}

/// The side that a verdict is against; nothing when it is against none.
fn blamed(word: &str) -> Option<&str> {
    word.split_once('_').map(|(side, _)| side)
}

/// Whom CXA and the peer blame, without the colours, and the clause by which they part.
fn grounds(repetition: &Repetition, peer: &str) -> String {
    let (Some(cxa), Some(axf)) = (repetition.ruling(RuleSet::Cxa), repetition.ruling(RuleSet::Axf)) else {
        return String::new();
    };
    let by_peer = blamed(peer).map(|side| if side == "red" { Side::First } else { Side::Second });
    let whom = match (cxa.side, by_peer) {
        (Some(_), None) => "one side | nobody",
        (Some(_), Some(_)) => "one side | the other side",
        (None, _) => "nobody | one side",
    };
    let because = cxa.side.map_or_else(
        || by_peer.map_or("", |side| why_excused(&cxa, &axf, side)),
        |side| why_forbidden(&cxa, &axf, side),
    );
    format!("{whom} | {because}")
}

/// Why CXA does not forbid what a side does that the peer blames.
fn why_excused(cxa: &Ruling<Move, Square>, axf: &Ruling<Move, Square>, side: Side) -> &'static str {
    let [own, other] = [side, side.opponent()].map(|side| cxa.conduct[side.index()]);
    if cxa.verdict == Verdict::None {
        "the moves have not cycled yet (XQ-25.1)"
    } else if own.is_perpetual_attack() && other.is_perpetual_attack() {
        "the other side attacks, too (XQ-26.3)"
    } else if axf.side.is_none() {
        "as by AXF"
    } else {
        "a capture is no new gain, or punished by mate (XQ-29.2, XQ-29.4)"
    }
}

/// Why CXA forbids what a side does, and AXF does not.
fn why_forbidden(cxa: &Ruling<Move, Square>, axf: &Ruling<Move, Square>, side: Side) -> &'static str {
    match cxa.conduct[side.index()] {
        Conduct::PerpetualChase => {}
        Conduct::PerpetualMateThreat => return "threats to mate (XQ-28.11)",
        _ => return "mixed attacks (XQ-25.2a)",
    }
    let mut own = cxa.plies.iter().zip(&axf.plies).filter(|(ply, _)| ply.side == side);
    let missed = own.find(|(_, by_axf)| by_axf.targets.is_empty());
    match missed.and_then(|(ply, _)| ply.targets.first()) {
        None if axf.conduct[side.opponent().index()] == Conduct::PerpetualChase => {
            "the other side's chase is none (XQ-28.15)"
        }
        None => "several men are chased in turn (XQ-28.12)",
        Some(target) => match (target.means, target.root) {
            (Means::Checks, _) => "a man is won after checks (XQ-29.1)",
            (Means::Exchange, _) => "a man is won by exchanges (XQ-29.1)",
            (Means::Capture, Root::InsufficientRoot) => "the root is not enough (XQ-28.16b)",
            (Means::Capture, Root::FalseRoot) => "the root is false (XQ-28.16b)",
            (Means::Capture, Root::Rootless | Root::Rooted) => {
                "the man could be taken before, but not won (XQ-29.2)"
            }
        },
    }
}

/// Prints how often each row occurs, the most frequent first, and who has it first.
fn print_counts<'a>(head: &str, rows: impl Iterator<Item = (String, &'a str)>) {
    let mut counts: BTreeMap<String, (usize, &str)> = BTreeMap::new();
    for (row, name) in rows {
        counts.entry(row).or_insert((0, name)).0 += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
    let columns = head.matches('|').count();
    println!("{head} count |\n|{}", " --- |".repeat(columns));
    counts.iter().for_each(|(row, (count, first))| println!("| {row} | {first} | {count} |"));
    println!();
}

fn print_difference(repetition: &Repetition, [_, axf, _, peer]: &Words) {
    println!("{}: AXF {axf}, Fairy-Stockfish {peer}", repetition.name);
    print_reasons(repetition, &[RuleSet::Axf]);
}

/// Prints the moves that are judged, and what they do by some rule sets.
fn print_reasons(repetition: &Repetition, rule_sets: &[RuleSet]) {
    println!("{}", repetition.question(Span::Cycle).trim_end());
    for &rule_set in rule_sets {
        if let Some(ruling) = repetition.ruling(rule_set) {
            let reasons = Xiangqi::ruling_message(&repetition.line, &ruling, Language::En);
            println!("{}:\n{reasons}\n", rule_set.name());
        }
    }
}

//! The repetitions of tests/data, with what Arbiter rules and what Fairy-Stockfish says of them. That program
//! is under the GPL: it runs in a process of its own (`rulings.py`) and is neither linked nor copied.

use std::fs;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use game::language::Language;
use game::line::Line;
use game::notation::{MoveNotation, Notation as _};
use game::position::Position as _;
use game::rule_set::RuleSet;
use game::ruling::{Ruling, Verdict};
use game::side::Side;
use serde_json::Value;
use xiangqi::fen;
use xiangqi::moves::Move;
use xiangqi::position::Xiangqi;
use xiangqi::repetition::Memo;
use xiangqi::square::Square;

/// The folder of this file's crate.
const HERE: &str = env!("CARGO_MANIFEST_DIR");

/// The Python that has pyffish, where `cargo xtask tools` installs it.
const PYTHON: &str = "../../target/tools/pyffish/bin/python3";

/// A position that stands for the third time or more, and how it came to that.
pub(crate) struct Repetition {
    /// The case, or the game and its ply.
    pub(crate) name: String,
    pub(crate) line: Line<Xiangqi>,
}

impl Repetition {
    /// The ruling; nothing where none is due.
    pub(crate) fn ruling(&self, rule_set: RuleSet) -> Option<Ruling<Move, Square>> {
        let rules = Xiangqi::rules(rule_set).expect("a rule set of xiangqi");
        Xiangqi::ruling(&self.line, &rules, &mut Memo::default())
    }

    /// The ruling in a word.
    pub(crate) fn word(&self, rule_set: RuleSet) -> String {
        let Some(ruling) = self.ruling(rule_set) else { return "none".to_owned() };
        let side = ruling.side.map_or("", |side| if side == Side::First { "red_" } else { "black_" });
        let verdict = match ruling.verdict {
            Verdict::None => "continue",
            Verdict::Draw => "draw",
            Verdict::Loses => "loses",
            Verdict::MustChange => "must_change",
            Verdict::ArbiterDecides => "arbiter_decides",
        };
        format!("{side}{verdict}")
    }

    /// What the peer is asked: about the moves since the position stood there first, of the three times,
    /// and nothing before them; or about the whole line.
    pub(crate) fn question(&self, span: Span) -> String {
        let first = match span {
            Span::Cycle => self.line.occurrences().nth(2).unwrap_or(0),
            Span::Whole => 0,
        };
        let (lead, plies) = self.line.plies().split_at(first);
        let mut position = self.line.start().clone();
        lead.iter().for_each(|ply| position.play_unchecked(ply.m));
        let mut fen = String::new();
        position.write_fen(&mut fen);
        if span == Span::Cycle {
            // Where the natural limit is passed, the peer says that before it looks at the repetition.
            let fields: Vec<_> = fen.split(' ').take(2).collect();
            fen = format!("{} - - 0 1", fields.join(" "));
        }
        let moves: Vec<_> = plies.iter().map(|ply| xiangqi::uci::write(ply.m).to_string()).collect();
        format!("{fen}|{}\n", moves.join(" "))
    }
}

/// Of which moves the peer is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Span {
    /// Those that are judged.
    Cycle,
    /// All of the game.
    Whole,
}

/// What the peer says of each repetition.
///
/// # Panics
/// It is not there: a comparison with nothing would prove nothing.
pub(crate) fn peer_words(repetitions: &[Repetition], span: Span) -> Vec<String> {
    let python = Path::new(HERE).join(PYTHON);
    let mut peer = Command::new(&python)
        .arg(Path::new(HERE).join("tests/rulings/rulings.py"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| {
            panic!("{} cannot be started ({error}); `cargo xtask tools` installs it", python.display())
        });
    let mut input = peer.stdin.take().expect("an input");
    let questions: String = repetitions.iter().map(|repetition| repetition.question(span)).collect();
    let writer = std::thread::spawn(move || input.write_all(questions.as_bytes()));
    let output = peer.wait_with_output().expect("an end");
    writer.join().expect("no panic").expect("the peer reads");
    assert!(output.status.success(), "the peer ended with {}", output.status);
    let words: Vec<_> = String::from_utf8(output.stdout).expect("text").lines().map(str::to_owned).collect();
    assert_eq!(words.len(), repetitions.len(), "one answer for each question");
    words
}

/// The cases of repetition.jsonl that belong to a rule set, or are `disputed`.
pub(crate) fn cases(rule_set: &str) -> Vec<Repetition> {
    let text = fs::read_to_string(data("repetition.jsonl")).expect("the cases");
    let cases = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("a case"));
    cases
        .filter(|case| case["rule_set"] == rule_set)
        .map(|case| {
            let mut line = Line::new(start(&case["fen"]));
            texts(&case["moves"]).iter().for_each(|text| play(&mut line, text));
            Repetition { name: text_of(&case["id"]).to_owned(), line }
        })
        .collect()
}

/// Every position of the real games that stands for the third time or more.
pub(crate) fn games() -> Vec<Repetition> {
    let mut found = Vec::new();
    for (index, game) in unpack("games/masters_uci.txt.gz").lines().enumerate() {
        let moves: Vec<_> = game.split_whitespace().skip(1).collect();
        let start = Xiangqi::start(()).expect("the start position");
        collect(&mut found, &format!("masters-{:04}", index + 1), start, &moves);
    }
    for game in unpack("games/ccpd.jsonl.gz").lines() {
        let game: Value = serde_json::from_str(game).expect("a game");
        let name = text_of(&game["id"]);
        collect(&mut found, name, start(&game["fen"]), &texts(&game["uci"]));
    }
    found
}

fn collect(found: &mut Vec<Repetition>, name: &str, start: Xiangqi, moves: &[&str]) {
    let mut line = Line::new(start);
    for (index, text) in moves.iter().enumerate() {
        play(&mut line, text);
        if line.repetitions() >= 3 {
            let name = format!("{name}, ply {}", index + 1);
            found.push(Repetition { name, line: line.clone() });
        }
    }
}

fn play(line: &mut Line<Xiangqi>, text: &str) {
    let m = line.last().read_move(text, MoveNotation::Uci, Language::En);
    line.play(m.unwrap_or_else(|illegal| panic!("{text}: {}", illegal.message)));
}

fn start(fen: &Value) -> Xiangqi {
    fen::parse(text_of(fen)).unwrap_or_else(|faults| panic!("{fen}: {faults:?}"))
}

fn text_of(value: &Value) -> &str {
    value.as_str().expect("a text")
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().expect("a list").iter().map(text_of).collect()
}

fn unpack(name: &str) -> String {
    let file = fs::File::open(data(name)).expect("the games");
    let mut text = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).expect("a compressed text");
    text
}

fn data(name: &str) -> PathBuf {
    Path::new(HERE).join("../../tests/data/xiangqi").join(name)
}

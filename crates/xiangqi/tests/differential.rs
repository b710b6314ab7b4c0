//! Random play, position by position beside Fairy-Stockfish: another move generator by other authors.

#![allow(clippy::unwrap_used, reason = "a test may stop at bad data")]

mod peer;

use std::collections::{BTreeSet, VecDeque};
use std::io::Write as _;

use game::laws;
use game::notation::Notation as _;
use game::perft::parse_epd;
use game::position::Position as _;
use game::zobrist::KeySource;
use xiangqi::fen;
use xiangqi::position::Xiangqi;
use xiangqi::square::Square;

const POSITIONS: usize = 20_000;
const PLIES: usize = 150;

/// What is said of a position, with ranks counted from 1 as the peer writes them.
#[derive(Debug, Default, PartialEq, Eq)]
struct Answer {
    moves: BTreeSet<String>,
    checkers: BTreeSet<String>,
}

fn name(square: Square) -> String {
    format!("{}{}", char::from(b'a' + square.file()), square.rank() + 1)
}

fn our_answer(position: &Xiangqi) -> Answer {
    let moves = position.legal_moves().into_iter();
    Answer {
        moves: moves.map(|m| format!("{}{}", name(m.from), name(m.to))).collect(),
        checkers: position.checkers().into_iter().map(name).collect(),
    }
}

/// Positions of random games: half of them from the start, the others from positions with fewer men.
fn random_positions() -> Vec<Xiangqi> {
    let data = include_str!("../../../tests/data/xiangqi/perft/xiangqi.epd");
    let starts = parse_epd(data).unwrap().into_iter().map(|counted| fen::parse(counted.fen).unwrap());
    let start = Xiangqi::start(()).unwrap();
    let mut random = KeySource::new(3);
    let mut positions = Vec::new();
    for other in starts.collect::<Vec<_>>().iter().cycle() {
        for from in [&start, other] {
            let choose = |count: usize| usize::try_from(random.draw() % count as u64).unwrap();
            laws::playout(from, PLIES, choose, |position| positions.push(position.clone()));
        }
        if positions.len() >= POSITIONS {
            break;
        }
    }
    positions
}

/// What the peer says. It lists moves in a thread of its own, so that the two kinds of its answers may
/// overlap; each kind comes in the order of the questions.
fn peer_answers(questions: String, count: usize) -> Vec<Answer> {
    let (mut peer, mut input) = peer::start();
    let writer = std::thread::spawn(move || input.write_all(questions.as_bytes()));
    let (mut checkers, mut moves) = (VecDeque::new(), VecDeque::new());
    let mut listed = BTreeSet::new();
    while checkers.len() < count || moves.len() < count {
        let line = peer.line();
        match line.split_once(": ").or(line.split_once(':')) {
            Some(("Checkers", squares)) => {
                checkers.push_back(squares.split_whitespace().map(str::to_owned).collect());
            }
            Some(("Nodes searched", total)) => {
                assert_eq!(total.parse(), Ok(listed.len()));
                moves.push_back(std::mem::take(&mut listed));
            }
            Some((m, "1")) => assert!(listed.insert(m.to_owned()), "{m} is listed twice"),
            _ => {}
        }
    }
    writer.join().unwrap().unwrap();
    moves.into_iter().zip(checkers).map(|(moves, checkers)| Answer { moves, checkers }).collect()
}

#[test]
fn the_peer_lists_the_same_moves_and_checkers() {
    let positions = random_positions();
    let fens = positions.iter().map(|position| {
        let mut fen = String::new();
        position.write_fen(&mut fen);
        fen
    });
    let fens: Vec<_> = fens.collect();
    let questions = fens.iter().map(|fen| format!("position fen {fen}\nd\ngo perft 1\n")).collect();
    let answers = peer_answers(questions, positions.len());
    assert!(answers.len() >= POSITIONS);
    assert!(answers.iter().filter(|answer| !answer.checkers.is_empty()).count() > 100);
    for ((position, fen), theirs) in positions.iter().zip(&fens).zip(answers) {
        assert_eq!(our_answer(position), theirs, "{fen}");
    }
}

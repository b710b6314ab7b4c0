//! The search through its front door, for both games.

#![allow(clippy::unwrap_used, reason = "a test may stop at bad data")]

use std::time::{Duration, Instant};

use analysis::eval::Evaluated;
use analysis::variant::{Question, Variant};
use game::language::Language;
use game::line::Line;
use game::notation::MoveNotation;
use lab::bench;
use search::iterate::search;
use search::limits::{Limits, Request};
use search::memory::Memory;
use search::report::PvLine;
use search::score::Score;
use search::stop::{StopReason, Token};

/// A search to be made, with moves as text.
#[derive(Clone)]
struct Ask<'a> {
    fen: &'a str,
    /// Moves before the search.
    moves: &'a [&'a str],
    limits: Limits,
    multi_pv: usize,
    search_moves: &'a [&'a str],
    exclude_moves: &'a [&'a str],
    /// How often the same memory was used and forgotten before.
    used: usize,
}

/// What came of it.
#[derive(Debug, PartialEq)]
struct Answer {
    lines: Vec<(Score, Vec<String>)>,
    nodes: u64,
    depth: u32,
    reason: Option<StopReason>,
}

impl Ask<'_> {
    fn new(fen: &str, limits: Limits) -> Ask<'_> {
        Ask { fen, moves: &[], limits, multi_pv: 1, search_moves: &[], exclude_moves: &[], used: 0 }
    }
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

impl Question for Ask<'_> {
    type Answer = Answer;

    fn ask<P: Evaluated>(self, _: Variant, style: P::Style) -> Answer {
        let mut line = Line::new(P::parse_fen(self.fen, style).unwrap());
        let read =
            |position: &P, text: &str| position.read_move(text, MoveNotation::Uci, Language::En).unwrap();
        for text in self.moves {
            line.play(read(line.last(), text));
        }
        let all = |texts: &[&str]| texts.iter().map(|text| read(line.last(), text)).collect();
        let request = Request {
            multi_pv: self.multi_pv,
            search_moves: all(self.search_moves),
            exclude_moves: all(self.exclude_moves),
            ..Request::within(self.limits)
        };
        let mut memory = Memory::new(4);
        let ask = |memory: &mut Memory<P>| {
            memory.forget();
            search(&line, &P::Evaluator::default(), memory, &request, &Token::default(), &mut |_| {})
        };
        for _ in 0..self.used {
            ask(&mut memory);
        }
        let report = ask(&mut memory);
        let write = |pv: &PvLine<P::Move>| {
            let mut position = line.last().clone();
            let text = |&m: &P::Move| {
                assert!(position.is_legal(m), "{m:?} in {}", self.fen);
                let text = position.uci(m).to_string();
                position.play_unchecked(m);
                text
            };
            (pv.score, pv.moves.iter().map(text).collect())
        };
        Answer {
            lines: report.lines.iter().map(write).collect(),
            nodes: report.nodes,
            depth: report.depth,
            reason: report.stop_reason,
        }
    }
}

const GAMES: [(Variant, [&str; 6]); 2] = [(Variant::Chess, bench::CHESS), (Variant::Xiangqi, bench::XIANGQI)];

#[test]
fn the_signature_is_known() {
    assert_eq!(bench::signature(Variant::Chess, 9), Ok(CHESS_NODES));
    assert_eq!(bench::signature(Variant::Xiangqi, 9), Ok(XIANGQI_NODES));
}

/// The nodes of `arbiter-lab bench --depth 9`. A change of what the search does changes them, and its
/// commit says so; a change of how it does it does not.
const CHESS_NODES: u64 = 87_582;
const XIANGQI_NODES: u64 = 93_223;

/// Suite, variant, and how many positions are solved at least, at 20,000 nodes each.
const SUITES: [(&str, Variant, usize); 2] = [
    (include_str!("../../../tests/data/chess/suites/wacnew.epd"), Variant::Chess, 210),
    (include_str!("../../../tests/data/xiangqi/suites/mates.epd"), Variant::Xiangqi, 28),
];

#[test]
fn suites_are_solved() {
    for (text, variant, wanted) in SUITES {
        let solved = lab::suite::count_solved(text, variant, 20_000).unwrap();
        assert!(solved >= wanted, "{}: {solved} of {wanted}", variant.name());
    }
}

#[test]
fn nodes_are_never_exceeded() {
    for (variant, fens) in GAMES {
        for fen in fens {
            for limit in [1, 2, 3, 10, 100, 1000, 5000] {
                let answer = variant.ask(Ask::new(fen, nodes(limit)));
                assert!(answer.nodes <= limit, "{} of {limit} nodes: {fen}", answer.nodes);
                assert_eq!(answer.reason, Some(StopReason::Nodes), "{fen}");
                assert!(!answer.lines[0].1.is_empty(), "{fen}");
            }
        }
    }
}

#[test]
fn the_same_question_has_the_same_answer() {
    for (variant, fens) in GAMES {
        for fen in fens {
            let ask = Ask { multi_pv: 3, ..Ask::new(fen, nodes(20_000)) };
            let first = variant.ask(ask.clone());
            for used in [0, 1, 2] {
                assert_eq!(variant.ask(Ask { used, ..ask.clone() }), first, "{fen}");
            }
        }
    }
}

#[test]
fn several_lines_have_different_moves_and_falling_scores() {
    for (variant, fens) in GAMES {
        let answer = variant.ask(Ask { multi_pv: 4, ..Ask::new(fens[1], depth(7)) });
        assert_eq!(answer.lines.len(), 4);
        let scores: Vec<_> = answer.lines.iter().map(|(score, _)| *score).collect();
        let value = |score: &Score| match *score {
            Score::Centipawns(score) => score,
            Score::MateIn(moves) => 100_000 * moves.signum() - moves,
        };
        assert!(scores.is_sorted_by_key(|score| -value(score)), "{scores:?}");
        let mut moves: Vec<_> = answer.lines.iter().map(|(_, pv)| &pv[0]).collect();
        moves.sort_unstable();
        moves.dedup();
        assert_eq!(moves.len(), 4);
        let every = variant.ask(Ask { multi_pv: 500, ..Ask::new(fens[4], depth(2)) });
        assert!(every.lines.len() > 4 && every.depth == 2, "{every:?}");
    }
}

#[test]
fn only_wanted_moves_are_looked_at() {
    for (variant, fens) in GAMES {
        let best = variant.ask(Ask::new(fens[1], depth(5))).lines[0].1[0].clone();
        let without = variant.ask(Ask { exclude_moves: &[&best], ..Ask::new(fens[1], depth(5)) });
        assert_ne!(without.lines[0].1[0], best);
        let only = without.lines[0].1[0].as_str();
        let answer = variant.ask(Ask { search_moves: &[only], multi_pv: 2, ..Ask::new(fens[1], depth(5)) });
        assert_eq!((answer.lines.len(), answer.lines[0].1[0].as_str()), (1, only));
        let none = Ask { search_moves: &[only], exclude_moves: &[only], ..Ask::new(fens[1], depth(5)) };
        let answer = variant.ask(none);
        assert_eq!((answer.lines.len(), answer.reason), (0, Some(StopReason::NoMoves)));
    }
}

/// Game, position, and the mate in moves for the side to move.
const MATES: &[(Variant, &str, i32)] = &[
    (Variant::Chess, "6k1/5ppp/8/8/8/8/8/4R2K w - - 0 1", 1),
    (Variant::Chess, "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
    (Variant::Chess, "r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1", 3),
    (Variant::Xiangqi, "3k5/9/9/9/9/9/9/9/4R4/4KR3 w - - 0 1", 1),
    (Variant::Xiangqi, "2b2Rb2/2ck5/3N5/9/8p/5C3/P7P/9/4K4/2B2A3 w - - 1 61", 3),
];

#[test]
fn mates_are_found_and_counted_in_moves() {
    for &(variant, fen, moves) in MATES {
        let limits = Limits { mate: Some(moves.unsigned_abs()), ..Limits::default() };
        let answer = variant.ask(Ask::new(fen, limits));
        assert_eq!(answer.lines[0].0, Score::MateIn(moves), "{fen}: {answer:?}");
        assert_eq!(answer.reason, Some(StopReason::Mate), "{fen}");
    }
}

#[test]
fn a_mate_that_cannot_be_helped_is_counted_in_moves() {
    let fen = "7k/8/5K2/6Q1/8/8/8/8 b - - 0 1";
    assert_eq!(Variant::Chess.ask(Ask::new(fen, depth(6))).lines[0].0, Score::MateIn(-1));
}

#[test]
fn stalemate_is_a_draw_in_chess_and_lost_in_xiangqi() {
    // Qc7 would be stalemate; the queen mates elsewhere.
    let stalemate = "k7/8/1K6/8/8/8/8/2Q5 w - - 0 1";
    let trap = Ask { search_moves: &["c1c7"], ..Ask::new(stalemate, depth(4)) };
    assert_eq!(Variant::Chess.ask(trap).lines[0].0, Score::Centipawns(0));
    // The soldier takes the last point from the general, which is not in check.
    let stalemate = "3k5/9/4P4/9/9/9/9/9/9/4K4 w - - 0 1";
    let answer = Variant::Xiangqi.ask(Ask::new(stalemate, depth(4)));
    assert_eq!(answer.lines[0].0, Score::MateIn(1), "{answer:?}");
}

#[test]
fn a_third_repetition_is_a_draw() {
    let fen = "7k/8/8/8/8/8/8/KQ6 w - - 0 1";
    let moves = ["b1c1", "h8g8", "c1b1", "g8h8", "b1c1", "h8g8", "c1b1", "g8h8"];
    let ask = Ask { moves: &moves, search_moves: &["b1c1"], ..Ask::new(fen, depth(6)) };
    assert_eq!(Variant::Chess.ask(ask).lines[0].0, Score::Centipawns(0));
}

#[test]
fn perpetual_check_is_no_way_to_draw_in_xiangqi() {
    // Red can only go on checking along e and d; after two rounds the next check loses by the rule.
    let fen = "3k5/9/9/9/9/9/9/9/4R4/5K3 w - - 0 1";
    let moves = ["e1d1", "d9e9", "d1e1", "e9d9", "e1d1", "d9e9", "d1e1", "e9d9"];
    let ask = Ask { moves: &moves, search_moves: &["e1d1"], ..Ask::new(fen, depth(3)) };
    let answer = Variant::Xiangqi.ask(ask);
    assert!(matches!(answer.lines[0].0, Score::Centipawns(score) if score < -20_000), "{answer:?}");
}

#[test]
fn a_search_stops_when_told() {
    struct Stop;
    impl Question for Stop {
        type Answer = (Option<StopReason>, Duration);
        fn ask<P: Evaluated>(self, variant: Variant, style: P::Style) -> Self::Answer {
            let fens = if variant == Variant::Xiangqi { bench::XIANGQI } else { bench::CHESS };
            let line = Line::new(P::parse_fen(fens[1], style).unwrap());
            let token = Token::default();
            std::thread::scope(|scope| {
                let stopper = token.clone();
                let thread = scope.spawn(move || {
                    std::thread::sleep(Duration::from_millis(50));
                    stopper.stop();
                    Instant::now()
                });
                let request = Request::within(Limits::default());
                let mut memory = Memory::new(1);
                let evaluator = P::Evaluator::default();
                let report = search(&line, &evaluator, &mut memory, &request, &token, &mut |_| {});
                (report.stop_reason, thread.join().unwrap().elapsed())
            })
        }
    }
    for (variant, _) in GAMES {
        let (reason, late) = variant.ask(Stop);
        assert_eq!(reason, Some(StopReason::Stopped));
        assert!(late < Duration::from_millis(200), "{late:?}");
    }
}

#[test]
fn a_position_with_very_many_moves_stays_within_the_limits() {
    // 218 legal moves, the most that are known (<https://www.chessprogramming.org/Chess_Position>).
    let moves = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1";
    let answer = Variant::Chess.ask(Ask::new(moves, nodes(3000)));
    assert!((1..=3000).contains(&answer.nodes), "{}", answer.nodes);
}

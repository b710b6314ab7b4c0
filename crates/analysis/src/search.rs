//! Which moves are best here?

use std::time::Duration;

use game::line::Line;
use game::notation::MoveString;
use game::side::Side;
use search::iterate::search as search_line;
use search::limits::{Limits, Request};
use search::memory::Memory;
use search::report::{PvLine, Report};

pub use search::score::{Bound, Score};
pub use search::stop::{StopReason, Token};

use crate::error::{Error, ErrorReason};
use crate::eval::Evaluated;
use crate::limits::{
    DEFAULT_HASH_MIB, MAX_DEPTH, MAX_HASH_MIB, MAX_MATE, MAX_SEARCH_MOVES, at_most, check_move,
};
use crate::repetition::has_lost;
use crate::replay::{Game, bad_move};
use crate::report::{MoveReport, OutcomeReport};
use crate::strength::{Strength, weaken};
use crate::variant::{Question, Variant};

/// A search as it is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SearchQuestion {
    /// The game.
    pub game: Game,
    /// So many plies deep, extensions apart.
    pub depth: Option<u32>,
    /// So many positions, never more.
    pub nodes: Option<u64>,
    /// So much time.
    pub time: Option<Duration>,
    /// A mate in so many moves.
    pub mate: Option<u32>,
    /// How many of the best moves to report; 0 for one.
    pub multi_pv: usize,
    /// Only these moves are looked at; all when empty.
    pub search_moves: Vec<String>,
    /// These moves are not looked at.
    pub exclude_moves: Vec<String>,
    /// The size of the transposition table in MiB; 0 for the default.
    pub hash_mib: usize,
    /// How well to play; as well as it can when it is not said.
    pub strength: Option<Strength>,
}

impl SearchQuestion {
    /// Measures the question, without reading anything in it.
    ///
    /// # Errors
    /// The first limit that is exceeded.
    pub fn check_limits(&self) -> Result<(), Error> {
        self.game.check_limits()?;
        let moves = ("max_search_moves", MAX_SEARCH_MOVES);
        at_most(moves, self.multi_pv, || "multi_pv".to_owned())?;
        for (field, texts) in [("search_moves", &self.search_moves), ("exclude_moves", &self.exclude_moves)] {
            at_most(moves, texts.len(), || field.to_owned())?;
            for (index, text) in texts.iter().enumerate() {
                check_move(text, || format!("{field}[{index}]"))?;
            }
        }
        at_most(("max_hash_mib", MAX_HASH_MIB), self.hash_mib, || "hash_mib".to_owned())?;
        in_range("limits.depth", self.depth, 1, MAX_DEPTH)?;
        in_range("limits.mate", self.mate, 1, MAX_MATE)?;
        let elo = self.strength.map(|strength| strength.elo);
        in_range("strength.elo", elo, Strength::WEAKEST, u32::MAX)
    }
}

/// Refuses a number outside its range.
fn in_range(field: &str, value: Option<u32>, least: u32, most: u32) -> Result<(), Error> {
    let Some(value) = value.filter(|value| !(least..=most).contains(value)) else { return Ok(()) };
    let expected =
        if most == u32::MAX { format!("{least} or more") } else { format!("from {least} to {most}") };
    let message = format!("{value} is out of range; expected {expected}, or 0 for the default");
    Err(Error::new(ErrorReason::ValueOutOfRange, field, message)
        .with("value", value.to_string())
        .with("expected", expected))
}

/// What is known so far, or at the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchReport {
    /// The depth that was finished, or that is under way, in plies.
    pub depth: u32,
    /// The longest line looked at for its exact score, in plies.
    pub seldepth: u32,
    /// The positions looked at.
    pub nodes: u64,
    /// The time since the beginning.
    pub elapsed: Duration,
    /// How full the table is, in per mille.
    pub hashfull_permille: u32,
    /// The best lines, the one to play first.
    pub lines: Vec<LineReport>,
    /// The move to play.
    pub best_move: Option<MoveReport>,
    /// The reply that is expected.
    pub ponder_move: Option<MoveReport>,
    /// Why the search stopped; nothing while it goes on.
    pub stop_reason: Option<StopReason>,
}

/// One of the best lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineReport {
    /// What it is worth to the side to move.
    pub score: Score,
    /// What the score tells of the true one; nothing when that is not known.
    pub bound: Option<Bound>,
    /// The same in centipawns for the first side.
    pub first_side_centipawns: i32,
    /// Win, draw and loss of the side to move, in per mille.
    pub wdl: [u32; 3],
    /// The moves in UCI.
    pub pv: Vec<MoveString>,
    /// The moves as players write them.
    pub pv_text: Vec<MoveString>,
    /// The iteration that found the line, in plies: so deep at most, extensions apart, and up to three plies less
    /// where the move turned out better than was expected. 0 when it was never looked at.
    pub depth: u32,
}

/// What has searched: name, version, and what judges positions.
pub const ENGINE: [&str; 3] = ["arbiter", env!("CARGO_PKG_VERSION"), "tapered hand-made terms"];

/// A centipawn number for a mate, less its length in moves.
const MATE_CENTIPAWNS: i32 = 30_000;

/// Searches for the best moves. `progress` is called each time that something new is known; what is
/// known is written out only when it asks for it.
///
/// # Errors
/// The game itself is wrong or has ended, a move to look at is not legal, none is left, or a limit is
/// exceeded.
pub fn search(
    question: &SearchQuestion,
    token: &Token,
    progress: &mut dyn FnMut(&dyn Fn() -> SearchReport),
) -> Result<SearchReport, Error> {
    question.check_limits()?;
    question.game.variant_or_default().ask(Ask { question, token, progress })
}

struct Ask<'a> {
    question: &'a SearchQuestion,
    token: &'a Token,
    progress: &'a mut dyn FnMut(&dyn Fn() -> SearchReport),
}

impl Question for Ask<'_> {
    type Answer = Result<SearchReport, Error>;

    fn ask<P: Evaluated>(self, variant: Variant, style: P::Style) -> Self::Answer {
        let Self { question, token, progress } = self;
        let game = &question.game;
        let rules = game.rules::<P>(variant)?;
        let line = game.line::<P>(variant, style)?;
        let mut memo = P::Memo::default();
        if let Some(outcome) = P::adjudicate(&line, &rules, &mut memo) {
            let end = OutcomeReport::new::<P>(&outcome, game.language);
            return Err(Error::new(
                ErrorReason::GameOver,
                "game",
                format!("the game is over: {}", end.message),
            )
            .with("termination", outcome.termination.name())
            .with("rule", outcome.rule));
        }
        let mut request = read_request::<P>(question, &line)?;
        request.quiet_rule = Some(line.last().quiet_rule(&rules));
        // An opponent who can claim a win does so.
        let unclaimed = game.rules_unclaimed::<P>(variant)?;
        avoid_losing_by_repetition(&line, &unclaimed, &mut memo, &mut request);
        let weakness =
            question.strength.and_then(|strength| weaken::<P>(strength, &mut request, line.last().key()));
        let mib = if question.hash_mib == 0 { DEFAULT_HASH_MIB } else { question.hash_mib };
        let mut memory = Memory::<P>::new(mib);
        let wanted = question.multi_pv.max(1);
        let report =
            search_line(&line, &P::Evaluator::default(), &mut memory, &request, token, &mut |report| {
                progress(&|| SearchReport::new(&line, &in_order(report.clone()), wanted));
            });
        let report = in_order(report);
        let report = match weakness {
            Some(weakness) => weakness.choose(report),
            None => report,
        };
        Ok(SearchReport::new(&line, &report, wanted))
    }
}

/// Reads what is asked of the search.
fn read_request<P: Evaluated>(question: &SearchQuestion, line: &Line<P>) -> Result<Request<P::Move>, Error> {
    let SearchQuestion { depth, nodes, time, mate, multi_pv, .. } = *question;
    let read = |field: &str, texts: &[String]| {
        let game = &question.game;
        let read = texts.iter().enumerate().map(|(index, text)| {
            let m = line.last().read_move(text, game.notation, game.language);
            m.map_err(|illegal| bad_move(field, index, text, illegal))
        });
        read.collect::<Result<Vec<_>, Error>>()
    };
    let search_moves = read("search_moves", &question.search_moves)?;
    let exclude_moves = read("exclude_moves", &question.exclude_moves)?;
    let limits = Limits { depth, nodes, mate, time, ..Limits::default() };
    let multi_pv = multi_pv.max(1);
    let request = Request { multi_pv, search_moves, exclude_moves, ..Request::within(limits) };
    if !line.last().legal_moves().iter().any(|m| request.wants(m)) {
        let message = "search_moves and exclude_moves leave no move to look at; expected at least one";
        return Err(Error::new(ErrorReason::NoMoveToSearch, "exclude_moves", message));
    }
    Ok(request)
}

/// Leaves out the moves that lose by a ruling on the repetition, at once or with the reply that completes
/// it; not when they are all that may be looked at.
fn avoid_losing_by_repetition<P: Evaluated>(
    line: &Line<P>,
    rules: &P::Rules,
    memo: &mut P::Memo,
    request: &mut Request<P::Move>,
) {
    let position = line.last();
    let moves: Vec<_> = position.legal_moves().into_iter().filter(|m| request.wants(m)).collect();
    let losing: Vec<_> = moves
        .iter()
        .copied()
        .filter(|&m| {
            let after = position.after(m);
            // A reply can only complete a third time where the move leads to a second one.
            line.repetitions_after(&after) >= 2 && loses_by_repetition(line, m, rules, memo)
        })
        .collect();
    if losing.len() < moves.len() {
        request.exclude_moves.extend(losing);
    }
}

fn loses_by_repetition<P: Evaluated>(
    line: &Line<P>,
    m: P::Move,
    rules: &P::Rules,
    memo: &mut P::Memo,
) -> bool {
    let us = line.last().side_to_move();
    let mut played = line.clone();
    played.play(m);
    has_lost(&played, us, rules, memo)
        || played.last().legal_moves().into_iter().any(|reply| {
            let after = played.last().after(reply);
            played.repetitions_after(&after) > 1 && {
                let mut completed = played.clone();
                completed.push(reply, after);
                has_lost(&completed, us, rules, memo)
            }
        })
}

/// Puts the lines in order after the first, those that were never looked at last. A search that is stopped may
/// have found its best line before it looked again at others that had seemed to be better. They are shown as no
/// better, but without a bound: nobody knows.
#[must_use]
pub fn in_order<M>(mut report: Report<M>) -> Report<M> {
    if let Some((best, others)) = report.lines.split_first_mut() {
        others.sort_by_key(|line| (line.depth == 0, -centipawns(line.score)));
        for line in others.iter_mut().filter(|line| line.depth > 0) {
            if centipawns(line.score) > centipawns(best.score) {
                (line.score, line.bound) = (best.score, None);
            }
        }
    }
    report
}

/// A score as one number.
pub(crate) fn centipawns(score: Score) -> i32 {
    match score {
        Score::Centipawns(centipawns) => centipawns,
        Score::MateIn(moves) if moves > 0 => MATE_CENTIPAWNS - moves,
        Score::MateIn(moves) => -MATE_CENTIPAWNS - moves,
    }
}

impl SearchReport {
    /// Writes out what a search has found in the last position of `line`, the best `wanted` lines of it.
    fn new<P: Evaluated>(line: &Line<P>, report: &Report<P::Move>, wanted: usize) -> Self {
        let position = line.last();
        let describe = |position: &P, m| MoveReport::new(position, m, &position.after(m));
        let best_move = report.best_move();
        let after_best = best_move.map(|m| position.after(m));
        let reply = after_best.as_ref().zip(report.ponder_move());
        Self {
            depth: report.depth,
            seldepth: report.lines.iter().map(|line| line.seldepth).max().unwrap_or(0),
            nodes: report.nodes,
            elapsed: report.elapsed,
            hashfull_permille: report.hashfull_permille,
            lines: report.lines.iter().take(wanted).map(|found| LineReport::new(position, found)).collect(),
            best_move: best_move.map(|m| describe(position, m)),
            ponder_move: reply.map(|(after, m)| describe(after, m)),
            stop_reason: report.stop_reason,
        }
    }
}

impl LineReport {
    fn new<P: Evaluated>(position: &P, line: &PvLine<P::Move>) -> Self {
        let mut pv = Vec::with_capacity(line.moves.len());
        let mut pv_text = Vec::with_capacity(line.moves.len());
        let mut position = position.clone();
        let side = position.side_to_move();
        for &m in &line.moves {
            let after = position.after(m);
            let text = position.move_text(m, &after);
            pv.push(text.uci);
            pv_text.push(if text.san.is_empty() { text.chinese } else { text.san });
            position = after;
        }
        let centipawns = centipawns(line.score);
        Self {
            score: line.score,
            bound: line.bound,
            first_side_centipawns: if side == Side::First { centipawns } else { -centipawns },
            wdl: P::WDL.of(line.score),
            pv,
            pv_text,
            depth: line.depth,
        }
    }
}

#[cfg(test)]
mod tests {
    use game::rule_set::RuleSet;

    use crate::game_status::game_status;
    use crate::replay::MoveLimit;

    use super::*;

    fn report(lines: &[(Score, u32, char)]) -> Report<char> {
        let line = |&(score, depth, m)| {
            let bound = (depth > 0).then_some(Bound::Exact);
            PvLine { score, bound, moves: vec![m], depth, seldepth: 1 }
        };
        Report {
            depth: 4,
            lines: lines.iter().map(line).collect(),
            nodes: 1,
            elapsed: Duration::ZERO,
            hashfull_permille: 0,
            stop_reason: Some(StopReason::Nodes),
        }
    }

    #[test]
    fn lines_that_were_not_looked_at_equally_deep_are_put_in_order() {
        let lines = in_order(report(&[
            (Score::Centipawns(30), 5, 'a'),
            (Score::Centipawns(-40), 5, 'b'),
            (Score::MateIn(3), 4, 'c'),
            (Score::Centipawns(50), 0, 'd'),
            (Score::Centipawns(10), 4, 'e'),
        ]))
        .lines;
        let seen: Vec<_> =
            lines.iter().map(|line| (line.moves[0], centipawns(line.score), line.bound)).collect();
        assert_eq!(
            seen,
            [
                ('a', 30, Some(Bound::Exact)),
                ('c', 30, None),
                ('e', 10, Some(Bound::Exact)),
                ('b', -40, Some(Bound::Exact)),
                ('d', 50, None),
            ]
        );
    }

    fn ask(game: Game, nodes: u64) -> SearchReport {
        let multi_pv = MAX_SEARCH_MOVES;
        let question = SearchQuestion { game, nodes: Some(nodes), multi_pv, ..SearchQuestion::default() };
        search(&question, &Token::default(), &mut |_| {}).expect("an answer")
    }

    fn position(variant: Variant, fen: &str, moves: &str) -> Game {
        let moves = moves.split_whitespace().map(str::to_owned).collect();
        Game { variant: Some(variant), initial_fen: fen.to_owned(), moves, ..Game::default() }
    }

    /// The line that begins with a move.
    fn line<'a>(report: &'a SearchReport, m: &str) -> &'a LineReport {
        report.lines.iter().find(|line| line.pv[0].as_str() == m).expect("a line of every move")
    }

    #[test]
    fn nothing_is_told_of_a_move_that_was_never_looked_at() {
        let many = "R4b2/2kp2p1/4pp2/3P4/2q3P1/N3P3/1P3r2/3K2NR w - - 0 21";
        for (fen, nodes) in [("", 10), (many, 300), (many, 603)] {
            let report = ask(position(Variant::Chess, fen, ""), nodes);
            for line in &report.lines {
                assert!(line.depth > 0 || line.bound.is_none(), "{line:?}");
            }
            assert!(nodes > 10 || report.lines.iter().any(|line| line.depth == 0));
        }
        // The queen mates at once: whenever that is known, it is never lost again.
        for nodes in 60..700 {
            let report = ask(position(Variant::Chess, many, ""), nodes);
            let line = line(&report, "a8f8");
            let is_mated = line.score == Score::MateIn(-1);
            assert!(is_mated || line.bound != Some(Bound::Exact), "{nodes}: {line:?}");
        }
    }

    #[test]
    fn a_mate_in_one_needs_no_search() {
        let fen = "4r3/2nkp2p/2p3pb/1n6/2q1P1P1/1b1P4/RPP1B3/3KR3 b - - 0 23";
        let report = ask(position(Variant::Chess, fen, ""), 2);
        let mate = line(&report, "b3c2");
        assert_eq!((mate.score, mate.bound), (Score::MateIn(1), Some(Bound::Exact)));
    }

    #[test]
    fn draws_for_want_of_progress_follow_the_rules_of_the_question() {
        // Checks beyond ten do not count: there is time to take the soldier and to mate.
        let checks = "a0a9 d9d8 a9a8 d8d7 a8a7 d7d8 a7d7 d8e8 d7d8 e8e9 d8d9 e9e8 d9d8 e8e9 d8e8 e9d9 e8e9 \
                      d9d8 e9e8 d8d9 e8e9 d9d8 e9e8 d8d7";
        let game = position(Variant::Xiangqi, "3k5/9/4b4/9/9/9/9/9/4p4/R4K3 w - - 94 50", checks);
        let report = ask(game.clone(), 100_000);
        assert!(matches!(report.lines[0].score, Score::MateIn(moves) if moves > 0), "{report:?}");
        let mut ending = game;
        for m in &report.lines[0].pv {
            let state = game_status(&ending).expect("a status").state;
            assert_eq!(state.outcome, None, "{ending:?}");
            ending.moves.push(m.to_string());
        }
        let outcome = game_status(&ending).expect("a status").state.outcome;
        assert!(outcome.is_some_and(|outcome| outcome.winner == Some(Side::First)), "{ending:?}");
        // An organiser lets ten moves be enough: Red cannot mate in time.
        let fen = "3k5/9/9/9/9/9/9/4B4/R8/3AKA3 b - - 18 80";
        let limit = |material: &str, moves| vec![MoveLimit { material: material.to_owned(), moves }];
        let game = Game { move_limits: limit("", 10), ..position(Variant::Xiangqi, fen, "") };
        assert_eq!(ask(game, 20_000).lines[0].score, Score::Centipawns(0));
        assert!(matches!(ask(position(Variant::Xiangqi, fen, ""), 20_000).lines[0].score, Score::MateIn(-2)));
        // An organiser gives rook and bishop against rook a hundred moves.
        let game = position(Variant::Chess, "3k4/8/2RK4/3B4/8/8/8/r7 w - - 120 80", "");
        let game = Game { rule_set: Some(RuleSet::Classic), ..game };
        assert_eq!(ask(game.clone(), 20_000).lines[0].score, Score::Centipawns(0));
        let longer = ask(Game { move_limits: limit("KRBKR", 100), ..game }, 20_000);
        assert_ne!(longer.lines[0].score, Score::Centipawns(0));
    }

    #[test]
    fn a_mate_comes_before_the_draw_or_is_none() {
        let too_late = ["8/8/4K3/8/8/3R4/8/2k5 w - - 85 1", "1R6/8/6k1/3K4/8/8/8/8 w - - 82 1"];
        let in_time = ["7k/8/5K2/8/8/8/8/6Q1 w - - 96 80", "7k/8/5K2/8/8/8/8/6Q1 w - - 94 80"];
        let mut mates = 0;
        for fen in [too_late, in_time].concat() {
            let clock: u32 = fen.split(' ').nth(4).expect("a clock").parse().expect("a number");
            for nodes in [10_000, 100_000] {
                for line in ask(position(Variant::Chess, fen, ""), nodes).lines {
                    if let (Score::MateIn(moves), Some(Bound::Exact)) = (line.score, line.bound) {
                        let plies = 2 * moves.unsigned_abs() - u32::from(moves > 0);
                        assert!(clock + plies <= 100, "{nodes} nodes: {line:?}");
                        mates += 1;
                    }
                }
            }
        }
        assert!(mates > 0);
    }

    #[test]
    fn a_claim_of_a_draw_can_come_too_late() {
        let report = ask(position(Variant::Chess, "r5k1/8/8/8/8/8/5PPP/6K1 w - - 99 80", ""), 5_000);
        assert_eq!(line(&report, "g1h1").score, Score::MateIn(-1), "{report:?}");
        assert_eq!(report.lines[0].score, Score::Centipawns(0));
        // Without a legal move Black has lost, and nobody claims any more.
        let fen = "4k4/9/3R5/9/9/9/9/9/9/5K3 w - - 119 80";
        let report = ask(position(Variant::Xiangqi, fen, ""), 5_000);
        assert_eq!(line(&report, "d7d8").score, Score::MateIn(1), "{report:?}");
    }

    #[test]
    fn no_move_lets_the_opponent_claim_a_win() {
        let fen = "4kab2/4a4/4b4/c3C1p1R/8P/2B6/9/3AB1p2/1pr1A4/4K4 w - - 0 1";
        let moves = "e6c6 c1d1 c6d6 d1c1 d6c6 c1d1 c6d6 d1c1";
        for rule_on_claim in [false, true] {
            let game = position(Variant::Xiangqi, fen, moves);
            let game = Game { rule_set: Some(RuleSet::Axf), rule_on_claim, ..game };
            let best = ask(game, 20_000).best_move.expect("a move");
            assert_ne!(best.text.uci.as_str(), "d6c6", "rule_on_claim {rule_on_claim}");
        }
    }

    #[test]
    fn a_line_goes_on_to_its_mate() {
        let of_wac = [
            ("r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1", 50_000),
            ("2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1", 200_000),
        ];
        for (fen, nodes) in of_wac {
            let report = ask(position(Variant::Chess, fen, ""), nodes);
            let line = &report.lines[0];
            let Score::MateIn(moves) = line.score else { panic!("no mate: {line:?}") };
            assert_eq!(line.pv.len(), 2 * moves.unsigned_abs() as usize - 1, "{line:?}");
        }
    }

    #[test]
    fn stalemate_is_seen_at_once() {
        let report = ask(position(Variant::Chess, "8/R3P3/2B5/8/5Q2/6Pk/8/5K2 w - - 11 50", ""), 1_000);
        let trap = line(&report, "f1g1");
        assert_eq!((trap.score, trap.depth > 0), (Score::Centipawns(0), true), "{trap:?}");
    }

    #[test]
    fn a_lost_move_is_not_played_while_others_are_unknown() {
        // So many captures that a look at each move takes many positions; the first that are looked at lose.
        let fen = "qqqqqqqq/q3k3/8/8/8/8/Q3K3/QQQQQQQQ w - - 0 1";
        let is_lost = |line: &LineReport| matches!(line.score, Score::MateIn(..0));
        let mut times = 0;
        for nodes in (1..=20).map(|step| step * 20_000) {
            for strength in [None, Some(Strength { elo: 2799, seed: 1 })] {
                let game = position(Variant::Chess, fen, "");
                let multi_pv = MAX_SEARCH_MOVES;
                let question = SearchQuestion {
                    nodes: Some(nodes),
                    multi_pv,
                    strength,
                    game,
                    ..SearchQuestion::default()
                };
                let report = search(&question, &Token::default(), &mut |_| {}).expect("a search");
                let (known, unknown): (Vec<_>, Vec<_>) = report.lines.iter().partition(|line| line.depth > 0);
                if !unknown.is_empty() && known.iter().all(|line| is_lost(line)) {
                    assert_eq!(report.lines[0].depth, 0, "{nodes} nodes: {:?}", report.lines[0]);
                    times += usize::from(!known.is_empty());
                }
                assert!(unknown.is_empty() || !is_lost(&report.lines[0]), "{nodes} nodes");
            }
        }
        assert!(times > 0, "it never came to that");
    }

    #[test]
    fn the_greatest_depth_can_be_reached() {
        let game = position(Variant::Chess, "6k1/5ppp/8/8/8/8/8/4R2K w - - 0 1", "");
        // After the only move to look at there is none.
        let (depth, search_moves) = (Some(MAX_DEPTH), vec!["e1e8".to_owned()]);
        let question = SearchQuestion { game, depth, search_moves, ..SearchQuestion::default() };
        let report = search(&question, &Token::default(), &mut |_| {}).expect("an answer");
        assert_eq!((report.depth, report.stop_reason), (MAX_DEPTH, Some(StopReason::Depth)));
    }
}

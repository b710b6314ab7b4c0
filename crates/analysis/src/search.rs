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
    /// The longest line looked at, in plies.
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
    /// What the score tells of the true one.
    pub bound: Bound,
    /// The same in centipawns for the first side.
    pub first_side_centipawns: i32,
    /// Win, draw and loss of the side to move, in per mille.
    pub wdl: [u32; 3],
    /// The moves in UCI.
    pub pv: Vec<MoveString>,
    /// The moves as players write them.
    pub pv_text: Vec<MoveString>,
    /// How deep the line was searched, in plies.
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
        avoid_losing_by_repetition(&line, &rules, &mut memo, &mut request);
        let weakness =
            question.strength.and_then(|strength| weaken(strength, &mut request, line.last().key()));
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
    let is_left =
        |m: &P::Move| (search_moves.is_empty() || search_moves.contains(m)) && !exclude_moves.contains(m);
    if !line.last().legal_moves().iter().any(is_left) {
        let message = "search_moves and exclude_moves leave no move to look at; expected at least one";
        return Err(Error::new(ErrorReason::NoMoveToSearch, "exclude_moves", message));
    }
    let limits = Limits { depth, nodes, mate, time, time_to_begin: None };
    Ok(Request { limits, multi_pv: multi_pv.max(1), search_moves, exclude_moves })
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
    let moves: Vec<_> = position
        .legal_moves()
        .into_iter()
        .filter(|m| request.search_moves.is_empty() || request.search_moves.contains(m))
        .filter(|m| !request.exclude_moves.contains(m))
        .collect();
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

/// Puts the lines in order. A search that is stopped among them has looked deeper at the first ones, and at some
/// perhaps never alone. The best line was found among all moves, so the others are worth no more.
fn in_order<M>(mut report: Report<M>) -> Report<M> {
    if let Some((best, others)) = report.lines.split_first_mut() {
        others.sort_by_key(|line| (line.depth == 0, -centipawns(line.score)));
        let mut most = best.score;
        for line in others {
            if centipawns(line.score) > centipawns(most) {
                (line.score, line.bound) = (most, Bound::Upper);
            }
            most = line.score;
        }
    }
    report
}

/// A score as one number.
fn centipawns(score: Score) -> i32 {
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
    use super::*;

    #[test]
    fn lines_that_were_not_looked_at_equally_deep_are_put_in_order() {
        let line =
            |score, depth, m| PvLine { score, bound: Bound::Exact, moves: vec![m], depth, seldepth: 1 };
        let report = Report {
            depth: 4,
            lines: vec![
                line(Score::Centipawns(30), 5, 'a'),
                line(Score::Centipawns(-40), 5, 'b'),
                line(Score::MateIn(3), 4, 'c'),
                line(Score::Centipawns(50), 0, 'd'),
                line(Score::Centipawns(10), 4, 'e'),
            ],
            nodes: 1,
            elapsed: Duration::ZERO,
            hashfull_permille: 0,
            stop_reason: Some(StopReason::Nodes),
        };
        let lines = in_order(report).lines;
        let seen: Vec<_> =
            lines.iter().map(|line| (line.moves[0], centipawns(line.score), line.bound)).collect();
        assert_eq!(
            seen,
            [
                ('a', 30, Bound::Exact),
                ('c', 30, Bound::Upper),
                ('e', 10, Bound::Exact),
                ('b', -40, Bound::Exact),
                ('d', -40, Bound::Upper),
            ]
        );
    }
}

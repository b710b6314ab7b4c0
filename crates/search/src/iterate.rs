//! Deeper and deeper, until told to stop
//! (<https://www.chessprogramming.org/Iterative_Deepening>).

use std::time::Duration;

use game::line::Line;
use game::tactics::{Path, Tactics};

use crate::alphabeta::{Node, Progress};
use crate::evaluator::Evaluator;
use crate::limits::{Limits, Request};
use crate::memory::Memory;
use crate::report::{PvLine, Report};
use crate::score::{Bound, INFINITY, MAX_PLY, Score};
use crate::searcher::Searcher;
use crate::stop::{Control, StopReason, Token};
use crate::style::{self, WON};

/// Half the width of the first window around the last score, in centipawns
/// (<https://www.chessprogramming.org/Aspiration_Windows>).
const WINDOW: i32 = 16;

/// A move at the root.
#[derive(Debug, Clone)]
struct RootMove<M> {
    m: M,
    /// The score in this iteration, or below every score.
    score: i32,
    /// The score in the last iteration.
    last_score: i32,
    bound: Bound,
    pv: Vec<M>,
    depth: u32,
    seldepth: u32,
    nodes: u64,
}

/// Searches for the best moves at the end of a line. `progress` is told of each line that is new, and
/// more often than a reader may want to know.
///
/// The same question with a forgotten memory of the same size gives the same answer, unless time
/// stops it.
pub fn search<P: Tactics, E: Evaluator<P>>(
    line: &Line<P>,
    evaluator: &E,
    memory: &mut Memory<P>,
    request: &Request<P::Move>,
    token: &Token,
    progress: &mut dyn FnMut(&Report<P::Move>),
) -> Report<P::Move> {
    let root = line.last();
    memory.table.grow_older();
    let control = Control::new(&request.limits, token);
    let mut searcher = Searcher::new(root, Path::of_game(line), evaluator, memory, control);
    searcher.is_careful = request.limits.mate.is_some();
    let moves = root_moves(root, request);
    let count = request.multi_pv.clamp(1, moves.len().max(1));
    let limits = request.limits;
    let mut iteration = Iteration { searcher, root, moves, count, limits, depth: 0, finished: 0 };
    let reason = iteration.deepen(progress);
    iteration.report(Some(reason))
}

/// The moves to look at, noisy ones that promise most first.
fn root_moves<P: Tactics>(root: &P, request: &Request<P::Move>) -> Vec<RootMove<P::Move>> {
    let mut moves: Vec<_> = root.legal_moves().into_iter().collect();
    moves.retain(|m| {
        (request.search_moves.is_empty() || request.search_moves.contains(m))
            && !request.exclude_moves.contains(m)
    });
    moves.sort_by_key(|&m| -root.gain(m));
    let root_move = |m| RootMove {
        m,
        score: -INFINITY,
        last_score: -INFINITY,
        bound: Bound::Exact,
        pv: vec![m],
        depth: 0,
        seldepth: 0,
        nodes: 0,
    };
    moves.into_iter().map(root_move).collect()
}

/// One iteration after the other.
struct Iteration<'a, P: Tactics, E: Evaluator<P>> {
    searcher: Searcher<'a, P, E>,
    root: &'a P,
    moves: Vec<RootMove<P::Move>>,
    /// How many lines are wanted.
    count: usize,
    limits: Limits,
    depth: u32,
    finished: u32,
}

impl<P: Tactics, E: Evaluator<P>> Iteration<'_, P, E> {
    fn deepen(&mut self, progress: &mut dyn FnMut(&Report<P::Move>)) -> StopReason {
        if self.moves.is_empty() {
            return StopReason::NoMoves;
        }
        while self.depth < self.deepest() {
            self.depth += 1;
            for root_move in &mut self.moves {
                root_move.last_score = root_move.score;
            }
            for rank in 0..self.count {
                self.aspire(rank);
                self.moves[..=rank].sort_by_key(|root_move| -root_move.score);
                if let Some(reason) = self.searcher.control.reason() {
                    return reason;
                }
                progress(&self.report(None));
            }
            self.finished = self.depth;
            if self.has_found_mate() {
                return StopReason::Mate;
            }
            if self.searcher.control.must_stop() || self.is_time_to_end() {
                return self.searcher.control.reason().unwrap_or(StopReason::Time);
            }
        }
        StopReason::Depth
    }

    /// The last iteration. A mate in `n` moves is looked for somewhat deeper than it is long.
    fn deepest(&self) -> u32 {
        let longest = u32::try_from(MAX_PLY - 1).unwrap_or(u32::MAX);
        let of_mate = self.limits.mate.map_or(longest, |moves| moves.saturating_mul(2).saturating_add(8));
        self.limits.depth.unwrap_or(of_mate).clamp(1, longest)
    }

    fn has_found_mate(&self) -> bool {
        self.limits.mate.is_some_and(|wanted| {
            matches!(Score::of(self.moves[0].score), Score::MateIn(moves)
                if moves > 0 && moves.unsigned_abs() <= wanted)
        })
    }

    /// Whether another iteration would take too long. A best move that took most of the work is likely
    /// to stay the best.
    fn is_time_to_end(&self) -> bool {
        let Some(time) = self.limits.time_to_begin else { return false };
        let nodes = self.searcher.control.nodes().max(1);
        let others = 1000 - self.moves[0].nodes * 1000 / nodes;
        let permille = (400 + others * 2).clamp(500, 1600);
        let time = time.saturating_mul(u32::try_from(permille).unwrap_or(1000)) / 1000;
        self.moves.len() == 1 || self.searcher.control.elapsed() >= time.max(Duration::from_millis(1))
    }

    /// Searches for the move of a rank with a window around its last score, and widens it until the
    /// score is inside.
    fn aspire(&mut self, rank: usize) {
        let guess = self.moves[rank].last_score;
        let mut width = WINDOW;
        let (mut alpha, mut beta) = (-INFINITY, INFINITY);
        self.searcher.style = if guess >= WON { &style::MATE } else { &style::PLAY };
        // Scores of decided games leap: no window would hold them.
        if self.depth >= 4 && guess.abs() < WON {
            (alpha, beta) = (guess - width, guess + width);
        }
        let depth = i32::try_from(self.depth).unwrap_or(1);
        let mut reduction = 0;
        loop {
            self.searcher.seldepth = 0;
            let score = self.search_root(rank, (depth - reduction).max(1), alpha, beta);
            self.moves[rank..].sort_by_key(|root_move| -root_move.score);
            if self.searcher.control.is_stopped() {
                return;
            }
            if score <= alpha {
                beta = i32::midpoint(alpha, beta);
                alpha = (score - width).max(-INFINITY);
                reduction = 0;
            } else if score >= beta {
                beta = (score + width).min(INFINITY);
                reduction = (reduction + 1).min(3);
            } else {
                return;
            }
            width += width / 2;
            if width > 1000 || score.abs() >= WON {
                (alpha, beta) = (-INFINITY, INFINITY);
            }
        }
    }

    /// Looks at the root moves from a rank on.
    fn search_root(&mut self, rank: usize, depth: i32, alpha: i32, beta: i32) -> i32 {
        let node = Node { ply: 0, depth, alpha, beta, is_pv: true, is_cut: false, was_pv: true };
        let finding = self.searcher.memory.table.probe(self.root.key());
        let judgement = if self.root.is_check() {
            self.searcher.judge_check(0)
        } else {
            self.searcher.judge(self.root, 0, finding.as_ref())
        };
        let mut progress = Progress::from(alpha);
        for index in rank..self.moves.len() {
            progress.count += 1;
            let m = self.moves[index].m;
            let trial = self.searcher.trial(self.root, m, &node);
            let nodes = self.searcher.control.nodes();
            let score = self.searcher.try_move(self.root, &node, &judgement, &progress, &trial);
            self.moves[index].nodes += self.searcher.control.nodes() - nodes;
            if self.searcher.control.is_stopped() {
                return score;
            }
            self.note_score(index, &mut progress, score, beta);
            if progress.alpha >= beta {
                self.searcher.reward(self.root, &node, &progress, &trial);
                break;
            }
            progress.note_tried(&trial);
        }
        let bound = match progress.best {
            best if best >= beta => Bound::Lower,
            best if best > alpha => Bound::Exact,
            _ => Bound::Upper,
        };
        if rank == 0 {
            let code = progress.best_move.map_or(0, P::encode);
            self.searcher.keep(self.root, &node, code, progress.best, bound, &judgement);
        }
        progress.best
    }

    /// Notes the score of a root move. Moves that did not become the best get no score: they are only
    /// known to be worse.
    fn note_score(&mut self, index: usize, progress: &mut Progress<P::Move>, score: i32, beta: i32) {
        let root_move = &mut self.moves[index];
        progress.best = progress.best.max(score);
        if progress.count > 1 && score <= progress.alpha {
            root_move.score = -INFINITY;
            return;
        }
        root_move.score = score;
        root_move.depth = self.depth;
        root_move.seldepth = u32::try_from(self.searcher.seldepth).unwrap_or(u32::MAX);
        root_move.bound = Bound::Upper;
        if score > progress.alpha {
            root_move.bound = if score >= beta { Bound::Lower } else { Bound::Exact };
            root_move.pv.truncate(1);
            root_move.pv.extend_from_slice(self.searcher.pv.line(1));
            progress.alpha = score;
            progress.best_move = Some(root_move.m);
        }
    }

    fn report(&self, stop_reason: Option<StopReason>) -> Report<P::Move> {
        let lines = self.moves.iter().take(self.count).map(|root_move| self.line(root_move)).collect();
        let control = &self.searcher.control;
        Report {
            depth: if stop_reason.is_some() { self.finished } else { self.depth },
            lines,
            nodes: control.nodes(),
            elapsed: control.elapsed(),
            hashfull_permille: self.searcher.memory.table.used_permille(),
            stop_reason,
        }
    }

    /// A root move as a line. One that was never looked at is worth what the root is worth at a glance.
    fn line(&self, root_move: &RootMove<P::Move>) -> PvLine<P::Move> {
        let known = [root_move.score, root_move.last_score].into_iter().find(|&score| score > -INFINITY);
        PvLine {
            score: Score::of(known.unwrap_or_else(|| self.searcher.evaluate(self.root, 0))),
            bound: root_move.bound,
            moves: root_move.pv.clone(),
            depth: root_move.depth,
            seldepth: root_move.seldepth,
        }
    }
}

//! Deeper and deeper, until told to stop
//! (<https://www.chessprogramming.org/Iterative_Deepening>).

use std::time::Duration;

use game::line::Line;
use game::tactics::{Path, QuietRule, Tactics};

use crate::aim::{WON, aim};
use crate::alphabeta::{Node, Progress};
use crate::evaluator::Evaluator;
use crate::limits::{Limits, MAX_DEPTH, Request};
use crate::mates;
use crate::memory::Memory;
use crate::quiet::Quiet;
use crate::report::{PvLine, Report};
use crate::root::{Found, RootMove, root_moves};
use crate::score::{Bound, INFINITY, Score, is_decided};
use crate::searcher::Searcher;
use crate::stop::{Control, StopReason, Token};

/// Half the width of the first window around the last score, in centipawns
/// (<https://www.chessprogramming.org/Aspiration_Windows>).
const WINDOW: i32 = 16;

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
    let usual = || P::rules(P::DEFAULT_RULE_SET).map(|rules| root.quiet_rule(&rules));
    let quiet = request.quiet_rule.or_else(usual).unwrap_or(QuietRule::NONE);
    let quiet = Quiet::from(quiet);
    let searcher = Searcher::new(root, Path::of_game(line), evaluator, memory, control, quiet);
    let moves = root_moves(root, request);
    let count = request.multi_pv.clamp(1, moves.len().max(1));
    let limits = request.limits;
    let mut deepening = Deepening { searcher, root, moves, count, limits, depth: 0, finished: 0 };
    let reason = deepening.run(progress);
    deepening.final_report(reason)
}

/// One iteration after the other.
struct Deepening<'a, P: Tactics, E: Evaluator<P>> {
    searcher: Searcher<'a, P, E>,
    root: &'a P,
    moves: Vec<RootMove<P::Move>>,
    /// How many lines are wanted.
    count: usize,
    limits: Limits,
    depth: u32,
    finished: u32,
}

impl<P: Tactics, E: Evaluator<P>> Deepening<'_, P, E> {
    fn run(&mut self, progress: &mut dyn FnMut(&Report<P::Move>)) -> StopReason {
        if self.moves.is_empty() {
            return StopReason::NoMoves;
        }
        while self.depth < self.deepest() {
            self.depth += 1;
            for root_move in &mut self.moves {
                root_move.begin_iteration();
            }
            for rank in 0..self.count {
                self.aspire(rank);
                self.moves[..=rank].sort_by_key(|root_move| -root_move.score());
                if let Some(reason) = self.searcher.control.reason() {
                    return reason;
                }
                progress(&self.report(None));
            }
            self.finished = self.depth;
            if self.has_found_mate() {
                return StopReason::Mate;
            }
            if self.has_looked_enough() {
                return StopReason::Nodes;
            }
            if self.searcher.control.must_stop() || self.is_time_to_end() {
                return self.searcher.control.reason().unwrap_or(StopReason::Time);
            }
        }
        StopReason::Depth
    }

    /// The last iteration. A mate in `n` moves is looked for somewhat deeper than it is long.
    fn deepest(&self) -> u32 {
        let of_mate = self.limits.mate.map_or(MAX_DEPTH, |moves| moves.saturating_mul(2).saturating_add(8));
        self.limits.depth.unwrap_or(of_mate).clamp(1, MAX_DEPTH)
    }

    fn has_found_mate(&self) -> bool {
        self.limits.mate.is_some_and(|wanted| {
            matches!(Score::of(self.moves[0].score()), Score::MateIn(moves)
                if moves > 0 && moves.unsigned_abs() <= wanted)
        })
    }

    /// Whether so many positions have been looked at that no other iteration is to begin.
    fn has_looked_enough(&self) -> bool {
        self.limits.nodes_to_begin.is_some_and(|nodes| self.searcher.control.nodes() >= nodes)
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
        let guess = self.moves[rank].last_score();
        let mut width = WINDOW;
        let (mut alpha, mut beta) = (-INFINITY, INFINITY);
        self.searcher.aim = aim(&self.limits, guess);
        // Scores of decided games leap: no window would hold them.
        if self.depth >= 4 && guess.abs() < WON {
            (alpha, beta) = (guess - width, guess + width);
        }
        let depth = i32::try_from(self.depth).unwrap_or(1);
        let mut reduction = 0;
        loop {
            self.searcher.seldepth = 0;
            let score = self.search_root(rank, (depth - reduction).max(1), alpha, beta);
            self.moves[rank..].sort_by_key(|root_move| -root_move.score());
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
        let finding = self.searcher.probe(self.root);
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
            let score = match self.moves[index].ending {
                Some(score) => score,
                None => self.searcher.try_move(self.root, &node, &judgement, &progress, &trial),
            };
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

    /// Notes the score of a root move. Moves that did not become the best are only known to be worse.
    fn note_score(&mut self, index: usize, progress: &mut Progress<P::Move>, score: i32, beta: i32) {
        let root_move = &mut self.moves[index];
        progress.best = progress.best.max(score);
        let is_better = score > progress.alpha;
        let mut pv = vec![root_move.m];
        if is_better && root_move.ending.is_none() {
            pv.extend_from_slice(self.searcher.pv.line(1));
        }
        let bound = match is_better {
            true if score >= beta => Bound::Lower,
            true => Bound::Exact,
            false => Bound::Upper,
        };
        let seldepth = u32::try_from(self.searcher.seldepth).unwrap_or(u32::MAX).max(1);
        let found = Found { score, bound, pv, depth: self.depth, seldepth };
        root_move.note(found, progress.count == 1);
        if is_better {
            progress.alpha = score;
            progress.best_move = Some(root_move.m);
        }
    }

    /// The best lines as they are known now.
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

    /// The last report: mates are shown to their end.
    fn final_report(&mut self, reason: StopReason) -> Report<P::Move> {
        self.prefer_unknown();
        let mut report = self.report(Some(reason));
        mates::complete(&mut self.searcher, self.root, &mut report.lines);
        report
    }

    /// A move that is known to lose is no answer while there are others that were never looked at.
    fn prefer_unknown(&mut self) {
        let best = self.moves.first().and_then(RootMove::known);
        let is_lost = best.is_some_and(|found| found.score < 0 && is_decided(found.score));
        if is_lost && let Some(index) = self.moves.iter().position(|root_move| root_move.known().is_none()) {
            self.moves[..=index].rotate_right(1);
        }
    }

    /// A root move as a line. One that was never looked at is worth what the root is worth at a glance.
    fn line(&self, root_move: &RootMove<P::Move>) -> PvLine<P::Move> {
        match root_move.known() {
            Some(Found { score, bound, pv, depth, seldepth }) => {
                PvLine { score: Score::of(score), bound: Some(bound), moves: pv, depth, seldepth }
            }
            None => PvLine {
                score: Score::of(self.searcher.evaluate(self.root, 0)),
                bound: None,
                moves: vec![root_move.m],
                depth: 0,
                seldepth: 0,
            },
        }
    }
}

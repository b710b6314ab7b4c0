//! What is left when the depth is used up: noisy moves until none is worth making
//! (<https://www.chessprogramming.org/Quiescence_Search>). In check, every move is looked at; quiet
//! checks are looked at by the first plies.

use game::tactics::Tactics;

use crate::alphabeta::{Node, cutoff};
use crate::evaluator::Evaluator;
use crate::ordering::Picker;
use crate::pruning;
use crate::score::{Bound, INFINITY, MAX_PLY, is_decided, is_ruled, mated, narrow, to_table};
use crate::searcher::{DRAW, Judgement, Searcher};
use crate::table::Finding;

impl<P: Tactics, E: Evaluator<P>> Searcher<'_, P, E> {
    /// The score of a position by noisy moves alone.
    pub(crate) fn quiescence(&mut self, position: &P, mut node: Node) -> i32 {
        if self.control.tick() {
            return DRAW;
        }
        self.enter(&node);
        let standing = self.standing(position, node.ply);
        if let Some(score) = self.settled(position, node.ply).or(standing.settled) {
            return score;
        }
        if node.ply >= MAX_PLY {
            return if position.is_check() { DRAW } else { self.evaluate(position, node.ply) };
        }
        let finding = self.probe(position);
        if !node.is_pv
            && let Some(score) = finding.and_then(|finding| cutoff(&finding, &node))
        {
            return score;
        }
        let is_check = position.is_check();
        let judgement = if is_check {
            self.judge_check(node.ply)
        } else {
            self.judge(position, node.ply, finding.as_ref())
        };
        let stand_pat = if is_check { standing.floor } else { judgement.estimate.max(standing.floor) };
        if stand_pat >= node.beta {
            if finding.is_none() {
                self.keep(position, &node, 0, stand_pat, Bound::Lower, &judgement);
            }
            return stand_pat;
        }
        let alpha = node.alpha;
        node.alpha = alpha.max(stand_pat);
        let code = finding.map_or(0, |finding| finding.code);
        let (best, best_move) = self.try_noisy_moves(position, node, code, stand_pat);
        if self.control.is_stopped() {
            return DRAW;
        }
        let bound = if best >= node.beta { Bound::Lower } else { Bound::Upper };
        self.keep(position, &node, best_move.map_or(0, P::encode), best, bound, &judgement);
        best
    }

    /// Looks at the moves of a quiescent position; the best score and its move.
    fn try_noisy_moves(
        &mut self,
        position: &P,
        mut node: Node,
        code: u16,
        stand_pat: i32,
    ) -> (i32, Option<P::Move>) {
        let is_check = position.is_check();
        let (mut best, mut best_move) = (stand_pat, None);
        let table_move = position.decode(code).filter(|&m| is_check || position.is_noisy(m));
        let rows = self.rows(node.ply);
        let mut picker = if is_check {
            Picker::all(table_move, [None; 2], rows, self.aim.check_bonus)
        } else if node.depth > -self.aim.quiet_check_plies {
            Picker::noisy_and_checks(table_move, rows)
        } else {
            Picker::noisy(table_move, rows, 0)
        };
        while let Some(m) = picker.next(position, &self.memory.histories) {
            if !is_decided(best) {
                // One evasion that holds is enough to know that this is no mate.
                if is_check {
                    picker.skip_quiets();
                } else if stand_pat + pruning::DELTA + position.gain(m) <= node.alpha
                    && !position.gives_check(m)
                {
                    best = best.max(stand_pat + pruning::DELTA + position.gain(m));
                    continue;
                }
            }
            let after = self.play(position, m, node.ply);
            let child = Node { depth: node.depth - 1, ..node.child(-node.beta, -node.alpha) };
            let score = -self.quiescence(&after, child);
            self.take_back();
            if self.control.is_stopped() {
                return (DRAW, None);
            }
            if score > best {
                best = score;
                if score > node.alpha {
                    node.alpha = score;
                    best_move = Some(m);
                    if node.is_pv {
                        self.pv.extend(node.ply, m);
                    }
                    if score >= node.beta {
                        break;
                    }
                }
            }
        }
        if is_check && best == -INFINITY { (mated(node.ply), None) } else { (best, best_move) }
    }

    /// Keeps what was found out about a position, unless it depends on the path.
    pub(crate) fn keep(
        &mut self,
        position: &P,
        node: &Node,
        code: u16,
        score: i32,
        bound: Bound,
        judgement: &Judgement,
    ) {
        if is_ruled(score) {
            return;
        }
        let finding = Finding {
            code,
            score: narrow(to_table(score, node.ply)),
            evaluation: judgement.raw,
            depth: u8::try_from(node.depth.max(0)).unwrap_or(u8::MAX),
            bound: Some(bound),
            was_pv: node.was_pv,
        };
        self.memory.table.store(self.key(position), finding);
    }
}

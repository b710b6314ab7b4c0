//! The search of one node: bounds, table, pruning, moves
//! (<https://www.chessprogramming.org/Alpha-Beta>).

use arrayvec::ArrayVec;
use game::tactics::Tactics;

use crate::evaluator::Evaluator;
use crate::history;
use crate::ordering::Picker;
use crate::pruning;
use crate::quiet::without_moves;
use crate::score::{Bound, INFINITY, MATE, MAX_PLY, distance, from_table, is_decided, is_mate, mated};
use crate::searcher::{DRAW, Judgement, Searcher};
use crate::table::Finding;

/// A node to be searched.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node {
    /// Plies from the root.
    pub(crate) ply: usize,
    /// Plies to go.
    pub(crate) depth: i32,
    /// A score up to this is of no interest.
    pub(crate) alpha: i32,
    /// The opponent does not allow a score from this on.
    pub(crate) beta: i32,
    /// The exact score is wanted, and not only on which side of alpha it lies.
    pub(crate) is_pv: bool,
    /// The score is expected to be beta or more.
    pub(crate) is_cut: bool,
    /// The node is or was on the principal variation.
    pub(crate) was_pv: bool,
}

impl Node {
    /// The next node, with the same purpose and no depth.
    #[inline]
    pub(crate) fn child(&self, alpha: i32, beta: i32) -> Node {
        Node { ply: self.ply + 1, depth: 0, alpha, beta, was_pv: self.is_pv, ..*self }
    }

    /// The next node, to see whether its score is above `alpha` for this side.
    #[inline]
    fn probe(&self, depth: i32, alpha: i32, is_cut: bool) -> Node {
        let ply = self.ply + 1;
        Node { ply, depth, alpha: -alpha - 1, beta: -alpha, is_pv: false, is_cut, was_pv: false }
    }
}

/// What the moves tried so far came to.
pub(crate) struct Progress<M> {
    /// The best score.
    pub(crate) best: i32,
    /// The move that raised alpha last.
    pub(crate) best_move: Option<M>,
    /// Alpha, as the moves have raised it.
    pub(crate) alpha: i32,
    /// How many moves there were, the ones left out included.
    pub(crate) count: u32,
    quiets: ArrayVec<M, 48>,
    noisies: ArrayVec<M, 24>,
}

impl<M: Copy> Progress<M> {
    pub(crate) fn from(alpha: i32) -> Self {
        Self {
            best: -INFINITY,
            best_move: None,
            alpha,
            count: 0,
            quiets: ArrayVec::new(),
            noisies: ArrayVec::new(),
        }
    }

    /// Notes that a move was tried and did not cut off.
    pub(crate) fn note_tried(&mut self, trial: &Trial<M>) {
        // What does not fit was tried late and says little.
        let _ = if trial.is_noisy { self.noisies.try_push(trial.m) } else { self.quiets.try_push(trial.m) };
    }
}

/// A move about to be tried.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Trial<M> {
    pub(crate) m: M,
    pub(crate) is_noisy: bool,
    /// What the histories say of it.
    pub(crate) history: i32,
    /// How much deeper it is looked at, in plies.
    pub(crate) extension: i32,
}

/// What a look at the other moves says of the table's move.
enum Singularity {
    /// It is to be looked at so much deeper.
    Extend(i32),
    /// There are several good moves: the node fails high.
    Cut(i32),
}

/// The table's score, when it makes a search needless.
pub(crate) fn cutoff(finding: &Finding, node: &Node) -> Option<i32> {
    if i32::from(finding.depth) < node.depth {
        return None;
    }
    let score = from_table(i32::from(finding.score), node.ply);
    let is_enough = match finding.bound? {
        Bound::Exact => true,
        Bound::Lower => score >= node.beta,
        Bound::Upper => score <= node.alpha,
    };
    is_enough.then_some(score)
}

impl<P: Tactics, E: Evaluator<P>> Searcher<'_, P, E> {
    /// The score of a position.
    pub(crate) fn alphabeta(&mut self, position: &P, mut node: Node) -> i32 {
        if node.depth <= 0 || node.ply >= MAX_PLY {
            return self.quiescence(position, Node { depth: 0, ..node });
        }
        if self.control.tick() {
            return DRAW;
        }
        self.enter(&node);
        let standing = self.standing(position, node.ply);
        if let Some(score) = self.settled(position, node.ply).or(standing.settled) {
            return score;
        }
        // Mate distance pruning: a mate here is no better than one that is known nearer to the root.
        node.alpha = node.alpha.max(mated(node.ply)).max(standing.floor);
        node.beta = node.beta.min(MATE - distance(node.ply) - 1);
        if node.alpha >= node.beta {
            return node.alpha;
        }
        let is_excluding = self.frames[node.ply].excluded.is_some();
        let finding = self.probe(position);
        if !node.is_pv
            && !is_excluding
            && let Some(score) = finding.and_then(|finding| cutoff(&finding, &node))
        {
            return score.max(standing.floor);
        }
        node.was_pv = node.is_pv || finding.is_some_and(|finding| finding.was_pv);
        let judgement = if position.is_check() {
            self.judge_check(node.ply)
        } else {
            self.judge(position, node.ply, finding.as_ref())
        };
        self.frames[node.ply + 2].cutoffs = 0;
        self.frames[node.ply + 1].killers = [None; 2];
        let may_prune = !node.is_pv && !position.is_check() && !is_excluding && self.aim.prunes;
        if may_prune && let Some(score) = self.prune(position, &node, &judgement, finding.as_ref()) {
            return score;
        }
        // Internal iterative reduction: without a move from the table the order is bad.
        let has_move = finding.is_some_and(|finding| finding.code != 0);
        if !has_move && node.depth >= pruning::ORDERED_DEPTH && (node.is_pv || node.is_cut) && !is_excluding {
            node.depth -= 1;
        }
        self.try_moves(position, &node, finding.as_ref(), &judgement).max(standing.floor)
    }

    /// Notes that a node begins.
    #[inline]
    pub(crate) fn enter(&mut self, node: &Node) {
        if node.is_pv {
            self.pv.clear(node.ply);
            self.seldepth = self.seldepth.max(node.ply);
        }
    }

    /// The score of a node that needs no look at its moves one by one.
    fn prune(
        &mut self,
        position: &P,
        node: &Node,
        judgement: &Judgement,
        finding: Option<&Finding>,
    ) -> Option<i32> {
        let (depth, estimate) = (node.depth, judgement.estimate);
        let is_above = estimate >= node.beta && !is_decided(node.beta) && !is_decided(estimate);
        let margin = pruning::reverse_futility_margin(depth, judgement.is_improving);
        if is_above
            && !node.was_pv
            && depth <= pruning::REVERSE_FUTILITY_DEPTH
            && estimate - margin >= node.beta
        {
            return Some(i32::midpoint(estimate, node.beta));
        }
        if is_above
            && depth >= pruning::NULL_MOVE_DEPTH
            && judgement.evaluation + pruning::null_move_credit(depth) >= node.beta
            && node.ply > 0
            && self.frames[node.ply - 1].m.is_some()
            && position.can_pass()
        {
            let score = self.score_of_pass(position, node, estimate);
            if score >= node.beta || self.control.is_stopped() {
                return Some(if is_mate(score) { node.beta } else { score });
            }
        }
        self.probcut(position, node, judgement, finding)
    }

    /// Null move pruning: how good the position stays when the turn is passed.
    fn score_of_pass(&mut self, position: &P, node: &Node, estimate: i32) -> i32 {
        let reduction = pruning::null_move_reduction(node.depth, estimate - node.beta);
        let after = self.pass(position, node.ply);
        let probe = node.probe(node.depth - reduction, node.beta - 1, !node.is_cut);
        let score = -self.alphabeta(&after, probe);
        self.take_back();
        score
    }

    /// Probcut: a noisy move that is far above beta in a shallow search.
    fn probcut(
        &mut self,
        position: &P,
        node: &Node,
        judgement: &Judgement,
        finding: Option<&Finding>,
    ) -> Option<i32> {
        let beta = node.beta + pruning::PROBCUT_MARGIN;
        let depth = node.depth - pruning::PROBCUT_REDUCTION;
        let is_known_below = finding.is_some_and(|finding| {
            i32::from(finding.depth) >= depth && from_table(i32::from(finding.score), node.ply) < beta
        });
        if node.depth < pruning::PROBCUT_DEPTH || is_decided(beta) || is_known_below {
            return None;
        }
        let table_move = finding.and_then(|finding| position.decode(finding.code));
        let table_move = table_move.filter(|&m| position.is_noisy(m));
        let threshold = beta - judgement.evaluation;
        let mut picker = Picker::noisy(table_move, self.rows(node.ply), threshold);
        while let Some(m) = picker.next(position, &self.memory.histories) {
            let after = self.play(position, m, node.ply);
            let mut score = -self.quiescence(&after, node.probe(0, beta - 1, !node.is_cut));
            if score >= beta && depth > 1 {
                score = -self.alphabeta(&after, node.probe(depth, beta - 1, !node.is_cut));
            }
            self.take_back();
            if self.control.is_stopped() {
                return Some(DRAW);
            }
            if score >= beta {
                let node = Node { depth: depth + 1, ..*node };
                self.keep(position, &node, P::encode(m), score, Bound::Lower, judgement);
                return Some(score);
            }
        }
        None
    }

    /// Looks at the moves of a node.
    fn try_moves(
        &mut self,
        position: &P,
        node: &Node,
        finding: Option<&Finding>,
        judgement: &Judgement,
    ) -> i32 {
        let excluded = self.frames[node.ply].excluded;
        let table_move = finding.and_then(|finding| position.decode(finding.code));
        let rows = self.rows(node.ply);
        let mut picker = Picker::all(table_move, self.frames[node.ply].killers, rows, self.aim.check_bonus);
        let mut progress = Progress::from(node.alpha);
        while let Some(m) = picker.next(position, &self.memory.histories) {
            if Some(m) == excluded {
                continue;
            }
            progress.count += 1;
            let mut trial = self.trial(position, m, node);
            let is_at_bad_moves = picker.is_at_bad_moves();
            if !is_lost(progress.best)
                && self.aim.prunes
                && self.is_hopeless(position, node, judgement, &progress, &trial, is_at_bad_moves)
                && !position.gives_check(m)
            {
                if !trial.is_noisy && self.is_late(node, judgement, &progress) {
                    picker.skip_quiets();
                }
                continue;
            }
            if Some(m) == table_move
                && excluded.is_none()
                && let Some(finding) = finding
            {
                match self.singularity(position, node, finding, m) {
                    Singularity::Cut(score) => return score,
                    Singularity::Extend(plies) => trial.extension = plies,
                }
            }
            let score = self.try_move(position, node, judgement, &progress, &trial);
            if self.control.is_stopped() {
                return DRAW;
            }
            self.note_score(node, &mut progress, m, score);
            if progress.alpha >= node.beta {
                self.reward(position, node, &progress, &trial);
                break;
            }
            progress.note_tried(&trial);
        }
        self.conclude(position, node, judgement, &progress)
    }

    /// A move with what is known of it.
    pub(crate) fn trial(&self, position: &P, m: P::Move, node: &Node) -> Trial<P::Move> {
        let is_noisy = position.is_noisy(m);
        let histories = &self.memory.histories;
        let history = if is_noisy {
            histories.noisy(position, m)
        } else {
            histories.quiet(position.side_to_move(), m, &self.rows(node.ply))
        };
        Trial { m, is_noisy, history, extension: 0 }
    }

    /// Late move pruning: whether there were enough quiet moves.
    #[inline(always)]
    fn is_late(&self, node: &Node, judgement: &Judgement, progress: &Progress<P::Move>) -> bool {
        progress.count >= pruning::late_move_count(node.depth, judgement.is_improving)
    }

    /// Whether a move need not be tried.
    fn is_hopeless(
        &self,
        position: &P,
        node: &Node,
        judgement: &Judgement,
        progress: &Progress<P::Move>,
        trial: &Trial<P::Move>,
        is_bad_noisy: bool,
    ) -> bool {
        if trial.is_noisy {
            return is_bad_noisy
                && node.depth <= pruning::MOVE_PRUNING_DEPTH
                && !position.exchange_wins(trial.m, pruning::noisy_exchange_limit(node.depth));
        }
        if self.is_late(node, judgement, progress) {
            return true;
        }
        let reduction = pruning::quiet_reduction(self.aim, node.depth, progress.count)
            - trial.history / pruning::QUIET_HISTORY_SHARE;
        let depth = (node.depth - reduction / 1024).max(0);
        if depth <= pruning::FUTILITY_DEPTH
            && !position.is_check()
            && judgement.evaluation + pruning::futility_margin(depth) <= progress.alpha
        {
            return true;
        }
        node.depth <= pruning::MOVE_PRUNING_DEPTH
            && (trial.history < pruning::history_limit(node.depth)
                || !position.exchange_wins(trial.m, pruning::quiet_exchange_limit(self.aim, depth)))
    }

    /// Singular extension: whether the table's move is better than all others, which a search without
    /// it finds out (<https://www.chessprogramming.org/Singular_Extensions>).
    fn singularity(&mut self, position: &P, node: &Node, finding: &Finding, m: P::Move) -> Singularity {
        let score = from_table(i32::from(finding.score), node.ply);
        let is_bound_above = matches!(finding.bound, Some(Bound::Exact | Bound::Lower));
        if node.depth < self.aim.singular_depth
            || i32::from(finding.depth) + pruning::SINGULAR_TRUST < node.depth
            || !is_bound_above
            || is_decided(score)
            || node.ply * 2 > MAX_PLY
        {
            return Singularity::Extend(0);
        }
        let limit = score - pruning::singular_margin(node.depth);
        let depth = (node.depth - 1) / 2;
        self.frames[node.ply].excluded = Some(m);
        let probe = Node { depth, alpha: limit - 1, beta: limit, is_pv: false, ..*node };
        let others = self.alphabeta(position, probe);
        self.frames[node.ply].excluded = None;
        if others < limit {
            let is_double = !node.is_pv && others < limit - pruning::DOUBLE_MARGIN;
            Singularity::Extend(1 + i32::from(is_double))
        } else if others >= node.beta && !is_decided(others) {
            Singularity::Cut(others)
        } else if score >= node.beta {
            Singularity::Extend(-2)
        } else {
            Singularity::Extend(-i32::from(node.is_cut))
        }
    }

    /// The score of a move: the first with the whole window, the others first less deep and only to see
    /// whether they are better than the best so far.
    pub(crate) fn try_move(
        &mut self,
        position: &P,
        node: &Node,
        judgement: &Judgement,
        progress: &Progress<P::Move>,
        trial: &Trial<P::Move>,
    ) -> i32 {
        let after = self.play(position, trial.m, node.ply);
        // Check extension: what follows a check is forced, so that the depth is not used up by it.
        let is_extended = after.is_check()
            && node.ply * 2 < MAX_PLY
            && (self.aim.extends_losing_checks || position.exchange_wins(trial.m, 0));
        let of_check = i32::from(is_extended);
        let depth = node.depth - 1 + trial.extension.max(of_check);
        let alpha = progress.alpha;
        let is_first = progress.count <= 1;
        let mut score = -INFINITY;
        if node.depth >= 2 && !is_first {
            let reduction = self.reduction(&after, node, judgement, progress, trial);
            let reduced = (depth - reduction / 1024).clamp(1.min(depth), depth + 1);
            score = -self.alphabeta(&after, node.probe(reduced, alpha, true));
            if score > alpha && reduced < depth {
                // The move is better than thought: how much decides how deep to look again.
                let deeper = i32::from(score > progress.best + pruning::DEEPER_MARGIN);
                let shallower = i32::from(score < progress.best + pruning::SHALLOWER_MARGIN);
                let depth = depth + deeper - shallower;
                if depth > reduced {
                    score = -self.alphabeta(&after, node.probe(depth, alpha, !node.is_cut));
                }
            }
        } else if !is_first || !node.is_pv {
            score = -self.alphabeta(&after, node.probe(depth, alpha, !node.is_cut));
        }
        if node.is_pv && (is_first || score > alpha) {
            let child = Node { depth, is_cut: false, ..node.child(-node.beta, -alpha) };
            score = -self.alphabeta(&after, child);
        }
        self.take_back();
        score
    }

    /// Late move reductions: how much less deep a move is looked at first, in 1/1024 plies.
    fn reduction(
        &self,
        after: &P,
        node: &Node,
        judgement: &Judgement,
        progress: &Progress<P::Move>,
        trial: &Trial<P::Move>,
    ) -> i32 {
        let (depth, count) = (node.depth, progress.count);
        let mut reduction = if trial.is_noisy {
            pruning::noisy_reduction(depth, count) - trial.history / pruning::NOISY_HISTORY_SHARE
        } else {
            pruning::quiet_reduction(self.aim, depth, count) - trial.history / pruning::QUIET_HISTORY_SHARE
        };
        for (is_so, plies) in [
            (node.is_cut, self.aim.cut_reduction),
            (!judgement.is_improving, pruning::WORSENING),
            (node.was_pv, -pruning::ONCE_PRINCIPAL),
            (node.is_pv, -pruning::PRINCIPAL),
            (after.is_check(), -pruning::CHECKING),
            (self.frames[node.ply].killers.contains(&Some(trial.m)), -self.aim.killer_credit),
            (self.frames[node.ply + 1].cutoffs > pruning::SEVERAL_REFUTED, self.aim.refuted_reduction),
        ] {
            reduction += if is_so { plies } else { 0 };
        }
        if node.ply == 0 {
            reduction = reduction * self.aim.root_share / 1024;
        }
        reduction.max(0)
    }

    /// Notes the score of a move.
    fn note_score(&mut self, node: &Node, progress: &mut Progress<P::Move>, m: P::Move, score: i32) {
        if score <= progress.best {
            return;
        }
        progress.best = score;
        if score > progress.alpha {
            progress.alpha = score;
            progress.best_move = Some(m);
            if node.is_pv {
                self.pv.extend(node.ply, m);
            }
        }
    }

    /// Notes that a move was good enough, and that those before it were not.
    pub(crate) fn reward(
        &mut self,
        position: &P,
        node: &Node,
        progress: &Progress<P::Move>,
        trial: &Trial<P::Move>,
    ) {
        let rows = self.rows(node.ply);
        let side = position.side_to_move();
        let bonus = history::bonus(node.depth);
        self.frames[node.ply].cutoffs += 1;
        let histories = &mut self.memory.histories;
        if trial.is_noisy {
            histories.note_noisy(position, trial.m, bonus);
        } else {
            let killers = &mut self.frames[node.ply].killers;
            if killers[0] != Some(trial.m) {
                *killers = [Some(trial.m), killers[0]];
            }
            histories.note_quiet(side, trial.m, &rows, bonus);
            for &m in &progress.quiets {
                histories.note_quiet(side, m, &rows, -bonus);
            }
        }
        for &m in &progress.noisies {
            histories.note_noisy(position, m, -bonus);
        }
    }

    /// The score of a node whose moves have been looked at.
    fn conclude(
        &mut self,
        position: &P,
        node: &Node,
        judgement: &Judgement,
        progress: &Progress<P::Move>,
    ) -> i32 {
        let is_excluding = self.frames[node.ply].excluded.is_some();
        if progress.count == 0 {
            return if is_excluding { node.alpha } else { without_moves(position, node.ply) };
        }
        let best = progress.best;
        if is_excluding {
            return best;
        }
        let bound = match progress.best_move {
            _ if best >= node.beta => Bound::Lower,
            Some(_) if node.is_pv => Bound::Exact,
            _ => Bound::Upper,
        };
        self.keep(position, node, progress.best_move.map_or(0, P::encode), best, bound, judgement);
        self.learn(position, node, judgement, progress, bound);
        best
    }

    /// Notes by how much the evaluation was wrong, where the search can tell.
    fn learn(
        &mut self,
        position: &P,
        node: &Node,
        judgement: &Judgement,
        progress: &Progress<P::Move>,
        bound: Bound,
    ) {
        let error = progress.best - judgement.evaluation;
        let is_known = match bound {
            Bound::Exact => true,
            Bound::Lower => error > 0,
            Bound::Upper => error < 0,
        };
        let is_tactical = progress.best_move.is_some_and(|m| position.is_noisy(m));
        if is_known && !position.is_check() && !is_tactical && !is_decided(progress.best) {
            let error = progress.best - i32::from(judgement.raw);
            self.memory.histories.note_error(position, error, node.depth);
        }
    }
}

/// Whether a score is lost or not known yet.
#[inline]
fn is_lost(score: i32) -> bool {
    score < 0 && is_decided(score)
}

//! One search under way: what all its parts share.

use game::tactics::{Path, Repetition, Tactics};

use crate::aim::{self, Aim};
use crate::evaluator::Evaluator;
use crate::history::{CONTINUED_PLIES, Histories, Rows};
use crate::memory::Memory;
use crate::ordering::Killers;
use crate::pv::PvTable;
use crate::quiet::Quiet;
use crate::score::{Bound, EVALUATION_LIMIT, MAX_PLY, from_table, narrow, ruled};
use crate::stop::Control;
use crate::table::Finding;

/// The score of a draw.
pub(crate) const DRAW: i32 = 0;

/// What is known of one ply of the line that is looked at.
#[derive(Debug, Clone)]
pub(crate) struct Frame<M> {
    /// The move that is tried here; nothing for a pass.
    pub(crate) m: Option<M>,
    /// The row of that move in the continuation table.
    pub(crate) row: usize,
    /// The evaluation; nothing when in check.
    pub(crate) evaluation: Option<i32>,
    /// The move that is left out, to see how good the others are.
    pub(crate) excluded: Option<M>,
    /// The quiet moves that cut off here before.
    pub(crate) killers: Killers<M>,
    /// How many nodes failed high here since the one two plies before began.
    pub(crate) cutoffs: u32,
}

/// What is known of a node before any move is tried.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Judgement {
    /// The evaluation as the evaluator gives it.
    pub(crate) raw: i16,
    /// The evaluation, corrected by what was learned; meaningless in check.
    pub(crate) evaluation: i32,
    /// A better guess, if the table has one.
    pub(crate) estimate: i32,
    /// The side to move stands better than at its last turn.
    pub(crate) is_improving: bool,
}

/// One search under way.
pub(crate) struct Searcher<'a, P: Tactics, E: Evaluator<P>> {
    pub(crate) evaluator: &'a E,
    pub(crate) memory: &'a mut Memory<P>,
    pub(crate) control: Control<'a>,
    pub(crate) path: Path,
    pub(crate) frames: Vec<Frame<P::Move>>,
    pub(crate) states: Vec<E::State>,
    pub(crate) pv: PvTable<P::Move>,
    pub(crate) seldepth: usize,
    /// What the search aims at.
    pub(crate) aim: &'static Aim,
    /// When the game is drawn for want of progress.
    pub(crate) quiet: Quiet,
}

impl<'a, P: Tactics, E: Evaluator<P>> Searcher<'a, P, E> {
    pub(crate) fn new(
        root: &P,
        path: Path,
        evaluator: &'a E,
        memory: &'a mut Memory<P>,
        control: Control<'a>,
        quiet: Quiet,
    ) -> Self {
        let frame = Frame {
            m: None,
            row: Histories::<P>::NO_ROW,
            evaluation: None,
            excluded: None,
            killers: [None; 2],
            cutoffs: 0,
        };
        let mut states = vec![E::State::default(); MAX_PLY + 2];
        evaluator.refresh(root, &mut states[0]);
        Self {
            evaluator,
            memory,
            control,
            path,
            frames: vec![frame; MAX_PLY + 3],
            states,
            pv: PvTable::new(),
            seldepth: 0,
            aim: &aim::OPEN,
            quiet,
        }
    }

    /// The position after a move, which becomes the end of the path.
    #[inline]
    pub(crate) fn play(&mut self, position: &P, m: P::Move, ply: usize) -> P {
        let after = position.after(m);
        self.frames[ply].m = Some(m);
        self.frames[ply].row = Histories::<P>::mark(position.side_to_move(), m);
        let (old, new) = self.states.split_at_mut(ply + 1);
        self.evaluator.update(&old[ply], position, m, &after, &mut new[0]);
        self.path.push(&after);
        after
    }

    /// The position after a pass, which becomes the end of the path.
    pub(crate) fn pass(&mut self, position: &P, ply: usize) -> P {
        let mut after = position.clone();
        after.pass_unchecked();
        self.frames[ply].m = None;
        self.frames[ply].row = Histories::<P>::NO_ROW;
        self.states[ply + 1] = self.states[ply].clone();
        self.path.push_pass(&after);
        after
    }

    /// Goes back by one move or pass.
    #[inline]
    pub(crate) fn take_back(&mut self) {
        self.path.pop();
    }

    /// The score of a position that is decided without a look at its moves, by what came before it or by
    /// what stands on the board.
    pub(crate) fn settled(&self, position: &P, ply: usize) -> Option<i32> {
        if let Some(repetition) = P::repetition(&self.path) {
            return Some(match repetition {
                Repetition::Draw => DRAW,
                Repetition::Win => ruled(ply),
                Repetition::Loss => -ruled(ply),
            });
        }
        position.is_dead().then_some(DRAW)
    }

    /// The evaluation as the evaluator gives it.
    pub(crate) fn evaluate(&self, position: &P, ply: usize) -> i32 {
        let evaluation = self.evaluator.evaluate(&self.states[ply], position);
        evaluation.clamp(-EVALUATION_LIMIT, EVALUATION_LIMIT)
    }

    /// Evaluates a position that is not in check, with the table's help.
    pub(crate) fn judge(&mut self, position: &P, ply: usize, finding: Option<&Finding>) -> Judgement {
        let known = finding.map(|finding| finding.evaluation).filter(|&it| it != Finding::NO_EVALUATION);
        let raw = known.map_or_else(|| self.evaluate(position, ply), i32::from);
        let corrected = raw + self.memory.histories.correction(position);
        let evaluation = corrected.clamp(-EVALUATION_LIMIT, EVALUATION_LIMIT);
        self.frames[ply].evaluation = Some(evaluation);
        Judgement {
            raw: narrow(raw),
            evaluation,
            estimate: finding.map_or(evaluation, |finding| better_guess(evaluation, finding, ply)),
            is_improving: self.is_improving(evaluation, ply),
        }
    }

    /// The judgement of a position in check, which is not evaluated.
    pub(crate) fn judge_check(&mut self, ply: usize) -> Judgement {
        self.frames[ply].evaluation = None;
        Judgement { raw: Finding::NO_EVALUATION, evaluation: 0, estimate: 0, is_improving: false }
    }

    fn is_improving(&self, evaluation: i32, ply: usize) -> bool {
        let before = |plies: usize| ply.checked_sub(plies).and_then(|at| self.frames[at].evaluation);
        before(2).or_else(|| before(4)).is_none_or(|earlier| evaluation > earlier)
    }

    /// The rows of the continuation table for the moves of a ply.
    #[inline]
    pub(crate) fn rows(&self, ply: usize) -> Rows {
        CONTINUED_PLIES
            .map(|back| ply.checked_sub(back).map_or(Histories::<P>::NO_ROW, |at| self.frames[at].row))
    }
}

/// The table's score, where it says more than the evaluation.
fn better_guess(evaluation: i32, finding: &Finding, ply: usize) -> i32 {
    let score = from_table(i32::from(finding.score), ply);
    match finding.bound {
        Some(Bound::Exact) => score,
        Some(Bound::Lower) => evaluation.max(score),
        Some(Bound::Upper) => evaluation.min(score),
        None => evaluation,
    }
}

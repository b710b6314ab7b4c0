//! The moves at the root, and what has been found out about each.

use game::tactics::Tactics;

use crate::limits::Request;
use crate::quiet::without_moves;
use crate::score::{Bound, INFINITY};

/// What a look at a move has found. Its parts belong together: they are replaced as one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found<M> {
    pub(crate) score: i32,
    pub(crate) bound: Bound,
    /// The moves, its own first.
    pub(crate) pv: Vec<M>,
    pub(crate) depth: u32,
    pub(crate) seldepth: u32,
}

/// A move at the root.
#[derive(Debug, Clone)]
pub(crate) struct RootMove<M> {
    pub(crate) m: M,
    /// The score when the game is over with this move, because no move follows.
    pub(crate) ending: Option<i32>,
    /// The nodes that were looked at after this move, in all iterations.
    pub(crate) nodes: u64,
    /// What this iteration has found, if the move was the best or the first when it was looked at.
    found: Option<Found<M>>,
    /// What this iteration has found otherwise: the move is worth no more than it says.
    refuted: Option<Found<M>>,
    /// What was known when this iteration began.
    previous: Option<Found<M>>,
}

impl<M: Copy> RootMove<M> {
    fn new(m: M, ending: Option<i32>) -> Self {
        let mate = ending.filter(|&score| score > 0);
        let mate = mate.map(|score| Found { score, bound: Bound::Exact, pv: vec![m], depth: 1, seldepth: 1 });
        Self { m, ending, nodes: 0, found: None, refuted: None, previous: mate }
    }

    /// The score by which the moves are ordered in this iteration; below every score as long as nothing is
    /// found but that others are better.
    pub(crate) fn score(&self) -> i32 {
        self.found.as_ref().map_or(-INFINITY, |found| found.score)
    }

    /// The score when this iteration began.
    pub(crate) fn last_score(&self) -> i32 {
        self.previous.as_ref().map_or(-INFINITY, |found| found.score)
    }

    /// Notes that another iteration begins.
    pub(crate) fn begin_iteration(&mut self) {
        self.previous = self.known();
        (self.found, self.refuted) = (None, None);
    }

    /// Notes what was found, by a look that came first in its round or not. A move that came later and was
    /// not the best is only known to be worse.
    pub(crate) fn note(&mut self, found: Found<M>, came_first: bool) {
        if came_first || found.bound != Bound::Upper {
            self.found = Some(found);
        } else {
            (self.found, self.refuted) = (None, Some(found));
        }
    }

    /// The best that is known: what this iteration has found; or else what was known before, unless this
    /// iteration has shown that it is too much; nothing when the move was never looked at.
    pub(crate) fn known(&self) -> Option<Found<M>> {
        let holds = |previous: &&Found<M>| {
            self.refuted.as_ref().is_none_or(|refuted| previous.score <= refuted.score)
        };
        let previous = self.previous.as_ref().filter(holds);
        self.found.as_ref().or(previous).or(self.refuted.as_ref()).cloned()
    }
}

/// The moves to look at: mates, then noisy ones that promise most.
pub(crate) fn root_moves<P: Tactics>(root: &P, request: &Request<P::Move>) -> Vec<RootMove<P::Move>> {
    let moves = root.legal_moves().into_iter().filter(|m| request.wants(m));
    let mut moves: Vec<_> = moves.map(|m| RootMove::new(m, ending(root, m))).collect();
    let rank = |&RootMove { m, ref previous, .. }: &RootMove<P::Move>| match previous {
        // Of two moves that win at once, the one that gives check is what players look for.
        Some(_) => (0, i32::from(!root.gives_check(m))),
        None => (1, -root.gain(m)),
    };
    moves.sort_by_key(rank);
    moves
}

/// The score of a move after which there is no move.
fn ending<P: Tactics>(root: &P, m: P::Move) -> Option<i32> {
    let after = root.after(m);
    (!after.has_legal_move()).then(|| -without_moves(&after, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(score: i32, bound: Bound, depth: u32) -> Found<char> {
        Found { score, bound, pv: vec!['a', 'b'], depth, seldepth: depth }
    }

    #[test]
    fn what_is_known_is_one_finding_and_no_mixture() {
        let mut root_move = RootMove::new('a', None);
        assert_eq!(root_move.known(), None);
        root_move.note(found(30, Bound::Exact, 1), true);
        root_move.begin_iteration();
        assert_eq!(root_move.known(), Some(found(30, Bound::Exact, 1)));
        // It is worse than another one, which does not contradict what was known.
        root_move.note(found(40, Bound::Upper, 2), false);
        assert_eq!(root_move.known(), Some(found(30, Bound::Exact, 1)));
        assert_eq!(root_move.score(), -INFINITY);
        // Now it does.
        root_move.note(found(20, Bound::Upper, 2), false);
        assert_eq!(root_move.known(), Some(found(20, Bound::Upper, 2)));
        root_move.note(found(25, Bound::Exact, 2), true);
        assert_eq!((root_move.known(), root_move.score()), (Some(found(25, Bound::Exact, 2)), 25));
    }

    #[test]
    fn a_mate_is_known_before_any_look() {
        assert_eq!(RootMove::new('a', Some(9)).known().map(|found| found.bound), Some(Bound::Exact));
        assert_eq!(RootMove::new('a', Some(0)).known(), None, "a draw may be worse than other moves");
    }
}

//! Shows mates to their end. Where the search takes a mate from the table, its line stops short of it.

use game::tactics::Tactics;

use crate::evaluator::Evaluator;
use crate::quiet::without_moves;
use crate::report::PvLine;
use crate::score::{Bound, Score};
use crate::searcher::{DRAW, Searcher};

/// How many positions are looked at for all lines of a report. They are no part of the search: it is over.
const POSITIONS: u32 = 5_000;

/// Makes the lines of exact mates as long as the mates. Where that takes too much, a line stays as it is.
pub(crate) fn complete<P: Tactics, E: Evaluator<P>>(
    searcher: &mut Searcher<'_, P, E>,
    root: &P,
    lines: &mut [PvLine<P::Move>],
) {
    let mut solver = Solver { searcher, left: POSITIONS };
    for line in lines.iter_mut().filter(|line| line.bound == Some(Bound::Exact)) {
        let Score::MateIn(moves) = line.score else { continue };
        let plies = 2 * moves.unsigned_abs() as usize - usize::from(moves > 0);
        let Some(missing) = plies.checked_sub(line.moves.len()).filter(|&missing| missing > 0) else {
            continue;
        };
        let mut position = root.clone();
        for &m in &line.moves {
            position.play_unchecked(m);
            solver.searcher.path.push(&position);
        }
        let rest = if missing % 2 == 1 {
            solver.mate(&position, missing)
        } else {
            solver.defence(&position, missing)
        };
        for _ in &line.moves {
            solver.searcher.path.pop();
        }
        line.moves.extend(rest.filter(|rest| rest.len() == missing).into_iter().flatten());
    }
}

/// Looks for mates among the table's moves and checks.
struct Solver<'a, 'b, P: Tactics, E: Evaluator<P>> {
    searcher: &'a mut Searcher<'b, P, E>,
    /// How many positions it may still look at.
    left: u32,
}

impl<P: Tactics, E: Evaluator<P>> Solver<'_, '_, P, E> {
    /// A mate by the side to move within so many plies, against the longest defence.
    fn mate(&mut self, position: &P, plies: usize) -> Option<Vec<P::Move>> {
        let known = self.searcher.probe(position).and_then(|finding| position.decode(finding.code));
        let others = position.legal_moves().into_iter().filter(|&m| Some(m) != known);
        let others = others.filter(|&m| plies == 1 || position.gives_check(m));
        known.into_iter().chain(others).find_map(|m| {
            self.left = self.left.checked_sub(1)?;
            let after = position.after(m);
            if !after.has_legal_move() {
                return (without_moves(&after, 0) != DRAW).then(|| vec![m]);
            }
            self.searcher.path.push(&after);
            let rest = if plies > 2 { self.defence(&after, plies - 1) } else { None };
            self.searcher.path.pop();
            Some([vec![m], rest?].concat())
        })
    }

    /// The defence of the side to move that lasts longest, if it is mated within so many plies whatever it
    /// does.
    fn defence(&mut self, position: &P, plies: usize) -> Option<Vec<P::Move>> {
        let mut longest = Vec::new();
        for m in position.legal_moves() {
            let after = position.after(m);
            self.searcher.path.push(&after);
            let rest = self.mate(&after, plies - 1);
            self.searcher.path.pop();
            let line = [vec![m], rest?].concat();
            if line.len() > longest.len() {
                longest = line;
            }
        }
        Some(longest)
    }
}

//! What moves have done elsewhere in the tree
//! (<https://www.chessprogramming.org/History_Heuristic>).
//!
//! A *mark* is a number for a man of a side on the square where it arrives: the least that says what a
//! move does. Tables over marks are small enough to be asked at every node.

use std::marker::PhantomData;

use game::side::Side;
use game::square::Square;
use game::tactics::{STRUCTURES, Tactics};

use crate::score::narrow;

/// No history value is larger.
const LARGEST: i32 = 16_384;
/// Entries of a correction table for one side and one part of the position; a power of two.
const CORRECTIONS: usize = 1 << 14;
/// No correction is larger, in units of 1/[`CORRECTION_UNIT`] centipawns.
const LARGEST_CORRECTION: i32 = 128 * CORRECTION_UNIT;
const CORRECTION_UNIT: i32 = 128;

/// How many moves back the continuation history looks.
pub(crate) const CONTINUATIONS: usize = 3;
/// The plies back of the moves that a move continues.
pub(crate) const CONTINUED_PLIES: [usize; CONTINUATIONS] = [1, 2, 4];

/// The rows of the continuation table that belong to the moves before a position.
pub(crate) type Rows = [usize; CONTINUATIONS];

/// All histories of a search.
#[derive(Debug)]
pub(crate) struct Histories<P> {
    /// By side, from-square and to-square.
    quiet: Vec<i16>,
    /// By mark and what is taken.
    noisy: Vec<i16>,
    /// By the mark of an earlier move and the mark.
    continuation: Vec<i16>,
    /// By side and the key of a part of the position.
    corrections: Vec<i16>,
    game: PhantomData<fn() -> P>,
}

impl<P: Tactics> Histories<P> {
    const SQUARES: usize = <P::Square as Square>::COUNT;
    /// How many marks there are.
    const MARKS: usize = 2 * P::ROLES * Self::SQUARES;
    /// The row of no move, or of a pass.
    pub(crate) const NO_ROW: usize = Self::MARKS;

    pub(crate) fn new() -> Self {
        Self {
            quiet: vec![0; 2 * Self::SQUARES * Self::SQUARES],
            noisy: vec![0; Self::MARKS * (P::ROLES + 1)],
            continuation: vec![0; (Self::MARKS + 1) * Self::MARKS],
            corrections: vec![0; 2 * STRUCTURES * CORRECTIONS],
            game: PhantomData,
        }
    }

    /// The mark of a move: also its row in the continuation table.
    #[inline]
    pub(crate) fn mark(side: Side, m: P::Move) -> usize {
        (side.index() * P::ROLES + P::role_of(m)) * Self::SQUARES + P::to_index(m)
    }

    #[inline]
    fn quiet_index(side: Side, m: P::Move) -> usize {
        (side.index() * Self::SQUARES + P::from_index(m)) * Self::SQUARES + P::to_index(m)
    }

    #[inline]
    fn noisy_index(position: &P, m: P::Move) -> usize {
        let captured = position.captured_role(m).unwrap_or(P::ROLES);
        Self::mark(position.side_to_move(), m) * (P::ROLES + 1) + captured
    }

    /// How good a quiet move has been.
    #[inline]
    pub(crate) fn quiet(&self, side: Side, m: P::Move, rows: &Rows) -> i32 {
        let mark = Self::mark(side, m);
        let continued: i32 =
            rows.iter().map(|row| i32::from(self.continuation[row * Self::MARKS + mark])).sum();
        i32::from(self.quiet[Self::quiet_index(side, m)]) + continued
    }

    /// How good a noisy move has been.
    #[inline]
    pub(crate) fn noisy(&self, position: &P, m: P::Move) -> i32 {
        i32::from(self.noisy[Self::noisy_index(position, m)])
    }

    /// Notes that a quiet move was good or bad.
    pub(crate) fn note_quiet(&mut self, side: Side, m: P::Move, rows: &Rows, bonus: i32) {
        update(&mut self.quiet[Self::quiet_index(side, m)], bonus);
        let mark = Self::mark(side, m);
        for row in rows {
            update(&mut self.continuation[row * Self::MARKS + mark], bonus);
        }
    }

    /// Notes that a noisy move was good or bad.
    pub(crate) fn note_noisy(&mut self, position: &P, m: P::Move, bonus: i32) {
        update(&mut self.noisy[Self::noisy_index(position, m)], bonus);
    }

    /// By how much evaluations of positions that share parts with this one were wrong, in centipawns.
    pub(crate) fn correction(&self, position: &P) -> i32 {
        let indices = Self::correction_indices(position);
        let sum: i32 = indices.into_iter().map(|index| i32::from(self.corrections[index])).sum();
        sum / (2 * CORRECTION_UNIT)
    }

    /// Notes that an evaluation was wrong by `error` centipawns, as a search of `depth` plies has found.
    pub(crate) fn note_error(&mut self, position: &P, error: i32, depth: i32) {
        let weight = (depth + 1).min(16);
        let target = (error * CORRECTION_UNIT).clamp(-LARGEST_CORRECTION, LARGEST_CORRECTION);
        for index in Self::correction_indices(position) {
            let entry = &mut self.corrections[index];
            let mixed = (i32::from(*entry) * (256 - weight) + target * weight) / 256;
            *entry = narrow(mixed.clamp(-LARGEST_CORRECTION, LARGEST_CORRECTION));
        }
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "only low bits are wanted")]
    fn correction_indices(position: &P) -> [usize; STRUCTURES] {
        let side = position.side_to_move().index();
        let mut part = 0;
        position.structure().map(|key| {
            part += 1;
            (side * STRUCTURES + part - 1) * CORRECTIONS + (key as usize & (CORRECTIONS - 1))
        })
    }
}

/// Moves a value towards the bonus, the less the nearer it is to the limit.
#[inline]
fn update(entry: &mut i16, bonus: i32) {
    let old = i32::from(*entry);
    *entry = narrow(old + bonus - old * bonus.abs() / LARGEST);
}

/// How much a cutoff at a depth tells; less than the largest value.
#[inline]
pub(crate) fn bonus(depth: i32) -> i32 {
    (170 * depth - 90).min(1800)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_never_leave_their_limits() {
        let mut entry = 0;
        for _ in 0..100_000 {
            update(&mut entry, 1800);
        }
        assert!((LARGEST - 2000..=LARGEST).contains(&i32::from(entry)), "{entry}");
        for _ in 0..100_000 {
            update(&mut entry, -1800);
        }
        assert!((-LARGEST..=2000 - LARGEST).contains(&i32::from(entry)), "{entry}");
    }
}

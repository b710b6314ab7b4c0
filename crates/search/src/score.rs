//! What a position is worth, to the side to move.
//!
//! Inside the search a score is one number. From small to large:
//!
//! | numbers | mean |
//! | --- | --- |
//! | up to [`EVALUATION_LIMIT`] | an evaluation, in centipawns |
//! | around [`RULED`] | a win by a ruling on repetition, so many plies away |
//! | around [`MATE`] | a win by mate, so many plies away |
//!
//! Negative numbers mean the same for the opponent.

/// The plies from the root after which no node is searched any more, but only judged; also the greatest
/// depth.
pub const MAX_PLY: usize = 127;

/// Above every score.
pub(crate) const INFINITY: i32 = 32_000;

/// The score of having mated at the root; a mate `n` plies away scores `n` less.
pub const MATE: i32 = 31_000;

/// The score of having won by a ruling at the root; `n` plies away it scores `n` less.
pub const RULED: i32 = 29_000;

/// No evaluation is larger; what an evaluator says beyond it counts as this.
pub const EVALUATION_LIMIT: i32 = 20_000;

/// The largest distance from the root, as a score.
const FARTHEST: i32 = 128;

/// A score for those who ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Score {
    /// Hundredths of the worth of the smallest man; positive is good for the side to move.
    Centipawns(i32),
    /// The side to move mates in so many of its moves; negative: it is mated in so many of the
    /// opponent's moves.
    MateIn(i32),
}

impl Score {
    /// The meaning of a number of the search.
    #[must_use]
    pub fn of(score: i32) -> Score {
        if is_mate(score) {
            let plies = MATE - score.abs();
            // The winner moves first and last; the loser moves first and is mated by the last.
            Score::MateIn(if score > 0 { (plies + 1) / 2 } else { -(plies / 2) })
        } else {
            Score::Centipawns(score)
        }
    }
}

/// What a score tells of the true one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Bound {
    /// It is the score.
    Exact = 3,
    /// The score is at least this.
    Lower = 1,
    /// The score is at most this.
    Upper = 2,
}

/// The score of the side to move that is mated here.
#[inline]
pub(crate) fn mated(ply: usize) -> i32 {
    -MATE + distance(ply)
}

/// The score of the side to move that has won by a ruling here.
#[inline]
pub(crate) fn ruled(ply: usize) -> i32 {
    RULED - distance(ply)
}

/// Whether a score is a mate for either side.
#[inline]
pub(crate) fn is_mate(score: i32) -> bool {
    score.abs() > MATE - FARTHEST
}

/// Whether a score is decided, by mate or by a ruling.
#[inline]
pub(crate) fn is_decided(score: i32) -> bool {
    score.abs() > RULED - FARTHEST
}

/// Whether a score comes from a ruling: it depends on the path and may not be kept.
#[inline]
pub(crate) fn is_ruled(score: i32) -> bool {
    is_decided(score) && !is_mate(score)
}

/// A distance from the root, as a score.
#[inline]
#[expect(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "plies are at most MAX_PLY")]
pub(crate) fn distance(ply: usize) -> i32 {
    ply as i32
}

/// A number that is known to be small, as tables keep it.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the callers keep the numbers below 2^15")]
pub(crate) fn narrow(number: i32) -> i16 {
    number as i16
}

/// A score as the table keeps it: mates are counted from the position and not from the root.
#[inline]
pub(crate) fn to_table(score: i32, ply: usize) -> i32 {
    if !is_mate(score) { score } else { score + score.signum() * distance(ply) }
}

/// A score of the table, counted from the root again.
#[inline]
pub(crate) fn from_table(score: i32, ply: usize) -> i32 {
    if !is_mate(score) { score } else { score - score.signum() * distance(ply) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves() {
        assert_eq!(Score::of(MATE - 1), Score::MateIn(1));
        assert_eq!(Score::of(MATE - 3), Score::MateIn(2));
        assert_eq!(Score::of(mated(2)), Score::MateIn(-1));
        assert_eq!(Score::of(mated(0)), Score::MateIn(0));
        assert_eq!(Score::of(ruled(3)), Score::Centipawns(RULED - 3));
    }

    #[test]
    fn the_table_counts_mates_from_the_position() {
        for score in [MATE - 7, -(MATE - 7), 31, RULED - 9] {
            assert_eq!(from_table(to_table(score, 5), 5), score);
        }
        assert_eq!(to_table(MATE - 7, 5), MATE - 2);
    }
}

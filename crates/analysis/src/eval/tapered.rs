//! Sums of terms that count differently in the opening and in the ending.

use game::bitboard::Bitboard;
use game::side::Side;
use game::square::Square;
use game::tactics::Tactics;

/// A weight or a sum of weights, in centipawns: for the opening and for the ending.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pair {
    /// With all men on the board.
    pub opening: i32,
    /// With hardly any.
    pub ending: i32,
}

impl Pair {
    /// Adds a weight so many times.
    #[inline]
    pub fn add(&mut self, weight: (i16, i16), count: i32) {
        self.opening += i32::from(weight.0) * count;
        self.ending += i32::from(weight.1) * count;
    }

    /// The value when `phase` of `phases` is left of the opening.
    #[inline]
    #[must_use]
    pub fn at(self, phase: i32, phases: i32) -> i32 {
        let phase = phase.clamp(0, phases);
        (self.opening * phase + self.ending * (phases - phase)) / phases
    }
}

/// Takes the terms of a position one by one. A count is positive for the first side.
pub trait Tally {
    /// The term with this number holds so many times.
    fn add(&mut self, term: usize, count: i32);
}

/// Adds up the weights of terms.
#[derive(Debug)]
pub struct Sum<'a> {
    /// The weights, by term.
    pub weights: &'a [(i16, i16)],
    /// The sum so far.
    pub total: Pair,
}

impl Tally for Sum<'_> {
    #[inline]
    fn add(&mut self, term: usize, count: i32) {
        self.total.add(self.weights[term], count);
    }
}

/// Lists the terms, for whoever fits the weights.
#[derive(Debug, Default, Clone)]
pub struct Trace(pub Vec<(usize, i32)>);

impl Tally for Trace {
    fn add(&mut self, term: usize, count: i32) {
        self.0.push((term, count));
    }
}

/// The sums over the men one by one, which a move changes little.
#[derive(Debug, Clone, Default)]
pub struct State {
    /// The weights of the men where they stand.
    pub total: Pair,
    /// What is left of the opening.
    pub phase: i32,
}

/// An evaluator whose weights can be fitted.
pub trait Tunable<P: Tactics> {
    /// What is left of the opening at the start.
    const PHASES: i32;
    /// The weights, by term.
    const WEIGHTS: &'static [(i16, i16)];

    /// Tells the terms of each man where it stands.
    fn men(position: &P, tally: &mut impl Tally);

    /// Tells the terms that depend on more than one man.
    fn relations(position: &P, tally: &mut impl Tally);

    /// Tells all terms of a position.
    fn terms(position: &P, tally: &mut impl Tally) {
        Self::men(position, tally);
        Self::relations(position, tally);
    }

    /// What is left of the opening, up to `PHASES`.
    fn phase(position: &P) -> i32;

    /// How much of the advantage of a side counts, in 1/64: less where it is hard to win.
    fn scale(position: &P, first_is_better: bool) -> i32;

    /// The sums of a position, anew.
    fn state(position: &P) -> State {
        let mut sum = Sum { weights: Self::WEIGHTS, total: Pair::default() };
        Self::men(position, &mut sum);
        State { total: sum.total, phase: Self::phase(position) }
    }

    /// What a position with these sums is worth for its side to move, in centipawns.
    #[inline]
    fn value(state: &State, position: &P) -> i32 {
        let mut sum = Sum { weights: Self::WEIGHTS, total: state.total };
        Self::relations(position, &mut sum);
        let value = sum.total.at(state.phase, Self::PHASES);
        let value = value * Self::scale(position, value > 0) / 64;
        sign(position.side_to_move()) * value
    }
}

/// What is good for the first side counts up.
#[inline]
#[must_use]
pub fn sign(side: Side) -> i32 {
    match side {
        Side::First => 1,
        Side::Second => -1,
    }
}

/// The size of a set.
#[inline]
#[must_use]
pub fn len<S: Square>(set: Bitboard<S>) -> i32 {
    set.len().cast_signed()
}

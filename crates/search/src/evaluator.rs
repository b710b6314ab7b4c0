//! What a position is worth without looking ahead.

use game::tactics::Tactics;

/// An opinion about the positions of a game.
///
/// What it sums up over the men can be kept up to date move by move in a `State`; the search keeps one
/// for each ply, so nothing is ever taken back.
pub trait Evaluator<P: Tactics> {
    /// What is kept up to date; `Default` is a state of no position.
    type State: Clone + Default;

    /// Computes the state of a position afresh.
    fn refresh(&self, position: &P, state: &mut Self::State);

    /// Computes the state after a legal move from the state before it.
    fn update(&self, old: &Self::State, before: &P, m: P::Move, after: &P, new: &mut Self::State);

    /// The worth in centipawns to the side to move. Beyond
    /// [`EVALUATION_LIMIT`](crate::score::EVALUATION_LIMIT) nothing is told apart.
    fn evaluate(&self, state: &Self::State, position: &P) -> i32;
}

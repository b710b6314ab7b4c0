//! What we think of positions: one hand-made evaluator for each game.
//!
//! An evaluation is a sum of terms, each a count times a weight, and each weight is a pair: one for the
//! opening, one for the ending, between which the men that are left decide
//! (<https://www.chessprogramming.org/Tapered_Eval>). The weights are fitted to games that the search
//! has played against itself (<https://www.chessprogramming.org/Texel's_Tuning_Method>) by
//! `arbiter-lab datagen` and `arbiter-lab tune`, which writes the two files of weights.

pub mod chess;
mod chess_weights;
pub mod tapered;
pub mod wdl;
pub mod xiangqi;
mod xiangqi_weights;

use ::chess::position::Chess;
use ::xiangqi::position::Xiangqi;
use game::notation::Notation;
use game::tactics::Tactics;
use search::evaluator::Evaluator;

use self::wdl::Wdl;

/// A game that we have an opinion about: its positions can be written, searched and evaluated.
pub trait Evaluated: Notation + Tactics {
    /// The opinion.
    type Evaluator: Evaluator<Self> + tapered::Tunable<Self> + Default + Send + Sync;

    /// What its scores say of the result, as `arbiter-lab wdl` finds it.
    const WDL: Wdl;

    /// How far scores are blurred for the [weakest play](crate::strength::Strength::WEAKEST), in centipawns (a
    /// standard deviation). Fitted to matches, as [`crate::strength`] says.
    const WIDEST_BLUR: f64;
}

impl Evaluated for Chess {
    type Evaluator = chess::ChessEvaluator;

    const WDL: Wdl = Wdl { half: 130.0, spread: 137.0 };

    const WIDEST_BLUR: f64 = 210.0;
}

impl Evaluated for Xiangqi {
    type Evaluator = xiangqi::XiangqiEvaluator;

    const WDL: Wdl = Wdl { half: 395.0, spread: 216.0 };

    const WIDEST_BLUR: f64 = 1200.0;
}

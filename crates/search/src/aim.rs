//! What a search aims at: to play well, to convert what is won, or to prove a mate.
//!
//! As long as a game is open, the search spends its nodes on what usually decides it. Once it is won, a
//! mate is what is missing: checks are tried sooner, every move at the root is looked at more closely,
//! and less is spent on moves that only keep the advantage. Whoever asks for a mate wants it proven.

use crate::limits::Limits;

/// From here on, in centipawns, a game counts as won.
pub(crate) const WON: i32 = 700;

/// The numbers in which the aims differ. Reductions are in 1/1024 plies, depths in plies.
#[derive(Debug)]
pub(crate) struct Aim {
    /// Nodes and moves are left out because they do not seem to be worth a look. Without it, moves are
    /// still looked at less deep than others, and quiescence still makes its choice.
    pub(crate) prunes: bool,
    /// Quiet moves that give check are tried as if history said so much more for them.
    pub(crate) check_bonus: i32,
    /// The first plies of quiescence, in which quiet checks are looked at, too.
    pub(crate) quiet_check_plies: i32,
    /// Checks that lose something prolong a line as others do.
    pub(crate) extends_losing_checks: bool,
    /// The least depth at which a move is looked at for being the only good one.
    pub(crate) singular_depth: i32,
    /// How the reduction of quiet moves grows with depth and count.
    pub(crate) quiet_slope: f64,
    /// How much of the reduction holds at the root, in 1/1024.
    pub(crate) root_share: i32,
    /// The reduction where a cutoff is expected.
    pub(crate) cut_reduction: i32,
    /// The reduction where several moves of the node have been refuted.
    pub(crate) refuted_reduction: i32,
    /// How much less killers are reduced.
    pub(crate) killer_credit: i32,
    /// What a quiet move may lose at depth 1 without being left out, in centipawns.
    pub(crate) quiet_loss: i32,
}

/// While the game is open.
pub(crate) const OPEN: Aim = Aim {
    prunes: true,
    check_bonus: 0,
    quiet_check_plies: 1,
    extends_losing_checks: true,
    singular_depth: 6,
    quiet_slope: 460.0,
    root_share: 1024,
    cut_reduction: 1200,
    refuted_reduction: 700,
    killer_credit: 900,
    quiet_loss: 22,
};

/// When the game is won.
const CONVERT: Aim = Aim {
    prunes: true,
    check_bonus: 5000,
    quiet_check_plies: 2,
    extends_losing_checks: false,
    singular_depth: 8,
    quiet_slope: 490.0,
    root_share: 512,
    cut_reduction: 1500,
    refuted_reduction: 400,
    killer_credit: 1200,
    quiet_loss: 16,
};

/// When a mate is asked for.
const PROVE: Aim = Aim { prunes: false, ..CONVERT };

/// What to aim at with a move that seems to be worth `guess`.
pub(crate) fn aim(limits: &Limits, guess: i32) -> &'static Aim {
    match limits.mate {
        Some(_) => &PROVE,
        None if guess >= WON => &CONVERT,
        None => &OPEN,
    }
}

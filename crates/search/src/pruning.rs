//! What is not worth a look, as numbers.
//!
//! Every function here is pure: it says by how much, the search says what follows. The names are those
//! of <https://www.chessprogramming.org/Pruning> and its pages. Depths are in plies, scores in
//! centipawns.

use std::sync::LazyLock;

use crate::aim::Aim;

/// The largest depth and move count of the table of reductions.
const LARGEST: usize = 64;

/// By depth and number of the move: the product of their logarithms.
static GROWTH: LazyLock<[[f64; LARGEST]; LARGEST]> = LazyLock::new(|| {
    let mut table = [[0.0; LARGEST]; LARGEST];
    for (depth, row) in table.iter_mut().enumerate().skip(1) {
        for (count, growth) in row.iter_mut().enumerate().skip(1) {
            *growth = logarithm(depth) * logarithm(count);
        }
    }
    table
});

#[expect(clippy::cast_precision_loss, reason = "the numbers are below 64")]
fn logarithm(number: usize) -> f64 {
    (number as f64).ln()
}

#[expect(clippy::cast_possible_truncation, reason = "the numbers are below 10,000")]
fn thousandths(number: f64) -> i32 {
    number as i32
}

/// Late move reductions: how much less deep the quiet move with this number is looked at, in 1/1024
/// plies.
#[inline]
pub(crate) fn quiet_reduction(aim: &Aim, depth: i32, count: u32) -> i32 {
    reduction(820.0, aim.quiet_slope, depth, count)
}

/// The same for noisy moves.
#[inline]
pub(crate) fn noisy_reduction(depth: i32, count: u32) -> i32 {
    reduction(120.0, 290.0, depth, count)
}

#[inline]
fn reduction(base: f64, slope: f64, depth: i32, count: u32) -> i32 {
    if depth < 1 || count < 1 {
        return 0;
    }
    let depth = usize::try_from(depth).unwrap_or(0).min(LARGEST - 1);
    let count = (count as usize).min(LARGEST - 1);
    thousandths(base + slope * GROWTH[depth][count])
}

/// What counts against the reduction of a quiet move: this part of its history.
pub(crate) const QUIET_HISTORY_SHARE: i32 = 16;

/// The same for noisy moves.
pub(crate) const NOISY_HISTORY_SHARE: i32 = 12;

/// How much more moves are reduced when the side stands no better than at its last turn.
pub(crate) const WORSENING: i32 = 500;

/// How much less moves are reduced at a node that is or was on the principal variation.
pub(crate) const ONCE_PRINCIPAL: i32 = 1000;

/// How much less moves are reduced on the principal variation, beside that.
pub(crate) const PRINCIPAL: i32 = 500;

/// How much less moves that give check are reduced.
pub(crate) const CHECKING: i32 = 900;

/// When more moves than these were refuted, the others are reduced more.
pub(crate) const SEVERAL_REFUTED: u32 = 2;

/// A reduced move that is better than the best by more than this is looked at one ply deeper than usual.
pub(crate) const DEEPER_MARGIN: i32 = 50;

/// A reduced move that is better than the best by less than this is looked at one ply less deep.
pub(crate) const SHALLOWER_MARGIN: i32 = 8;

/// Internal iterative reduction: from this depth on, a node without a move from the table is looked at
/// less deep.
pub(crate) const ORDERED_DEPTH: i32 = 4;

/// Singular extension: the table's move is the only good one when all others are worse by this.
#[inline]
pub(crate) fn singular_margin(depth: i32) -> i32 {
    2 * depth
}

/// Singular extension: so many plies less deep may the table's score be than the node.
pub(crate) const SINGULAR_TRUST: i32 = 3;

/// Singular extension: when the others are worse by so much more, the line is prolonged twice.
pub(crate) const DOUBLE_MARGIN: i32 = 20;

/// Reverse futility pruning: an evaluation that is above beta by so much stays above it.
#[inline]
pub(crate) fn reverse_futility_margin(depth: i32, is_improving: bool) -> i32 {
    75 * (depth - i32::from(is_improving))
}

/// The greatest depth of reverse futility pruning.
pub(crate) const REVERSE_FUTILITY_DEPTH: i32 = 8;

/// The least depth of null move pruning.
pub(crate) const NULL_MOVE_DEPTH: i32 = 3;

/// Null move pruning: by how much the evaluation may be below beta; negative near the leaves, where it has
/// to be above.
#[inline]
pub(crate) fn null_move_credit(depth: i32) -> i32 {
    18 * depth - 120
}

/// Null move pruning: how much less deep the position after a pass is looked at.
#[inline]
pub(crate) fn null_move_reduction(depth: i32, surplus: i32) -> i32 {
    3 + depth / 3 + (surplus / 180).clamp(0, 3)
}

/// Late move pruning: after so many moves the quiet ones are left out.
#[inline]
pub(crate) fn late_move_count(depth: i32, is_improving: bool) -> u32 {
    let count = 7 + depth * depth * 5 / 2;
    (if is_improving { count } else { count / 2 }).unsigned_abs()
}

/// Futility pruning: a quiet move gains no more than this.
#[inline]
pub(crate) fn futility_margin(reduced_depth: i32) -> i32 {
    90 + 85 * reduced_depth
}

/// The greatest reduced depth of futility pruning.
pub(crate) const FUTILITY_DEPTH: i32 = 7;

/// History pruning: a quiet move that has been this bad is left out.
#[inline]
pub(crate) fn history_limit(depth: i32) -> i32 {
    -4200 * depth
}

/// Pruning by static exchange: a quiet move that loses more than this is left out.
#[inline]
pub(crate) fn quiet_exchange_limit(aim: &Aim, depth: i32) -> i32 {
    -aim.quiet_loss * depth * depth
}

/// The same for noisy moves.
#[inline]
pub(crate) fn noisy_exchange_limit(depth: i32) -> i32 {
    -95 * depth
}

/// The greatest depth of history pruning and pruning by static exchange.
pub(crate) const MOVE_PRUNING_DEPTH: i32 = 8;

/// Probcut: a noisy move whose reduced search is above beta by so much would fail high.
pub(crate) const PROBCUT_MARGIN: i32 = 180;

/// Probcut: how much less deep that search is.
pub(crate) const PROBCUT_REDUCTION: i32 = 4;

/// The least depth of probcut.
pub(crate) const PROBCUT_DEPTH: i32 = 5;

/// Quiescence: what a capture may gain beyond the men it takes.
pub(crate) const DELTA: i32 = 160;

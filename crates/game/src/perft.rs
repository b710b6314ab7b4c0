//! Perft: counting the leaves of the tree of legal moves, the standard test of a move generator
//! (<https://www.chessprogramming.org/Perft>).

use crate::position::Position;

/// The number of positions that `depth` legal moves lead to. The last ply is counted without playing
/// it ("bulk counting").
pub fn perft<P: Position>(position: &P, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.legal_move_count() as u64,
        _ => position.legal_moves().into_iter().map(|m| perft(&position.after(m), depth - 1)).sum(),
    }
}

/// The same for each legal move alone ("divide"), to find the move where two generators differ.
///
/// A `depth` of 0 gives no entry.
pub fn divide<P: Position>(position: &P, depth: u32) -> Vec<(P::Move, u64)> {
    let Some(rest) = depth.checked_sub(1) else { return Vec::new() };
    position.legal_moves().into_iter().map(|m| (m, perft(&position.after(m), rest))).collect()
}

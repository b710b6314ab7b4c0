//! The principal variations of all plies
//! (<https://www.chessprogramming.org/Triangular_PV-Table>).

use crate::score::MAX_PLY;

/// For each ply, the best line from there.
#[derive(Debug)]
pub(crate) struct PvTable<M>(Vec<Vec<M>>);

impl<M: Copy> PvTable<M> {
    pub(crate) fn new() -> Self {
        Self(vec![Vec::new(); MAX_PLY + 2])
    }

    /// No line is known from a ply.
    #[inline]
    pub(crate) fn clear(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    /// The best line from a ply is a move and the best line after it.
    pub(crate) fn extend(&mut self, ply: usize, m: M) {
        let (above, below) = self.0.split_at_mut(ply + 1);
        above[ply].clear();
        above[ply].push(m);
        above[ply].extend_from_slice(&below[0]);
    }

    /// The best line from a ply.
    pub(crate) fn line(&self, ply: usize) -> &[M] {
        &self.0[ply]
    }
}

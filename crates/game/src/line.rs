//! A start position and the plies played from it.

use crate::position::Position;

/// One played move and what a later question about the past needs to know of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ply<M> {
    /// The move.
    pub m: M,
    /// The key of the position after it.
    pub key: u64,
    /// Whether the move gave check.
    pub gives_check: bool,
}

/// A game so far: a start position, the plies since, and the position they lead to.
#[derive(Debug, Clone)]
pub struct Line<P: Position> {
    start: P,
    plies: Vec<Ply<P::Move>>,
    last: P,
}

impl<P: Position> Line<P> {
    /// A line without a move.
    #[must_use]
    pub fn new(start: P) -> Self {
        Self { last: start.clone(), start, plies: Vec::new() }
    }

    /// Makes room for `plies` more plies.
    pub fn reserve(&mut self, plies: usize) {
        self.plies.reserve(plies);
    }

    /// The position before the first ply.
    pub fn start(&self) -> &P {
        &self.start
    }

    /// The position after the last ply.
    pub fn last(&self) -> &P {
        &self.last
    }

    /// The plies, first to last.
    pub fn plies(&self) -> &[Ply<P::Move>] {
        &self.plies
    }

    /// Plays a legal move of [`last`](Line::last).
    pub fn play(&mut self, m: P::Move) {
        self.last.play_unchecked(m);
        self.plies.push(Ply { m, key: self.last.key(), gives_check: self.last.is_check() });
    }

    /// Appends a legal move of [`last`](Line::last) together with the position it leads to.
    pub fn push(&mut self, m: P::Move, after: P) {
        self.plies.push(Ply { m, key: after.key(), gives_check: after.is_check() });
        self.last = after;
    }

    /// How often the last position has stood on the board, itself included.
    pub fn repetitions(&self) -> u32 {
        1 + self.earlier_occurrences(self.last.key(), self.last.quiet_plies(), self.plies.len())
    }

    /// How often a position that a legal move of [`last`](Line::last) leads to would have stood on the
    /// board, itself included.
    pub fn repetitions_after(&self, after: &P) -> u32 {
        1 + self.earlier_occurrences(after.key(), after.quiet_plies(), self.plies.len() + 1)
    }

    /// The plies since the last position stood on the board `times` times, this time included; nothing
    /// when it has not stood there so often.
    pub fn plies_since(&self, times: u32) -> Option<&[Ply<P::Move>]> {
        let first = self.occurrences().nth(times.checked_sub(1)? as usize)?;
        Some(&self.plies[first..])
    }

    /// After how many plies of the line the last position stood on the board: now, then earlier and
    /// earlier.
    pub fn occurrences(&self) -> impl Iterator<Item = usize> {
        let earliest = self.plies.len().saturating_sub(self.last.quiet_plies() as usize);
        // Between equal positions both sides have moved.
        (earliest..=self.plies.len()).rev().step_by(2).filter(|&ply| self.key_after(ply) == self.last.key())
    }

    /// The key of the position after `plies` plies of the line.
    pub fn key_after(&self, plies: usize) -> u64 {
        match plies.checked_sub(1) {
            Some(index) => self.plies[index].key,
            None => self.start.key(),
        }
    }

    /// Counts `key` among the positions before the one at `ply`. Only positions with the same side to
    /// move, and none before the last quiet-move reset, can be the same.
    fn earlier_occurrences(&self, key: u64, quiet_plies: u32, ply: usize) -> u32 {
        let earliest = ply.saturating_sub(quiet_plies as usize);
        let mut found = 0;
        let mut at = ply;
        while at >= earliest + 2 {
            at -= 2;
            found += u32::from(self.key_after(at) == key);
        }
        found
    }
}

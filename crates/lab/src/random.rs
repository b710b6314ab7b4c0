//! Random choices that come out the same every time.

use game::zobrist::KeySource;

/// A source of random choices.
#[derive(Debug, Clone)]
pub struct Random(KeySource);

impl Random {
    /// A source that gives the same choices for the same seed and number.
    #[must_use]
    pub fn new(seed: u64, number: u64) -> Self {
        Self(KeySource::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ number.wrapping_mul(0x9e37_79b9)))
    }

    /// A number below `count`, which is not 0.
    pub fn below(&mut self, count: usize) -> usize {
        usize::try_from(self.0.draw() % count.max(1) as u64).unwrap_or(0)
    }
}

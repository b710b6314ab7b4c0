//! Random numbers for position keys (A. L. Zobrist, "A New Hashing Method with Application for Game
//! Playing", 1970).

/// A source of fixed pseudo-random numbers: `SplitMix64` (Steele, Lea, Flood, "Fast Splittable
/// Pseudorandom Number Generators", 2014). Keys must not change within a major version, so neither may
/// this generator nor the seeds and order in which the games draw from it.
#[derive(Debug, Clone)]
pub struct KeySource(u64);

impl KeySource {
    /// A source that gives the same sequence for the same seed, for ever.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number of the sequence.
    #[must_use]
    pub const fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// The next `N` numbers of the sequence.
    #[must_use]
    pub const fn take<const N: usize>(&mut self) -> [u64; N] {
        let mut keys = [0; N];
        let mut i = 0;
        while i < N {
            keys[i] = self.draw();
            i += 1;
        }
        keys
    }
}

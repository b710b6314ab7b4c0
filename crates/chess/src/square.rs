//! The squares of the chess board.

use std::fmt::{self, Debug, Display};

use game::square::SquareString;

/// A set of squares of the chess board.
pub type Bitboard = game::bitboard::Bitboard<Square>;

/// A square. Its number counts from a1 = 0 along the ranks to h8 = 63.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square on a file and a rank, both counted from 0. Only their low three bits count.
    #[inline]
    #[must_use]
    pub const fn new(file: u8, rank: u8) -> Self {
        Self((rank & 7) << 3 | (file & 7))
    }

    /// The square with a number; only its low six bits count.
    #[inline]
    #[must_use]
    pub const fn at(number: u8) -> Self {
        Self(number & 63)
    }

    /// The square's number, below 64.
    #[inline]
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0 & 63
    }

    /// The file, counted from 0 (the a-file).
    #[inline]
    #[must_use]
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// The rank, counted from 0.
    #[inline]
    #[must_use]
    pub const fn rank(self) -> u8 {
        self.number() >> 3
    }
}

impl game::square::Square for Square {
    type Bits = u64;

    const COUNT: usize = 64;

    #[inline]
    fn index(self) -> usize {
        self.number() as usize
    }

    fn text(self) -> SquareString {
        let mut text = SquareString::new();
        text.push(char::from(b'a' + self.file()));
        text.push(char::from(b'1' + self.rank()));
        text
    }

    fn parse(text: &str) -> Option<Self> {
        let &[file, rank] = text.as_bytes() else { return None };
        let file = file.to_ascii_lowercase().wrapping_sub(b'a');
        let rank = rank.wrapping_sub(b'1');
        (file < 8 && rank < 8).then(|| Self::new(file, rank))
    }

    fn from_index(index: usize) -> Option<Self> {
        u8::try_from(index).ok().filter(|&number| number < 64).map(Self)
    }

    #[inline]
    fn from_bit(bit: u32) -> Self {
        Self((bit & 63) as u8)
    }
}

impl Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&game::square::Square::text(*self))
    }
}

impl Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(self, f)
    }
}

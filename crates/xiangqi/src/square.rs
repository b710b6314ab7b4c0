//! The points of the xiangqi board. The house calls them squares, too.

use std::fmt::{self, Debug, Display};

use game::side::Side;
use game::square::SquareString;

/// A set of points of the xiangqi board.
pub type Bitboard = game::bitboard::Bitboard<Square>;

/// How many files the board has.
pub const FILES: u8 = 9;
/// How many ranks the board has.
pub const RANKS: u8 = 10;

/// A point. Its number counts from a0 = 0, Red's left corner, along the ranks to i9 = 89.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The point on a file below 9 and a rank below 10, or nothing.
    #[inline]
    #[must_use]
    pub const fn new(file: u8, rank: u8) -> Option<Self> {
        if file < FILES && rank < RANKS { Some(Self(rank * FILES + file)) } else { None }
    }

    /// The point with a number, or nothing from 90 on.
    #[inline]
    #[must_use]
    pub const fn at(number: u8) -> Option<Self> {
        if number < 90 { Some(Self(number)) } else { None }
    }

    /// The point's number, below 90.
    #[inline]
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The file, counted from 0 on Red's left.
    #[inline]
    #[must_use]
    pub const fn file(self) -> u8 {
        self.0 % FILES
    }

    /// The rank, counted from 0 on Red's side.
    #[inline]
    #[must_use]
    pub const fn rank(self) -> u8 {
        self.0 / FILES
    }

    /// The number of the file as `side` counts it: from 1, from its right to its left.
    #[must_use]
    pub const fn file_number(self, side: Side) -> u8 {
        match side {
            Side::First => FILES - self.file(),
            Side::Second => self.file() + 1,
        }
    }

    /// How many ranks the point lies ahead of `side`'s first rank.
    #[must_use]
    pub const fn ranks_ahead(self, side: Side) -> u8 {
        match side {
            Side::First => self.rank(),
            Side::Second => RANKS - 1 - self.rank(),
        }
    }

    /// The bit of the point when the board is counted file by file.
    #[inline]
    pub(crate) fn bit_by_file(self) -> u128 {
        BITS_BY_FILE[self.0 as usize]
    }
}

static BITS_BY_FILE: [u128; 90] = bits_by_file();

const fn bits_by_file() -> [u128; 90] {
    let mut bits = [0; 90];
    let mut number = 0;
    while number < 90 {
        let square = Square(number);
        bits[number as usize] = 1 << (square.file() * RANKS + square.rank());
        number += 1;
    }
    bits
}

impl game::square::Square for Square {
    type Bits = u128;

    const COUNT: usize = 90;

    #[inline]
    fn index(self) -> usize {
        self.0 as usize
    }

    fn text(self) -> SquareString {
        let mut text = SquareString::new();
        text.push(char::from(b'a' + self.file()));
        text.push(char::from(b'0' + self.rank()));
        text
    }

    fn parse(text: &str) -> Option<Self> {
        let &[file, rank] = text.as_bytes() else { return None };
        Self::new(file.to_ascii_lowercase().wrapping_sub(b'a'), rank.wrapping_sub(b'0'))
    }

    fn from_index(index: usize) -> Option<Self> {
        u8::try_from(index).ok().and_then(Self::at)
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the minimum is below 90")]
    fn from_bit(bit: u32) -> Self {
        Self(if bit < 90 { bit as u8 } else { 89 })
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

/// The points of the a-file.
pub const FILE_A: Bitboard = Bitboard::from_bits(0x0002_0100_8040_2010_0804_0201);

/// The point a0.
pub(crate) const ORIGIN: Square = Square(0);

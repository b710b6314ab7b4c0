//! What a square (in xiangqi: a point) is to code that does not know the board.

use std::fmt::{Debug, Display};
use std::hash::Hash;

use arrayvec::ArrayString;

use crate::bitboard::Bits;

/// The coordinates of a square.
pub type SquareString = ArrayString<2>;

/// The coordinates of squares, as a list in a sentence.
pub fn list<S: Square>(squares: impl IntoIterator<Item = S>) -> String {
    squares.into_iter().map(|square| square.text().to_string()).collect::<Vec<_>>().join(", ")
}

/// A square of one game's board. `Display` writes its coordinates (`e4`).
pub trait Square: Copy + Eq + Ord + Hash + Debug + Display + 'static {
    /// The integer that holds one bit for each square.
    type Bits: Bits;

    /// How many squares the board has.
    const COUNT: usize;

    /// The square's number, below [`Square::COUNT`].
    fn index(self) -> usize;

    /// The square's coordinates (`e4`).
    fn text(self) -> SquareString;

    /// The square that these coordinates name, in small or capital letters.
    fn parse(text: &str) -> Option<Self>;

    /// The square with this number, or nothing when the board has no such square.
    fn from_index(index: usize) -> Option<Self>;

    /// The square of a set bit. Only for numbers that came from a bitboard of this square type; any
    /// other number gives some square of the board, never a panic.
    fn from_bit(bit: u32) -> Self;
}

//! A set of squares in one machine integer.

use std::fmt::{self, Debug};
use std::marker::PhantomData;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub};

use crate::square::Square;

/// An unsigned integer that can hold a set of squares.
pub trait Bits:
    Copy
    + Eq
    + Debug
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + 'static
{
    /// No bit set.
    const ZERO: Self;
    /// The integer with only bit `index` set.
    fn bit(index: usize) -> Self;
    /// How many bits are set.
    fn count(self) -> u32;
    /// The number of the lowest set bit; the width of the type when none is set.
    fn lowest(self) -> u32;
    /// The same bits without the lowest one.
    fn without_lowest(self) -> Self;
}

macro_rules! impl_bits {
    ($($int:ty),*) => {$(
        impl Bits for $int {
            const ZERO: Self = 0;
            #[inline]
            fn bit(index: usize) -> Self {
                1 << index
            }
            #[inline]
            fn count(self) -> u32 {
                self.count_ones()
            }
            #[inline]
            fn lowest(self) -> u32 {
                self.trailing_zeros()
            }
            #[inline]
            fn without_lowest(self) -> Self {
                self & self.wrapping_sub(1)
            }
        }
    )*};
}

impl_bits!(u64, u128);

/// A set of squares. The operators are those of sets: `|` union, `&` intersection, `^` symmetric
/// difference, `-` difference, `!` complement.
///
/// The complement also sets the bits of an integer that is wider than its board; intersect it with a
/// set of real squares before iterating.
pub struct Bitboard<S: Square> {
    bits: S::Bits,
    square: PhantomData<S>,
}

impl<S: Square> Bitboard<S> {
    /// The empty set.
    pub const EMPTY: Self = Self::from_bits(S::Bits::ZERO);

    /// The set with exactly these bits.
    #[inline]
    #[must_use]
    pub const fn from_bits(bits: S::Bits) -> Self {
        Self { bits, square: PhantomData }
    }

    /// The underlying integer.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> S::Bits {
        self.bits
    }

    /// The set of one square.
    #[inline]
    #[must_use]
    pub fn of(square: S) -> Self {
        Self::from_bits(S::Bits::bit(square.index()))
    }

    /// Whether the set has no square.
    #[inline]
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.bits == S::Bits::ZERO
    }

    /// Whether the set has at least one square.
    #[inline]
    #[must_use]
    pub fn any(self) -> bool {
        !self.is_empty()
    }

    /// Whether `square` is in the set.
    #[inline]
    #[must_use]
    pub fn has(self, square: S) -> bool {
        (self & Self::of(square)).any()
    }

    /// How many squares the set has.
    #[inline]
    #[must_use]
    pub fn len(self) -> u32 {
        self.bits.count()
    }

    /// Whether the set has two squares or more.
    #[inline]
    #[must_use]
    pub fn has_several(self) -> bool {
        self.bits.without_lowest() != S::Bits::ZERO
    }

    /// The square with the lowest number, if there is one.
    #[inline]
    #[must_use]
    pub fn first(self) -> Option<S> {
        if self.is_empty() { None } else { Some(S::from_bit(self.bits.lowest())) }
    }
}

impl<S: Square> Clone for Bitboard<S> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: Square> Copy for Bitboard<S> {}

impl<S: Square> Default for Bitboard<S> {
    #[inline]
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<S: Square> PartialEq for Bitboard<S> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.bits == other.bits
    }
}

impl<S: Square> Eq for Bitboard<S> {}

impl<S: Square> Debug for Bitboard<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

macro_rules! impl_set_operator {
    ($($operator:ident $method:ident $assign:ident $assign_method:ident;)*) => {$(
        impl<S: Square> $operator for Bitboard<S> {
            type Output = Self;
            #[inline]
            fn $method(self, other: Self) -> Self {
                Self::from_bits(self.bits.$method(other.bits))
            }
        }
        impl<S: Square> $assign for Bitboard<S> {
            #[inline]
            fn $assign_method(&mut self, other: Self) {
                *self = $operator::$method(*self, other);
            }
        }
    )*};
}

impl_set_operator! {
    BitAnd bitand BitAndAssign bitand_assign;
    BitOr bitor BitOrAssign bitor_assign;
    BitXor bitxor BitXorAssign bitxor_assign;
}

impl<S: Square> Not for Bitboard<S> {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self::from_bits(!self.bits)
    }
}

impl<S: Square> Sub for Bitboard<S> {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        self & !other
    }
}

impl<S: Square> FromIterator<S> for Bitboard<S> {
    fn from_iter<I: IntoIterator<Item = S>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set | Self::of(square))
    }
}

impl<S: Square> IntoIterator for Bitboard<S> {
    type Item = S;
    type IntoIter = Squares<S>;

    #[inline]
    fn into_iter(self) -> Squares<S> {
        Squares(self)
    }
}

/// The squares of a set, lowest number first.
#[derive(Debug, Clone)]
pub struct Squares<S: Square>(Bitboard<S>);

impl<S: Square> Iterator for Squares<S> {
    type Item = S;

    #[inline]
    fn next(&mut self) -> Option<S> {
        let square = self.0.first()?;
        self.0 = Bitboard::from_bits(self.0.bits.without_lowest());
        Some(square)
    }
}

//! The key of a position: what makes two positions the same (CH-20).
//!
//! Part of the key are the men, the side to move, the castling rights, and the file of an en-passant
//! square that a legal capture can use. The counters are not. The numbers below must not change within
//! a major version.

use game::side::Side;
use game::square::Square as _;
use game::zobrist::KeySource;

use crate::role::Role;
use crate::square::{Bitboard, Square};

struct Keys {
    pieces: [[[u64; 64]; 6]; 2],
    castling: [[u64; 8]; 2],
    en_passant: [u64; 8],
    second_to_move: u64,
}

static KEYS: Keys = make_keys();

const fn make_keys() -> Keys {
    let mut source = KeySource::new(0x00a2_b17e_c4e5_5000);
    let mut pieces = [[[0; 64]; 6]; 2];
    let mut i = 0;
    while i < 12 {
        pieces[i / 6][i % 6] = source.take();
        i += 1;
    }
    let castling = [source.take(), source.take()];
    let en_passant = source.take();
    Keys { pieces, castling, en_passant, second_to_move: source.draw() }
}

/// The key of one piece on one square.
#[inline]
pub(crate) fn piece(side: Side, role: Role, square: Square) -> u64 {
    KEYS.pieces[side.index()][role.index()][square.index()]
}

/// The key of the castling rights with these rooks.
#[inline]
pub(crate) fn castling(rooks: Bitboard) -> u64 {
    rooks.into_iter().fold(0, |key, rook| {
        let side = usize::from(rook.rank() != 0);
        key ^ KEYS.castling[side][rook.file() as usize]
    })
}

/// The key of an en-passant square that can be used.
#[inline]
pub(crate) fn en_passant(square: Square) -> u64 {
    KEYS.en_passant[square.file() as usize]
}

/// The key of Black being to move.
#[inline]
pub(crate) fn second_to_move() -> u64 {
    KEYS.second_to_move
}

//! The key of a position: the men and the side to move. The counters are not part of it. The numbers
//! below must not change within a major version.

use game::side::Side;
use game::square::Square as _;
use game::zobrist::KeySource;

use crate::role::Role;
use crate::square::Square;

struct Keys {
    pieces: [[[u64; 90]; 7]; 2],
    second_to_move: u64,
}

static KEYS: Keys = make_keys();

const fn make_keys() -> Keys {
    let mut source = KeySource::new(0x00a2_b17e_0041_a461);
    let mut pieces = [[[0; 90]; 7]; 2];
    let mut i = 0;
    while i < 14 {
        pieces[i / 7][i % 7] = source.take();
        i += 1;
    }
    Keys { pieces, second_to_move: source.draw() }
}

/// The key of one piece on one point.
#[inline]
pub(crate) fn piece(side: Side, role: Role, square: Square) -> u64 {
    KEYS.pieces[side.index()][role.index()][square.index()]
}

/// The key of Black being to move.
#[inline]
pub(crate) fn second_to_move() -> u64 {
    KEYS.second_to_move
}

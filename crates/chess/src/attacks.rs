//! Which squares a piece attacks, on an empty or an occupied board.
//!
//! Steps come from tables by square. Slides are "kindergarten bitboards" (Gerd Isenberg,
//! <https://www.chessprogramming.org/Kindergarten_Bitboards>): a multiplication gathers the six inner
//! squares of one line into an index, so that all slides together need 10 KiB of tables that stay in
//! the first-level cache.

use game::side::Side;
use game::square::Square as _;

use crate::square::{Bitboard, Square};

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_B: u64 = FILE_A << 1;
/// Gathers the a-file, bottom up, into the top byte.
const GATHER_FILE_A: u64 = 0x0080_4020_1008_0400;

const KING_STEPS: [(i8, i8); 8] = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];
const KNIGHT_STEPS: [(i8, i8); 8] = [(-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1)];

static KING: [u64; 64] = step_table(&KING_STEPS);
static KNIGHT: [u64; 64] = step_table(&KNIGHT_STEPS);
static PAWN: [[u64; 64]; 2] = [step_table(&[(-1, 1), (1, 1)]), step_table(&[(-1, -1), (1, -1)])];

static RANK_MASK: [u64; 64] = line_table((1, 0));
static DIAGONAL_MASK: [u64; 64] = line_table((1, 1));
static ANTI_DIAGONAL_MASK: [u64; 64] = line_table((1, -1));
static FILE_MASK: [u64; 64] = line_table((0, 1));

/// By file and the six inner squares of a rank: the attacks along the rank, copied to all ranks.
static RANK_FILL: [[u64; 64]; 8] = rank_fill();
/// By rank and the six inner squares of a file: the attacks along the a-file.
static FILE_FILL: [[u64; 64]; 8] = file_fill();

static BETWEEN: [[u64; 64]; 64] = between_table();
static LINE: [[u64; 64]; 64] = alignment_table();

/// The squares around a square.
#[inline]
#[must_use]
pub fn king(square: Square) -> Bitboard {
    Bitboard::from_bits(KING[square.index()])
}

/// The squares a knight's jump away.
#[inline]
#[must_use]
pub fn knight(square: Square) -> Bitboard {
    Bitboard::from_bits(KNIGHT[square.index()])
}

/// The squares that a pawn of `side` attacks.
#[inline]
#[must_use]
pub fn pawn(side: Side, square: Square) -> Bitboard {
    Bitboard::from_bits(PAWN[side.index()][square.index()])
}

/// The squares that a bishop attacks; the first occupied square on each way is included.
#[inline]
#[must_use]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    let at = square.index();
    let fill = &RANK_FILL[at & 7];
    let along = |mask: u64| {
        let index = (occupied.bits() & mask).wrapping_mul(FILE_B) >> 58;
        fill[index as usize & 63] & mask
    };
    Bitboard::from_bits(along(DIAGONAL_MASK[at]) | along(ANTI_DIAGONAL_MASK[at]))
}

/// The squares that a rook attacks; the first occupied square on each way is included.
#[inline]
#[must_use]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    let at = square.index();
    let (file, rank) = (at & 7, at >> 3);
    let rank_index = (occupied.bits() & RANK_MASK[at]).wrapping_mul(FILE_B) >> 58;
    let along_rank = RANK_FILL[file][rank_index as usize & 63] & RANK_MASK[at];
    let file_index = ((occupied.bits() >> file) & FILE_A).wrapping_mul(GATHER_FILE_A) >> 58;
    let along_file = FILE_FILL[rank][file_index as usize & 63] << file;
    Bitboard::from_bits(along_rank | along_file)
}

/// The squares that a queen attacks.
#[inline]
#[must_use]
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    bishop(square, occupied) | rook(square, occupied)
}

/// The diagonals through a square, without the square.
#[inline]
#[must_use]
pub fn diagonals(square: Square) -> Bitboard {
    let at = square.index();
    Bitboard::from_bits(DIAGONAL_MASK[at] | ANTI_DIAGONAL_MASK[at])
}

/// The rank and the file through a square, without the square.
#[inline]
#[must_use]
pub fn straights(square: Square) -> Bitboard {
    let at = square.index();
    Bitboard::from_bits(RANK_MASK[at] | FILE_MASK[at])
}

/// The squares strictly between two squares on one line; none when they are not on one line.
#[inline]
#[must_use]
pub fn between(a: Square, b: Square) -> Bitboard {
    Bitboard::from_bits(BETWEEN[a.index()][b.index()])
}

/// The whole line through two squares, from edge to edge; none when they are not on one line.
#[inline]
#[must_use]
pub fn line(a: Square, b: Square) -> Bitboard {
    Bitboard::from_bits(LINE[a.index()][b.index()])
}

/// The bit of the square one step away, or 0 over the edge.
#[expect(clippy::cast_possible_truncation, reason = "the numbers are below 64, and a const needs casts")]
const fn step(square: usize, (files, ranks): (i8, i8)) -> u64 {
    let file = (square % 8) as i8 + files;
    let rank = (square / 8) as i8 + ranks;
    if file < 0 || file > 7 || rank < 0 || rank > 7 { 0 } else { 1 << (rank * 8 + file) }
}

const fn step_table(steps: &[(i8, i8)]) -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < steps.len() {
            table[square] |= step(square, steps[i]);
            i += 1;
        }
        square += 1;
    }
    table
}

/// All squares from a square to the edge, in one direction.
const fn ray(square: usize, direction: (i8, i8)) -> u64 {
    let mut ray = 0;
    let mut at = square;
    loop {
        let next = step(at, direction);
        if next == 0 {
            return ray;
        }
        ray |= next;
        at = next.trailing_zeros() as usize;
    }
}

const fn line_table(direction: (i8, i8)) -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = ray(square, direction) | ray(square, (-direction.0, -direction.1));
        square += 1;
    }
    table
}

/// The attacks from place `at` along a row of eight whose six inner places are `inner`.
const fn row_attacks(at: usize, inner: usize) -> u64 {
    let occupied = (inner as u64) << 1;
    let mut attacks = 0;
    let mut place = at;
    while place < 7 {
        place += 1;
        attacks |= 1 << place;
        if occupied & (1 << place) != 0 {
            break;
        }
    }
    place = at;
    while place > 0 {
        place -= 1;
        attacks |= 1 << place;
        if occupied & (1 << place) != 0 {
            break;
        }
    }
    attacks
}

const fn rank_fill() -> [[u64; 64]; 8] {
    let mut table = [[0; 64]; 8];
    let mut file = 0;
    while file < 8 {
        let mut inner = 0;
        while inner < 64 {
            table[file][inner] = row_attacks(file, inner) * FILE_A;
            inner += 1;
        }
        file += 1;
    }
    table
}

const fn file_fill() -> [[u64; 64]; 8] {
    let mut table = [[0; 64]; 8];
    let mut rank = 0;
    while rank < 8 {
        let mut inner = 0_usize;
        while inner < 64 {
            // The multiplication that gathers the a-file turns it upside down.
            let upright = inner.reverse_bits() >> (usize::BITS - 6);
            let row = row_attacks(rank, upright);
            let mut place = 0;
            while place < 8 {
                table[rank][inner] |= (row >> place & 1) << (place * 8);
                place += 1;
            }
            inner += 1;
        }
        rank += 1;
    }
    table
}

const fn between_table() -> [[u64; 64]; 64] {
    let mut table = [[0; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let mut i = 0;
        while i < 8 {
            let mut passed = 0;
            let mut at = from;
            loop {
                let next = step(at, KING_STEPS[i]);
                if next == 0 {
                    break;
                }
                at = next.trailing_zeros() as usize;
                table[from][at] = passed;
                passed |= next;
            }
            i += 1;
        }
        from += 1;
    }
    table
}

const fn alignment_table() -> [[u64; 64]; 64] {
    let mut table = [[0; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let mut i = 0;
        while i < 8 {
            let (files, ranks) = KING_STEPS[i];
            let forward = ray(from, (files, ranks));
            let line = forward | ray(from, (-files, -ranks)) | 1 << from;
            let mut rest = forward;
            while rest != 0 {
                table[from][rest.trailing_zeros() as usize] = line;
                rest &= rest - 1;
            }
            i += 1;
        }
        from += 1;
    }
    table
}

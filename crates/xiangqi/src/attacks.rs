//! Which points a piece attacks, on an empty or an occupied board.
//!
//! Chariots and cannons see along rows: the occupied places of a rank or a file are an index into a
//! table. For the files, the board keeps its occupied points in a second order, file by file.

use game::side::Side;
use game::square::Square as _;

use crate::regions;
use crate::role::Role;
use crate::square::{Bitboard, FILE_A, FILES, RANKS, Square};

/// The occupied points of a board, rank by rank and file by file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Occupied {
    pub(crate) by_rank: u128,
    pub(crate) by_file: u128,
}

impl Occupied {
    /// The set of these points.
    #[inline]
    #[must_use]
    pub fn set(self) -> Bitboard {
        Bitboard::from_bits(self.by_rank)
    }

    /// The same with a point added or taken away.
    #[inline]
    #[must_use]
    pub fn with(self, square: Square) -> Self {
        Self { by_rank: self.by_rank | 1 << square.number(), by_file: self.by_file | square.bit_by_file() }
    }

    /// The same without a point.
    #[inline]
    #[must_use]
    pub fn without(self, square: Square) -> Self {
        Self {
            by_rank: self.by_rank & !(1 << square.number()),
            by_file: self.by_file & !square.bit_by_file(),
        }
    }

    #[inline]
    fn on_rank(self, rank: u8) -> usize {
        (self.by_rank >> (rank * FILES)) as usize & 0x1ff
    }

    #[inline]
    fn on_file(self, file: u8) -> usize {
        (self.by_file >> (file * RANKS)) as usize & 0x3ff
    }
}

/// What a piece sees along its rank and file: the points up to the first piece on each way, and the
/// second piece on each way.
#[derive(Debug, Clone, Copy)]
pub struct Sight {
    /// The points up to the first piece on each way, that piece included: a chariot's reach.
    pub first: Bitboard,
    /// The second pieces: what a cannon can take.
    pub second: Bitboard,
}

/// Looks along the rank and the file of a point.
#[inline]
#[must_use]
pub fn sight(square: Square, occupied: Occupied) -> Sight {
    let (file, rank) = (square.file(), square.rank());
    let along_rank = RANK_ROWS[file as usize][occupied.on_rank(rank)];
    let along_file = FILE_ROWS[rank as usize][occupied.on_file(file)];
    let place = |on_rank: u16, on_file: u16| {
        Bitboard::from_bits(
            u128::from(on_rank) << (rank * FILES) | FILE_A_OF_ROW[on_file as usize & 0x3ff] << file,
        )
    };
    Sight {
        first: place(along_rank.first, along_file.first),
        second: place(along_rank.second, along_file.second),
    }
}

/// The points of the same file or rank.
#[inline]
#[must_use]
pub fn lines(square: Square) -> Bitboard {
    sight(square, Occupied { by_rank: 0, by_file: 0 }).first
}

/// The points that a horse attacks from a point, and with which leg.
#[inline]
#[must_use]
pub fn horse(square: Square, occupied: Bitboard) -> Bitboard {
    let mut reach = 0;
    for &(leg, targets) in &HORSE[square.index()] {
        // A leg beyond the edge has no targets either.
        reach |= if occupied.bits() & leg == 0 { targets } else { 0 };
    }
    Bitboard::from_bits(reach)
}

/// The points that a horse attacks when no leg is blocked.
#[inline]
#[must_use]
pub fn horse_jumps(square: Square) -> Bitboard {
    Bitboard::from_bits(HORSE_JUMPS[square.index()])
}

/// The point that blocks a horse's jump when a piece stands there.
#[inline]
#[must_use]
pub fn horse_leg(from: Square, to: Square) -> Square {
    let (file, rank) = (from.file(), from.rank());
    let leg = if file.abs_diff(to.file()) == 2 {
        Square::new(u8::midpoint(file, to.file()), rank)
    } else {
        Square::new(file, u8::midpoint(rank, to.rank()))
    };
    leg.unwrap_or(from)
}

/// The points that an elephant reaches when no eye is blocked.
#[inline]
#[must_use]
pub fn elephant_steps(square: Square) -> Bitboard {
    Bitboard::from_bits(ELEPHANT[square.index()])
}

/// The point in the middle of an elephant's move.
#[inline]
#[must_use]
pub fn elephant_eye(from: Square, to: Square) -> Square {
    Square::at(u8::midpoint(from.number(), to.number())).unwrap_or(from)
}

/// The points that an elephant attacks.
#[inline]
#[must_use]
pub fn elephant(square: Square, occupied: Bitboard) -> Bitboard {
    elephant_steps(square).into_iter().filter(|&to| !occupied.has(elephant_eye(square, to))).collect()
}

/// The points that an advisor attacks.
#[inline]
#[must_use]
pub fn advisor(square: Square) -> Bitboard {
    Bitboard::from_bits(ADVISOR[square.index()])
}

/// The points that a general attacks, the other general apart.
#[inline]
#[must_use]
pub fn general(square: Square) -> Bitboard {
    Bitboard::from_bits(GENERAL[square.index()])
}

/// Every point where it matters to what attacks a general whether a piece stands there: its rank, its file,
/// and the legs of horses.
#[inline]
#[must_use]
pub fn ways_to(general: Square) -> Bitboard {
    Bitboard::from_bits(WAYS_TO[general.index()])
}

/// The points that a soldier of `side` attacks.
#[inline]
#[must_use]
pub fn soldier(side: Side, square: Square) -> Bitboard {
    Bitboard::from_bits(SOLDIER[side.index()][square.index()])
}

/// The points from which a soldier of `side` attacks a point.
#[inline]
#[must_use]
pub fn soldiers_before(side: Side, square: Square) -> Bitboard {
    Bitboard::from_bits(SOLDIERS_BEFORE[side.index()][square.index()])
}

/// The points strictly between two points of one rank or file.
#[must_use]
pub fn between(a: Square, b: Square) -> Bitboard {
    let row = match (a.file() == b.file(), a.rank() == b.rank()) {
        (true, false) => FILE_A.bits() << a.file(),
        (false, true) => u128::MAX,
        _ => return Bitboard::EMPTY,
    };
    let (low, high) = (a.number().min(b.number()), a.number().max(b.number()));
    let up_to_low = (2 << low) - 1;
    let below_high = (1 << high) - 1;
    Bitboard::from_bits(row & below_high & !up_to_low)
}

/// The points that a piece attacks: where it could take an enemy piece if one stood there.
#[must_use]
pub fn reach(side: Side, role: Role, square: Square, occupied: Occupied) -> Bitboard {
    match role {
        Role::Soldier => soldier(side, square),
        Role::Advisor => advisor(square),
        Role::Elephant => elephant(square, occupied.set()),
        Role::Horse => horse(square, occupied.set()),
        Role::Cannon => sight(square, occupied).second,
        Role::Chariot => sight(square, occupied).first,
        Role::General => general(square),
    }
}

/// What is seen from a place along a row of occupied places.
#[derive(Clone, Copy)]
struct Row {
    first: u16,
    second: u16,
}

static RANK_ROWS: [[Row; 512]; 9] = rows();
static FILE_ROWS: [[Row; 1024]; 10] = rows();
/// A row of ten places, laid along the a-file.
static FILE_A_OF_ROW: [u128; 1024] = file_a_of_row();
/// The four legs of a horse, each with the two points behind it.
static HORSE: [[(u128, u128); 4]; 90] = horse_table();
static HORSE_JUMPS: [u128; 90] = horse_jump_table();
static ELEPHANT: [u128; 90] = elephant_table();
static ADVISOR: [u128; 90] = palace_table(Role::Advisor, &[(-1, -1), (-1, 1), (1, -1), (1, 1)]);
static GENERAL: [u128; 90] = palace_table(Role::General, &[(-1, 0), (0, -1), (0, 1), (1, 0)]);
static WAYS_TO: [u128; 90] = ways_table();
static SOLDIER: [[u128; 90]; 2] = [soldier_table(Side::First), soldier_table(Side::Second)];
static SOLDIERS_BEFORE: [[u128; 90]; 2] = [reversed(&SOLDIER[0]), reversed(&SOLDIER[1])];

const fn rows<const PLACES: usize, const SETS: usize>() -> [[Row; SETS]; PLACES] {
    let mut rows = [[Row { first: 0, second: 0 }; SETS]; PLACES];
    let mut at = 0;
    while at < PLACES {
        let mut occupied = 0;
        while occupied < SETS {
            rows[at][occupied] = row(at, occupied, PLACES);
            occupied += 1;
        }
        at += 1;
    }
    rows
}

const fn row(at: usize, occupied: usize, places: usize) -> Row {
    let mut row = Row { first: 0, second: 0 };
    let mut forward = true;
    loop {
        let mut seen = 0;
        let mut place = at;
        while if forward { place + 1 < places } else { place > 0 } {
            place = if forward { place + 1 } else { place - 1 };
            if seen == 0 {
                row.first |= 1 << place;
            }
            if occupied >> place & 1 == 1 {
                seen += 1;
                if seen == 2 {
                    row.second |= 1 << place;
                    break;
                }
            }
        }
        if !forward {
            return row;
        }
        forward = false;
    }
}

const fn file_a_of_row() -> [u128; 1024] {
    let mut table = [0; 1024];
    let mut row = 0;
    while row < 1024 {
        let mut rank = 0;
        while rank < 10 {
            table[row] |= (row as u128 >> rank & 1) << (rank * 9);
            rank += 1;
        }
        row += 1;
    }
    table
}

/// The bit of the point so many files and ranks away, or 0 over the edge.
#[expect(clippy::cast_possible_truncation, reason = "the numbers are below 90, and a const needs casts")]
const fn step(square: usize, files: i8, ranks: i8) -> u128 {
    let file = (square % 9) as i8 + files;
    let rank = (square / 9) as i8 + ranks;
    if file < 0 || file > 8 || rank < 0 || rank > 9 { 0 } else { 1 << (rank as u32 * 9 + file as u32) }
}

const fn horse_table() -> [[(u128, u128); 4]; 90] {
    let mut table = [[(0, 0); 4]; 90];
    let mut square = 0;
    while square < 90 {
        let legs = [(0, 1), (0, -1), (1, 0), (-1, 0)];
        let mut i = 0;
        while i < 4 {
            let (files, ranks): (i8, i8) = legs[i];
            let targets = step(square, 2 * files + ranks, 2 * ranks + files)
                | step(square, 2 * files - ranks, 2 * ranks - files);
            table[square][i] = (step(square, files, ranks), targets);
            i += 1;
        }
        square += 1;
    }
    table
}

const fn horse_jump_table() -> [u128; 90] {
    let mut table = [0; 90];
    let mut square = 0;
    while square < 90 {
        let mut i = 0;
        while i < 4 {
            table[square] |= HORSE[square][i].1;
            i += 1;
        }
        square += 1;
    }
    table
}

const fn elephant_table() -> [u128; 90] {
    let mut table = [0; 90];
    let mut square = 0;
    while square < 90 {
        let side = if square < 45 { Side::First } else { Side::Second };
        let points = regions::points(side, Role::Elephant).bits();
        if points >> square & 1 == 1 {
            table[square] = points
                & (step(square, -2, -2) | step(square, -2, 2) | step(square, 2, -2) | step(square, 2, 2));
        }
        square += 1;
    }
    table
}

const fn palace_table(role: Role, steps: &[(i8, i8)]) -> [u128; 90] {
    let mut table = [0; 90];
    let mut square = 0;
    while square < 90 {
        let side = if square < 45 { Side::First } else { Side::Second };
        let points = regions::points(side, role).bits();
        if points >> square & 1 == 1 {
            let mut i = 0;
            while i < steps.len() {
                table[square] |= points & step(square, steps[i].0, steps[i].1);
                i += 1;
            }
        }
        square += 1;
    }
    table
}

const fn ways_table() -> [u128; 90] {
    let mut table = [0; 90];
    let mut square = 0;
    while square < 90 {
        table[square] = step(square, -1, -1) | step(square, -1, 1) | step(square, 1, -1) | step(square, 1, 1);
        let mut away = 1;
        while away < 10 {
            table[square] |= step(square, away, 0) | step(square, -away, 0);
            table[square] |= step(square, 0, away) | step(square, 0, -away);
            away += 1;
        }
        square += 1;
    }
    table
}

const fn soldier_table(side: Side) -> [u128; 90] {
    let mut table = [0; 90];
    let forward = match side {
        Side::First => 1,
        Side::Second => -1,
    };
    let mut square = 0;
    while square < 90 {
        table[square] = step(square, 0, forward);
        if regions::half(side.opponent()).bits() >> square & 1 == 1 {
            table[square] |= step(square, -1, 0) | step(square, 1, 0);
        }
        square += 1;
    }
    table
}

const fn reversed(table: &[u128; 90]) -> [u128; 90] {
    let mut reversed = [0; 90];
    let mut from = 0;
    while from < 90 {
        let mut to = 0;
        while to < 90 {
            reversed[to] |= (table[from] >> to & 1) << from;
            to += 1;
        }
        from += 1;
    }
    reversed
}

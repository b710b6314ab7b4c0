//! Moves as players name them: a piece, where it stands among its like, which way, how far.
//!
//! The Chinese notation and WXF are two spellings of this. Only xiangqi has such notations.

use arrayvec::ArrayVec;
use game::side::Side;

use crate::legality::Candidate;
use crate::moves::Move;
use crate::position::Xiangqi;
use crate::role::Role;
use crate::square::{FILES, RANKS, Square};

/// A move as a player names it (XQ-7.5).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RelativeMove {
    /// The piece.
    pub role: Role,
    /// Where it stands.
    pub place: Place,
    /// Which way it goes; nothing in the printed short form, which leaves it out.
    pub direction: Option<Direction>,
    /// How many ranks a piece goes that moves along its file; else the number of the file where it
    /// arrives.
    pub number: u8,
}

/// Where a piece stands, as its side sees the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// On the file with this number.
    File(u8),
    /// First of two or more of its kind on one file.
    Front,
    /// Second of three.
    Middle,
    /// Last of two or more.
    Rear,
    /// So many-th of the soldiers that share a file with others, counted from the side's right to its
    /// left and from the front to the rear.
    Nth(u8),
    /// So many-th from the front of the soldiers on the file with this number.
    NthOnFile(u8, u8),
}

/// The way a piece goes, as its side sees the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Towards the other side.
    Forward,
    /// Towards the own side.
    Backward,
    /// Along a rank.
    Level,
}

impl Direction {
    /// All directions.
    pub const ALL: [Direction; 3] = [Direction::Forward, Direction::Backward, Direction::Level];
}

/// The pieces of one kind and side on one file, from the front to the rear.
type Column = ArrayVec<Square, 10>;

impl Xiangqi {
    /// The candidates that a named move can mean: the pieces that fit, each with where it would go, or
    /// nothing where such a piece cannot go that way at all.
    pub(crate) fn candidates(&self, named: RelativeMove) -> Vec<(Square, Option<Candidate>)> {
        let us = self.side_to_move();
        let mut candidates = Vec::new();
        for from in self.board().of(us, named.role) {
            if !self.stands_at(named.role, from, named.place) {
                continue;
            }
            for direction in Direction::ALL {
                if named.direction.is_none_or(|named| named == direction) {
                    let to = destination(us, named.role, from, direction, named.number);
                    candidates.push((from, to.map(|to| Candidate { from, to })));
                }
            }
        }
        candidates
    }

    fn stands_at(&self, role: Role, square: Square, place: Place) -> bool {
        let us = self.side_to_move();
        let column = self.column(role, square.file());
        let is_shared = column.len() > 1;
        match place {
            Place::File(number) => square.file_number(us) == number,
            Place::Front => is_shared && column.first() == Some(&square),
            Place::Rear => is_shared && column.last() == Some(&square),
            Place::Middle => column.len() == 3 && column[1] == square,
            Place::Nth(n) => role == Role::Soldier && self.number_among_shared(square) == Some(n),
            Place::NthOnFile(n, file) => {
                square.file_number(us) == file && n > 0 && column.get(n as usize - 1) == Some(&square)
            }
        }
    }

    /// The own pieces of a role on a file, from the front to the rear.
    fn column(&self, role: Role, file: u8) -> Column {
        let us = self.side_to_move();
        let mut column: Column =
            self.board().of(us, role).into_iter().filter(|square| square.file() == file).collect();
        if us == Side::First {
            column.reverse();
        }
        column
    }

    /// The number of a soldier among all own soldiers that share a file with others.
    fn number_among_shared(&self, soldier: Square) -> Option<u8> {
        let us = self.side_to_move();
        let files: [u8; 9] = std::array::from_fn(|i| match us {
            Side::First => FILES - 1 - u8::try_from(i).unwrap_or_default(),
            Side::Second => u8::try_from(i).unwrap_or_default(),
        });
        let columns = files.map(|file| self.column(Role::Soldier, file));
        let mut shared = columns.iter().filter(|column| column.len() > 1).flatten();
        let index = shared.position(|&square| square == soldier)?;
        u8::try_from(index + 1).ok()
    }

    /// How a legal move's piece is told from its like, in the standard form of Chinese notation.
    pub(crate) fn chinese_place(&self, m: Move) -> Place {
        let by_file = Place::File(m.from.file_number(self.side_to_move()));
        let column = self.column_if_shared(m);
        let Some(column) = column else { return by_file };
        let is_soldier = m.role == Role::Soldier;
        if is_soldier && (column.len() > 3 || self.shares_several_files(m.from.file())) {
            return self.number_among_shared(m.from).map_or(by_file, Place::Nth);
        }
        if column.first() == Some(&m.from) {
            Place::Front
        } else if column.last() == Some(&m.from) {
            Place::Rear
        } else {
            Place::Middle
        }
    }

    /// How a legal move's piece is told from its like in WXF.
    pub(crate) fn wxf_place(&self, m: Move) -> Place {
        let file = m.from.file_number(self.side_to_move());
        let Some(column) = self.column_if_shared(m) else { return Place::File(file) };
        let is_soldier = m.role == Role::Soldier;
        if is_soldier && (column.len() > 2 || self.shares_several_files(m.from.file())) {
            let index = column.iter().position(|&square| square == m.from).unwrap_or_default();
            return Place::NthOnFile(u8::try_from(index + 1).unwrap_or_default(), file);
        }
        if column.first() == Some(&m.from) { Place::Front } else { Place::Rear }
    }

    /// The column of a move's piece, if others of its kind stand there. Advisors and elephants on one file
    /// are told apart by their direction, and the general is alone.
    fn column_if_shared(&self, m: Move) -> Option<Column> {
        if matches!(m.role, Role::General | Role::Advisor | Role::Elephant) {
            return None;
        }
        Some(self.column(m.role, m.from.file())).filter(|column| column.len() > 1)
    }

    /// Whether soldiers share another file, too.
    fn shares_several_files(&self, file: u8) -> bool {
        (0..FILES).any(|other| other != file && self.column(Role::Soldier, other).len() > 1)
    }

    /// The direction and the number of a legal move.
    pub(crate) fn direction_and_number(&self, m: Move) -> (Direction, u8) {
        let us = self.side_to_move();
        let (from, to) = (m.from.ranks_ahead(us), m.to.ranks_ahead(us));
        let direction = match to.cmp(&from) {
            std::cmp::Ordering::Greater => Direction::Forward,
            std::cmp::Ordering::Less => Direction::Backward,
            std::cmp::Ordering::Equal => Direction::Level,
        };
        let is_along_file = m.from.file() == m.to.file();
        (direction, if is_along_file { from.abs_diff(to) } else { m.to.file_number(us) })
    }
}

/// Where a piece arrives that goes in a direction by a number.
fn destination(us: Side, role: Role, from: Square, direction: Direction, number: u8) -> Option<Square> {
    let file_of = |number: u8| match us {
        Side::First => FILES.checked_sub(number),
        Side::Second => number.checked_sub(1),
    };
    let ranks = |count: u8| {
        let ahead = from.ranks_ahead(us);
        let ahead = match direction {
            Direction::Forward => ahead.checked_add(count)?,
            Direction::Backward => ahead.checked_sub(count)?,
            Direction::Level => return None,
        };
        let last = RANKS - 1;
        if us == Side::First { Some(ahead) } else { last.checked_sub(ahead) }
    };
    match role {
        Role::General | Role::Chariot | Role::Cannon | Role::Soldier if direction == Direction::Level => {
            Square::new(file_of(number)?, from.rank())
        }
        Role::General | Role::Chariot | Role::Cannon | Role::Soldier => {
            Square::new(from.file(), ranks(number)?).filter(|_| number > 0)
        }
        Role::Horse | Role::Elephant | Role::Advisor => {
            let file = file_of(number)?;
            let count = match (role, from.file().abs_diff(file)) {
                (Role::Horse, 1) | (Role::Elephant, 2) => 2,
                (Role::Horse, 2) | (Role::Advisor, 1) => 1,
                _ => return None,
            };
            Square::new(file, ranks(count)?)
        }
    }
}

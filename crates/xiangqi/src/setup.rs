//! A position as it is described, and whether a game can have it (XQ-1.3b).

use game::fen_fault::{FenFault, FenFaultKind};
use game::language::Language;
use game::side::Side;
use game::square::list;

use crate::board::Board;
use crate::message::{role_name, side_name};
use crate::position::Xiangqi;
use crate::regions;
use crate::role::Role;
use crate::square::{Bitboard, Square};
use crate::zobrist;

/// A described position, possibly one that no game can have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    /// The placement of the pieces.
    pub board: Board,
    /// Whose turn it is.
    pub side_to_move: Side,
    /// Plies since the last capture.
    pub halfmove_clock: u32,
    /// The number of the current round, counted from 1.
    pub fullmove_number: u32,
}

impl Setup {
    /// Makes a legal position of the setup.
    ///
    /// # Errors
    /// Every fault that makes the setup impossible.
    pub fn position(&self) -> Result<Xiangqi, Vec<FenFault>> {
        let mut faults = Vec::new();
        check_men(&self.board, &mut faults);
        check_turn(&self.board, self.side_to_move, &mut faults);
        if !faults.is_empty() {
            return Err(faults);
        }
        let mut position = Xiangqi {
            board: self.board.clone(),
            side_to_move: self.side_to_move,
            halfmove_clock: self.halfmove_clock,
            fullmove_number: self.fullmove_number,
            key: key_of(&self.board, self.side_to_move),
            checkers: Bitboard::EMPTY,
        };
        position.find_checkers();
        Ok(position)
    }
}

fn key_of(board: &Board, side_to_move: Side) -> u64 {
    let mut key = if side_to_move == Side::Second { zobrist::second_to_move() } else { 0 };
    for side in Side::ALL {
        for role in Role::ALL {
            for square in board.of(side, role) {
                key ^= zobrist::piece(side, role, square);
            }
        }
    }
    key
}

/// Checks the numbers and the places of the men, and that the generals do not face.
pub(crate) fn check_men(board: &Board, faults: &mut Vec<FenFault>) {
    for side in Side::ALL {
        for role in Role::ALL {
            let men = board.of(side, role);
            if men.any() || role == Role::General {
                check_kind(side, role, men, faults);
            }
        }
    }
    let [Some(red), Some(black)] = Side::ALL.map(|side| only_general(board, side)) else { return };
    let occupied = board.occupied();
    if crate::attacks::sight(red, occupied).first.has(black) {
        faults.push(FenFault {
            kind: FenFaultKind::GeneralsFace,
            found: format!("the generals on {red} and {black} face each other"),
            expected: "a piece between them, or different files".to_owned(),
        });
    }
}

/// Checks the number and the places of one side's pieces of one role.
fn check_kind(side: Side, role: Role, men: Bitboard, faults: &mut Vec<FenFault>) {
    let (count, most) = (men.len(), role.original_count());
    let stray = men - regions::points(side, role);
    let is_wrong_count = if role == Role::General { count != 1 } else { count > most };
    if !is_wrong_count && stray.is_empty() {
        return;
    }
    let (owner, name) = (side_name(side, Language::En), role_name(role, side, Language::En));
    if is_wrong_count && role == Role::General {
        faults.push(FenFault {
            kind: FenFaultKind::KingCount,
            found: format!("number of {owner}'s generals: {count}"),
            expected: "exactly 1".to_owned(),
        });
    } else if is_wrong_count {
        faults.push(FenFault {
            kind: FenFaultKind::TooManyOfKind,
            found: format!("number of {owner}'s {name}s: {count} ({})", list(men)),
            expected: format!("at most {most}"),
        });
    }
    if stray.any() {
        faults.push(FenFault {
            kind: FenFaultKind::PieceOutOfPlace,
            found: format!("{owner}'s {name} on {}", list(stray)),
            expected: "only points that a piece of its kind can reach".to_owned(),
        });
    }
}

fn only_general(board: &Board, side: Side) -> Option<Square> {
    let generals = board.of(side, Role::General);
    generals.first().filter(|_| !generals.has_several())
}

/// Checks that the side that is not to move is not in check.
pub(crate) fn check_turn(board: &Board, side_to_move: Side, faults: &mut Vec<FenFault>) {
    let (us, them) = (side_to_move, side_to_move.opponent());
    let Some(general) = only_general(board, them) else { return };
    // That the generals face is a fault of its own.
    let attackers = board.attackers(general, us, board.occupied()) - board.of_role(Role::General);
    if attackers.any() {
        faults.push(FenFault {
            kind: FenFaultKind::OpponentInCheck,
            found: format!(
                "{} is to move and already attacks the general on {general} from {}",
                side_name(us, Language::En),
                list(attackers)
            ),
            expected: format!("{} not to be in check", side_name(them, Language::En)),
        });
    }
}

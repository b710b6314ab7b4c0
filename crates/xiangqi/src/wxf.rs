//! Moves as the World Xiangqi Federation writes them: `C2=5`, `H8+7`, `R+=2`, `15+1`.
//!
//! Only xiangqi has this notation.

use game::notation::MoveString;

use crate::moves::Move;
use crate::position::Xiangqi;
use crate::relative::{Direction, Place, RelativeMove};
use crate::role::Role;

/// Reads a move. Letters may be small, `N` stands for `H`, `B` for `E`, `.` for `=`, and the sign of the
/// front or the rear piece may come first (`+R=2`).
#[must_use]
pub fn parse(text: &str) -> Option<RelativeMove> {
    let &[first, second, direction, number] = text.as_bytes() else { return None };
    let direction = match direction {
        b'+' => Direction::Forward,
        b'-' => Direction::Backward,
        b'=' | b'.' => Direction::Level,
        _ => return None,
    };
    let (role, place) = match (first, second) {
        (b'1'..=b'5', b'1'..=b'9') => (Role::Soldier, Place::NthOnFile(first - b'0', second - b'0')),
        (letter, b'1'..=b'9') => (Role::from_letter(letter)?, Place::File(second - b'0')),
        (letter, b'+') | (b'+', letter) => (Role::from_letter(letter)?, Place::Front),
        (letter, b'-') | (b'-', letter) => (Role::from_letter(letter)?, Place::Rear),
        _ => return None,
    };
    let number = match number {
        b'1'..=b'9' => number - b'0',
        _ => return None,
    };
    Some(RelativeMove { role, place, direction: Some(direction), number })
}

impl Xiangqi {
    /// Writes a legal move in WXF.
    #[must_use]
    pub fn wxf(&self, m: Move) -> MoveString {
        let (direction, number) = self.direction_and_number(m);
        let digit = |number: u8| char::from(b'0' + number);
        let (first, second) = match self.wxf_place(m) {
            Place::NthOnFile(n, file) => (digit(n), digit(file)),
            Place::Front => (letter(m.role), '+'),
            Place::Rear => (letter(m.role), '-'),
            Place::File(file) | Place::Nth(file) => (letter(m.role), digit(file)),
            // Three of a kind are soldiers, and those are counted.
            Place::Middle => (letter(m.role), '='),
        };
        let direction = match direction {
            Direction::Forward => '+',
            Direction::Backward => '-',
            Direction::Level => '=',
        };
        let mut text = MoveString::new();
        for letter in [first, second, direction, digit(number)] {
            text.push(letter);
        }
        text
    }
}

/// The letter of a role; WXF writes `H` and `E` where FEN has `N` and `B`.
const fn letter(role: Role) -> char {
    match role {
        Role::Horse => 'H',
        Role::Elephant => 'E',
        role => role.letter(),
    }
}

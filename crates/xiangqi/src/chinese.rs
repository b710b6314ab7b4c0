//! Moves in Chinese: `炮二平五`, `马8进7`, `前车进一`, `一兵平六` (XQ-7.5).
//!
//! Read are simplified and traditional characters with their variants, digits of every kind for either
//! side, and the printed short form without the direction (`炮25`). Written is simplified Chinese in the
//! form of competitions. Only xiangqi has this notation.

use game::language::Language;
use game::notation::MoveString;
use game::side::Side;

use crate::message::role_name;
use crate::moves::Move;
use crate::position::Xiangqi;
use crate::relative::{Direction, Place, RelativeMove};
use crate::role::Role;

/// One character of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token {
    Role(Role),
    Number(u8),
    Front,
    Middle,
    Rear,
    Direction(Direction),
}

/// Reads a move.
#[must_use]
pub fn parse(text: &str) -> Option<RelativeMove> {
    let mut tokens = arrayvec::ArrayVec::<Token, 5>::new();
    for letter in text.chars().filter(|letter| !letter.is_whitespace()) {
        tokens.try_push(token(letter)?).ok()?;
    }
    let (role, place, rest) = match tokens[..] {
        [Token::Role(role), Token::Number(file), ref rest @ ..] => (role, Place::File(file), rest),
        [Token::Front, Token::Role(role), ref rest @ ..] => (role, Place::Front, rest),
        [Token::Middle, Token::Role(role), ref rest @ ..] => (role, Place::Middle, rest),
        [Token::Rear, Token::Role(role), ref rest @ ..] => (role, Place::Rear, rest),
        [Token::Number(n), Token::Role(role), ref rest @ ..] => (role, Place::Nth(n), rest),
        _ => return None,
    };
    let (direction, number) = match *rest {
        [Token::Direction(direction), Token::Number(number)] => (Some(direction), number),
        [Token::Number(number)] => (None, number),
        _ => return None,
    };
    Some(RelativeMove { role, place, direction, number })
}

fn token(letter: char) -> Option<Token> {
    Some(match letter {
        '兵' | '卒' => Token::Role(Role::Soldier),
        '仕' | '士' => Token::Role(Role::Advisor),
        '相' | '象' => Token::Role(Role::Elephant),
        '马' | '馬' | '傌' => Token::Role(Role::Horse),
        '炮' | '砲' | '包' | '軳' => Token::Role(Role::Cannon),
        '车' | '車' | '俥' | '伡' => Token::Role(Role::Chariot),
        '帅' | '帥' | '将' | '將' => Token::Role(Role::General),
        '前' => Token::Front,
        '中' => Token::Middle,
        '后' | '後' => Token::Rear,
        '进' | '進' => Token::Direction(Direction::Forward),
        '退' => Token::Direction(Direction::Backward),
        '平' => Token::Direction(Direction::Level),
        _ => Token::Number(number(letter)?),
    })
}

/// A digit from 1 to 9: Chinese, ASCII or full-width.
fn number(letter: char) -> Option<u8> {
    let digits = match letter {
        '1'..='9' => return u8::try_from(letter).ok().map(|digit| digit - b'0'),
        '１'..='９' => return u8::try_from(u32::from(letter) - u32::from('０')).ok(),
        _ => NUMERALS,
    };
    let index = digits.iter().position(|&digit| digit == letter)?;
    u8::try_from(index + 1).ok()
}

const NUMERALS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

impl Xiangqi {
    /// Writes a legal move in Chinese: Red's numbers in Chinese numerals, Black's in digits.
    #[must_use]
    pub fn chinese(&self, m: Move) -> MoveString {
        let us = self.side_to_move();
        let numeral = |number: u8| NUMERALS.get(number as usize - 1).copied().unwrap_or('一');
        let digit = |number: u8| match us {
            Side::First => numeral(number),
            Side::Second => char::from(b'0' + number),
        };
        let mut text = MoveString::new();
        let name = role_name(m.role, us, Language::Zh);
        let before = match self.chinese_place(m) {
            Place::File(file) | Place::NthOnFile(_, file) => {
                text.push_str(name);
                digit(file)
            }
            Place::Front => '前',
            Place::Middle => '中',
            Place::Rear => '后',
            // Soldiers are counted in Chinese numerals on both sides.
            Place::Nth(n) => numeral(n),
        };
        let is_named = !text.is_empty();
        text.push(before);
        if !is_named {
            text.push_str(name);
        }
        let (direction, number) = self.direction_and_number(m);
        text.push(match direction {
            Direction::Forward => '进',
            Direction::Backward => '退',
            Direction::Level => '平',
        });
        text.push(digit(number));
        text
    }
}

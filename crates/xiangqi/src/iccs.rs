//! Moves as the Internet Chinese Chess Server wrote them: `H2-E2`.
//!
//! Only xiangqi has this notation.

use game::notation::MoveString;
use game::square::Square as _;

use crate::legality::Candidate;
use crate::moves::Move;
use crate::square::Square;
use crate::uci;

/// Reads a move, in small or in capital letters, with the hyphen or without.
#[must_use]
pub fn parse(text: &str) -> Option<Candidate> {
    match text.as_bytes() {
        [_, _, b'-', ..] => {
            Some(Candidate { from: Square::parse(text.get(..2)?)?, to: Square::parse(text.get(3..)?)? })
        }
        _ => uci::parse(text),
    }
}

/// Writes a move.
#[must_use]
pub fn write(m: Move) -> MoveString {
    let mut text = MoveString::new();
    text.push_str(&m.from.text());
    text.push('-');
    text.push_str(&m.to.text());
    text.make_ascii_uppercase();
    text
}

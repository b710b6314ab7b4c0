//! Moves as UCI engines for xiangqi write them: `h2e2`, ranks 0 to 9; or with ranks 1 to 10 (`h3e3`).

use game::notation::MoveString;
use game::square::Square as _;

use crate::legality::Candidate;
use crate::moves::Move;
use crate::square::Square;

/// Reads a move with ranks 0 to 9, in small or in capital letters.
#[must_use]
pub fn parse(text: &str) -> Option<Candidate> {
    let (from, to) = text.split_at_checked(2)?;
    Some(Candidate { from: Square::parse(from)?, to: Square::parse(to)? })
}

/// Reads a move with ranks 1 to 10.
#[must_use]
pub fn parse_rank1(text: &str) -> Option<Candidate> {
    let second = text.char_indices().skip(1).find(|(_, c)| c.is_ascii_alphabetic())?.0;
    let (from, to) = text.split_at_checked(second)?;
    Some(Candidate { from: square_rank1(from)?, to: square_rank1(to)? })
}

fn square_rank1(text: &str) -> Option<Square> {
    let (&file, rank) = text.as_bytes().split_first()?;
    let rank = match rank {
        b"10" => 9,
        [rank @ b'1'..=b'9'] => rank - b'1',
        _ => return None,
    };
    Square::new(file.to_ascii_lowercase().wrapping_sub(b'a'), rank)
}

/// Writes a move with ranks 0 to 9.
#[must_use]
pub fn write(m: Move) -> MoveString {
    let mut text = MoveString::new();
    text.push_str(&m.from.text());
    text.push_str(&m.to.text());
    text
}

//! Moves as UCI writes them: `e2e4`, `e7e8q` (Universal Chess Interface, R. Huber and S. Meyer-Kahlen,
//! 2006).

use game::notation::MoveString;
use game::square::Square as _;

use crate::castling;
use crate::legality::Candidate;
use crate::moves::Move;
use crate::position::{CastlingStyle, Chess};
use crate::role::Role;
use crate::square::Square;

/// Reads a UCI move, in small or in capital letters; `B5e6` is a bishop's move in SAN.
#[must_use]
pub fn parse(text: &str) -> Option<Candidate> {
    let bytes = text.as_bytes();
    let promotion = match bytes.len() {
        4 => None,
        5 => Some(Role::from_letter(bytes[4])?),
        _ => return None,
    };
    if bytes[0].is_ascii_uppercase() != bytes[2].is_ascii_uppercase() {
        return None;
    }
    // Square letters are ASCII, so the text can be cut only where it is a move.
    let (from, to) = (text.get(..2)?, text.get(2..4)?);
    Some(Candidate { from: Square::parse(from)?, to: Square::parse(to)?, promotion })
}

impl Chess {
    /// Writes a legal move. Castling is the king's step in standard chess (`e1g1`), king takes rook in
    /// Chess960 (`e1h1`).
    #[must_use]
    pub fn uci(&self, m: Move) -> MoveString {
        let to = match (m.kind.castling(), self.style()) {
            (Some(wing), CastlingStyle::Standard) => castling::targets(self.side_to_move(), wing).0,
            _ => m.to,
        };
        let mut text = MoveString::new();
        text.push_str(&m.from.text());
        text.push_str(&to.text());
        if let Some(role) = m.kind.promotion() {
            text.push(role.letter().to_ascii_lowercase());
        }
        text
    }
}

//! Which game is meant: the one place that knows all of them.

use chess::position::{CastlingStyle, Chess};
use xiangqi::position::Xiangqi;

use crate::eval::Evaluated;

/// A game that can be asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Variant {
    /// Chess from its usual start position, or from any position with castling as there.
    Chess,
    /// Chess960: any start position, castling with king and rook on any file.
    Chess960,
    /// Xiangqi.
    Xiangqi,
}

/// Something that can be asked of every game.
pub trait Question {
    /// The answer.
    type Answer;

    /// Asks it of one game.
    fn ask<P: Evaluated>(self, variant: Variant, style: P::Style) -> Self::Answer;
}

impl Variant {
    /// Asks a question of this game.
    pub fn ask<Q: Question>(self, question: Q) -> Q::Answer {
        match self {
            Variant::Chess => question.ask::<Chess>(self, CastlingStyle::Standard),
            Variant::Chess960 => question.ask::<Chess>(self, CastlingStyle::Chess960),
            Variant::Xiangqi => question.ask::<Xiangqi>(self, ()),
        }
    }

    /// Every variant.
    pub const ALL: [Variant; 3] = [Variant::Chess, Variant::Chess960, Variant::Xiangqi];

    /// The variant that a PGN's `Variant` or `Game` tag names, in any of the spellings that are in use.
    #[must_use]
    pub fn from_pgn(name: &str) -> Option<Variant> {
        // What is not known or does not apply, as PGN writes it in any tag.
        if matches!(name.trim(), "" | "?" | "-") {
            return Some(Variant::Chess);
        }
        let letters: String = name.chars().filter(|c| c.is_alphanumeric()).collect();
        match letters.to_ascii_lowercase().as_str() {
            "chess" | "standard" | "normal" | "fromposition" => Some(Variant::Chess),
            "chess960" | "960" | "fischerandom" | "fischerrandom" | "fischerrandomchess" | "frc"
            | "freestyle" | "freestylechess" => Some(Variant::Chess960),
            "xiangqi" | "chinesechess" | "cchess" | "中国象棋" | "中國象棋" | "象棋" => {
                Some(Variant::Xiangqi)
            }
            _ => None,
        }
    }

    /// The name that the API uses.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Variant::Chess => "CHESS",
            Variant::Chess960 => "CHESS960",
            Variant::Xiangqi => "XIANGQI",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_without_a_name_is_chess_only_where_pgn_says_so() {
        for name in ["", " ", "?", "-", "Standard", "From Position"] {
            assert_eq!(Variant::from_pgn(name), Some(Variant::Chess), "{name:?}");
        }
        for name in ["*", "??", "---", "!", "/", "?-"] {
            assert_eq!(Variant::from_pgn(name), None, "{name:?}");
        }
    }
}

//! Positions to begin games from.

use game::language::Language;
use game::line::Line;
use game::notation::{MoveNotation, Notation};

use crate::cli::Failure;
use crate::epd;

/// An opening as text that can be sent to an engine: a position and moves from there.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Opening {
    /// The FEN; empty for the game's start.
    pub fen: String,
    /// The moves in UCI.
    pub moves: Vec<String>,
}

/// Reads openings: a line is an EPD, or moves in UCI from the game's start.
#[must_use]
pub fn parse(text: &str) -> Vec<Opening> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| match epd::parse(line) {
            Some(epd) => Opening { fen: epd.fen, moves: Vec::new() },
            None => {
                Opening { fen: String::new(), moves: line.split_whitespace().map(str::to_owned).collect() }
            }
        })
        .collect()
}

impl Opening {
    /// The opening as a line of a game.
    ///
    /// # Errors
    /// What of it cannot be read.
    pub fn line<P: Notation>(&self, style: P::Style) -> Result<Line<P>, Failure> {
        let start = if self.fen.is_empty() {
            P::start(style).ok_or("this variant has no start position: openings need a FEN")?
        } else {
            P::parse_fen(&self.fen, style).map_err(|faults| format!("FEN {}: {faults:?}", self.fen))?
        };
        let mut line = Line::new(start);
        for text in &self.moves {
            play(&mut line, text)?;
        }
        Ok(line)
    }
}

/// Plays a move in UCI at the end of a line.
///
/// # Errors
/// Why the move is none.
pub fn play<P: Notation>(line: &mut Line<P>, uci: &str) -> Result<(), Failure> {
    let m = line.last().read_move(uci, MoveNotation::Uci, Language::En);
    line.play(m.map_err(|illegal| format!("move {uci}: {}", illegal.message))?);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_position_or_moves() {
        let openings = parse("4k3/8/8/8/8/8/8/4K2R w - -\n\n# a comment\ng0e2 b9c7\n");
        assert_eq!(openings[0].fen, "4k3/8/8/8/8/8/8/4K2R w - - 0 1");
        assert_eq!(openings[1], Opening { fen: String::new(), moves: vec!["g0e2".into(), "b9c7".into()] });
    }
}

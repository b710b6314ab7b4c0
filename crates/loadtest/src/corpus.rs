//! Real games whose answers are known: what was played is legal, and other programs have told the rest.

use std::collections::BTreeMap;
use std::io::Read as _;

use flate2::read::GzDecoder;
use proto::v1::Variant;
use serde::Deserialize;

use crate::exit::Failure;

/// The games that are built in; `corpus/README.md` has their origin.
const BUILT_IN: &[u8] = include_bytes!("../corpus/games.jsonl.gz");

/// A game, with what is known of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Game {
    /// What is played.
    pub(crate) variant: Variant,
    /// What was played, in UCI.
    pub(crate) moves: Vec<String>,
    /// The FENs: of the start, and after each move.
    pub(crate) fens: Vec<String>,
    /// How many legal moves there are in each of these positions, where that is known.
    pub(crate) legal_move_counts: Option<Vec<u32>>,
    /// All legal moves in UCI, sorted, of some of these positions.
    pub(crate) listed: BTreeMap<usize, Vec<String>>,
}

impl Game {
    /// How many moves are legal in the position after so many plies, where that is known.
    pub(crate) fn count_at(&self, ply: usize) -> Option<u32> {
        self.legal_move_counts.as_ref().and_then(|counts| counts.get(ply)).copied()
    }
}

/// A game as it is stored.
#[derive(Deserialize)]
struct Stored {
    variant: String,
    moves: String,
    fens: Vec<String>,
    legal_move_counts: Vec<u32>,
    listed: Vec<Listed>,
}

#[derive(Deserialize)]
struct Listed {
    ply: usize,
    legal: String,
}

/// The games that are built in.
///
/// # Errors
/// Never, if the tests have passed.
pub(crate) fn built_in() -> Result<Vec<Game>, Failure> {
    let mut text = String::new();
    let read = GzDecoder::new(BUILT_IN).read_to_string(&mut text);
    read.map_err(|error| format!("the games that are built in: {error}"))?;
    text.lines().map(unpack).collect()
}

fn unpack(line: &str) -> Result<Game, Failure> {
    let stored: Stored =
        serde_json::from_str(line).map_err(|error| format!("a game that is built in: {error}"))?;
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    Ok(Game {
        variant: if stored.variant == "XIANGQI" { Variant::Xiangqi } else { Variant::Chess },
        moves: words(&stored.moves),
        fens: stored.fens,
        legal_move_counts: Some(stored.legal_move_counts),
        listed: stored.listed.iter().map(|listed| (listed.ply, words(&listed.legal))).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    #[test]
    fn both_games_are_there_and_small() {
        let games = built_in().unwrap();
        for variant in [Variant::Chess, Variant::Xiangqi] {
            assert_eq!(games.iter().filter(|game| game.variant == variant).count(), 48);
        }
        assert!(BUILT_IN.len() < 200_000);
    }

    #[test]
    fn every_move_is_made_by_the_side_to_move_and_every_position_is_known() {
        for game in built_in().unwrap() {
            assert_eq!(game.fens.len(), game.moves.len() + 1);
            assert_eq!(game.legal_move_counts.as_ref().unwrap().len(), game.fens.len());
            for (fen, played) in game.fens.iter().zip(&game.moves) {
                assert!(Board::of(fen).ours().contains(&&played[..2]), "{fen} {played}");
            }
        }
    }

    #[test]
    fn what_was_played_is_among_the_legal_moves() {
        for game in built_in().unwrap() {
            assert_eq!(game.listed.len(), 3);
            for (ply, legal) in &game.listed {
                assert!(legal.contains(&game.moves[*ply]), "{legal:?}");
                assert_eq!(Some(legal.len()), game.count_at(*ply).map(|count| count as usize));
            }
        }
    }
}

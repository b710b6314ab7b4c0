//! Questions, written short.

use proto::v1::{Game, ValidateMoveRequest, ValidateMovesRequest, Variant, View};

/// Chess from the start position, with these moves.
#[must_use]
pub fn moves(moves: &str) -> Game {
    from_fen("", moves)
}

/// Chess from a FEN, with these moves.
#[must_use]
pub fn from_fen(fen: &str, moves: &str) -> Game {
    Game {
        initial_fen: fen.to_owned(),
        moves: moves.split_whitespace().map(str::to_owned).collect(),
        ..Game::default()
    }
}

/// Xiangqi from a FEN, with these moves.
#[must_use]
pub fn xiangqi(fen: &str, moves: &str) -> Game {
    Game { variant: Variant::Xiangqi.into(), ..from_fen(fen, moves) }
}

/// Is this move legal there?
#[must_use]
pub fn ask(game: Game, text: &str) -> ValidateMoveRequest {
    ValidateMoveRequest { game: Some(game), r#move: text.to_owned(), ..ValidateMoveRequest::default() }
}

/// The same as an item of a stream, in the basic view.
#[must_use]
pub fn item(game: Game, text: &str) -> ValidateMovesRequest {
    ValidateMovesRequest {
        game: Some(game),
        r#move: text.to_owned(),
        view: View::Basic.into(),
        ..ValidateMovesRequest::default()
    }
}

/// A game of so many plies in which nothing happens.
#[must_use]
pub fn shuffle(plies: usize) -> Game {
    let cycle = ["g1f3", "g8f6", "f3g1", "f6g8"];
    Game { moves: cycle.iter().cycle().take(plies).map(|&m| m.to_owned()).collect(), ..Game::default() }
}

/// The FEN of the start position of xiangqi.
pub const XIANGQI_START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// The FEN of the start position.
pub const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

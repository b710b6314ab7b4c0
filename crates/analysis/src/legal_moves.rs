//! Which moves are legal here?

use game::notation::Notation;
use game::square::Square;

use crate::error::{Error, ErrorReason, shortened};
use crate::limits::{MAX_SQUARES, at_most};
use crate::repetition::would_lose;
use crate::replay::Game;
use crate::report::{GameState, MoveReport};
use crate::variant::{Question, Variant};

/// The legal moves of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LegalMoves {
    /// The moves, in the order of the move generator.
    pub moves: Vec<MoveReport>,
    /// How the game stands; its `legal_move_count` counts all moves, whatever the filter.
    pub state: GameState,
}

/// Lists the legal moves after the moves of `game`, by the movement rules alone: a game that has ended
/// by repetition or by a move count still has them. With `from_squares`, only moves of the pieces
/// there.
///
/// # Errors
/// The game itself is wrong, a square is not one of the board, or a limit is exceeded.
pub fn legal_moves(game: &Game, from_squares: &[String]) -> Result<LegalMoves, Error> {
    check_limits(game, from_squares)?;
    game.variant_or_default().ask(ListMoves { game, from_squares })
}

/// Measures the question of [`legal_moves`], without reading anything in it.
///
/// # Errors
/// The first limit that is exceeded.
pub fn check_limits(game: &Game, from_squares: &[String]) -> Result<(), Error> {
    at_most(("max_squares", MAX_SQUARES), from_squares.len(), || "from_squares".to_owned())?;
    game.check_limits()
}

struct ListMoves<'a> {
    game: &'a Game,
    from_squares: &'a [String],
}

impl Question for ListMoves<'_> {
    type Answer = Result<LegalMoves, Error>;

    fn ask<P: Notation>(self, variant: Variant, style: P::Style) -> Self::Answer {
        let Self { game, from_squares } = self;
        let filter = parse_squares::<P::Square>(from_squares)?;
        let rules = game.rules::<P>(variant)?;
        let line = game.line::<P>(variant, style)?;
        let position = line.last();
        let mut memo = P::Memo::default();
        // First, so that what the moves cost does not touch it.
        let state = GameState::new(&line, &rules, &mut memo, game.language);
        let moves = position
            .legal_moves()
            .into_iter()
            .filter(|&m| filter.is_empty() || filter.contains(&position.facts(m).from))
            .map(|m| {
                let after = position.after(m);
                let loses_by_repetition = would_lose(&line, (m, &after), &rules, &mut memo);
                MoveReport { loses_by_repetition, ..MoveReport::new(position, m, &after) }
            })
            .collect();
        Ok(LegalMoves { moves, state })
    }
}

/// Reads a filter of squares.
fn parse_squares<S: Square>(squares: &[String]) -> Result<Vec<S>, Error> {
    squares
        .iter()
        .enumerate()
        .map(|(index, text)| {
            S::parse(text).ok_or_else(|| {
                let shown = shortened(text);
                let message = format!("{shown:?} is not a square of the board; expected one like \"e4\"");
                Error::new(ErrorReason::SquareInvalid, format!("from_squares[{index}]"), message)
                    .with("square", shown)
            })
        })
        .collect()
}

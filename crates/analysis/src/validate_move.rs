//! Is this move legal here, why not, and what does it become?

use game::line::Line;
use game::notation::{MoveNotation, MoveString, Notation};

use crate::error::Error;
use crate::limits::check_move;
use crate::repetition::has_lost;
use crate::replay::{Game, check_notation};
use crate::report::{GameState, IllegalMove, MoveReport, fen_of, game_over};
use crate::variant::{Question, Variant};

/// How much of an answer is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum View {
    /// Everything.
    #[default]
    Full,
    /// Whether the move is legal, its UCI spelling, why not, and the FEN after it.
    Basic,
}

/// The answer about one move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveVerdict {
    /// The move, or why it is not legal.
    pub verdict: Result<LegalMove, IllegalMove>,
    /// The FEN after a legal move, or the FEN before an illegal one.
    pub fen: String,
    /// How the game stands there; nothing in the basic view.
    pub state: Option<GameState>,
}

/// A move that is legal, as the view tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LegalMove {
    /// Fully described.
    Full(MoveReport),
    /// Its UCI spelling alone.
    Basic(MoveString),
}

/// Says whether `text` is a legal move after the moves of `game`, and what it leads to.
///
/// # Errors
/// The game itself is wrong: its FEN, one of its moves, its rule set, or a limit.
pub fn validate_move(
    game: &Game,
    text: &str,
    notation: MoveNotation,
    view: View,
) -> Result<MoveVerdict, Error> {
    check_limits(game, text)?;
    game.variant_or_default().ask(ValidateMove { game, text, notation, view })
}

/// Measures the question of [`validate_move`], without reading anything in it.
///
/// # Errors
/// The first limit that is exceeded.
pub fn check_limits(game: &Game, text: &str) -> Result<(), Error> {
    check_move(text, || "move".to_owned())?;
    game.check_limits()
}

struct ValidateMove<'a> {
    game: &'a Game,
    text: &'a str,
    notation: MoveNotation,
    view: View,
}

impl Question for ValidateMove<'_> {
    type Answer = Result<MoveVerdict, Error>;

    fn ask<P: Notation>(self, variant: Variant, style: P::Style) -> Self::Answer {
        let Self { game, text, notation, view } = self;
        check_notation::<P>(notation, variant, "notation")?;
        let rules = game.rules::<P>(variant)?;
        let mut line = game.line::<P>(variant, style)?;
        let mut memo = P::Memo::default();
        let mut verdict = judge(&mut line, &rules, game, text, notation, view);
        if let Ok(LegalMove::Full(report)) = &mut verdict {
            report.loses_by_repetition = has_lost(&line, !line.last().side_to_move(), &rules, &mut memo);
        }
        let state = match view {
            View::Full => Some(GameState::new(&line, &rules, &mut memo, game.language)),
            View::Basic => None,
        };
        Ok(MoveVerdict { verdict, fen: fen_of(line.last()), state })
    }
}

/// Reads the move and, when it is legal, plays it on `line`.
fn judge<P: Notation>(
    line: &mut Line<P>,
    rules: &P::Rules,
    game: &Game,
    text: &str,
    notation: MoveNotation,
    view: View,
) -> Result<LegalMove, IllegalMove> {
    let before = line.last();
    let read = before.read_move(text, notation, game.language).map_err(IllegalMove::from);
    // `GameOver` comes before every reason but an unreadable text.
    let unreadable = matches!(&read, Err(illegal) if illegal.reason == game::illegal::Reason::Unreadable);
    if !unreadable && let Some(outcome) = P::ending(line, rules) {
        return Err(game_over::<P>(&outcome, game.language));
    }
    let m = read?;
    let after = before.after(m);
    let legal = match view {
        View::Full => LegalMove::Full(MoveReport::new(before, m, &after)),
        View::Basic => LegalMove::Basic(before.uci(m)),
    };
    line.push(m, after);
    Ok(legal)
}

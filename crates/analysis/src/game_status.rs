//! How does the game stand under a rule set?

use game::notation::{MoveString, Notation};
use game::outcome::{ClaimKind, MatingChance};
use game::side::Side;

use crate::error::Error;
use crate::repetition::RepetitionReport;
use crate::replay::Game;
use crate::report::{GameState, fen_of};
use crate::variant::{Question, Variant};

/// How a game stands, and what may be claimed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameStatus {
    /// How the game stands.
    pub state: GameState,
    /// The FEN of the last position.
    pub fen: String,
    /// What the side to move may claim.
    pub claims: Vec<ClaimReport>,
    /// What each side can still hope for, the first side at the front.
    pub mating_chances: [MatingChance; 2],
    /// The ruling on the repetition that the last move has brought about.
    pub repetition: Option<RepetitionReport>,
}

/// A claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimReport {
    /// What is claimed.
    pub kind: ClaimKind,
    /// The claim is right as the position stands.
    pub available_now: bool,
    /// Moves in UCI that make it right when one of them is declared.
    pub moves: Vec<MoveString>,
    /// The ledger id of the rule.
    pub rule: &'static str,
    /// One plain sentence.
    pub message: String,
}

/// Says how `game` stands after its last move.
///
/// # Errors
/// The game itself is wrong: its FEN, one of its moves, its rule set, or a limit.
pub fn game_status(game: &Game) -> Result<GameStatus, Error> {
    game.check_limits()?;
    game.variant_or_default().ask(AskStatus { game })
}

struct AskStatus<'a> {
    game: &'a Game,
}

impl Question for AskStatus<'_> {
    type Answer = Result<GameStatus, Error>;

    fn ask<P: Notation>(self, variant: Variant, style: P::Style) -> Self::Answer {
        let game = self.game;
        let rules = game.rules::<P>(variant)?;
        let line = game.line::<P>(variant, style)?;
        let position = line.last();
        let mut memo = P::Memo::default();
        let state = GameState::new(&line, &rules, &mut memo, game.language);
        // A finished game leaves nothing to claim.
        let claims = if state.outcome.is_some() { Vec::new() } else { P::claims(&line, &rules) };
        Ok(GameStatus {
            state,
            fen: fen_of(position),
            claims: claims
                .into_iter()
                .map(|claim| ClaimReport {
                    kind: claim.kind,
                    available_now: claim.available_now,
                    moves: claim.declared.into_iter().map(|m| position.uci(m)).collect(),
                    rule: claim.rule,
                    message: P::claim_message(claim.kind, game.language),
                })
                .collect(),
            mating_chances: Side::ALL.map(|side| position.mating_chance(side)),
            repetition: P::ruling(&line, &rules, &mut memo)
                .map(|ruling| RepetitionReport::new(&line, &ruling, game.language)),
        })
    }
}

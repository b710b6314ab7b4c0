//! What is asked of a game: its moves and terms, and how the answer should be.

use analysis::replay::{Game, MoveLimit};
use analysis::replay_game::Record;
use analysis::validate_move::View;
use analysis::variant::Variant;
use analysis::{Language, MoveNotation, RuleSet};
use proto::v1::{self, ErrorReason};

use crate::refusal::Refusal;

/// Reads the game of a request; without one, it is chess from the start position. Its sizes are for
/// `check_limits` to judge.
///
/// # Errors
/// An enum value that is not known.
pub fn game_from_proto(game: Option<v1::Game>) -> Result<Game, Refusal> {
    let Some(game) = game else { return Ok(Game::default()) };
    Ok(Game {
        variant: variant_from_proto(game.variant)?,
        initial_fen: game.initial_fen,
        moves: game.moves,
        notation: notation_from_proto("game.notation", game.notation)?,
        rule_set: rule_set_from_proto(game.rule_set)?,
        move_limits: game.move_limits.into_iter().map(move_limit_from_proto).collect(),
        rule_on_claim: game.rule_on_claim,
        language: language_from_proto(game.language)?,
    })
}

pub(super) fn variant_from_proto(value: i32) -> Result<Option<Variant>, Refusal> {
    match known("game.variant", value)? {
        v1::Variant::Unspecified => Ok(None),
        v1::Variant::Chess => Ok(Some(Variant::Chess)),
        v1::Variant::Chess960 => Ok(Some(Variant::Chess960)),
        v1::Variant::Xiangqi => Ok(Some(Variant::Xiangqi)),
    }
}

/// Reads the notation that stands in `field`.
///
/// # Errors
/// The value is not known.
pub fn notation_from_proto(field: &str, value: i32) -> Result<MoveNotation, Refusal> {
    Ok(match known(field, value)? {
        v1::Notation::Unspecified | v1::Notation::Auto => MoveNotation::Auto,
        v1::Notation::Uci => MoveNotation::Uci,
        v1::Notation::UciRank1 => MoveNotation::UciRank1,
        v1::Notation::San => MoveNotation::San,
        v1::Notation::Iccs => MoveNotation::Iccs,
        v1::Notation::Wxf => MoveNotation::Wxf,
        v1::Notation::Chinese => MoveNotation::Chinese,
    })
}

pub(super) fn rule_set_from_proto(value: i32) -> Result<Option<RuleSet>, Refusal> {
    Ok(match known("game.rule_set", value)? {
        v1::RuleSet::Unspecified => None,
        v1::RuleSet::Fide => Some(RuleSet::Fide),
        v1::RuleSet::Classic => Some(RuleSet::Classic),
        v1::RuleSet::Cxa => Some(RuleSet::Cxa),
        v1::RuleSet::Axf => Some(RuleSet::Axf),
        v1::RuleSet::Computer => Some(RuleSet::Computer),
    })
}

fn move_limit_from_proto(limit: v1::MoveLimit) -> MoveLimit {
    MoveLimit { material: limit.material, moves: limit.moves }
}

fn language_from_proto(value: i32) -> Result<Language, Refusal> {
    Ok(match known("game.language", value)? {
        v1::Language::Unspecified | v1::Language::En => Language::En,
        v1::Language::Zh => Language::Zh,
    })
}

/// Reads a question about a whole game.
///
/// # Errors
/// An enum value that is not known.
pub fn record_from_proto(request: v1::ReplayGameRequest) -> Result<Record, Refusal> {
    Ok(Record {
        game: game_from_proto(request.game)?,
        pgn: request.pgn,
        game_index: request.game_index as usize,
        first_ply: request.first_ply as usize,
        max_plies: request.max_plies as usize,
    })
}

/// Reads how much of an answer is wanted.
///
/// # Errors
/// The value is not known.
pub fn view_from_proto(value: i32) -> Result<View, Refusal> {
    Ok(match known("view", value)? {
        v1::View::Unspecified | v1::View::Full => View::Full,
        v1::View::Basic => View::Basic,
    })
}

/// An enum of the API that stands in requests.
trait RequestEnum: TryFrom<i32> {
    const NAME: &'static str;
    fn value_name(&self) -> &'static str;
}

macro_rules! request_enums {
    ($($name:ident)*) => {$(
        impl RequestEnum for v1::$name {
            const NAME: &'static str = stringify!($name);
            fn value_name(&self) -> &'static str {
                self.as_str_name()
            }
        }
    )*};
}

request_enums!(Variant Notation RuleSet Language View);

fn known<E: RequestEnum>(field: &str, value: i32) -> Result<E, Refusal> {
    E::try_from(value).map_err(|_| {
        let names: Vec<_> =
            (0..).map_while(|value| E::try_from(value).ok()).map(|known| known.value_name()).collect();
        let message =
            format!("{value} is not a value of the enum {}; expected one of {}", E::NAME, names.join(", "));
        let mut refusal = Refusal::of_field(ErrorReason::EnumValueUnknown, field, message);
        refusal.metadata = vec![("enum", E::NAME.to_owned()), ("value", value.to_string())];
        refusal
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_game_is_the_game_that_leaves_everything_out() {
        assert_eq!(game_from_proto(None), game_from_proto(Some(v1::Game::default())));
        assert_eq!(game_from_proto(None), Ok(Game::default()));
    }

    #[test]
    fn an_unknown_enum_value_names_field_value_and_choices() {
        let game = v1::Game { variant: 77, ..v1::Game::default() };
        let refusal = game_from_proto(Some(game)).expect_err("77 is no variant");
        assert_eq!(refusal.reason, ErrorReason::EnumValueUnknown);
        assert_eq!(refusal.violations[0].field, "game.variant");
        assert_eq!(refusal.metadata, [("enum", "Variant".to_owned()), ("value", "77".to_owned())]);
        assert!(refusal.message.contains("VARIANT_CHESS960"), "{}", refusal.message);
    }

    #[test]
    fn a_negative_enum_value_is_unknown_too() {
        assert!(view_from_proto(-1).is_err());
        assert!(notation_from_proto("notation", i32::MIN).is_err());
    }
}

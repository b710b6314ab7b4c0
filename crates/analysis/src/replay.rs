//! The game a question is about: a start position and the moves since.

use game::illegal::{Illegal, Reason};
use game::language::Language;
use game::line::Line;
use game::notation::{MoveNotation, Notation};
use game::position::Position;
use game::rule_set::RuleSet;
use game::square::Square;

use crate::error::{Error, ErrorReason};
use crate::limits::{MAX_MATERIAL_BYTES, MAX_MOVE_LIMITS, at_most, check_fen, check_move, check_move_count};
use crate::variant::Variant;

/// A game as it is asked about.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Game {
    /// The variant; chess when it is not named.
    pub variant: Option<Variant>,
    /// The start position as FEN; empty for the variant's own.
    pub initial_fen: String,
    /// The moves since the start position.
    pub moves: Vec<String>,
    /// The notation of `moves`.
    pub notation: MoveNotation,
    /// The rule set; the variant's default when it is not named.
    pub rule_set: Option<RuleSet>,
    /// Move limits that the organiser has set for named material.
    pub move_limits: Vec<MoveLimit>,
    /// What an arbiter would declare ends the game only when it is claimed (xiangqi).
    pub rule_on_claim: bool,
    /// The language of messages.
    pub language: Language,
}

/// A limit of moves without progress for some material.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveLimit {
    /// The men of both sides (`KRBKR`).
    pub material: String,
    /// The number of moves by each side.
    pub moves: u32,
}

impl Game {
    /// Measures the game against the [limits](crate::limits), without reading anything in it. Every
    /// question does so first; whoever lets questions wait can do so before.
    ///
    /// # Errors
    /// The first limit that is exceeded.
    pub fn check_limits(&self) -> Result<(), Error> {
        check_fen("game.initial_fen", &self.initial_fen)?;
        check_move_count("game.moves", self.moves.len())?;
        for (index, text) in self.moves.iter().enumerate() {
            check_move(text, || format!("game.moves[{index}]"))?;
        }
        let count = self.move_limits.len();
        at_most(("max_move_limits", MAX_MOVE_LIMITS), count, || "game.move_limits".to_owned())?;
        for (index, MoveLimit { material, .. }) in self.move_limits.iter().enumerate() {
            at_most(("max_material_bytes", MAX_MATERIAL_BYTES), material.len(), || {
                format!("game.move_limits[{index}].material")
            })?;
        }
        Ok(())
    }

    /// The variant that is meant.
    pub(crate) fn variant_or_default(&self) -> Variant {
        self.variant.unwrap_or(Variant::Chess)
    }

    /// The data of the rule set.
    pub(crate) fn rules<P: Notation>(&self, variant: Variant) -> Result<P::Rules, Error> {
        let mut rules = self.rules_unclaimed::<P>(variant)?;
        if self.rule_on_claim {
            P::rule_on_claim(&mut rules).map_err(|message| {
                let rule_set = self.rule_set.unwrap_or(P::DEFAULT_RULE_SET);
                Error::new(ErrorReason::RuleSetMismatch, "game.rule_on_claim", message)
                    .with("rule_set", rule_set.name())
            })?;
        }
        Ok(rules)
    }

    /// The same as if every claim were made as soon as it is right.
    pub(crate) fn rules_unclaimed<P: Notation>(&self, variant: Variant) -> Result<P::Rules, Error> {
        let rule_set = self.rule_set.unwrap_or(P::DEFAULT_RULE_SET);
        let mut rules = P::rules(rule_set).ok_or_else(|| {
            let known: Vec<_> = rule_sets_of::<P>().map(RuleSet::name).collect();
            let what = format!("{} is not a rule set of {}", rule_set.name(), variant.name());
            mismatch(ErrorReason::RuleSetMismatch, "game.rule_set", &what, &known)
        })?;
        for (index, MoveLimit { material, moves }) in self.move_limits.iter().enumerate() {
            P::set_move_limit(&mut rules, material, *moves).map_err(|message| {
                let field = format!("game.move_limits[{index}]");
                Error::new(ErrorReason::MoveLimitInvalid, field, message)
                    .with("rule_set", rule_set.name())
                    .with("moves", moves.to_string())
            })?;
        }
        Ok(rules)
    }

    /// Plays all moves from the start position.
    pub(crate) fn line<P: Notation>(&self, variant: Variant, style: P::Style) -> Result<Line<P>, Error> {
        check_notation::<P>(self.notation, variant, "game.notation")?;
        let start: P = start_position(&self.initial_fen, variant, style, "game.initial_fen")?;
        let mut line = Line::new(start);
        line.reserve(self.moves.len() + 1);
        for (index, text) in self.moves.iter().enumerate() {
            // What is wrong with a question is told to developers, in English.
            match line.last().read_move(text, self.notation, Language::En) {
                Ok(m) => line.play(m),
                Err(illegal) => return Err(bad_move("game.moves", index, text, illegal)),
            }
        }
        Ok(line)
    }
}

/// The start position that stands in the named field; the variant's own when the field is empty.
pub(crate) fn start_position<P: Notation>(
    fen: &str,
    variant: Variant,
    style: P::Style,
    field: &str,
) -> Result<P, Error> {
    if fen.is_empty() {
        return P::start(style).ok_or_else(|| {
            let name = variant.name();
            let message = format!("{name} has many start positions; expected the FEN of this game's");
            Error::new(ErrorReason::FenRequired, field, message).with("variant", name)
        });
    }
    P::parse_fen(fen, style).map_err(|faults| Error::fen(field, &faults))
}

/// The rule sets that a game knows.
pub(crate) fn rule_sets_of<P: Position>() -> impl Iterator<Item = RuleSet> {
    RuleSet::ALL.into_iter().filter(|&rule_set| P::rules(rule_set).is_some())
}

/// Refuses a notation that is not one of the game's.
pub(crate) fn check_notation<P: Notation>(
    notation: MoveNotation,
    variant: Variant,
    field: &str,
) -> Result<(), Error> {
    if notation == MoveNotation::Auto || P::NOTATIONS.contains(&notation) {
        return Ok(());
    }
    let known: Vec<_> = P::NOTATIONS.iter().map(|known| known.name()).collect();
    let what = format!("{} is not a notation of {}", notation.name(), variant.name());
    Err(mismatch(ErrorReason::NotationMismatch, field, &what, &known))
}

/// A choice that belongs to another game.
fn mismatch(reason: ErrorReason, field: &str, what: &str, known: &[&str]) -> Error {
    let known = known.join(", ");
    Error::new(reason, field, format!("{what}; expected one of {known}")).with("expected", known)
}

/// A move in a list of the question that is not legal: the question itself is wrong.
pub(crate) fn bad_move<S: Square>(field: &str, index: usize, text: &str, illegal: Illegal<S>) -> Error {
    let reason = match illegal.reason {
        Reason::Unreadable => ErrorReason::MoveUnreadable,
        Reason::Ambiguous => ErrorReason::MoveAmbiguous,
        _ => ErrorReason::MoveIllegal,
    };
    let list = if field == "game.moves" { String::new() } else { format!(" of {field}") };
    let message = format!("move {index}{list} (counted from 0), {text:?}: {}", illegal.message);
    let squares: Vec<_> = illegal.squares.into_iter().map(|square| square.to_string()).collect();
    Error::new(reason, format!("{field}[{index}]"), message)
        .with("index", index.to_string())
        .with("move", text)
        .with("illegal_reason", illegal.reason.name())
        .with("rule", illegal.rule)
        .with("squares", squares.join(","))
        .with("candidates", illegal.candidates.join(","))
}

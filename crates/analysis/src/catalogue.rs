//! What can be asked about: the variants and what each of them knows.

use game::notation::{MoveNotation, Notation};
use game::rule_set::RuleSet;

use crate::replay::rule_sets_of;
use crate::report::fen_of;
use crate::variant::{Question, Variant};

/// What the house knows about one variant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VariantInfo {
    /// The variant.
    pub variant: Variant,
    /// The FEN of its start position; nothing when it has many.
    pub start_fen: Option<String>,
    /// Its rule sets, the default at the front.
    pub rule_sets: Vec<RuleSet>,
    /// Its notations for moves.
    pub notations: &'static [MoveNotation],
}

/// Every variant that can be asked about.
#[must_use]
pub fn catalogue() -> Vec<VariantInfo> {
    Variant::ALL.into_iter().map(|variant| variant.ask(Describe)).collect()
}

struct Describe;

impl Question for Describe {
    type Answer = VariantInfo;

    fn ask<P: Notation>(self, variant: Variant, style: P::Style) -> VariantInfo {
        let mut rule_sets: Vec<_> = rule_sets_of::<P>().collect();
        rule_sets.sort_by_key(|&rule_set| rule_set != P::DEFAULT_RULE_SET);
        VariantInfo {
            variant,
            start_fen: P::start(style).map(|start| fen_of(&start)),
            rule_sets,
            notations: P::NOTATIONS,
        }
    }
}

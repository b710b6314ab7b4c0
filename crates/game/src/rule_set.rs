//! The names of the rule sets.

/// A named set of competition rules. Which sets a game knows is the game's matter: ask
/// [`Position::rules`](crate::position::Position::rules).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RuleSet {
    /// Chess: the FIDE Laws of 2023.
    Fide,
    /// Chess: repetition and move counts are draws only when claimed.
    Classic,
    /// Xiangqi: the Chinese competition rules.
    Cxa,
    /// Xiangqi: the Asian rules.
    Axf,
    /// Xiangqi: the rules of computer events.
    Computer,
}

impl RuleSet {
    /// Every rule set of every game.
    pub const ALL: [RuleSet; 5] =
        [RuleSet::Fide, RuleSet::Classic, RuleSet::Cxa, RuleSet::Axf, RuleSet::Computer];

    /// The name that the API uses.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            RuleSet::Fide => "FIDE",
            RuleSet::Classic => "CLASSIC",
            RuleSet::Cxa => "CXA",
            RuleSet::Axf => "AXF",
            RuleSet::Computer => "COMPUTER",
        }
    }
}

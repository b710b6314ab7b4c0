//! How a game ends.

use crate::side::Side;

/// What ended a game. The names are those of the competition rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Termination {
    /// The side to move is in check and has no legal move.
    Checkmate,
    /// The side to move is not in check and has no legal move.
    Stalemate,
    /// The men left cannot mate, whatever is played.
    DeadMaterial,
    /// The same position stood five times.
    Fivefold,
    /// 75 moves by each side without a capture or a pawn move.
    SeventyFiveMoves,
    /// So many rounds without a capture as the rules allow (xiangqi).
    NaturalLimit,
    /// The loser gave check with every move of a repetition (xiangqi).
    PerpetualCheck,
    /// The loser attacked with every move of a repetition and did not change (xiangqi).
    PerpetualAttack,
    /// A repetition in which neither side, or both, did what is forbidden (xiangqi).
    Repetition,
}

impl Termination {
    /// The name in the API, `CHECKMATE`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Termination::Checkmate => "CHECKMATE",
            Termination::Stalemate => "STALEMATE",
            Termination::DeadMaterial => "DEAD_MATERIAL",
            Termination::Fivefold => "FIVEFOLD",
            Termination::SeventyFiveMoves => "SEVENTY_FIVE_MOVES",
            Termination::NaturalLimit => "NATURAL_LIMIT",
            Termination::PerpetualCheck => "PERPETUAL_CHECK",
            Termination::PerpetualAttack => "PERPETUAL_ATTACK",
            Termination::Repetition => "REPETITION",
        }
    }
}

/// A finished game: who won, if anyone did, what ended it, and the rule that says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// The winner; nobody when the game is drawn.
    pub winner: Option<Side>,
    /// What ended the game.
    pub termination: Termination,
    /// The ledger id of the rule (`CH-11`).
    pub rule: &'static str,
}

/// What a player may claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ClaimKind {
    /// The same position for the third time.
    Threefold,
    /// Fifty moves by each side without a capture or a pawn move.
    FiftyMoves,
    /// One side has given check with every move of a repetition.
    PerpetualCheck,
    /// So many rounds without a capture as the rules allow (xiangqi).
    NaturalLimit,
    /// A ruling on a repetition (xiangqi).
    Repetition,
}

/// A claim that the side to move may make now, or with a move that it declares.
///
/// When it is neither available now nor has declared moves, it is information only: the rule set names
/// what has happened and gives no right to claim by it (perpetual check under FIDE).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim<M> {
    /// What is claimed.
    pub kind: ClaimKind,
    /// The claim is right as the position stands.
    pub available_now: bool,
    /// Legal moves that make the claim right when the player declares one of them instead of playing.
    pub declared: Vec<M>,
    /// The ledger id of the rule (`CH-21`).
    pub rule: &'static str,
}

/// What one side can still hope for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MatingChance {
    /// The side can mate by some series of legal moves, the opponent's help included.
    pub can_mate: bool,
    /// `can_mate` is proven. Unproven, it is assumed to be true.
    pub proven: bool,
    /// Advice: by the men left, mate cannot be forced against a sound defence.
    pub cannot_be_forced: bool,
}

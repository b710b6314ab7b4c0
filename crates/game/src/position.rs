//! What the rules say about one moment of a game.

use std::fmt::Debug;

use arrayvec::ArrayVec;

use crate::bitboard::Bitboard;
use crate::line::Line;
use crate::outcome::{Claim, MatingChance, Outcome};
use crate::role::AnyRole;
use crate::rule_set::RuleSet;
use crate::ruling::Ruling;
use crate::side::Side;
use crate::square::Square;

/// The most legal moves that a position of any game can have: a legal chess position has at most 218
/// (<https://www.chessprogramming.org/Chess_Position>), a xiangqi position fewer.
pub const MAX_LEGAL_MOVES: usize = 256;

/// A list of moves, without a heap allocation.
pub type MoveList<M> = ArrayVec<M, MAX_LEGAL_MOVES>;

/// A legal position of one game, and everything the rules say about it.
///
/// Two positions are the same for repetition when their [`key`](Position::key)s are equal; counters
/// are not part of that, so a position has no `Eq`.
pub trait Position: Clone + Debug + Send + Sync + 'static {
    /// A square of the board.
    type Square: Square;
    /// A move that was made for this position, legal or about to be found so.
    type Move: Copy + Eq + Debug + Send + Sync + 'static;
    /// A rule set as data.
    type Rules: Debug;
    /// What has been found out about moves of the past. Whoever asks about several positions of one line
    /// keeps it between the questions, so that no move is judged twice.
    type Memo: Debug + Default;

    /// The rule set that holds when none is named.
    const DEFAULT_RULE_SET: RuleSet;

    /// The data of a rule set, or nothing when it is not a rule set of this game.
    fn rules(rule_set: RuleSet) -> Option<Self::Rules>;

    /// Sets another limit of moves without progress for the men that `material` names, where a rule set
    /// lets an organiser do so.
    ///
    /// # Errors
    /// What is wrong with the limit, and what would be right.
    fn set_move_limit(rules: &mut Self::Rules, material: &str, moves: u32) -> Result<(), String>;

    /// Leaves what an arbiter would declare to be claimed, where a rule set knows such declarations.
    ///
    /// # Errors
    /// There are none, and what would be right.
    fn rule_on_claim(rules: &mut Self::Rules) -> Result<(), String> {
        let _ = rules;
        Err("what an arbiter declares under this rule set cannot be left to be claimed; expected it unset"
            .to_owned())
    }

    /// Whose turn it is.
    fn side_to_move(&self) -> Side;

    /// What makes this position the same as another one: the men, the side to move and the moves that
    /// are possible. Stable within a major version.
    fn key(&self) -> u64;

    /// The pieces that give check to the side to move.
    fn checkers(&self) -> Bitboard<Self::Square>;

    /// Whether the side to move is in check.
    fn is_check(&self) -> bool {
        self.checkers().any()
    }

    /// All legal moves.
    fn legal_moves(&self) -> MoveList<Self::Move>;

    /// The number of legal moves, counted without making a list.
    fn legal_move_count(&self) -> usize;

    /// Whether there is a legal move at all.
    fn has_legal_move(&self) -> bool;

    /// Whether a move, made for this or for any other position, is legal here. Decided without the list
    /// of legal moves.
    fn is_legal(&self, m: Self::Move) -> bool;

    /// Plays a legal move. What an illegal move makes of the position is not specified, but it is no
    /// panic.
    fn play_unchecked(&mut self, m: Self::Move);

    /// The position after a legal move.
    #[must_use]
    fn after(&self, m: Self::Move) -> Self {
        let mut next = self.clone();
        next.play_unchecked(m);
        next
    }

    /// What a legal move does.
    fn facts(&self, m: Self::Move) -> MoveFacts<Self::Square>;

    /// Plies since the last capture or other move that restarts the game's count of quiet moves.
    fn quiet_plies(&self) -> u32;

    /// How the game has ended at the end of a line so that no move can follow; nothing while it goes on.
    fn ending(line: &Line<Self>, rules: &Self::Rules) -> Option<Outcome>;

    /// How the game has ended at the end of a line, by itself or because an arbiter would say so (xiangqi:
    /// the natural limit and repetitions, after which a record may go on); nothing while it goes on. What
    /// a player has to claim is in [`claims`](Position::claims).
    fn adjudicate(line: &Line<Self>, rules: &Self::Rules, memo: &mut Self::Memo) -> Option<Outcome> {
        let _ = memo;
        Self::ending(line, rules)
    }

    /// What the rules say of a repetition at the end of a line; nothing while the position has not stood
    /// there as often as a ruling needs, and always where the rules only count.
    fn ruling(
        line: &Line<Self>,
        rules: &Self::Rules,
        memo: &mut Self::Memo,
    ) -> Option<Ruling<Self::Move, Self::Square>> {
        let _ = (line, rules, memo);
        None
    }

    /// What the side to move may claim at the end of a line.
    fn claims(line: &Line<Self>, rules: &Self::Rules) -> Vec<Claim<Self::Move>>;

    /// Whether `side` can still mate.
    fn mating_chance(&self, side: Side) -> MatingChance;
}

/// What a move does, in words that fit every game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveFacts<S> {
    /// Where the piece comes from.
    pub from: S,
    /// Where it arrives. For castling: where the king arrives.
    pub to: S,
    /// The piece that moves, as it was before a promotion.
    pub piece: AnyRole,
    /// The piece that is taken.
    pub captured: Option<AnyRole>,
    /// What a pawn becomes.
    pub promotion: Option<AnyRole>,
    /// The capture is en passant.
    pub en_passant: bool,
    /// The move castles.
    pub castling: Option<CastlingSide>,
}

/// The wing of a castling move, named by the files where king and rook arrive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum CastlingSide {
    /// King to the g-file, rook to the f-file.
    King = 0,
    /// King to the c-file, rook to the d-file.
    Queen = 1,
}

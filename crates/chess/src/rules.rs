//! The rule sets as data, and what the rest of the house asks of a chess position.

use game::bitboard::Bitboard;
use game::line::Line;
use game::outcome::{Claim, MatingChance, Outcome};
use game::position::{MoveFacts, MoveList, Position};
use game::role::AnyRole;
use game::rule_set::RuleSet;
use game::side::Side;

use crate::board::Board;
use crate::castling;
use crate::material::Material;
use crate::moves::{Move, MoveKind};
use crate::position::Chess;
use crate::role::Role;
use crate::square::Square;
use crate::termination;

/// The largest count of moves that an organiser may set.
pub const MAX_MOVE_LIMIT: u32 = 1_000;

/// The numbers in which rule sets differ. Counts of moves are given in plies, two to a move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rules {
    /// So many occurrences of a position may be claimed as a draw (CH-21).
    pub claimable_repetitions: u32,
    /// So many quiet plies may be claimed as a draw (CH-23).
    pub claimable_quiet_plies: u32,
    /// A player may claim quiet plies with a move that he declares (CH-23).
    pub quiet_claim_may_be_declared: bool,
    /// So many occurrences of a position end the game (CH-24).
    pub final_repetitions: Option<u32>,
    /// So many quiet plies end the game (CH-24).
    pub final_quiet_plies: Option<u32>,
    /// Perpetual check is a claim of its own (CH-25).
    pub perpetual_check_is_claim: bool,
    /// Larger counts of quiet plies for named material; nothing when the rule set allows none (CH-23).
    pub longer_claims: Option<Vec<LongerClaim>>,
}

/// A larger count of quiet plies that an organiser has set for some material.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LongerClaim {
    /// The men.
    pub material: Material,
    /// The count that replaces [`Rules::claimable_quiet_plies`].
    pub quiet_plies: u32,
}

impl Rules {
    /// The FIDE Laws of 2023, articles 9.2, 9.3 and 9.6.
    pub const FIDE: Rules = Rules {
        claimable_repetitions: 3,
        claimable_quiet_plies: 100,
        quiet_claim_may_be_declared: true,
        final_repetitions: Some(5),
        final_quiet_plies: Some(150),
        perpetual_check_is_claim: false,
        longer_claims: None,
    };

    /// Draws by repetition and move count are claimed, never automatic (CH-26).
    pub const CLASSIC: Rules = Rules {
        quiet_claim_may_be_declared: false,
        final_repetitions: None,
        final_quiet_plies: None,
        perpetual_check_is_claim: true,
        longer_claims: Some(Vec::new()),
        ..Rules::FIDE
    };

    /// The count of quiet plies that may be claimed with these men on the board.
    #[must_use]
    pub fn quiet_plies_to_claim(&self, board: &Board) -> u32 {
        let longer = self.longer_claims.iter().flatten();
        let material = Material::of(board);
        longer
            .filter(|claim| claim.material == material)
            .map(|claim| claim.quiet_plies)
            .max()
            .unwrap_or(self.claimable_quiet_plies)
    }
}

impl Position for Chess {
    type Square = Square;
    type Move = Move;
    type Rules = Rules;
    type Memo = ();

    const DEFAULT_RULE_SET: RuleSet = RuleSet::Fide;

    fn rules(rule_set: RuleSet) -> Option<Rules> {
        match rule_set {
            RuleSet::Fide => Some(Rules::FIDE),
            RuleSet::Classic => Some(Rules::CLASSIC),
            RuleSet::Cxa | RuleSet::Axf | RuleSet::Computer => None,
        }
    }

    fn set_move_limit(rules: &mut Rules, material: &str, moves: u32) -> Result<(), String> {
        let Some(claims) = &mut rules.longer_claims else {
            return Err("this rule set has one move limit for all positions; expected none".to_owned());
        };
        let Some(men) = Material::parse(material) else {
            return Err(format!("{material:?} does not name the men of both sides; expected one like KRBKR"));
        };
        let least = rules.claimable_quiet_plies / 2;
        if !(least..=MAX_MOVE_LIMIT).contains(&moves) {
            return Err(format!("a limit of {moves} moves; expected from {least} to {MAX_MOVE_LIMIT}"));
        }
        claims.push(LongerClaim { material: men, quiet_plies: 2 * moves });
        Ok(())
    }

    fn side_to_move(&self) -> Side {
        self.side_to_move
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn checkers(&self) -> Bitboard<Square> {
        self.checkers
    }

    fn legal_moves(&self) -> MoveList<Move> {
        Chess::legal_moves(self)
    }

    fn legal_move_count(&self) -> usize {
        Chess::legal_move_count(self)
    }

    fn has_legal_move(&self) -> bool {
        Chess::has_legal_move(self)
    }

    fn is_legal(&self, m: Move) -> bool {
        Chess::is_legal(self, m)
    }

    fn play_unchecked(&mut self, m: Move) {
        Chess::play_unchecked(self, m);
    }

    fn facts(&self, m: Move) -> MoveFacts<Square> {
        let castling = m.kind.castling();
        let en_passant = m.kind == MoveKind::EnPassant;
        let captured = match (castling, en_passant) {
            (Some(_), _) => None,
            (None, true) => Some(Role::Pawn),
            (None, false) => self.board.role_at(m.to),
        };
        MoveFacts {
            from: m.from,
            to: castling.map_or(m.to, |wing| castling::targets(self.side_to_move, wing).0),
            piece: m.role.into(),
            captured: captured.map(AnyRole::from),
            promotion: m.kind.promotion().map(AnyRole::from),
            en_passant,
            castling,
        }
    }

    #[inline]
    fn quiet_plies(&self) -> u32 {
        self.halfmove_clock
    }

    fn ending(line: &Line<Self>, rules: &Rules) -> Option<Outcome> {
        termination::ending(line, rules)
    }

    fn claims(line: &Line<Self>, rules: &Rules) -> Vec<Claim<Move>> {
        termination::claims(line, rules)
    }

    fn mating_chance(&self, side: Side) -> MatingChance {
        termination::mating_chance(self, side)
    }
}

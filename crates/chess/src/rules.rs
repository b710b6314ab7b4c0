//! The rule sets as data, and what the rest of the house asks of a chess position.

use game::bitboard::Bitboard;
use game::line::Line;
use game::outcome::{Claim, MatingChance, Outcome};
use game::position::{MoveFacts, MoveList, Position};
use game::role::AnyRole;
use game::rule_set::RuleSet;
use game::side::Side;

use crate::castling;
use crate::moves::{Move, MoveKind};
use crate::position::Chess;
use crate::role::Role;
use crate::square::Square;
use crate::termination;

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
    };

    /// Draws by repetition and move count are claimed, never automatic (CH-26).
    pub const CLASSIC: Rules = Rules {
        quiet_claim_may_be_declared: false,
        final_repetitions: None,
        final_quiet_plies: None,
        perpetual_check_is_claim: true,
        ..Rules::FIDE
    };
}

impl Position for Chess {
    type Square = Square;
    type Move = Move;
    type Rules = Rules;

    const DEFAULT_RULE_SET: RuleSet = RuleSet::Fide;

    fn rules(rule_set: RuleSet) -> Option<Rules> {
        match rule_set {
            RuleSet::Fide => Some(Rules::FIDE),
            RuleSet::Classic => Some(Rules::CLASSIC),
            RuleSet::Cxa | RuleSet::Axf | RuleSet::Computer => None,
        }
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

    fn quiet_plies(&self) -> u32 {
        self.halfmove_clock
    }

    fn adjudicate(line: &Line<Self>, rules: &Rules) -> Option<Outcome> {
        termination::adjudicate(line, rules)
    }

    fn claims(line: &Line<Self>, rules: &Rules) -> Vec<Claim<Move>> {
        termination::claims(line, rules)
    }

    fn mating_chance(&self, side: Side) -> MatingChance {
        termination::mating_chance(self, side)
    }
}

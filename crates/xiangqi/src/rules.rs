//! The rule sets as data, and what the rest of the house asks of a xiangqi position.

use game::bitboard::Bitboard;
use game::line::Line;
use game::outcome::{Claim, MatingChance, Outcome};
use game::position::{MoveFacts, MoveList, Position};
use game::role::AnyRole;
use game::rule_set::RuleSet;
use game::side::Side;

use crate::moves::Move;
use crate::position::Xiangqi;
use crate::square::Square;
use crate::termination;

/// The numbers in which rule sets and events differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rules {
    /// So many moves by each side without a capture draw (XQ-4.2.4).
    pub natural_limit: u32,
    /// Of the checks of the side that claims, only so many count towards the limit (XQ-23.3c). Where
    /// nobody claims, this holds for both sides.
    pub checks_that_count: u32,
    /// The natural limit ends a game only when it is claimed. Otherwise it is ruled unclaimed, too
    /// (XQ-23.3d).
    pub rule_on_claim: bool,
}

impl Rules {
    /// What all rule sets have in common.
    pub const STANDARD: Rules = Rules { natural_limit: 60, checks_that_count: 10, rule_on_claim: false };
}

impl Position for Xiangqi {
    type Square = Square;
    type Move = Move;
    type Rules = Rules;
    type Memo = ();

    const DEFAULT_RULE_SET: RuleSet = RuleSet::Cxa;

    fn rules(rule_set: RuleSet) -> Option<Rules> {
        match rule_set {
            RuleSet::Cxa | RuleSet::Axf | RuleSet::Computer => Some(Rules::STANDARD),
            RuleSet::Fide | RuleSet::Classic => None,
        }
    }

    fn set_move_limit(rules: &mut Rules, material: &str, moves: u32) -> Result<(), String> {
        if !material.is_empty() {
            return Err("the natural limit holds for all material; expected an empty material".to_owned());
        }
        let most = Rules::STANDARD.natural_limit;
        if rules.natural_limit != most {
            return Err("a second limit for all material; expected one".to_owned());
        }
        if !(1..=most).contains(&moves) {
            return Err(format!("a limit of {moves} moves; expected from 1 to {most}"));
        }
        rules.natural_limit = moves;
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
        Xiangqi::legal_moves(self)
    }

    fn legal_move_count(&self) -> usize {
        Xiangqi::legal_move_count(self)
    }

    fn has_legal_move(&self) -> bool {
        Xiangqi::has_legal_move(self)
    }

    fn is_legal(&self, m: Move) -> bool {
        Xiangqi::is_legal(self, m)
    }

    fn play_unchecked(&mut self, m: Move) {
        Xiangqi::play_unchecked(self, m);
    }

    fn facts(&self, m: Move) -> MoveFacts<Square> {
        MoveFacts {
            from: m.from,
            to: m.to,
            piece: m.role.into(),
            captured: self.board.role_at(m.to).map(AnyRole::from),
            promotion: None,
            en_passant: false,
            castling: None,
        }
    }

    fn quiet_plies(&self) -> u32 {
        self.halfmove_clock
    }

    fn ending(line: &Line<Self>, _: &Rules) -> Option<Outcome> {
        termination::ending(line.last())
    }

    fn adjudicate(line: &Line<Self>, rules: &Rules, (): &mut ()) -> Option<Outcome> {
        termination::adjudicate(line, rules)
    }

    fn claims(line: &Line<Self>, rules: &Rules) -> Vec<Claim<Move>> {
        termination::claims(line, rules)
    }

    fn mating_chance(&self, side: Side) -> MatingChance {
        termination::mating_chance(self, side)
    }
}

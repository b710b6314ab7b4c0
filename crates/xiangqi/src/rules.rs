//! The rule sets as data, and what the rest of the house asks of a xiangqi position.

use game::bitboard::Bitboard;
use game::line::Line;
use game::outcome::{Claim, MatingChance, Outcome};
use game::position::{MoveFacts, MoveList, Position};
use game::role::AnyRole;
use game::rule_set::RuleSet;
use game::ruling::Ruling;
use game::side::Side;

use crate::moves::Move;
use crate::position::Xiangqi;
use crate::repetition::{self, Memo};
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
    /// How a repetition is ruled.
    pub repetition: RepetitionRules,
}

/// How a repetition is ruled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepetitionRules {
    /// A ruling is due when a position stands for this time (XQ-23.2, XQ-24.0). At least 2.
    pub occurrences: u32,
    /// What is forbidden.
    pub code: Code,
}

/// What a repetition code forbids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Code {
    /// Every perpetual attack: by checks, threats to mate, chases and mixtures of them (XQ-25.2a).
    EveryAttack(EveryAttack),
    /// Perpetual check, and the perpetual chase of the same man.
    SameMan(SameMan),
}

/// Where the Chinese code leaves a choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EveryAttack {
    /// A threat to mate takes at most so many checks (XQ-28.2). The text names no number.
    pub mating_checks: u8,
    /// A mate in at most so many checks punishes a capture (XQ-29.4). The text can be read as 1: XQ-D7
    /// has the taker mated at once.
    pub punishing_checks: u8,
    /// A man is won after at most so many checks (XQ-29.1).
    pub checks_before_gain: u8,
    /// A man is won by a series of at most so many captures by one side (XQ-29.1).
    pub captures_of_exchange: u8,
    /// Attacking a rootless man of the own kind is a chase, although it could take back. Otherwise that
    /// is an offer to exchange (XQ-28.5; XQ-D5 can be read either way).
    pub rootless_partner_is_chased: bool,
    /// Who chases nothing but advisors and elephants may be excused for taking a post of defence
    /// (XQ-27.3): the arbiter decides. Otherwise it is only pointed out.
    pub defensive_post: bool,
}

impl EveryAttack {
    /// The reading of the Chinese code that holds by default.
    pub const STANDARD: EveryAttack = EveryAttack {
        mating_checks: 4,
        punishing_checks: 3,
        checks_before_gain: 3,
        captures_of_exchange: 3,
        rootless_partner_is_chased: false,
        defensive_post: false,
    };
}

/// Where the codes that look at one man differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SameMan {
    /// A check anywhere in the cycle excuses every chase in it.
    pub check_excuses_chase: bool,
}

impl Rules {
    /// The Chinese rules, `CXA`.
    pub const CXA: Rules = Rules::with(Code::EveryAttack(EveryAttack::STANDARD));
    /// The Asian rules, `AXF`.
    pub const AXF: Rules = Rules::with(Code::SameMan(SameMan { check_excuses_chase: false }));
    /// The rules of computer events, `COMPUTER`.
    pub const COMPUTER: Rules = Rules::with(Code::SameMan(SameMan { check_excuses_chase: true }));

    /// What all rule sets have in common, with a repetition code.
    const fn with(code: Code) -> Rules {
        let repetition = RepetitionRules { occurrences: 3, code };
        Rules { natural_limit: 60, checks_that_count: 10, rule_on_claim: false, repetition }
    }
}

impl Position for Xiangqi {
    type Square = Square;
    type Move = Move;
    type Rules = Rules;
    type Memo = Memo;

    const DEFAULT_RULE_SET: RuleSet = RuleSet::Cxa;

    fn rules(rule_set: RuleSet) -> Option<Rules> {
        match rule_set {
            RuleSet::Cxa => Some(Rules::CXA),
            RuleSet::Axf => Some(Rules::AXF),
            RuleSet::Computer => Some(Rules::COMPUTER),
            RuleSet::Fide | RuleSet::Classic => None,
        }
    }

    fn set_move_limit(rules: &mut Rules, material: &str, moves: u32) -> Result<(), String> {
        if !material.is_empty() {
            return Err("the natural limit holds for all material; expected an empty material".to_owned());
        }
        let most = Rules::CXA.natural_limit;
        if rules.natural_limit != most {
            return Err("a second limit for all material; expected one".to_owned());
        }
        if !(1..=most).contains(&moves) {
            return Err(format!("a limit of {moves} moves; expected from 1 to {most}"));
        }
        rules.natural_limit = moves;
        Ok(())
    }

    fn rule_on_claim(rules: &mut Rules) -> Result<(), String> {
        rules.rule_on_claim = true;
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

    #[inline]
    fn quiet_plies(&self) -> u32 {
        self.halfmove_clock
    }

    fn ending(line: &Line<Self>, _: &Rules) -> Option<Outcome> {
        termination::ending(line.last())
    }

    fn adjudicate(line: &Line<Self>, rules: &Rules, memo: &mut Memo) -> Option<Outcome> {
        termination::adjudicate(line, rules, memo)
    }

    fn ruling(line: &Line<Self>, rules: &Rules, memo: &mut Memo) -> Option<Ruling<Move, Square>> {
        repetition::ruling(line, &rules.repetition, memo)
    }

    fn claims(line: &Line<Self>, rules: &Rules) -> Vec<Claim<Move>> {
        termination::claims(line, rules)
    }

    fn mating_chance(&self, side: Side) -> MatingChance {
        termination::mating_chance(self, side)
    }
}

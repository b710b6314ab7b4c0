//! What a rule set says of a repetition: who did what, ply by ply, and what follows from it.
//!
//! Only xiangqi rules a repetition by what the moves do; the words are here so that nobody above has to
//! know that.

use crate::bitboard::Bitboard;
use crate::role::AnyRole;
use crate::side::Side;
use crate::square::Square;

/// What follows from a repetition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Nothing yet: no cycle of moves has been repeated as often as a ruling needs.
    None,
    /// The game is drawn.
    Draw,
    /// The offender has lost.
    Loses,
    /// The offender must change now, and loses when it repeats the cycle once more.
    MustChange,
    /// What the offender does may be excused by a rule that needs a person's judgement.
    ArbiterDecides,
}

/// What one move does to the opponent. A move that does several things is named by the heaviest, and the
/// order here is from light to heavy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// None of the others.
    Idle,
    /// It newly attacks men that could be won.
    Chase,
    /// It intends to mate by giving check without end.
    MateThreat,
    /// It gives check.
    Check,
}

/// What an idle move is, where that can be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum IdleKind {
    /// Nothing in particular.
    Other,
    /// The moved man can be taken by a man of its own kind that it could take, too.
    ExchangeOffer,
    /// The moved man can be taken for nothing.
    Sacrifice,
    /// The moved man stands in the way of an enemy man that attacked something.
    Block,
    /// The moved man watches an enemy man that is protected.
    Follow,
}

/// How a man is protected, from not at all to fully.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Root {
    /// Nothing could retake.
    Rootless,
    /// Something seems to protect it, and could not retake, or not without being mated.
    FalseRoot,
    /// It is protected, and not enough for all that attack it.
    InsufficientRoot,
    /// It is protected fully; taking it wins something because the attacker is worth less, or later.
    Rooted,
}

/// How a man could be won.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Means {
    /// By taking it.
    Capture,
    /// By a series of captures.
    Exchange,
    /// By giving check first.
    Checks,
}

/// A man that a move newly attacks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target<M, S: Square> {
    /// Where it stands.
    pub square: S,
    /// What it is.
    pub role: AnyRole,
    /// How it is protected.
    pub root: Root,
    /// The men that protect it, rightly or falsely.
    pub protectors: Bitboard<S>,
    /// How it could be won.
    pub means: Means,
    /// The moves that would win it, both sides', first to last.
    pub line: Vec<M>,
}

/// What one ply of the repetition does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlyConduct<M, S: Square> {
    /// The ply's number in the line, counted from 0.
    pub ply: usize,
    /// Who moves.
    pub side: Side,
    /// The move.
    pub m: M,
    /// What it does.
    pub class: Class,
    /// What kind of idle move it is; nothing unless it is idle.
    pub idle: Option<IdleKind>,
    /// The men it newly attacks; empty unless it is a chase, or, where the chase of one man is forbidden, a
    /// check that attacks men, too.
    pub targets: Vec<Target<M, S>>,
    /// The checks that mate, with the replies; empty unless it is a mate threat.
    pub mate: Vec<M>,
    /// The ledger id of the rule that gives the move its class.
    pub rule: &'static str,
    /// The search for threats was given up: the move may do more than its class says.
    pub incomplete: bool,
}

/// What a side does throughout the repetition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Conduct {
    /// Idle moves only.
    Idle,
    /// Check with some moves, and idle moves between.
    CheckAndIdle,
    /// Threats to mate with some moves, and idle moves between.
    MateThreatAndIdle,
    /// Chases with some moves, and idle moves between.
    ChaseAndIdle,
    /// Several kinds of attack, and idle moves between.
    AttacksAndIdle,
    /// Check with every move.
    PerpetualCheck,
    /// A threat to mate with every move.
    PerpetualMateThreat,
    /// A chase with every move.
    PerpetualChase,
    /// Check and threats to mate, with every move one of them.
    CheckAndMateThreat,
    /// Check and chases, with every move one of them.
    CheckAndChase,
    /// Threats to mate and chases, with every move one of them.
    MateThreatAndChase,
    /// Check, threats to mate and chases, with every move one of them.
    CheckMateThreatAndChase,
}

impl Conduct {
    /// What a side does that makes moves of these classes.
    #[must_use]
    pub fn of(classes: impl IntoIterator<Item = Class>) -> Conduct {
        let mut seen = [false; 4];
        for class in classes {
            seen[class as usize] = true;
        }
        let [idle, chase, threat, check] = seen;
        match (idle, check, threat, chase) {
            (_, false, false, false) => Conduct::Idle,
            (true, true, false, false) => Conduct::CheckAndIdle,
            (true, false, true, false) => Conduct::MateThreatAndIdle,
            (true, false, false, true) => Conduct::ChaseAndIdle,
            (true, ..) => Conduct::AttacksAndIdle,
            (false, true, false, false) => Conduct::PerpetualCheck,
            (false, false, true, false) => Conduct::PerpetualMateThreat,
            (false, false, false, true) => Conduct::PerpetualChase,
            (false, true, true, false) => Conduct::CheckAndMateThreat,
            (false, true, false, true) => Conduct::CheckAndChase,
            (false, false, true, true) => Conduct::MateThreatAndChase,
            (false, true, true, true) => Conduct::CheckMateThreatAndChase,
        }
    }

    /// Whether every move is an attack.
    #[must_use]
    pub const fn is_perpetual_attack(self) -> bool {
        matches!(
            self,
            Conduct::PerpetualCheck
                | Conduct::PerpetualMateThreat
                | Conduct::PerpetualChase
                | Conduct::CheckAndMateThreat
                | Conduct::CheckAndChase
                | Conduct::MateThreatAndChase
                | Conduct::CheckMateThreatAndChase
        )
    }
}

/// What a rule set says of the position at the end of a line that has stood there before, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ruling<M, S: Square> {
    /// What follows.
    pub verdict: Verdict,
    /// The offender; nobody when neither side or both offend.
    pub side: Option<Side>,
    /// The plies that were judged, first to last.
    pub plies: Vec<PlyConduct<M, S>>,
    /// What each side does in them, the first side at the front.
    pub conduct: [Conduct; 2],
    /// The ledger id of the rule that decides.
    pub rule: &'static str,
    /// A person may excuse the offender: it attacks nothing but advisors and elephants (XQ-27.3).
    pub may_be_excused: bool,
    /// The search for threats was given up somewhere: the verdict rests on what was found until then.
    pub incomplete: bool,
}

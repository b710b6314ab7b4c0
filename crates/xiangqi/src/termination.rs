//! How a game ends by itself, what may be claimed, and who can still win.

use game::line::Line;
use game::outcome::{Claim, ClaimKind, MatingChance, Outcome, Termination};
use game::side::Side;

use crate::moves::Move;
use crate::position::Xiangqi;
use crate::repetition::{self, Memo};
use crate::role::Role;
use crate::rules::Rules;

/// How the game has ended in a position; nothing while it goes on. Who has no legal move loses, in check
/// or not (XQ-4.1.1, XQ-4.1.3).
#[must_use]
pub fn ending(last: &Xiangqi) -> Option<Outcome> {
    if !last.has_legal_move() {
        let winner = Some(last.side_to_move().opponent());
        return Some(if last.checkers.any() {
            Outcome { winner, termination: Termination::Checkmate, rule: "XQ-4.1.1" }
        } else {
            Outcome { winner, termination: Termination::Stalemate, rule: "XQ-4.1.3" }
        });
    }
    let is_dead = Side::ALL.iter().all(|&side| !has_attacker(last, side));
    is_dead.then_some(Outcome { winner: None, termination: Termination::DeadMaterial, rule: "XQ-4.2.1" })
}

/// How the game has ended at the end of a line, by itself or because an arbiter says so.
#[must_use]
pub fn adjudicate(line: &Line<Xiangqi>, rules: &Rules, memo: &mut Memo) -> Option<Outcome> {
    let draw = |termination, rule| Some(Outcome { winner: None, termination, rule });
    if let Some(outcome) = ending(line.last()) {
        return Some(outcome);
    }
    if !rules.rule_on_claim
        && let Some(outcome) = repetition::outcome(line, &rules.repetition, memo)
    {
        return Some(outcome);
    }
    let count = QuietCount::of(line);
    if !rules.rule_on_claim && Side::ALL.iter().all(|&side| count.valid(side, rules) >= rules.natural_limit) {
        return draw(Termination::NaturalLimit, "XQ-23.3d");
    }
    None
}

/// What the side to move may claim at the end of a line: a ruling on the repetition, where one is given
/// only then (XQ-24.0), and the natural limit, counted with its own checks beyond the tenth left out
/// (XQ-23.3c).
#[must_use]
pub fn claims(line: &Line<Xiangqi>, rules: &Rules) -> Vec<Claim<Move>> {
    let claimant = line.last().side_to_move();
    let count = QuietCount::of(line);
    let is_right = count.valid(claimant, rules) >= rules.natural_limit
        && count.moves[claimant.opponent().index()] >= rules.natural_limit;
    let claim = |kind, rule| Claim { kind, available_now: true, declared: Vec::new(), rule };
    let is_ruled =
        rules.rule_on_claim && repetition::outcome(line, &rules.repetition, &mut Memo::default()).is_some();
    let repetition = is_ruled.then(|| claim(ClaimKind::Repetition, "XQ-24.0"));
    let limit = is_right.then(|| claim(ClaimKind::NaturalLimit, "XQ-23.3a"));
    repetition.into_iter().chain(limit).collect()
}

/// The moves of both sides since the last capture.
struct QuietCount {
    moves: [u32; 2],
    checks: [u32; 2],
}

impl QuietCount {
    /// Counts over a line. Of the plies before its start only the number is known.
    fn of(line: &Line<Xiangqi>) -> Self {
        let plies = line.last().halfmove_clock();
        let last_mover = line.last().side_to_move().opponent();
        let mut count = Self { moves: [plies / 2; 2], checks: [0; 2] };
        count.moves[last_mover.index()] = plies.div_ceil(2);
        let mut mover = last_mover;
        for ply in line.plies().iter().rev().take(plies as usize) {
            count.checks[mover.index()] += u32::from(ply.gives_check);
            mover = mover.opponent();
        }
        count
    }

    /// The moves of a side that count: of its checks, only so many.
    fn valid(&self, side: Side, rules: &Rules) -> u32 {
        let beyond = self.checks[side.index()].saturating_sub(rules.checks_that_count);
        self.moves[side.index()].saturating_sub(beyond)
    }
}

/// Whether a side has a piece that can cross the river.
fn has_attacker(position: &Xiangqi, side: Side) -> bool {
    Role::ALL.iter().any(|&role| role.can_attack() && position.board().of(side, role).any())
}

/// Whether a side can still win, as far as the men tell. Only the end of the game and the lack of any
/// attacking piece on both sides are proven; a side without one cannot force a win.
#[must_use]
pub fn mating_chance(position: &Xiangqi, side: Side) -> MatingChance {
    if !position.has_legal_move() {
        let has_won = position.side_to_move() != side;
        return MatingChance { can_mate: has_won, proven: true, cannot_be_forced: !has_won };
    }
    let (own, theirs) = (has_attacker(position, side), has_attacker(position, side.opponent()));
    let can_mate = own || theirs;
    MatingChance { can_mate, proven: !can_mate, cannot_be_forced: !own }
}

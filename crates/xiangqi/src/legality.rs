//! One move at a time: is it legal, and if not, why not?
//!
//! This is a second way to the answer that [`movegen`](crate::movegen) gives, written without it, so
//! that each can be tested by the other.

use game::illegal::Reason;
use game::side::Side;

use crate::attacks;
use crate::moves::Move;
use crate::position::Xiangqi;
use crate::regions;
use crate::role::Role;
use crate::square::{Bitboard, Square};

/// A move as it is asked for, legal or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Candidate {
    /// The point that the piece leaves.
    pub from: Square,
    /// Where it is to go.
    pub to: Square,
}

/// Why a candidate is refused.
pub type Refusal = game::illegal::Refusal<Square>;

impl Xiangqi {
    /// The legal move that a candidate asks for.
    ///
    /// # Errors
    /// Why there is none. When several reasons hold, the first in the order of [`Reason`].
    pub fn explain(&self, candidate: Candidate) -> Result<Move, Refusal> {
        let Candidate { from, to } = candidate;
        let us = self.side_to_move();
        let board = self.board();
        let Some(role) = board.role_at(from) else {
            return Err(Refusal::new(Reason::NoPiece, "XQ-2.1a", [from]));
        };
        if !board.of_side(us).has(from) {
            return Err(Refusal::new(Reason::NotYourPiece, "XQ-2.1a", [from]));
        }
        if board.of_side(us).has(to) {
            return Err(Refusal::new(Reason::OwnPieceOnTarget, movement_rule(role), [to]));
        }
        self.explain_movement(role, from, to)?;
        let m = Move { from, to, role };
        self.explain_safety(m)?;
        Ok(m)
    }

    /// Whether a move is legal here.
    #[must_use]
    pub fn is_legal(&self, m: Move) -> bool {
        self.explain(Candidate { from: m.from, to: m.to }) == Ok(m)
    }

    fn explain_movement(&self, role: Role, from: Square, to: Square) -> Result<(), Refusal> {
        let (files, ranks) = (from.file().abs_diff(to.file()), from.rank().abs_diff(to.rank()));
        let is_shape = match role {
            Role::General | Role::Soldier => files + ranks == 1,
            Role::Advisor => (files, ranks) == (1, 1),
            Role::Elephant => (files, ranks) == (2, 2),
            Role::Horse => matches!((files, ranks), (1, 2) | (2, 1)),
            Role::Chariot | Role::Cannon => (files == 0) != (ranks == 0),
        };
        let rule = movement_rule(role);
        if !is_shape {
            return Err(Refusal::new(Reason::NotAMoveOfThisPiece, rule, []));
        }
        let us = self.side_to_move();
        match role {
            Role::General | Role::Advisor if !regions::palace(us).has(to) => {
                Err(Refusal::new(Reason::LeavesPalace, rule, [to]))
            }
            Role::General | Role::Advisor => Ok(()),
            Role::Elephant => self.explain_elephant(from, to),
            Role::Horse => {
                let leg = attacks::horse_leg(from, to);
                self.free(leg).then_some(()).ok_or_else(|| Refusal::new(Reason::HorseLegBlocked, rule, [leg]))
            }
            Role::Chariot => self.explain_path(from, to, rule),
            Role::Cannon => self.explain_cannon(from, to),
            Role::Soldier => explain_soldier(us, from, to),
        }
    }

    fn free(&self, square: Square) -> bool {
        !self.board().occupied().set().has(square)
    }

    fn explain_elephant(&self, from: Square, to: Square) -> Result<(), Refusal> {
        const RULE: &str = "XQ-2.2d";
        if !regions::half(self.side_to_move()).has(to) {
            return Err(Refusal::new(Reason::ElephantCrossesRiver, RULE, [to]));
        }
        let eye = attacks::elephant_eye(from, to);
        self.free(eye).then_some(()).ok_or_else(|| Refusal::new(Reason::ElephantEyeBlocked, RULE, [eye]))
    }

    /// Refuses a slide over a piece, and names the piece nearest to where it starts.
    fn explain_path(&self, from: Square, to: Square, rule: &'static str) -> Result<(), Refusal> {
        let blockers = self.pieces_between(from, to);
        let nearest = if from < to { blockers.into_iter().next() } else { blockers.into_iter().last() };
        nearest.map_or(Ok(()), |blocker| Err(Refusal::new(Reason::PathBlocked, rule, [blocker])))
    }

    fn pieces_between(&self, from: Square, to: Square) -> Bitboard {
        attacks::between(from, to) & self.board().occupied().set()
    }

    fn explain_cannon(&self, from: Square, to: Square) -> Result<(), Refusal> {
        if self.free(to) {
            return self.explain_path(from, to, "XQ-2.2g");
        }
        let screens = self.pieces_between(from, to);
        if screens.len() == 1 {
            return Ok(());
        }
        Err(Refusal::new(Reason::CannonNeedsOneScreen, "XQ-2.3b", screens))
    }

    fn explain_safety(&self, m: Move) -> Result<(), Refusal> {
        let us = self.side_to_move();
        let general = if m.role == Role::General { m.to } else { self.general(us) };
        let is_far = m.role != Role::General
            && (attacks::ways_to(general) & (Bitboard::of(m.from) | Bitboard::of(m.to))).is_empty();
        if is_far && self.checkers.is_empty() {
            return Ok(());
        }
        let attackers = self.attackers_after(general, m.from, m.to);
        if attackers.is_empty() {
            return Ok(());
        }
        let their_general = self.general(us.opponent());
        if attackers.has(their_general) {
            let generals = [general, their_general];
            return Err(Refusal::new(Reason::GeneralsFace, "XQ-2.2b", generals));
        }
        if m.role == Role::General {
            return Err(Refusal::new(Reason::KingMovesIntoCheck, "XQ-3.1b", attackers));
        }
        let still = attackers & self.checkers;
        if still.any() {
            return Err(Refusal::new(Reason::CheckNotAnswered, "XQ-3.1b", still));
        }
        Err(Refusal::new(Reason::LeavesKingInCheck, "XQ-3.1b", attackers))
    }
}

fn explain_soldier(us: Side, from: Square, to: Square) -> Result<(), Refusal> {
    const RULE: &str = "XQ-2.2h";
    if attacks::soldier(us, from).has(to) {
        Ok(())
    } else if from.file() == to.file() {
        Err(Refusal::new(Reason::SoldierMovesBackward, RULE, []))
    } else {
        Err(Refusal::new(Reason::SoldierNotAcrossRiver, RULE, [from]))
    }
}

/// The rule that says how a piece moves.
pub(crate) const fn movement_rule(role: Role) -> &'static str {
    match role {
        Role::General => "XQ-2.2a",
        Role::Advisor => "XQ-2.2c",
        Role::Elephant => "XQ-2.2d",
        Role::Horse => "XQ-2.2e",
        Role::Chariot => "XQ-2.2f",
        Role::Cannon => "XQ-2.2g",
        Role::Soldier => "XQ-2.2h",
    }
}

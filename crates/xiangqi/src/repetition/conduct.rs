//! What one move of a repetition does: check, threat to mate, chase, or none of these (XQ-27.4, XQ-28).

use game::position::Position as _;
use game::ruling::{Class, IdleKind, Means, Root, Target};

use super::gains::{Gain, Gains, Search, View, captured, takings};
use super::mates::{GivenUp, Mates};
use super::same_man;
use crate::attacks;
use crate::moves::Move;
use crate::position::Xiangqi;
use crate::role::Role;
use crate::rules::{Code, EveryAttack};
use crate::square::Square;

/// What a move does, and how that was found.
#[derive(Debug)]
pub(super) struct Judged {
    pub(super) class: Class,
    pub(super) idle: Option<IdleKind>,
    pub(super) targets: Vec<Target<Move, Square>>,
    pub(super) mate: Vec<Move>,
    pub(super) rule: &'static str,
    pub(super) incomplete: bool,
}

impl Judged {
    fn new(class: Class, rule: &'static str) -> Self {
        Self { class, idle: None, targets: Vec::new(), mate: Vec::new(), rule, incomplete: false }
    }
}

/// A move, the position before it and the one after it.
pub(super) struct Played<'a> {
    pub(super) before: &'a Xiangqi,
    pub(super) m: Move,
    pub(super) after: &'a Xiangqi,
}

impl Played<'_> {
    /// The board before the move, seen with each side to move.
    pub(super) fn view_before(&self) -> View {
        View { ours: self.before.clone(), theirs: self.before.passed() }
    }

    /// The board after the move, seen with each side to move.
    pub(super) fn view_after(&self) -> View {
        View { ours: self.after.passed(), theirs: self.after.clone() }
    }

    /// Judges the move by a code. With `with_soldiers`, attacks of soldiers count (XQ-27.2b).
    pub(super) fn judge(&self, code: &Code, mates: &mut Mates, with_soldiers: bool) -> Judged {
        match code {
            Code::EveryAttack(code) => self.judge_every_attack(code, mates, with_soldiers),
            Code::SameMan(_) => self.judge_same_man(),
        }
    }

    /// The heaviest name that fits comes first (XQ-27.4, XQ-D12).
    fn judge_every_attack(&self, code: &EveryAttack, mates: &mut Mates, with_soldiers: bool) -> Judged {
        if self.after.checkers.any() {
            return Judged::new(Class::Check, "XQ-28.1");
        }
        let view = self.view_after();
        let mut incomplete = false;
        let mut or_none = |found: Result<Option<Judged>, GivenUp>| {
            found.unwrap_or_else(|GivenUp| {
                incomplete = true;
                None
            })
        };
        let attack = or_none(mate_threat(&view, code, mates))
            .or_else(|| or_none(self.chase(&view, Search { code, mates, with_soldiers })));
        let judged = attack.unwrap_or_else(|| self.idle(&view));
        Judged { incomplete, ..judged }
    }

    fn chase(&self, after: &View, mut search: Search<'_>) -> Result<Option<Judged>, GivenUp> {
        let before = self.view_before();
        let taken = search.by_capture(after)?;
        let mut new = search.newly_taken(taken.clone(), &before)?;
        if new.is_empty() {
            let exchanged = search.by_exchange(after, &taken)?;
            new = search.newly_won(exchanged, &before)?;
        }
        if new.is_empty() {
            let checked = search.by_checks(after, &taken)?;
            new = search.newly_won(checked, &before)?;
        }
        Ok((!new.is_empty()).then(|| {
            let targets = targets(after, new);
            Judged { targets, ..Judged::new(Class::Chase, "XQ-28.3") }
        }))
    }

    fn judge_same_man(&self) -> Judged {
        let view = self.view_after();
        let targets = targets(&view, same_man::chased_newly(&self.view_before(), self.m, &view));
        if self.after.checkers.any() {
            return Judged { targets, ..Judged::new(Class::Check, "AXF-1") };
        }
        if targets.is_empty() {
            self.idle(&view)
        } else {
            Judged { targets, ..Judged::new(Class::Chase, "AXF-2") }
        }
    }

    /// Names an idle move (XQ-25.2b, XQ-28.9).
    fn idle(&self, view: &View) -> Judged {
        let (kind, rule) = if self.offers_exchange(view) {
            (IdleKind::ExchangeOffer, "XQ-28.5")
        } else if self.sacrifices() {
            (IdleKind::Sacrifice, "XQ-28.6")
        } else if self.blocks() {
            (IdleKind::Block, "XQ-28.7")
        } else if let Some(attack) = self.attack() {
            match self.m.role {
                Role::General => (IdleKind::Other, "XQ-27.1a"),
                Role::Soldier => (IdleKind::Other, "XQ-27.2a"),
                _ if !self.after.board.takers_of(attack.to, self.after.side_to_move()).is_empty() => {
                    (IdleKind::Follow, "XQ-28.8")
                }
                _ if self.before.board.takers_of(attack.to, self.before.side_to_move()).any() => {
                    (IdleKind::Other, "XQ-D6")
                }
                _ => (IdleKind::Other, "XQ-D7"),
            }
        } else {
            (IdleKind::Other, "XQ-28.9")
        };
        Judged { idle: Some(kind), ..Judged::new(Class::Idle, rule) }
    }

    /// Whether the moved man attacks a man of its own kind that could take it.
    fn offers_exchange(&self, view: &View) -> bool {
        let mut own = takings_from(&view.ours, self.m.to);
        own.any(|taking| view.is_mutual(taking))
    }

    /// Whether the moved man could be taken for nothing.
    fn sacrifices(&self) -> bool {
        takings(self.after, self.m.to).any(|taking| {
            captured(self.after, taking).is_some_and(|(_, worth)| worth > 0)
                && takings(&self.after.after(taking), self.m.to).next().is_none()
        })
    }

    /// Whether the moved man stands in the way of an enemy man that would otherwise attack a man of value.
    fn blocks(&self) -> bool {
        let them = self.after.side_to_move();
        let board = &self.after.board;
        let without = board.occupied().without(self.m.to);
        let ours = board.of_side(them.opponent());
        board.of_side(them).into_iter().any(|from| {
            board.role_at(from).is_some_and(|role| {
                let opened = attacks::reach(them, role, from, without) & ours;
                (opened - attacks::reach(them, role, from, board.occupied())).any()
            })
        })
    }

    /// A capture of a man of value with which the moved man threatens, of a protected one if there is any.
    fn attack(&self) -> Option<Move> {
        let passed = self.after.passed();
        let attacks = takings_from(&passed, self.m.to)
            .filter(|&taking| captured(&passed, taking).is_some_and(|(_, worth)| worth > 0));
        attacks.max_by_key(|taking| self.after.board.takers_of(taking.to, self.after.side_to_move()).any())
    }
}

/// The captures of the man on `square`.
fn takings_from(position: &Xiangqi, square: Square) -> impl Iterator<Item = Move> {
    super::gains::captures(position).filter(move |taking| taking.from == square)
}

/// Whether the side that has just moved would mate by checks if it were its turn again (XQ-28.2).
fn mate_threat(view: &View, code: &EveryAttack, mates: &mut Mates) -> Result<Option<Judged>, GivenUp> {
    if !mates.has_mate(&view.ours, code.mating_checks)? {
        return Ok(None);
    }
    let mate = mates.line(&view.ours, code.mating_checks)?;
    Ok(Some(Judged { mate, ..Judged::new(Class::MateThreat, "XQ-28.2") }))
}

fn targets(view: &View, gains: Gains) -> Vec<Target<Move, Square>> {
    let them = view.us().opponent();
    let target = |(square, gain): (Square, Gain)| {
        let role = view.ours.board.role_at(square)?;
        let Gain { means, root, line } = gain;
        let protectors = view.ours.board.takers_of(square, them);
        let root = if means == Means::Capture || protectors.any() { root } else { Root::Rootless };
        Some(Target { square, role: role.into(), root, protectors, means, line })
    };
    gains.into_iter().filter_map(target).collect()
}

//! What follows from a repetition (XQ-24, XQ-26).

use std::collections::HashMap;
use std::ops::Range;

use game::line::Line;
use game::ruling::{Class, Conduct, PlyConduct, Ruling, Verdict};
use game::side::Side;

use super::conduct::{Judged, Played};
use super::mates::Mates;
use super::{MAX_PLIES, MOVE_BUDGET, REQUEST_BUDGET};
use crate::moves::Move;
use crate::position::Xiangqi;
use crate::role::Role;
use crate::rules::{Code, RepetitionRules, SameMan};
use crate::square::{Bitboard, Square};

/// What has been found out about moves of the past.
#[derive(Debug, Default)]
pub struct Memo {
    judged: Vec<Judged>,
    /// Which entry of `judged` tells about a move: by the position before it, the move, and whether attacks
    /// of soldiers count.
    by_move: HashMap<(u64, Move, bool), usize>,
    mates: Mates,
}

/// A repetition that is ruled.
pub(super) struct Trial<'a> {
    line: &'a Line<Xiangqi>,
    rules: &'a RepetitionRules,
    memo: &'a mut Memo,
    /// The finding hangs on a move that could not be judged within the budget.
    incomplete: bool,
}

/// What follows from a part of the line, or from all of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) verdict: Verdict,
    pub(super) side: Option<Side>,
    pub(super) rule: &'static str,
}

impl Finding {
    const fn new(verdict: Verdict, side: Option<Side>, rule: &'static str) -> Self {
        Self { verdict, side, rule }
    }
}

/// A ruling, not yet put into a report: the finding and what it rests on.
pub(super) struct Ruled {
    pub(super) finding: Finding,
    /// The plies that were judged.
    plies: Range<usize>,
    /// For each side, whether attacks of its soldiers count.
    with_soldiers: [bool; 2],
    may_be_excused: bool,
    pub(super) incomplete: bool,
}

impl<'a> Trial<'a> {
    pub(super) fn new(line: &'a Line<Xiangqi>, rules: &'a RepetitionRules, memo: &'a mut Memo) -> Self {
        Self { line, rules, memo, incomplete: false }
    }

    /// Rules the position at the end of the line; nothing when it has not stood there often enough.
    pub(super) fn rule(&mut self) -> Option<Ruled> {
        let wanted = self.rules.occurrences as usize;
        // One more than needed tells whether the offender has been warned.
        let (now, first) = (self.line.plies().len(), self.line.occurrences().nth(wanted - 1)?);
        let mut stood: Vec<_> = self.line.occurrences().take(wanted + 1).collect();
        stood.retain(|then| now - then <= MAX_PLIES);
        if stood.len() < wanted {
            let finding = Finding::new(Verdict::None, None, "XQ-25.1");
            let with_soldiers = [false; 2];
            return Some(Ruled {
                finding,
                plies: now..now,
                with_soldiers,
                may_be_excused: false,
                incomplete: true,
            });
        }
        let plies = first..now;
        let (mut finding, with_soldiers) = match &self.rules.code {
            Code::EveryAttack(_) => self.every_attack(&stood),
            Code::SameMan(code) => (self.same_man(plies.clone(), code), [false; 2]),
        };
        let mut may_be_excused = false;
        if let (Code::EveryAttack(code), Some(offender)) = (&self.rules.code, finding.side) {
            may_be_excused = self.chases_defenders_only(offender, plies.clone(), with_soldiers);
            if may_be_excused && code.defensive_post {
                finding.verdict = Verdict::ArbiterDecides;
            }
        }
        Some(Ruled { finding, plies, with_soldiers, may_be_excused, incomplete: self.incomplete })
    }

    /// What follows when every perpetual attack is forbidden. The periods between the occurrences are
    /// judged each alone, and have to agree: the moves must cycle (XQ-25.1), not only the position.
    fn every_attack(&mut self, stood: &[usize]) -> (Finding, [bool; 2]) {
        let found: Vec<_> = stood.windows(2).map(|pair| self.period(pair[1]..pair[0])).collect();
        let needed = self.rules.occurrences as usize - 1;
        let (latest, with_soldiers) = found[0];
        // The duty to change came with the occurrence before this one. To attack in another way is no change.
        let warned = found.get(1..=needed).and_then(|earlier| {
            let (finding, _) = earlier[0];
            let is_same = earlier.iter().all(|(other, _)| *other == finding);
            (is_same && finding.verdict == Verdict::MustChange).then_some(finding.side)
        });
        if warned.is_some_and(|offender| offender == latest.side) {
            return (Finding::new(Verdict::Loses, latest.side, "XQ-24.3"), with_soldiers);
        }
        if found[..needed].iter().any(|(finding, _)| *finding != latest) {
            return (Finding::new(Verdict::None, None, "XQ-25.1"), with_soldiers);
        }
        (latest, with_soldiers)
    }

    /// Puts a ruling into a report.
    pub(super) fn report(&mut self, ruled: Ruled) -> Ruling<Move, Square> {
        let Ruled { finding, plies, with_soldiers, may_be_excused, incomplete } = ruled;
        let plies: Vec<_> = plies
            .map(|ply| {
                let (side, m) = (self.mover(ply), self.line.plies()[ply].m);
                let Judged { class, idle, targets, mate, rule, incomplete } =
                    self.judged(ply, with_soldiers[side.index()]);
                let (targets, mate) = (targets.clone(), mate.clone());
                PlyConduct {
                    ply,
                    side,
                    m,
                    class: *class,
                    idle: *idle,
                    targets,
                    mate,
                    rule,
                    incomplete: *incomplete,
                }
            })
            .collect();
        let conduct = Side::ALL
            .map(|side| Conduct::of(plies.iter().filter(|ply| ply.side == side).map(|ply| ply.class)));
        let Finding { verdict, side, rule } = finding;
        Ruling { verdict, side, plies, conduct, rule, may_be_excused, incomplete }
    }

    /// What follows from one period between two occurrences, judged alone, when every attack is forbidden;
    /// and for which sides the attacks of soldiers count.
    fn period(&mut self, period: Range<usize>) -> (Finding, [bool; 2]) {
        let without = [false; 2];
        // What else the other side does has no part in it, and need not be found out.
        if let Some(checker) = only(Side::ALL.map(|side| self.always_checks(side, period.clone()))) {
            return (Finding::new(Verdict::Loses, Some(checker), "XQ-24.1"), without);
        }
        let conduct = Side::ALL.map(|side| self.conduct(side, period.clone(), false));
        let forbidden = conduct.map(Conduct::is_perpetual_attack);
        let draw = Finding::new(Verdict::Draw, None, "XQ-24.2");
        if forbidden[0] == forbidden[1] {
            return (draw, without);
        }
        let offender = if forbidden[0] { Side::First } else { Side::Second };
        // In mutual attack the soldiers of the other side count, too (XQ-27.2b, XQ-D11).
        let other = offender.opponent();
        if self.conduct(other, period, true).is_perpetual_attack() {
            let mut with_soldiers = without;
            with_soldiers[other.index()] = true;
            return (draw, with_soldiers);
        }
        (Finding::new(Verdict::MustChange, Some(offender), "XQ-26.4"), without)
    }

    /// What follows from the plies when only check and the chase of the same man are forbidden.
    fn same_man(&mut self, plies: Range<usize>, code: &SameMan) -> Finding {
        let checks = Side::ALL.map(|side| self.always_checks(side, plies.clone()));
        let is_check = self.line.plies()[plies.clone()].iter().any(|ply| ply.gives_check);
        let draw = Finding::new(Verdict::Draw, None, "AXF-3");
        if let Some(checker) = only(checks) {
            return Finding::new(Verdict::Loses, Some(checker), "AXF-1");
        }
        if checks[0] || code.check_excuses_chase && is_check {
            return draw;
        }
        match only(self.same_man_chased(plies)) {
            Some(chaser) => Finding::new(Verdict::Loses, Some(chaser), "AXF-2"),
            None => draw,
        }
    }

    /// Whether each side chased one and the same man with every move.
    fn same_man_chased(&mut self, plies: Range<usize>) -> [bool; 2] {
        let mut common: [Option<Bitboard>; 2] = [None; 2];
        // Where the man that stands on a point now stood at the start.
        let mut origin: HashMap<Square, Square> = HashMap::new();
        for ply in plies {
            let side = self.mover(ply);
            let m = self.line.plies()[ply].m;
            let chased: Bitboard = self
                .judged(ply, false)
                .targets
                .iter()
                .map(|target| origin.get(&target.square).copied().unwrap_or(target.square))
                .collect();
            let common = &mut common[side.index()];
            *common = Some(common.map_or(chased, |before| before & chased));
            let from = origin.remove(&m.from).unwrap_or(m.from);
            origin.insert(m.to, from);
        }
        common.map(|men| men.is_some_and(Bitboard::any))
    }

    /// What a side does in some plies. When that hangs on a move that could not be judged to the end, the
    /// whole ruling is incomplete: such a move does what its class says, or more.
    fn conduct(&mut self, side: Side, plies: Range<usize>, with_soldiers: bool) -> Conduct {
        let (mut classes, mut is_surely_idle, mut is_unsure) = (Vec::new(), false, false);
        for ply in plies {
            if self.mover(ply) == side {
                let judged = self.judged(ply, with_soldiers);
                classes.push(judged.class);
                is_surely_idle |= judged.class == Class::Idle && !judged.incomplete;
                is_unsure |= judged.class == Class::Idle && judged.incomplete;
            }
        }
        self.incomplete |= is_unsure && !is_surely_idle;
        Conduct::of(classes)
    }

    /// Whether a side gives check with every move in some plies.
    fn always_checks(&self, side: Side, mut plies: Range<usize>) -> bool {
        plies.all(|ply| self.mover(ply) != side || self.line.plies()[ply].gives_check)
    }

    /// Whether a side attacks by nothing but chases of advisors and elephants.
    fn chases_defenders_only(&mut self, side: Side, plies: Range<usize>, with_soldiers: [bool; 2]) -> bool {
        let own: Vec<_> = plies.filter(|&ply| self.mover(ply) == side).collect();
        own.into_iter().all(|ply| {
            let judged = self.judged(ply, with_soldiers[side.index()]);
            let is_defender = |role| [Role::Advisor, Role::Elephant].map(Into::into).contains(role);
            judged.class == Class::Chase && judged.targets.iter().all(|target| is_defender(&target.role))
        })
    }

    /// Who played a ply.
    fn mover(&self, ply: usize) -> Side {
        let start = self.line.start().side_to_move();
        if ply.is_multiple_of(2) { start } else { start.opponent() }
    }

    /// What a ply does.
    fn judged(&mut self, ply: usize, with_soldiers: bool) -> &Judged {
        let key = (self.line.key_after(ply), self.line.plies()[ply].m, with_soldiers);
        let index = match self.memo.by_move.get(&key) {
            Some(&index) => index,
            None => self.judge(ply, with_soldiers),
        };
        &self.memo.judged[index]
    }

    /// Judges a ply and all later ones, which are played over on the way back to it.
    fn judge(&mut self, ply: usize, with_soldiers: bool) -> usize {
        let side = self.mover(ply);
        let mut after = self.line.last().clone();
        let mut index = 0;
        for at in (ply..self.line.plies().len()).rev() {
            let m = self.line.plies()[at].m;
            let mut before = after.clone();
            before.take_back_quiet(m);
            let key = (before.key, m, with_soldiers);
            if self.mover(at) == side || !with_soldiers {
                index = match self.memo.by_move.get(&key) {
                    Some(&index) => index,
                    None => {
                        let played = Played { before: &before, m, after: &after };
                        self.memo.judge(key, &played, &self.rules.code)
                    }
                };
            }
            after = before;
        }
        index
    }
}

/// The only side for which something holds.
fn only(sides: [bool; 2]) -> Option<Side> {
    match sides {
        [true, false] => Some(Side::First),
        [false, true] => Some(Side::Second),
        _ => None,
    }
}

impl Memo {
    fn judge(&mut self, key: (u64, Move, bool), played: &Played<'_>, code: &Code) -> usize {
        let left = REQUEST_BUDGET.saturating_sub(self.mates.spent);
        self.mates.budget = MOVE_BUDGET.min(u32::try_from(left).unwrap_or(u32::MAX));
        self.judged.push(played.judge(code, &mut self.mates, key.2));
        let index = self.judged.len() - 1;
        self.by_move.insert(key, index);
        index
    }
}

//! Mates that are forced by check after check (XQ-28.2), within a budget of positions.

use std::collections::HashMap;

use game::position::Position as _;
use game::tactics::Tactics as _;

use crate::moves::Move;
use crate::position::Xiangqi;

/// The budget is spent before an answer was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct GivenUp;

/// Looks for forced mates and remembers what it found.
#[derive(Debug, Default)]
pub(super) struct Mates {
    known: HashMap<u64, Known>,
    /// The positions that may still be looked at.
    pub(super) budget: u32,
    /// The positions that have been looked at, ever.
    pub(super) spent: u64,
}

/// What is known of a position: there is a mate in so many checks and no shorter one, or none in so many.
#[derive(Debug, Clone, Copy)]
struct Known {
    checks: u8,
    is_mate: bool,
}

impl Mates {
    /// Takes note that another position is looked at.
    pub(super) fn spend(&mut self) -> Result<(), GivenUp> {
        self.budget = self.budget.checked_sub(1).ok_or(GivenUp)?;
        self.spent += 1;
        Ok(())
    }

    /// In how few checks the side to move forces mate, giving check with every move; nothing when it takes
    /// more than `most`, or cannot be done.
    pub(super) fn checks_needed(&mut self, position: &Xiangqi, most: u8) -> Result<Option<u8>, GivenUp> {
        for checks in 1..=most {
            if self.mates_in(position, checks)? {
                return Ok(Some(checks));
            }
        }
        Ok(None)
    }

    /// Whether the side to move forces mate in at most `most` checks.
    pub(super) fn has_mate(&mut self, position: &Xiangqi, most: u8) -> Result<bool, GivenUp> {
        self.checks_needed(position, most).map(|checks| checks.is_some())
    }

    /// The checks that force mate, with the replies that hold out longest.
    pub(super) fn line(&mut self, position: &Xiangqi, most: u8) -> Result<Vec<Move>, GivenUp> {
        let mut line = Vec::new();
        let mut position = position.clone();
        let mut checks = self.checks_needed(&position, most)?.unwrap_or(0);
        while checks > 0 {
            let Some((m, after)) = self.mating_check(&position, checks, &mut false)? else { break };
            line.push(m);
            position = after;
            checks -= 1;
            let mut longest: Option<(Option<u8>, Move, Xiangqi)> = None;
            for reply in position.legal_moves() {
                let after = position.after(reply);
                let needed = self.checks_needed(&after, checks)?;
                if longest.as_ref().is_none_or(|(most, ..)| needed > *most) {
                    longest = Some((needed, reply, after));
                }
            }
            let Some((needed, reply, after)) = longest else { break };
            line.push(reply);
            position = after;
            checks = needed.unwrap_or(0);
        }
        Ok(line)
    }

    fn mates_in(&mut self, position: &Xiangqi, checks: u8) -> Result<bool, GivenUp> {
        if let Some(known) = self.known.get(&position.key) {
            if known.is_mate && known.checks <= checks {
                return Ok(true);
            }
            if !known.is_mate && known.checks >= checks {
                return Ok(false);
            }
        }
        let mut has_check = false;
        let is_mate = self.mating_check(position, checks, &mut has_check)?.is_some();
        // Where there is no check, more of them do not help.
        let checks = if has_check { checks } else { u8::MAX };
        self.known.insert(position.key, Known { checks, is_mate });
        Ok(is_mate)
    }

    /// A check after which every reply allows mate in fewer checks, and the position after it. Notes
    /// whether there is any check.
    fn mating_check(
        &mut self,
        position: &Xiangqi,
        checks: u8,
        has_check: &mut bool,
    ) -> Result<Option<(Move, Xiangqi)>, GivenUp> {
        for &m in &position.likely_checks() {
            let Some(after) = after_check(position, m) else { continue };
            *has_check = true;
            self.spend()?;
            if self.all_replies_lose(&after, checks - 1)? {
                return Ok(Some((m, after)));
            }
        }
        Ok(None)
    }

    fn all_replies_lose(&mut self, position: &Xiangqi, checks: u8) -> Result<bool, GivenUp> {
        if checks == 0 {
            return Ok(!position.has_legal_move());
        }
        for &reply in &position.legal_moves() {
            self.spend()?;
            if !self.has_mate(&position.after(reply), checks)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The position after a legal move when that gives check.
#[inline]
pub(super) fn after_check(position: &Xiangqi, m: Move) -> Option<Xiangqi> {
    position.gives_check(m).then(|| position.after(m))
}

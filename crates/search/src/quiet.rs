//! Draws for want of progress, near which positions are more than what stands on the board.
//!
//! Far from such a draw nothing is counted. Near it, the table keeps a position apart for each count it
//! is reached with, so that what is found with one count is not believed with another. Between the two,
//! a mate of the table counts only if it comes before the draw.

use game::tactics::{Path, QuietRule, Stalemate, Tactics};

use crate::evaluator::Evaluator;
use crate::score::{INFINITY, MATE, is_mate, mated};
use crate::searcher::{DRAW, Searcher};
use crate::table::Finding;

/// So many plies before the draw a position counts as near it.
const NEAR: u32 = 12;

/// A rule, with what is asked for most often worked out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Quiet {
    rule: QuietRule,
    /// The fewest plies after which there can be a draw.
    least: u32,
    /// From so many plies on, positions are near the draw.
    near: u32,
}

impl From<QuietRule> for Quiet {
    fn from(rule: QuietRule) -> Self {
        let least = rule.claim.min(rule.claim_afresh).min(rule.end);
        Self { rule, least, near: least.saturating_sub(NEAR) }
    }
}

/// How a position stands towards the draw.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Standing {
    /// The score, where the game is over.
    pub(crate) settled: Option<i32>,
    /// The side to move has at least this, because it can claim it.
    pub(crate) floor: i32,
}

/// Nothing is drawn yet.
const OPEN: Standing = Standing { settled: None, floor: -INFINITY };

/// The moves and checks since the last progress: of the side that moved last, of the side to move.
struct Count {
    moves: [u32; 2],
    checks: [u32; 2],
}

impl Count {
    /// Counts back from the end of a path. Of the plies before its beginning only the number is known.
    fn of(path: &Path, plies: u32) -> Self {
        let steps = path.steps();
        let mut checks = [0; 2];
        let known = (plies as usize).min(steps.len().saturating_sub(1));
        for (back, step) in steps.iter().rev().take(known).enumerate() {
            checks[back % 2] += u32::from(step.is_check);
        }
        Self { moves: [plies.div_ceil(2), plies / 2], checks }
    }

    /// The moves of a side that count.
    fn valid(&self, side: usize, rule: &QuietRule) -> u32 {
        let beyond = self.checks[side].saturating_sub(rule.checks_that_count);
        self.moves[side].saturating_sub(beyond)
    }
}

impl<P: Tactics, E: Evaluator<P>> Searcher<'_, P, E> {
    /// How the position at the end of the path stands towards a draw for want of progress.
    #[inline]
    pub(crate) fn standing(&self, position: &P, ply: usize) -> Standing {
        if position.quiet_plies() < self.quiet.least { OPEN } else { self.count(position, ply) }
    }

    #[cold]
    fn count(&self, position: &P, ply: usize) -> Standing {
        let plies = position.quiet_plies();
        let rule = &self.quiet.rule;
        let (ends, claims) = if rule.checks_that_count == QuietRule::NEVER {
            (plies, plies)
        } else {
            let count = Count::of(&self.path, plies);
            let [moved, to_move] = [0, 1].map(|side| count.valid(side, rule));
            // Who claims counts all moves of the other side.
            (2 * moved.min(to_move), 2 * count.moves[0].min(to_move))
        };
        // Progress after the root leaves fewer quiet plies than there are plies.
        let is_afresh = (plies as usize) < ply;
        let claim = if is_afresh { rule.claim_afresh } else { rule.claim };
        let (is_over, may_claim) = (ends >= rule.end, claims >= claim);
        if !is_over && !may_claim {
            return OPEN;
        }
        if !position.has_legal_move() {
            return Standing { settled: Some(without_moves(position, ply)), ..OPEN };
        }
        if is_over { Standing { settled: Some(DRAW), ..OPEN } } else { Standing { floor: DRAW, ..OPEN } }
    }

    /// What the table keeps a position by.
    #[inline(always)]
    pub(crate) fn key(&self, position: &P) -> u64 {
        if position.quiet_plies() < self.quiet.near {
            position.key()
        } else {
            position.key() ^ self.key_of_count(position)
        }
    }

    #[cold]
    fn key_of_count(&self, position: &P) -> u64 {
        let plies = position.quiet_plies();
        let rule = &self.quiet.rule;
        let parts = if rule.checks_that_count == QuietRule::NEVER {
            [plies, 0, 0, 0]
        } else {
            let count = Count::of(&self.path, plies);
            let [moved, to_move] = [0, 1].map(|side| count.valid(side, rule));
            let [by_moved, by_to_move] = count.checks.map(|checks| checks.min(rule.checks_that_count));
            [moved, to_move, by_moved, by_to_move]
        };
        parts.into_iter().fold(1, |key: u64, part| {
            (key ^ u64::from(part)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
        })
    }

    /// What the table knows of the position at the end of the path.
    #[inline(always)]
    pub(crate) fn probe(&self, position: &P) -> Option<Finding> {
        let finding = self.memory.table.probe(self.key(position))?;
        if is_mate(i32::from(finding.score)) { Some(self.doubted(position, finding)) } else { Some(finding) }
    }

    /// A mate of the table, without its score when the draw may come first.
    #[cold]
    fn doubted(&self, position: &P, finding: Finding) -> Finding {
        let (plies, away) = (position.quiet_plies(), MATE - i32::from(finding.score).abs());
        let is_in_time = plies.saturating_add(away.unsigned_abs()) <= self.quiet.least;
        // Near the draw the table knows the count.
        if plies >= self.quiet.near || is_in_time { finding } else { Finding { bound: None, ..finding } }
    }
}

/// The score of a side without a legal move.
pub(crate) fn without_moves<P: Tactics>(position: &P, ply: usize) -> i32 {
    match P::STALEMATE {
        Stalemate::Draw if !position.is_check() => DRAW,
        _ => mated(ply),
    }
}

//! Chases as the Asian and the computer rules see them: a move attacks a man that nothing could legally
//! avenge, or one that is worth more than its attacker.
//!
//! What counts as new follows what public programs do with these rules: a capture that the move has made
//! possible, or a protector that can no longer retake because it would expose its general. A protector
//! that merely lost sight of the man is no attack on it, nor is the end of a check for which a capture had to
//! wait.

use game::position::Position as _;
use game::ruling::{Means, Root};

use super::gains::{Gain, Gains, View, attackers_after, captured, captures, takings_by};
use crate::moves::Move;
use crate::position::Xiangqi;
use crate::role::Role;
use crate::square::Bitboard;

/// The men that the move `m` chases and that were not chased before it.
pub(super) fn chased_newly(before: &View, m: Move, after: &View) -> Gains {
    let mut gains = Gains::new();
    for capture in captures(&after.ours) {
        if let Some(root) = chases(after, capture)
            && is_new(before, m, after, capture)
        {
            let gain = Gain { means: Means::Capture, root, line: vec![capture] };
            gains.entry(capture.to).or_insert(gain);
        }
    }
    gains
}

/// How the man is protected that a capture chases; nothing when it does not chase it.
fn chases(view: &View, capture: Move) -> Option<Root> {
    if matches!(capture.role, Role::General | Role::Soldier) {
        return None;
    }
    let (role, worth) = captured(&view.ours, capture)?;
    let is_protected = avengers(view, capture).any();
    let counts = worth > 0 && (is_bigger(capture.role, role) || !view.is_mutual(capture) && !is_protected);
    counts.then_some(if is_protected { Root::Rooted } else { Root::Rootless })
}

/// Whether a man is worth so much more than its attacker that protecting it does not help.
fn is_bigger(attacker: Role, target: Role) -> bool {
    match attacker {
        Role::Horse | Role::Cannon => target == Role::Chariot,
        Role::Advisor | Role::Elephant => matches!(target, Role::Chariot | Role::Horse | Role::Cannon),
        _ => false,
    }
}

/// Whether the move `m` has made a capture a chase.
fn is_new(before: &View, m: Move, after: &View, capture: Move) -> bool {
    let from = if capture.from == m.to { m.from } else { capture.from };
    let earlier = Move { from, ..capture };
    if !could_take(&before.ours, earlier) {
        return true;
    }
    if chases(before, earlier).is_some() {
        return false;
    }
    // It was protected, or a partner in an exchange: what kept it safe must be there still, and pinned.
    let reach = takings_by(&after.ours.after(capture), capture.to, false).map(|m| m.from).collect();
    let kept_safe = if before.is_mutual(earlier) {
        let back = Move { from: capture.to, to: capture.from, role: capture.role };
        return takings_by(&after.theirs, capture.from, false).any(|m| m == back);
    } else {
        avengers(before, earlier)
    };
    (kept_safe - reach).is_empty()
}

/// Whether a capture was there already. One that had to wait for the end of a check was: who answers the
/// check does not attack anew by it.
fn could_take(position: &Xiangqi, capture: Move) -> bool {
    let exposed = || attackers_after(position, capture) - position.checkers;
    takings_by(position, capture.to, false).any(|m| m == capture) && exposed().is_empty()
}

/// The men that could legally retake after a capture. A check that was there before the capture does not
/// hinder them.
fn avengers(view: &View, capture: Move) -> Bitboard {
    let taken = view.ours.after(capture);
    let standing = view.theirs.checkers;
    takings_by(&taken, capture.to, false)
        .filter(|&retake| (attackers_after(&taken, retake) - standing).is_empty())
        .map(|retake| retake.from)
        .collect()
}

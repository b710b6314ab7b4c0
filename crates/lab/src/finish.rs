//! When a game between engines is over: by the rules, or because nothing more can be expected of it.

use game::line::Line;
use game::side::Side;
use game::tactics::{Path, Repetition, Tactics};

/// Who has won at the end of a line, if the game is over: `Some(None)` is a draw. Games
/// that go on for `longest` plies are drawn.
#[must_use]
pub fn outcome<P: Tactics>(line: &Line<P>, longest: usize) -> Option<Option<Side>> {
    let last = line.last();
    let rules = P::rules(P::DEFAULT_RULE_SET)?;
    if let Some(outcome) = P::ending(line, &rules) {
        return Some(outcome.winner);
    }
    let to_move = last.side_to_move();
    match P::repetition(&Path::of_game(line)) {
        Some(Repetition::Draw) => return Some(None),
        Some(Repetition::Win) => return Some(Some(to_move)),
        Some(Repetition::Loss) => return Some(Some(to_move.opponent())),
        None => {}
    }
    let rule = last.quiet_rule(&rules);
    // One of the two claims a draw soon after it can be claimed.
    let is_quiet = last.quiet_plies() >= rule.end.min(rule.claim.saturating_add(1));
    (is_quiet || last.is_dead() || line.plies().len() >= longest).then_some(None)
}

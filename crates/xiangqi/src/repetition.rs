//! How a repetition is ruled by what its moves do (XQ-24 to XQ-29, XQ-D1 to XQ-D13).
//!
//! When a position has stood often enough, every move since is judged: check, threat to mate, chase, or
//! idle. What each side does with all of its moves decides. The rule sets differ in what they forbid
//! ([`Code`](crate::rules::Code)); the mechanism is one.
//!
//! A search cannot afford this at every node: [`Tactics::repetition`](game::tactics::Tactics::repetition) tells
//! it of perpetual check alone, which needs no judgement.
//!
//! Only xiangqi has this. Where the Chinese text leaves a choice, the choice is a field of
//! [`EveryAttack`](crate::rules::EveryAttack), or stands beside the code that makes it.
//!
//! | to know | look in |
//! | --- | --- |
//! | what follows from a repetition | `verdict.rs` |
//! | what one move does | `conduct.rs` |
//! | which men can be won | `gains.rs`, with the values in `ledger.rs` |
//! | which men count as chased by the Asian and computer rules | `same_man.rs` |
//! | which checks force mate | `mates.rs` |
//! | how a ruling is put into words | `explain.rs` |

mod conduct;
mod explain;
mod gains;
mod ledger;
mod mates;
mod same_man;
mod verdict;

use game::language::Language;
use game::line::Line;
use game::outcome::{Outcome, Termination};
use game::ruling::{Ruling, Verdict};
use game::side::Side;

pub use self::verdict::Memo;
use self::verdict::Trial;
use crate::moves::Move;
use crate::position::Xiangqi;
use crate::rules::RepetitionRules;
use crate::square::Square;

/// The most positions that are looked at to judge one move. A judgement that needs more is `incomplete`.
pub const MOVE_BUDGET: u32 = 20_000;

/// The most positions that are looked at for one [`Memo`]: for all moves of a question together.
pub const REQUEST_BUDGET: u64 = 150_000;

/// The most plies of a repetition that are judged. Players bring about none so long: the natural limit comes
/// first. For a longer one there is no verdict, and the ruling is `incomplete`.
pub const MAX_PLIES: usize = 1_000;

/// What the rules say of the repetition at the end of a line; nothing while the position has not stood
/// there often enough.
#[must_use]
pub fn ruling(
    line: &Line<Xiangqi>,
    rules: &RepetitionRules,
    memo: &mut Memo,
) -> Option<Ruling<Move, Square>> {
    let mut trial = Trial::new(line, rules, memo);
    let ruled = trial.rule()?;
    Some(trial.report(ruled))
}

/// A ruling in words: a line for each different move, one for what each side does, and the verdict.
#[must_use]
pub fn explanation(line: &Line<Xiangqi>, ruling: &Ruling<Move, Square>, language: Language) -> String {
    explain::explain(line, ruling, language)
}

/// How the repetition at the end of a line has ended the game; nothing when it has not, and when the
/// ruling is incomplete: a game is not ended on what might be wrong.
#[must_use]
pub fn outcome(line: &Line<Xiangqi>, rules: &RepetitionRules, memo: &mut Memo) -> Option<Outcome> {
    let ruled = Trial::new(line, rules, memo).rule()?;
    if ruled.incomplete {
        return None;
    }
    let rule = ruled.finding.rule;
    match ruled.finding.verdict {
        Verdict::Draw => Some(Outcome { winner: None, termination: Termination::Repetition, rule }),
        Verdict::Loses => {
            let is_check = matches!(rule, "XQ-24.1" | "AXF-1");
            let termination =
                if is_check { Termination::PerpetualCheck } else { Termination::PerpetualAttack };
            Some(Outcome { winner: ruled.finding.side.map(Side::opponent), termination, rule })
        }
        Verdict::None | Verdict::MustChange | Verdict::ArbiterDecides => None,
    }
}

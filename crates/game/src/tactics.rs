//! What a search asks of a position beyond the rules.
//!
//! Which moves are noisy, what an exchange is worth, how a move is packed into a table: these are
//! decisions of an engine and no rules, but they need to know the game. So each game answers them, and
//! the search stays free of any game.

use crate::line::Line;
use crate::position::{MoveList, Position};

/// How many keys [`Tactics::structure`] gives.
pub const STRUCTURES: usize = 4;

/// A position that a search can work on.
///
/// Roles are small numbers here, from 0 to [`Tactics::ROLES`]; values are centipawns.
pub trait Tactics: Position {
    /// How many roles there are.
    const ROLES: usize;

    /// What a side without a legal move gets when it is not in check.
    const STALEMATE: Stalemate;

    /// What a man of a role is worth in an exchange. The man that cannot be taken is worth more than all
    /// others together.
    fn role_value(role: usize) -> i32;

    /// Appends the legal moves that change the material: captures, and promotions to the best role.
    fn noisy_moves(&self, moves: &mut MoveList<Self::Move>);

    /// Appends the legal moves that are not noisy.
    fn quiet_moves(&self, moves: &mut MoveList<Self::Move>);

    /// Whether a legal move is one of the noisy ones.
    fn is_noisy(&self, m: Self::Move) -> bool;

    /// Whether a legal move gives check.
    fn gives_check(&self, m: Self::Move) -> bool;

    /// The role of the man that moves.
    fn role_of(m: Self::Move) -> usize;

    /// The number of the square that the man leaves.
    fn from_index(m: Self::Move) -> usize;

    /// The number of the square where the man arrives.
    fn to_index(m: Self::Move) -> usize;

    /// The role of the man that a legal move takes.
    fn captured_role(&self, m: Self::Move) -> Option<usize>;

    /// What a legal move wins at once: the man taken, and what a promotion adds.
    fn gain(&self, m: Self::Move) -> i32;

    /// Packs a legal move; never 0.
    fn encode(m: Self::Move) -> u16;

    /// Unpacks a move, or gives nothing when it is not legal here.
    fn decode(&self, code: u16) -> Option<Self::Move>;

    /// Passes the turn. Only for a side that is not in check.
    fn pass_unchecked(&mut self);

    /// Whether passing is no better than every move: the side has men that rarely run out of good
    /// moves (<https://www.chessprogramming.org/Zugzwang>).
    fn can_pass(&self) -> bool;

    /// Whether the exchange that a legal move begins on its square wins at least `threshold`
    /// (<https://www.chessprogramming.org/Static_Exchange_Evaluation>).
    fn exchange_wins(&self, m: Self::Move, threshold: i32) -> bool;

    /// Keys of parts of the position; positions with an equal part are judged alike. The parts are the
    /// slow men, the other men of each side, and the men of the middle worth.
    fn structure(&self) -> [u64; STRUCTURES];

    /// Whether neither side can ever win, as far as a glance at the men tells.
    fn is_dead(&self) -> bool;

    /// When a game that goes on from here is drawn for want of progress.
    fn quiet_rule(&self, rules: &Self::Rules) -> QuietRule;

    /// How a search values the position at the end of a path because it stood there before; nothing
    /// while the path goes on.
    ///
    /// The default is what games do that count repetitions only.
    fn repetition(path: &Path) -> Option<Repetition> {
        path.repeated().map(|_| Repetition::Draw)
    }
}

/// What a side without a legal move gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stalemate {
    /// Half a point.
    Draw,
    /// Nothing.
    Loss,
}

/// When a game is drawn for want of progress, in plies since the last progress
/// ([`Position::quiet_plies`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuietRule {
    /// From so many on, the side to move may claim the draw.
    pub claim: u32,
    /// The same once progress has been made: another limit may hold for the men that are left.
    pub claim_afresh: u32,
    /// With so many, the game is over.
    pub end: u32,
    /// Of the checks that a side gives meanwhile, only so many count.
    pub checks_that_count: u32,
}

impl QuietRule {
    /// A number that is never reached.
    pub const NEVER: u32 = u32::MAX;
    /// There are no such draws.
    pub const NONE: QuietRule = QuietRule {
        claim: Self::NEVER,
        claim_afresh: Self::NEVER,
        end: Self::NEVER,
        checks_that_count: Self::NEVER,
    };
}

/// What a repetition gives the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repetition {
    /// Half a point.
    Draw,
    /// The opponent repeated in a forbidden way.
    Win,
    /// It repeated in a forbidden way itself.
    Loss,
}

/// One position of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// The position's key.
    pub key: u64,
    /// Whether the side to move is in check.
    pub is_check: bool,
    /// How many plies back there may be an equal position: none before a pass or a move that cannot be
    /// taken back.
    pub reversible: u32,
}

/// The positions from which a search came to where it is: the game so far, then the moves it tries.
#[derive(Debug, Clone)]
pub struct Path {
    steps: Vec<Step>,
    root: usize,
}

impl Path {
    /// The path that a game has gone, as far back as repetitions matter. Its end is the root of the
    /// search.
    #[must_use]
    pub fn of_game<P: Position>(line: &Line<P>) -> Self {
        let plies = line.plies();
        let reversible = plies.len().min(line.last().quiet_plies() as usize);
        let first = plies.len() - reversible;
        let mut steps = Vec::with_capacity(reversible + 1);
        if first == 0 {
            let start = line.start();
            steps.push(Step { key: start.key(), is_check: start.is_check(), reversible: 0 });
        }
        for ply in &plies[first.saturating_sub(1)..] {
            let reversible = u32::try_from(steps.len()).unwrap_or(0);
            steps.push(Step { key: ply.key, is_check: ply.gives_check, reversible });
        }
        let root = steps.len() - 1;
        Self { steps, root }
    }

    /// The positions, first to last.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Appends the position that a move leads to.
    pub fn push<P: Position>(&mut self, after: &P) {
        let reversible = self.steps.last().map_or(0, |step| step.reversible + 1);
        let reversible = reversible.min(after.quiet_plies());
        self.steps.push(Step { key: after.key(), is_check: after.is_check(), reversible });
    }

    /// Appends the position that a pass leads to.
    pub fn push_pass<P: Position>(&mut self, after: &P) {
        self.steps.push(Step { key: after.key(), is_check: false, reversible: 0 });
    }

    /// Takes the last position back.
    pub fn pop(&mut self) {
        self.steps.pop();
    }

    /// The steps since the last position stood there before, if that is reason to stop: it stood there
    /// since the root, or twice before.
    #[must_use]
    pub fn repeated(&self) -> Option<&[Step]> {
        let last = self.steps.len().checked_sub(1)?;
        let Step { key, reversible, .. } = self.steps[last];
        let mut times = 0;
        for back in (4..=reversible as usize).step_by(2) {
            let at = last.checked_sub(back)?;
            if self.steps[at].key == key {
                times += 1;
                if times == 2 || at >= self.root {
                    return Some(&self.steps[at + 1..]);
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(keys: &[u64], root: usize) -> Path {
        let step =
            |(i, &key): (usize, &u64)| Step { key, is_check: false, reversible: u32::try_from(i).unwrap() };
        Path { steps: keys.iter().enumerate().map(step).collect(), root }
    }

    #[test]
    fn the_first_repetition_since_the_root_counts() {
        assert!(path(&[1, 2, 3, 4, 1], 0).repeated().is_some_and(|steps| steps.len() == 4));
        assert!(path(&[1, 2, 3, 4, 1], 1).repeated().is_none());
    }

    #[test]
    fn the_second_repetition_of_the_game_counts() {
        assert!(path(&[1, 2, 3, 4, 1, 2, 3, 4, 1], 8).repeated().is_some_and(|steps| steps.len() == 8));
    }

    #[test]
    fn nothing_repeats_across_a_pass() {
        let mut path = path(&[1, 2, 3, 4, 1], 0);
        path.steps[4].reversible = 2;
        assert!(path.repeated().is_none());
    }
}

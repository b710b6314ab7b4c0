//! In which order moves are tried (<https://www.chessprogramming.org/Move_Ordering>).
//!
//! The table's move, noisy moves that lose nothing, killers, quiet moves, noisy moves that lose
//! something. Each stage makes its moves only when it is reached: most nodes end before.

use arrayvec::ArrayVec;
use game::position::{MAX_LEGAL_MOVES, MoveList};
use game::tactics::Tactics;

use crate::history::{Histories, Rows};

/// Quiet moves that cut off at the same ply of a neighbouring line
/// (<https://www.chessprogramming.org/Killer_Heuristic>).
pub(crate) type Killers<M> = [Option<M>; 2];

/// What is left to hand out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Table,
    MakeNoisy,
    GoodNoisy,
    Killers(usize),
    MakeQuiet,
    Quiet,
    BadNoisy,
    Done,
}

/// Which quiet moves are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Quiets {
    All,
    /// Those that give check and lose nothing.
    Checks,
    None,
}

#[derive(Debug, Clone, Copy)]
struct Scored<M> {
    m: M,
    score: i32,
}

/// Hands out the legal moves of a position, each once.
pub(crate) struct Picker<M> {
    stage: Stage,
    table_move: Option<M>,
    killers: Killers<M>,
    rows: Rows,
    /// Noisy moves are good when their exchange wins at least this.
    threshold: i32,
    quiets: Quiets,
    /// What quiet moves that give check are scored higher.
    check_bonus: i32,
    wants_bad: bool,
    moves: ArrayVec<Scored<M>, MAX_LEGAL_MOVES>,
    next: usize,
    /// Before this stand noisy moves that were set aside.
    bad: usize,
}

impl<M: Copy + Eq> Picker<M> {
    /// Hands out all moves, quiet ones that give check as if history said `check_bonus` more for them.
    pub(crate) fn all(table_move: Option<M>, killers: Killers<M>, rows: Rows, check_bonus: i32) -> Self {
        Self {
            stage: Stage::Table,
            table_move,
            killers,
            rows,
            threshold: 0,
            quiets: Quiets::All,
            check_bonus,
            wants_bad: true,
            moves: ArrayVec::new(),
            next: 0,
            bad: 0,
        }
    }

    /// Hands out noisy moves whose exchange wins at least `threshold`.
    pub(crate) fn noisy(table_move: Option<M>, rows: Rows, threshold: i32) -> Self {
        let all = Self::all(table_move, [None; 2], rows, 0);
        Self { threshold, quiets: Quiets::None, wants_bad: false, ..all }
    }

    /// Hands out noisy moves and quiet checks that lose nothing.
    pub(crate) fn noisy_and_checks(table_move: Option<M>, rows: Rows) -> Self {
        Self { quiets: Quiets::Checks, ..Self::noisy(table_move, rows, 0) }
    }

    /// Hands out no more quiet moves.
    #[inline]
    pub(crate) fn skip_quiets(&mut self) {
        self.quiets = Quiets::None;
    }

    /// The next move.
    pub(crate) fn next<P: Tactics<Move = M>>(&mut self, position: &P, histories: &Histories<P>) -> Option<M> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::MakeNoisy;
                    if self.table_move.is_some() {
                        return self.table_move;
                    }
                }
                Stage::MakeNoisy => {
                    self.make_noisy(position, histories);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => match self.best() {
                    Some(m) if position.exchange_wins(m, self.threshold) => return Some(m),
                    Some(_) => self.set_aside(),
                    None => self.stage = Stage::Killers(0),
                },
                Stage::Killers(index) if index < self.killers.len() && self.quiets == Quiets::All => {
                    self.stage = Stage::Killers(index + 1);
                    let killer = self.killers[index].filter(|&m| Some(m) != self.table_move);
                    if let Some(m) = killer.filter(|&m| position.is_legal(m) && !position.is_noisy(m)) {
                        return Some(m);
                    }
                    self.killers[index] = None;
                }
                Stage::Killers(_) => self.stage = Stage::MakeQuiet,
                Stage::MakeQuiet => {
                    match self.quiets {
                        Quiets::All => self.make_quiet(position, histories, |_| true),
                        Quiets::Checks => self.make_quiet(position, histories, |m| {
                            position.gives_check(m) && position.exchange_wins(m, 0)
                        }),
                        Quiets::None => {}
                    }
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => match self.best() {
                    Some(m) if self.quiets != Quiets::None => return Some(m),
                    _ => {
                        self.next = 0;
                        self.stage = Stage::BadNoisy;
                    }
                },
                Stage::BadNoisy if self.wants_bad && self.next < self.bad => {
                    self.next += 1;
                    return Some(self.moves[self.next - 1].m);
                }
                Stage::BadNoisy => self.stage = Stage::Done,
                Stage::Done => return None,
            }
        }
    }

    /// Whether the moves handed out now are noisy moves that were set aside.
    #[inline]
    pub(crate) fn is_at_bad_moves(&self) -> bool {
        self.stage == Stage::BadNoisy
    }

    /// Takes the move with the highest score out of those that are left.
    #[inline]
    fn best(&mut self) -> Option<M> {
        let rest = &self.moves[self.next..];
        let (mut best, first) = (0, rest.first()?);
        let mut score = first.score;
        for (i, scored) in rest.iter().enumerate().skip(1) {
            if scored.score > score {
                (best, score) = (i, scored.score);
            }
        }
        self.moves.swap(self.next, self.next + best);
        self.next += 1;
        Some(self.moves[self.next - 1].m)
    }

    /// Keeps the noisy move that was taken out last for the end.
    fn set_aside(&mut self) {
        self.moves.swap(self.bad, self.next - 1);
        self.bad += 1;
    }

    fn make_noisy<P: Tactics<Move = M>>(&mut self, position: &P, histories: &Histories<P>) {
        let mut list = MoveList::new();
        position.noisy_moves(&mut list);
        for m in list {
            if Some(m) != self.table_move {
                let score = 16 * position.gain(m) + histories.noisy(position, m);
                self.moves.push(Scored { m, score });
            }
        }
    }

    fn make_quiet<P: Tactics<Move = M>>(
        &mut self,
        position: &P,
        histories: &Histories<P>,
        is_wanted: impl Fn(M) -> bool,
    ) {
        let mut list = MoveList::new();
        position.quiet_moves(&mut list);
        let side = position.side_to_move();
        for m in list {
            if Some(m) != self.table_move && !self.killers.contains(&Some(m)) && is_wanted(m) {
                let prefers = self.check_bonus > 0 && position.gives_check(m);
                let bonus = if prefers { self.check_bonus } else { 0 };
                let score = histories.quiet(side, m, &self.rows) + bonus;
                self.moves.push(Scored { m, score });
            }
        }
    }
}

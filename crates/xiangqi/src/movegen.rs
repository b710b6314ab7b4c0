//! All legal moves at once.
//!
//! Most pieces cannot expose their general, whatever they do: their moves are taken as sets. The few
//! that might (see `Danger`), and all pieces while in check, have each of their moves tried.

use arrayvec::ArrayVec;
use game::position::MoveList;
use game::side::Side;

use crate::attacks;
use crate::moves::Move;
use crate::position::Xiangqi;
use crate::regions;
use crate::role::Role;
use crate::square::{Bitboard, FILE_A, Square};

const FILE_I: Bitboard = Bitboard::from_bits(FILE_A.bits() << 8);
const BOARD: Bitboard = Bitboard::from_bits((1 << 90) - 1);

/// Takes the legal moves of a position as sets of points.
trait Sink {
    /// The sink takes captures.
    const NOISY: bool = true;
    /// The sink takes all other moves.
    const QUIET: bool = true;
    /// A piece goes from `from` to any of `targets`.
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard);
    /// Soldiers arrive on `targets`, each from the point `offset` before it.
    fn soldiers(&mut self, targets: Bitboard, offset: i8);
    /// Whether the sink needs no more moves.
    #[inline]
    fn is_done(&self) -> bool {
        false
    }
}

/// Which moves are looked at, the general's own apart.
struct Scope {
    /// Pieces whose moves are tried one by one.
    tried: Bitboard,
    /// Where pieces may go.
    targets: Bitboard,
    /// The screen of a cannon that gives check: leaving is an answer, wherever to.
    screen: Bitboard,
    /// Where a sink wants moves to go at all.
    wanted: Bitboard,
}

/// What a move of the side to move may do to its own general when it is not in check.
struct Danger {
    /// Pieces that hide the general from a chariot, a cannon, the other general or a horse.
    shields: Bitboard,
    /// Points where any piece would become the screen of a cannon.
    screens: Bitboard,
}

impl Xiangqi {
    /// All legal moves.
    #[must_use]
    pub fn legal_moves(&self) -> MoveList<Move> {
        let mut moves = ArrayVec::new();
        self.generate(&mut moves);
        moves
    }

    /// The legal moves that give check, and few others: those that go to the general's file or rank or leave
    /// it, that of a horse to a point from where it reaches the general, and from before such a horse.
    pub(crate) fn likely_checks(&self) -> MoveList<Move> {
        let us = self.side_to_move;
        let general = self.general(us.opponent());
        let horses = attacks::horse_jumps(general);
        let own = horses & self.board.of(us, Role::Horse);
        let legs = own.into_iter().map(|horse| attacks::horse_leg(horse, general)).collect();
        let mut checks =
            LikelyChecks { moves: ArrayVec::new(), lines: attacks::lines(general), horses, legs };
        self.generate(&mut checks);
        checks.moves
    }

    /// Appends the legal captures.
    #[inline]
    pub(crate) fn append_noisy_moves(&self, moves: &mut MoveList<Move>) {
        self.generate(&mut Part::<true>(moves));
    }

    /// Appends the legal moves that take nothing.
    #[inline]
    pub(crate) fn append_quiet_moves(&self, moves: &mut MoveList<Move>) {
        self.generate(&mut Part::<false>(moves));
    }

    /// The number of legal moves.
    #[must_use]
    pub fn legal_move_count(&self) -> usize {
        let mut count = Count::default();
        self.generate(&mut count);
        count.total()
    }

    /// Whether there is a legal move.
    #[must_use]
    pub fn has_legal_move(&self) -> bool {
        let mut any = Any(false);
        self.generate(&mut any);
        any.0
    }

    #[inline]
    fn generate<S: Sink>(&self, sink: &mut S) {
        let us = self.side_to_move;
        let wanted = match (S::NOISY, S::QUIET) {
            (true, true) => BOARD - self.board.of_side(us),
            (true, false) => self.board.of_side(us.opponent()),
            (false, _) => BOARD - self.board.occupied().set(),
        };
        self.general_moves(wanted, sink);
        let scope = if self.checkers.any() {
            self.answers(wanted)
        } else {
            let danger = self.danger();
            Scope { tried: danger.shields, targets: wanted - danger.screens, screen: Bitboard::EMPTY, wanted }
        };
        self.soldier_moves(&scope, sink);
        if sink.is_done() {
            return;
        }
        let occupied = self.board.occupied();
        let all = occupied.set();
        self.moves_of(Role::Horse, |from| attacks::horse(from, all), &scope, sink);
        if sink.is_done() {
            return;
        }
        self.moves_of(Role::Chariot, |from| attacks::sight(from, occupied).first, &scope, sink);
        let cannon = |from| {
            let sight = attacks::sight(from, occupied);
            (sight.first - all) | sight.second
        };
        self.moves_of(Role::Cannon, cannon, &scope, sink);
        self.moves_of(Role::Elephant, |from| attacks::elephant(from, all), &scope, sink);
        self.moves_of(Role::Advisor, attacks::advisor, &scope, sink);
    }

    /// The moves of all pieces of a role that attack the points of `reach`.
    #[inline]
    fn moves_of<S: Sink>(&self, role: Role, reach: impl Fn(Square) -> Bitboard, scope: &Scope, sink: &mut S) {
        for from in self.board.of(self.side_to_move, role) {
            let mut reach = reach(from) & self.targets_of(from, scope);
            if scope.tried.has(from) {
                reach = self.safe(from, reach);
            }
            sink.piece(role, from, reach);
        }
    }

    /// Where the piece on `from` may go at all.
    #[inline]
    fn targets_of(&self, from: Square, scope: &Scope) -> Bitboard {
        if scope.screen.has(from) { scope.wanted } else { scope.targets }
    }

    /// What can answer the check, the general's own moves apart. Of several checks, the answers to one
    /// are tried against the others.
    fn answers(&self, wanted: Bitboard) -> Scope {
        let us = self.side_to_move;
        let general = self.general(us);
        let checker = self.checkers.first().unwrap_or(general);
        let between = attacks::between(general, checker);
        let (block, screen) = if self.board.of_role(Role::Cannon).has(checker) {
            let screen = between & self.board.occupied().set();
            (between - screen, screen)
        } else if self.board.of_role(Role::Horse).has(checker) {
            (Bitboard::of(attacks::horse_leg(checker, general)), Bitboard::EMPTY)
        } else {
            (between, Bitboard::EMPTY)
        };
        Scope { tried: BOARD, targets: wanted & (block | Bitboard::of(checker)), screen, wanted }
    }

    /// Those targets that leave the general unattacked.
    fn safe(&self, from: Square, targets: Bitboard) -> Bitboard {
        let general = self.general(self.side_to_move);
        targets.into_iter().filter(|&to| self.attackers_after(general, from, to).is_empty()).collect()
    }

    /// The pieces that would attack the own general, standing on `general`, after a move.
    #[inline]
    pub(crate) fn attackers_after(&self, general: Square, from: Square, to: Square) -> Bitboard {
        let occupied = self.board.occupied().without(from).with(to);
        self.board.attackers(general, self.side_to_move.opponent(), occupied) - Bitboard::of(to)
    }

    #[inline]
    fn general_moves<S: Sink>(&self, wanted: Bitboard, sink: &mut S) {
        let general = self.general(self.side_to_move);
        let mut targets = attacks::general(general) & wanted;
        for to in targets {
            if self.attackers_after(to, general, to).any() {
                targets ^= Bitboard::of(to);
            }
        }
        sink.piece(Role::General, general, targets);
    }

    #[inline]
    fn soldier_moves<S: Sink>(&self, scope: &Scope, sink: &mut S) {
        let &Scope { tried, targets, .. } = scope;
        let us = self.side_to_move;
        let soldiers = self.board.of(us, Role::Soldier);
        for from in soldiers & tried {
            sink.piece(
                Role::Soldier,
                from,
                self.safe(from, attacks::soldier(us, from) & self.targets_of(from, scope)),
            );
        }
        let free = soldiers - tried;
        let crossed = free - regions::half(us);
        let forward = if us == Side::First { 9 } else { -9 };
        sink.soldiers(shift(free, forward) & targets, forward);
        sink.soldiers(shift(crossed - FILE_A, -1) & targets, -1);
        sink.soldiers(shift(crossed - FILE_I, 1) & targets, 1);
    }

    /// Finds the pieces whose leaving, and the points whose filling, could expose the general.
    #[inline]
    fn danger(&self) -> Danger {
        let us = self.side_to_move;
        let them = us.opponent();
        let (general, occupied) = (self.general(us), self.board.occupied());
        let mut danger = Danger { shields: Bitboard::EMPTY, screens: Bitboard::EMPTY };
        let files_and_ranks = attacks::lines(general);
        let straight =
            (self.board.of_role(Role::Chariot) | self.board.of_role(Role::General)) & files_and_ranks;
        for attacker in straight & self.board.of_side(them) {
            let between = attacks::between(general, attacker) & occupied.set();
            if !between.has_several() {
                danger.shields |= between;
            }
        }
        for cannon in self.board.of(them, Role::Cannon) & files_and_ranks {
            let between = attacks::between(general, cannon);
            let screens = between & occupied.set();
            match screens.len() {
                0 => danger.screens |= between,
                2 => danger.shields |= screens,
                _ => {}
            }
        }
        for horse in attacks::horse_jumps(general) & self.board.of(them, Role::Horse) {
            danger.shields |= Bitboard::of(attacks::horse_leg(horse, general));
        }
        danger
    }
}

/// The set moved by a number of points, up the board or down.
#[inline]
fn shift(set: Bitboard, points: i8) -> Bitboard {
    Bitboard::from_bits(if points >= 0 {
        set.bits() << points.unsigned_abs()
    } else {
        set.bits() >> points.unsigned_abs()
    })
}

impl Sink for MoveList<Move> {
    #[inline]
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard) {
        self.extend(targets.into_iter().map(|to| Move { from, to, role }));
    }

    #[inline]
    fn soldiers(&mut self, targets: Bitboard, offset: i8) {
        for to in targets {
            if let Some(from) = Square::at(to.number().wrapping_add_signed(-offset)) {
                self.push(Move { from, to, role: Role::Soldier });
            }
        }
    }
}

/// Takes the moves of [`Xiangqi::likely_checks`].
struct LikelyChecks {
    moves: MoveList<Move>,
    lines: Bitboard,
    horses: Bitboard,
    legs: Bitboard,
}

impl Sink for LikelyChecks {
    #[inline]
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard) {
        let opens = (self.lines | self.legs).has(from);
        let direct = if role == Role::Horse { self.lines | self.horses } else { self.lines };
        self.moves.piece(role, from, if opens { targets } else { targets & direct });
    }

    #[inline]
    fn soldiers(&mut self, targets: Bitboard, offset: i8) {
        self.moves.soldiers(targets, offset);
    }
}

/// Lists the captures or the other moves.
struct Part<'a, const NOISY: bool>(&'a mut MoveList<Move>);

impl<const NOISY: bool> Sink for Part<'_, NOISY> {
    const NOISY: bool = NOISY;
    const QUIET: bool = !NOISY;

    #[inline]
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard) {
        self.0.piece(role, from, targets);
    }

    #[inline]
    fn soldiers(&mut self, targets: Bitboard, offset: i8) {
        self.0.soldiers(targets, offset);
    }
}

/// Counts the moves. The sets are added up point by point in binary, two digits deep: counting out the
/// bits of a set is slow without a machine instruction for it.
#[derive(Default)]
struct Count {
    ones: u128,
    twos: u128,
    rest: u32,
}

impl Count {
    #[inline]
    fn add(&mut self, set: Bitboard) {
        let carry = self.ones & set.bits();
        self.ones ^= set.bits();
        let overflow = self.twos & carry;
        self.twos ^= carry;
        if overflow != 0 {
            self.rest += 4 * overflow.count_ones();
        }
    }

    fn total(&self) -> usize {
        (self.rest + self.ones.count_ones() + 2 * self.twos.count_ones()) as usize
    }
}

impl Sink for Count {
    #[inline]
    fn piece(&mut self, _: Role, _: Square, targets: Bitboard) {
        self.add(targets);
    }

    #[inline]
    fn soldiers(&mut self, targets: Bitboard, _: i8) {
        self.add(targets);
    }
}

/// Notes whether there is a move.
struct Any(bool);

impl Sink for Any {
    #[inline]
    fn piece(&mut self, _: Role, _: Square, targets: Bitboard) {
        self.0 |= targets.any();
    }

    #[inline]
    fn soldiers(&mut self, targets: Bitboard, _: i8) {
        self.0 |= targets.any();
    }

    #[inline]
    fn is_done(&self) -> bool {
        self.0
    }
}

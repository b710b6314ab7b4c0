//! What we think of xiangqi positions.

use game::side::Side;
use search::evaluator::Evaluator;
use xiangqi::attacks;
use xiangqi::board::Board;
use xiangqi::moves::Move;
use xiangqi::position::Xiangqi;
use xiangqi::regions;
use xiangqi::role::Role;
use xiangqi::square::{Bitboard, FILE_A, Square};

use super::tapered::{State, Tally, Tunable, len, sign};
use super::xiangqi_weights::WEIGHTS;

// The terms, by number. A table of points for each role, left and right alike: 7 · 50.
const POINTS: usize = 0;
const MOBILITY_HORSE: usize = POINTS + 7 * 50;
const MOBILITY_CHARIOT: usize = MOBILITY_HORSE + 9;
const MOBILITY_CANNON: usize = MOBILITY_CHARIOT + 18;
/// By number of guards that the other side has lost (advisors, elephants: 0 to 2 each) and role.
const NO_ADVISORS: usize = MOBILITY_CANNON + 18;
const NO_ELEPHANTS: usize = NO_ADVISORS + 3 * 7;
const PAIR: usize = NO_ELEPHANTS + 3 * 7;
/// A cannon and a general on one file with 0, 1, 2 screens between, and whose the screens are.
const CANNON_FILE: usize = PAIR + 7;
const CANNON_RANK: usize = CANNON_FILE + 4;
/// By number of attacks on points of the other palace.
const PALACE_ATTACKS: usize = CANNON_RANK + 4;
const PALACE_ATTACKERS: usize = PALACE_ATTACKS + 16;
/// Points beside the general that the other side attacks.
const GENERAL_ATTACKED: usize = PALACE_ATTACKERS + 7;
/// Safe checks by horse, chariot.
const SAFE_CHECK: usize = GENERAL_ATTACKED + 5;
const OPEN_FILE: usize = SAFE_CHECK + 2;
/// The only man between the two generals: it may not leave their file.
const FACING: usize = OPEN_FILE + 2;
const CROSSED_NEIGHBOURS: usize = FACING + 1;
const THREAT: usize = CROSSED_NEIGHBOURS + 1;
const HANGING: usize = THREAT + 7;
const PROTECTED: usize = HANGING + 7;
const TEMPO: usize = PROTECTED + 7;
/// How many terms there are.
const TERMS: usize = TEMPO + 1;

const _: () = assert!(WEIGHTS.len() == TERMS);

/// What a role adds to the phase.
const PHASE: [i32; 7] = [0, 0, 0, 2, 2, 4, 0];

/// The hand-made evaluator of xiangqi.
#[derive(Debug, Clone, Copy, Default)]
pub struct XiangqiEvaluator;

impl Evaluator<Xiangqi> for XiangqiEvaluator {
    type State = State;

    fn refresh(&self, position: &Xiangqi, state: &mut State) {
        *state = Self::state(position);
    }

    fn update(&self, old: &State, before: &Xiangqi, m: Move, _: &Xiangqi, new: &mut State) {
        new.clone_from(old);
        let us = before.side_to_move();
        let them = us.opponent();
        new.total.add(WEIGHTS[point_term(us, m.role, m.from)], -sign(us));
        new.total.add(WEIGHTS[point_term(us, m.role, m.to)], sign(us));
        if before.board().of_side(them).has(m.to)
            && let Some(role) = before.board().role_at(m.to)
        {
            new.total.add(WEIGHTS[point_term(them, role, m.to)], -sign(them));
            new.phase -= PHASE[role.index()];
        }
    }

    fn evaluate(&self, state: &State, position: &Xiangqi) -> i32 {
        Self::value(state, position)
    }
}

impl Tunable<Xiangqi> for XiangqiEvaluator {
    const PHASES: i32 = 32;
    const WEIGHTS: &'static [(i16, i16)] = WEIGHTS;

    fn men(position: &Xiangqi, tally: &mut impl Tally) {
        points(position, tally);
    }

    fn relations(position: &Xiangqi, tally: &mut impl Tally) {
        Terms::of(position, tally).tell();
    }

    fn phase(position: &Xiangqi) -> i32 {
        let board = position.board();
        let of_role = |role: Role| PHASE[role.index()] * len(board.of_role(role));
        Role::ALL.into_iter().map(of_role).sum()
    }

    fn scale(position: &Xiangqi, first_is_better: bool) -> i32 {
        let board = position.board();
        let better = if first_is_better { Side::First } else { Side::Second };
        let attackers = board.of(better, Role::Chariot)
            | board.of(better, Role::Horse)
            | board.of(better, Role::Cannon)
            | board.of(better, Role::Soldier);
        // Without men that cross the river nobody wins; with one it is hard.
        match attackers.len() {
            0 => 0,
            1 if board.of(better, Role::Chariot).is_empty() => 16,
            1 => 48,
            2 if board.of(better, Role::Chariot).is_empty() => 40,
            _ => 64,
        }
    }
}

/// The term of a man on a point.
#[inline]
fn point_term(side: Side, role: Role, square: Square) -> usize {
    let file = usize::from(square.file().min(8 - square.file()));
    POINTS + role.index() * 50 + usize::from(square.ranks_ahead(side)) * 5 + file
}

fn points(position: &Xiangqi, tally: &mut impl Tally) {
    for side in Side::ALL {
        for role in Role::ALL {
            for square in position.board().of(side, role) {
                tally.add(point_term(side, role, square), sign(side));
            }
        }
    }
}

/// Tells the terms of a position that depend on more than one man.
struct Terms<'a, T> {
    position: &'a Xiangqi,
    board: &'a Board,
    tally: &'a mut T,
    /// What each side attacks: with each role, with anything, with soldiers, guards, horses or cannons.
    by_role: [[Bitboard; 7]; 2],
    by_any: [Bitboard; 2],
    palace_attacks: [usize; 2],
    palace_attackers: [usize; 2],
}

impl<'a, T: Tally> Terms<'a, T> {
    fn of(position: &'a Xiangqi, tally: &'a mut T) -> Self {
        Self {
            position,
            board: position.board(),
            tally,
            by_role: [[Bitboard::EMPTY; 7]; 2],
            by_any: [Bitboard::EMPTY; 2],
            palace_attacks: [0; 2],
            palace_attackers: [0; 2],
        }
    }

    fn tell(&mut self) {
        for side in Side::ALL {
            self.soldiers_and_guards(side);
            self.officers(side);
            self.material(side);
        }
        for side in Side::ALL {
            self.general(side);
            self.threats(side);
        }
        self.facing();
        self.tally.add(TEMPO, sign(self.position.side_to_move()));
    }

    #[inline]
    fn note_attacks(&mut self, us: Side, role: Role, reach: Bitboard) {
        let side = us.index();
        self.by_role[side][role.index()] |= reach;
        self.by_any[side] |= reach;
        let hits = reach & regions::palace(us.opponent());
        if hits.any() {
            self.palace_attacks[side] += hits.len() as usize;
            self.palace_attackers[side] += 1;
        }
    }

    fn soldiers_and_guards(&mut self, us: Side) {
        let occupied = self.board.occupied().set();
        let soldiers = self.board.of(us, Role::Soldier);
        for soldier in soldiers {
            self.note_attacks(us, Role::Soldier, attacks::soldier(us, soldier));
        }
        let crossed = (soldiers & regions::half(us.opponent())).bits();
        let pairs = Bitboard::from_bits(crossed & (crossed & !(FILE_A.bits() << 8)) << 1);
        self.tally.add(CROSSED_NEIGHBOURS, sign(us) * len(pairs));
        for elephant in self.board.of(us, Role::Elephant) {
            self.note_attacks(us, Role::Elephant, attacks::elephant(elephant, occupied));
        }
        for advisor in self.board.of(us, Role::Advisor) {
            self.note_attacks(us, Role::Advisor, attacks::advisor(advisor));
        }
        self.note_attacks(us, Role::General, attacks::general(self.position.general(us)));
    }

    fn officers(&mut self, us: Side) {
        let occupied = self.board.occupied();
        let free = !self.board.of_side(us);
        let by_soldiers = self.by_role[us.opponent().index()][Role::Soldier.index()];
        for horse in self.board.of(us, Role::Horse) {
            let reach = attacks::horse(horse, occupied.set());
            self.note_attacks(us, Role::Horse, reach);
            let count = (reach & (free - by_soldiers)).len() as usize;
            self.tally.add(MOBILITY_HORSE + count.min(8), sign(us));
        }
        for chariot in self.board.of(us, Role::Chariot) {
            let reach = attacks::sight(chariot, occupied).first;
            self.note_attacks(us, Role::Chariot, reach);
            let count = (reach & (free - by_soldiers)).len() as usize;
            self.tally.add(MOBILITY_CHARIOT + count.min(17), sign(us));
            let file = Bitboard::from_bits(FILE_A.bits() << chariot.file());
            let soldiers = file & self.board.of_role(Role::Soldier);
            if (soldiers & self.board.of_side(us)).is_empty() {
                self.tally.add(OPEN_FILE + usize::from(soldiers.any()), sign(us));
            }
        }
        for cannon in self.board.of(us, Role::Cannon) {
            let sight = attacks::sight(cannon, occupied);
            self.note_attacks(us, Role::Cannon, sight.second);
            let count = (sight.first - occupied.set()).len() as usize;
            self.tally.add(MOBILITY_CANNON + count.min(17), sign(us));
            self.cannon_and_general(us, cannon);
        }
    }

    /// A cannon that looks at the other general along a file or a rank.
    fn cannon_and_general(&mut self, us: Side, cannon: Square) {
        let them = us.opponent();
        let general = self.position.general(them);
        let term = match (general.file() == cannon.file(), general.rank() == cannon.rank()) {
            (true, _) => CANNON_FILE,
            (_, true) => CANNON_RANK,
            _ => return,
        };
        let screens = attacks::between(cannon, general) & self.board.occupied().set();
        match screens.len() {
            0 => self.tally.add(term, sign(us)),
            1 => self.tally.add(term + 1, sign(us)),
            2 => {
                let theirs = (screens & self.board.of_side(them)).len() == 2;
                self.tally.add(term + 2 + usize::from(theirs), sign(us));
            }
            _ => {}
        }
    }

    /// What the men of a side are worth against the guards that the other side has left.
    fn material(&mut self, us: Side) {
        let them = us.opponent();
        let lost = |role| 2 - self.board.of(them, role).len().min(2) as usize;
        let (advisors, elephants) = (lost(Role::Advisor), lost(Role::Elephant));
        for role in [Role::Soldier, Role::Horse, Role::Cannon, Role::Chariot] {
            let count = len(self.board.of(us, role));
            if count == 0 {
                continue;
            }
            self.tally.add(NO_ADVISORS + advisors * 7 + role.index(), sign(us) * count);
            self.tally.add(NO_ELEPHANTS + elephants * 7 + role.index(), sign(us) * count);
        }
        for role in [Role::Advisor, Role::Elephant, Role::Horse, Role::Cannon, Role::Chariot] {
            if self.board.of(us, role).has_several() {
                self.tally.add(PAIR + role.index(), sign(us));
            }
        }
    }

    /// The safety of a side's general.
    fn general(&mut self, us: Side) {
        let them = us.opponent();
        let attackers = self.palace_attackers[them.index()];
        self.tally.add(PALACE_ATTACKS + self.palace_attacks[them.index()].min(15), sign(them));
        self.tally.add(PALACE_ATTACKERS + attackers.min(6), sign(them));
        let general = self.position.general(us);
        let steps = attacks::general(general) - self.board.of_side(us);
        let attacked = (steps & self.by_any[them.index()]).len().min(4) as usize;
        self.tally.add(GENERAL_ATTACKED + attacked, sign(them));

        let occupied = self.board.occupied();
        let sight = attacks::sight(general, occupied);
        let safe = !(self.by_any[us.index()] | self.board.of_side(them));
        // A horse checks from where a jump to the general is free; legs are not looked at.
        let checks =
            [(attacks::horse_jumps(general), Role::Horse), (sight.first - occupied.set(), Role::Chariot)];
        for (kind, (from, role)) in checks.into_iter().enumerate() {
            if (from & safe & self.by_role[them.index()][role.index()]).any() {
                self.tally.add(SAFE_CHECK + kind, sign(them));
            }
        }
    }

    /// What a side attacks and what it protects.
    fn threats(&mut self, us: Side) {
        let them = us.opponent();
        let by_role = &self.by_role[us.index()];
        let cheap =
            by_role[Role::Soldier.index()] | by_role[Role::Advisor.index()] | by_role[Role::Elephant.index()];
        let middle = cheap | by_role[Role::Horse.index()] | by_role[Role::Cannon.index()];
        let any = self.by_any[us.index()];
        let unprotected = any - self.by_any[them.index()];
        for role in [Role::Soldier, Role::Advisor, Role::Elephant, Role::Horse, Role::Cannon, Role::Chariot] {
            let kind = role.index();
            let theirs = self.board.of(them, role);
            let by_lesser = match role {
                Role::Chariot => middle,
                Role::Horse | Role::Cannon => cheap,
                _ => Bitboard::EMPTY,
            };
            for (term, set) in [
                (THREAT, theirs & by_lesser),
                (HANGING, theirs & unprotected),
                (PROTECTED, self.board.of(us, role) & any),
            ] {
                if set.any() {
                    self.tally.add(term + kind, sign(us) * len(set));
                }
            }
        }
    }

    /// Generals that would face each other but for so many men: who owns the one between is bound.
    fn facing(&mut self) {
        let [first, second] = Side::ALL.map(|side| self.position.general(side));
        if first.file() != second.file() {
            return;
        }
        let between = attacks::between(first, second) & self.board.occupied().set();
        if between.len() != 1 {
            return;
        }
        for side in Side::ALL {
            if (between & self.board.of_side(side)).any() {
                self.tally.add(FACING, sign(side));
            }
        }
    }
}

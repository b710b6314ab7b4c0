//! What we think of chess positions.

use chess::attacks;
use chess::board::Board;
use chess::moves::Move;
use chess::position::Chess;
use chess::role::Role;
use chess::square::{Bitboard, Square};
use game::side::Side;
use game::square::Square as _;
use search::evaluator::Evaluator;

use super::chess_weights::WEIGHTS;
use super::tapered::{State, Tally, Tunable, len, sign};

// The terms, by number. A table of squares for each role of a side whose own king stands on the right
// wing, once with the other king on the same wing and once with it on the other: 2 · 6 · 64.
const SQUARES: usize = 0;
const MOBILITY: usize = SQUARES + 2 * 6 * 64;
/// The first term of mobility of knight, bishop, rook, queen; then by number of squares.
const MOBILITY_OF: [usize; 4] = [MOBILITY, MOBILITY + 9, MOBILITY + 23, MOBILITY + 38];
const PASSED: usize = MOBILITY + 66;
const PASSED_FREE: usize = PASSED + 8;
const PASSED_PROTECTED: usize = PASSED_FREE + 8;
/// By distance of a king from the square before a passed pawn: our own, theirs.
const PASSED_OWN_KING: usize = PASSED_PROTECTED + 1;
const PASSED_THEIR_KING: usize = PASSED_OWN_KING + 8;
const ISOLATED: usize = PASSED_THEIR_KING + 8;
const DOUBLED: usize = ISOLATED + 1;
const BACKWARD: usize = DOUBLED + 1;
const SUPPORTED: usize = BACKWARD + 1;
const PHALANX: usize = SUPPORTED + 8;
const BISHOP_PAIR: usize = PHALANX + 8;
const BAD_BISHOP: usize = BISHOP_PAIR + 1;
const ROOK_OPEN_FILE: usize = BAD_BISHOP + 1;
const ROOK_HALF_OPEN_FILE: usize = ROOK_OPEN_FILE + 1;
const OUTPOST: usize = ROOK_HALF_OPEN_FILE + 1;
const SHELTER: usize = OUTPOST + 2;
const KING_OPEN_FILE: usize = SHELTER + 4;
/// By number of attacks on squares around the king.
const RING_ATTACKS: usize = KING_OPEN_FILE + 1;
/// By number of attackers.
const RING_ATTACKERS: usize = RING_ATTACKS + 16;
/// Safe checks by knight, bishop, rook, queen.
const SAFE_CHECK: usize = RING_ATTACKERS + 6;
const PAWN_THREAT: usize = SAFE_CHECK + 4;
const MINOR_THREAT: usize = PAWN_THREAT + 5;
const ROOK_THREAT: usize = MINOR_THREAT + 5;
const HANGING: usize = ROOK_THREAT + 5;
const TEMPO: usize = HANGING + 5;
/// How many terms there are.
const TERMS: usize = TEMPO + 1;

const _: () = assert!(WEIGHTS.len() == TERMS);

/// What a role adds to the phase.
const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];

const FILE_A: u64 = 0x0101_0101_0101_0101;
const LIGHT_SQUARES: u64 = 0x55aa_55aa_55aa_55aa;

/// The hand-made evaluator of chess.
#[derive(Debug, Clone, Copy, Default)]
pub struct ChessEvaluator;

impl Evaluator<Chess> for ChessEvaluator {
    type State = State;

    fn refresh(&self, position: &Chess, state: &mut State) {
        *state = Self::state(position);
    }

    fn update(&self, old: &State, before: &Chess, m: Move, after: &Chess, new: &mut State) {
        if m.role == Role::King && tables(before) != tables(after) {
            return self.refresh(after, new);
        }
        new.clone_from(old);
        let tables = tables(after);
        for side in Side::ALL {
            for role in Role::ALL {
                let (was, is) = (before.board().of(side, role), after.board().of(side, role));
                for square in was ^ is {
                    let count = if is.has(square) { 1 } else { -1 };
                    let term = square_term(tables[side.index()], side, role, square);
                    new.total.add(WEIGHTS[term], sign(side) * count);
                    new.phase += PHASE[role.index()] * count;
                }
            }
        }
    }

    fn evaluate(&self, state: &State, position: &Chess) -> i32 {
        Self::value(state, position)
    }
}

impl Tunable<Chess> for ChessEvaluator {
    const PHASES: i32 = 24;
    const WEIGHTS: &'static [(i16, i16)] = WEIGHTS;

    fn men(position: &Chess, tally: &mut impl Tally) {
        squares(position, tally);
    }

    fn relations(position: &Chess, tally: &mut impl Tally) {
        Terms::of(position, tally).tell();
    }

    fn phase(position: &Chess) -> i32 {
        let board = position.board();
        let of_role = |role: Role| PHASE[role.index()] * len(board.of_role(role));
        Role::ALL.into_iter().map(of_role).sum()
    }

    fn scale(position: &Chess, first_is_better: bool) -> i32 {
        let board = position.board();
        let better = if first_is_better { Side::First } else { Side::Second };
        let pawns = board.of(better, Role::Pawn);
        let force = |side| {
            let of = |role| len(board.of(side, role));
            3 * (of(Role::Knight) + of(Role::Bishop)) + 5 * of(Role::Rook) + 9 * of(Role::Queen)
        };
        let surplus = force(better) - force(better.opponent());
        if pawns.is_empty() && surplus <= 3 {
            return if force(better) <= 3 { 0 } else { 12 };
        }
        if has_opposite_bishops(board) && surplus <= 1 {
            let has_others =
                (board.of_role(Role::Knight) | board.of_role(Role::Rook) | board.of_role(Role::Queen)).any();
            return if has_others { 54 } else { 24 + 4 * len(pawns).min(6) };
        }
        64.min(44 + 5 * len(pawns))
    }
}

fn has_opposite_bishops(board: &Board) -> bool {
    let bishops = board.of_role(Role::Bishop);
    let one_each = Side::ALL.into_iter().all(|side| board.of(side, Role::Bishop).len() == 1);
    one_each && (bishops & Bitboard::from_bits(LIGHT_SQUARES)).len() == 1
}

/// For each side: whether its board is mirrored so that its king stands on the right, and whether the
/// other king then stands on the left.
#[inline]
fn tables(position: &Chess) -> [(bool, bool); 2] {
    let is_left = Side::ALL.map(|side| position.king(side).file() < 4);
    is_left.map(|left| (left, is_left[0] != is_left[1]))
}

/// The term of a man on a square.
#[inline]
fn square_term((mirrored, apart): (bool, bool), side: Side, role: Role, square: Square) -> usize {
    let upright = if side == Side::First { square.index() } else { square.index() ^ 56 };
    let oriented = if mirrored { upright ^ 7 } else { upright };
    SQUARES + (usize::from(apart) * 6 + role.index()) * 64 + oriented
}

fn squares(position: &Chess, tally: &mut impl Tally) {
    let tables = tables(position);
    for side in Side::ALL {
        for role in Role::ALL {
            for square in position.board().of(side, role) {
                tally.add(square_term(tables[side.index()], side, role, square), sign(side));
            }
        }
    }
}

/// A rank as a side counts it.
#[inline]
fn rank_for(side: Side, square: Square) -> usize {
    let rank = usize::from(square.rank());
    if side == Side::First { rank } else { 7 - rank }
}

#[inline]
fn file(square: Square) -> Bitboard {
    Bitboard::from_bits(FILE_A << square.file())
}

/// The files beside a square's.
#[inline]
fn neighbours(square: Square) -> Bitboard {
    let file = FILE_A << square.file();
    Bitboard::from_bits((file & !FILE_A) >> 1 | (file & !(FILE_A << 7)) << 1)
}

/// The squares on the ranks ahead of a square.
#[inline]
fn ahead(side: Side, square: Square) -> Bitboard {
    let rank = u32::from(square.rank());
    Bitboard::from_bits(match side {
        Side::First => u64::MAX.checked_shl(8 * (rank + 1)).unwrap_or(0),
        Side::Second => !(u64::MAX << (8 * rank)),
    })
}

/// What the pawns of a side attack.
#[inline]
fn pawn_attacks(side: Side, pawns: Bitboard) -> Bitboard {
    let pawns = pawns.bits();
    let (left, right) = (pawns & !FILE_A, pawns & !(FILE_A << 7));
    Bitboard::from_bits(match side {
        Side::First => left << 7 | right << 9,
        Side::Second => left >> 9 | right >> 7,
    })
}

#[inline]
fn distance(a: Square, b: Square) -> usize {
    usize::from(a.file().abs_diff(b.file()).max(a.rank().abs_diff(b.rank())))
}

/// Tells the terms of a position that depend on more than one man.
struct Terms<'a, T> {
    position: &'a Chess,
    board: &'a Board,
    occupied: Bitboard,
    tally: &'a mut T,
    /// What each side attacks: with pawns, with each role, with anything, with two men or more.
    by_pawns: [Bitboard; 2],
    by_role: [[Bitboard; 6]; 2],
    by_any: [Bitboard; 2],
    by_two: [Bitboard; 2],
    /// Attacks on the squares around the other king, and the men that attack them.
    ring_attacks: [usize; 2],
    ring_attackers: [usize; 2],
}

impl<'a, T: Tally> Terms<'a, T> {
    fn of(position: &'a Chess, tally: &'a mut T) -> Self {
        let board = position.board();
        let mut by_role = [[Bitboard::EMPTY; 6]; 2];
        let by_pawns = Side::ALL.map(|side| pawn_attacks(side, board.of(side, Role::Pawn)));
        let kings = Side::ALL.map(|side| attacks::king(position.king(side)));
        for side in [0, 1] {
            by_role[side][Role::Pawn.index()] = by_pawns[side];
            by_role[side][Role::King.index()] = kings[side];
        }
        Self {
            position,
            board,
            occupied: board.occupied(),
            tally,
            by_pawns,
            by_role,
            by_any: [by_pawns[0] | kings[0], by_pawns[1] | kings[1]],
            by_two: [by_pawns[0] & kings[0], by_pawns[1] & kings[1]],
            ring_attacks: [0; 2],
            ring_attackers: [0; 2],
        }
    }

    fn tell(&mut self) {
        for side in Side::ALL {
            self.pawns(side);
            self.pieces(side);
        }
        for side in Side::ALL {
            self.king(side);
            self.threats(side);
        }
        self.tally.add(TEMPO, sign(self.position.side_to_move()));
    }

    fn pawns(&mut self, us: Side) {
        let them = us.opponent();
        let (own, theirs) = (self.board.of(us, Role::Pawn), self.board.of(them, Role::Pawn));
        for pawn in own {
            let (file, beside, ahead) = (file(pawn), neighbours(pawn), ahead(us, pawn));
            let rank = rank_for(us, pawn);
            let is_supported = self.by_pawns[us.index()].has(pawn);
            if (ahead & (file | beside) & theirs).is_empty() && (ahead & file & own).is_empty() {
                self.passed_pawn(us, pawn, rank, is_supported);
            }
            if (beside & own).is_empty() {
                self.tally.add(ISOLATED, sign(us));
            } else if (beside & (own - ahead)).is_empty() && !is_supported {
                self.tally.add(BACKWARD, sign(us));
            }
            if (ahead & file & own).any() {
                self.tally.add(DOUBLED, sign(us));
            }
            if is_supported {
                self.tally.add(SUPPORTED + rank, sign(us));
            }
            let beside_it = Bitboard::from_bits(0xff << (8 * pawn.rank())) & beside;
            if (beside_it & own).any() {
                self.tally.add(PHALANX + rank, sign(us));
            }
        }
    }

    fn passed_pawn(&mut self, us: Side, pawn: Square, rank: usize, is_supported: bool) {
        self.tally.add(PASSED + rank, sign(us));
        let next = if us == Side::First { pawn.number() + 8 } else { pawn.number().wrapping_sub(8) };
        let next = Square::at(next);
        if !self.occupied.has(next) {
            self.tally.add(PASSED_FREE + rank, sign(us));
        }
        if is_supported {
            self.tally.add(PASSED_PROTECTED, sign(us));
        }
        // The nearer the goal, the more the kings matter.
        let weight = sign(us) * (i32::try_from(rank).unwrap_or(0) - 1).max(0);
        let kings = [us, us.opponent()].map(|side| distance(self.position.king(side), next));
        self.tally.add(PASSED_OWN_KING + kings[0], weight);
        self.tally.add(PASSED_THEIR_KING + kings[1], weight);
    }

    fn pieces(&mut self, us: Side) {
        let them = us.opponent();
        let own_pawns = self.board.of(us, Role::Pawn);
        let king = self.position.king(us);
        // Squares that are worth going to: not blocked by our own pawns and king, not guarded by pawns.
        let area = !(own_pawns | Bitboard::of(king) | self.by_pawns[them.index()]);
        let ring = attacks::king(self.position.king(them));
        let queens = self.board.of_role(Role::Queen);
        let straight = self.occupied - (self.board.of(us, Role::Rook) | queens);
        for (kind, role) in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen].into_iter().enumerate() {
            for square in self.board.of(us, role) {
                let reach = match role {
                    Role::Knight => attacks::knight(square),
                    Role::Bishop => attacks::bishop(square, self.occupied - queens),
                    Role::Rook => attacks::rook(square, straight),
                    _ => attacks::queen(square, self.occupied),
                };
                self.note_attacks(us, role, reach, ring);
                self.tally.add(MOBILITY_OF[kind] + (reach & area).len() as usize, sign(us));
                match role {
                    Role::Rook => self.rook(us, square),
                    Role::Knight | Role::Bishop => self.minor(us, role, square),
                    _ => {}
                }
            }
        }
        if self.board.of(us, Role::Bishop).has_several() {
            self.tally.add(BISHOP_PAIR, sign(us));
        }
    }

    #[inline]
    fn note_attacks(&mut self, us: Side, role: Role, reach: Bitboard, ring: Bitboard) {
        let side = us.index();
        self.by_role[side][role.index()] |= reach;
        self.by_two[side] |= self.by_any[side] & reach;
        self.by_any[side] |= reach;
        let hits = reach & ring;
        if hits.any() {
            self.ring_attacks[side] += hits.len() as usize;
            self.ring_attackers[side] += 1;
        }
    }

    #[inline]
    fn rook(&mut self, us: Side, square: Square) {
        let pawns = self.board.of_role(Role::Pawn) & file(square);
        if pawns.is_empty() {
            self.tally.add(ROOK_OPEN_FILE, sign(us));
        } else if (pawns & self.board.of_side(us)).is_empty() {
            self.tally.add(ROOK_HALF_OPEN_FILE, sign(us));
        }
    }

    #[inline]
    fn minor(&mut self, us: Side, role: Role, square: Square) {
        let theirs = self.board.of(us.opponent(), Role::Pawn);
        let attackers = theirs & neighbours(square) & ahead(us, square);
        let is_ahead = (3..6).contains(&rank_for(us, square));
        if is_ahead && attackers.is_empty() && self.by_pawns[us.index()].has(square) {
            self.tally.add(OUTPOST + usize::from(role == Role::Bishop), sign(us));
        }
        if role == Role::Bishop {
            let light = Bitboard::from_bits(LIGHT_SQUARES);
            let colour = if light.has(square) { light } else { !light };
            let blocking = self.board.of(us, Role::Pawn) & colour;
            self.tally.add(BAD_BISHOP, sign(us) * len(blocking));
        }
    }

    /// The safety of a side's king.
    fn king(&mut self, us: Side) {
        let them = us.opponent();
        let king = self.position.king(us);
        let own = self.board.of(us, Role::Pawn);
        let front = (file(king) | neighbours(king)) & ahead(us, king);
        let near = front & attacks::king(king);
        let shelter = (near & own).len().min(3) as usize;
        self.tally.add(SHELTER + shelter, sign(us));
        if (file(king) & own).is_empty() {
            self.tally.add(KING_OPEN_FILE, sign(us));
        }
        // Without a queen or two other attackers there is no attack to speak of.
        let attackers = self.ring_attackers[them.index()];
        if attackers >= 2 || attackers >= 1 && self.board.of(them, Role::Queen).any() {
            let attacks = self.ring_attacks[them.index()].min(15);
            self.tally.add(RING_ATTACKS + attacks, sign(them));
            self.tally.add(RING_ATTACKERS + attackers.min(5), sign(them));
        }
        self.safe_checks(us, king);
    }

    fn safe_checks(&mut self, us: Side, king: Square) {
        let them = us.opponent();
        let guarded = self.by_any[us.index()];
        let weak = attacks::king(king) - (self.by_two[us.index()] | self.by_pawns[us.index()]);
        let safe = (!guarded | weak & self.by_two[them.index()]) - self.board.of_side(them);
        let straight = attacks::rook(king, self.occupied);
        let diagonal = attacks::bishop(king, self.occupied);
        let checks = [attacks::knight(king), diagonal, straight, straight | diagonal];
        for (kind, role) in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen].into_iter().enumerate() {
            let checks = checks[kind] & safe & self.by_role[them.index()][role.index()];
            if checks.any() {
                self.tally.add(SAFE_CHECK + kind, sign(them));
            }
        }
    }

    /// What a side threatens to take.
    fn threats(&mut self, us: Side) {
        let them = us.opponent();
        let (ours, theirs) = (us.index(), them.index());
        let by_role = self.by_role[ours];
        let minors = by_role[Role::Knight.index()] | by_role[Role::Bishop.index()];
        let rooks = by_role[Role::Rook.index()];
        let loose = self.by_any[ours] - self.by_any[theirs];
        let overpowered = self.by_two[ours] - (self.by_two[theirs] | self.by_pawns[theirs]);
        for role in [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            let targets = self.board.of(them, role);
            let kind = role.index();
            for (term, attacked) in [
                (PAWN_THREAT, self.by_pawns[ours]),
                (MINOR_THREAT, minors),
                (ROOK_THREAT, rooks),
                (HANGING, loose | overpowered),
            ] {
                let hit = targets & attacked;
                if hit.any() {
                    self.tally.add(term + kind, sign(us) * len(hit));
                }
            }
        }
    }
}

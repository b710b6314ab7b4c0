//! All legal moves at once.
//!
//! Every move that is generated is legal: pins and checks narrow the targets before a move is made. One
//! walk serves several sinks: one lists the moves, one counts them, one notes that there is one.

use arrayvec::ArrayVec;
use game::position::{CastlingSide, MoveList};
use game::side::Side;

use crate::attacks;
use crate::moves::{Move, MoveKind};
use crate::position::{Chess, FULL};
use crate::role::Role;
use crate::square::{Bitboard, Square};

const FILE_A: Bitboard = Bitboard::from_bits(0x0101_0101_0101_0101);
const FILE_H: Bitboard = Bitboard::from_bits(0x8080_8080_8080_8080);
const BACK_RANKS: Bitboard = Bitboard::from_bits(0xff00_0000_0000_00ff);

/// Takes the legal moves of a position as sets of squares.
trait Sink {
    /// The sink takes captures and promotions to a queen.
    const NOISY: bool = true;
    /// The sink takes all other moves.
    const QUIET: bool = true;
    /// A piece other than a pawn goes from `from` to any of `targets`.
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard);
    /// Pawns arrive on `targets`, each from the square `offset` before it.
    fn pawns(&mut self, kind: MoveKind, targets: Bitboard, offset: i8);
    /// The same on the last rank, with a choice of four promotions each.
    fn promotions(&mut self, targets: Bitboard, offset: i8);
    /// A single move.
    fn single(&mut self, m: Move);
    /// Whether the sink needs no more moves.
    #[inline]
    fn is_done(&self) -> bool {
        false
    }
}

impl Chess {
    /// All legal moves.
    #[must_use]
    pub fn legal_moves(&self) -> MoveList<Move> {
        let mut moves = ArrayVec::new();
        self.generate(&mut moves);
        moves
    }

    /// Appends the legal captures and promotions to a queen.
    #[inline]
    pub(crate) fn append_noisy_moves(&self, moves: &mut MoveList<Move>) {
        self.generate(&mut Part::<true>(moves));
    }

    /// Appends the legal moves that [`append_noisy_moves`](Chess::append_noisy_moves) leaves out.
    #[inline]
    pub(crate) fn append_quiet_moves(&self, moves: &mut MoveList<Move>) {
        self.generate(&mut Part::<false>(moves));
    }

    /// The number of legal moves.
    #[must_use]
    pub fn legal_move_count(&self) -> usize {
        let mut count = Count(0);
        self.generate(&mut count);
        count.0 as usize
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
        let king = self.king(us);
        let wanted = match (S::NOISY, S::QUIET) {
            (true, true) => !self.board.of_side(us),
            (true, false) => self.board.of_side(us.opponent()),
            (false, _) => !self.board.occupied(),
        };
        self.king_moves(king, wanted, sink);
        if sink.is_done() {
            return;
        }
        let answers = match self.checkers.first() {
            None => {
                if S::QUIET {
                    self.castling_moves(king, sink);
                }
                FULL
            }
            // Only the king answers a double check.
            Some(_) if self.checkers.has_several() => return,
            Some(checker) => attacks::between(king, checker) | Bitboard::of(checker),
        };
        let targets = answers & wanted;
        self.knight_moves(targets, sink);
        self.pawn_moves(king, answers, sink);
        if sink.is_done() {
            return;
        }
        self.slider_moves(king, targets, sink);
        if S::NOISY && self.can_take_en_passant {
            self.en_passant_moves(sink);
        }
    }

    #[inline]
    fn king_moves<S: Sink>(&self, king: Square, wanted: Bitboard, sink: &mut S) {
        let targets = attacks::king(king) & wanted;
        if targets.any() {
            let them = self.side_to_move.opponent();
            sink.piece(Role::King, king, targets - self.attacked_by(them, king));
        }
    }

    /// The squares around a king that the other side attacks.
    #[inline]
    fn attacked_by(&self, them: Side, king: Square) -> Bitboard {
        let pawns = self.board.of(them, Role::Pawn);
        let forward = if them == Side::First { 8 } else { -8 };
        let mut attacked = shift(pawns - FILE_A, forward - 1) | shift(pawns - FILE_H, forward + 1);
        attacked |= attacks::king(self.king(them));
        for knight in self.board.of(them, Role::Knight) {
            attacked |= attacks::knight(knight);
        }
        // The king does not hide the squares behind it from a slider.
        let occupied = self.board.occupied() ^ Bitboard::of(king);
        for slider in self.board.diagonal_sliders(them) {
            attacked |= attacks::bishop(slider, occupied);
        }
        for slider in self.board.straight_sliders(them) {
            attacked |= attacks::rook(slider, occupied);
        }
        attacked
    }

    #[inline]
    fn castling_moves<S: Sink>(&self, king: Square, sink: &mut S) {
        if (self.castling_rooks & crate::castling::back_rank(self.side_to_move)).is_empty() {
            return;
        }
        for wing in [CastlingSide::King, CastlingSide::Queen] {
            if let Ok(rook) = self.check_castling(wing) {
                sink.single(Move { from: king, to: rook, role: Role::King, kind: wing.into() });
            }
        }
    }

    #[inline]
    fn knight_moves<S: Sink>(&self, targets: Bitboard, sink: &mut S) {
        // A pinned knight has no move.
        for knight in self.board.of(self.side_to_move, Role::Knight) - self.pinned {
            sink.piece(Role::Knight, knight, attacks::knight(knight) & targets);
        }
    }

    #[inline]
    fn slider_moves<S: Sink>(&self, king: Square, targets: Bitboard, sink: &mut S) {
        let us = self.side_to_move;
        let occupied = self.board.occupied();
        for bishop in self.board.of(us, Role::Bishop) {
            let reach = attacks::bishop(bishop, occupied) & targets;
            sink.piece(Role::Bishop, bishop, reach & self.pin_line(king, bishop));
        }
        for rook in self.board.of(us, Role::Rook) {
            let reach = attacks::rook(rook, occupied) & targets;
            sink.piece(Role::Rook, rook, reach & self.pin_line(king, rook));
        }
        for queen in self.board.of(us, Role::Queen) {
            let reach = attacks::queen(queen, occupied) & targets;
            sink.piece(Role::Queen, queen, reach & self.pin_line(king, queen));
        }
    }

    /// The squares that a pin leaves to the piece on `square`.
    #[inline]
    fn pin_line(&self, king: Square, square: Square) -> Bitboard {
        if self.pinned.has(square) { attacks::line(king, square) } else { FULL }
    }

    #[inline]
    fn pawn_moves<S: Sink>(&self, king: Square, answers: Bitboard, sink: &mut S) {
        let pawns = self.board.of(self.side_to_move, Role::Pawn);
        self.pawn_moves_of(pawns - self.pinned, answers, sink);
        for pawn in pawns & self.pinned {
            self.pawn_moves_of(Bitboard::of(pawn), answers & attacks::line(king, pawn), sink);
        }
    }

    /// The moves of a set of pawns to `targets`, en passant apart.
    #[inline]
    fn pawn_moves_of<S: Sink>(&self, pawns: Bitboard, targets: Bitboard, sink: &mut S) {
        let us = self.side_to_move;
        let empty = !self.board.occupied();
        let enemies = self.board.of_side(us.opponent()) & targets;
        let (up, double_rank) = match us {
            Side::First => (8, 0xff_0000),
            Side::Second => (-8, 0xff << 40),
        };
        let steps = shift(pawns, up) & empty;
        if S::QUIET {
            let double_steps = shift(steps & Bitboard::from_bits(double_rank), up) & empty & targets;
            sink.pawns(MoveKind::DoubleStep, double_steps, 2 * up);
        }
        for (reach, offset, is_wanted) in [
            (steps & targets, up, S::QUIET),
            (shift(pawns - FILE_A, up - 1) & enemies, up - 1, S::NOISY),
            (shift(pawns - FILE_H, up + 1) & enemies, up + 1, S::NOISY),
        ] {
            if is_wanted {
                sink.pawns(MoveKind::Normal, reach - BACK_RANKS, offset);
            }
            let last = reach & BACK_RANKS;
            if last.any() {
                sink.promotions(last, offset);
            }
        }
    }

    fn en_passant_moves<S: Sink>(&self, sink: &mut S) {
        let Some(passed) = self.passed_square else { return };
        for from in self.en_passant_takers(passed) {
            if self.attackers_after_en_passant(from, passed).is_empty() {
                sink.single(Move { from, to: passed, role: Role::Pawn, kind: MoveKind::EnPassant });
            }
        }
    }
}

/// The set moved by a number of squares, up the board or down.
#[inline]
fn shift(set: Bitboard, squares: i8) -> Bitboard {
    Bitboard::from_bits(if squares >= 0 {
        set.bits() << squares.unsigned_abs()
    } else {
        set.bits() >> squares.unsigned_abs()
    })
}

impl Sink for MoveList<Move> {
    #[inline]
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard) {
        self.extend(targets.into_iter().map(|to| Move { from, to, role, kind: MoveKind::Normal }));
    }

    #[inline]
    fn pawns(&mut self, kind: MoveKind, targets: Bitboard, offset: i8) {
        for to in targets {
            self.push(Move { from: before(to, offset), to, role: Role::Pawn, kind });
        }
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, offset: i8) {
        for kind in MoveKind::PROMOTIONS {
            self.pawns(kind, targets, offset);
        }
    }

    #[inline]
    fn single(&mut self, m: Move) {
        self.push(m);
    }
}

/// The square that a pawn came from.
#[inline]
fn before(to: Square, offset: i8) -> Square {
    Square::at(to.number().wrapping_add_signed(-offset))
}

/// Lists the noisy moves or the others.
struct Part<'a, const NOISY: bool>(&'a mut MoveList<Move>);

impl<const NOISY: bool> Sink for Part<'_, NOISY> {
    const NOISY: bool = NOISY;
    const QUIET: bool = !NOISY;

    #[inline]
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard) {
        self.0.piece(role, from, targets);
    }

    #[inline]
    fn pawns(&mut self, kind: MoveKind, targets: Bitboard, offset: i8) {
        self.0.pawns(kind, targets, offset);
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, offset: i8) {
        for kind in MoveKind::PROMOTIONS {
            if NOISY == (kind == MoveKind::PromoteQueen) {
                self.0.pawns(kind, targets, offset);
            }
        }
    }

    #[inline]
    fn single(&mut self, m: Move) {
        self.0.push(m);
    }
}

/// Counts the moves.
struct Count(u32);

impl Sink for Count {
    #[inline]
    fn piece(&mut self, _: Role, _: Square, targets: Bitboard) {
        self.0 += targets.len();
    }

    #[inline]
    fn pawns(&mut self, _: MoveKind, targets: Bitboard, _: i8) {
        self.0 += targets.len();
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, _: i8) {
        self.0 += 4 * targets.len();
    }

    #[inline]
    fn single(&mut self, _: Move) {
        self.0 += 1;
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
    fn pawns(&mut self, _: MoveKind, targets: Bitboard, _: i8) {
        self.0 |= targets.any();
    }

    #[inline]
    fn promotions(&mut self, targets: Bitboard, _: i8) {
        self.0 |= targets.any();
    }

    #[inline]
    fn single(&mut self, _: Move) {
        self.0 = true;
    }

    #[inline]
    fn is_done(&self) -> bool {
        self.0
    }
}

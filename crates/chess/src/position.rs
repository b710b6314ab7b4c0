//! A legal chess position, and how a move changes it.

use game::position::CastlingSide;
use game::side::Side;

use crate::attacks;
use crate::board::Board;
use crate::castling;
use crate::moves::{Move, MoveKind};
use crate::role::Role;
use crate::square::{Bitboard, Square};
use crate::zobrist;

/// A legal position of chess or Chess960. It is made from a [`Setup`](crate::setup::Setup) or by
/// playing moves.
#[derive(Debug, Clone)]
pub struct Chess {
    pub(crate) board: Board,
    pub(crate) side_to_move: Side,
    /// The rooks that may still castle. A rook right of its king stands for the king's wing.
    pub(crate) castling_rooks: Bitboard,
    /// The square that a pawn has just passed over, if a pawn of the side to move attacks it, whether or
    /// not a capture there is legal.
    pub(crate) passed_square: Option<Square>,
    /// A capture on `passed_square` is legal.
    pub(crate) can_take_en_passant: bool,
    pub(crate) style: CastlingStyle,
    pub(crate) halfmove_clock: u32,
    pub(crate) fullmove_number: u32,
    pub(crate) key: u64,
    /// The pieces that give check.
    pub(crate) checkers: Bitboard,
    /// The pieces of the side to move that alone keep a slider from its king.
    pub(crate) pinned: Bitboard,
}

/// How castling is written in UCI, and which start positions there are. The rules are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CastlingStyle {
    /// Kings start on the e-file, rooks on the a- and h-file; castling is `e1g1`.
    Standard,
    /// King and rooks start on any file, the king between the rooks; castling is king takes rook.
    Chess960,
}

/// Every square.
pub(crate) const FULL: Bitboard = Bitboard::from_bits(u64::MAX);

impl Chess {
    /// The placement of the pieces.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Whose turn it is.
    #[inline]
    #[must_use]
    pub fn side_to_move(&self) -> Side {
        self.side_to_move
    }

    /// The square where a pawn can be taken en passant, if a legal capture can use it (CH-20).
    #[must_use]
    pub fn en_passant_square(&self) -> Option<Square> {
        self.passed_square.filter(|_| self.can_take_en_passant)
    }

    /// The rook that may still castle on a wing.
    #[must_use]
    pub fn castling_rook(&self, side: Side, wing: CastlingSide) -> Option<Square> {
        let king = self.king(side);
        let rooks = self.castling_rooks & castling::back_rank(side);
        rooks.into_iter().find(|rook| (rook.file() > king.file()) == (wing == CastlingSide::King))
    }

    /// How castling is written.
    #[must_use]
    pub fn style(&self) -> CastlingStyle {
        self.style
    }

    /// Plies since the last capture or pawn move.
    #[must_use]
    pub fn halfmove_clock(&self) -> u32 {
        self.halfmove_clock
    }

    /// The number of the current move, counted from 1.
    #[must_use]
    pub fn fullmove_number(&self) -> u32 {
        self.fullmove_number
    }

    /// The square of a side's king.
    #[inline]
    #[must_use]
    pub fn king(&self, side: Side) -> Square {
        // A legal position has both kings; the default keeps the compiler from planning a panic.
        self.board.of(side, Role::King).first().unwrap_or(Square::at(0))
    }

    /// Plays a legal move.
    pub fn play_unchecked(&mut self, m: Move) {
        let us = self.side_to_move;
        let them = us.opponent();
        let (from, to) = (Bitboard::of(m.from), Bitboard::of(m.to));
        self.key ^= zobrist::second_to_move();
        self.forget_en_passant();
        self.halfmove_clock += 1;
        self.fullmove_number += u32::from(us == Side::Second);
        self.side_to_move = them;

        if (self.board.of_side(them) & to).any() {
            self.remove_captured(them, m.to);
        }
        self.update_castling_rights(m, us, from | to);
        match m.kind {
            MoveKind::Normal => self.relocate(us, m.role, m.from, m.to),
            MoveKind::DoubleStep => self.relocate(us, Role::Pawn, m.from, m.to),
            MoveKind::EnPassant => {
                self.relocate(us, Role::Pawn, m.from, m.to);
                self.remove(them, Role::Pawn, Square::new(m.to.file(), m.from.rank()));
            }
            MoveKind::CastleKing | MoveKind::CastleQueen => self.castle(us, m),
            kind => {
                self.remove(us, Role::Pawn, m.from);
                self.add(us, kind.promotion().unwrap_or(Role::Queen), m.to);
            }
        }
        if m.role == Role::Pawn {
            self.halfmove_clock = 0;
        }
        self.find_checks_and_pins();
        if m.kind == MoveKind::DoubleStep {
            self.remember_double_step(Square::new(m.to.file(), u8::midpoint(m.from.rank(), m.to.rank())));
        }
    }

    #[inline]
    fn add(&mut self, side: Side, role: Role, square: Square) {
        self.board.toggle(side, role, Bitboard::of(square));
        self.key ^= zobrist::piece(side, role, square);
    }

    #[inline]
    fn remove(&mut self, side: Side, role: Role, square: Square) {
        self.add(side, role, square);
    }

    #[inline]
    fn relocate(&mut self, side: Side, role: Role, from: Square, to: Square) {
        self.board.toggle(side, role, Bitboard::of(from) | Bitboard::of(to));
        self.key ^= zobrist::piece(side, role, from) ^ zobrist::piece(side, role, to);
    }

    #[inline]
    fn remove_captured(&mut self, side: Side, square: Square) {
        if let Some(role) = self.board.role_at(square) {
            self.remove(side, role, square);
        }
        self.halfmove_clock = 0;
    }

    fn castle(&mut self, us: Side, m: Move) {
        let wing = m.kind.castling().unwrap_or(CastlingSide::King);
        let (king_to, rook_to) = castling::targets(us, wing);
        self.remove(us, Role::King, m.from);
        self.remove(us, Role::Rook, m.to);
        self.add(us, Role::King, king_to);
        self.add(us, Role::Rook, rook_to);
    }

    /// A king that moves loses both rights, a rook that moves or is taken loses its own (CH-08).
    #[inline]
    fn update_castling_rights(&mut self, m: Move, us: Side, touched: Bitboard) {
        let mut lost = self.castling_rooks & touched;
        if m.role == Role::King {
            lost |= self.castling_rooks & castling::back_rank(us);
        }
        if lost.any() {
            self.castling_rooks ^= lost;
            self.key ^= zobrist::castling(lost);
        }
    }

    #[inline]
    pub(crate) fn forget_en_passant(&mut self) {
        if let Some(passed) = self.passed_square.take() {
            if self.can_take_en_passant {
                self.key ^= zobrist::en_passant(passed);
            }
            self.can_take_en_passant = false;
        }
    }

    /// Notes the square that a pawn has just passed over, if it matters to the side to move.
    pub(crate) fn remember_double_step(&mut self, passed: Square) {
        let takers = self.en_passant_takers(passed);
        if takers.is_empty() {
            return;
        }
        self.passed_square = Some(passed);
        self.can_take_en_passant =
            takers.into_iter().any(|from| self.attackers_after_en_passant(from, passed).is_empty());
        if self.can_take_en_passant {
            self.key ^= zobrist::en_passant(passed);
        }
    }

    /// The pawns of the side to move that attack the square a pawn has just passed over.
    #[inline]
    pub(crate) fn en_passant_takers(&self, passed: Square) -> Bitboard {
        let us = self.side_to_move;
        attacks::pawn(us.opponent(), passed) & self.board.of(us, Role::Pawn)
    }

    /// The pieces that would attack the king of the side to move after its pawn on `from` has taken en
    /// passant. Two pawns leave their rank at once, so a pin does not tell.
    pub(crate) fn attackers_after_en_passant(&self, from: Square, passed: Square) -> Bitboard {
        let us = self.side_to_move;
        let taken = Bitboard::of(Square::new(passed.file(), from.rank()));
        let occupied = (self.board.occupied() ^ taken ^ Bitboard::of(from)) | Bitboard::of(passed);
        self.board.attackers(self.king(us), us.opponent(), occupied) - taken
    }

    /// Finds what gives check to the side to move, and which of its pieces are pinned.
    #[inline]
    pub(crate) fn find_checks_and_pins(&mut self) {
        let us = self.side_to_move;
        let them = us.opponent();
        let king = self.king(us);
        let (own, occupied) = (self.board.of_side(us), self.board.occupied());
        self.checkers = attacks::knight(king) & self.board.of(them, Role::Knight)
            | attacks::pawn(us, king) & self.board.of(them, Role::Pawn);
        self.pinned = Bitboard::EMPTY;
        let snipers = attacks::diagonals(king) & self.board.diagonal_sliders(them)
            | attacks::straights(king) & self.board.straight_sliders(them);
        for sniper in snipers {
            let shield = attacks::between(king, sniper) & occupied;
            if shield.is_empty() {
                self.checkers |= Bitboard::of(sniper);
            } else if !shield.has_several() {
                self.pinned |= shield & own;
            }
        }
    }
}

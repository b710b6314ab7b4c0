//! A legal xiangqi position, and how a move changes it.

use game::side::Side;

use crate::board::Board;
use crate::moves::Move;
use crate::role::Role;
use crate::square::{Bitboard, Square};
use crate::zobrist;

/// A legal position of xiangqi. It is made from a [`Setup`](crate::setup::Setup) or by playing moves.
#[derive(Debug, Clone)]
pub struct Xiangqi {
    pub(crate) board: Board,
    pub(crate) side_to_move: Side,
    pub(crate) halfmove_clock: u32,
    pub(crate) fullmove_number: u32,
    pub(crate) key: u64,
    /// The pieces that give check.
    pub(crate) checkers: Bitboard,
}

impl Xiangqi {
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

    /// Plies since the last capture.
    #[must_use]
    pub fn halfmove_clock(&self) -> u32 {
        self.halfmove_clock
    }

    /// The number of the current round, counted from 1.
    #[must_use]
    pub fn fullmove_number(&self) -> u32 {
        self.fullmove_number
    }

    /// The point of a side's general.
    #[inline]
    #[must_use]
    pub fn general(&self, side: Side) -> Square {
        // A legal position has both generals; the default keeps the compiler from planning a panic.
        self.board.of(side, Role::General).first().unwrap_or(crate::square::ORIGIN)
    }

    /// Plays a legal move.
    pub fn play_unchecked(&mut self, m: Move) {
        let us = self.side_to_move;
        let them = us.opponent();
        self.halfmove_clock += 1;
        self.fullmove_number += u32::from(us == Side::Second);
        self.side_to_move = them;
        self.key ^= zobrist::second_to_move();
        if self.board.of_side(them).has(m.to)
            && let Some(role) = self.board.role_at(m.to)
        {
            self.toggle(them, role, m.to);
            self.halfmove_clock = 0;
        }
        self.toggle(us, m.role, m.from);
        self.toggle(us, m.role, m.to);
        self.find_checkers();
    }

    /// The same board with the other side to move. No position of a game when the side to move is in
    /// check; for looking at what a side could do if it were its turn.
    #[must_use]
    pub fn passed(&self) -> Xiangqi {
        let mut passed = self.clone();
        passed.side_to_move = self.side_to_move.opponent();
        passed.key ^= zobrist::second_to_move();
        passed.find_checkers();
        passed
    }

    /// Takes back the last move, which captured nothing. The counters stay behind: they do not matter for
    /// what the position is.
    pub(crate) fn take_back_quiet(&mut self, m: Move) {
        let us = self.side_to_move.opponent();
        self.toggle(us, m.role, m.to);
        self.toggle(us, m.role, m.from);
        self.side_to_move = us;
        self.key ^= zobrist::second_to_move();
        self.find_checkers();
    }

    #[inline]
    fn toggle(&mut self, side: Side, role: Role, square: Square) {
        self.board.toggle(side, role, square);
        self.key ^= zobrist::piece(side, role, square);
    }

    /// Finds what gives check to the side to move.
    #[inline]
    pub(crate) fn find_checkers(&mut self) {
        let us = self.side_to_move;
        self.checkers = self.board.attackers(self.general(us), us.opponent(), self.board.occupied());
    }
}

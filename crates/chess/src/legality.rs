//! One move at a time: is it legal, and if not, why not?
//!
//! This is a second way to the answer that [`movegen`](crate::movegen) gives, written without it, so
//! that each can be tested by the other.

use game::illegal::Reason;
use game::position::CastlingSide;
use game::side::Side;

use crate::attacks;
use crate::castling::{CastlingFault, back_rank, targets};
use crate::moves::{Move, MoveKind};
use crate::position::{CastlingStyle, Chess};
use crate::role::Role;
use crate::square::{Bitboard, Square};

/// A move as it is asked for, legal or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Candidate {
    /// The square that the piece leaves.
    pub from: Square,
    /// Where it is to go. Castling is asked for with the king's target or with the rook's square.
    pub to: Square,
    /// What a pawn is to become.
    pub promotion: Option<Role>,
}

/// Why a candidate is refused.
pub type Refusal = game::illegal::Refusal<Square>;

/// What a king's move asks for when it is no step.
enum CastlingAttempt {
    /// Castling on a wing.
    OnWing(CastlingSide),
    /// Castling with a rook that never had the right.
    WithOtherRook,
    /// Castling along a file, with the rook there.
    OnFile(Square),
}

impl Chess {
    /// The legal move that a candidate asks for. A king that goes to a rook, or to where castling would
    /// put it, asks for castling.
    ///
    /// # Errors
    /// Why there is none. When several reasons hold, the first in the order of [`Reason`].
    pub fn explain(&self, candidate: Candidate) -> Result<Move, Refusal> {
        let Candidate { from, to, promotion } = candidate;
        let is_own_king = self.king(self.side_to_move()) == from;
        let attempt = if is_own_king { self.castling_attempt(from, to) } else { None };
        let Some(attempt) = attempt else { return self.explain_without_castling(candidate) };
        let m = self.explain_castling(&attempt)?;
        if promotion.is_some() {
            return Err(Refusal::new(Reason::PromotionInvalid, "CH-07", [from]));
        }
        Ok(m)
    }

    /// The legal move that a candidate asks for in a notation that has a sign of its own for castling.
    ///
    /// # Errors
    /// Why there is none.
    pub fn explain_without_castling(&self, candidate: Candidate) -> Result<Move, Refusal> {
        let Candidate { from, to, promotion } = candidate;
        let us = self.side_to_move();
        let board = self.board();
        let Some(role) = board.role_at(from) else {
            return Err(Refusal::new(Reason::NoPiece, "CH-01", [from]));
        };
        if !board.of_side(us).has(from) {
            return Err(Refusal::new(Reason::NotYourPiece, "CH-01", [from]));
        }
        if board.of_side(us).has(to) {
            return Err(Refusal::new(Reason::OwnPieceOnTarget, movement_rule(role), [to]));
        }
        let kind = if role == Role::Pawn {
            self.explain_pawn(from, to, promotion)?
        } else {
            self.explain_piece(role, from, to, promotion)?
        };
        let m = Move { from, to, role, kind };
        self.explain_king_safety(m)?;
        Ok(m)
    }

    /// Whether a move is legal here.
    #[must_use]
    pub fn is_legal(&self, m: Move) -> bool {
        self.explain(Candidate { from: m.from, to: m.to, promotion: m.kind.promotion() }) == Ok(m)
    }

    /// Asks for castling on a wing, as SAN does.
    ///
    /// # Errors
    /// The condition of CH-08 that fails.
    pub fn explain_castling_on(&self, wing: CastlingSide) -> Result<Move, Refusal> {
        self.explain_castling(&CastlingAttempt::OnWing(wing))
    }

    fn castling_attempt(&self, king: Square, to: Square) -> Option<CastlingAttempt> {
        let us = self.side_to_move();
        let wings = [CastlingSide::King, CastlingSide::Queen];
        let own_rook = self.board().of(us, Role::Rook).has(to);
        if let Some(wing) = wings.into_iter().find(|&wing| self.castling_rook(us, wing) == Some(to)) {
            return Some(CastlingAttempt::OnWing(wing));
        }
        if king.file() == to.file() {
            return self.rook_to_castle_with_on_file(king, to).map(CastlingAttempt::OnFile);
        }
        if !back_rank(us).has(king) || king.rank() != to.rank() {
            return None;
        }
        let is_standard = self.style() == CastlingStyle::Standard;
        let may_start_here = !is_standard || king.file() == 4;
        let is_step = king.file().abs_diff(to.file()) < 2;
        let onto_target = wings.into_iter().find(|&wing| targets(us, wing).0 == to);
        match onto_target {
            Some(wing) if may_start_here && !is_step => Some(CastlingAttempt::OnWing(wing)),
            _ if own_rook && (!is_standard || may_start_here && matches!(to.file(), 0 | 7)) => {
                Some(CastlingAttempt::WithOtherRook)
            }
            _ => None,
        }
    }

    /// The rook of a move that looks like castling along a file, from the king's first rank with a rook
    /// on the last: king takes rook, or two squares towards it.
    fn rook_to_castle_with_on_file(&self, king: Square, to: Square) -> Option<Square> {
        let us = self.side_to_move();
        let rooks = self.board().of(us, Role::Rook) & back_rank(us.opponent());
        let rook = (rooks & attacks::line(king, to)).first()?;
        let is_asked_for = to == rook || king.rank().abs_diff(to.rank()) == 2;
        (is_asked_for && back_rank(us).has(king)).then_some(rook)
    }

    fn explain_castling(&self, attempt: &CastlingAttempt) -> Result<Move, Refusal> {
        const RULE: &str = "CH-08";
        let us = self.side_to_move();
        let king = self.king(us);
        let wing = match *attempt {
            CastlingAttempt::OnWing(wing) => wing,
            CastlingAttempt::WithOtherRook => {
                return Err(Refusal::new(Reason::CastlingRightLost, RULE, [king]));
            }
            CastlingAttempt::OnFile(rook) => {
                return Err(Refusal::new(Reason::CastlingNotOnOneRank, RULE, [king, rook]));
            }
        };
        let refusal = match self.check_castling(wing) {
            Ok(to) => return Ok(Move { from: king, to, role: Role::King, kind: wing.into() }),
            Err(CastlingFault::RightLost) => Refusal::new(Reason::CastlingRightLost, RULE, [king]),
            Err(CastlingFault::PathBlocked(blockers)) => {
                Refusal::new(Reason::CastlingPathBlocked, RULE, blockers)
            }
            Err(CastlingFault::InCheck(checkers)) => Refusal::new(Reason::CastlesOutOfCheck, RULE, checkers),
            Err(CastlingFault::ThroughCheck(square, attackers)) => {
                let squares = std::iter::once(square).chain(attackers);
                Refusal::new(Reason::CastlesThroughCheck, RULE, squares)
            }
            Err(CastlingFault::IntoCheck(square, attackers)) => {
                let squares = std::iter::once(square).chain(attackers);
                Refusal::new(Reason::CastlesIntoCheck, RULE, squares)
            }
        };
        Err(refusal)
    }

    fn explain_piece(
        &self,
        role: Role,
        from: Square,
        to: Square,
        promotion: Option<Role>,
    ) -> Result<MoveKind, Refusal> {
        let rule = movement_rule(role);
        let reach = match role {
            Role::King => attacks::king(from),
            Role::Knight => attacks::knight(from),
            Role::Bishop => attacks::diagonals(from),
            Role::Rook => attacks::straights(from),
            Role::Queen | Role::Pawn => attacks::diagonals(from) | attacks::straights(from),
        };
        if !reach.has(to) {
            return Err(Refusal::new(Reason::NotAMoveOfThisPiece, rule, []));
        }
        self.explain_path(from, to, rule)?;
        if promotion.is_some() {
            return Err(Refusal::new(Reason::PromotionInvalid, "CH-07", [from]));
        }
        Ok(MoveKind::Normal)
    }

    /// Refuses a slide over a piece, and names the piece nearest to where it starts.
    fn explain_path(&self, from: Square, to: Square, rule: &'static str) -> Result<(), Refusal> {
        let blockers = attacks::between(from, to) & self.board().occupied();
        let nearest = if from < to { blockers.into_iter().next() } else { blockers.into_iter().last() };
        match nearest {
            Some(blocker) => Err(Refusal::new(Reason::PathBlocked, rule, [blocker])),
            None => Ok(()),
        }
    }

    fn explain_pawn(&self, from: Square, to: Square, promotion: Option<Role>) -> Result<MoveKind, Refusal> {
        let us = self.side_to_move();
        let kind = if from.file() == to.file() {
            self.explain_pawn_step(from, to)?
        } else if attacks::pawn(us, from).has(to) {
            self.explain_pawn_capture(from, to)?
        } else {
            return Err(Refusal::new(Reason::NotAMoveOfThisPiece, "CH-05", []));
        };
        let is_last_rank = back_rank(us.opponent()).has(to);
        match (promotion, is_last_rank) {
            (None, false) => Ok(kind),
            (None, true) => Err(Refusal::new(Reason::PromotionMissing, "CH-07", [to])),
            (Some(role), true) => MoveKind::PROMOTIONS
                .into_iter()
                .find(|kind| kind.promotion() == Some(role))
                .ok_or_else(|| Refusal::new(Reason::PromotionInvalid, "CH-07", [to])),
            (Some(_), false) => Err(Refusal::new(Reason::PromotionInvalid, "CH-07", [to])),
        }
    }

    fn explain_pawn_step(&self, from: Square, to: Square) -> Result<MoveKind, Refusal> {
        let (start_rank, steps) = match self.side_to_move() {
            Side::First => (1, i16::from(to.rank()) - i16::from(from.rank())),
            Side::Second => (6, i16::from(from.rank()) - i16::from(to.rank())),
        };
        let kind = match steps {
            1 => MoveKind::Normal,
            2 if from.rank() == start_rank => MoveKind::DoubleStep,
            _ => return Err(Refusal::new(Reason::NotAMoveOfThisPiece, "CH-05", [])),
        };
        self.explain_path(from, to, "CH-05")?;
        if self.board().occupied().has(to) {
            return Err(Refusal::new(Reason::PathBlocked, "CH-05", [to]));
        }
        Ok(kind)
    }

    fn explain_pawn_capture(&self, from: Square, to: Square) -> Result<MoveKind, Refusal> {
        let us = self.side_to_move();
        let them = us.opponent();
        if self.board().of_side(them).has(to) {
            return Ok(MoveKind::Normal);
        }
        if self.passed_square == Some(to) {
            return Ok(MoveKind::EnPassant);
        }
        let (rank, start_rank) = if us == Side::First { (4, 6) } else { (3, 1) };
        let neighbour = Square::new(to.file(), from.rank());
        let start = Square::new(to.file(), start_rank);
        let could_have_passed = from.rank() == rank
            && self.board().of(them, Role::Pawn).has(neighbour)
            && !self.board().occupied().has(start);
        if could_have_passed {
            Err(Refusal::new(Reason::EnPassantExpired, "CH-06", [neighbour]))
        } else {
            Err(Refusal::new(Reason::NothingToCapture, "CH-05", [to]))
        }
    }

    fn explain_king_safety(&self, m: Move) -> Result<(), Refusal> {
        let us = self.side_to_move();
        let them = us.opponent();
        let (from, to) = (Bitboard::of(m.from), Bitboard::of(m.to));
        let moved = (self.board().occupied() - from) | to;
        if m.role == Role::King {
            let attackers = self.board().attackers(m.to, them, moved);
            if attackers.any() {
                return Err(Refusal::new(Reason::KingMovesIntoCheck, "CH-02", attackers));
            }
            return Ok(());
        }
        let attackers = if m.kind == MoveKind::EnPassant {
            self.attackers_after_en_passant(m.from, m.to)
        } else if self.checkers.is_empty() && !self.pinned.has(m.from) {
            return Ok(());
        } else {
            self.board().attackers(self.king(us), them, moved) - to
        };
        if attackers.is_empty() {
            Ok(())
        } else if (attackers & self.checkers).any() {
            Err(Refusal::new(Reason::CheckNotAnswered, "CH-10", attackers & self.checkers))
        } else {
            Err(Refusal::new(Reason::LeavesKingInCheck, "CH-10", attackers))
        }
    }
}

/// The rule that says how a piece moves.
fn movement_rule(role: Role) -> &'static str {
    match role {
        Role::King => "CH-02",
        Role::Queen | Role::Rook | Role::Bishop => "CH-03",
        Role::Knight => "CH-04",
        Role::Pawn => "CH-05",
    }
}

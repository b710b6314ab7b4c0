//! What a search asks of a chess position.

use game::position::MoveList;
use game::side::Side;
use game::square::Square as _;
use game::tactics::{QuietRule, STRUCTURES, Stalemate, Tactics};

use crate::attacks;
use crate::moves::{Move, MoveKind};
use crate::position::Chess;
use crate::role::Role;
use crate::rules::Rules;
use crate::square::{Bitboard, Square};
use crate::termination::is_dead_material;
use crate::zobrist;

/// The kinds in the order of their codes.
const KINDS: [MoveKind; 9] = [
    MoveKind::Normal,
    MoveKind::DoubleStep,
    MoveKind::EnPassant,
    MoveKind::CastleKing,
    MoveKind::CastleQueen,
    MoveKind::PromoteKnight,
    MoveKind::PromoteBishop,
    MoveKind::PromoteRook,
    MoveKind::PromoteQueen,
];

/// Values of exchange by role, in centipawns.
const VALUES: [i32; 6] = [100, 320, 330, 500, 950, 20_000];

impl Tactics for Chess {
    const ROLES: usize = 6;
    const STALEMATE: Stalemate = Stalemate::Draw;

    #[inline]
    fn role_value(role: usize) -> i32 {
        VALUES[role]
    }

    fn noisy_moves(&self, moves: &mut MoveList<Move>) {
        self.append_noisy_moves(moves);
    }

    fn quiet_moves(&self, moves: &mut MoveList<Move>) {
        self.append_quiet_moves(moves);
    }

    #[inline]
    fn is_noisy(&self, m: Move) -> bool {
        match m.kind {
            MoveKind::PromoteQueen | MoveKind::EnPassant => true,
            MoveKind::Normal => self.board.of_side(self.side_to_move.opponent()).has(m.to),
            _ => false,
        }
    }

    fn gives_check(&self, m: Move) -> bool {
        if m.kind.castling().is_some() || m.kind == MoveKind::EnPassant {
            let mut after = self.clone();
            after.play_unchecked(m);
            return after.checkers.any();
        }
        let us = self.side_to_move;
        let king = self.king(us.opponent());
        let occupied = (self.board.occupied() - Bitboard::of(m.from)) | Bitboard::of(m.to);
        let reach = match m.kind.promotion().unwrap_or(m.role) {
            Role::Pawn => attacks::pawn(us, m.to),
            Role::Knight => attacks::knight(m.to),
            Role::Bishop => attacks::bishop(m.to, occupied),
            Role::Rook => attacks::rook(m.to, occupied),
            Role::Queen => attacks::queen(m.to, occupied),
            Role::King => Bitboard::EMPTY,
        };
        let opens_line = attacks::line(king, m.from).any() && !attacks::line(king, m.from).has(m.to);
        reach.has(king) || opens_line && self.sliders_to(king, occupied)
    }

    #[inline]
    fn role_of(m: Move) -> usize {
        m.role.index()
    }

    #[inline]
    fn from_index(m: Move) -> usize {
        m.from.index()
    }

    #[inline]
    fn to_index(m: Move) -> usize {
        m.to.index()
    }

    #[inline]
    fn captured_role(&self, m: Move) -> Option<usize> {
        self.captured(m).map(Role::index)
    }

    #[inline]
    fn gain(&self, m: Move) -> i32 {
        let taken = self.captured(m).map_or(0, |role| VALUES[role.index()]);
        taken + m.kind.promotion().map_or(0, |role| VALUES[role.index()] - VALUES[0])
    }

    #[inline]
    fn encode(m: Move) -> u16 {
        u16::from(m.from.number()) | u16::from(m.to.number()) << 6 | (m.kind as u16) << 12
    }

    #[inline]
    fn decode(&self, code: u16) -> Option<Move> {
        let [low, high] = code.to_le_bytes();
        let (from, to) = (Square::at(low & 63), Square::at(low >> 6 | (high & 15) << 2));
        let kind = *KINDS.get(usize::from(high >> 4))?;
        let m = Move { from, to, role: self.board.role_at(from)?, kind };
        (code != 0 && self.is_legal(m)).then_some(m)
    }

    fn pass_unchecked(&mut self) {
        self.forget_en_passant();
        self.key ^= zobrist::second_to_move();
        self.halfmove_clock += 1;
        self.side_to_move = self.side_to_move.opponent();
        self.find_checks_and_pins();
    }

    #[inline]
    fn can_pass(&self) -> bool {
        let slow = self.board.of_role(Role::Pawn) | self.board.of_role(Role::King);
        (self.board.of_side(self.side_to_move) - slow).any()
    }

    fn exchange_wins(&self, m: Move, threshold: i32) -> bool {
        let mut balance = self.gain(m) - threshold;
        if balance < 0 {
            return false;
        }
        let arriving = m.kind.promotion().unwrap_or(m.role);
        balance -= VALUES[arriving.index()];
        if balance >= 0 || m.kind.castling().is_some() {
            return true;
        }
        let mut occupied = (self.board.occupied() - Bitboard::of(m.from)) | Bitboard::of(m.to);
        if m.kind == MoveKind::EnPassant {
            occupied ^= Bitboard::of(Square::new(m.to.file(), m.from.rank()));
        }
        self.rest_of_exchange_wins(m.to, occupied, balance)
    }

    #[inline]
    fn structure(&self) -> [u64; STRUCTURES] {
        let part = |side, role: Role| {
            let salt = SALTS[role.index()] << usize::from(side == Side::Second);
            mix(self.board.of(side, role).bits(), salt | 1)
        };
        let [first, second] = Side::ALL;
        let middle = [Role::Knight, Role::Bishop, Role::King];
        let large = [Role::Rook, Role::Queen];
        let all = |side, roles: &[Role]| roles.iter().fold(0, |key, &role| key ^ part(side, role));
        let (middle_first, middle_second) = (all(first, &middle), all(second, &middle));
        [
            part(first, Role::Pawn) ^ part(second, Role::Pawn),
            middle_first ^ all(first, &large),
            middle_second ^ all(second, &large),
            middle_first ^ middle_second,
        ]
    }

    #[inline]
    fn is_dead(&self) -> bool {
        self.board.occupied().len() <= 4 && is_dead_material(self)
    }

    fn quiet_rule(&self, rules: &Rules) -> QuietRule {
        // Who may declare the move that completes the count can claim one ply sooner.
        let claim = |plies: u32| plies - u32::from(rules.quiet_claim_may_be_declared);
        QuietRule {
            claim: claim(rules.quiet_plies_to_claim(&self.board)),
            claim_afresh: claim(rules.claimable_quiet_plies),
            end: rules.final_quiet_plies.unwrap_or(QuietRule::NEVER),
            checks_that_count: QuietRule::NEVER,
        }
    }
}

/// Odd factors that tell the roles apart.
const SALTS: [u64; 6] = [
    0x9e37_79b9_7f4a_7c15,
    0xc2b2_ae3d_27d4_eb4f,
    0x1656_67b1_9e37_79f9,
    0x27d4_eb2f_1656_67c5,
    0xd6e8_feb8_6659_fd93,
    0xff51_afd7_ed55_8ccd,
];

/// A well spread number for a set of squares.
#[inline]
fn mix(bits: u64, salt: u64) -> u64 {
    let product = (bits ^ bits >> 31).wrapping_mul(salt);
    product ^ product >> 29
}

impl Chess {
    /// Whether a slider of the side to move that did not move sees a square.
    fn sliders_to(&self, square: Square, occupied: Bitboard) -> bool {
        let us = self.side_to_move;
        let straight = attacks::rook(square, occupied) & self.board.straight_sliders(us);
        let diagonal = attacks::bishop(square, occupied) & self.board.diagonal_sliders(us);
        ((straight | diagonal) & occupied).any()
    }

    #[inline]
    fn captured(&self, m: Move) -> Option<Role> {
        match m.kind {
            MoveKind::EnPassant => Some(Role::Pawn),
            MoveKind::DoubleStep | MoveKind::CastleKing | MoveKind::CastleQueen => None,
            _ if self.board.of_side(self.side_to_move.opponent()).has(m.to) => self.board.role_at(m.to),
            _ => None,
        }
    }

    /// Whether the mover's balance is not negative when both sides go on taking on a square for as long
    /// as it pays, the opponent first. `balance` counts the mover's man there as lost.
    fn rest_of_exchange_wins(&self, square: Square, mut occupied: Bitboard, mut balance: i32) -> bool {
        let board = &self.board;
        let mut side = self.side_to_move.opponent();
        let mut attackers =
            board.attackers(square, Side::First, occupied) | board.attackers(square, Side::Second, occupied);
        loop {
            attackers &= occupied;
            let own = attackers & board.of_side(side);
            let Some(role) = Role::ALL.into_iter().find(|&role| (own & board.of_role(role)).any()) else {
                break;
            };
            if role == Role::King && (attackers - own).any() {
                break;
            }
            let Some(from) = (own & board.of_role(role)).first() else { break };
            occupied ^= Bitboard::of(from);
            side = side.opponent();
            balance = -balance - 1 - VALUES[role.index()];
            if balance >= 0 {
                break;
            }
            if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
                let sliders = board.of_role(Role::Bishop) | board.of_role(Role::Queen);
                attackers |= attacks::bishop(square, occupied) & sliders;
            }
            if matches!(role, Role::Rook | Role::Queen) {
                let sliders = board.of_role(Role::Rook) | board.of_role(Role::Queen);
                attackers |= attacks::rook(square, occupied) & sliders;
            }
        }
        // The side that could not or need not take has the worse of it.
        side != self.side_to_move
    }
}

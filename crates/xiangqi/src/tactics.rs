//! What a search asks of a xiangqi position.

use game::position::MoveList;
use game::side::Side;
use game::square::Square as _;
use game::tactics::{Path, QuietRule, Repetition, STRUCTURES, Stalemate, Tactics};

use crate::attacks::{self, Occupied};
use crate::moves::Move;
use crate::position::Xiangqi;
use crate::role::Role;
use crate::rules::Rules;
use crate::square::{Bitboard, Square};
use crate::zobrist;

/// Values of exchange by role, in centipawns.
const VALUES: [i32; 7] = [120, 200, 220, 430, 480, 950, 20_000];

impl Tactics for Xiangqi {
    const ROLES: usize = 7;
    const STALEMATE: Stalemate = Stalemate::Loss;

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
        self.board.of_side(self.side_to_move.opponent()).has(m.to)
    }

    fn gives_check(&self, m: Move) -> bool {
        let us = self.side_to_move;
        let general = self.general(us.opponent());
        let occupied = self.board.occupied().without(m.from).with(m.to);
        let reach = match m.role {
            Role::Soldier => attacks::soldier(us, m.to),
            Role::Horse => attacks::horse(m.to, occupied.set()),
            Role::Chariot => attacks::sight(m.to, occupied).first,
            Role::Cannon => attacks::sight(m.to, occupied).second,
            Role::Advisor | Role::Elephant | Role::General => Bitboard::EMPTY,
        };
        // What did not move may have got a free leg, a free row or a screen.
        let others = self.board.attackers(general, us, occupied) - Bitboard::of(m.from);
        reach.has(general) || others.any()
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
        if self.is_noisy(m) { self.board.role_at(m.to).map(Role::index) } else { None }
    }

    #[inline]
    fn gain(&self, m: Move) -> i32 {
        self.captured_role(m).map_or(0, |role| VALUES[role])
    }

    #[inline]
    fn encode(m: Move) -> u16 {
        u16::from(m.from.number()) | u16::from(m.to.number()) << 7
    }

    #[inline]
    fn decode(&self, code: u16) -> Option<Move> {
        let from = Square::from_index(usize::from(code & 127))?;
        let to = Square::from_index(usize::from(code >> 7))?;
        let m = Move { from, to, role: self.board.role_at(from)? };
        (code != 0 && self.is_legal(m)).then_some(m)
    }

    fn pass_unchecked(&mut self) {
        self.key ^= zobrist::second_to_move();
        self.halfmove_clock += 1;
        self.side_to_move = self.side_to_move.opponent();
        self.find_checkers();
    }

    #[inline]
    fn can_pass(&self) -> bool {
        let fast = self.board.of_role(Role::Horse)
            | self.board.of_role(Role::Cannon)
            | self.board.of_role(Role::Chariot);
        (self.board.of_side(self.side_to_move) & fast).any()
    }

    fn exchange_wins(&self, m: Move, threshold: i32) -> bool {
        let mut balance = self.gain(m) - threshold;
        if balance < 0 {
            return false;
        }
        balance -= VALUES[m.role.index()];
        if balance >= 0 {
            return true;
        }
        self.rest_of_exchange_wins(m.to, self.board.occupied().without(m.from).with(m.to), balance)
    }

    #[inline]
    fn structure(&self) -> [u64; STRUCTURES] {
        let part = |side, role: Role| {
            let salt = SALTS[role.index()] << usize::from(side == Side::Second);
            mix(self.board.of(side, role).bits(), salt | 1)
        };
        let [first, second] = Side::ALL;
        let guards = [Role::Advisor, Role::Elephant, Role::General];
        let fast = [Role::Horse, Role::Cannon, Role::Chariot];
        let all = |side, roles: &[Role]| roles.iter().fold(0, |key, &role| key ^ part(side, role));
        let (guards_first, guards_second) = (all(first, &guards), all(second, &guards));
        let (fast_first, fast_second) = (all(first, &fast), all(second, &fast));
        [
            part(first, Role::Soldier) ^ part(second, Role::Soldier),
            guards_first ^ fast_first,
            guards_second ^ fast_second,
            guards_first ^ guards_second ^ part(first, Role::Chariot) ^ part(second, Role::Chariot),
        ]
    }

    #[inline]
    fn is_dead(&self) -> bool {
        let defenders = self.board.of_role(Role::Advisor)
            | self.board.of_role(Role::Elephant)
            | self.board.of_role(Role::General);
        (self.board.occupied().set() - defenders).is_empty()
    }

    fn quiet_rule(&self, rules: &Rules) -> QuietRule {
        let limit = 2 * rules.natural_limit;
        let (claim, end) =
            if rules.rule_on_claim { (limit, QuietRule::NEVER) } else { (QuietRule::NEVER, limit) };
        QuietRule { claim, claim_afresh: claim, end, checks_that_count: rules.checks_that_count }
    }

    /// A side that checked with every move of the cycle, while the other did not, has lost.
    fn repetition(path: &Path) -> Option<Repetition> {
        let cycle = path.repeated()?;
        // The last step is the opponent's move, the one before it our own.
        let checks = |skip| cycle.iter().rev().skip(skip).step_by(2).all(|step| step.is_check);
        Some(match (checks(0), checks(1)) {
            (true, false) => Repetition::Win,
            (false, true) => Repetition::Loss,
            _ => Repetition::Draw,
        })
    }
}

/// Odd factors that tell the roles apart.
const SALTS: [u64; 7] = [
    0x9e37_79b9_7f4a_7c15,
    0xc2b2_ae3d_27d4_eb4f,
    0x1656_67b1_9e37_79f9,
    0x27d4_eb2f_1656_67c5,
    0xd6e8_feb8_6659_fd93,
    0xff51_afd7_ed55_8ccd,
    0xc4ce_b9fe_1a85_ec53,
];

/// A well spread number for a set of points.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the halves are taken apart")]
fn mix(bits: u128, salt: u64) -> u64 {
    let folded = bits as u64 ^ ((bits >> 64) as u64).wrapping_mul(0x9fb2_1c65_1e98_df25);
    let product = (folded ^ folded >> 31).wrapping_mul(salt);
    product ^ product >> 29
}

impl Xiangqi {
    /// Whether the mover's balance is not negative when both sides go on taking on a point for as long as
    /// it pays, the opponent first. `balance` counts the mover's man there as lost.
    ///
    /// Each capture may add a screen for a cannon or take one away, so the attackers are found anew.
    fn rest_of_exchange_wins(&self, square: Square, mut occupied: Occupied, mut balance: i32) -> bool {
        let board = &self.board;
        let mut side = self.side_to_move.opponent();
        loop {
            let attackers = board.takers(square, occupied);
            let own = attackers & board.of_side(side);
            let Some(role) = Role::ALL.into_iter().find(|&role| (own & board.of_role(role)).any()) else {
                break;
            };
            if role == Role::General && self.is_watched(square, side.opponent(), attackers, occupied) {
                break;
            }
            let Some(from) = (own & board.of_role(role)).first() else { break };
            occupied = occupied.without(from);
            side = side.opponent();
            balance = -balance - 1 - VALUES[role.index()];
            if balance >= 0 {
                break;
            }
        }
        side != self.side_to_move
    }

    /// Whether a general that took on a point could be taken there, or would face the other general.
    fn is_watched(&self, square: Square, by: Side, attackers: Bitboard, occupied: Occupied) -> bool {
        (attackers & self.board.of_side(by)).any()
            || attacks::sight(square, occupied).first.has(self.general(by))
    }
}

//! A position as it is described, and whether a game can have it (CH-17).

use arrayvec::ArrayVec;
use game::fen_fault::{FenFault, FenFaultKind};
use game::position::CastlingSide;
use game::side::Side;
use game::square::list;

use crate::attacks;
use crate::board::Board;
use crate::castling::back_rank;
use crate::position::{CastlingStyle, Chess};
use crate::role::{Piece, Role};
use crate::square::{Bitboard, Square};
use crate::zobrist;

/// A described position, possibly one that no game can have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    /// The placement of the pieces.
    pub board: Board,
    /// Whose turn it is.
    pub side_to_move: Side,
    /// The castling rights that are claimed.
    pub castling: CastlingClaims,
    /// The square that a pawn is said to have just passed over.
    pub passed_square: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmove_clock: u32,
    /// The number of the current move, counted from 1.
    pub fullmove_number: u32,
}

/// Castling rights as they are claimed, in the order of the text.
pub type CastlingClaims = ArrayVec<CastlingClaim, 4>;

/// A claim that a rook may still castle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CastlingClaim {
    /// Whose right it is.
    pub side: Side,
    /// Which rook has it.
    pub rook: ClaimedRook,
}

/// How a castling claim names its rook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClaimedRook {
    /// The outermost rook on a wing (`K`, `q`); in standard chess the one on the a- or h-file.
    Outermost(CastlingSide),
    /// The rook on a file, counted from 0 (`H`, `a`).
    OnFile(u8),
}

impl CastlingClaim {
    /// The letter of the claim in a FEN.
    #[must_use]
    pub fn letter(self) -> char {
        let letter = match self.rook {
            ClaimedRook::Outermost(CastlingSide::King) => 'K',
            ClaimedRook::Outermost(CastlingSide::Queen) => 'Q',
            ClaimedRook::OnFile(file) => char::from(b'A' + file),
        };
        if self.side == Side::First { letter } else { letter.to_ascii_lowercase() }
    }
}

impl Setup {
    /// Makes a legal position of the setup.
    ///
    /// # Errors
    /// Every fault that makes the setup impossible.
    pub fn position(&self, style: CastlingStyle) -> Result<Chess, Vec<FenFault>> {
        let mut faults = Vec::new();
        let kings = check_men(&self.board, &mut faults);
        let castling_rooks = check_castling(&self.board, &self.castling, style, &mut faults);
        check_turn(&self.board, kings, self.side_to_move, self.passed_square, &mut faults);
        if faults.is_empty() { Ok(self.legal_position(style, castling_rooks)) } else { Err(faults) }
    }

    /// The position of a setup that has no fault.
    fn legal_position(&self, style: CastlingStyle, castling_rooks: Bitboard) -> Chess {
        let mut position = Chess {
            board: self.board.clone(),
            side_to_move: self.side_to_move,
            castling_rooks,
            passed_square: None,
            can_take_en_passant: false,
            style,
            halfmove_clock: self.halfmove_clock,
            fullmove_number: self.fullmove_number,
            key: key_of(&self.board, self.side_to_move, castling_rooks),
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
        };
        position.find_checks_and_pins();
        if let Some(passed) = self.passed_square {
            position.remember_double_step(passed);
        }
        position
    }
}

/// The key of a position without an en-passant square.
fn key_of(board: &Board, side_to_move: Side, castling_rooks: Bitboard) -> u64 {
    let mut key = zobrist::castling(castling_rooks);
    if side_to_move == Side::Second {
        key ^= zobrist::second_to_move();
    }
    for side in Side::ALL {
        for role in Role::ALL {
            for square in board.of(side, role) {
                key ^= zobrist::piece(side, role, square);
            }
        }
    }
    key
}

/// Checks the numbers and the places of the men. Gives the kings' squares when each side has one.
pub(crate) fn check_men(board: &Board, faults: &mut Vec<FenFault>) -> Option<[Square; 2]> {
    for side in Side::ALL {
        check_numbers(board, side, faults);
    }
    let stray_pawns = board.of_role(Role::Pawn) & (back_rank(Side::First) | back_rank(Side::Second));
    if stray_pawns.any() {
        faults.push(FenFault {
            kind: FenFaultKind::PawnOnBackRank,
            found: format!("a pawn stands on {}", list(stray_pawns)),
            expected: "pawns on ranks 2 to 7 only".to_owned(),
        });
    }
    let king = |side| {
        let kings = board.of(side, Role::King);
        kings.first().filter(|_| !kings.has_several())
    };
    Some([king(Side::First)?, king(Side::Second)?])
}

fn check_numbers(board: &Board, side: Side, faults: &mut Vec<FenFault>) {
    let name = side_name(side);
    let mut fault = |kind, found, expected: &str| {
        faults.push(FenFault { kind, found, expected: expected.to_owned() });
    };
    let kings = board.of(side, Role::King);
    match kings.len() {
        0 => fault(FenFaultKind::KingCount, format!("{name} has no king"), "exactly one"),
        1 => {}
        count => {
            let found = format!("{name} has {count} kings ({})", list(kings));
            fault(FenFaultKind::KingCount, found, "exactly one");
        }
    }
    let men = board.of_side(side).len();
    if men > 16 {
        fault(FenFaultKind::TooManyPieces, format!("{name} has {men} men"), "at most 16");
    }
    let pawns = board.of(side, Role::Pawn).len();
    if pawns > 8 {
        fault(FenFaultKind::TooManyPawns, format!("{name} has {pawns} pawns"), "at most 8");
        return;
    }
    let promoted = promoted_men(board, side);
    if promoted > 8 - pawns {
        let found = format!("{name} has more promoted men ({promoted}) than missing pawns ({})", 8 - pawns);
        fault(FenFaultKind::TooManyPromoted, found, "no more promoted men than missing pawns");
    }
}

/// How many men of a side cannot be original pieces. The two original bishops stand on squares of
/// different colours.
fn promoted_men(board: &Board, side: Side) -> u32 {
    // Counting bits is slow without a machine instruction for it, and rarely needed here.
    let beyond = |men: Bitboard, original: u32| {
        if men.has_several() { men.len().saturating_sub(original) } else { 0 }
    };
    let bishops = board.of(side, Role::Bishop);
    beyond(board.of(side, Role::Queen), 1)
        + beyond(board.of(side, Role::Rook), 2)
        + beyond(board.of(side, Role::Knight), 2)
        + beyond(bishops & LIGHT_SQUARES, 1)
        + beyond(bishops - LIGHT_SQUARES, 1)
}

/// The light squares.
pub(crate) const LIGHT_SQUARES: Bitboard = Bitboard::from_bits(0x55aa_55aa_55aa_55aa);

/// Checks the castling rights that are claimed, and gives the rooks that have them.
pub(crate) fn check_castling(
    board: &Board,
    claims: &[CastlingClaim],
    style: CastlingStyle,
    faults: &mut Vec<FenFault>,
) -> Bitboard {
    let mut castling_rooks = Bitboard::EMPTY;
    let mut wings = [[false; 2]; 2];
    for &claim in claims {
        // Without exactly one king, which is a fault already, a right says nothing.
        if board.of(claim.side, Role::King).len() != 1 {
            continue;
        }
        let fault = |found: String, expected: String| FenFault {
            kind: FenFaultKind::BadCastlingRight,
            found: format!("castling right {}: {found}", claim.letter()),
            expected,
        };
        match claimed_rook(board, claim, style) {
            Err((found, expected)) => faults.push(fault(found, expected)),
            Ok((rook, wing)) => {
                let seen = &mut wings[claim.side.index()][wing as usize];
                if *seen {
                    let found = format!("a second right of {} on that wing", side_name(claim.side));
                    faults.push(fault(found, "at most one right a side and wing".to_owned()));
                }
                *seen = true;
                castling_rooks |= Bitboard::of(rook);
            }
        }
    }
    castling_rooks
}

/// The rook that a claim means and its wing, or what is there and what should be.
fn claimed_rook(
    board: &Board,
    claim: CastlingClaim,
    style: CastlingStyle,
) -> Result<(Square, CastlingSide), (String, String)> {
    let side = claim.side;
    let (name, home) = (side_name(side), back_rank(side));
    let rank = if side == Side::First { 0 } else { 7 };
    let king = (board.of(side, Role::King) & home)
        .first()
        .filter(|king| style == CastlingStyle::Chess960 || king.file() == 4)
        .ok_or_else(|| misplaced_king(board, side, style, rank))?;
    let rooks = board.of(side, Role::Rook) & home;
    let right_of_king = |square: Square| square.file() > king.file();
    let wanted_file = match (claim.rook, style) {
        (ClaimedRook::OnFile(file), _) => Some(file),
        (ClaimedRook::Outermost(CastlingSide::King), CastlingStyle::Standard) => Some(7),
        (ClaimedRook::Outermost(CastlingSide::Queen), CastlingStyle::Standard) => Some(0),
        (ClaimedRook::Outermost(wing), CastlingStyle::Chess960) => {
            let on_wing = |rook: &Square| right_of_king(*rook) == (wing == CastlingSide::King);
            let mut on_wing = rooks.into_iter().filter(on_wing);
            let outermost = if wing == CastlingSide::King { on_wing.last() } else { on_wing.next() };
            outermost.map(Square::file)
        }
    };
    let file = wanted_file.ok_or_else(|| {
        let found = format!("{name} has no rook on that side of its king on {king}");
        (found, format!("a rook of {name} on rank {}", rank + 1))
    })?;
    let square = Square::new(file, rank);
    if style == CastlingStyle::Standard && !matches!(file, 0 | 7) {
        return Err((format!("names the rook on {square}"), "a rook on the a- or h-file".to_owned()));
    }
    if !rooks.has(square) {
        let found = board.piece_at(square).map_or_else(
            || format!("{square} is empty"),
            |Piece { side, role }| format!("a {} of {} stands on {square}", role_name(role), side_name(side)),
        );
        return Err((found, format!("a rook of {name} on {square}")));
    }
    let wing = if right_of_king(square) { CastlingSide::King } else { CastlingSide::Queen };
    Ok((square, wing))
}

/// Where a king that has a castling right stands, and where it should.
fn misplaced_king(board: &Board, side: Side, style: CastlingStyle, rank: u8) -> (String, String) {
    let name = side_name(side);
    let expected = match style {
        CastlingStyle::Standard => format!("{name}'s king on {}", Square::new(4, rank)),
        CastlingStyle::Chess960 => format!("{name}'s king on rank {}", rank + 1),
    };
    (format!("{name}'s king stands on {}", list(board.of(side, Role::King))), expected)
}

/// Checks what depends on whose turn it is: the en-passant square, and the checks on both sides.
pub(crate) fn check_turn(
    board: &Board,
    kings: Option<[Square; 2]>,
    side_to_move: Side,
    passed: Option<Square>,
    faults: &mut Vec<FenFault>,
) {
    let passed = passed.filter(|&passed| match en_passant_fault(board, side_to_move, passed) {
        None => true,
        Some(fault) => {
            faults.push(fault);
            false
        }
    });
    let Some(kings) = kings else { return };
    let (us, them) = (side_to_move, side_to_move.opponent());
    let (our_king, their_king) = (kings[us.index()], kings[them.index()]);
    let attackers = board.attackers(their_king, us, board.occupied());
    if attackers.any() {
        faults.push(FenFault {
            kind: FenFaultKind::OpponentInCheck,
            found: format!(
                "{} is to move and already attacks the king on {their_king} from {}",
                side_name(us),
                list(attackers)
            ),
            expected: format!("{} not to be in check", side_name(them)),
        });
    }
    let checkers = board.attackers(our_king, them, board.occupied());
    let passed_fault =
        passed.and_then(|passed| check_before_double_step(board, our_king, us, passed, checkers));
    if let Some(fault) = passed_fault.or_else(|| impossible_check(board, our_king, checkers)) {
        faults.push(fault);
    }
}

/// What is wrong with an en-passant square: its rank, the pawn before it, the squares that the pawn
/// came over.
fn en_passant_fault(board: &Board, us: Side, passed: Square) -> Option<FenFault> {
    let fault = |found: String, expected: String| {
        let kind = FenFaultKind::BadEnPassant;
        Some(FenFault { kind, found: format!("en-passant square {passed}: {found}"), expected })
    };
    let (rank, pawn_rank, start_rank) = if us == Side::First { (5, 4, 6) } else { (2, 3, 1) };
    let (us_name, them) = (side_name(us), us.opponent());
    if passed.rank() != rank {
        return fault(
            format!("{us_name} is to move"),
            format!("a square on rank {} when {us_name} is to move", rank + 1),
        );
    }
    let pawn = Square::new(passed.file(), pawn_rank);
    if !board.of(them, Role::Pawn).has(pawn) {
        let expected = format!("a pawn of {} on {pawn} that has just passed over it", side_name(them));
        return fault(format!("{pawn} has no such pawn"), expected);
    }
    let start = Square::new(passed.file(), start_rank);
    let blocked = board.occupied() & (Bitboard::of(passed) | Bitboard::of(start));
    if blocked.any() {
        let found = format!("{} is not empty", list(blocked));
        return fault(found, format!("{start} and {passed} to be empty after a double step"));
    }
    None
}

/// A check that stood already before the pawn's double step: then the side in check had moved without
/// answering it.
fn check_before_double_step(
    board: &Board,
    king: Square,
    us: Side,
    passed: Square,
    checkers: Bitboard,
) -> Option<FenFault> {
    let them = us.opponent();
    let (pawn_rank, start_rank) = if us == Side::First { (4, 6) } else { (3, 1) };
    let pawn = Bitboard::of(Square::new(passed.file(), pawn_rank));
    let start = Bitboard::of(Square::new(passed.file(), start_rank));
    let mut before = board.clone();
    before.toggle(them, Role::Pawn, pawn | start);
    let attackers = before.attackers(king, them, before.occupied());
    // A slider's line that the pawn now blocks is let pass where nothing else is wrong: well-known test
    // positions have one, and its en-passant capture is illegal anyway.
    let is_impossible = attackers.any() && (checkers.any() || (attackers & start).any());
    is_impossible.then(|| FenFault {
        kind: FenFaultKind::BadEnPassant,
        found: format!(
            "en-passant square {passed}: the king on {king} was in check from {} before the double step",
            list(attackers)
        ),
        expected: "only checks that the double step gives or uncovers".to_owned(),
    })
}

/// Checks that no single last move can have given. Two pieces check at once only when one of them
/// moved away from the line of the other, which is then a slider on another line.
fn impossible_check(board: &Board, king: Square, checkers: Bitboard) -> Option<FenFault> {
    let fault = |found: String, expected: &str| {
        let kind = FenFaultKind::ImpossibleCheck;
        Some(FenFault { kind, found, expected: expected.to_owned() })
    };
    let all = list(checkers);
    let mut pieces = checkers.into_iter();
    match (checkers.len(), pieces.next(), pieces.next()) {
        (2, Some(a), Some(b)) => {
            let sliders =
                board.of_role(Role::Bishop) | board.of_role(Role::Rook) | board.of_role(Role::Queen);
            if attacks::line(a, b).has(king) {
                fault(format!("{all} check the king on {king} along one line"), "checkers on different lines")
            } else if (checkers & sliders).is_empty() {
                let found = format!("{all} check the king on {king}, and neither is a slider");
                fault(found, "a double check to include a slider whose line was opened")
            } else {
                None
            }
        }
        (count, ..) if count > 2 => {
            fault(format!("{count} pieces check the king on {king} ({all})"), "at most two checkers")
        }
        _ => None,
    }
}

fn side_name(side: Side) -> &'static str {
    crate::message::side_name(side, game::language::Language::En)
}

fn role_name(role: Role) -> &'static str {
    crate::message::role_name(role, game::language::Language::En)
}

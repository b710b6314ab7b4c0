//! Forsyth-Edwards Notation (<https://www.chessprogramming.org/Forsyth-Edwards_Notation>).
//!
//! Read are four to six fields, with castling rights as in FEN (`KQkq`), X-FEN (the letter of a file
//! where `K` or `Q` would name another rook) and Shredder-FEN (`HAha`). Written is X-FEN, with an
//! en-passant square only when a legal capture can use it.

use game::fen::{parse_counter, read_placement, write_counters};
use game::fen_fault::{FenFault, FenFaultKind};
use game::position::CastlingSide;
use game::side::Side;
use game::square::Square as _;

use crate::board::Board;
use crate::position::{CastlingStyle, Chess};
use crate::role::{Piece, Role};
use crate::setup::{
    CastlingClaim, CastlingClaims, ClaimedRook, Setup, check_castling, check_men, check_turn,
};
use crate::square::{Bitboard, Square};

/// The start position of chess.
pub const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Reads a FEN.
///
/// # Errors
/// Every fault of the text, and every fault of the position that can be told in spite of them.
pub fn parse(fen: &str, style: CastlingStyle) -> Result<Chess, Vec<FenFault>> {
    let mut faults = Vec::new();
    let mut fields = fen.split_ascii_whitespace();
    let board = fields.next().and_then(|field| parse_placement(field, &mut faults));
    let side_to_move = fields.next().and_then(|field| parse_side(field, &mut faults));
    let castling = fields.next().and_then(|field| parse_castling(field, &mut faults));
    let passed_square = fields.next().map(|field| parse_en_passant(field, &mut faults));
    let halfmove_clock =
        fields.next().map_or(0, |field| parse_counter(field, FenFaultKind::HalfmoveClock, &mut faults));
    let fullmove_number =
        fields.next().map_or(1, |field| parse_counter(field, FenFaultKind::FullmoveNumber, &mut faults));
    if passed_square.is_none() || fields.next().is_some() {
        faults.push(field_count_fault(fen));
    }
    if faults.is_empty()
        && let (Some(board), Some(side_to_move), Some(castling)) = (&board, side_to_move, &castling)
    {
        return Setup {
            board: board.clone(),
            side_to_move,
            castling: castling.clone(),
            passed_square: passed_square.flatten(),
            halfmove_clock,
            // A move number of 0 is common in the wild and means the first move.
            fullmove_number: fullmove_number.max(1),
        }
        .position(style);
    }
    if let Some(board) = &board {
        let kings = check_men(board, &mut faults);
        if let Some(castling) = &castling {
            check_castling(board, castling, style, &mut faults);
        }
        if let Some(side_to_move) = side_to_move {
            check_turn(board, kings, side_to_move, passed_square.flatten(), &mut faults);
        }
    }
    Err(faults)
}

fn field_count_fault(fen: &str) -> FenFault {
    FenFault {
        kind: FenFaultKind::FieldCount,
        found: format!("number of fields: {}", fen.split_ascii_whitespace().count()),
        expected: "four to six: placement, side to move, castling, en passant, halfmove clock, move number"
            .to_owned(),
    }
}

fn parse_placement(field: &str, faults: &mut Vec<FenFault>) -> Option<Board> {
    parse_right_placement(field).or_else(|| {
        explain_placement(field, faults);
        None
    })
}

/// Reads a placement without a fault.
fn parse_right_placement(field: &str) -> Option<Board> {
    let mut board = Board::EMPTY;
    let put = |piece: Option<Piece>, place| {
        // Ranks are written from the last one down. Without a piece, nothing is toggled.
        let square = Bitboard::from_bits(u64::from(piece.is_some()) << (place ^ 56));
        let Piece { side, role } = piece.unwrap_or(Piece { side: Side::First, role: Role::Pawn });
        board.toggle(side, role, square);
    };
    read_placement(field.as_bytes(), (8, 8), &Piece::OF_LETTERS, put).then_some(board)
}

/// Says everything that is wrong with a placement.
fn explain_placement(field: &str, faults: &mut Vec<FenFault>) {
    let ranks = field.split('/').count();
    if ranks == 10 {
        faults.push(FenFault {
            kind: FenFaultKind::WrongGame,
            found: "the placement has 10 ranks, as a xiangqi board has".to_owned(),
            expected: "a FEN of chess, with 8 ranks".to_owned(),
        });
        return;
    }
    if ranks != 8 {
        faults.push(FenFault {
            kind: FenFaultKind::RankCount,
            found: format!("number of ranks in the placement: {ranks}"),
            expected: "8, from rank 8 down to rank 1, with / between them".to_owned(),
        });
    }
    for (text, rank) in field.split('/').zip((1..=8).rev()) {
        explain_rank(text, rank, faults);
    }
}

fn explain_rank(text: &str, rank: u8, faults: &mut Vec<FenFault>) {
    let mut squares = 0;
    for letter in text.chars() {
        squares += match letter {
            '1'..='8' => u32::from(letter) - u32::from('0'),
            _ if u8::try_from(letter).ok().and_then(Piece::from_letter).is_some() => 1,
            _ => {
                faults.push(FenFault {
                    kind: FenFaultKind::PieceLetter,
                    found: format!("{letter:?} on rank {rank}"),
                    expected: "a letter of PNBRQK or pnbrqk, or a digit from 1 to 8".to_owned(),
                });
                return;
            }
        };
    }
    if squares != 8 {
        faults.push(FenFault {
            kind: FenFaultKind::RankLength,
            found: format!("number of squares on rank {rank} ({text:?}): {squares}"),
            expected: "8".to_owned(),
        });
    }
}

fn parse_side(field: &str, faults: &mut Vec<FenFault>) -> Option<Side> {
    match field {
        "w" => Some(Side::First),
        "b" => Some(Side::Second),
        _ => {
            faults.push(FenFault {
                kind: FenFaultKind::SideToMove,
                found: format!("side to move {field:?}"),
                expected: "w or b".to_owned(),
            });
            None
        }
    }
}

fn parse_castling(field: &str, faults: &mut Vec<FenFault>) -> Option<CastlingClaims> {
    let mut claims = CastlingClaims::new();
    if field == "-" {
        return Some(claims);
    }
    let is_readable = field.chars().all(|letter| match castling_claim(letter) {
        Some(claim) => claims.try_push(claim).is_ok(),
        None => false,
    });
    if !is_readable {
        faults.push(FenFault {
            kind: FenFaultKind::CastlingSyntax,
            found: format!("castling rights {field:?}"),
            expected: "- or one to four letters of KQkq, or of files (A to H, a to h)".to_owned(),
        });
    }
    is_readable.then_some(claims)
}

fn castling_claim(letter: char) -> Option<CastlingClaim> {
    let side = if letter.is_ascii_uppercase() { Side::First } else { Side::Second };
    let rook = match letter.to_ascii_lowercase() {
        'k' => ClaimedRook::Outermost(CastlingSide::King),
        'q' => ClaimedRook::Outermost(CastlingSide::Queen),
        file @ 'a'..='h' => ClaimedRook::OnFile(u8::try_from(file).ok()? - b'a'),
        _ => return None,
    };
    Some(CastlingClaim { side, rook })
}

fn parse_en_passant(field: &str, faults: &mut Vec<FenFault>) -> Option<Square> {
    if field == "-" {
        return None;
    }
    let square = Square::parse(field);
    if square.is_none() {
        faults.push(FenFault {
            kind: FenFaultKind::EnPassantSyntax,
            found: format!("en-passant square {field:?}"),
            expected: "- or a square such as e3".to_owned(),
        });
    }
    square
}

/// Appends the FEN of a position.
pub fn write(position: &Chess, out: &mut String) {
    write_placement(position.board(), out);
    out.push_str(if position.side_to_move() == Side::First { " w " } else { " b " });
    write_castling(position, out);
    out.push(' ');
    match position.en_passant_square() {
        Some(square) => out.push_str(&square.text()),
        None => out.push('-'),
    }
    write_counters(position.halfmove_clock(), position.fullmove_number(), out);
}

fn write_placement(board: &Board, out: &mut String) {
    let mut letters = [0_u8; 64];
    for side in Side::ALL {
        for role in Role::ALL {
            let letter = u8::try_from(Piece { side, role }.letter()).unwrap_or_default();
            for square in board.of(side, role) {
                letters[square.index()] = letter;
            }
        }
    }
    game::fen::write_placement(&letters, 8, out);
}

fn write_castling(position: &Chess, out: &mut String) {
    let start = out.len();
    for side in Side::ALL {
        for wing in [CastlingSide::King, CastlingSide::Queen] {
            if let Some(rook) = position.castling_rook(side, wing) {
                let rook = if is_outermost(position, side, wing, rook) {
                    ClaimedRook::Outermost(wing)
                } else {
                    ClaimedRook::OnFile(rook.file())
                };
                out.push(CastlingClaim { side, rook }.letter());
            }
        }
    }
    if out.len() == start {
        out.push('-');
    }
}

/// Whether no other rook of the side stands farther out on the wing: then X-FEN writes `K` or `Q`.
fn is_outermost(position: &Chess, side: Side, wing: CastlingSide, rook: Square) -> bool {
    let rooks = position.board().of(side, Role::Rook) & crate::castling::back_rank(side);
    rooks.into_iter().all(|other| match wing {
        CastlingSide::King => other.file() <= rook.file(),
        CastlingSide::Queen => other.file() >= rook.file(),
    })
}

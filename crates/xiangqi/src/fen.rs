//! FEN for xiangqi (<https://www.wxf-xiangqi.org/images/computer-xiangqi/fen-for-xiangqi-chinese-chess.pdf>).
//!
//! Read are the placement and the side to move, two fields without meaning, and the counters, all but
//! the first two of which may be left out. Horses are `n` or `h`, elephants `b` or `e`, the side to move
//! is `w`, `r` or `b`. Written are `n`, `b` and `w`, and all six fields.

use game::fen::{parse_counter, read_placement, write_counters};
use game::fen_fault::{FenFault, FenFaultKind};
use game::side::Side;
use game::square::Square as _;

use crate::board::Board;
use crate::position::Xiangqi;
use crate::role::{Piece, Role};
use crate::setup::{Setup, check_men, check_turn};
use crate::square::{FILES, ORIGIN, RANKS, Square};

/// The start position.
pub const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// Reads a FEN.
///
/// # Errors
/// Every fault of the text, and every fault of the position that can be told in spite of them.
pub fn parse(fen: &str) -> Result<Xiangqi, Vec<FenFault>> {
    let mut faults = Vec::new();
    let mut fields = fen.split_ascii_whitespace();
    let board = fields.next().and_then(|field| parse_placement(field, &mut faults));
    let side_to_move = fields.next();
    if side_to_move.is_none() {
        faults.push(field_count_fault(fen));
    }
    let side_to_move = side_to_move.and_then(|field| parse_side(field, &mut faults));
    for place in ["third", "fourth"] {
        if let Some(field) = fields.next().filter(|&field| field != "-") {
            faults.push(FenFault {
                kind: FenFaultKind::UnusedField,
                found: format!("the {place} field is {field:?}"),
                expected: "-".to_owned(),
            });
        }
    }
    let halfmove_clock =
        fields.next().map_or(0, |field| parse_counter(field, FenFaultKind::HalfmoveClock, &mut faults));
    let fullmove_number =
        fields.next().map_or(1, |field| parse_counter(field, FenFaultKind::FullmoveNumber, &mut faults));
    if fields.next().is_some() {
        faults.push(field_count_fault(fen));
    }
    if faults.is_empty()
        && let (Some(board), Some(side_to_move)) = (&board, side_to_move)
    {
        let board = board.clone();
        // A move number of 0 is common in the wild and means the first move.
        return Setup { board, side_to_move, halfmove_clock, fullmove_number: fullmove_number.max(1) }
            .position();
    }
    if let Some(board) = &board {
        check_men(board, &mut faults);
        if let Some(side_to_move) = side_to_move {
            check_turn(board, side_to_move, &mut faults);
        }
    }
    Err(faults)
}

fn field_count_fault(fen: &str) -> FenFault {
    FenFault {
        kind: FenFaultKind::FieldCount,
        found: format!("number of fields: {}", fen.split_ascii_whitespace().count()),
        expected: "two to six: placement, side to move, -, -, halfmove clock, move number".to_owned(),
    }
}

/// The points in the order of a placement, which goes from the left of the last rank.
static IN_ORDER_OF_TEXT: [Square; 90] = in_order_of_text();

const fn in_order_of_text() -> [Square; 90] {
    let mut squares = [ORIGIN; 90];
    let (mut file, mut rank) = (0, 0);
    while rank < RANKS {
        if let Some(square) = Square::new(file, RANKS - 1 - rank) {
            squares[(rank * FILES + file) as usize] = square;
        }
        (file, rank) = if file + 1 < FILES { (file + 1, rank) } else { (0, rank + 1) };
    }
    squares
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
    let put = |piece: Option<Piece>, place: usize| {
        let Piece { side, role } = piece.unwrap_or(Piece { side: Side::First, role: Role::Soldier });
        board.toggle_if(piece.is_some(), side, role, IN_ORDER_OF_TEXT[place]);
    };
    read_placement(field.as_bytes(), (FILES, RANKS), &Piece::OF_LETTERS, put).then_some(board)
}

/// Says everything that is wrong with a placement.
fn explain_placement(field: &str, faults: &mut Vec<FenFault>) {
    let ranks = field.split('/').count();
    if ranks == 8 {
        faults.push(FenFault {
            kind: FenFaultKind::WrongGame,
            found: "the placement has 8 ranks, as a chess board has".to_owned(),
            expected: "a FEN of xiangqi, with 10 ranks".to_owned(),
        });
        return;
    }
    if ranks != RANKS as usize {
        faults.push(FenFault {
            kind: FenFaultKind::RankCount,
            found: format!("number of ranks in the placement: {ranks}"),
            expected: "10, from rank 9 down to rank 0, with / between them".to_owned(),
        });
    }
    for (text, rank) in field.split('/').zip((0..RANKS).rev()) {
        explain_rank(text, rank, faults);
    }
}

fn explain_rank(text: &str, rank: u8, faults: &mut Vec<FenFault>) {
    let mut squares = 0;
    for letter in text.chars() {
        squares += match letter {
            '1'..='9' => u32::from(letter) - u32::from('0'),
            _ if u8::try_from(letter).ok().and_then(Piece::from_letter).is_some() => 1,
            _ => {
                faults.push(FenFault {
                    kind: FenFaultKind::PieceLetter,
                    found: format!("{letter:?} on rank {rank}"),
                    expected: "a letter of KABNRCP (or E for B, H for N), small for Black, or a digit"
                        .to_owned(),
                });
                return;
            }
        };
    }
    if squares != u32::from(FILES) {
        faults.push(FenFault {
            kind: FenFaultKind::RankLength,
            found: format!("number of points on rank {rank} ({text:?}): {squares}"),
            expected: "9".to_owned(),
        });
    }
}

fn parse_side(field: &str, faults: &mut Vec<FenFault>) -> Option<Side> {
    match field {
        "w" | "r" => Some(Side::First),
        "b" => Some(Side::Second),
        _ => {
            faults.push(FenFault {
                kind: FenFaultKind::SideToMove,
                found: format!("side to move {field:?}"),
                expected: "w or r for Red, b for Black".to_owned(),
            });
            None
        }
    }
}

/// Appends the FEN of a position.
pub fn write(position: &Xiangqi, out: &mut String) {
    write_placement(position.board(), out);
    out.push_str(if position.side_to_move() == Side::First { " w - -" } else { " b - -" });
    write_counters(position.halfmove_clock(), position.fullmove_number(), out);
}

fn write_placement(board: &Board, out: &mut String) {
    let mut letters = [0_u8; 90];
    for side in Side::ALL {
        for role in Role::ALL {
            let letter = u8::try_from(Piece { side, role }.letter()).unwrap_or_default();
            for square in board.of(side, role) {
                letters[square.index()] = letter;
            }
        }
    }
    game::fen::write_placement(&letters, FILES as usize, out);
}

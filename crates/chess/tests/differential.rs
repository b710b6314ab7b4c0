//! Random play, position by position beside cozy-chess: another move generator by other authors.

#![allow(clippy::unwrap_used, reason = "a test may stop at bad data")]

use std::collections::BTreeSet;

use chess::fen;
use chess::position::{CastlingStyle, Chess};
use game::laws;
use game::notation::Notation as _;
use game::position::Position as _;
use game::zobrist::KeySource;

const POSITIONS: usize = 200_000;
const PLIES: usize = 150;

/// Chess960 start position `index` in cozy-chess's numbering, as a FEN.
fn start960(index: u32) -> String {
    format!("{:#}", cozy_chess::Board::chess960_startpos(index))
}

/// The moves of cozy-chess, castling as king takes rook.
fn peer_moves(board: &cozy_chess::Board) -> BTreeSet<String> {
    let mut moves = BTreeSet::new();
    board.generate_moves(|piece_moves| {
        moves.extend(piece_moves.into_iter().map(|m| m.to_string()));
        false
    });
    moves
}

fn compare(position: &Chess, style: CastlingStyle) {
    let mut fen = String::new();
    position.write_fen(&mut fen);
    let board = match style {
        CastlingStyle::Standard => cozy_chess::Board::from_fen(&fen, false),
        CastlingStyle::Chess960 => cozy_chess::Board::from_fen(&shredder(position, &fen), true),
    };
    let board = board.unwrap_or_else(|error| panic!("{fen}: {error}"));
    let as_960 = match style {
        CastlingStyle::Chess960 => position.clone(),
        CastlingStyle::Standard => fen::parse(&fen, CastlingStyle::Chess960).unwrap(),
    };
    let moves: BTreeSet<_> = as_960.legal_moves().into_iter().map(|m| as_960.uci(m).to_string()).collect();
    assert_eq!(moves, peer_moves(&board), "{fen}");
    assert_eq!(position.is_check(), !board.checkers().is_empty(), "{fen}");
}

/// The FEN with castling rights as files, which is how cozy-chess reads Chess960.
fn shredder(position: &Chess, fen: &str) -> String {
    use game::position::CastlingSide::{King, Queen};
    use game::side::Side;
    let mut rights = String::new();
    for side in Side::ALL {
        for wing in [King, Queen] {
            if let Some(rook) = position.castling_rook(side, wing) {
                let letter = char::from(b'a' + rook.file());
                rights.push(if side == Side::First { letter.to_ascii_uppercase() } else { letter });
            }
        }
    }
    let mut fields: Vec<_> = fen.split(' ').collect();
    if !rights.is_empty() {
        fields[2] = &rights;
    }
    fields.join(" ")
}

fn compare_random_games(style: CastlingStyle, seed: u64, mut start: impl FnMut(u64) -> Chess) {
    let mut random = KeySource::new(seed);
    let mut compared = 0;
    while compared < POSITIONS / 2 {
        let start = start(random.draw());
        let choose = |count: usize| usize::try_from(random.draw() % count as u64).unwrap();
        laws::playout(&start, PLIES, choose, |position| {
            compare(position, style);
            compared += 1;
        });
    }
}

#[test]
fn standard() {
    let start = Chess::start(CastlingStyle::Standard).unwrap();
    compare_random_games(CastlingStyle::Standard, 1, |_| start.clone());
}

#[test]
fn chess960() {
    compare_random_games(CastlingStyle::Chess960, 2, |random| {
        let fen = start960(u32::try_from(random % 960).unwrap());
        fen::parse(&fen, CastlingStyle::Chess960).unwrap_or_else(|faults| panic!("{fen}: {faults:?}"))
    });
}

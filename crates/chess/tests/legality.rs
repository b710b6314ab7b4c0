//! Why a move is not legal: one line a case, each with the squares that make it so.

#![allow(clippy::unwrap_used, reason = "a test may stop at bad data")]

use chess::fen;
use chess::position::CastlingStyle;
use game::illegal::Reason;
use game::language::Language;
use game::notation::{MoveNotation, Notation as _};

/// FEN, move, reason, rule, squares.
type Case = (&'static str, &'static str, Reason, &'static str, &'static str);

const STANDARD: &[Case] = &[
    ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "a3a4", Reason::NoPiece, "CH-01", "a3"),
    ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "Nf3", Reason::NoPiece, "CH-01", ""),
    ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e8e7", Reason::NotYourPiece, "CH-01", "e8"),
    ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e4", Reason::NoPiece, "CH-01", ""),
    ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "Zf3", Reason::Unreadable, "", ""),
    ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "0000", Reason::Unreadable, "", ""),
    ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "", Reason::Unreadable, "", ""),
    // Castling, the six conditions of CH-08.
    ("4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", "e1g1", Reason::CastlingRightLost, "CH-08", "e1"),
    ("4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", "e1h1", Reason::CastlingRightLost, "CH-08", "e1"),
    ("4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", "O-O", Reason::CastlingRightLost, "CH-08", "e1"),
    ("4k3/8/8/8/8/8/8/RN2KB1R w KQ - 0 1", "O-O", Reason::CastlingPathBlocked, "CH-08", "f1"),
    ("4k3/8/8/8/8/8/8/RN2KB1R w KQ - 0 1", "e1c1", Reason::CastlingPathBlocked, "CH-08", "b1"),
    ("4k3/4r3/8/8/8/8/8/R3K2R w KQ - 0 1", "0-0-0", Reason::CastlesOutOfCheck, "CH-08", "e7"),
    ("4k3/5r2/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", Reason::CastlesThroughCheck, "CH-08", "f1,f7"),
    ("4k3/6r1/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", Reason::CastlesIntoCheck, "CH-08", "g1,g7"),
    ("R7/8/8/8/8/8/8/4K1k1 w - - 0 1", "e1a8", Reason::OwnPieceOnTarget, "CH-02", "a8"),
    ("4R3/8/8/8/8/8/8/4K1k1 w - - 0 1", "e1e3", Reason::CastlingNotOnOneRank, "CH-08", "e1,e8"),
    ("4R3/8/8/8/8/8/8/4K1k1 w - - 0 1", "e1e8", Reason::CastlingNotOnOneRank, "CH-08", "e1,e8"),
    ("4k3/8/8/8/8/8/8/R2K3R w - - 0 1", "d1b1", Reason::NotAMoveOfThisPiece, "CH-02", ""),
    // Only from the first rank to the last does a king's move to its rook look like castling.
    ("4R3/8/8/8/8/4K3/8/6k1 w - - 0 1", "e3e8", Reason::OwnPieceOnTarget, "CH-02", "e8"),
    ("8/8/8/8/8/8/4R3/4K1k1 w - - 0 1", "e1e2", Reason::OwnPieceOnTarget, "CH-02", "e2"),
    // Castling promotes nothing, and SAN has its own sign for it.
    ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1q", Reason::PromotionInvalid, "CH-07", "e1"),
    ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1h1n", Reason::PromotionInvalid, "CH-07", "e1"),
    ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "Kh1", Reason::OwnPieceOnTarget, "CH-02", "h1"),
    ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "Kg1", Reason::NotAMoveOfThisPiece, "CH-02", ""),
    ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "Ke1-g1", Reason::NotAMoveOfThisPiece, "CH-02", ""),
    ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O=Q", Reason::Unreadable, "", ""),
    // Pawns.
    ("4k3/8/8/8/8/8/1P1B4/4K3 w - - 0 1", "bb4", Reason::Unreadable, "", ""),
    ("4k3/8/8/4p3/3P4/8/8/4K3 b - - 0 1", "exe4", Reason::Unreadable, "", ""),
    ("4k3/8/8/4p3/3P4/8/8/4K3 b - - 0 1", "-e4", Reason::Unreadable, "", ""),
    ("4k3/8/8/4p3/3P4/8/8/4K3 b - - 0 1", "e5xe4", Reason::NothingToCapture, "CH-05", "e4"),
    ("4k3/8/8/4p3/3P4/8/8/4K3 b - - 0 1", "xe4", Reason::NoPiece, "CH-01", ""),
    ("4k3/8/8/8/8/4P3/8/4K3 w - - 0 1", "e3e5", Reason::NotAMoveOfThisPiece, "CH-05", ""),
    ("4k3/8/8/8/8/4P3/8/4K3 w - - 0 1", "e3e2", Reason::NotAMoveOfThisPiece, "CH-05", ""),
    ("4k3/8/8/8/8/4P3/8/4K3 w - - 0 1", "exd4", Reason::NothingToCapture, "CH-05", "d4"),
    ("4k3/8/8/8/4n3/4P3/8/4K3 w - - 0 1", "e4", Reason::PathBlocked, "CH-05", "e4"),
    ("4k3/8/8/8/8/4n3/4P3/4K3 w - - 0 1", "e4", Reason::PathBlocked, "CH-05", "e3"),
    ("4k3/8/8/8/4N3/8/4P3/4K3 w - - 0 1", "e2e4", Reason::OwnPieceOnTarget, "CH-05", "e4"),
    ("4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", "exd6", Reason::EnPassantExpired, "CH-06", "d5"),
    ("4k3/3p4/8/3pP3/8/8/8/4K3 w - - 0 1", "exd6", Reason::NothingToCapture, "CH-05", "d6"),
    ("8/8/8/r2Pp2K/8/8/4k3/8 w - e6 0 1", "dxe6", Reason::LeavesKingInCheck, "CH-10", "a5"),
    ("4k3/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7e8", Reason::PathBlocked, "CH-05", "e8"),
    ("8/4P3/8/8/8/8/k7/4K3 w - - 0 1", "e7e8", Reason::PromotionMissing, "CH-07", "e8"),
    ("8/4P3/8/8/8/8/k7/4K3 w - - 0 1", "e8", Reason::PromotionMissing, "CH-07", "e8"),
    ("8/4P3/8/8/8/8/k7/4K3 w - - 0 1", "e7e8k", Reason::PromotionInvalid, "CH-07", "e8"),
    ("8/4P3/8/8/8/8/k7/4K3 w - - 0 1", "e8=P", Reason::PromotionInvalid, "CH-07", "e8"),
    ("4k3/8/8/8/8/4P3/8/4K3 w - - 0 1", "e3e4q", Reason::PromotionInvalid, "CH-07", "e4"),
    ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "Ra2=Q", Reason::PromotionInvalid, "CH-07", "a1"),
    // Pieces.
    ("4k3/8/8/8/8/8/8/N3K3 w - - 0 1", "a1a2", Reason::NotAMoveOfThisPiece, "CH-04", ""),
    ("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", "a1b3", Reason::NotAMoveOfThisPiece, "CH-03", ""),
    ("4k3/8/8/p7/8/P7/8/R3K3 w - - 0 1", "a1a8", Reason::PathBlocked, "CH-03", "a3"),
    ("4k3/8/8/p7/8/P7/8/R3K3 b - - 0 1", "a5a3", Reason::NotAMoveOfThisPiece, "CH-05", ""),
    ("r3k3/8/8/p7/8/P7/8/R3K3 b - - 0 1", "a8a1", Reason::PathBlocked, "CH-03", "a5"),
    ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1e1", Reason::OwnPieceOnTarget, "CH-03", "e1"),
    ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "e1e1", Reason::OwnPieceOnTarget, "CH-02", "e1"),
    // The king.
    ("4k3/8/8/8/8/8/r7/4K3 w - - 0 1", "e1e2", Reason::KingMovesIntoCheck, "CH-02", "a2"),
    ("8/8/8/8/8/4k3/8/4K3 w - - 0 1", "Ke2", Reason::KingMovesIntoCheck, "CH-02", "e3"),
    // The king does not hide the square behind it.
    ("4k3/8/8/8/r3K3/8/8/8 w - - 0 1", "e4f4", Reason::KingMovesIntoCheck, "CH-02", "a4"),
    ("4k3/8/8/8/4r3/8/8/N3K3 w - - 0 1", "Nb3", Reason::CheckNotAnswered, "CH-10", "e4"),
    ("4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1", "Nc3", Reason::LeavesKingInCheck, "CH-10", "e4"),
];

const CHESS960: &[Case] = &[
    // The rook shields its king and may not leave.
    ("4k3/8/8/8/8/8/8/qRK5 w B - 0 1", "O-O-O", Reason::CastlesIntoCheck, "CH-08", "c1,a1"),
    ("4k3/8/8/8/8/8/8/1K3R1R w H - 0 1", "b1f1", Reason::CastlingRightLost, "CH-08", "b1"),
    ("4k3/8/8/8/8/8/8/1KN2R2 w F - 0 1", "O-O", Reason::CastlingPathBlocked, "CH-08", "c1"),
];

fn check(cases: &[Case], style: CastlingStyle) {
    for &(fen, text, reason, rule, squares) in cases {
        let position = fen::parse(fen, style).unwrap_or_else(|faults| panic!("{fen}: {faults:?}"));
        for language in [Language::En, Language::Zh] {
            let illegal = position.read_move(text, MoveNotation::Auto, language).unwrap_err();
            let found: Vec<_> = illegal.squares.iter().map(ToString::to_string).collect();
            assert_eq!(
                (illegal.reason, illegal.rule, found.join(",").as_str()),
                (reason, rule, squares),
                "{fen} {text}"
            );
            assert!(!illegal.message.is_empty());
            assert_eq!(illegal.message.is_ascii(), language == Language::En, "{}", illegal.message);
        }
    }
}

#[test]
fn standard() {
    check(STANDARD, CastlingStyle::Standard);
}

#[test]
fn chess960() {
    check(CHESS960, CastlingStyle::Chess960);
}

/// FEN, text, SAN of the move that is meant.
const READ: &[(&str, &str, &str)] = &[
    // CH-09: what does not forbid castling.
    ("4k3/7r/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", "O-O"),
    ("4k3/1r6/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", "O-O-O"),
    ("4k3/r7/8/8/8/8/8/R3K2R w KQ - 0 1", "e1a1", "O-O-O"),
    ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "o-o-o", "O-O-O"),
    ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "E1G1", "O-O"),
    ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "0-0!?", "O-O"),
    // Promotions.
    ("8/4P3/8/8/8/8/k7/4K3 w - - 0 1", "e8Q", "e8=Q"),
    ("8/4P3/8/8/8/8/k7/4K3 w - - 0 1", "e7-e8=N", "e8=N"),
    ("8/4P3/8/8/8/8/k7/4K3 w - - 0 1", "e8(R)", "e8=R"),
    ("8/4P3/8/8/8/8/k7/4K3 w - - 0 1", "e8/B!", "e8=B"),
    ("8/4P3/8/8/8/8/k7/4K3 w - - 0 1", "e7e8R", "e8=R"),
    ("3r4/4P3/8/8/8/8/k7/4K3 w - - 0 1", "ed8=Q", "exd8=Q"),
    // Sloppy and long forms.
    ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6 e.p.", "exd6"),
    ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "ed6", "exd6"),
    ("4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1", "Nge2", "Nge2"),
    ("4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1", "Ng1-e2+!?", "Nge2"),
    ("4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1", "Ng1f3", "Nf3"),
    ("4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1", "♘f3#", "Nf3"),
    ("4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1", "N1e2", "Nge2"),
    ("4k3/8/8/8/8/3p4/8/4K1N1 w - - 0 1", "nf3", "Nf3"),
    ("4k3/8/8/8/8/3p4/8/2B1K3 b - - 0 1", "Pd2+", "d2+"),
    ("4k3/8/8/8/8/8/1b6/R3K3 b - - 0 1", "B:a1", "Bxa1"),
    ("4k3/8/2n5/3P4/8/8/8/4K3 w - - 0 1", "xc6", "dxc6"),
    ("4k3/8/2n5/3P4/8/8/8/4K3 w - - 0 1", "Pxc6", "dxc6"),
    ("4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1", "g1-f3", "Nf3"),
    ("4k3/8/8/8/8/2N5/8/4K1N1 w - - 0 1", "g1f3+", "Nf3"),
    ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1-g1", "O-O"),
    ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1!", "O-O"),
    ("8/4P3/8/8/8/8/k7/4K3 w - - 0 1", "e8=♛", "e8=Q"),
    // A pinned rival needs no disambiguation.
    ("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "Ne2", "Ne2"),
    ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "Kf1", "Kf1"),
    ("7k/5K2/8/8/8/8/8/6R1 w - - 0 1", "Rh1", "Rh1#"),
];

#[test]
fn texts_that_are_read() {
    for &(fen, text, san) in READ {
        let position = fen::parse(fen, CastlingStyle::Standard).unwrap();
        let m = position
            .read_move(text, MoveNotation::Auto, Language::En)
            .unwrap_or_else(|illegal| panic!("{fen} {text}: {illegal:?}"));
        let mut after = position.clone();
        after.play_unchecked(m);
        assert_eq!(position.san(m, &after).as_str(), san, "{fen} {text}");
    }
}

#[test]
fn an_ambiguous_text_names_what_fits() {
    let fen = "rnbq1rk1/ppp1ppbp/3p1np1/8/3P4/1P3NP1/PBP1PPBP/RN1QK2R b KQ - 0 6";
    let position = fen::parse(fen, CastlingStyle::Standard).unwrap();
    let illegal = position.read_move("Nd7", MoveNotation::San, Language::En).unwrap_err();
    assert_eq!(illegal.reason, Reason::Ambiguous);
    assert_eq!(illegal.candidates, ["Nfd7", "Nbd7"]);
}

#[test]
fn chess960_castling_is_read_in_both_spellings() {
    let fen = "4k3/8/8/8/8/8/8/1R1K3R w BH - 0 1";
    let position = fen::parse(fen, CastlingStyle::Chess960).unwrap();
    for (text, uci) in
        [("d1h1", "d1h1"), ("d1g1", "d1h1"), ("O-O", "d1h1"), ("d1b1", "d1b1"), ("d1c1", "d1c1")]
    {
        let m = position.read_move(text, MoveNotation::Auto, Language::En).unwrap();
        assert_eq!(position.uci(m).as_str(), uci, "{text}");
    }
}

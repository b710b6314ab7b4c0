//! Why a move is not legal: one line a case, each with the points that make it so.

#![allow(clippy::unwrap_used, reason = "a test may stop at bad data")]

use game::illegal::Reason;
use game::language::Language;
use game::notation::{MoveNotation, Notation as _};
use xiangqi::fen::{self, START};

/// FEN, move, reason, rule, points.
type Case = (&'static str, &'static str, Reason, &'static str, &'static str);

const CASES: &[Case] = &[
    (START, "a4a5", Reason::NoPiece, "XQ-2.1a", "a4"),
    (START, "车五进一", Reason::NoPiece, "XQ-2.1a", ""),
    (START, "前马进一", Reason::NoPiece, "XQ-2.1a", ""),
    (START, "h7e7", Reason::NotYourPiece, "XQ-2.1a", "h7"),
    (START, "a0b0", Reason::OwnPieceOnTarget, "XQ-2.2f", "b0"),
    (START, "hello", Reason::Unreadable, "", ""),
    (START, "炮二五平", Reason::Unreadable, "", ""),
    // Shapes.
    (START, "a0b1", Reason::NotAMoveOfThisPiece, "XQ-2.2f", ""),
    (START, "马八平七", Reason::NotAMoveOfThisPiece, "XQ-2.2e", ""),
    (START, "c3c5", Reason::NotAMoveOfThisPiece, "XQ-2.2h", ""),
    // Soldiers.
    (START, "c3d3", Reason::SoldierNotAcrossRiver, "XQ-2.2h", "c3"),
    (START, "兵七平六", Reason::SoldierNotAcrossRiver, "XQ-2.2h", "c3"),
    (START, "c3c2", Reason::SoldierMovesBackward, "XQ-2.2h", ""),
    ("4k4/9/9/2P6/9/9/9/9/9/3K5 w - - 0 1", "c6c5", Reason::SoldierMovesBackward, "XQ-2.2h", ""),
    // Palace and river.
    ("4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1", "d0c0", Reason::LeavesPalace, "XQ-2.2a", "c0"),
    ("4k4/9/9/9/9/9/9/3A5/9/5K3 w - - 0 1", "d2c3", Reason::LeavesPalace, "XQ-2.2c", "c3"),
    ("4k4/9/9/9/9/2B6/9/9/9/5K3 w - - 0 1", "c4e6", Reason::ElephantCrossesRiver, "XQ-2.2d", "e6"),
    // Legs, eyes, screens.
    (START, "b0d1", Reason::HorseLegBlocked, "XQ-2.2e", "c0"),
    ("4k4/9/9/9/9/9/9/2R6/2N6/5K3 w - - 0 1", "c1d3", Reason::HorseLegBlocked, "XQ-2.2e", "c2"),
    ("4k4/9/9/9/9/9/9/9/3N5/2B2K3 w - - 0 1", "c0e2", Reason::ElephantEyeBlocked, "XQ-2.2d", "d1"),
    ("4k4/9/9/9/r8/9/9/C8/9/5K3 w - - 0 1", "a2a5", Reason::CannonNeedsOneScreen, "XQ-2.3b", ""),
    ("4k4/9/9/9/r8/p8/p8/C8/9/5K3 w - - 0 1", "a2a5", Reason::CannonNeedsOneScreen, "XQ-2.3b", "a3,a4"),
    ("4k4/9/9/r8/9/p8/9/C8/9/5K3 w - - 0 1", "a2a5", Reason::PathBlocked, "XQ-2.2g", "a4"),
    (START, "a0a4", Reason::PathBlocked, "XQ-2.2f", "a3"),
    // The general.
    ("4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1", "d0e0", Reason::GeneralsFace, "XQ-2.2b", "e0,e9"),
    ("4k4/9/9/9/4N4/9/9/9/9/4K4 w - - 0 1", "e5c4", Reason::GeneralsFace, "XQ-2.2b", "e0,e9"),
    ("5k3/9/9/9/4r4/9/9/9/9/3K5 w - - 0 1", "d0e0", Reason::KingMovesIntoCheck, "XQ-3.1b", "e5"),
    ("3k5/9/9/9/4r4/9/9/9/9/R3K4 w - - 0 1", "a0a1", Reason::CheckNotAnswered, "XQ-3.1b", "e5"),
    ("3k5/9/9/9/4r4/9/4R4/9/9/4K4 w - - 0 1", "e3d3", Reason::LeavesKingInCheck, "XQ-3.1b", "e5"),
    // A screen for a cannon, a screen taken from between, a leg set free.
    ("3k5/9/9/9/4c4/9/R8/9/9/4K4 w - - 0 1", "a3e3", Reason::LeavesKingInCheck, "XQ-3.1b", "e5"),
    ("3k5/9/9/4c4/4p4/9/4R4/9/9/4K4 w - - 0 1", "e3d3", Reason::LeavesKingInCheck, "XQ-3.1b", "e6"),
    ("3k5/9/9/9/9/9/9/3n5/3R5/4K4 w - - 0 1", "d1a1", Reason::LeavesKingInCheck, "XQ-3.1b", "d2"),
];

#[test]
fn reasons() {
    for &(fen, text, reason, rule, points) in CASES {
        let position = fen::parse(fen).unwrap_or_else(|faults| panic!("{fen}: {faults:?}"));
        for language in [Language::En, Language::Zh] {
            let illegal = position.read_move(text, MoveNotation::Auto, language).unwrap_err();
            let found: Vec<_> = illegal.squares.iter().map(ToString::to_string).collect();
            assert_eq!(
                (illegal.reason, illegal.rule, found.join(",").as_str()),
                (reason, rule, points),
                "{fen} {text}"
            );
            assert!(!illegal.message.is_empty());
            assert!(language == Language::En || !illegal.message.is_ascii(), "{}", illegal.message);
        }
    }
}

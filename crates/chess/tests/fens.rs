//! FENs and whether they are valid (`tests/data/chess/fens.jsonl`, and the FEN cases of `cases.jsonl`).

#![allow(clippy::unwrap_used, reason = "a test may stop at bad data")]

use chess::fen;
use chess::position::CastlingStyle;
use game::fen_fault::FenFaultKind;
use serde_json::Value;

fn check(data: &str) -> usize {
    let mut checked = 0;
    for line in data.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let Some(valid) = case["expected"]["valid"].as_bool() else { continue };
        let style = match case["game"].as_str().unwrap() {
            "chess960" => CastlingStyle::Chess960,
            _ => CastlingStyle::Standard,
        };
        let result = fen::parse(case["fen"].as_str().unwrap(), style);
        assert_eq!(result.is_ok(), valid, "{case}: {result:?}");
        if let (Err(faults), Some(reason)) = (&result, case["expected"]["reason"].as_str()) {
            let names: Vec<_> = faults.iter().map(|fault| fault.kind.name().to_lowercase()).collect();
            assert!(names.iter().any(|name| name == reason), "{case}: {names:?}");
        }
        checked += 1;
    }
    checked
}

#[test]
fn verdicts_of_the_data() {
    assert_eq!(check(include_str!("../../../tests/data/chess/fens.jsonl")), 42);
    assert!(check(include_str!("../../../tests/data/chess/cases.jsonl")) >= 6);
}

/// All faults of a FEN at once, whatever fields they are in.
#[test]
fn every_independent_fault() {
    use FenFaultKind as Kind;
    let cases: &[(&str, &[FenFaultKind])] = &[
        (
            "4k3/8/8/8/8/8/8/4K3 x KQxq e9 -1 x",
            &[
                Kind::SideToMove,
                Kind::CastlingSyntax,
                Kind::EnPassantSyntax,
                Kind::HalfmoveClock,
                Kind::FullmoveNumber,
            ],
        ),
        (
            "4k2P/8/8/8/8/8/8/p3KK2 w k e6 0 1",
            &[Kind::KingCount, Kind::PawnOnBackRank, Kind::BadCastlingRight, Kind::BadEnPassant],
        ),
        ("8/8/8/8/8/8/8/8 x - - 0 1", &[Kind::SideToMove, Kind::KingCount, Kind::KingCount]),
        (
            "9/ppp/44p/k6K/8/8/8/X7 w - - 0 1",
            &[Kind::PieceLetter, Kind::RankLength, Kind::RankLength, Kind::PieceLetter],
        ),
        ("4k3/4Q3/8/8/PPPPPPPP/P7/8/QQ2K3 w - - 0 1", &[Kind::TooManyPawns, Kind::OpponentInCheck]),
        ("4k3/8/8/8/8/PPPPPPP1/8/BB1BK3 w - -", &[]),
        ("4k3/8/8/8/8/PPPPPPPP/8/B1B1K3 w - -", &[Kind::TooManyPromoted]),
        ("", &[Kind::FieldCount]),
        ("rn2k1nr/8/8/8/8/8/8/RN2K1NR w KK - 0 1", &[Kind::BadCastlingRight]),
        // A double step that opens a line is a possible check, and so is the pawn's own.
        ("8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1", &[]),
        // The pawn would have given check from where it started; that it now hides a check is let pass.
        ("8/8/K7/PpP5/8/8/8/6k1 w - b6 0 83", &[Kind::BadEnPassant]),
        ("8/4k3/6K1/7p/8/8/8/8 w - h6 0 119", &[Kind::BadEnPassant]),
        ("4r3/2br3K/k7/4Pp2/8/3b2b1/8/8 w - f6 0 102", &[Kind::BadEnPassant]),
        ("8/5bk1/8/2Pp4/8/1K6/8/8 w - d6 0 1", &[]),
        ("7k/8/8/8/1k1Pp3/8/8/K7 b - d3 0 1", &[Kind::KingCount]),
        ("7B/8/5k2/8/3Pp3/8/8/K7 b - d3 0 1", &[Kind::BadEnPassant]),
    ];
    for (fen, kinds) in cases {
        let found: Vec<_> = match fen::parse(fen, CastlingStyle::Standard) {
            Ok(_) => Vec::new(),
            Err(faults) => faults.iter().map(|fault| fault.kind).collect(),
        };
        assert_eq!(&found, kinds, "{fen}");
    }
}

#[test]
fn castling_is_written_as_x_fen() {
    for (fen, written) in [
        ("rk5r/8/8/8/8/8/8/RK5R w HAha - 0 1", "rk5r/8/8/8/8/8/8/RK5R w KQkq - 0 1"),
        ("1k2r1r1/8/8/8/8/8/8/1K2R1R1 w Ee - 0 1", "1k2r1r1/8/8/8/8/8/8/1K2R1R1 w Ee - 0 1"),
        ("1k2r1r1/8/8/8/8/8/8/1K2R1R1 w Gg - 0 1", "1k2r1r1/8/8/8/8/8/8/1K2R1R1 w Kk - 0 1"),
        ("4k2r/8/8/8/8/8/8/R3K2R b KQ - 250 300", "4k2r/8/8/8/8/8/8/R3K2R b KQ - 250 300"),
    ] {
        let mut out = String::new();
        fen::write(&fen::parse(fen, CastlingStyle::Chess960).unwrap(), &mut out);
        assert_eq!(out, written);
    }
}

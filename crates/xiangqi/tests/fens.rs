//! FENs and whether they are valid (`tests/data/xiangqi/cases.jsonl`).

#![allow(clippy::unwrap_used, reason = "a test may stop at bad data")]

use game::fen_fault::FenFaultKind as Kind;
use serde_json::Value;
use xiangqi::fen;

#[test]
fn verdicts_of_the_data() {
    let mut checked = 0;
    for line in include_str!("../../../tests/data/xiangqi/cases.jsonl").lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        if case["query"] != "ValidateFen" {
            continue;
        }
        let result = fen::parse(case["fen"].as_str().unwrap());
        match case["expected"].as_str().unwrap() {
            "accept" => assert!(result.is_ok(), "{case}: {result:?}"),
            "reject" => assert!(result.is_err(), "{case}"),
            // Choices, of which docs/fen-policy.md tells ours.
            _ => assert_eq!(
                result.is_ok(),
                ["xq-fen-019", "xq-fen-039"].contains(&case["id"].as_str().unwrap()),
                "{case}"
            ),
        }
        checked += 1;
    }
    assert!(checked >= 22, "only {checked} cases");
}

/// All faults of a FEN at once, whatever fields they are in.
#[test]
fn every_independent_fault() {
    let cases: &[(&str, &[Kind])] = &[
        ("4k4/9/9/9/9/9/9/9/9/3K5", &[Kind::FieldCount]),
        ("4k4/9/9/9/9/9/9/9/9/3K5 r", &[]),
        ("4k4/9/9/9/9/9/9/9/9/3K5 b - -", &[]),
        ("rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r - - 0 1", &[]),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", &[Kind::WrongGame, Kind::UnusedField]),
        ("4k4/9/9/9/9/9/9/9/9/4K4 w", &[Kind::GeneralsFace]),
        (
            "4k4/9/9/9/9/9/9/9/9/3K5 x KQ e3 -1 z",
            &[
                Kind::SideToMove,
                Kind::UnusedField,
                Kind::UnusedField,
                Kind::HalfmoveClock,
                Kind::FullmoveNumber,
            ],
        ),
        (
            "4k4/rrr6/9/9/9/9/9/9/PA7/B2K5 w - - 0 1",
            &[Kind::PieceOutOfPlace, Kind::PieceOutOfPlace, Kind::PieceOutOfPlace, Kind::TooManyOfKind],
        ),
        ("9/9/9/4k4/9/9/9/9/4R4/3K5 b - - 0 1", &[Kind::PieceOutOfPlace]),
        ("4k4/9/9/9/9/9/9/9/4R4/3KK4 w - - 0 1", &[Kind::KingCount, Kind::OpponentInCheck]),
        ("4k4/9/9/x8/9/9/9/9/10/3K5 w - - 0 1", &[Kind::PieceLetter, Kind::PieceLetter]),
    ];
    for (fen, kinds) in cases {
        let found: Vec<_> = match fen::parse(fen) {
            Ok(_) => Vec::new(),
            Err(faults) => faults.iter().map(|fault| fault.kind).collect(),
        };
        assert_eq!(&found, kinds, "{fen}");
    }
}

#[test]
fn letters_are_written_one_way() {
    let mut out = String::new();
    let fen = "rheakaehr/9/1c5c1/p1p1p1p1p/9/54/P1P1P1P1P/1C5C1/9/RHEAKAEHR r";
    fen::write(&fen::parse(fen).unwrap(), &mut out);
    assert_eq!(out, fen::START);
}

//! Notations: the cases of `tests/data/xiangqi/cases.jsonl` and the printed games.

#![allow(clippy::unwrap_used, reason = "a test may stop at bad data")]

use std::io::Read as _;

use game::illegal::{Illegal, Reason};
use game::language::Language;
use game::notation::{MoveNotation, Notation as _};
use game::position::Position as _;
use serde_json::Value;
use xiangqi::fen;
use xiangqi::moves::Move;
use xiangqi::position::Xiangqi;
use xiangqi::square::Square;

fn read(position: &Xiangqi, text: &str, notation: MoveNotation) -> Result<Move, Illegal<Square>> {
    position.read_move(text, notation, Language::En)
}

/// A move in every notation that xiangqi writes, and in the one that is only read.
fn texts(position: &Xiangqi, m: Move) -> [(MoveNotation, String); 4] {
    let text = position.move_text(m, position);
    [
        (MoveNotation::Uci, text.uci.to_string()),
        (MoveNotation::Iccs, text.iccs.to_string()),
        (MoveNotation::Wxf, text.wxf.to_string()),
        (MoveNotation::Chinese, text.chinese.to_string()),
    ]
}

#[test]
fn cases_are_converted() {
    let mut converted = 0;
    for line in include_str!("../../../tests/data/xiangqi/cases.jsonl").lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        // One case has an elephant across the river, which no position has (docs/fen-policy.md).
        if case["query"] != "convert" || case["id"] == "xq-notation-109" {
            continue;
        }
        let position = fen::parse(case["fen"].as_str().unwrap()).unwrap();
        let m = read(&position, case["input"].as_str().unwrap(), MoveNotation::Uci).unwrap();
        let expected = &case["expected"];
        for (notation, text) in texts(&position, m) {
            assert_eq!(text, expected[notation.name().to_lowercase()].as_str().unwrap(), "{case}");
            assert_eq!(read(&position, &text, notation), Ok(m), "{case}");
            assert_eq!(read(&position, &text, MoveNotation::Auto), Ok(m), "{case}");
        }
        let rank1 = expected["uci_rank1"].as_str().unwrap();
        assert_eq!(read(&position, rank1, MoveNotation::UciRank1), Ok(m), "{case}");
        converted += 1;
    }
    assert_eq!(converted, 37);
}

/// FEN, text, UCI of the move that is meant.
const READ: &[(&str, &str, &str)] = &[
    (fen::START, "C2.5", "h2e2"),
    (fen::START, "C2=5!", "h2e2"),
    (fen::START, "炮二平五?!", "h2e2"),
    (fen::START, "c2=5", "h2e2"),
    (fen::START, "N8+7", "b0c2"),
    (fen::START, "B7+5", "c0e2"),
    (fen::START, "砲二平五", "h2e2"),
    (fen::START, "包２平５", "h2e2"),
    (fen::START, "炮25", "h2e2"),
    (fen::START, "馬八進七", "b0c2"),
    (fen::START, "傌87", "b0c2"),
    (fen::START, "俥九進一", "a0a1"),
    (fen::START, "帥五進一", "e0e1"),
    (fen::START, "象七进五", "c0e2"),
    (fen::START, "士四進五", "f0e1"),
    (fen::START, "卒三进一", "g3g4"),
    (fen::START, "h2-e2", "h2e2"),
    (fen::START, "H2E2", "h2e2"),
    ("4k4/9/9/R8/9/9/R8/9/9/3K5 w - - 0 1", "+R=8", "a6b6"),
    ("4k4/9/9/R8/9/9/R8/9/9/3K5 w - - 0 1", "前車平八", "a6b6"),
    // Only the front chariot can go forward four.
    ("4k4/9/9/9/R8/9/R8/9/9/3K5 w - - 0 1", "车九进四", "a5a9"),
    ("3k5/9/4P4/4P4/4P4/4P4/9/9/9/5K3 w - - 0 1", "前兵平六", "e7d7"),
    ("2P2a3/3k2C2/4R3b/9/3r2p1P/3p5/7C1/B8/3p2ppc/c3K4 b - - 7 9", "一卒平5", "d1e1"),
];

#[test]
fn texts_that_are_read() {
    for &(fen, text, uci) in READ {
        let position = fen::parse(fen).unwrap_or_else(|faults| panic!("{fen}: {faults:?}"));
        let m =
            read(&position, text, MoveNotation::Auto).unwrap_or_else(|illegal| panic!("{text}: {illegal:?}"));
        assert_eq!(position.uci(m).as_str(), uci, "{fen} {text}");
    }
}

#[test]
fn an_ambiguous_text_names_what_fits() {
    let position = fen::parse("4k4/9/9/R8/9/9/R8/9/9/3K5 w - - 0 1").unwrap();
    let illegal = read(&position, "车九进一", MoveNotation::Chinese).unwrap_err();
    assert_eq!(illegal.reason, Reason::Ambiguous);
    assert_eq!(illegal.candidates, ["后车进一", "前车进一"]);
}

fn unpack(data: &[u8]) -> String {
    let mut text = String::new();
    flate2::read::GzDecoder::new(data).read_to_string(&mut text).unwrap();
    text
}

/// Every text that is printed is the move that stands beside it, and every text that is written is read
/// back.
#[test]
fn printed_games_are_read() {
    let games = unpack(include_bytes!("../../../tests/data/xiangqi/games/ccpd.jsonl.gz"));
    let mut count = 0;
    for line in games.lines() {
        let game: Value = serde_json::from_str(line).unwrap();
        let mut position = fen::parse(game["fen"].as_str().unwrap()).unwrap();
        for (zh, uci) in game["zh"].as_array().unwrap().iter().zip(game["uci"].as_array().unwrap()) {
            let (zh, uci) = (zh.as_str().unwrap(), uci.as_str().unwrap());
            let m = read(&position, zh, MoveNotation::Auto)
                .unwrap_or_else(|illegal| panic!("{} {zh}: {illegal:?}", game["id"]));
            assert_eq!(position.uci(m).as_str(), uci, "{} {zh}", game["id"]);
            for (notation, text) in texts(&position, m) {
                assert_eq!(read(&position, &text, notation), Ok(m), "{text}");
            }
            position.play_unchecked(m);
        }
        count += 1;
    }
    assert_eq!(count, 1500);
}

#[test]
fn master_games_are_read() {
    let games = unpack(include_bytes!("../../../tests/data/xiangqi/games/masters_uci.txt.gz"));
    let mut count = 0;
    for line in games.lines() {
        let mut position = fen::parse(fen::START).unwrap();
        for uci in line.split_whitespace().skip(1) {
            let m = read(&position, uci, MoveNotation::Uci)
                .unwrap_or_else(|illegal| panic!("{line} {uci}: {illegal:?}"));
            for (_, text) in texts(&position, m) {
                assert_eq!(read(&position, &text, MoveNotation::Auto), Ok(m), "{text}");
            }
            position = position.after(m);
        }
        count += 1;
    }
    assert_eq!(count, 2516);
}

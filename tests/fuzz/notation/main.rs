//! Moves: any text is a legal move, which its own spelling in the same notation means, too, or is refused with
//! a reason. UCI, where a text has one meaning, is a target of its own.

use bolero::check;
use fuzz::{TIME, chess_positions, pick, texts, xiangqi_positions};
use game::language::Language;
use game::notation::{MoveNotation, MoveString, Notation};

const CHESS_FRAGMENTS: &[&str] = &[
    "K", "Q", "R", "B", "N", "P", "a", "b", "c", "d", "e", "f", "g", "h", "1", "2", "3", "4", "5", "6", "7",
    "8", "x", ":", "-", "=", "=Q", "(N)", "/", "+", "#", "++", "O", "0", "o", "O-O", "0-0-0", "!", "?",
    "e.p.", " ", "@", "♘", "é",
];

const CHESS_SAMPLES: &[&str] = &[
    "e4",
    "exd5",
    "Nbd7",
    "R1e2",
    "Qa1xb2+",
    "O-O",
    "O-O-O",
    "0-0",
    "e8=Q",
    "bxa1=N#",
    "e2-e4",
    "Ng1-f3",
    "exd6 e.p.",
];

const XIANGQI_FRAGMENTS: &[&str] = &[
    "兵", "卒", "仕", "士", "相", "象", "马", "馬", "傌", "炮", "砲", "包", "车", "車", "俥", "帅", "將",
    "前", "中", "后", "後", "进", "進", "退", "平", "一", "二", "三", "四", "五", "六", "七", "八", "九",
    "１", "５", "９", "1", "2", "3", "4", "5", "6", "7", "8", "9", "0", "10", "C", "H", "n", "R", "P", "E",
    "A", "K", "+", "-", "=", ".", "a", "e", "i", "j", " ", "é",
];

const XIANGQI_SAMPLES: &[&str] = &[
    "炮二平五",
    "馬８進７",
    "前车进一",
    "后馬退四",
    "中兵平六",
    "三兵进一",
    "炮25",
    "C2=5",
    "h8+7",
    "R+=2",
    "+r.2",
    "15+1",
    "H2-E2",
    "h3e3",
    "a10b10",
];

fn main() {
    let (chess, xiangqi) = (chess_positions(), xiangqi_positions());
    check!().with_test_time(TIME).for_each(|input: &[u8]| {
        for text in texts(input, CHESS_FRAGMENTS, CHESS_SAMPLES) {
            try_text(pick(&chess, input), &text);
        }
        for text in texts(input, XIANGQI_FRAGMENTS, XIANGQI_SAMPLES) {
            try_text(pick(&xiangqi, input), &text);
        }
    });
}

fn try_text<P: Notation>(position: &P, text: &str) {
    for &notation in P::NOTATIONS.iter().chain(&[MoveNotation::Auto]) {
        match position.read_move(text, notation, Language::En) {
            Ok(m) => {
                assert!(position.is_legal(m), "{position:?}: {text:?} is {m:?}");
                let written = written(position, m, notation);
                let again = position.read_move(&written, notation, Language::En);
                assert!(written.is_empty() || again == Ok(m), "{position:?}: {text:?} is {written}");
            }
            Err(illegal) => assert!(!illegal.message.is_empty(), "{position:?}: {text:?}: {illegal:?}"),
        }
    }
}

/// A move in a notation; empty for a notation that is only read.
fn written<P: Notation>(position: &P, m: P::Move, notation: MoveNotation) -> MoveString {
    let text = position.move_text(m, &position.after(m));
    match notation {
        MoveNotation::Auto | MoveNotation::Uci => text.uci,
        MoveNotation::UciRank1 => MoveString::new(),
        MoveNotation::San => text.san,
        MoveNotation::Iccs => text.iccs,
        MoveNotation::Wxf => text.wxf,
        MoveNotation::Chinese => text.chinese,
    }
}

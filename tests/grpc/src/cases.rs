//! The lines of `tests/data`, read and asked.

use std::io::Read as _;

use proto::v1::{Game, GameStatusRequest, Variant};
use serde_json::Value;

use crate::games::from_fen;
use crate::{Client, Fault};

/// The cases of a file, one on each line.
///
/// # Panics
/// A line is not JSON.
pub fn cases(data: &str) -> impl Iterator<Item = Value> {
    data.lines().map(|line| serde_json::from_str(line).expect("a case"))
}

/// A field of a case, empty where it has none.
#[must_use]
pub fn text<'a>(case: &'a Value, field: &str) -> &'a str {
    case[field].as_str().unwrap_or_default()
}

/// The texts in a field of a case.
///
/// # Panics
/// It has no list of texts there.
#[must_use]
pub fn texts(case: &Value, field: &str) -> Vec<String> {
    let list = case[field].as_array().expect("a list");
    list.iter().map(|item| item.as_str().expect("a text").to_owned()).collect()
}

/// The game that a case is about.
///
/// # Panics
/// It names no game that is known.
#[must_use]
pub fn game_of(case: &Value) -> Game {
    let variant = match text(case, "game") {
        "chess" => Variant::Chess,
        "chess960" => Variant::Chess960,
        "xiangqi" => Variant::Xiangqi,
        game => panic!("{game}"),
    };
    let moves = texts(case, "moves");
    Game { variant: variant.into(), moves, ..from_fen(text(case, "fen"), "") }
}

/// Asks whether the FEN of a case is accepted. If it is not, every fault is named alike in the metadata and
/// in the fields, and the kinds of the faults are returned.
///
/// # Panics
/// The answer is not as it should be.
pub async fn check_fen(client: &mut Client, case: &Value, is_valid: bool) -> Vec<String> {
    let answer = client.game_status(GameStatusRequest { game: Some(game_of(case)) }).await;
    assert_eq!(answer.is_ok(), is_valid, "{case}: {answer:?}");
    if is_valid {
        return Vec::new();
    }
    let fault = Fault::expect(answer);
    assert_eq!(fault.reason, "FEN_INVALID", "{case}");
    let kinds: Vec<_> = fault.metadata["faults"].split(',').map(str::to_owned).collect();
    assert_eq!(fault.fields.len(), kinds.len());
    for ((field, description), kind) in fault.fields.iter().zip(&kinds) {
        assert_eq!(field, "game.initial_fen");
        assert!(description.starts_with(kind) && description.contains("expected"), "{description}");
    }
    kinds
}

/// The text of a file that was packed with gzip.
///
/// # Panics
/// It was not, or is no UTF-8.
#[must_use]
pub fn unpacked(file: &[u8]) -> String {
    let mut text = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).expect("a packed text");
    text
}

//! What the fuzz targets share: how bytes become texts and positions.
//!
//! Each target is a directory with a `main.rs`, a `corpus` and, once there are any, `crashes`: a file for
//! each input that ever made it fail. `cargo xtask fuzz` runs all files and then random inputs for
//! [`TIME`]; `BOLERO_RANDOM_TEST_TIME_MS` changes that. They are bolero targets, so that `cargo bolero test`
//! can drive them with libFuzzer, too.

use std::time::Duration;

use chess::position::{CastlingStyle, Chess};
use game::notation::Notation;
use game::perft::parse_epd;
use xiangqi::position::Xiangqi;

/// How long each target looks at random inputs.
pub const TIME: Duration = Duration::from_secs(4);

const STANDARD: &str = include_str!("../../data/chess/perft/standard.epd");
const CHESS960: &str = include_str!("../../data/chess/perft/chess960.epd");
const XIANGQI: &str = include_str!("../../data/xiangqi/perft/xiangqi.epd");

/// FENs of chess and Chess960 from the perft files.
///
/// # Panics
/// A perft file cannot be read.
#[must_use]
pub fn chess_fens() -> Vec<&'static str> {
    [fens(STANDARD), fens(CHESS960)].concat()
}

/// FENs of xiangqi from the perft file.
///
/// # Panics
/// The perft file cannot be read.
#[must_use]
pub fn xiangqi_fens() -> Vec<&'static str> {
    fens(XIANGQI)
}

/// The positions of chess and Chess960 from the perft files.
///
/// # Panics
/// A FEN of the perft files cannot be read.
#[must_use]
pub fn chess_positions() -> Vec<Chess> {
    [positions(STANDARD, CastlingStyle::Standard), positions(CHESS960, CastlingStyle::Chess960)].concat()
}

/// The positions of xiangqi from the perft file.
///
/// # Panics
/// A FEN of the perft file cannot be read.
#[must_use]
pub fn xiangqi_positions() -> Vec<Xiangqi> {
    positions(XIANGQI, ())
}

fn fens(file: &str) -> Vec<&str> {
    let read = parse_epd(file).expect("the perft files keep their format");
    read.into_iter().map(|counted| counted.fen).collect()
}

fn positions<P: Notation>(file: &str, style: P::Style) -> Vec<P> {
    let read = |fen| P::parse_fen(fen, style).expect("the perft files have good FENs");
    fens(file).into_iter().map(read).collect()
}

/// A position that depends on the input.
///
/// # Panics
/// There are no positions.
pub fn pick<'a, P>(positions: &'a [P], input: &[u8]) -> &'a P {
    let at = input.iter().fold(0_usize, |sum, &byte| sum * 31 % 4_093 + usize::from(byte));
    &positions[at % positions.len()]
}

/// Three readings of one input, since plain bytes hardly ever get past the first check of a reader: the
/// bytes as text, a text spelled with fragments of the grammar, and a good text with a few changes.
#[must_use]
pub fn texts(input: &[u8], fragments: &[&str], samples: &[&str]) -> [String; 3] {
    [String::from_utf8_lossy(input).into_owned(), spell(input, fragments), change(input, fragments, samples)]
}

/// Spells a text: each byte picks a fragment.
fn spell(input: &[u8], fragments: &[&str]) -> String {
    // Long texts are not better texts.
    input.iter().take(64).map(|&byte| fragments[usize::from(byte) % fragments.len()]).collect()
}

/// Picks a sample and changes up to three of its characters: each is replaced, or gets a fragment beside
/// it, or is taken out.
fn change(input: &[u8], fragments: &[&str], samples: &[&str]) -> String {
    let [high, low, count, changes @ ..] = input else { return String::new() };
    let pick = usize::from(u16::from_be_bytes([*high, *low]));
    let mut text: Vec<String> = samples[pick % samples.len()].chars().map(String::from).collect();
    for change in changes.chunks_exact(3).take(usize::from(count % 4)) {
        if text.is_empty() {
            break;
        }
        let at = usize::from(change[0]) % text.len();
        let fragment = fragments[usize::from(change[1]) % fragments.len()];
        match change[2] % 3 {
            0 => fragment.clone_into(&mut text[at]),
            1 => text[at].push_str(fragment),
            _ => text[at].clear(),
        }
    }
    text.concat()
}

//! What the fuzz targets share: how bytes become texts and positions.
//!
//! Each target is a directory with a `main.rs`, a `corpus` and, once there are any, `crashes`: a file for
//! each input that ever made it fail. `cargo xtask fuzz` runs all files and then random inputs for
//! [`TIME`]; `BOLERO_RANDOM_TEST_TIME_MS` changes that. They are bolero targets, so that `cargo bolero test`
//! can drive them with libFuzzer, too.

use std::time::Duration;

use chess::position::{CastlingStyle, Chess};
use game::notation::Notation as _;
use game::perft::parse_epd;

/// How long each target looks at random inputs.
pub const TIME: Duration = Duration::from_secs(4);

/// Positions from the perft files, a style of castling for each file.
const POSITIONS: [(&str, CastlingStyle); 2] = [
    (include_str!("../../data/chess/perft/standard.epd"), CastlingStyle::Standard),
    (include_str!("../../data/chess/perft/chess960.epd"), CastlingStyle::Chess960),
];

/// FENs of the perft files with their styles.
///
/// # Panics
/// A perft file cannot be read.
#[must_use]
pub fn fens() -> Vec<(&'static str, CastlingStyle)> {
    let read = |file| parse_epd(file).expect("the perft files keep their format");
    POSITIONS
        .into_iter()
        .flat_map(|(file, style)| read(file).into_iter().map(move |counted| (counted.fen, style)))
        .collect()
}

/// The positions of the perft files.
///
/// # Panics
/// A FEN of the perft files cannot be read.
#[must_use]
pub fn positions() -> Vec<Chess> {
    let read = |(fen, style)| Chess::parse_fen(fen, style).expect("the perft files have good FENs");
    fens().into_iter().map(read).collect()
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

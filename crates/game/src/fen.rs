//! What the FENs of all games have in common: the layout of the placement and the two counters.

use crate::fen_fault::{FenFault, FenFaultKind};

/// The largest halfmove clock and move number that are read.
pub const MAX_COUNTER: u32 = 1_000_000;

/// Reads the halfmove clock or the move number; 0 where it is a fault.
pub fn parse_counter(field: &str, kind: FenFaultKind, faults: &mut Vec<FenFault>) -> u32 {
    let is_digits = field.bytes().all(|byte| byte.is_ascii_digit());
    let counter = field.parse().ok().filter(|&counter| is_digits && counter <= MAX_COUNTER);
    counter.unwrap_or_else(|| {
        let name = if kind == FenFaultKind::HalfmoveClock { "halfmove clock" } else { "move number" };
        faults.push(FenFault {
            kind,
            found: format!("{name} {field:?}"),
            expected: format!("a whole number from 0 to {MAX_COUNTER}"),
        });
        0
    })
}

/// Appends the halfmove clock and the move number, each after a blank.
pub fn write_counters(halfmove_clock: u32, fullmove_number: u32, out: &mut String) {
    for counter in [halfmove_clock, fullmove_number] {
        out.push(' ');
        out.push_str(itoa::Buffer::new().format(counter));
    }
}

/// The piece of each byte that is the letter of one.
pub type Letters<P> = [Option<P>; 256];

/// Reads a placement of `ranks` times `files` squares, and says whether it is one. `put` is given the piece
/// of each byte, if it is a letter, and the number of its square, counted as the text goes: from the left of the
/// last rank.
///
/// Whether the next byte is a letter or a digit is a guess that processors get wrong half of the time. So there
/// is no branch on it here, and should be none in `put`.
pub fn read_placement<P: Copy>(
    field: &[u8],
    (files, ranks): (u8, u8),
    letters: &Letters<P>,
    mut put: impl FnMut(Option<P>, usize),
) -> bool {
    let (files, ranks) = (usize::from(files), usize::from(ranks));
    let (mut place, mut slashes, mut is_wrong) = (0, 0, false);
    for &byte in field {
        let piece = letters[usize::from(byte)];
        let empty = usize::from(byte.wrapping_sub(b'0'));
        let (is_slash, is_empty) = (byte == b'/', (1..=files).contains(&empty));
        put(piece, place.min(files * ranks - 1));
        slashes += usize::from(is_slash);
        is_wrong |= is_slash & (place != slashes * files);
        is_wrong |= !(is_slash | is_empty | piece.is_some());
        place += usize::from(piece.is_some()) + empty * usize::from(is_empty);
    }
    !is_wrong && place == files * ranks && slashes + 1 == ranks
}

/// Appends a placement. `letters` has the ASCII letter of each square's piece, or 0, from the first rank
/// to the last; each rank has `files` of them, at most 9.
///
/// # Panics
/// There are more than 90 squares, or ranks of no square.
pub fn write_placement(letters: &[u8], files: usize, out: &mut String) {
    // 90 letters or digits, 10 slashes, and what is written and not kept.
    let mut text = [0; 104];
    let mut length = 0;
    for rank in letters.chunks_exact(files).rev() {
        let mut empty = 0;
        for &letter in rank {
            // A digit and a letter are written, and what holds is kept: as in reading, there is no branch.
            let (is_piece, is_after_empty) = (u8::from(letter != 0), usize::from(empty > 0));
            text[length] = b'0' + empty;
            text[length + is_after_empty] = letter;
            length += (is_after_empty + 1) * usize::from(is_piece);
            empty = (empty + 1) * (1 - is_piece);
        }
        text[length] = b'0' + empty;
        length += usize::from(empty > 0);
        text[length] = b'/';
        length += 1;
    }
    let text = &text[..length.saturating_sub(1)];
    out.push_str(str::from_utf8(text).unwrap_or_default());
}

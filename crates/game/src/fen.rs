//! What the FENs of all games have in common: the layout of the placement and the two counters.

use arrayvec::ArrayVec;

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

/// Appends a placement. `letters` has the ASCII letter of each square's piece, or 0, from the first rank
/// to the last; each rank has `files` of them, at most 9.
///
/// # Panics
/// There are more than 90 squares, or ranks of no square.
pub fn write_placement(letters: &[u8], files: usize, out: &mut String) {
    // 90 letters or digits and 10 slashes at most.
    let mut text = ArrayVec::<u8, 100>::new();
    for rank in letters.chunks_exact(files).rev() {
        let mut empty = 0;
        for &letter in rank {
            if letter == 0 {
                empty += 1;
                continue;
            }
            push_digit(&mut empty, &mut text);
            text.push(letter);
        }
        push_digit(&mut empty, &mut text);
        text.push(b'/');
    }
    text.pop();
    out.push_str(str::from_utf8(&text).unwrap_or_default());
}

/// Writes a count of empty squares, if there are any, and starts a new count.
#[inline]
fn push_digit(empty: &mut u8, text: &mut ArrayVec<u8, 100>) {
    if *empty > 0 {
        text.push(b'0' + *empty);
        *empty = 0;
    }
}

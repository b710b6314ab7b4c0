//! Perft: counting the leaves of the tree of legal moves, the standard test of a move generator
//! (<https://www.chessprogramming.org/Perft>).

use crate::notation::Notation;
use crate::position::Position;

/// The number of positions that `depth` legal moves lead to. The last ply is counted without playing
/// it ("bulk counting").
pub fn perft<P: Position>(position: &P, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.legal_move_count() as u64,
        _ => position.legal_moves().into_iter().map(|m| perft(&position.after(m), depth - 1)).sum(),
    }
}

/// A position with known counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counted<'a> {
    /// The position.
    pub fen: &'a str,
    /// Depths in plies, each with its count.
    pub counts: Vec<(u32, u64)>,
}

/// Reads a perft file: a position on each line that is not empty, as `FEN ;D1 20 ;D2 400`. A part
/// `;id NAME` names the position and is skipped.
///
/// # Errors
/// The first line that breaks the format, and what is wrong with it.
pub fn parse_epd(text: &str) -> Result<Vec<Counted<'_>>, String> {
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    lines.map(|(line, number)| parse_line(line).map_err(|fault| format!("line {number}: {fault}"))).collect()
}

/// What came of the counts of a perft file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Checked {
    /// How many counts were checked.
    pub counts: usize,
    /// How many leaf nodes they have together.
    pub nodes: u64,
    /// A sentence for each count that is wrong.
    pub wrong: Vec<String>,
}

/// Counts every position of a perft file to each depth whose known count is at most `max_nodes`.
///
/// # Errors
/// The file breaks its format.
pub fn check_epd<P: Notation>(text: &str, style: P::Style, max_nodes: u64) -> Result<Checked, String> {
    let mut checked = Checked::default();
    for Counted { fen, counts } in parse_epd(text)? {
        let position = P::parse_fen(fen, style);
        for (depth, expected) in counts.into_iter().filter(|&(_, nodes)| nodes <= max_nodes) {
            let found = position.as_ref().map(|position| perft(position, depth));
            if found != Ok(expected) {
                checked.wrong.push(format!("{fen} depth {depth}: {found:?}, expected {expected}"));
            }
            checked.counts += 1;
            checked.nodes += expected;
        }
    }
    Ok(checked)
}

fn parse_line(line: &str) -> Result<Counted<'_>, String> {
    let mut parts = line.split(';').map(str::trim);
    let fen = parts.next().unwrap_or_default();
    let counts: Vec<_> = parts
        .filter(|part| !part.starts_with("id "))
        .map(|part| parse_count(part).ok_or(format!("{part:?} is no count; expected one like \"D1 20\"")))
        .collect::<Result<_, _>>()?;
    if fen.is_empty() || counts.is_empty() {
        return Err("no FEN or no count; expected a line like \"FEN ;D1 20 ;D2 400\"".to_owned());
    }
    Ok(Counted { fen, counts })
}

fn parse_count(part: &str) -> Option<(u32, u64)> {
    let (depth, nodes) = part.strip_prefix('D')?.split_once(' ')?;
    Some((depth.parse().ok()?, nodes.trim().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_fen_and_its_counts() {
        let read = parse_epd("8/8 w - - 0 1 ;D1 20 ;D2  400\r\n\n9/9 b ; D10 7 ;id two words\n").unwrap();
        let first = Counted { fen: "8/8 w - - 0 1", counts: vec![(1, 20), (2, 400)] };
        assert_eq!(read, [first, Counted { fen: "9/9 b", counts: vec![(10, 7)] }]);
    }

    #[test]
    fn a_broken_line_is_named() {
        for broken in [
            "8/8",
            ";D1 20",
            "8/8 ;D1",
            "8/8 ;1 20",
            "8/8 ;D1 -20",
            "8/8 ;D1 20 ;",
            "8/8 ;D1 2 3",
            "8/8 ;id x",
            "8/8 ;D1 2 ;x y",
        ] {
            let error = parse_epd(&format!("9/9 ;D1 1\n{broken}\n")).expect_err(broken);
            assert!(error.starts_with("line 2: ") && error.contains("expected"), "{error}");
        }
    }
}

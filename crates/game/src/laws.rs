//! Laws that every position of every game must obey.
//!
//! A law is written once and asserted for both games. The best ones compare two independent ways to
//! the same answer. Each function panics, with the position in its message, when a law is broken: they
//! are for tests.

use crate::language::Language;
use crate::notation::{MoveNotation, Notation};
use crate::position::{MoveList, Position};
use crate::square::Square;
use crate::tactics::Tactics;

/// Asserts all laws of one position.
///
/// # Panics
/// When a law is broken.
pub fn assert_position<P: Notation>(position: &P, style: P::Style) {
    assert_moves(position);
    assert_moves_between_all_squares(position);
    assert_texts(position);
    assert_fen(position, style);
    assert_successors(position, style);
}

/// Counting, listing and judging legal moves agree, and no move is listed twice.
///
/// # Panics
/// When the law is broken.
pub fn assert_moves<P: Notation>(position: &P) {
    let moves = position.legal_moves();
    let fen = fen_of(position);
    assert_eq!(moves.len(), position.legal_move_count(), "count of legal moves: {fen}");
    assert_eq!(moves.is_empty(), !position.has_legal_move(), "existence of a legal move: {fen}");
    assert_eq!(position.is_check(), position.checkers().any(), "check: {fen}");
    for (i, &m) in moves.iter().enumerate() {
        assert!(position.is_legal(m), "{m:?} is listed but not legal: {fen}");
        assert!(!moves[..i].contains(&m), "{m:?} is listed twice: {fen}");
    }
}

/// For each pair of squares, a text is read as a move exactly when it spells a listed one.
///
/// # Panics
/// When the law is broken.
pub fn assert_moves_between_all_squares<P: Notation>(position: &P) {
    let listed: Vec<_> = position.legal_moves().into_iter().map(|m| position.uci(m)).collect();
    let squares = || (0..P::Square::COUNT).filter_map(P::Square::from_index);
    for from in squares() {
        for to in squares() {
            for promotion in ["", "q", "k"] {
                let text = format!("{from}{to}{promotion}");
                match position.read_move(&text, MoveNotation::Uci, Language::En) {
                    Ok(m) => {
                        assert!(listed.contains(&position.uci(m)), "{text}: {}", fen_of(position));
                        assert_spells(position, &text, m);
                    }
                    Err(illegal) => {
                        assert!(
                            !listed.iter().any(|uci| **uci == *text),
                            "{text} is refused: {}",
                            fen_of(position)
                        );
                        assert!(!illegal.message.is_empty(), "{text} is refused without a sentence");
                    }
                }
            }
        }
    }
}

/// A UCI text that is read as `m` spells `m` and no other move: it is the move's own UCI, or castling
/// asked for in another way, by squares alone and from the king's.
///
/// # Panics
/// When the law is broken.
pub fn assert_spells<P: Notation>(position: &P, text: &str, m: P::Move) {
    let facts = position.facts(m);
    let is_castling = facts.castling.is_some()
        && text.len() == 2 * facts.from.text().len()
        && text.starts_with(facts.from.text().as_str());
    assert!(*position.uci(m) == *text || is_castling, "{text} is read as {m:?}: {}", fen_of(position));
}

/// Each legal move is read back from every notation it is written in, and no two moves are written
/// alike.
///
/// # Panics
/// When the law is broken.
pub fn assert_texts<P: Notation>(position: &P) {
    let mut seen = Vec::new();
    for m in position.legal_moves() {
        let text = position.move_text(m, &position.after(m));
        assert_eq!(text.uci, position.uci(m));
        let texts = [
            (text.uci, MoveNotation::Uci),
            (text.san, MoveNotation::San),
            (text.iccs, MoveNotation::Iccs),
            (text.wxf, MoveNotation::Wxf),
            (text.chinese, MoveNotation::Chinese),
        ];
        for (text, notation) in texts {
            assert_eq!(text.is_empty(), !P::NOTATIONS.contains(&notation), "{}", notation.name());
            if text.is_empty() {
                continue;
            }
            for notation in [notation, MoveNotation::Auto] {
                let read = position.read_move(&text, notation, Language::En);
                assert_eq!(read, Ok(m), "{text} as {}: {}", notation.name(), fen_of(position));
            }
            assert!(!seen.contains(&text), "{text} is written twice: {}", fen_of(position));
            seen.push(text);
        }
    }
}

/// A position is read back from its FEN as the same position.
///
/// # Panics
/// When the law is broken.
pub fn assert_fen<P: Notation>(position: &P, style: P::Style) {
    let fen = fen_of(position);
    let read = P::parse_fen(&fen, style).unwrap_or_else(|faults| panic!("{fen} is refused: {faults:?}"));
    assert_eq!(read.key(), position.key(), "key of {fen}");
    assert_eq!(fen_of(&read), fen, "second writing of {fen}");
    assert_eq!(read.checkers(), position.checkers(), "checkers of {fen}");
    assert_eq!(read.legal_moves(), position.legal_moves(), "moves of {fen}");
}

/// A position that a legal move leads to is the one that its FEN describes: whatever is kept up to date
/// move by move equals what is computed afresh.
///
/// # Panics
/// When the law is broken.
pub fn assert_successors<P: Notation>(position: &P, style: P::Style) {
    for m in position.legal_moves() {
        let after = position.after(m);
        assert_eq!(after.side_to_move(), !position.side_to_move(), "{m:?}: {}", fen_of(position));
        assert_ne!(after.key(), position.key(), "{m:?}: {}", fen_of(position));
        assert_fen(&after, style);
    }
}

/// The noisy and the quiet moves are the legal moves, each code means its move and no other one is
/// legal, an exchange that wins much wins little, and two passes lead back.
///
/// # Panics
/// When the law is broken.
pub fn assert_tactics<P: Tactics + Notation>(position: &P) {
    let fen = fen_of(position);
    let (mut noisy, mut quiet) = (MoveList::new(), MoveList::new());
    position.noisy_moves(&mut noisy);
    position.quiet_moves(&mut quiet);
    assert!(noisy.iter().all(|&m| position.is_noisy(m)), "noisy moves: {fen}");
    assert!(!quiet.iter().any(|&m| position.is_noisy(m)), "quiet moves: {fen}");
    let legal = position.legal_moves();
    assert_eq!(noisy.len() + quiet.len(), legal.len(), "{fen}");
    for &m in &legal {
        assert!(noisy.contains(&m) || quiet.contains(&m), "{m:?}: {fen}");
        assert_ne!(P::encode(m), 0, "{m:?}: {fen}");
        assert_eq!(position.decode(P::encode(m)), Some(m), "{fen}");
        assert_eq!(position.gives_check(m), position.after(m).is_check(), "{m:?}: {fen}");
        let thresholds = [-1000, -500, -100, 0, 1, 100, 500, 1000];
        let wins = thresholds.map(|threshold| position.exchange_wins(m, threshold));
        assert!(wins.is_sorted_by(|a, b| a >= b), "exchange of {m:?}: {wins:?}: {fen}");
        let is_capture = position.facts(m).captured.is_some();
        assert_eq!(position.captured_role(m).is_some(), is_capture, "{m:?}: {fen}");
    }
    let meaningful = (0..=u16::MAX).filter_map(|code| position.decode(code)).count();
    assert_eq!(meaningful, legal.len(), "codes of moves: {fen}");
    if !position.is_check() {
        let mut passed = position.clone();
        passed.pass_unchecked();
        assert_eq!(passed.side_to_move(), !position.side_to_move(), "{fen}");
        assert_ne!(passed.key(), position.key(), "{fen}");
    }
}

/// Plays `plies` moves from a position, chosen by `choose` among the legal ones, and hands every
/// position on the way to `visit`. Stops early where there is no legal move.
pub fn playout<P: Position>(
    start: &P,
    plies: usize,
    mut choose: impl FnMut(usize) -> usize,
    mut visit: impl FnMut(&P),
) {
    let mut position = start.clone();
    visit(&position);
    for _ in 0..plies {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return;
        }
        position.play_unchecked(moves[choose(moves.len()) % moves.len()]);
        visit(&position);
    }
}

fn fen_of<P: Notation>(position: &P) -> String {
    let mut fen = String::new();
    position.write_fen(&mut fen);
    fen
}

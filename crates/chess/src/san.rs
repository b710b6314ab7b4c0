//! Moves in standard algebraic notation (PGN specification, section 8.2.3), and in the sloppier forms
//! that real records have. Only chess has this notation.

use game::notation::MoveString;
use game::position::CastlingSide;
use game::square::Square as _;

use crate::attacks;
use crate::legality::Candidate;
use crate::moves::{Move, MoveKind};
use crate::position::Chess;
use crate::role::Role;
use crate::square::{Bitboard, Square};

/// What a SAN text says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum San {
    /// `O-O` or `O-O-O`.
    Castling(CastlingSide),
    /// A piece and where it goes.
    Piece(PieceSan),
    /// Two squares, with whatever piece stands on the first; with a capture sign or without.
    Squares(Candidate, bool),
}

/// What the text of a move other than castling says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PieceSan {
    /// The piece.
    pub role: Role,
    /// The file it comes from, counted from 0, if the text names it.
    pub from_file: Option<u8>,
    /// The rank it comes from, counted from 0, if the text names it.
    pub from_rank: Option<u8>,
    /// Where it arrives.
    pub to: Square,
    /// The text has a sign for a capture.
    pub is_capture: bool,
    /// What a pawn becomes.
    pub promotion: Option<Role>,
}

/// Reads a move in standard or long algebraic notation.
///
/// Besides the standard forms: castling with zeros or small letters, figurines, small piece letters
/// (but `b`, which is a file), captures with `:` or without a sign, a pawn's capture without its file,
/// long forms with or without the piece letter (`Ng1-f3`, `g1-f3`), promotions as `e8=Q`, `e8Q`, `e8(Q)`
/// and `e8/Q`, and any check marks, annotation glyphs or `e.p.` at the end. Whether a piece's capture
/// sign and the check marks are true is not looked at; a pawn that takes changes its file.
#[must_use]
pub fn parse(text: &str) -> Option<San> {
    let text = strip_suffixes(text);
    if let Some(wing) = parse_castling(text) {
        return Some(San::Castling(wing));
    }
    let (letter, rest) = split_role(text);
    let role = letter.unwrap_or(Role::Pawn);
    let (rest, promotion) = split_promotion(rest);
    let (rest, to) = rest.split_at_checked(rest.len().checked_sub(2)?)?;
    let to = Square::parse(to).filter(|_| to.as_bytes()[0].is_ascii_lowercase())?;
    let without_sign = ["x", "X", ":", "×"].iter().find_map(|sign| rest.strip_suffix(sign));
    let is_capture = without_sign.is_some();
    let without_hyphen = rest.strip_suffix('-').filter(|from| from.len() == 2);
    let rest = without_sign.or(without_hyphen).unwrap_or(rest);
    let file = |byte: u8| matches!(byte, b'a'..=b'h').then(|| byte - b'a');
    let rank = |byte: u8| matches!(byte, b'1'..=b'8').then(|| byte - b'1');
    let (from_file, from_rank) = match *rest.as_bytes() {
        [] => (None, None),
        [byte] if file(byte).is_some() => (file(byte), None),
        [byte] => (None, Some(rank(byte)?)),
        [first, second] => (Some(file(first)?), Some(rank(second)?)),
        _ => return None,
    };
    if let (None, Some(file), Some(rank)) = (letter, from_file, from_rank) {
        let candidate = Candidate { from: Square::new(file, rank), to, promotion };
        return Some(San::Squares(candidate, is_capture));
    }
    // A file alone tells pawns apart only when they take: "bb4" is no way to write b4.
    if role == Role::Pawn && from_rank.is_none() && from_file == Some(to.file()) {
        return None;
    }
    Some(San::Piece(PieceSan { role, from_file, from_rank, to, is_capture, promotion }))
}

/// Takes off what may follow a move: check marks, annotation glyphs, `e.p.`.
fn strip_suffixes(text: &str) -> &str {
    const GLYPHS: &[char] = &['+', '#', '!', '?', '‼', '⁇', '⁉', '⁈', '†', '‡', '□', ' '];
    let text = text.trim().trim_end_matches(GLYPHS);
    let text = ["e.p.", "ep", "e.p"].iter().find_map(|mark| text.strip_suffix(mark)).unwrap_or(text);
    text.trim_end_matches(GLYPHS)
}

fn parse_castling(text: &str) -> Option<CastlingSide> {
    let mut parts = 0;
    for part in text.split('-') {
        if !matches!(part, "O" | "o" | "0") {
            return None;
        }
        parts += 1;
    }
    match parts {
        2 => Some(CastlingSide::King),
        3 => Some(CastlingSide::Queen),
        _ => None,
    }
}

/// The piece letter or figurine, if there is one, and the text behind it.
fn split_role(text: &str) -> (Option<Role>, &str) {
    let first = text.chars().next().filter(|&first| first != 'b');
    match first.and_then(|first| Some((first, role_of(first)?))) {
        Some((first, role)) => (Some(role), &text[first.len_utf8()..]),
        None => (None, text),
    }
}

/// The role of a piece letter or figurine.
fn role_of(letter: char) -> Option<Role> {
    match letter {
        '♔' | '♚' => Some(Role::King),
        '♕' | '♛' => Some(Role::Queen),
        '♖' | '♜' => Some(Role::Rook),
        '♗' | '♝' => Some(Role::Bishop),
        '♘' | '♞' => Some(Role::Knight),
        '♙' | '♟' => Some(Role::Pawn),
        _ => u8::try_from(letter).ok().and_then(Role::from_letter),
    }
}

/// The text before a promotion, and what the pawn becomes.
fn split_promotion(text: &str) -> (&str, Option<Role>) {
    let bare = text.strip_suffix(')').unwrap_or(text);
    let last = bare.chars().next_back();
    let Some((letter, role)) = last.and_then(|last| Some((last, role_of(last)?))) else {
        return (text, None);
    };
    let before = &bare[..bare.len() - letter.len_utf8()];
    let before = ["=", "(", "/"].iter().find_map(|sign| before.strip_suffix(sign)).unwrap_or(before);
    (before, Some(role))
}

impl Chess {
    /// Writes a legal move. `after` is the position after it: it decides between `+` and `#`.
    #[must_use]
    pub fn san(&self, m: Move, after: &Chess) -> MoveString {
        let mut text = MoveString::new();
        match m.kind.castling() {
            Some(CastlingSide::King) => text.push_str("O-O"),
            Some(CastlingSide::Queen) => text.push_str("O-O-O"),
            None => self.push_piece_san(m, &mut text),
        }
        if after.checkers.any() {
            text.push(if after.has_legal_move() { '+' } else { '#' });
        }
        text
    }

    fn push_piece_san(&self, m: Move, text: &mut MoveString) {
        let is_capture = m.kind == MoveKind::EnPassant || self.board().occupied().has(m.to);
        let from = m.from.text();
        if m.role == Role::Pawn {
            if is_capture {
                text.push_str(&from[..1]);
            }
        } else {
            text.push(m.role.letter());
            self.push_disambiguation(m, text);
        }
        if is_capture {
            text.push('x');
        }
        text.push_str(&m.to.text());
        if let Some(role) = m.kind.promotion() {
            text.push('=');
            text.push(role.letter());
        }
    }

    /// Writes as much of the start square as tells the piece from others that could go there: its file,
    /// else its rank, else both.
    fn push_disambiguation(&self, m: Move, text: &mut MoveString) {
        let rivals = self.rivals(m);
        if rivals.is_empty() {
            return;
        }
        let from = m.from.text();
        let mut files = rivals.into_iter().filter(|rival| rival.file() == m.from.file());
        let mut ranks = rivals.into_iter().filter(|rival| rival.rank() == m.from.rank());
        if files.next().is_none() {
            text.push_str(&from[..1]);
        } else if ranks.next().is_none() {
            text.push_str(&from[1..]);
        } else {
            text.push_str(&from);
        }
    }

    /// The other pieces of the same role that could legally go to the same square.
    fn rivals(&self, m: Move) -> Bitboard {
        let occupied = self.board().occupied();
        let reach = match m.role {
            Role::Knight => attacks::knight(m.to),
            Role::Bishop => attacks::bishop(m.to, occupied),
            Role::Rook => attacks::rook(m.to, occupied),
            Role::Queen => attacks::queen(m.to, occupied),
            Role::Pawn | Role::King => return Bitboard::EMPTY,
        };
        let us = self.side_to_move();
        let rivals = (reach & self.board().of(us, m.role)) - Bitboard::of(m.from);
        // The move at hand answers any check, so a rival's does too: only a pin can forbid it.
        let king = self.king(us);
        let is_free = |rival: &Square| !self.pinned.has(*rival) || attacks::line(king, *rival).has(m.to);
        rivals.into_iter().filter(is_free).collect()
    }
}

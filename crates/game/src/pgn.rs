//! The grammar of game records (PGN): tags, moves, results.
//!
//! This file knows how a record is laid out, not what its moves mean: they are handed on as text. The
//! grammar is section 8 of the PGN standard (<http://www.saremba.de/chessgml/standards/pgn/pgn-complete.htm>),
//! with the liberties that real files take.
//!
//! The reader goes through the text once, in linear time and without recursion. It allocates only for tag
//! values that have escapes, and for the sentence of an error.

use std::borrow::Cow;
use std::iter::FusedIterator;

/// One thing that a record says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event<'a> {
    /// A tag pair, `[Name "value"]`, with the escapes of the value resolved.
    Tag {
        /// The tag's name.
        name: &'a str,
        /// The tag's value.
        value: Cow<'a, str>,
    },
    /// A move of the main line, without its number; annotation glyphs that are glued to it stay.
    Move {
        /// The move as it is written.
        text: &'a str,
        /// The line of the text that it stands on, counted from 1.
        line: usize,
    },
    /// The game is over: its termination marker, `*` when the record has none.
    End {
        /// `1-0`, `0-1`, `1/2-1/2` or `*`.
        result: &'static str,
    },
}

/// A place where a record breaks the grammar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PgnError {
    /// The line, counted from 1.
    pub line: usize,
    /// What was found and what would be right.
    pub message: String,
}

/// Reads the games of a text one event at a time.
///
/// Every game is tags (maybe none), moves (maybe none) and exactly one [`Event::End`]; a text without a
/// tag, a move or a result has no game. Comments, variations, numeric and stand-alone glyphs, move
/// numbers and escaped lines are skipped. Whatever else stands in the movetext is handed on as a move:
/// only the caller knows whether it can be read.
///
/// After an error there are no more events: where the grammar is broken, nobody knows what follows.
#[derive(Debug, Clone)]
pub struct Reader<'a> {
    text: &'a str,
    /// Where the unread text begins, in bytes.
    at: usize,
    /// The line of `at`, counted from 1.
    line: usize,
    section: Section,
}

/// The part of a record that the last event belonged to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Section {
    /// No game has begun, or the last one is over.
    Between,
    Tags,
    Moves,
    /// An error was found.
    Broken,
}

impl<'a> Reader<'a> {
    /// A reader of all games of a text.
    #[must_use]
    pub fn new(text: &'a str) -> Self {
        Self { text, at: 0, line: 1, section: Section::Between }
    }

    /// The next event, or nothing at the end of the text.
    fn read(&mut self) -> Result<Option<Event<'a>>, PgnError> {
        loop {
            self.skip_while(is_blank);
            let Some(&first) = self.rest().as_bytes().first() else {
                return Ok(self.end_open_game());
            };
            match first {
                b'%' if self.is_line_start() => self.skip_line(),
                b';' => self.skip_line(),
                b'{' => self.skip_past('}', "a comment is opened by { and never closed by }")?,
                b'<' => self.skip_past('>', "a reserved < is never closed by >")?,
                b'(' => self.skip_variation()?,
                b')' => return Err(self.error("a variation is closed by ) and was never opened by (")),
                b'}' => {
                    return Err(self
                        .error("a comment is closed by } and was never opened by {; comments do not nest"));
                }
                b'$' => {
                    self.advance(1);
                    self.skip_while(|c| c.is_ascii_digit());
                }
                b'[' if self.section == Section::Moves => return Ok(self.end_open_game()),
                b'[' => return self.read_tag().map(Some),
                _ => {
                    if let Some(event) = self.read_token() {
                        return Ok(Some(event));
                    }
                }
            }
        }
    }

    /// Ends a game that has no termination marker.
    fn end_open_game(&mut self) -> Option<Event<'a>> {
        (self.section != Section::Between).then(|| self.end("*"))
    }

    fn end(&mut self, result: &'static str) -> Event<'a> {
        self.section = Section::Between;
        Event::End { result }
    }

    /// Reads `[Name "value"]`.
    fn read_tag(&mut self) -> Result<Event<'a>, PgnError> {
        // A tag that is not finished is reported where it begins.
        let line = self.line;
        let broken = |message: &str| PgnError { line, message: message.to_owned() };
        self.advance(1);
        self.skip_while(is_blank);
        let name = self.take_while(|c| !is_blank(c) && !matches!(c, '"' | '[' | ']'));
        if name.is_empty() {
            return Err(broken("a tag is opened by [ and has no name; expected [Name \"value\"]"));
        }
        self.skip_while(is_blank);
        if !self.rest().starts_with('"') {
            return Err(broken("a tag has no value in quotes; expected [Name \"value\"]"));
        }
        self.advance(1);
        let value = self.read_value().ok_or_else(|| {
            broken("a tag's value is not closed by \"] on its line; expected [Name \"value\"]")
        })?;
        self.section = Section::Tags;
        Ok(Event::Tag { name, value })
    }

    /// Reads the value of a tag and all that closes the tag; nothing when the line ends before.
    ///
    /// A bare quote within the value belongs to the value: it is closed by a quote before a `]`.
    fn read_value(&mut self) -> Option<Cow<'a, str>> {
        let rest = self.rest();
        let bytes = rest.as_bytes();
        let mut has_escapes = false;
        let mut at = 0;
        loop {
            match bytes.get(at)? {
                b'\n' | b'\r' => return None,
                b'\\' if matches!(bytes.get(at + 1), Some(b'"' | b'\\')) => {
                    has_escapes = true;
                    at += 2;
                }
                b'"' => {
                    let blanks = bytes[at + 1..].iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
                    if bytes.get(at + 1 + blanks) == Some(&b']') {
                        self.advance(at + 1 + blanks + 1);
                        let value = &rest[..at];
                        return Some(if has_escapes { unescape(value).into() } else { value.into() });
                    }
                    at += 1 + blanks;
                }
                _ => at += 1,
            }
        }
    }

    /// Reads a word of the movetext; nothing when it says nothing about the game.
    fn read_token(&mut self) -> Option<Event<'a>> {
        let line = self.line;
        // The first character is taken whatever it is, so that the reader never stands still.
        let mut is_first = true;
        let token = self.take_while(|c| std::mem::take(&mut is_first) || !ends_token(c));
        let text = strip_move_number(token);
        if let Some(result) = parse_result(text) {
            return Some(self.end(result));
        }
        if is_noise(text) {
            return None;
        }
        self.section = Section::Moves;
        Some(Event::Move { text, line })
    }

    /// Skips a variation with all variations within it.
    fn skip_variation(&mut self) -> Result<(), PgnError> {
        // A variation that is never closed is reported where it begins.
        let line = self.line;
        let mut depth = 0_usize;
        loop {
            self.skip_while(|c| !matches!(c, '(' | ')' | '{' | ';' | '%'));
            match self.rest().as_bytes().first() {
                None => {
                    let message = "a variation is opened by ( and never closed by )".to_owned();
                    return Err(PgnError { line, message });
                }
                Some(b'{') => self.skip_past('}', "a comment is opened by { and never closed by }")?,
                Some(b';') => self.skip_line(),
                Some(b'%') if self.is_line_start() => self.skip_line(),
                Some(b'(') => {
                    depth += 1;
                    self.advance(1);
                }
                Some(b')') => {
                    depth -= 1;
                    self.advance(1);
                    if depth == 0 {
                        return Ok(());
                    }
                }
                Some(_) => self.advance(1),
            }
        }
    }

    /// Skips everything up to a closing character, and that.
    fn skip_past(&mut self, close: char, message: &str) -> Result<(), PgnError> {
        let Some(length) = self.rest().find(close) else { return Err(self.error(message)) };
        self.advance(length + close.len_utf8());
        Ok(())
    }

    /// Skips the rest of the line.
    fn skip_line(&mut self) {
        self.skip_while(|c| !matches!(c, '\n' | '\r'));
    }

    fn skip_while(&mut self, accept: impl FnMut(char) -> bool) {
        self.take_while(accept);
    }

    /// Takes the longest run of characters that are accepted.
    fn take_while(&mut self, mut accept: impl FnMut(char) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|c| !accept(c)).unwrap_or(rest.len());
        self.advance(length);
        &rest[..length]
    }

    /// Steps over some bytes and counts the lines among them.
    fn advance(&mut self, length: usize) {
        let bytes = self.text.as_bytes();
        let end = self.at + length;
        // A line ends with LF, CR LF or CR.
        self.line += (self.at..end)
            .filter(|&at| bytes[at] == b'\n' || (bytes[at] == b'\r' && bytes.get(at + 1) != Some(&b'\n')))
            .count();
        self.at = end;
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Whether the unread text begins in column 1.
    fn is_line_start(&self) -> bool {
        let before = &self.text[..self.at];
        before.is_empty() || before.ends_with(['\n', '\r']) || before == BYTE_ORDER_MARK
    }

    /// An error at the line where the unread text begins.
    fn error(&self, message: &str) -> PgnError {
        PgnError { line: self.line, message: message.to_owned() }
    }
}

impl<'a> Iterator for Reader<'a> {
    type Item = Result<Event<'a>, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.section == Section::Broken {
            return None;
        }
        let event = self.read();
        if event.is_err() {
            self.section = Section::Broken;
        }
        event.transpose()
    }
}

impl FusedIterator for Reader<'_> {}

const BYTE_ORDER_MARK: &str = "\u{feff}";

/// Whether a character only separates: blanks, byte order marks (also where files were joined) and the
/// end mark of old DOS files.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{feff}' | '\u{1a}')
}

/// Whether a character ends a word of the movetext.
fn ends_token(c: char) -> bool {
    is_blank(c) || matches!(c, '{' | '}' | '(' | ')' | '[' | '<' | '$' | ';')
}

/// Takes a move number off the front of a word: digits alone, or digits and dots. Nothing else is taken
/// for a number, since moves may begin with digits (`0-0`) and contain dots (`C2.5`).
fn strip_move_number(token: &str) -> &str {
    let after_digits = token.trim_start_matches(|c: char| c.is_ascii_digit());
    let after_dots = after_digits.trim_start_matches(['.', '…']);
    if after_digits.is_empty() || after_dots.len() < after_digits.len() { after_dots } else { token }
}

/// The result that a word stands for, also in its typographic spellings.
fn parse_result(text: &str) -> Option<&'static str> {
    if text == "*" {
        return Some("*");
    }
    match text.split_once(['-', '–', '—', '−'])? {
        ("1", "0") => Some("1-0"),
        ("0", "1") => Some("0-1"),
        ("1/2" | "½", "1/2" | "½") => Some("1/2-1/2"),
        _ => None,
    }
}

/// Whether a word is neither move nor result: what is left of a move number, a mark that stands apart
/// from its move, or the judgement of a position.
fn is_noise(text: &str) -> bool {
    let bare = text.trim_end_matches(['!', '?', '+', '#']);
    matches!(bare, "" | "e.p." | "e.p" | "ep") || GLYPHS.contains(&text)
}

/// Glyphs that stand alone, apart from those made of `!`, `?`, `+` and `#`.
const GLYPHS: [&str; 21] = [
    "‼", "⁇", "⁈", "⁉", "□", "⊙", "⨀", "=", "∞", "±", "∓", "⩲", "⩱", "+-", "-+", "+/-", "-/+", "+/=", "=/+",
    "+=", "=+",
];

/// Resolves `\"` and `\\`.
fn unescape(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    let mut chars = value.chars().peekable();
    while let Some(c) = chars.next() {
        let escaped = if c == '\\' { chars.next_if(|next| matches!(next, '"' | '\\')) } else { None };
        out.push(escaped.unwrap_or(c));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The events of a text in one line: `Name=value` for a tag, moves as they are, results in brackets,
    /// and `!line` for an error.
    fn events(text: &str) -> String {
        let describe = |event| match event {
            Ok(Event::Tag { name, value }) => format!("{name}={value}"),
            Ok(Event::Move { text, .. }) => text.to_owned(),
            Ok(Event::End { result }) => format!("[{result}]"),
            Err(PgnError { line, .. }) => format!("!{line}"),
        };
        Reader::new(text).map(describe).collect::<Vec<_>>().join(" ")
    }

    #[track_caller]
    fn assert_events(table: &[(&str, &str, &str)]) {
        for (what, text, expected) in table {
            assert_eq!(events(text), *expected, "{what}: {text:?}");
        }
    }

    #[test]
    fn games() {
        assert_events(&[
            ("empty", "", ""),
            ("blank", " \t\r\n\n\u{a0}", ""),
            ("only a byte order mark", "\u{feff}", ""),
            ("only a comment", "{ no game }\n; none here\n% nor here", ""),
            ("only a move number", "1.", ""),
            ("only a result", "1/2-1/2", "[1/2-1/2]"),
            ("only tags", "[A \"b\"]", "A=b [*]"),
            ("tags and result", "[A \"b\"]\n\n*", "A=b [*]"),
            ("whole", "[A \"b\"]\n\n1. e4 e5 1-0\n", "A=b e4 e5 [1-0]"),
            ("no result at the end", "1. e4 e5", "e4 e5 [*]"),
            ("no result before tags", "1. e4\n\n[A \"b\"]\n1. d4 *", "e4 [*] A=b d4 [*]"),
            ("no blank line before tags", "1. e4 0-1\n[A \"b\"]\n1. d4 *", "e4 [0-1] A=b d4 [*]"),
            ("several without tags", "1. e4 1-0 1. d4 0-1", "e4 [1-0] d4 [0-1]"),
            ("blank lines within the moves", "1. e4\n\n1... e5\n\n\n2. Nf3 *", "e4 e5 Nf3 [*]"),
            (
                "byte order marks where files were joined",
                "\u{feff}e4 *\n\u{feff}[A \"b\"]\nd4 *",
                "e4 [*] A=b d4 [*]",
            ),
            ("CR LF", "[A \"b\"]\r\n\r\n1. e4\r\ne5 *\r\n", "A=b e4 e5 [*]"),
            ("CR", "[A \"b\"]\r\r1. e4 ; x\re5 *\r", "A=b e4 e5 [*]"),
            ("end mark of DOS", "1. e4 *\r\n\u{1a}", "e4 [*]"),
        ]);
    }

    #[test]
    fn results() {
        assert_events(&[
            ("white", "e4 1-0", "e4 [1-0]"),
            ("black", "e4 0-1", "e4 [0-1]"),
            ("draw", "e4 1/2-1/2", "e4 [1/2-1/2]"),
            ("unknown", "e4 *", "e4 [*]"),
            ("halves", "e4 ½-½", "e4 [1/2-1/2]"),
            ("en dash", "e4 1–0 d4 1/2–1/2 c4 ½–½", "e4 [1-0] d4 [1/2-1/2] c4 [1/2-1/2]"),
            ("half of a draw is no result", "e4 1/2", "e4 1/2 [*]"),
            ("castling with zeros is no result", "1. 0-0 0-0-0 0-1", "0-0 0-0-0 [0-1]"),
            ("next to a comment", "e4 {x}1-0{y}", "e4 [1-0]"),
            ("after a number", "40. 1-0", "[1-0]"),
        ]);
    }

    #[test]
    fn tags() {
        assert_events(&[
            ("escaped quote", r#"[A "say \"b\""]"#, r#"A=say "b" [*]"#),
            ("escaped backslash", r#"[A "c:\\b\\"]"#, r"A=c:\b\ [*]"),
            ("backslash before another letter", r#"[A "c:\b"]"#, r"A=c:\b [*]"),
            ("bare quote", r#"[A "the "big" one"]"#, r#"A=the "big" one [*]"#),
            ("empty value", r#"[A ""]"#, "A= [*]"),
            ("brackets in the value", r#"[A "[b] ]"]"#, "A=[b] ] [*]"),
            ("several on a line", r#"[A "b"][C "d"] [E "f"]"#, "A=b C=d E=f [*]"),
            ("blanks everywhere", "[ A \t \"b\" ]", "A=b [*]"),
            ("no blank", "[A\"b\"]", "A=b [*]"),
            ("over two lines", "[A\n\"b\"]", "A=b [*]"),
            ("comments between", "[A \"b\"] {x} ; y\n[C \"d\"]\n% z\n\n*", "A=b C=d [*]"),
            ("a comment sign in the value", "[A \"b; {c\"]", "A=b; {c [*]"),
            ("beyond ASCII", "[白 \"王\"]", "白=王 [*]"),
            ("no name", "e4 *\n[\"b\"]", "e4 [*] !2"),
            ("no value", "[A b]", "!1"),
            ("empty", "[]", "!1"),
            ("not finished", "[", "!1"),
            ("value not finished on its line", "\n[A \"b\n]", "!2"),
            ("value not finished", "[A \"b\\\"]", "!1"),
            ("tag not closed", "[A \"b\"\n1. e4", "!1"),
        ]);
    }

    #[test]
    fn comments() {
        assert_events(&[
            ("braces", "1. e4 {good} e5 {so\nis this} *", "e4 e5 [*]"),
            ("braces without blanks", "1.e4{x}e5{y}*", "e4 e5 [*]"),
            ("braces with everything in it", "e4 {[A \"b\"] (1. d4 ; 1-0 } e5 *", "e4 e5 [*]"),
            ("rest of the line", "e4 ; d4 1-0 {\ne5 *", "e4 e5 [*]"),
            ("rest of the line, glued", "e4;d4\ne5 *", "e4 e5 [*]"),
            ("rest of the last line", "e4 * ; done", "e4 [*]"),
            ("before the tags", "{x} [A \"b\"] *", "A=b [*]"),
            ("escaped line", "% x {\ne4\n%1-0\r\ne5 *", "e4 e5 [*]"),
            ("escaped line after a byte order mark", "\u{feff}% x\ne4 *", "e4 [*]"),
            ("a percent sign elsewhere", "e4 %e5\n *", "e4 %e5 [*]"),
            ("reserved", "e4 <x y>e5<z> *", "e4 e5 [*]"),
            ("not closed", "e4\n\n{ e5\n *", "e4 !3"),
            ("not opened", "e4\n} *", "e4 !2"),
            ("nested", "e4 { { } e5 } *", "e4 e5 !1"),
            ("reserved, not closed", "e4\r\n< e5", "e4 !2"),
        ]);
    }

    #[test]
    fn glyphs() {
        assert_events(&[
            ("numeric", "e4 $1 $139 e5$2 *", "e4 e5 [*]"),
            ("numeric, not finished", "e4 $ e5 $", "e4 e5 [*]"),
            ("glued ones stay", "e4! e5?! Nf3+!? Nc6# *", "e4! e5?! Nf3+!? Nc6# [*]"),
            ("alone", "e4 ! e5 ?! Nf3 !! Nc6 + Bb5 # a6 ‼ *", "e4 e5 Nf3 Nc6 Bb5 a6 [*]"),
            ("judgements", "e4 = e5 ± Nf3 -+ Nc6 +/= Bb5 ∞ *", "e4 e5 Nf3 Nc6 Bb5 [*]"),
            ("en passant", "exd6 e.p. Kf7 exf6 ep+ Kg8 *", "exd6 Kf7 exf6 Kg8 [*]"),
            ("en passant in brackets", "exd6 (e.p.) Kf7 *", "exd6 Kf7 [*]"),
        ]);
    }

    #[test]
    fn variations() {
        assert_events(&[
            ("one", "1. e4 (1. d4 d5) e5 *", "e4 e5 [*]"),
            ("nested", "1. e4 (1. d4 (1. c4) (1. b4 (1. a4))) e5 *", "e4 e5 [*]"),
            ("a result within", "e4 (d4 1-0) e5 *", "e4 e5 [*]"),
            ("comments within", "e4 (d4 {)} d5 ; )\n% )\nc4 100%) e5 *", "e4 e5 [*]"),
            ("without blanks", "1.e4(1.d4)1...e5 *", "e4 e5 [*]"),
            ("empty", "e4 () e5 *", "e4 e5 [*]"),
            ("not closed", "e4\n(d4\n(c4)\n e5 *", "e4 !2"),
            ("not opened", "e4\n\n) e5 *", "e4 !3"),
            ("a comment within not closed", "e4 (d4\n{ ) e5 *", "e4 !2"),
        ]);
    }

    #[test]
    fn move_numbers() {
        assert_events(&[
            ("with a blank", "1. e4 e5 2. Nf3 *", "e4 e5 Nf3 [*]"),
            ("glued", "1.e4 1...e5 2.Nf3 *", "e4 e5 Nf3 [*]"),
            ("dots of the second side", "1. e4 1... e5 2. ... Nf6 3 ... d5 4.. c5 *", "e4 e5 Nf6 d5 c5 [*]"),
            ("apart from their dots", "1 . e4 1 ... e5 12 .Nf3 ...Nc6 *", "e4 e5 Nf3 Nc6 [*]"),
            ("without dots", "1 e4 e5 2 Nf3 *", "e4 e5 Nf3 [*]"),
            ("one sign for three dots", "1… e5 2.… Nf6 *", "e5 Nf6 [*]"),
            ("castling with zeros, glued", "8.0-0 8...0-0-0 *", "0-0 0-0-0 [*]"),
        ]);
    }

    #[test]
    fn moves_pass_untouched() {
        assert_events(&[
            ("null moves", "1. -- Z0 @@@@ *", "-- Z0 @@@@ [*]"),
            ("promotions", "e8=Q e8Q e8(Q) e8/Q *", "e8=Q e8Q e8 e8/Q [*]"),
            ("chess", "e2-e4 Ng1xf3 O-O-O N@f3 e7e8q *", "e2-e4 Ng1xf3 O-O-O N@f3 e7e8q [*]"),
            ("xiangqi", "1. 炮二平五 C2.5 2. H8+7 h2e2 H2-E2 *", "炮二平五 C2.5 H8+7 h2e2 H2-E2 [*]"),
            ("full-width blanks", "1.\u{3000}炮二平五\u{3000}马8进7 *", "炮二平五 马8进7 [*]"),
            ("digits first", "1e4 2-3 1.5.e4 *", "1e4 2-3 5.e4 [*]"),
            ("garbage", "hello ] > \" \\ 𝄞 \0 *", "hello ] > \" \\ 𝄞 \0 [*]"),
        ]);
    }

    #[test]
    fn moves_know_their_line() {
        let text = "[A \"b\"]\r\n\r\n1. e4 {x\ny}\re5 ; z\n% w\n(d4\n) Nf3";
        let lines: Vec<_> = Reader::new(text)
            .filter_map(|event| match event {
                Ok(Event::Move { text, line }) => Some((text, line)),
                _ => None,
            })
            .collect();
        assert_eq!(lines, [("e4", 3), ("e5", 5), ("Nf3", 8)]);
    }

    #[test]
    fn errors_say_what_and_where_and_end_the_reading() {
        let mut reader = Reader::new("1. e4\n{ e5 *\n1. d4 *");
        assert!(matches!(reader.next(), Some(Ok(Event::Move { text: "e4", line: 1 }))));
        let message = "a comment is opened by { and never closed by }".to_owned();
        assert_eq!(reader.next(), Some(Err(PgnError { line: 2, message })));
        assert_eq!(reader.next(), None);
        assert_eq!(reader.next(), None);
    }

    #[test]
    fn only_escapes_are_allocated() {
        let text = r#"[A "b"][C "\"d"]"#;
        let is_borrowed: Vec<_> = Reader::new(text)
            .filter_map(|event| match event {
                Ok(Event::Tag { value, .. }) => Some(matches!(value, Cow::Borrowed(_))),
                _ => None,
            })
            .collect();
        assert_eq!(is_borrowed, [true, false]);
    }

    #[test]
    fn size_and_depth_are_harmless() {
        let deep = format!("e4 {}d4{} e5 *", "(".repeat(1_000_000), ")".repeat(1_000_000));
        assert_eq!(events(&deep), "e4 e5 [*]");
        assert_eq!(events(&"(".repeat(1_000_000)), "!1");
        assert_eq!(events(&format!("[A \"{}", "\" ".repeat(500_000))), "!1");
        assert_eq!(Reader::new(&"1. e4 {x} ($1) e5 * ".repeat(50_000)).count(), 150_000);
        assert_eq!(Reader::new(&"[A \"b\"] *\n".repeat(100_000)).count(), 200_000);
    }

    #[test]
    fn every_prefix_of_a_record_is_an_answer() {
        let text = "\u{feff}[A \"\\\"b\"] {c ½} 1. e4! ($1 <d>) 1... 炮二平五 ; e\r\n% f\n½-½";
        for end in (0..=text.len()).filter(|&end| text.is_char_boundary(end)) {
            let prefix = &text[..end];
            assert!(Reader::new(prefix).count() <= prefix.len() + 1, "{prefix:?}");
        }
    }
}

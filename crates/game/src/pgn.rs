//! The grammar of game records (PGN): tags, moves, results.
//!
//! This file knows how a record is laid out, not what its moves mean: they are handed on as text.

use std::borrow::Cow;

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

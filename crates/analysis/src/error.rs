//! Questions that cannot be asked.

use std::fmt::{self, Display};

use game::fen_fault::FenFault;

/// What is wrong with a question. The names are those of the API's `ErrorReason`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorReason {
    /// A FEN has faults.
    FenInvalid,
    /// The variant has many start positions and none is given.
    FenRequired,
    /// A move of the game cannot be read.
    MoveUnreadable,
    /// A move of the game fits several legal moves.
    MoveAmbiguous,
    /// A move of the game is not legal.
    MoveIllegal,
    /// A text in a filter is not a square of the board.
    SquareInvalid,
    /// A limit is exceeded.
    LimitExceeded,
    /// A PGN text breaks the grammar.
    PgnInvalid,
    /// The PGN text has fewer games than the index asks for.
    PgnGameNotFound,
    /// A PGN is given together with a start position or moves.
    PgnConflict,
    /// The PGN's tags name a variant that is not known.
    VariantUnsupported,
    /// A rule set of another game.
    RuleSetMismatch,
    /// A notation of another game.
    NotationMismatch,
    /// A move limit that the rule set does not allow.
    MoveLimitInvalid,
    /// A search in a game that has ended.
    GameOver,
    /// A search that may look at no move.
    NoMoveToSearch,
    /// A number outside its range.
    ValueOutOfRange,
}

/// One field of a question and what is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The path of the field (`game.moves[17]`).
    pub field: String,
    /// What was found and what would be right.
    pub description: String,
}

/// A question that cannot be asked: why, where, and what would be right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// What is wrong.
    pub reason: ErrorReason,
    /// One sentence for people.
    pub message: String,
    /// Every field that is wrong; never empty.
    pub violations: Vec<Violation>,
    /// What varies in the message, by name.
    pub metadata: Vec<(&'static str, String)>,
}

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

impl Error {
    /// An error about one field, described by its message.
    pub(crate) fn new(reason: ErrorReason, field: impl Into<String>, message: impl Into<String>) -> Self {
        let (field, message) = (field.into(), message.into());
        Self {
            reason,
            violations: vec![Violation { field, description: message.clone() }],
            message,
            metadata: Vec::new(),
        }
    }

    /// The same error with one more named value.
    pub(crate) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.metadata.push((name, value.into()));
        self
    }

    /// A limit that is exceeded.
    pub(crate) fn limit(field: impl Into<String>, limit: &'static str, value: usize, actual: usize) -> Self {
        let message = format!("{actual} exceeds the limit {limit} of {value}");
        Self::new(ErrorReason::LimitExceeded, field, message)
            .with("limit", limit)
            .with("value", value.to_string())
            .with("actual", actual.to_string())
    }

    /// A FEN with all its faults, one violation each.
    pub(crate) fn fen(field: &str, faults: &[FenFault]) -> Self {
        let kinds: Vec<_> = faults.iter().map(|fault| fault.kind.name()).collect();
        let sentences: Vec<_> = faults.iter().map(ToString::to_string).collect();
        Self {
            reason: ErrorReason::FenInvalid,
            message: format!("the FEN is not valid: {}", sentences.join("; ")),
            violations: sentences
                .into_iter()
                .map(|description| Violation { field: field.to_owned(), description })
                .collect(),
            metadata: vec![("faults", kinds.join(","))],
        }
    }
}

/// A text of a question, cut to what an error may quote of it.
pub(crate) fn shortened(text: &str) -> String {
    const MAX_CHARS: usize = 32;
    match text.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

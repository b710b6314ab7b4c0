//! A question that cannot be asked, or not be taken on, in the words of the API.

use analysis::error::{Error, ErrorReason as Known, Violation};
use proto::v1::{ErrorReason, RequestError};

/// How much of a message is told. What a request is wrong about is quoted in it, and may be long.
const MAX_MESSAGE_BYTES: usize = 400;

/// Why a question cannot be asked, where, and what would be right; or why it cannot be taken on now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The reason.
    pub reason: ErrorReason,
    /// One sentence for people.
    pub message: String,
    /// Every field that is wrong; empty when the error is not about a field.
    pub violations: Vec<Violation>,
    /// What varies in the message, by name.
    pub metadata: Vec<(&'static str, String)>,
}

impl Refusal {
    /// A refusal of one field, described by its message.
    pub fn of_field(reason: ErrorReason, field: &str, message: String) -> Self {
        let violations = vec![Violation { field: field.to_owned(), description: message.clone() }];
        Self { reason, message, violations, metadata: Vec::new() }
    }

    /// The server has no place for a call, a long question or a search.
    #[must_use]
    pub fn overloaded() -> Self {
        Self {
            reason: ErrorReason::Overloaded,
            message: "the server has more to do than it can take on; ask another one, or again later"
                .to_owned(),
            violations: Vec::new(),
            metadata: Vec::new(),
        }
    }

    /// The message as it is told.
    #[must_use]
    pub fn short_message(&self) -> String {
        shortened(&self.message, MAX_MESSAGE_BYTES)
    }

    /// The reason's name as an `ErrorInfo` has it (`FEN_INVALID`).
    #[must_use]
    pub fn reason_name(&self) -> &'static str {
        let name = self.reason.as_str_name();
        name.strip_prefix("ERROR_REASON_").unwrap_or(name)
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        let Error { reason, message, violations, metadata } = error;
        Self { reason: reason_to_proto(reason), message, violations, metadata }
    }
}

impl From<Refusal> for RequestError {
    fn from(refusal: Refusal) -> Self {
        Self {
            reason: refusal.reason_name().to_owned(),
            message: refusal.short_message(),
            field: refusal.violations.into_iter().next().map(|first| first.field).unwrap_or_default(),
        }
    }
}

/// The text, cut between two characters and marked as cut when it is longer than so many bytes.
#[must_use]
pub fn shortened(text: &str, max_bytes: usize) -> String {
    if text.len() <= max_bytes {
        return text.to_owned();
    }
    format!("{}…", &text[..text.floor_char_boundary(max_bytes)])
}

fn reason_to_proto(reason: Known) -> ErrorReason {
    match reason {
        Known::FenInvalid => ErrorReason::FenInvalid,
        Known::FenRequired => ErrorReason::FenRequired,
        Known::MoveUnreadable => ErrorReason::MoveUnreadable,
        Known::MoveAmbiguous => ErrorReason::MoveAmbiguous,
        Known::MoveIllegal => ErrorReason::MoveIllegal,
        Known::SquareInvalid => ErrorReason::SquareInvalid,
        Known::LimitExceeded => ErrorReason::LimitExceeded,
        Known::PgnInvalid => ErrorReason::PgnInvalid,
        Known::PgnGameNotFound => ErrorReason::PgnGameNotFound,
        Known::PgnConflict => ErrorReason::PgnConflict,
        Known::VariantUnsupported => ErrorReason::VariantUnsupported,
        Known::RuleSetMismatch => ErrorReason::RuleSetMismatch,
        Known::NotationMismatch => ErrorReason::NotationMismatch,
        Known::MoveLimitInvalid => ErrorReason::MoveLimitInvalid,
        Known::GameOver => ErrorReason::GameOver,
        Known::NoMoveToSearch => ErrorReason::NoMoveToSearch,
        Known::ValueOutOfRange => ErrorReason::ValueOutOfRange,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_between_characters() {
        assert_eq!(shortened("馬馬", 6), "馬馬");
        assert_eq!(shortened("馬馬", 5), "馬…");
        let refusal = Refusal::of_field(ErrorReason::VariantUnsupported, "pgn", "馬".repeat(1000));
        assert!(RequestError::from(refusal).message.len() <= MAX_MESSAGE_BYTES + "…".len());
    }
}

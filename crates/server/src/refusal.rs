//! A question that cannot be asked, in the words of the API.

use analysis::error::{Error, ErrorReason as Known, Violation};
use proto::v1::{ErrorReason, RequestError};

/// Why a question cannot be asked, where, and what would be right.
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
            field: refusal.violations.into_iter().next().map(|first| first.field).unwrap_or_default(),
            message: refusal.message,
        }
    }
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
    }
}

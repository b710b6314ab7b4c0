//! Errors as gRPC has them: the only file that names status codes.
//!
//! Every status that is made here carries a `google.rpc.ErrorInfo`.

use std::collections::HashMap;
use std::time::Duration;

use proto::v1::ErrorReason;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, FieldViolation, StatusExt as _};

use crate::limits::MAX_REQUEST_BYTES;
use crate::refusal::Refusal;

/// The domain of every `ErrorInfo`.
pub const DOMAIN: &str = "arbiter";

/// Errors travel in headers, and clients take no more than 8 KiB of them: text from a request that is
/// quoted in an error has to stay short.
const MAX_TEXT_BYTES: usize = 400;
const MAX_VIOLATIONS: usize = 20;

/// When a client may try again while this server stops: at once, elsewhere.
const RETRY_DELAY: Duration = Duration::from_millis(100);

impl From<Refusal> for Status {
    fn from(refusal: Refusal) -> Self {
        let mut details = ErrorDetails::new();
        let metadata: HashMap<_, _> =
            refusal.metadata.iter().map(|(name, value)| ((*name).to_owned(), shortened(value))).collect();
        details.set_error_info(refusal.reason_name(), DOMAIN, metadata);
        let violations = refusal.violations.iter().take(MAX_VIOLATIONS);
        let violations: Vec<_> = violations
            .map(|violation| FieldViolation::new(violation.field.as_str(), shortened(&violation.description)))
            .collect();
        if !violations.is_empty() {
            details.set_bad_request(violations);
        }
        Status::with_error_details(Code::InvalidArgument, shortened(&refusal.message), details)
    }
}

/// A fault of ours; the log tells more under `id`.
#[must_use]
pub fn internal(id: &str) -> Status {
    let metadata = HashMap::from([("id".to_owned(), id.to_owned())]);
    let details = ErrorDetails::with_error_info("INTERNAL", DOMAIN, metadata);
    let message = format!("the server failed to answer; its log has the details under the id {id}");
    Status::with_error_details(Code::Internal, message, details)
}

/// The server stops before the call has ended.
#[must_use]
pub fn shutting_down() -> Status {
    let mut details = ErrorDetails::with_error_info("SHUTTING_DOWN", DOMAIN, HashMap::new());
    details.set_retry_info(Some(RETRY_DELAY));
    Status::with_error_details(Code::Unavailable, "the server stops; ask another one, or again", details)
}

/// The time that the client gave is over, and there is no answer.
#[must_use]
pub fn deadline_exceeded() -> Status {
    let details = ErrorDetails::with_error_info("DEADLINE_EXCEEDED", DOMAIN, HashMap::new());
    Status::with_error_details(
        Code::DeadlineExceeded,
        "the call's deadline passed before its answer",
        details,
    )
}

/// Replaces a status that tonic made while it read a request by the one that the API promises.
///
/// tonic blames itself (INTERNAL) for bytes that are no message, and calls a message that is too large
/// `OUT_OF_RANGE`. Both are told from our own statuses by having no details.
#[must_use]
pub fn refine(status: Status) -> Status {
    if !status.details().is_empty() {
        return status;
    }
    match status.code() {
        Code::OutOfRange => too_large().into(),
        Code::Internal => unreadable(status.message()).into(),
        _ => status,
    }
}

/// The gRPC code that a response without a body carries, when it is one that [`refine`] looks at.
#[must_use]
pub fn needs_refinement(headers: &http::HeaderMap) -> bool {
    headers.get(Status::GRPC_STATUS).is_some_and(|code| {
        let code = Code::from_bytes(code.as_bytes());
        matches!(code, Code::OutOfRange | Code::Internal)
    })
}

fn too_large() -> Refusal {
    Refusal {
        reason: ErrorReason::LimitExceeded,
        message: format!("the request exceeds the limit max_request_bytes of {MAX_REQUEST_BYTES}"),
        violations: Vec::new(),
        metadata: vec![("limit", "max_request_bytes".to_owned()), ("value", MAX_REQUEST_BYTES.to_string())],
    }
}

fn unreadable(why: &str) -> Refusal {
    Refusal {
        reason: ErrorReason::RequestUnreadable,
        message: format!("the request is not the message that this call takes: {why}"),
        violations: Vec::new(),
        metadata: Vec::new(),
    }
}

/// The text, cut when it is too long for a header.
fn shortened(text: &str) -> String {
    if text.len() <= MAX_TEXT_BYTES {
        return text.to_owned();
    }
    format!("{}…", &text[..text.floor_char_boundary(MAX_TEXT_BYTES)])
}

#[cfg(test)]
mod tests {
    use analysis::error::Violation;

    use super::*;

    #[test]
    fn a_refusal_has_every_violation_and_the_metadata() {
        let violation = |field: &str| Violation { field: field.to_owned(), description: "wrong".to_owned() };
        let status = Status::from(Refusal {
            reason: ErrorReason::FenInvalid,
            message: "the FEN is not valid".to_owned(),
            violations: vec![violation("a"), violation("b")],
            metadata: vec![("faults", "KING_COUNT".to_owned())],
        });
        assert_eq!(status.code(), Code::InvalidArgument);
        let details = status.get_error_details();
        assert_eq!(details.bad_request().expect("a BadRequest").field_violations.len(), 2);
        let info = details.error_info().expect("an ErrorInfo");
        assert_eq!(info.reason, "FEN_INVALID");
        assert_eq!(info.metadata["faults"], "KING_COUNT");
    }

    #[test]
    fn only_tonics_own_statuses_are_replaced() {
        let refined = refine(Status::out_of_range("too long"));
        assert_eq!(refined.get_details_error_info().expect("an ErrorInfo").reason, "LIMIT_EXCEEDED");
        let refined = refine(Status::internal("no message"));
        assert_eq!(refined.code(), Code::InvalidArgument);
        assert_eq!(refined.get_details_error_info().expect("an ErrorInfo").reason, "REQUEST_UNREADABLE");
        assert_eq!(refine(internal("1")).code(), Code::Internal);
        assert_eq!(refine(Status::unimplemented("no")).code(), Code::Unimplemented);
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        let long = "马".repeat(1000);
        let status = Status::from(Refusal::of_field(ErrorReason::VariantUnsupported, "pgn", long));
        assert!(status.message().len() < MAX_TEXT_BYTES + 4);
        assert!(status.details().len() < 1000);
    }
}

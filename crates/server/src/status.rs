//! Errors as gRPC has them: the only file that decides on status codes.
//!
//! Every status that is made here carries a `google.rpc.ErrorInfo`.

use std::collections::HashMap;
use std::time::Duration;

use analysis::error::Violation;
use proto::v1::ErrorReason;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, FieldViolation, StatusExt as _};

use crate::limits::{REQUEST_WITHIN, STREAM_IDLE_WITHIN};
use crate::refusal::{Refusal, shortened};

/// The domain of every `ErrorInfo`.
pub const DOMAIN: &str = "arbiter";

/// The most violations in one error.
///
/// Errors travel in headers, and clients take no more than 8 KiB of them. What these bounds let through
/// fits in, together with the message: it stands there twice, once percent-encoded, and all details grow
/// by a third in base64.
const MAX_VIOLATIONS: usize = 20;

/// How much all violations of one error say, in bytes.
const MAX_VIOLATIONS_BYTES: usize = 3_000;

/// How much one violation says, in bytes.
const MAX_VIOLATION_BYTES: usize = 400;

/// How much the metadata of one error say, in bytes: for each value, what the ones before it leave.
const MAX_METADATA_BYTES: usize = 800;

/// When a client may try again while this server stops: at once, elsewhere.
const RETRY_DELAY: Duration = Duration::from_millis(100);

/// When a client may try again while this server has more to do than it can take on.
const OVERLOAD_RETRY_DELAY: Duration = Duration::from_secs(1);

impl From<Refusal> for Status {
    fn from(refusal: Refusal) -> Self {
        let mut details = ErrorDetails::with_error_info(refusal.reason_name(), DOMAIN, metadata_of(&refusal));
        let violations = violations_of(&refusal);
        if !violations.is_empty() {
            details.set_bad_request(violations);
        }
        let code = match refusal.reason {
            ErrorReason::Overloaded => {
                details.set_retry_info(Some(OVERLOAD_RETRY_DELAY));
                Code::ResourceExhausted
            }
            ErrorReason::GameOver => Code::FailedPrecondition,
            _ => Code::InvalidArgument,
        };
        Status::with_error_details(code, refusal.short_message(), details)
    }
}

fn metadata_of(refusal: &Refusal) -> HashMap<String, String> {
    let mut left = MAX_METADATA_BYTES;
    let shorten = |(name, value): &(&'static str, String)| {
        let value = shortened(value, left);
        left = left.saturating_sub(value.len());
        ((*name).to_owned(), value)
    };
    refusal.metadata.iter().map(shorten).collect()
}

fn violations_of(refusal: &Refusal) -> Vec<FieldViolation> {
    let count = refusal.violations.len().clamp(1, MAX_VIOLATIONS);
    let share = MAX_VIOLATION_BYTES.min(MAX_VIOLATIONS_BYTES / count);
    let violations = refusal.violations.iter().take(count);
    violations
        .map(|Violation { field, description }| {
            FieldViolation::new(field, shortened(description, share.saturating_sub(field.len())))
        })
        .collect()
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
        "the call's deadline, or the longest that a call may take here, passed before its answer",
        details,
    )
}

/// The call has no token that is taken.
#[must_use]
pub fn unauthenticated(why: &str) -> Status {
    let details = ErrorDetails::with_error_info("UNAUTHENTICATED", DOMAIN, HashMap::new());
    let message = format!("{why}; expected the metadata \"authorization: Bearer TOKEN\" with a valid token");
    Status::with_error_details(Code::Unauthenticated, message, details)
}

/// The client has reset the call or is gone. Only metrics and traces get to read it.
#[must_use]
pub fn given_up() -> Status {
    Status::cancelled("the client gave the call up")
}

/// The client began a request and took too long to complete it.
#[must_use]
pub fn request_too_slow() -> Status {
    let details = ErrorDetails::with_error_info("DEADLINE_EXCEEDED", DOMAIN, HashMap::new());
    let message = format!("the request was not complete within {} s", REQUEST_WITHIN.as_secs());
    Status::with_error_details(Code::DeadlineExceeded, message, details)
}

/// The client of a stream said nothing for too long.
#[must_use]
pub fn stream_idle() -> Status {
    let details = ErrorDetails::with_error_info("DEADLINE_EXCEEDED", DOMAIN, HashMap::new());
    let message = format!(
        "the stream had no message for {} s; end streams that are done, and begin new ones",
        STREAM_IDLE_WITHIN.as_secs()
    );
    Status::with_error_details(Code::DeadlineExceeded, message, details)
}

/// The call is left to servers of another kind than this one, which serves `serves`.
#[must_use]
pub fn not_served(method: &str, serves: &'static str) -> Status {
    let metadata =
        [("method", method), ("serves", serves)].map(|(name, value)| (name.to_owned(), value.to_owned()));
    let details = ErrorDetails::with_error_info("METHOD_NOT_SERVED", DOMAIN, HashMap::from(metadata));
    let message =
        format!("this server answers no {method}: it serves {serves} only; ask one that serves all");
    Status::with_error_details(Code::Unimplemented, message, details)
}

/// How many gRPC codes there are.
pub const CODES: usize = 17;

/// The name of a code, as conventions want it (`NOT_FOUND`).
#[must_use]
pub fn code_name(code: Code) -> &'static str {
    match code {
        Code::Ok => "OK",
        Code::Cancelled => "CANCELLED",
        Code::Unknown => "UNKNOWN",
        Code::InvalidArgument => "INVALID_ARGUMENT",
        Code::DeadlineExceeded => "DEADLINE_EXCEEDED",
        Code::NotFound => "NOT_FOUND",
        Code::AlreadyExists => "ALREADY_EXISTS",
        Code::PermissionDenied => "PERMISSION_DENIED",
        Code::ResourceExhausted => "RESOURCE_EXHAUSTED",
        Code::FailedPrecondition => "FAILED_PRECONDITION",
        Code::Aborted => "ABORTED",
        Code::OutOfRange => "OUT_OF_RANGE",
        Code::Unimplemented => "UNIMPLEMENTED",
        Code::Internal => "INTERNAL",
        Code::Unavailable => "UNAVAILABLE",
        Code::DataLoss => "DATA_LOSS",
        Code::Unauthenticated => "UNAUTHENTICATED",
    }
}

/// Whether a code blames the server (OpenTelemetry's conventions for RPCs).
#[must_use]
pub fn is_fault(code: Code) -> bool {
    matches!(
        code,
        Code::Unknown
            | Code::DeadlineExceeded
            | Code::Unimplemented
            | Code::Internal
            | Code::Unavailable
            | Code::DataLoss
    )
}

/// Replaces a status that tonic made while it read a request by the one that the API promises.
///
/// tonic blames itself (INTERNAL) for bytes that are no message, and calls a message that is too large
/// `OUT_OF_RANGE`. Both are told from our own statuses by having no details.
#[must_use]
pub fn refine(status: Status, limit: usize) -> Status {
    if !status.details().is_empty() {
        return status;
    }
    match status.code() {
        // The second is what a message becomes when it is too large without its compression.
        Code::OutOfRange | Code::ResourceExhausted => too_large(limit).into(),
        Code::Internal => unreadable(status.message()).into(),
        _ => status,
    }
}

/// Whether a response without a body carries a gRPC code that [`refine`] looks at.
#[must_use]
pub fn needs_refinement(headers: &http::HeaderMap) -> bool {
    headers.get(Status::GRPC_STATUS).is_some_and(|code| {
        let code = Code::from_bytes(code.as_bytes());
        matches!(code, Code::OutOfRange | Code::ResourceExhausted | Code::Internal)
    })
}

fn too_large(limit: usize) -> Refusal {
    Refusal {
        reason: ErrorReason::LimitExceeded,
        message: format!("the request exceeds the limit max_request_bytes of {limit}"),
        violations: Vec::new(),
        metadata: vec![("limit", "max_request_bytes".to_owned()), ("value", limit.to_string())],
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

#[cfg(test)]
mod tests {
    use tonic::body::Body;

    use super::*;
    use crate::limits::MAX_REQUEST_BYTES;

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
        let refined = refine(Status::out_of_range("too long"), MAX_REQUEST_BYTES);
        assert_eq!(refined.get_details_error_info().expect("an ErrorInfo").reason, "LIMIT_EXCEEDED");
        let refined = refine(Status::resource_exhausted("too long when it is unpacked"), MAX_REQUEST_BYTES);
        assert_eq!(refined.code(), Code::InvalidArgument);
        assert_eq!(refine(Refusal::overloaded().into(), MAX_REQUEST_BYTES).code(), Code::ResourceExhausted);
        let refined = refine(Status::internal("no message"), MAX_REQUEST_BYTES);
        assert_eq!(refined.code(), Code::InvalidArgument);
        assert_eq!(refined.get_details_error_info().expect("an ErrorInfo").reason, "REQUEST_UNREADABLE");
        assert_eq!(refine(internal("1"), MAX_REQUEST_BYTES).code(), Code::Internal);
        assert_eq!(refine(Status::unimplemented("no"), MAX_REQUEST_BYTES).code(), Code::Unimplemented);
    }

    #[test]
    fn one_violation_is_told_whole_and_many_share() {
        let violation = |bytes| Violation { field: "pgn".to_owned(), description: "x".repeat(bytes) };
        let of = |violations| Refusal { violations, ..Refusal::overloaded() };
        let told = violations_of(&of(vec![violation(300)]));
        assert_eq!(told[0].description.len(), 300);
        let told = violations_of(&of(vec![violation(140); 30]));
        assert_eq!(told.len(), MAX_VIOLATIONS);
        assert!(told.iter().all(|violation| violation.description.len() == 140));
    }

    #[test]
    fn the_longest_error_fits_into_the_headers_that_clients_take() {
        // What is longest when it is percent-encoded, in every place there is.
        let long = "馬".repeat(1000);
        let names = ["index", "move", "illegal_reason", "rule", "squares", "candidates"];
        for violations in [0, 1, 7, 8, MAX_VIOLATIONS, 1000] {
            let field = "game.move_limits[63].material".to_owned();
            let status = Status::from(Refusal {
                reason: ErrorReason::RequestUnreadable,
                message: long.clone(),
                violations: vec![Violation { field, description: long.clone() }; violations],
                metadata: names.map(|name| (name, long.clone())).to_vec(),
            });
            let response = status.into_http::<Body>();
            // The size of a header as HTTP/2 counts it (RFC 9113, section 6.5.2).
            let size = |name: &str, value: &[u8]| name.len() + value.len() + 32;
            let headers =
                response.headers().iter().map(|(name, value)| size(name.as_str(), value.as_bytes()));
            let added = size(":status", b"200") + size("date", b"Thu, 01 Jan 1970 00:00:00 GMT");
            let total = headers.sum::<usize>() + added;
            assert!(total <= 8 * 1024, "{violations} violations make {total} bytes");
        }
    }

    #[test]
    fn an_overload_is_no_fault_of_the_request() {
        let status = Status::from(Refusal::overloaded());
        assert_eq!(status.code(), Code::ResourceExhausted);
        assert!(status.get_details_retry_info().expect("a RetryInfo").retry_delay.is_some());
    }
}

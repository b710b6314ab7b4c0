//! An error with its details.

use std::collections::HashMap;

use tonic::{Code, Status};
use tonic_types::StatusExt as _;

/// An error, taken apart.
#[derive(Debug)]
pub struct Fault {
    /// The gRPC code.
    pub code: Code,
    /// The message.
    pub message: String,
    /// The reason of the `ErrorInfo`.
    pub reason: String,
    /// The domain of the `ErrorInfo`.
    pub domain: String,
    /// The metadata of the `ErrorInfo`.
    pub metadata: HashMap<String, String>,
    /// The fields of the `BadRequest` and their descriptions.
    pub fields: Vec<(String, String)>,
    /// There is a `RetryInfo` with a delay.
    pub has_retry: bool,
}

impl Fault {
    /// Takes a status apart.
    ///
    /// # Panics
    /// It has no `ErrorInfo`.
    #[must_use]
    pub fn of(status: &Status) -> Fault {
        let details = status.get_error_details();
        let info = details.error_info().unwrap_or_else(|| panic!("no ErrorInfo in {status:?}"));
        let violations = details.bad_request().map(|bad| bad.field_violations.as_slice()).unwrap_or_default();
        Fault {
            code: status.code(),
            message: status.message().to_owned(),
            reason: info.reason.clone(),
            domain: info.domain.clone(),
            metadata: info.metadata.clone(),
            fields: violations.iter().map(|v| (v.field.clone(), v.description.clone())).collect(),
            has_retry: details.retry_info().is_some_and(|retry| retry.retry_delay.is_some()),
        }
    }

    /// The fault of a call that has to fail.
    ///
    /// # Panics
    /// The call went well.
    #[must_use]
    pub fn expect<T: std::fmt::Debug>(result: Result<T, Status>) -> Fault {
        Fault::of(&result.expect_err("the call should fail"))
    }

    /// The path of the only field that is wrong.
    ///
    /// # Panics
    /// There is not exactly one.
    #[must_use]
    pub fn field(&self) -> &str {
        assert_eq!(self.fields.len(), 1, "{self:?}");
        &self.fields[0].0
    }
}

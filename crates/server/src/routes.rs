//! Which service a call goes to, and what holds for all of them.

use std::convert::Infallible;
use std::sync::Arc;

use http::{Request, Response};
use hyper::body::Incoming;
use proto::v1::arbiter_service_server::{ArbiterServiceServer, SERVICE_NAME};
use tonic::Status;
use tonic::body::Body;
use tonic::service::Routes;
use tower::Service as _;

use crate::config::Served;
use crate::deadline::Deadline;
use crate::health::Health;
use crate::limits::MAX_REQUEST_BYTES;
use crate::observe::{Call, Observed};
use crate::panics::guard;
use crate::service::Arbiter;
use crate::status;
use crate::telemetry::Telemetry;
use crate::whole::{Messages, WholeMessages};

/// Everything that this server answers.
#[derive(Debug, Clone)]
pub struct Services {
    served: Served,
    telemetry: Arc<Telemetry>,
    arbiter: ArbiterServiceServer<Arbiter>,
    /// Health and reflection.
    others: Routes,
}

impl Services {
    /// The referee as far as it is `served`, its health, and reflection over both in the two versions that
    /// tools ask for.
    ///
    /// # Errors
    /// The descriptors that were built in are broken.
    pub fn new(
        served: Served,
        arbiter: Arbiter,
        health: &Health,
        telemetry: Arc<Telemetry>,
    ) -> Result<Self, tonic_reflection::server::Error> {
        // Beyond this, a message does not come through [`WholeMessages`].
        const LIMIT: usize = MAX_REQUEST_BYTES;
        let reflection = || {
            tonic_reflection::server::Builder::configure()
                .register_encoded_file_descriptor_set(proto::FILE_DESCRIPTOR_SET)
                .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
                // Without these, tools show the details of errors as bytes.
                .register_encoded_file_descriptor_set(tonic_types::pb::FILE_DESCRIPTOR_SET)
        };
        let others = Routes::new(health.service().max_decoding_message_size(LIMIT))
            .add_service(reflection().build_v1()?.max_decoding_message_size(LIMIT))
            .add_service(reflection().build_v1alpha()?.max_decoding_message_size(LIMIT))
            .prepare();
        let arbiter = ArbiterServiceServer::new(arbiter).max_decoding_message_size(LIMIT);
        Ok(Self { served, telemetry, arbiter, others })
    }

    /// Answers one call, and tells of it.
    ///
    /// # Errors
    /// Never: a call that fails has an answer too.
    pub async fn answer(self, request: Request<Incoming>) -> Result<Response<Observed>, Infallible> {
        Call::begin(self.telemetry.clone(), &request).answer(self.route(request)).await
    }

    async fn route(mut self, request: Request<Incoming>) -> Result<Response<Body>, Infallible> {
        let messages = messages_of(request.uri().path());
        let mut request = request.map(|body| WholeMessages::new(body, messages));
        let Some(method) = method_of_arbiter(request.uri().path()) else {
            return self.others.call(request).await.map(refined);
        };
        if self.served.leaves_to_others(method) {
            return Ok(status::not_served(method, self.served.name()).into_http());
        }
        let deadline = Deadline::of(request.headers());
        if let Some(deadline) = deadline {
            request.extensions_mut().insert(deadline);
        }
        let response = within(deadline, guard(self.arbiter.call(request))).await;
        Ok(match response {
            Ok(Ok(response)) => refined(response),
            Err(status) => status.into_http(),
        })
    }
}

/// The name of the RPC of our service that a path is about.
fn method_of_arbiter(path: &str) -> Option<&str> {
    path.strip_prefix('/')?.strip_prefix(SERVICE_NAME)?.strip_prefix('/')
}

/// How many messages the client of a method sends.
fn messages_of(path: &str) -> Messages {
    match path.rsplit('/').next() {
        Some("ValidateMoves" | "ServerReflectionInfo") => Messages::Many,
        _ => Messages::One,
    }
}

/// Waits for an answer no longer than the client does.
async fn within<T>(
    deadline: Option<Deadline>,
    answer: impl Future<Output = Result<T, Status>>,
) -> Result<T, Status> {
    match deadline {
        None => answer.await,
        Some(Deadline(at)) => {
            tokio::time::timeout_at(at, answer).await.unwrap_or_else(|_| Err(status::deadline_exceeded()))
        }
    }
}

/// Replaces what tonic says about a request that it could not read. Such an answer has headers only.
fn refined(response: Response<Body>) -> Response<Body> {
    if !status::needs_refinement(response.headers()) {
        return response;
    }
    match Status::from_header_map(response.headers()) {
        Some(status) => status::refine(status).into_http(),
        None => response,
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use tokio::time::Instant;
    use tonic::Code;

    use super::*;

    #[tokio::test]
    async fn a_passed_deadline_is_named_as_such() {
        let passed = Some(Deadline(Instant::now()));
        let late = within(passed, pending::<Result<(), Status>>()).await.expect_err("there is no answer");
        assert_eq!(late.code(), Code::DeadlineExceeded);
        let at_once = within(passed, async { Ok(7) }).await;
        assert_eq!(at_once.expect("an answer that is there is given"), 7);
        assert_eq!(within(None, async { Ok(7) }).await.expect("an answer"), 7);
    }

    #[test]
    fn a_request_that_tonic_cannot_read_is_refused_as_ours() {
        let tonics = Status::internal("failed to decode Protobuf message").into_http::<Body>();
        let refined = Status::from_header_map(refined(tonics).headers()).expect("a status");
        assert_eq!(refined.code(), Code::InvalidArgument);
        let ours = status::internal("1").into_http::<Body>();
        let kept = Status::from_header_map(super::refined(ours).headers()).expect("a status");
        assert_eq!(kept.code(), Code::Internal);
    }

    #[test]
    fn only_whole_names_are_ours() {
        assert_eq!(method_of_arbiter("/arbiter.v1.ArbiterService/ValidateMove"), Some("ValidateMove"));
        assert_eq!(method_of_arbiter("/arbiter.v1.ArbiterServices/ValidateMove"), None);
        assert_eq!(method_of_arbiter("/arbiter.v1.ArbiterService"), None);
        assert_eq!(method_of_arbiter("/grpc.health.v1.Health/Check"), None);
    }
}

//! Which service a call goes to, and what holds for all of them.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use http::{HeaderMap, HeaderName, Request, Response};
use hyper::body::Bytes;
use proto::v1::arbiter_service_server::ArbiterServiceServer;
use tonic::Status;
use tonic::body::Body;
use tonic::codec::CompressionEncoding;
use tonic::service::Routes;
use tower::{BoxError, Service as _};

use crate::calls::Calls;
use crate::config::{Config, Served, Switch};
use crate::deadline::Deadline;
use crate::health::Health;
use crate::in_flight::{InFlight, Place};
use crate::limits::{MAX_NAMES_BYTES, MAX_REQUEST_BYTES};
use crate::method::{Kind, Messages, Method};
use crate::observe::{Call, Observed};
use crate::panics::guard;
use crate::service::{Arbiter, LastCall};
use crate::status;
use crate::telemetry::Telemetry;
use crate::tokens::Tokens;
use crate::whole::{Compression, WholeMessages};

/// Beyond this, a message does not come through [`WholeMessages`]; and no longer one comes out of a
/// message that was compressed.
const LIMIT: usize = MAX_REQUEST_BYTES;

/// How the messages of a request are compressed, and how those of an answer may be.
const ENCODING: HeaderName = HeaderName::from_static("grpc-encoding");
const ACCEPT_ENCODING: HeaderName = HeaderName::from_static("grpc-accept-encoding");

/// Everything that this server answers.
#[derive(Debug)]
pub struct Services {
    /// Nothing where health alone is served.
    arbiter: Option<ArbiterServiceServer<Arbiter>>,
    served: Served,
    /// Health and reflection.
    others: Routes,
    tokens: Tokens,
    telemetry: Arc<Telemetry>,
    in_flight: InFlight,
    /// The longest that a call with one answer may take.
    longest: Duration,
}

impl Services {
    /// The referee as far as it is `served`, its health, and reflection over both in the two versions that
    /// tools ask for.
    ///
    /// # Errors
    /// The descriptors that were built in are broken.
    pub fn new(
        config: &Config,
        arbiter: Arbiter,
        health: &Health,
        tokens: Tokens,
        telemetry: Arc<Telemetry>,
    ) -> Result<Self, tonic_reflection::server::Error> {
        let reflection = || {
            tonic_reflection::server::Builder::configure()
                .register_encoded_file_descriptor_set(proto::FILE_DESCRIPTOR_SET)
                .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
                // Without these, tools show the details of errors as bytes.
                .register_encoded_file_descriptor_set(tonic_types::pb::FILE_DESCRIPTOR_SET)
        };
        let mut others = Routes::new(health.service().max_decoding_message_size(MAX_NAMES_BYTES));
        if config.offer.reflection == Switch::On {
            others = others
                .add_service(reflection().build_v1()?.max_decoding_message_size(MAX_NAMES_BYTES))
                .add_service(reflection().build_v1alpha()?.max_decoding_message_size(MAX_NAMES_BYTES));
        }
        let arbiter = ArbiterServiceServer::new(arbiter)
            .max_decoding_message_size(LIMIT)
            .accept_compressed(CompressionEncoding::Gzip)
            .send_compressed(CompressionEncoding::Gzip);
        Ok(Self {
            arbiter: Some(arbiter),
            others: others.prepare(),
            tokens,
            ..Self::of_health(config, health, telemetry)
        })
    }

    /// Health alone, for everyone.
    #[must_use]
    pub fn of_health(config: &Config, health: &Health, telemetry: Arc<Telemetry>) -> Self {
        Self {
            arbiter: None,
            served: config.offer.serve,
            others: Routes::new(health.service().max_decoding_message_size(MAX_NAMES_BYTES)).prepare(),
            tokens: Tokens::default(),
            telemetry,
            in_flight: InFlight::new(config.work.max_in_flight),
            longest: config.work.max_deadline,
        }
    }

    /// Answers one of the `calls` of a connection, and tells of it. It is open until its answer is sent.
    ///
    /// # Errors
    /// Never: a call that fails has an answer too.
    pub async fn answer<B>(
        self: Arc<Self>,
        request: Request<B>,
        calls: Calls,
    ) -> Result<Response<Observed>, Infallible>
    where
        B: hyper::body::Body<Data = Bytes, Error: Into<BoxError>> + Send + Unpin + 'static,
    {
        let method = Method::of_path(request.uri().path());
        let call = Call::begin(self.telemetry.clone(), method, &request, calls);
        let (response, place) = call.within(self.route(&call, request)).await?;
        Ok(call.answer(response, place))
    }

    /// The answer, and the place that the call holds until it is taken.
    async fn route<B>(&self, call: &Call, request: Request<B>) -> Result<(Response<Body>, Place), Infallible>
    where
        B: hyper::body::Body<Data = Bytes, Error: Into<BoxError>> + Send + Unpin + 'static,
    {
        let method = call.method();
        if method.kind() != Kind::Health
            && let Err(status) = self.tokens.check(request.headers())
        {
            return Ok(without_place(status));
        }
        let arbiter = self.arbiter.as_ref().filter(|_| method.is_of_arbiter());
        if arbiter.is_some() && !self.served.has(method) {
            return Ok(without_place(status::not_served(method.short_name(), self.served.name())));
        }
        let place = match self.in_flight.enter(method) {
            Ok(place) => place,
            Err(refusal) => return Ok(without_place(refusal.into())),
        };
        let Some(arbiter) = arbiter else {
            let request = request.map(|body| WholeMessages::new(body, method, Compression::None, None));
            let response = self.others.clone().call(request).await?;
            return Ok((refined(response, method.max_request_bytes()), place));
        };
        Ok(match self.ask(arbiter.clone(), call, request).await {
            Err(status) => without_place(status),
            Ok(response) => (refined(response, method.max_request_bytes()), place),
        })
    }

    async fn ask<B>(
        &self,
        mut arbiter: ArbiterServiceServer<Arbiter>,
        call: &Call,
        mut request: Request<B>,
    ) -> Result<Response<Body>, Status>
    where
        B: hyper::body::Body<Data = Bytes, Error: Into<BoxError>> + Send + Unpin + 'static,
    {
        let method = call.method();
        let mut deadline = Deadline::of(request.headers(), call.begun());
        let compression = agree_on_compression(request.headers_mut());
        if method.gets() == Messages::Many {
            request.extensions_mut().insert(LastCall(call.calls().last_call().clone()));
            if let Some(deadline) = deadline {
                request.extensions_mut().insert(deadline);
            }
        } else {
            let longest = Deadline(call.begun() + self.longest);
            deadline = Some(deadline.map_or(longest, |deadline| deadline.min(longest)));
        }
        let places = (method.asks() == Messages::Many).then(|| self.in_flight.clone());
        let request = request.map(|body| WholeMessages::new(body, method, compression, places));
        let Ok(response) = within(deadline, guard(arbiter.call(request))).await?;
        Ok(response)
    }
}

fn without_place(status: Status) -> (Response<Body>, Place) {
    (status.into_http(), Place::default())
}

/// Answers are compressed for those who compress what they ask. Nearly every client says that it could
/// read a compressed answer, and few want one.
fn agree_on_compression(headers: &mut HeaderMap) -> Compression {
    if headers.get(ENCODING).is_some_and(|encoding| encoding == "gzip") {
        return Compression::Gzip;
    }
    headers.remove(ACCEPT_ENCODING);
    Compression::None
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
fn refined(response: Response<Body>, limit: usize) -> Response<Body> {
    if !status::needs_refinement(response.headers()) {
        return response;
    }
    match Status::from_header_map(response.headers()) {
        Some(status) => status::refine(status, limit).into_http(),
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
        let refined = Status::from_header_map(refined(tonics, LIMIT).headers()).expect("a status");
        assert_eq!(refined.code(), Code::InvalidArgument);
        let ours = status::internal("1").into_http::<Body>();
        let kept = Status::from_header_map(super::refined(ours, LIMIT).headers()).expect("a status");
        assert_eq!(kept.code(), Code::Internal);
    }

    #[test]
    fn who_does_not_compress_gets_nothing_compressed() {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT_ENCODING, "identity,gzip".parse().expect("a value"));
        let mut compressed = headers.clone();
        compressed.insert(ENCODING, "gzip".parse().expect("a value"));
        assert_eq!(agree_on_compression(&mut compressed), Compression::Gzip);
        assert!(compressed.contains_key(ACCEPT_ENCODING));
        assert_eq!(agree_on_compression(&mut headers), Compression::None);
        assert!(headers.is_empty());
    }
}

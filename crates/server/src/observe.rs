//! What is told of a call: its place among those in flight, its end, its span.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Instant;

use http::{HeaderMap, HeaderValue, Request, Response};
use http_body::{Frame, SizeHint};
use tonic::body::Body;
use tonic::{Code, Status};

use crate::method::Method;
use crate::status::{code_name, is_fault};
use crate::telemetry::{Telemetry, traces};

/// A call under way. It ends with its answer's status; if it is dropped before, the client has gone.
#[derive(Debug)]
pub struct Call {
    telemetry: Arc<Telemetry>,
    method: Method,
    begun: Instant,
    /// The caller's span.
    parent: Option<HeaderValue>,
    /// The call's span, if it is sampled.
    trace: Option<opentelemetry::Context>,
    ended: bool,
}

impl Call {
    /// Begins with the headers of a request.
    #[must_use]
    pub fn begin<B>(telemetry: Arc<Telemetry>, method: Method, request: &Request<B>) -> Self {
        telemetry.metrics.call_began(method);
        let trace = telemetry.traces.as_ref().and_then(|traces| traces.begin(method, request.headers()));
        let parent = request.headers().get(traces::PARENT).cloned();
        Self { telemetry, method, begun: Instant::now(), parent, trace, ended: false }
    }

    /// Works on the answer within the call's span, and follows it to its end.
    pub async fn answer<E>(
        self,
        answer: impl Future<Output = Result<Response<Body>, E>>,
    ) -> Result<Response<Observed>, E> {
        let mut answer = std::pin::pin!(answer);
        let answer = std::future::poll_fn(|context| {
            let _current = self.enter();
            answer.as_mut().poll(context)
        });
        let response = answer.await?;
        let mut call = self;
        // An answer without a body has its status in its headers.
        if let Some(code) = code_of(response.headers()) {
            call.end(code);
        }
        Ok(response.map(|body| Observed { body, call }))
    }

    /// Makes the call's span the current one.
    fn enter(&self) -> Option<opentelemetry::ContextGuard> {
        self.trace.as_ref().map(|trace| trace.clone().attach())
    }

    fn end(&mut self, code: Code) {
        if std::mem::replace(&mut self.ended, true) {
            return;
        }
        let elapsed = self.begun.elapsed();
        self.telemetry.metrics.call_ended(self.method, code, elapsed);
        if let Some(trace) = &self.trace {
            traces::end(trace, code_name(code), is_fault(code));
        }
        self.telemetry.access.ended(self.method, code, elapsed, || self.context_for_log().attach());
    }

    /// The call's span or, if it has none, the caller's.
    fn context_for_log(&self) -> opentelemetry::Context {
        match (&self.trace, &self.parent) {
            (Some(trace), _) => trace.clone(),
            (None, Some(parent)) => {
                traces::parent_of(&HeaderMap::from_iter([(traces::PARENT, parent.clone())]))
            }
            (None, None) => opentelemetry::Context::new(),
        }
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        self.end(Code::Cancelled);
    }
}

/// The body of an answer.
#[derive(Debug)]
pub struct Observed {
    body: Body,
    call: Call,
}

impl http_body::Body for Observed {
    type Data = <Body as http_body::Body>::Data;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Status>>> {
        let current = self.call.enter();
        let frame = Pin::new(&mut self.body).poll_frame(context);
        drop(current);
        match &frame {
            Poll::Ready(Some(Ok(frame))) => {
                if let Some(trailers) = frame.trailers_ref() {
                    self.call.end(code_of(trailers).unwrap_or(Code::Unknown));
                }
            }
            Poll::Ready(Some(Err(status))) => self.call.end(status.code()),
            Poll::Ready(None) => self.call.end(Code::Unknown),
            Poll::Pending => {}
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

fn code_of(headers: &HeaderMap) -> Option<Code> {
    headers.get(Status::GRPC_STATUS).map(|code| Code::from_bytes(code.as_bytes()))
}

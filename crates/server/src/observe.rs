//! A call from its beginning to the end of its answer: what is told of it, and what it holds.

use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use http::{HeaderMap, HeaderValue, Request, Response};
use hyper::body::{Body as _, Bytes, Frame, SizeHint};
use tokio::time::Instant;
use tonic::body::Body;
use tonic::{Code, Status};

use crate::calls::Calls;
use crate::in_flight::Place;
use crate::method::{Messages, Method};
use crate::status::{code_name, is_fault};
use crate::telemetry::{Telemetry, traces};
use crate::untaken::Turn;

/// How much of an answer is handed on at once: a frame of the size that every client takes.
///
/// With a window of one byte, h2 takes over as much as it is given, and nobody could tell any more that it
/// waits.
const PIECE_BYTES: usize = 16 * 1024;

/// A call under way. It ends with its answer's status; if it is dropped before, the client has gone.
#[derive(Debug)]
pub struct Call {
    telemetry: Arc<Telemetry>,
    method: Method,
    begun: Instant,
    /// The caller's span, for the log, if the call has none.
    parent: Option<HeaderValue>,
    /// The call's span, if it is sampled.
    trace: Option<opentelemetry::Context>,
    ended: bool,
    /// The calls of its connection, among which it is open until it is dropped.
    calls: Calls,
    /// Since when its answer waits for the client, if it does.
    waits: Option<Turn>,
}

impl Call {
    /// Begins with the headers of a request, as one of the `calls` of its connection.
    #[must_use]
    pub fn begin<B>(telemetry: Arc<Telemetry>, method: Method, request: &Request<B>, calls: Calls) -> Self {
        telemetry.metrics.call_began(method);
        calls.begin();
        let trace = telemetry.traces.as_ref().and_then(|traces| traces.begin(method, request.headers()));
        let parent = request.headers().get(traces::PARENT).filter(|_| trace.is_none()).cloned();
        let begun = Instant::now();
        Self { telemetry, method, begun, parent, trace, ended: false, calls, waits: None }
    }

    /// What is called.
    #[must_use]
    pub fn method(&self) -> Method {
        self.method
    }

    /// When it began.
    #[must_use]
    pub fn begun(&self) -> Instant {
        self.begun
    }

    /// The calls of its connection.
    #[must_use]
    pub fn calls(&self) -> &Calls {
        &self.calls
    }

    /// Works on something within the call's span.
    pub async fn within<T>(&self, work: impl Future<Output = T>) -> T {
        let mut work = pin!(work);
        poll_fn(|context| {
            let _current = self.enter();
            work.as_mut().poll(context)
        })
        .await
    }

    /// Follows the answer to its end, and holds its place so long.
    #[must_use]
    pub fn answer(mut self, response: Response<Body>, place: Place) -> Response<Observed> {
        // An answer without a body has its status in its headers.
        if let Some(code) = code_of(response.headers()) {
            self.end(code);
        }
        if !response.body().is_end_stream() {
            self.wait_for_client();
        }
        response.map(|body| Observed { body, rest: Bytes::new(), call: self, _place: place })
    }

    /// Makes the call's span the current one.
    fn enter(&self) -> Option<opentelemetry::ContextGuard> {
        self.trace.as_ref().map(|trace| trace.clone().attach())
    }

    /// There is something for the client to take, from now on.
    fn wait_for_client(&mut self) {
        let now = self.calls.untaken().now();
        if self.waits != Some(now) {
            self.wait_for_nobody();
            self.calls.untaken().add(now);
            self.waits = Some(now);
        }
    }

    /// The client has taken all that there is.
    fn wait_for_nobody(&mut self) {
        if let Some(turn) = self.waits.take() {
            self.calls.untaken().remove(turn);
        }
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
        self.wait_for_nobody();
        self.calls.end();
    }
}

/// The body of an answer, handed on in pieces.
#[derive(Debug)]
pub struct Observed {
    body: Body,
    /// What has been taken out of the body and not been handed on.
    rest: Bytes,
    call: Call,
    _place: Place,
}

type Polled = Poll<Option<Result<Frame<Bytes>, Status>>>;

impl Observed {
    /// The next frame of the answer, and what it tells of the call.
    fn poll_body(&mut self, context: &mut Context<'_>) -> Polled {
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

    /// Who asks for more has sent what there was. One answer has its time as a whole, in a stream each piece.
    fn note_taken<T>(&mut self, next: &Poll<T>) {
        if next.is_pending() {
            self.call.wait_for_nobody();
        } else if self.call.waits.is_none() || self.call.method.gets() == Messages::Many {
            self.call.wait_for_client();
        }
    }
}

impl http_body::Body for Observed {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Polled {
        if self.rest.is_empty() {
            let frame = self.poll_body(context);
            self.note_taken(&frame);
            match ready!(frame).map(|frame| frame.map(Frame::into_data)) {
                Some(Ok(Ok(data))) => self.rest = data,
                Some(Ok(Err(other))) => return Poll::Ready(Some(Ok(other))),
                Some(Err(status)) => return Poll::Ready(Some(Err(status))),
                None => return Poll::Ready(None),
            }
        }
        let length = self.rest.len().min(PIECE_BYTES);
        Poll::Ready(Some(Ok(Frame::data(self.rest.split_to(length)))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

fn code_of(headers: &HeaderMap) -> Option<Code> {
    headers.get(Status::GRPC_STATUS).map(|code| Code::from_bytes(code.as_bytes()))
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::time::Duration;

    use tokio::time::timeout;
    use tokio_util::sync::CancellationToken;

    use super::*;
    use crate::limits::ANSWER_WITHIN;

    /// An answer of these frames; after them, its server has nothing more to send.
    struct Frames(VecDeque<Bytes>);

    impl hyper::body::Body for Frames {
        type Data = Bytes;
        type Error = Status;

        fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Polled {
            self.0.pop_front().map_or(Poll::Pending, |data| Poll::Ready(Some(Ok(Frame::data(data)))))
        }
    }

    fn answer(method: Method, frames: &[&[u8]]) -> (Calls, Observed) {
        let calls = Calls::new(CancellationToken::new());
        let call = Call::begin(Telemetry::for_tests(), method, &Request::new(()), calls.clone());
        let frames = frames.iter().map(|frame| Bytes::copy_from_slice(frame)).collect();
        let response = Response::new(Body::new(Frames(frames)));
        (calls, call.answer(response, Place::default()).into_body())
    }

    /// The next data; nothing when there is none yet.
    async fn next(answer: &mut Observed) -> Option<Bytes> {
        let frame = poll_fn(|context| {
            Poll::Ready(match pin!(&mut *answer).poll_frame(context) {
                Poll::Ready(frame) => frame,
                Poll::Pending => None,
            })
        });
        frame.await.map(|frame| frame.expect("no error").into_data().expect("data"))
    }

    async fn is_overdue(calls: &Calls) -> bool {
        timeout(10 * ANSWER_WITHIN, calls.untaken().overdue()).await.is_ok()
    }

    #[tokio::test]
    async fn an_answer_comes_in_pieces_and_whole() {
        let whole: Vec<_> = (0..=u8::MAX).cycle().take(2 * PIECE_BYTES + 1).collect();
        let (_calls, mut answer) = answer(Method::REPLAY_GAME, &[&whole]);
        let mut pieces = Vec::new();
        while let Some(piece) = next(&mut answer).await {
            pieces.push(piece);
        }
        assert_eq!(pieces.iter().map(Bytes::len).collect::<Vec<_>>(), [PIECE_BYTES, PIECE_BYTES, 1]);
        assert_eq!(pieces.concat(), whole);
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_waits_for_its_client_until_it_is_dropped() {
        for method in [Method::VALIDATE_MOVE, Method::VALIDATE_MOVES, Method::SEARCH] {
            let (calls, mut answer) = answer(method, &[b"a", b"b"]);
            assert!(is_overdue(&calls).await, "nothing is taken of {}", method.name());
            assert!(next(&mut answer).await.is_some());
            assert!(is_overdue(&calls).await, "a part is not taken of {}", method.name());
            drop(answer);
            assert!(!is_overdue(&calls).await);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_stream_that_has_nothing_to_send_waits_for_nobody() {
        let (calls, mut answer) = answer(Method::SEARCH, &[b"a"]);
        assert!(next(&mut answer).await.is_some() && next(&mut answer).await.is_none());
        assert!(!is_overdue(&calls).await);
    }

    #[tokio::test(start_paused = true)]
    async fn a_stream_may_be_taken_piece_by_piece_and_one_answer_not() {
        for (method, is_late) in [(Method::REPLAY_GAME, true), (Method::VALIDATE_MOVES, false)] {
            let (calls, mut answer) = answer(method, &[b"a".as_slice(); 20]);
            let takes = async {
                for _ in 0..20 {
                    tokio::time::sleep(ANSWER_WITHIN - Duration::from_secs(1)).await;
                    assert!(next(&mut answer).await.is_some());
                }
            };
            tokio::select! {
                () = calls.untaken().overdue() => assert!(is_late, "{}", method.name()),
                () = takes => assert!(!is_late, "{}", method.name()),
            }
        }
    }
}

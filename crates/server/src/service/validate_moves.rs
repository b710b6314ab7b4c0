//! The same question in bulk.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use proto::v1;
use tokio::task::coop;
use tokio_stream::Stream;
use tokio_util::sync::CancellationToken;
use tonic::{Status, Streaming};

use super::validate_move::Question;
use crate::deadline::Deadline;
use crate::limits::MAX_REQUEST_BYTES;
use crate::method::Method;
use crate::panics::{catch, guard};
use crate::refusal::Refusal;
use crate::status;
use crate::telemetry::Telemetry;
use crate::workers::{Load, Workers};

type Waiting<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// After how many short questions a stream looks whether it has to end: to look costs a good part of what a short
/// answer does. After a long one, and when there is nothing to read, it always looks.
const LOOK_EVERY: u32 = 16;

/// The answers to a stream of questions: one each, in order.
///
/// A question is read only when its answer is asked for, and answers are asked for only while the
/// client takes them in. So nothing piles up, and work stops when the client is gone.
pub struct AnswerStream {
    workers: Workers,
    questions: Streaming<v1::ValidateMovesRequest>,
    /// Every question is counted as it is read.
    telemetry: Arc<Telemetry>,
    /// The answer to a long question, under way on another thread.
    under_way: Option<Waiting<Result<v1::ValidateMovesResponse, Status>>>,
    /// Why the stream has to end, as soon as it does.
    end: Waiting<Status>,
    /// The questions read since `end` was looked at.
    since_look: u32,
    ended: bool,
}

impl AnswerStream {
    /// Answers `questions` until they end, or `last_call` is cancelled, or the deadline passes.
    pub(super) fn new(
        workers: Workers,
        questions: Streaming<v1::ValidateMovesRequest>,
        telemetry: Arc<Telemetry>,
        last_call: CancellationToken,
        deadline: Option<Deadline>,
    ) -> Self {
        let end = Box::pin(end_of_stream(last_call, deadline));
        Self { workers, questions, telemetry, under_way: None, end, since_look: LOOK_EVERY, ended: false }
    }

    /// Begins to answer: at once when the question is short.
    fn begin(
        &mut self,
        request: v1::ValidateMovesRequest,
    ) -> Option<Result<v1::ValidateMovesResponse, Status>> {
        let question = match Question::from_proto(same_fields(request)) {
            Ok(question) => question,
            Err(refusal) => return Some(Ok(answer_to_proto(Err(refusal)))),
        };
        let load = question.load();
        if load == Load::Short {
            return Some(catch(|| answer_to_proto(question.ask())));
        }
        self.since_look = LOOK_EVERY;
        let workers = self.workers.clone();
        self.under_way = Some(Box::pin(async move {
            guard(workers.run(load, move || question.ask())).await.map(answer_to_proto)
        }));
        None
    }

    fn poll_answer(
        &mut self,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<v1::ValidateMovesResponse, Status>>> {
        loop {
            if let Some(answer) = &mut self.under_way {
                let answer = ready!(answer.as_mut().poll(context));
                self.under_way = None;
                return Poll::Ready(Some(answer));
            }
            // Between questions: the one that has been read is always answered.
            if self.since_look >= LOOK_EVERY {
                self.since_look = 0;
                if let Poll::Ready(status) = self.end.as_mut().poll(context) {
                    return Poll::Ready(Some(Err(status)));
                }
            }
            let Poll::Ready(question) = Pin::new(&mut self.questions).poll_next(context) else {
                return self.end.as_mut().poll(context).map(|status| Some(Err(status)));
            };
            self.since_look += 1;
            match question {
                None => return Poll::Ready(None),
                Some(Err(unread)) => {
                    return Poll::Ready(Some(Err(status::refine(unread, MAX_REQUEST_BYTES))));
                }
                Some(Ok(request)) => {
                    self.telemetry.metrics.asked(Method::VALIDATE_MOVES, request.game.as_ref());
                    if let Some(answer) = self.begin(request) {
                        return Poll::Ready(Some(answer));
                    }
                }
            }
        }
    }
}

impl Stream for AnswerStream {
    type Item = Result<v1::ValidateMovesResponse, Status>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.ended {
            return Poll::Ready(None);
        }
        // A client that sends fast enough would otherwise keep the thread for itself.
        let turn = ready!(coop::poll_proceed(context));
        let answer = self.poll_answer(context);
        if answer.is_ready() {
            turn.made_progress();
        }
        self.ended = matches!(answer, Poll::Ready(None | Some(Err(_))));
        answer
    }
}

async fn end_of_stream(last_call: CancellationToken, deadline: Option<Deadline>) -> Status {
    let deadline = async {
        match deadline {
            Some(Deadline(at)) => tokio::time::sleep_until(at).await,
            None => std::future::pending().await,
        }
    };
    tokio::select! {
        () = last_call.cancelled() => status::shutting_down(),
        () = deadline => status::deadline_exceeded(),
    }
}

fn same_fields(request: v1::ValidateMovesRequest) -> v1::ValidateMoveRequest {
    let v1::ValidateMovesRequest { game, r#move, notation, view } = request;
    v1::ValidateMoveRequest { game, r#move, notation, view }
}

fn answer_to_proto(answer: Result<v1::ValidateMoveResponse, Refusal>) -> v1::ValidateMovesResponse {
    match answer {
        Ok(v1::ValidateMoveResponse { legal, r#move, illegal, fen, state }) => {
            v1::ValidateMovesResponse { legal, r#move, illegal, fen, state, error: None }
        }
        Err(refusal) => {
            v1::ValidateMovesResponse { error: Some(refusal.into()), ..v1::ValidateMovesResponse::default() }
        }
    }
}

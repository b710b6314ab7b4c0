//! Answers that a client asked for and does not take.
//!
//! A client that opens no window for an answer makes the server hold it. hyper waits for ever, as long as
//! the connection gives signs of life.
//!
//! An answer is handed to hyper in pieces: with a window of one byte, h2 takes over as much as it is given,
//! and nobody could tell any more that it waits.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};

use hyper::body::{Bytes, Frame, SizeHint};
use tokio::time::sleep;
use tonic::Status;
use tonic::body::Body;

use crate::limits::ANSWER_WITHIN;

/// How much of an answer is handed on at once: a frame of the size that every client takes.
const PIECE_BYTES: usize = 16 * 1024;

/// The answers of one connection that its client has not taken yet.
///
/// Time goes by in turns; an answer belongs to the turn in which it was begun.
#[derive(Debug, Clone, Default)]
pub struct Untaken(Arc<Turns>);

#[derive(Debug, Default)]
struct Turns {
    current: AtomicUsize,
    /// The answers of the turns with even numbers, and of those with odd ones.
    answers: [AtomicUsize; 2],
}

impl Untaken {
    /// The same answer, counted until it is taken or given up; so long, something is held with it.
    #[must_use]
    pub fn count(&self, answer: Body, held: impl Send + Unpin + 'static) -> Body {
        let parity = self.0.current.load(Ordering::Relaxed) % 2;
        self.0.answers[parity].fetch_add(1, Ordering::Relaxed);
        Body::new(Counted { answer, rest: Bytes::new(), turns: self.0.clone(), parity, _held: held })
    }

    /// Waits until an answer has not been taken in time, which is noticed within twice that time.
    pub async fn overdue(&self) {
        for turn in 1.. {
            sleep(ANSWER_WITHIN).await;
            // What is left of the turn before the one that ends has seen all of it.
            if self.0.answers[turn % 2].load(Ordering::Relaxed) > 0 {
                return;
            }
            self.0.current.store(turn, Ordering::Relaxed);
        }
    }
}

struct Counted<T> {
    answer: Body,
    /// What has been taken out of the answer and not been handed on.
    rest: Bytes,
    turns: Arc<Turns>,
    parity: usize,
    _held: T,
}

impl<T: Unpin> hyper::body::Body for Counted<T> {
    type Data = Bytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
        if self.rest.is_empty() {
            let frame = ready!(Pin::new(&mut self.answer).poll_frame(context));
            match frame.map(|frame| frame.map(Frame::into_data)) {
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
        self.rest.is_empty() && self.answer.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.answer.size_hint()
    }
}

impl<T> Drop for Counted<T> {
    fn drop(&mut self) {
        self.turns.answers[self.parity].fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::pin::pin;

    use hyper::body::Body as _;
    use tokio::time::{Instant, timeout};

    use super::*;

    /// An answer that is not taken until it is dropped.
    struct Endless;

    impl hyper::body::Body for Endless {
        type Data = Bytes;
        type Error = Status;

        fn poll_frame(
            self: Pin<&mut Self>,
            _: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
            Poll::Pending
        }
    }

    /// An answer of these bytes.
    struct Once(Option<Bytes>);

    impl hyper::body::Body for Once {
        type Data = Bytes;
        type Error = Status;

        fn poll_frame(
            mut self: Pin<&mut Self>,
            _: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, Status>>> {
            Poll::Ready(self.0.take().map(|data| Ok(Frame::data(data))))
        }
    }

    #[tokio::test]
    async fn an_answer_comes_in_pieces_and_whole() {
        let whole: Vec<_> = (0..=u8::MAX).cycle().take(2 * PIECE_BYTES + 1).collect();
        let mut answer = Untaken::default().count(Body::new(Once(Some(whole.clone().into()))), ());
        let mut pieces = Vec::new();
        while let Some(piece) = poll_fn(|context| pin!(&mut answer).poll_frame(context)).await {
            pieces.push(piece.expect("no error").into_data().expect("data"));
        }
        assert_eq!(pieces.iter().map(Bytes::len).collect::<Vec<_>>(), [PIECE_BYTES, PIECE_BYTES, 1]);
        assert_eq!(pieces.concat(), whole);
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_that_nobody_takes_is_noticed() {
        let (untaken, began) = (Untaken::default(), Instant::now());
        let overdue = tokio::spawn({
            let untaken = untaken.clone();
            async move { untaken.overdue().await }
        });
        sleep(10 * ANSWER_WITHIN + ANSWER_WITHIN / 2).await;
        let _answer = untaken.count(Body::new(Endless), ());
        overdue.await.expect("it is noticed");
        assert_eq!(began.elapsed(), 12 * ANSWER_WITHIN);
    }

    #[tokio::test(start_paused = true)]
    async fn answers_that_are_taken_in_time_go_unnoticed() {
        let untaken = Untaken::default();
        let overdue = timeout(10 * ANSWER_WITHIN, untaken.overdue());
        let takes = async {
            loop {
                let answer = untaken.count(Body::new(Endless), ());
                sleep(ANSWER_WITHIN - ANSWER_WITHIN / 10).await;
                drop(answer);
            }
        };
        tokio::select! {
            overdue = overdue => assert!(overdue.is_err()),
            () = takes => {}
        }
    }
}

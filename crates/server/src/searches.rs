//! Searches: each on a thread of its own, in one of a few slots.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::thread;
use std::time::{Duration, Instant};

use analysis::search::{SearchQuestion, SearchReport, StopReason, Token, search};
use analysis::variant::Variant;
use proto::v1;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio_stream::Stream;
use tokio_stream::wrappers::WatchStream;
use tokio_util::sync::{CancellationToken, DropGuard};
use tonic::Status;

use crate::convert::search::{search_to_proto, stop_reason_to_proto};
use crate::deadline::Deadline;
use crate::limits::{
    LONG_DEADLINE, PROGRESS_INTERVAL, SEARCH_MARGIN, SEARCH_MARGIN_PART, SEARCH_STACK_BYTES,
};
use crate::panics::catch;
use crate::refusal::Refusal;
use crate::telemetry::Telemetry;
use crate::telemetry::metrics::SearchEnd;
use crate::telemetry::traces::part;

/// The searches of a server.
#[derive(Debug)]
pub struct Searches {
    free: Arc<Semaphore>,
    slots: usize,
    longest: Duration,
    /// Cancelled when running searches must answer, because the server stops.
    shutdown: CancellationToken,
    telemetry: Arc<Telemetry>,
}

/// What a search tells: only the latest is kept, so a client that reads slowly holds nothing up.
type Message = Result<v1::SearchResponse, Status>;

/// How long before the end of the time that is left a search stops.
fn margin(left: Duration) -> Duration {
    // A little less is left than was sent.
    let is_long = left + SEARCH_MARGIN >= LONG_DEADLINE;
    let rounded = if is_long { left / SEARCH_MARGIN_PART } else { Duration::ZERO };
    SEARCH_MARGIN.min(left / 2) + rounded
}

impl Searches {
    /// So many slots for searches that go on for `longest` at most, and end when `shutdown` is cancelled.
    /// What they come to is counted.
    #[must_use]
    pub fn new(
        slots: u32,
        longest: Duration,
        shutdown: CancellationToken,
        telemetry: Arc<Telemetry>,
    ) -> Self {
        let slots = slots as usize;
        let free = Arc::new(Semaphore::new(slots));
        let metrics = &telemetry.metrics;
        metrics
            .watch("arbiter.search.slots", "{search}", "Searches that there can be at once", move || slots);
        let left = free.clone();
        let busy = move || slots.saturating_sub(left.available_permits());
        metrics.watch("arbiter.search.slots.busy", "{search}", "Searches that there are", busy);
        Self { free, slots, longest, shutdown, telemetry }
    }

    /// How many searches there can be at once.
    #[must_use]
    pub fn slots(&self) -> usize {
        self.slots
    }

    /// The longest that one search goes on.
    #[must_use]
    pub fn longest(&self) -> Duration {
        self.longest
    }

    /// Begins a search that answers before the deadline, and soon when `last_call` is cancelled.
    ///
    /// # Errors
    /// No slot is free, or there is no thread to be had.
    pub fn begin(
        &self,
        mut question: SearchQuestion,
        deadline: Option<Deadline>,
        last_call: CancellationToken,
    ) -> Result<Results, Refusal> {
        let slot = self.free.clone().try_acquire_owned().map_err(|_| Refusal::overloaded())?;
        let allowed = question.time.map_or(self.longest, |time| time.min(self.longest));
        let left = deadline.map(|Deadline(at)| {
            let left = at.saturating_duration_since(tokio::time::Instant::now());
            left.saturating_sub(margin(left))
        });
        question.time = Some(left.map_or(allowed, |left| left.min(allowed)));
        let token = Token::default();
        let (latest, messages) = watch::channel(Ok(v1::SearchResponse::default()));
        let end = CancellationToken::new();
        let run = Run {
            question,
            token: token.clone(),
            on_time: if left.is_some_and(|left| left < allowed) {
                v1::StopReason::Deadline
            } else {
                v1::StopReason::Time
            },
            latest,
            slot,
            telemetry: self.telemetry.clone(),
            _end: end.clone().drop_guard(),
        };
        self.stop_on_shutdown(token.clone(), last_call, end);
        let thread = thread::Builder::new().name("search".to_owned()).stack_size(SEARCH_STACK_BYTES);
        // No thread left is no slot left, whatever was configured.
        thread.spawn(part("search", || run.search())).map_err(|_| Refusal::overloaded())?;
        Ok(Results { messages: WatchStream::from_changes(messages), _stop: StopWhenDropped(token) })
    }

    fn stop_on_shutdown(&self, token: Token, last_call: CancellationToken, end: CancellationToken) {
        let shutdown = self.shutdown.clone();
        tokio::spawn(async move {
            tokio::select! {
                () = end.cancelled() => return,
                () = shutdown.cancelled() => {}
                () = last_call.cancelled() => {}
            }
            token.stop();
        });
    }
}

/// One search under way.
struct Run {
    question: SearchQuestion,
    token: Token,
    /// What it means when the time is used up.
    on_time: v1::StopReason,
    latest: watch::Sender<Message>,
    slot: OwnedSemaphorePermit,
    telemetry: Arc<Telemetry>,
    /// Ends with the search.
    _end: DropGuard,
}

impl Run {
    fn search(self) {
        let Self { question, token, on_time, latest, slot, telemetry, _end } = self;
        let mut last_told = Instant::now();
        let mut progress = |report: &dyn Fn() -> SearchReport| {
            if last_told.elapsed() >= PROGRESS_INTERVAL {
                last_told = Instant::now();
                latest.send_modify(|message| *message = Ok(search_to_proto(report(), None)));
            }
        };
        // A game is chess unless it says otherwise.
        let variant = question.game.variant.unwrap_or(Variant::Chess);
        let found = catch(|| search(&question, &token, &mut progress));
        // Who has the answer, or sees the search counted, may ask again at once.
        drop(slot);
        let message = match found {
            Err(panicked) => {
                let (reason, elapsed) = ("error", Duration::ZERO);
                telemetry.metrics.searched(&SearchEnd { variant, reason, nodes: 0, depth: 0, elapsed });
                Err(panicked)
            }
            Ok(Err(wrong)) => Err(Refusal::from(wrong).into()),
            Ok(Ok(report)) => {
                let reason = report.stop_reason.map(|reason| match reason {
                    StopReason::Time => on_time,
                    other => stop_reason_to_proto(other),
                });
                let reason = reason.unwrap_or_default();
                // Nobody waits for the answer of a search that was given up.
                let label = if latest.is_closed() { "cancelled" } else { name_of(reason) };
                telemetry.metrics.searched(&end_of(&report, variant, label));
                Ok(search_to_proto(report, Some(reason)))
            }
        };
        latest.send_modify(|latest| *latest = message);
    }
}

fn end_of(report: &SearchReport, variant: Variant, reason: &'static str) -> SearchEnd {
    let &SearchReport { nodes, depth, elapsed, .. } = report;
    SearchEnd { variant, reason, nodes, depth, elapsed }
}

fn name_of(reason: v1::StopReason) -> &'static str {
    match reason {
        v1::StopReason::Unspecified => "unspecified",
        v1::StopReason::Depth => "depth",
        v1::StopReason::Nodes => "nodes",
        v1::StopReason::Time => "time",
        v1::StopReason::Mate => "mate",
        v1::StopReason::Deadline => "deadline",
        v1::StopReason::Shutdown => "shutdown",
    }
}

/// What a search tells, as a stream: progress, then the final message. When it is dropped, the search
/// stops.
#[derive(Debug)]
pub struct Results {
    messages: WatchStream<Message>,
    _stop: StopWhenDropped,
}

#[derive(Debug)]
struct StopWhenDropped(Token);

impl Drop for StopWhenDropped {
    fn drop(&mut self) {
        self.0.stop();
    }
}

impl Stream for Results {
    type Item = Message;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Message>> {
        Pin::new(&mut self.messages).poll_next(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio_stream::StreamExt as _;

    use super::*;

    fn searches(slots: u32) -> Searches {
        Searches::new(slots, Duration::from_secs(60), CancellationToken::new(), Telemetry::for_tests())
    }

    #[test]
    fn a_search_leaves_time_for_its_answer() {
        let seconds = Duration::from_secs;
        assert_eq!(margin(Duration::from_millis(10)), Duration::from_millis(5));
        assert_eq!(margin(seconds(9)), SEARCH_MARGIN);
        assert_eq!(margin(seconds(30)), SEARCH_MARGIN + Duration::from_millis(300));
        assert_eq!(margin(seconds(120)), SEARCH_MARGIN + Duration::from_millis(1_200));
    }

    fn begin(searches: &Searches, question: SearchQuestion) -> Result<Results, Refusal> {
        searches.begin(question, None, CancellationToken::new())
    }

    #[tokio::test]
    async fn a_full_house_refuses_at_once_and_a_dropped_search_frees_its_slot() {
        let searches = searches(1);
        let endless = begin(&searches, SearchQuestion::default()).expect("a free slot");
        assert_eq!(begin(&searches, SearchQuestion::default()).err(), Some(Refusal::overloaded()));
        drop(endless);
        let free = searches.free.acquire();
        assert!(tokio::time::timeout(Duration::from_secs(10), free).await.is_ok(), "the slot stays taken");
    }

    #[tokio::test]
    async fn the_last_message_is_final_and_the_slot_is_free_by_then() {
        let searches = searches(1);
        let question = SearchQuestion { nodes: Some(1000), ..SearchQuestion::default() };
        let mut results = begin(&searches, question).expect("a free slot");
        let mut last = None;
        while let Some(message) = results.next().await {
            last = Some(message.expect("a message"));
        }
        let last = last.expect("at least one message");
        assert!(last.r#final && last.nodes <= 1000 && last.best_move.is_some());
        assert_eq!(last.stop_reason(), v1::StopReason::Nodes);
        assert_eq!(searches.free.available_permits(), 1);
    }

    #[tokio::test]
    async fn shutdown_ends_a_search_with_its_best() {
        let searches = searches(1);
        let mut results = begin(&searches, SearchQuestion::default()).expect("a free slot");
        searches.shutdown.cancel();
        let last = async {
            let mut last = None;
            while let Some(message) = results.next().await {
                last = Some(message.expect("a message"));
            }
            last.expect("a message")
        };
        let last = tokio::time::timeout(Duration::from_secs(10), last).await.expect("an end");
        assert!(last.r#final && last.best_move.is_some());
        assert_eq!(last.stop_reason(), v1::StopReason::Shutdown);
    }
}

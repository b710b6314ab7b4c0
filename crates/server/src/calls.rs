//! The calls of one connection.

use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use crate::untaken::Untaken;

/// What is known of the calls of one connection.
#[derive(Debug, Clone)]
pub struct Calls(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    begun: AtomicUsize,
    ended: AtomicUsize,
    untaken: Untaken,
    last_call: CancellationToken,
}

impl Calls {
    /// No calls yet; their streams end when `last_call` is cancelled.
    #[must_use]
    pub fn new(last_call: CancellationToken) -> Self {
        let untaken = Untaken::default();
        Self(Arc::new(Shared { begun: AtomicUsize::new(0), ended: AtomicUsize::new(0), untaken, last_call }))
    }

    /// A call has begun.
    pub fn begin(&self) {
        self.0.begun.fetch_add(1, Ordering::Relaxed);
    }

    /// A call has ended.
    pub fn end(&self) {
        self.0.ended.fetch_add(1, Ordering::Relaxed);
    }

    /// The answers that the client has not taken yet.
    #[must_use]
    pub fn untaken(&self) -> &Untaken {
        &self.0.untaken
    }

    /// When the streams of this connection must end.
    #[must_use]
    pub fn last_call(&self) -> &CancellationToken {
        &self.0.last_call
    }

    /// Waits until no call has been open for this time, which is noticed within twice that time. A time of
    /// zero never passes.
    pub async fn idle_for(&self, time: Duration) {
        if time.is_zero() {
            return pending().await;
        }
        loop {
            let ended = self.0.ended.load(Ordering::Relaxed);
            sleep(time).await;
            if self.0.begun.load(Ordering::Relaxed) == ended {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::{Instant, timeout};

    use super::*;

    const TIME: Duration = Duration::from_secs(60);

    #[tokio::test(start_paused = true)]
    async fn a_connection_without_calls_is_idle() {
        let (calls, began) = (Calls::new(CancellationToken::new()), Instant::now());
        calls.begin();
        calls.end();
        calls.idle_for(TIME).await;
        assert_eq!(began.elapsed(), TIME);
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_that_is_open_or_was_lately_is_not_idleness() {
        let calls = Calls::new(CancellationToken::new());
        calls.begin();
        assert!(timeout(10 * TIME + TIME / 2, calls.idle_for(TIME)).await.is_err());
        let ends = async {
            sleep(TIME / 2).await;
            calls.end();
            Instant::now()
        };
        let ((), ended) = tokio::join!(calls.idle_for(TIME), ends);
        assert!((TIME..2 * TIME).contains(&ended.elapsed()), "{:?}", ended.elapsed());
    }

    #[tokio::test(start_paused = true)]
    async fn no_time_is_no_limit() {
        let calls = Calls::new(CancellationToken::new());
        assert!(timeout(1000 * TIME, calls.idle_for(Duration::ZERO)).await.is_err());
    }
}

//! Answers that a client asked for and does not take.
//!
//! A client that opens no window for an answer makes the server hold it. hyper waits for ever, as long as
//! the connection gives signs of life.

use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::time::sleep;

use crate::limits::ANSWER_WITHIN;

/// The answers of one connection that its client has not taken yet.
///
/// Time goes by in turns; an answer belongs to the turn in which it began to wait.
#[derive(Debug, Default)]
pub struct Untaken {
    current: AtomicUsize,
    /// The answers of the turns with even numbers, and of those with odd ones.
    answers: [AtomicUsize; 2],
}

/// The turn of one answer: whether its number is even or odd.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turn(usize);

impl Untaken {
    /// The turn that it is now.
    #[must_use]
    pub fn now(&self) -> Turn {
        Turn(self.current.load(Ordering::Relaxed) % 2)
    }

    /// An answer begins to wait in this turn.
    pub fn add(&self, Turn(turn): Turn) {
        self.answers[turn].fetch_add(1, Ordering::Relaxed);
    }

    /// An answer that began to wait in this turn waits no longer.
    pub fn remove(&self, Turn(turn): Turn) {
        self.answers[turn].fetch_sub(1, Ordering::Relaxed);
    }

    /// Waits until an answer has not been taken in time, which is noticed within twice that time.
    pub async fn overdue(&self) {
        for turn in 1.. {
            sleep(ANSWER_WITHIN).await;
            // What is left of the turn before the one that ends has seen all of it.
            if self.answers[turn % 2].load(Ordering::Relaxed) > 0 {
                return;
            }
            self.current.store(turn, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tokio::time::{Instant, timeout};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn an_answer_that_nobody_takes_is_noticed() {
        let (untaken, began) = (Arc::new(Untaken::default()), Instant::now());
        let overdue = tokio::spawn({
            let untaken = untaken.clone();
            async move { untaken.overdue().await }
        });
        sleep(10 * ANSWER_WITHIN + ANSWER_WITHIN / 2).await;
        untaken.add(untaken.now());
        overdue.await.expect("it is noticed");
        assert_eq!(began.elapsed(), 12 * ANSWER_WITHIN);
    }

    #[tokio::test(start_paused = true)]
    async fn answers_that_are_taken_in_time_go_unnoticed() {
        let untaken = Untaken::default();
        let overdue = timeout(10 * ANSWER_WITHIN, untaken.overdue());
        let takes = async {
            loop {
                let turn = untaken.now();
                untaken.add(turn);
                sleep(ANSWER_WITHIN - ANSWER_WITHIN / 10).await;
                untaken.remove(turn);
            }
        };
        tokio::select! {
            overdue = overdue => assert!(overdue.is_err()),
            () = takes => {}
        }
    }
}

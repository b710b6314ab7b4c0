//! Where questions are worked on: short ones at once, long ones on threads that may block.

use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread::available_parallelism;

use tokio::sync::Semaphore;

use crate::limits::MAX_INLINE_MOVES;

/// How much work a question is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Load {
    /// So little that handing it over would cost more.
    Short,
    /// So much that calls on the same thread would notice.
    Long,
}

impl Load {
    /// The work of playing so many moves.
    #[must_use]
    pub fn of_moves(moves: usize) -> Load {
        if moves <= MAX_INLINE_MOVES { Load::Short } else { Load::Long }
    }
}

/// The threads for long questions.
#[derive(Debug, Clone)]
pub struct Workers {
    slots: Arc<Semaphore>,
}

impl Workers {
    /// Workers that take on `slots` long questions at once; as many as there are cores by default.
    #[must_use]
    pub fn new(slots: Option<u32>) -> Self {
        let slots =
            slots.map_or_else(|| available_parallelism().map_or(1, NonZero::get), |slots| slots as usize);
        Self { slots: Arc::new(Semaphore::new(slots)) }
    }

    /// Does some work and waits for it. A panic of the work goes on in the caller. When the caller is
    /// dropped, work that has not begun never does.
    pub async fn run<T: Send + 'static>(&self, load: Load, work: impl FnOnce() -> T + Send + 'static) -> T {
        if load == Load::Short {
            return work();
        }
        // The semaphore is never closed; without a slot the work would merely not be bounded.
        let slot = self.slots.clone().acquire_owned().await;
        // The slot goes along: work whose caller is gone still takes a core.
        let task = tokio::task::spawn_blocking(move || {
            let _slot = slot;
            work()
        });
        match task.await.map_err(tokio::task::JoinError::try_into_panic) {
            Ok(answer) => answer,
            Err(Ok(panic)) => resume_unwind(panic),
            // Only a runtime that stops gives blocking work up; it drops this caller too.
            Err(Err(_)) => std::future::pending().await,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn load_grows_with_the_moves() {
        assert_eq!(Load::of_moves(MAX_INLINE_MOVES), Load::Short);
        assert_eq!(Load::of_moves(MAX_INLINE_MOVES + 1), Load::Long);
    }

    #[tokio::test]
    async fn short_work_stays_on_the_thread_and_long_work_leaves_it() {
        let workers = Workers::new(Some(1));
        let here = std::thread::current().id();
        let thread = || std::thread::current().id();
        assert_eq!(workers.run(Load::Short, thread).await, here);
        assert_ne!(workers.run(Load::Long, thread).await, here);
    }

    #[tokio::test]
    async fn long_work_is_bounded() {
        let (workers, running) = (Workers::new(Some(2)), Arc::new(AtomicUsize::new(0)));
        let tasks: Vec<_> = (0..16)
            .map(|_| {
                let (workers, running) = (workers.clone(), running.clone());
                tokio::spawn(async move {
                    workers
                        .run(Load::Long, move || {
                            assert!(running.fetch_add(1, Ordering::SeqCst) < 2, "more than two at once");
                            std::thread::yield_now();
                            running.fetch_sub(1, Ordering::SeqCst);
                        })
                        .await;
                })
            })
            .collect();
        for task in tasks {
            task.await.expect("no worker panicked");
        }
    }

    #[tokio::test]
    async fn a_panic_comes_back_to_the_caller() {
        let workers = Workers::new(Some(1));
        let work = workers.run(Load::Long, || panic!("a test panics on purpose"));
        assert!(crate::panics::guard(work).await.is_err());
        assert_eq!(workers.run(Load::Long, || 7).await, 7, "the slot was given back");
    }
}

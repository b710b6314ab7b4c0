//! Where questions are worked on: short ones at once, long ones on threads that may block.

use std::panic::resume_unwind;
use std::sync::Arc;

use analysis::replay::Game;
use analysis::replay_game::Record;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::limits::{MAX_INLINE_MOVES, MAX_INLINE_PGN_BYTES};
use crate::refusal::Refusal;

/// How much work a question is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Load {
    /// So little that handing it over would cost more.
    Short,
    /// So much that calls on the same thread would notice.
    Long,
}

impl Load {
    /// The work of playing a game, and of a ruling on its last position.
    #[must_use]
    pub fn of_game(game: &Game) -> Load {
        let is_short = game.moves.len() <= MAX_INLINE_MOVES && !game.may_need_ruling();
        if is_short { Load::Short } else { Load::Long }
    }

    /// The work of reading a record, playing what it says, and of rulings on the way.
    #[must_use]
    pub fn of_record(record: &Record) -> Load {
        let is_short = record.game.moves.len() <= MAX_INLINE_MOVES
            && record.pgn.len() <= MAX_INLINE_PGN_BYTES
            && !record.may_need_ruling();
        if is_short { Load::Short } else { Load::Long }
    }
}

/// The threads for long questions.
#[derive(Debug, Clone)]
pub struct Workers {
    /// The long questions that may still be taken on at once.
    slots: Arc<Semaphore>,
    /// The long questions that may still wait for that.
    places: Arc<Semaphore>,
}

impl Workers {
    /// Workers that take on `slots` long questions at once and let `max_waiting` more wait.
    #[must_use]
    pub fn new(slots: u32, max_waiting: u32) -> Self {
        Self {
            slots: Arc::new(Semaphore::new(slots as usize)),
            places: Arc::new(Semaphore::new(max_waiting as usize)),
        }
    }

    /// Does some work and waits for it. A panic of the work goes on in the caller. When the caller is
    /// dropped, work that has not begun never does.
    ///
    /// # Errors
    /// What the work says; or, at once, that too many long questions wait already.
    pub async fn run<T: Send + 'static>(
        &self,
        load: Load,
        work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        if load == Load::Short {
            return work();
        }
        let slot = self.slot().await?;
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

    /// Waits until a long question may be taken on.
    async fn slot(&self) -> Result<OwnedSemaphorePermit, Refusal> {
        if let Ok(slot) = self.slots.clone().try_acquire_owned() {
            return Ok(slot);
        }
        let _place = self.places.try_acquire().map_err(|_| Refusal::overloaded())?;
        // The semaphore is never closed.
        self.slots.clone().acquire_owned().await.map_err(|_| Refusal::overloaded())
    }
}

#[cfg(test)]
mod tests {
    use std::pin::{Pin, pin};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Barrier, mpsc};
    use std::task::{Context, Poll, Waker};

    use analysis::variant::Variant;

    use super::*;

    /// Lets a future begin.
    fn begin<F: Future>(future: Pin<&mut F>) -> Poll<F::Output> {
        future.poll(&mut Context::from_waker(Waker::noop()))
    }

    #[test]
    fn load_grows_with_the_moves() {
        let of_moves = |count| Game { moves: vec!["h2e2".to_owned(); count], ..Game::default() };
        let of_pgn = |bytes| Record { pgn: " ".repeat(bytes), ..Record::default() };
        let of_record = |game| Load::of_record(&Record { game, ..Record::default() });
        assert_eq!(Load::of_game(&of_moves(MAX_INLINE_MOVES)), Load::Short);
        assert_eq!(Load::of_game(&of_moves(MAX_INLINE_MOVES + 1)), Load::Long);
        assert_eq!(of_record(of_moves(MAX_INLINE_MOVES)), Load::Short);
        assert_eq!(of_record(of_moves(MAX_INLINE_MOVES + 1)), Load::Long);
        assert_eq!(Load::of_record(&of_pgn(MAX_INLINE_PGN_BYTES)), Load::Short);
        assert_eq!(Load::of_record(&of_pgn(MAX_INLINE_PGN_BYTES + 1)), Load::Long);
    }

    #[test]
    fn what_may_need_a_ruling_is_long() {
        let moves = ["b0c2", "b9c7", "c2b0", "c7b9"].repeat(2).into_iter().map(str::to_owned).collect();
        let game = Game { variant: Some(Variant::Xiangqi), moves, ..Game::default() };
        assert_eq!(Load::of_game(&game), Load::Long);
        assert_eq!(Load::of_record(&Record { game, ..Record::default() }), Load::Long);
    }

    #[tokio::test]
    async fn short_work_stays_on_the_thread_and_long_work_leaves_it() {
        let workers = Workers::new(1, 0);
        let here = std::thread::current().id();
        let thread = || Ok(std::thread::current().id());
        assert_eq!(workers.run(Load::Short, thread).await, Ok(here));
        assert_ne!(workers.run(Load::Long, thread).await, Ok(here));
    }

    #[tokio::test]
    async fn long_work_is_bounded() {
        let workers = Workers::new(2, 16);
        let (running, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        // No work ends before another one is under way with it.
        let in_pairs = Arc::new(Barrier::new(2));
        let tasks: Vec<_> = (0..16)
            .map(|_| {
                let (workers, running, most) = (workers.clone(), running.clone(), most.clone());
                let in_pairs = in_pairs.clone();
                let work = move || {
                    most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    in_pairs.wait();
                    std::thread::yield_now();
                    running.fetch_sub(1, Ordering::SeqCst);
                    Ok(())
                };
                tokio::spawn(async move { workers.run(Load::Long, work).await })
            })
            .collect();
        for task in tasks {
            assert_eq!(task.await.expect("no worker panicked"), Ok(()));
        }
        assert_eq!(most.load(Ordering::SeqCst), 2);
    }

    #[tokio::test]
    async fn too_many_that_wait_are_refused_at_once() {
        let workers = Workers::new(1, 1);
        let (finish, finished) = mpsc::channel::<()>();
        let busy = workers.run(Load::Long, move || Ok(finished.recv().is_err()));
        let mut busy = pin!(busy);
        assert!(begin(busy.as_mut()).is_pending());
        let mut waiting = pin!(workers.run(Load::Long, || Ok(7)));
        assert!(begin(waiting.as_mut()).is_pending());
        assert_eq!(workers.run(Load::Long, || Ok(8)).await, Err(Refusal::overloaded()));
        assert_eq!(workers.run(Load::Short, || Ok(9)).await, Ok(9), "short work needs no worker");
        drop(finish);
        assert_eq!(busy.await, Ok(true));
        assert_eq!(waiting.await, Ok(7));
        assert_eq!(workers.run(Load::Long, || Ok(8)).await, Ok(8), "slot and place were given back");
    }

    #[tokio::test]
    async fn who_stops_waiting_gives_the_place_back() {
        let workers = Workers::new(1, 1);
        let slot = workers.slot().await.expect("a free slot");
        for _ in 0..3 {
            let mut waiting = pin!(workers.slot());
            assert!(begin(waiting.as_mut()).is_pending());
        }
        drop(slot);
        assert!(workers.slot().await.is_ok());
    }

    #[tokio::test]
    async fn a_panic_comes_back_to_the_caller() {
        let workers = Workers::new(1, 0);
        let work = workers.run::<()>(Load::Long, || panic!("a test panics on purpose"));
        assert!(crate::panics::guard(work).await.is_err());
        assert_eq!(workers.run(Load::Long, || Ok(7)).await, Ok(7), "the slot was given back");
    }
}

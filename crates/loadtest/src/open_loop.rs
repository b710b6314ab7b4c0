//! The open loop: the clock decides when a call begins.
//!
//! Callers in the world do not wait for each other. If one answer takes a second, a thousand others were asked
//! for in that second, and their wait has to be counted: from when they were meant to begin.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::{spawn_local, yield_now};

use crate::arrival::{Arrival, Schedule};
use crate::asker::Asker;
use crate::exit::Failure;
use crate::plan::Times;
use crate::record::{Recorder, Sample};
use crate::ticker::Ticker;

/// When the generator is late, it begins so many calls in a row before answers are looked at.
const BURST: u32 = 16;

/// What an open loop needs to know.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OpenLoop {
    /// Calls a second.
    pub(crate) rate: f64,
    /// How they are spread.
    pub(crate) arrival: Arrival,
    /// The most calls in flight.
    pub(crate) max_in_flight: usize,
    /// Chance, repeatably.
    pub(crate) seed: u64,
}

/// Makes calls until the time is over, and waits for their answers.
///
/// # Errors
/// The system has no timer.
pub(crate) async fn run(
    open: OpenLoop,
    times: Times,
    asker: &Rc<Asker>,
    recorder: &Rc<RefCell<Recorder>>,
) -> Result<(), Failure> {
    let ticker = Ticker::new().map_err(|error| format!("no timer: {error}"))?;
    let places = Arc::new(Semaphore::new(open.max_in_flight));
    let mut starts = Starts { places: places.clone(), is_held: false, late: 0 };
    for offset in Schedule::new(open.arrival, open.rate, open.seed) {
        let intended = times.begin + offset;
        if intended >= times.end {
            break;
        }
        let (place, lag) = starts.wait(&ticker, intended).await?;
        if Instant::now() >= times.end + OVERTIME {
            recorder.borrow_mut().not_begun = left_over(open.rate, times, intended);
            break;
        }
        recorder.borrow_mut().begin(intended, lag);
        spawn_local(call(asker.clone(), recorder.clone(), intended, place));
    }
    // Every place is free again when every call is over, which each is soon after its deadline.
    let all = u32::try_from(open.max_in_flight).unwrap_or(u32::MAX);
    places.acquire_many(all).await.map(drop).map_err(|error| error.to_string())
}

/// About how many calls that count should have begun from this moment on.
fn left_over(rate: f64, times: Times, from: Instant) -> u64 {
    let seconds = times.end.saturating_duration_since(from.max(times.start)).as_secs_f64();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an hour at the highest rate")]
    let calls = (seconds * rate).round() as u64;
    calls
}

/// Calls that should have begun by the end are still made for so long; what is left over then was too much, and
/// counts as not answered.
const OVERTIME: Duration = Duration::from_secs(1);

/// Waits for the moments when calls begin.
struct Starts {
    places: Arc<Semaphore>,
    /// Calls are late because too many others were in flight, and not through the generator's fault.
    is_held: bool,
    late: u32,
}

impl Starts {
    /// Waits for a place and for the moment. Tells how late the generator is, unless the wait for a place is
    /// to blame.
    async fn wait(
        &mut self,
        ticker: &Ticker,
        intended: Instant,
    ) -> Result<(OwnedSemaphorePermit, Option<Duration>), Failure> {
        let place = match self.places.clone().try_acquire_owned() {
            Ok(place) => place,
            Err(_) => {
                self.is_held = true;
                self.places.clone().acquire_owned().await.map_err(|error| error.to_string())?
            }
        };
        if Instant::now() < intended {
            // On time again.
            (self.is_held, self.late) = (false, 0);
            ticker.wait_until(intended).await.map_err(|error| format!("the timer: {error}"))?;
        } else {
            self.late += 1;
            if self.late.is_multiple_of(BURST) {
                yield_now().await;
            }
        }
        let lag = (!self.is_held).then(|| intended.elapsed());
        Ok((place, lag))
    }
}

async fn call(
    asker: Rc<Asker>,
    recorder: Rc<RefCell<Recorder>>,
    intended: Instant,
    place: OwnedSemaphorePermit,
) {
    let call = asker.next();
    let sent = Instant::now();
    let (ended, outcome) = asker.ask(call).await;
    let sample = Sample { method: Asker::method(call), intended, sent, ended, outcome };
    recorder.borrow_mut().count(&sample, || asker.question(call).text.clone());
    drop(place);
}

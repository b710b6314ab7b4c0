//! Waiting for a moment more exactly than the runtime's own timer does, which knows milliseconds only.

use std::io;
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use rustix::time::{
    Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, timerfd_create, timerfd_settime,
};
use tokio::io::unix::AsyncFd;

/// A timer of the system.
pub(crate) struct Ticker {
    timer: AsyncFd<OwnedFd>,
}

impl Ticker {
    /// A timer.
    ///
    /// # Errors
    /// The system gives none.
    pub(crate) fn new() -> io::Result<Self> {
        let flags = TimerfdFlags::NONBLOCK | TimerfdFlags::CLOEXEC;
        let timer = timerfd_create(TimerfdClockId::Monotonic, flags)?;
        #[allow(
            deprecated,
            reason = "an OwnedFd stays what it is, as the new function demands that is unsafe"
        )]
        let timer = AsyncFd::new(timer)?;
        Ok(Self { timer })
    }

    /// Waits until then. Returns at once when it is past.
    ///
    /// # Errors
    /// The system's timer fails.
    pub(crate) async fn wait_until(&self, moment: Instant) -> io::Result<()> {
        loop {
            let left = moment.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(());
            }
            self.set(left)?;
            let mut ready = self.timer.readable().await?;
            let mut expirations = [0; 8];
            // Whatever it says: the clock is looked at again.
            let _ = rustix::io::read(self.timer.get_ref(), &mut expirations);
            ready.clear_ready();
        }
    }

    fn set(&self, left: Duration) -> io::Result<()> {
        let time = Timespec {
            tv_sec: left.as_secs().try_into().map_err(io::Error::other)?,
            tv_nsec: left.subsec_nanos().into(),
        };
        let never = Timespec { tv_sec: 0, tv_nsec: 0 };
        let once = Itimerspec { it_interval: never, it_value: time };
        timerfd_settime(self.timer.get_ref(), TimerfdTimerFlags::empty(), &once)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn it_waits_long_enough_and_not_for_what_is_past() {
        let ticker = Ticker::new().unwrap();
        let moment = Instant::now() + Duration::from_micros(300);
        ticker.wait_until(moment).await.unwrap();
        assert!(Instant::now() >= moment);
        ticker.wait_until(moment).await.unwrap();
    }
}

//! The processor time that a process has used.

use std::time::Duration;

use procfs::process::Process;

use crate::exit::Failure;

/// How finely the system tells it.
///
/// # Errors
/// Never on a system that tells it at all.
pub(crate) fn resolution() -> Duration {
    Duration::from_nanos(1_000_000_000 / procfs::ticks_per_second().max(1))
}

/// What a process has used so far, with all its threads, those that have ended included: `utime` and `stime` of
/// `/proc/PID/stat`.
///
/// # Errors
/// There is no such process.
pub(crate) fn used(pid: u32) -> Result<Duration, Failure> {
    let wrong = |error| format!("the processor time of process {pid}: {error}");
    let id = i32::try_from(pid).map_err(|error| format!("process {pid}: {error}"))?;
    let stat = Process::new(id).and_then(|process| process.stat()).map_err(wrong)?;
    let ticks = u32::try_from(stat.utime + stat.stime).map_err(|error| error.to_string())?;
    Ok(resolution() * ticks)
}

/// What this process has used so far.
pub(crate) fn own() -> Duration {
    used(std::process::id()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn work_is_seen() {
        let before = own();
        let start = Instant::now();
        // Longer than some ticks, and until the clock of the process agrees.
        while own() < before + 3 * resolution() {
            assert!(start.elapsed() < Duration::from_secs(20), "{:?}", own());
        }
    }

    #[test]
    fn a_process_that_is_none_is_named() {
        assert!(used(u32::MAX).is_err());
    }
}

//! What the system knows of this process. Where it has no `/proc`, nothing.

use opentelemetry::metrics::Meter;
use procfs::WithCurrentSystemInfo as _;
use procfs::process::{Process, Stat};

/// Counts what the process uses. The names are those that every Prometheus client has.
pub(super) fn observe(meter: &Meter) {
    meter
        .f64_observable_counter("process.cpu")
        .with_unit("s")
        .with_description("Processor time that the process has used")
        .with_callback(|observer| {
            if let Some(stat) = stat() {
                #[expect(clippy::cast_precision_loss, reason = "centuries are exact")]
                let seconds = (stat.utime + stat.stime) as f64 / procfs::ticks_per_second() as f64;
                observer.observe(seconds, &[]);
            }
        })
        .build();
    meter
        .u64_observable_gauge("process.resident_memory")
        .with_unit("By")
        .with_description("Memory of the process that is in use")
        .with_callback(|observer| {
            if let Some(stat) = stat() {
                observer.observe(stat.rss_bytes().get(), &[]);
            }
        })
        .build();
    meter
        .u64_observable_gauge("process.open_fds")
        .with_description("File descriptors that are open")
        .with_callback(|observer| {
            let count = Process::myself().and_then(|process| process.fd_count());
            if let Ok(count) = count {
                observer.observe(count as u64, &[]);
            }
        })
        .build();
    let started = stat().and_then(|stat| {
        let since_boot = stat.starttime / procfs::ticks_per_second();
        Some(procfs::boot_time_secs().ok()? + since_boot)
    });
    meter
        .u64_observable_gauge("process.start_time")
        .with_unit("s")
        .with_description("When the process was started, in seconds since 1970")
        .with_callback(move |observer| {
            if let Some(seconds) = started {
                observer.observe(seconds, &[]);
            }
        })
        .build();
}

fn stat() -> Option<Stat> {
    Process::myself().and_then(|process| process.stat()).ok()
}

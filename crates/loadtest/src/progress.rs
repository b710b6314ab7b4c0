//! What happens, while it happens, for people who watch.

use std::cell::RefCell;
use std::io::{IsTerminal as _, Write as _};
use std::rc::Rc;
use std::time::{Duration, Instant};

use tokio::task::{JoinHandle, spawn_local};
use tokio::time::sleep;

use crate::plan::Times;
use crate::record::Recorder;

/// A line on the terminal that changes every second, where there is a terminal.
pub(crate) struct Progress(Option<JoinHandle<()>>);

/// Shows what the recorder counts.
pub(crate) fn show(times: Times, recorder: Rc<RefCell<Recorder>>) -> Progress {
    let is_watched = std::io::stderr().is_terminal();
    Progress(is_watched.then(|| spawn_local(follow(times, recorder))))
}

impl Progress {
    /// Shows no more.
    pub(crate) async fn stop(self) {
        if let Some(task) = self.0 {
            task.abort();
            let _ = task.await;
            write("\r\x1b[K");
        }
    }
}

async fn follow(times: Times, recorder: Rc<RefCell<Recorder>>) {
    loop {
        sleep(Duration::from_secs(1)).await;
        let line = {
            let recorder = recorder.borrow();
            let total = recorder.total();
            let left = times.end.saturating_duration_since(Instant::now()).as_secs();
            let last = recorder.seconds.iter().rev().nth(1).map_or(0, |second| second.calls);
            let warm = if Instant::now() < times.start { "warming up, " } else { "" };
            let (p50, p99) = (total.corrected.at(0.5), total.corrected.at(0.99));
            let (failed, wrong) = (total.failed(), recorder.wrong);
            format!(
                "\r\x1b[K{warm}{left} s left: {last}/s, p50 {p50:.1?}, p99 {p99:.1?}, {failed} errors, {wrong} wrong"
            )
        };
        write(&line);
    }
}

fn write(text: &str) {
    let mut out = std::io::stderr().lock();
    // Who closed it does not want to know.
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

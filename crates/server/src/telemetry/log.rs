//! Log lines.
//!
//! They go to standard error through a thread of their own. Whoever is at its other end may be gone,
//! have no space left or read nothing, and none of that may hold up the server or end it.

use std::io::{self, IsTerminal as _, Write};
use std::mem;
use std::panic;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;
use tracing::Level;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::{FormatTime as _, SystemTime};
use tracing_subscriber::layer::{Layer as _, SubscriberExt as _};
use tracing_subscriber::reload::{self, Handle};
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Registry, fmt};

use super::format::{LogFormat, WithTrace};

/// How many lines may wait to be written; further ones are lost.
const MAX_LINES_WAITING: usize = 4096;

/// How long the end of the process waits for the last lines.
const FLUSH_WITHIN: Duration = Duration::from_millis(500);

/// How often a line that could come all the time is written at most.
const RARELY: Duration = Duration::from_secs(10);

/// The way to standard error.
#[derive(Debug)]
pub struct Log {
    lines: Sender<Line>,
    waiting: Arc<AtomicUsize>,
    lost: Arc<AtomicUsize>,
    format: LogFormat,
}

enum Line {
    Text(Vec<u8>),
    /// Dropped when everything before it is written.
    Flush(#[expect(dead_code, reason = "its end is the message")] Sender<()>),
}

/// Which log lines are written. It may be changed while the server runs.
#[derive(Debug, Clone)]
pub struct Filter(Handle<EnvFilter, Registry>);

impl Filter {
    /// The filter that holds.
    #[must_use]
    pub fn get(&self) -> String {
        self.0.with_current(EnvFilter::to_string).unwrap_or_default()
    }

    /// Sets another one.
    ///
    /// # Errors
    /// It is no filter.
    pub fn set(&self, filter: &str) -> Result<(), String> {
        let filter = EnvFilter::try_new(filter).map_err(|error| error.to_string())?;
        self.0.reload(filter).map_err(|error| error.to_string())
    }
}

/// Writes log lines that pass `filter` to standard error, from now on, and panics among them.
///
/// # Errors
/// The system gives no thread.
pub fn init(filter: &str, format: LogFormat) -> io::Result<(Arc<Log>, Filter)> {
    let log = Arc::new(Log::to(io::stderr(), format)?);
    let (filter, handle) = reload::Layer::new(EnvFilter::new(filter));
    let ansi = io::stderr().is_terminal() && format == LogFormat::Text;
    let lines = fmt::layer().with_writer(log.clone()).with_ansi(ansi);
    let lines = match format {
        LogFormat::Text => {
            let format = fmt::format().with_ansi(ansi);
            lines.event_format(WithTrace { format, is_json: false }).boxed()
        }
        LogFormat::Json => {
            let format = fmt::format().json().flatten_event(true);
            let lines = lines.fmt_fields(fmt::format::JsonFields::new());
            lines.event_format(WithTrace { format, is_json: true }).boxed()
        }
    };
    tracing_subscriber::registry().with(filter).with(lines).init();
    panic::set_hook(Box::new(|panic| {
        let location = panic.location().map(tracing::field::display);
        tracing::error!(location, text = panic.payload_as_str(), "a thread panicked");
    }));
    Ok((log, Filter(handle)))
}

impl Log {
    fn to(end: impl Write + Send + 'static, format: LogFormat) -> io::Result<Self> {
        let (lines, received) = channel();
        let log = Self { lines, waiting: Arc::default(), lost: Arc::default(), format };
        let (waiting, lost) = (log.waiting.clone(), log.lost.clone());
        thread::Builder::new()
            .name("log".to_owned())
            .spawn(move || write(&received, end, format, &waiting, &lost))?;
        Ok(log)
    }

    /// Writes an error that no filter holds back.
    pub fn tell(&self, error: &str) {
        self.put(line_of(self.format, Level::ERROR, error).into_bytes());
    }

    /// Waits until everything is written, but not for long.
    pub fn flush(&self) {
        let (written, is_written) = channel();
        if self.lines.send(Line::Flush(written)).is_ok() {
            let _ = is_written.recv_timeout(FLUSH_WITHIN);
        }
    }

    fn put(&self, text: Vec<u8>) {
        if self.waiting.fetch_add(1, Ordering::Relaxed) < MAX_LINES_WAITING {
            // The other end is there as long as the process.
            let _ = self.lines.send(Line::Text(text));
        } else {
            self.waiting.fetch_sub(1, Ordering::Relaxed);
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl Write for &Log {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.put(line.to_vec());
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes lines as they come. There is nobody to tell that one cannot be written.
fn write(
    lines: &Receiver<Line>,
    mut end: impl Write,
    format: LogFormat,
    waiting: &AtomicUsize,
    lost: &AtomicUsize,
) {
    for line in lines {
        let Line::Text(text) = line else { continue };
        let _ = end.write_all(&text);
        waiting.fetch_sub(1, Ordering::Relaxed);
        let lost = lost.swap(0, Ordering::Relaxed);
        if lost > 0 {
            let told = format!("{lost} log lines were lost, as nobody read them");
            let _ = end.write_all(line_of(format, Level::WARN, &told).as_bytes());
        }
    }
}

/// A line about the server as a whole, in the form of the others.
fn line_of(format: LogFormat, level: Level, message: &str) -> String {
    match format {
        LogFormat::Text => format!("arbiter: {message}\n"),
        LogFormat::Json => {
            let mut timestamp = String::new();
            // Writing to a string never fails.
            let _ = SystemTime.format_time(&mut Writer::new(&mut timestamp));
            let level = level.as_str();
            let line =
                json!({"timestamp": timestamp, "level": level, "target": "arbiter", "message": message});
            format!("{line}\n")
        }
    }
}

/// Counts what happens, so that it is not told each time.
#[derive(Debug, Default)]
pub struct Rarely {
    told: Option<Instant>,
    untold: u64,
}

impl Rarely {
    /// Counts once more. If it is time to tell, returns how often it has happened since it was told last.
    pub fn count(&mut self) -> Option<u64> {
        self.untold += 1;
        if self.told.is_some_and(|told| told.elapsed() < RARELY) {
            return None;
        }
        self.told = Some(Instant::now());
        Some(mem::take(&mut self.untold))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::mpsc::sync_channel;

    use super::*;

    /// Somewhere to write to.
    #[derive(Clone, Default)]
    struct Page(Arc<Mutex<Vec<u8>>>);

    impl Write for Page {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("the page").extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Somewhere that takes nothing until it is told to.
    struct Blocked(Receiver<()>, Page);

    impl Write for Blocked {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let _ = self.0.recv();
            self.1.write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn lines_are_written_in_order_before_the_end() {
        let page = Page::default();
        let log = Log::to(page.clone(), LogFormat::Text).expect("a thread");
        log.tell("one");
        (&log).write_all(b"two\n").expect("it never fails");
        log.flush();
        assert_eq!(*page.0.lock().expect("the page"), b"arbiter: one\ntwo\n");
    }

    /// What is written when it is read too late.
    fn written_late(format: LogFormat) -> Vec<String> {
        let page = Page::default();
        let (open, opened) = sync_channel(0);
        let log = Log::to(Blocked(opened, page.clone()), format).expect("a thread");
        for _ in 0..MAX_LINES_WAITING + 7 {
            log.tell("a \"line\"");
        }
        let began = Instant::now();
        log.flush();
        assert!(began.elapsed() >= FLUSH_WITHIN);
        drop(open);
        log.flush();
        let written = String::from_utf8(page.0.lock().expect("the page").clone()).expect("text");
        assert_eq!(written.lines().count(), MAX_LINES_WAITING + 1);
        written.lines().map(str::to_owned).collect()
    }

    #[test]
    fn whoever_takes_nothing_holds_nobody_up_and_hears_what_is_lost() {
        let lost = "arbiter: 7 log lines were lost, as nobody read them";
        assert_eq!(written_late(LogFormat::Text).iter().filter(|&line| line == lost).count(), 1);
    }

    #[test]
    fn in_json_every_line_is_an_object() {
        let lines = written_late(LogFormat::Json);
        let lines = lines.iter().map(|line| serde_json::from_str(line).expect("JSON"));
        let lines: Vec<serde_json::Value> = lines.collect();
        let with = |message: &str| lines.iter().filter(|line| line["message"] == message).count();
        assert_eq!(with("a \"line\""), MAX_LINES_WAITING);
        assert_eq!(with("7 log lines were lost, as nobody read them"), 1);
        assert!(lines.iter().all(|line| line["timestamp"].is_string() && line["level"].is_string()));
    }

    #[test]
    fn what_happens_often_is_told_once() {
        let mut often = Rarely::default();
        let told: Vec<_> = (0..5).map(|_| often.count()).collect();
        assert_eq!(told, [Some(1), None, None, None, None]);
    }
}

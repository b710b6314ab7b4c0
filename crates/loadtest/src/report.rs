//! What a run has found, as it is written and read.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::figures::{Percentiles, millis};
use crate::record::{Recorder, Tally};
use crate::slo::{Goal, Slo};

/// The version of the form of a report.
pub(crate) const FORMAT: u32 = 1;

/// What a run has found.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Report {
    /// The version of this form.
    pub(crate) format: u32,
    /// The version of the generator.
    pub(crate) version: String,
    /// How it was asked.
    pub(crate) settings: Settings,
    /// How long was measured, in seconds.
    pub(crate) measured_s: f64,
    /// All calls.
    pub(crate) total: Figures,
    /// The calls of each RPC.
    pub(crate) methods: BTreeMap<String, Figures>,
    /// What happened in each second.
    pub(crate) seconds: Vec<Second>,
    /// How the generator itself did.
    pub(crate) generator: Generator,
    /// Wrong answers, those of the warm-up included.
    pub(crate) wrong_answers: u64,
    /// The first of them.
    pub(crate) wrong_examples: Vec<WrongAnswer>,
    /// The targets.
    pub(crate) slo: Vec<Verdict>,
}

/// How it was asked.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Settings {
    /// `open` or `closed`.
    pub(crate) r#loop: String,
    /// Open loop: calls a second that were meant to begin.
    pub(crate) rate: Option<f64>,
    /// Open loop: how they were spread.
    pub(crate) arrival: Option<String>,
    /// Closed loop: calls in flight. Open loop: the most of them.
    pub(crate) in_flight: usize,
    /// Which RPCs, how often.
    pub(crate) mix: String,
    /// Where.
    pub(crate) targets: Vec<String>,
    /// Over how many connections.
    pub(crate) connections: usize,
    /// Plies of history.
    pub(crate) history: usize,
    /// How much of an answer was asked for.
    pub(crate) view: String,
    /// Requests in a stream.
    pub(crate) items: usize,
    /// Every how many-th answer was read.
    pub(crate) check_every: u64,
    /// Where the games came from.
    pub(crate) games: String,
}

/// Calls, counted.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Figures {
    /// Calls that are over.
    pub(crate) calls: u64,
    /// Those that were answered OK and not found wrong.
    pub(crate) right: u64,
    /// Those that were answered wrongly.
    pub(crate) wrong: u64,
    /// Those that were not answered.
    pub(crate) errors: u64,
    /// Those by code and reason.
    pub(crate) errors_by_reason: BTreeMap<String, u64>,
    /// Answered calls a second.
    pub(crate) rate: f64,
    /// Messages of right answers.
    pub(crate) messages: u64,
    /// Latencies of answered calls, from when they were meant to begin.
    pub(crate) corrected: Percentiles,
    /// Latencies of answered calls, from when they were sent.
    pub(crate) raw: Percentiles,
    /// Shares with their corrected latencies in milliseconds.
    pub(crate) curve: Vec<(f64, f64)>,
}

/// What happened in a second.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Second {
    /// When it began, in seconds since the measurement did.
    pub(crate) at_s: f64,
    /// Calls that ended in it.
    pub(crate) calls: u64,
    /// Those without an answer.
    pub(crate) errors: u64,
    /// Those with a wrong one.
    pub(crate) wrong: u64,
    /// Corrected latencies of those with an answer.
    pub(crate) p50_ms: f64,
    /// Of 99 % of them.
    pub(crate) p99_ms: f64,
    /// Of the slowest.
    pub(crate) max_ms: f64,
}

/// How the generator itself did.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Generator {
    /// It could not begin calls when it should have: the latencies tell of it as much as of the service.
    pub(crate) fell_behind: bool,
    /// How late it was, of its own fault.
    pub(crate) lag: Percentiles,
    /// Calls that began late because too many others were in flight.
    pub(crate) held: u64,
    /// Open loop: calls that should have begun, and did.
    pub(crate) intended: u64,
    /// Open loop: calls that should have begun, and never did. To a target, they were not answered.
    pub(crate) not_begun: u64,
    /// Calls that were sent again because the server was closing the connection.
    pub(crate) retries: u64,
    /// Connections that were made again.
    pub(crate) reconnects: u64,
    /// Processor time of the generator, in seconds, warm-up included.
    pub(crate) cpu_s: f64,
    /// That, as a share of a core. Near 1, the generator was at its limit.
    pub(crate) cpu_share: f64,
}

/// A wrong answer.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct WrongAnswer {
    /// What was called.
    pub(crate) method: String,
    /// What is wrong.
    pub(crate) wrong: String,
    /// The request.
    pub(crate) request: String,
}

/// Whether a target was met.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Verdict {
    /// The target.
    pub(crate) slo: String,
    /// What was measured.
    pub(crate) measured: String,
    /// It was met.
    pub(crate) met: bool,
}

impl Figures {
    /// What a tally says of so many seconds.
    pub(crate) fn of(tally: &Tally, seconds: f64) -> Self {
        #[allow(clippy::cast_precision_loss, reason = "2^52 calls take longer than any run")]
        let answered = tally.corrected.len() as f64;
        Self {
            calls: tally.calls(),
            right: tally.corrected.len() - tally.wrong,
            wrong: tally.wrong,
            errors: tally.failed(),
            errors_by_reason: tally.errors.clone(),
            rate: if seconds > 0.0 { answered / seconds } else { 0.0 },
            messages: tally.messages,
            corrected: tally.corrected.percentiles(),
            raw: tally.raw.percentiles(),
            curve: tally.corrected.curve(),
        }
    }
}

impl Slo {
    /// Whether a run has met the target. A call that was not answered is slower than any that was.
    pub(crate) fn judge(&self, recorder: &Recorder) -> Verdict {
        let tally = match self.method {
            None => recorder.total(),
            Some(method) => recorder.tallies.get(&method).cloned().unwrap_or_default(),
        };
        let not_begun = if self.method.is_none() { recorder.not_begun } else { 0 };
        let failed = tally.failed() + not_begun;
        let (measured, met) = match self.goal {
            _ if tally.calls() == 0 => ("no calls".to_owned(), false),
            Goal::Latency(share, bound) => match tally.corrected.at_with_failed(share, failed) {
                Some(latency) => (format!("{:.3} ms", millis(latency)), latency < bound),
                None => ("not answered".to_owned(), false),
            },
            Goal::Errors(bound) => {
                #[allow(clippy::cast_precision_loss, reason = "2^52 calls take longer than any run")]
                let share = failed as f64 / (tally.calls() + not_begun) as f64;
                (format!("{:.4}%", share * 100.0), share < bound)
            }
        };
        Verdict { slo: self.to_string(), measured, met }
    }
}

//! Counts what became of the calls of a run.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::call::Outcome;
use crate::figures::{Latencies, millis};
use crate::limits::{MAX_ERROR_KINDS, MAX_WRONG_SHOWN};
use crate::method::Method;
use crate::report::{Second, WrongAnswer};

/// A call that is over.
#[derive(Debug)]
pub(crate) struct Sample {
    /// What was called.
    pub(crate) method: Method,
    /// When it was meant to begin.
    pub(crate) intended: Instant,
    /// When it was handed to its connection.
    pub(crate) sent: Instant,
    /// When it was over.
    pub(crate) ended: Instant,
    /// What became of it.
    pub(crate) outcome: Outcome,
}

/// What is known of the calls of one method, or of all.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tally {
    /// Latencies of what was answered, from when it was meant to begin.
    pub(crate) corrected: Latencies,
    /// Latencies of what was answered, from when it was sent.
    pub(crate) raw: Latencies,
    /// Answers that are not right.
    pub(crate) wrong: u64,
    /// Calls without an answer, by code and reason.
    pub(crate) errors: BTreeMap<String, u64>,
    /// Messages of right answers.
    pub(crate) messages: u64,
}

/// Counts calls.
pub(crate) struct Recorder {
    start: Instant,
    /// By method.
    pub(crate) tallies: BTreeMap<Method, Tally>,
    /// What happened in each second.
    pub(crate) seconds: Vec<Second>,
    /// Latencies of the second that is under way.
    second: Latencies,
    /// The first wrong answers, those of the warm-up included.
    pub(crate) wrong_answers: Vec<WrongAnswer>,
    /// All wrong answers, those of the warm-up included.
    pub(crate) wrong: u64,
    /// How late the generator itself was.
    pub(crate) lag: Latencies,
    /// Calls that began late because too many others were in flight.
    pub(crate) held: u64,
    /// Calls that should have begun, and did.
    pub(crate) intended: u64,
    /// Calls that should have begun, and never did.
    pub(crate) not_begun: u64,
}

impl Recorder {
    /// A recorder of calls that are meant to begin at `start` or later.
    pub(crate) fn new(start: Instant) -> Self {
        Self {
            start,
            tallies: BTreeMap::new(),
            seconds: Vec::new(),
            second: Latencies::default(),
            wrong_answers: Vec::new(),
            wrong: 0,
            lag: Latencies::default(),
            held: 0,
            intended: 0,
            not_begun: 0,
        }
    }

    /// Counts a call. `question` tells what was asked, if it has to be shown.
    pub(crate) fn count(&mut self, sample: &Sample, question: impl FnOnce() -> String) {
        if let Outcome::Wrong(wrong) = &sample.outcome {
            // A wrong answer is wrong at any time.
            self.wrong += 1;
            if self.wrong_answers.len() < MAX_WRONG_SHOWN {
                let method = sample.method.name().to_owned();
                self.wrong_answers.push(WrongAnswer { method, wrong: wrong.clone(), request: question() });
            }
        }
        if sample.intended < self.start {
            return;
        }
        self.tallies.entry(sample.method).or_default().count(sample);
        self.count_in_second(sample);
    }

    /// Counts a call that is meant to begin now, with how late the generator was for it.
    pub(crate) fn begin(&mut self, intended: Instant, lag: Option<Duration>) {
        if intended < self.start {
            return;
        }
        self.intended += 1;
        match lag {
            Some(lag) => self.lag.count(lag),
            None => self.held += 1,
        }
    }

    fn count_in_second(&mut self, sample: &Sample) {
        let index = usize::try_from(sample.ended.saturating_duration_since(self.start).as_secs())
            .unwrap_or(usize::MAX);
        while self.seconds.len() <= index {
            self.close_second();
            #[allow(clippy::cast_precision_loss, reason = "a run has some thousand seconds")]
            let at_s = self.seconds.len() as f64;
            self.seconds.push(Second { at_s, ..Second::default() });
        }
        let is_failed = matches!(sample.outcome, Outcome::Failed { .. });
        if let Some(second) = self.seconds.get_mut(index) {
            second.calls += 1;
            second.errors += u64::from(is_failed);
            second.wrong += u64::from(matches!(sample.outcome, Outcome::Wrong(_)));
        }
        if !is_failed {
            self.second.count(sample.ended.saturating_duration_since(sample.intended));
        }
    }

    /// Keeps the percentiles of the second that is over.
    pub(crate) fn close_second(&mut self) {
        if let Some(second) = self.seconds.last_mut() {
            second.p50_ms = millis(self.second.at(0.5));
            second.p99_ms = millis(self.second.at(0.99));
            second.max_ms = millis(self.second.at(1.0));
        }
        self.second.clear();
    }

    /// All methods together.
    pub(crate) fn total(&self) -> Tally {
        let mut total = Tally::default();
        self.tallies.values().for_each(|tally| total.add(tally));
        total
    }
}

impl Tally {
    fn count(&mut self, sample: &Sample) {
        match &sample.outcome {
            Outcome::Failed { code, reason } => {
                let name = if reason.is_empty() { format!("{code:?}") } else { format!("{code:?}/{reason}") };
                self.count_error(name, 1);
                return;
            }
            Outcome::Wrong(_) => self.wrong += 1,
            Outcome::Right { messages } => self.messages += *messages as u64,
        }
        self.corrected.count(sample.ended.saturating_duration_since(sample.intended));
        self.raw.count(sample.ended.saturating_duration_since(sample.sent));
    }

    fn count_error(&mut self, name: String, count: u64) {
        let is_known = self.errors.contains_key(&name) || self.errors.len() < MAX_ERROR_KINDS;
        let name = if is_known { name } else { "others".to_owned() };
        *self.errors.entry(name).or_default() += count;
    }

    fn add(&mut self, other: &Tally) {
        self.corrected.add(&other.corrected);
        self.raw.add(&other.raw);
        self.wrong += other.wrong;
        self.messages += other.messages;
        other.errors.iter().for_each(|(name, count)| self.count_error(name.clone(), *count));
    }

    /// Calls without an answer.
    pub(crate) fn failed(&self) -> u64 {
        self.errors.values().sum()
    }

    /// All calls.
    pub(crate) fn calls(&self) -> u64 {
        self.corrected.len() + self.failed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tonic::Code;

    fn sample(intended: Instant, sent: Instant, ended: Instant, outcome: Outcome) -> Sample {
        Sample { method: Method::LegalMoves, intended, sent, ended, outcome }
    }

    /// A call each millisecond, one at a time, of 0.1 ms each; the 100th takes half a second.
    fn stalled(recorder: &mut Recorder, start: Instant) {
        let mut free = start;
        for call in 0..1_000_u64 {
            let intended = start + Duration::from_millis(call);
            let sent = intended.max(free);
            free = sent + if call == 100 { Duration::from_millis(500) } else { Duration::from_micros(100) };
            recorder.count(&sample(intended, sent, free, Outcome::Right { messages: 1 }), String::new);
        }
    }

    #[test]
    fn a_stall_is_seen_by_every_call_that_should_have_begun_in_it() {
        let start = Instant::now();
        let mut recorder = Recorder::new(start);
        stalled(&mut recorder, start);
        let tally = &recorder.tallies[&Method::LegalMoves];
        // From when they were sent, 999 of 1,000 calls took 0.1 ms: the omission.
        assert!(tally.raw.at(0.99) < Duration::from_millis(1), "{:?}", tally.raw.at(0.99));
        // Half of them should have begun while the first was waited for.
        assert!(tally.corrected.at(0.6) > Duration::from_millis(50), "{:?}", tally.corrected.at(0.6));
        assert!(tally.corrected.at(0.99) > Duration::from_millis(450), "{:?}", tally.corrected.at(0.99));
    }

    #[test]
    fn the_warm_up_counts_for_nothing_but_wrong_answers() {
        let now = Instant::now();
        let start = now + Duration::from_secs(1);
        let mut recorder = Recorder::new(start);
        recorder.count(&sample(now, now, now, Outcome::Wrong("so".into())), || "request".into());
        recorder.count(&sample(start, start, start, Outcome::Right { messages: 3 }), String::new);
        let total = recorder.total();
        assert_eq!((recorder.wrong, total.wrong, total.calls(), total.messages), (1, 0, 1, 3));
        assert_eq!(recorder.wrong_answers[0].request, "request");
    }

    #[test]
    fn errors_are_told_apart_up_to_a_limit() {
        let now = Instant::now();
        let mut recorder = Recorder::new(now);
        for number in 0..100 {
            let outcome = Outcome::Failed { code: Code::Internal, reason: format!("R{number}") };
            recorder.count(&sample(now, now, now, outcome), String::new);
        }
        let total = recorder.total();
        assert_eq!(total.errors["Internal/R0"], 1);
        assert_eq!(total.errors["others"], 100 - MAX_ERROR_KINDS as u64);
        assert_eq!((total.failed(), total.calls(), recorder.seconds[0].errors), (100, 100, 100));
    }
}

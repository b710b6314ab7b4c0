//! The highest rate at which the targets are met.

use std::time::Duration;

use clap::Args;

use crate::arrival::Arrival;
use crate::exit::{Exit, Failure};
use crate::limits::MAX_RATE;
use crate::output::{self, Output, say};
use crate::plan::{Pace, Plan};
use crate::report::Report;
use crate::run::{Session, What, Whereto, on_this_thread};
use crate::slo::Slo;
use crate::values::{parse_duration, parse_in_flight, parse_rate, parse_share};

/// Doubling and halving come to an end at the latest after so many steps.
const MAX_STEPS: u32 = 40;

/// The closest that a rate is narrowed down: two measurements differ by more.
const CLOSEST: f64 = 0.001;

/// Of fewer calls than these nothing is told of a rate.
const FEWEST_CALLS: f64 = 20.0;

/// A rate is reached when so large a share of its calls was answered in its time.
const REACHED: f64 = 0.98;

/// Find the highest rate at which the targets are met: it is doubled until they are missed, then narrowed down.
#[derive(Debug, Args)]
pub(crate) struct Find {
    #[command(flatten)]
    whereto: Whereto,
    #[command(flatten)]
    what: What,
    #[command(flatten)]
    output: Output,
    /// What has to be met: `p99<5ms`, `errors<0.1%`, `Search.max<2s`. May be given several times.
    #[arg(long, value_name = "TARGET", required = true, value_delimiter = ',')]
    slo: Vec<Slo>,
    /// The rate to begin with, in calls a second.
    #[arg(long, value_name = "RATE", default_value = "100", value_parser = parse_rate)]
    from: f64,
    /// The highest rate that is tried.
    #[arg(long, value_name = "RATE", default_value_t = MAX_RATE, value_parser = parse_rate)]
    up_to: f64,
    /// How closely the rate is narrowed down.
    #[arg(long, value_name = "SHARE", default_value = "5%", value_parser = parse_share)]
    within: f64,
    /// How calls are spread over time.
    #[arg(long, value_enum, default_value_t = Arrival::Poisson)]
    arrival: Arrival,
    /// The most calls in flight; further ones wait, and their wait counts.
    #[arg(long, value_name = "N", default_value = "10000", value_parser = parse_in_flight)]
    max_in_flight: usize,
    /// How long each rate is tried.
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = parse_duration)]
    duration: Duration,
    /// How long each rate is tried before it counts.
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = parse_duration)]
    warm_up: Duration,
}

/// Which rate comes next.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Hunt {
    /// The highest rate that was good.
    good: Option<f64>,
    /// The lowest that was not.
    bad: Option<f64>,
    from: f64,
    lowest: f64,
    up_to: f64,
    within: f64,
}

impl Hunt {
    /// The next rate to try, or none when it is known well enough.
    fn next(&self) -> Option<f64> {
        match (self.good, self.bad) {
            (None, None) => Some(self.from.min(self.up_to)),
            (Some(good), None) if good < self.up_to => Some((good * 2.0).min(self.up_to)),
            (Some(_), None) => None,
            // Not even the first one: downwards, but not for ever.
            (None, Some(bad)) => (bad / 2.0 >= self.lowest).then_some(bad / 2.0),
            (Some(good), Some(bad)) => (bad / good > 1.0 + self.within).then_some((good * bad).sqrt()),
        }
    }

    fn learn(&mut self, rate: f64, is_good: bool) {
        if is_good {
            self.good = Some(rate);
        } else {
            self.bad = Some(rate);
        }
    }
}

impl Find {
    /// Finds the rate.
    ///
    /// # Errors
    /// What cannot be reached or used.
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        self.output.check()?;
        if self.within < CLOSEST {
            return Err("--within: expected 0.1% or more".to_owned());
        }
        on_this_thread(self.hunt())
    }

    async fn hunt(&self) -> Result<Exit, Failure> {
        let session = Session::open(&self.whereto, &self.what).await?;
        let asker = session.asker()?;
        let mut hunt = self.begin();
        let (mut best, mut last) = (None, None);
        for _ in 0..MAX_STEPS {
            let Some(rate) = hunt.next() else { break };
            let report = session.measure(&asker, self.plan(rate), &self.slo).await?;
            if report.wrong_answers > 0 || report.total.right == 0 {
                self.output.write(&report)?;
                return Ok(output::exit(&report));
            }
            let is_good = is_reached(&report, rate) && report.slo.iter().all(|verdict| verdict.met);
            self.tell(rate, is_good, &report)?;
            hunt.learn(rate, is_good);
            if is_good { best = Some(report) } else { last = Some(report) }
        }
        self.conclude(&hunt, best.as_ref(), last.as_ref())
    }

    fn begin(&self) -> Hunt {
        let lowest = FEWEST_CALLS / self.duration.as_secs_f64().max(0.001);
        Hunt { good: None, bad: None, from: self.from, lowest, up_to: self.up_to, within: self.within }
    }

    fn plan(&self, rate: f64) -> Plan {
        let pace = Pace::Open { rate, arrival: self.arrival, max_in_flight: self.max_in_flight };
        Plan { pace, warm_up: self.warm_up, duration: self.duration, seed: self.what.seed }
    }

    fn tell(&self, rate: f64, is_good: bool, report: &Report) -> Result<(), Failure> {
        if self.output.json.has_standard_output() {
            return Ok(());
        }
        let verdict = if is_good { "met" } else { "missed" };
        let behind = if report.generator.fell_behind { ", and the generator fell behind" } else { "" };
        let measured: Vec<_> = report.slo.iter().map(|it| format!("{}: {}", it.slo, it.measured)).collect();
        say(&format!(
            "{rate:.0}/s {verdict}: {:.0}/s answered, {}{behind}\n",
            report.total.rate,
            measured.join(", ")
        ))
    }

    /// Says what was found, and writes the report of the best rate, or where there is none, of the last one.
    fn conclude(&self, hunt: &Hunt, best: Option<&Report>, last: Option<&Report>) -> Result<Exit, Failure> {
        if let Some(report) = best.or(last) {
            self.output.write(report)?;
        }
        let is_quiet = self.output.json.has_standard_output();
        let found = hunt.good.map_or_else(
            || "no rate was found at which the targets are met\n".to_owned(),
            |rate| format!("the highest rate at which the targets are met: {rate:.0}/s\n"),
        );
        if !is_quiet {
            say(&found)?;
        }
        if last.is_some_and(|report| report.generator.fell_behind) && !is_quiet {
            say(
                "The generator fell behind where the targets were missed: the service may be able to do more.\n",
            )?;
        }
        Ok(if hunt.good.is_some() { Exit::Met } else { Exit::Missed })
    }
}

/// Whether the service has kept up with the rate. Of few calls by chance, some more may be missing.
fn is_reached(report: &Report, rate: f64) -> bool {
    #[allow(clippy::cast_precision_loss, reason = "2^52 calls take longer than any run")]
    let meant = (report.generator.intended as f64).min(rate * report.measured_s);
    #[allow(clippy::cast_precision_loss, reason = "2^52 calls take longer than any run")]
    let ended = report.total.calls as f64;
    // What was held back until it was not made at all is missing in both.
    let begun = rate * report.measured_s - 4.0 * (rate * report.measured_s).sqrt();
    ended >= meant * REACHED && ended >= begun * REACHED
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hunts a service that is good up to so many calls a second.
    fn found(capacity: f64, from: f64, up_to: f64) -> (Option<f64>, u32) {
        let mut hunt = Hunt { good: None, bad: None, from, lowest: 1.0, up_to, within: 0.05 };
        let mut steps = 0;
        while let Some(rate) = hunt.next() {
            steps += 1;
            assert!(steps < MAX_STEPS, "{hunt:?}");
            hunt.learn(rate, rate <= capacity);
        }
        (hunt.good, steps)
    }

    #[test]
    fn the_rate_is_found_closely_and_soon() {
        for capacity in [3.0, 99.0, 101.0, 12_345.0, 900_000.0] {
            let (rate, steps) = found(capacity, 100.0, MAX_RATE);
            let rate = rate.unwrap();
            assert!(rate <= capacity && rate > capacity / 1.06, "{rate} of {capacity}");
            assert!(steps < 25, "{steps}");
        }
    }

    #[test]
    fn it_ends_at_the_bounds() {
        assert_eq!(found(1e9, 100.0, 5_000.0).0, Some(5_000.0));
        assert_eq!(found(0.0, 100.0, 5_000.0).0, None);
    }
}

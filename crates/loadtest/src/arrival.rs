//! When the calls of an open loop begin.

use std::time::Duration;

use clap::ValueEnum;
use fastrand::Rng;

/// How calls are spread over time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Arrival {
    /// Evenly.
    Constant,
    /// By chance, as many independent callers would: gaps have an exponential distribution.
    Poisson,
}

/// The times at which calls are meant to begin, from 0 on, without end.
#[derive(Debug)]
pub(crate) struct Schedule {
    arrival: Arrival,
    /// Seconds between two calls, on average.
    gap: f64,
    /// Calls so far.
    count: u64,
    /// For chance: seconds so far.
    elapsed: f64,
    random: Rng,
}

impl Schedule {
    /// A schedule with so many calls a second.
    pub(crate) fn new(arrival: Arrival, rate: f64, seed: u64) -> Self {
        Self { arrival, gap: 1.0 / rate, count: 0, elapsed: 0.0, random: Rng::with_seed(seed) }
    }
}

impl Iterator for Schedule {
    type Item = Duration;

    fn next(&mut self) -> Option<Duration> {
        #[allow(clippy::cast_precision_loss, reason = "2^52 calls take longer than any run")]
        let even = self.count as f64 * self.gap;
        self.count += 1;
        let time = match self.arrival {
            // Not by adding up, which would add up errors, too.
            Arrival::Constant => even,
            Arrival::Poisson => {
                self.elapsed -= self.gap * (1.0 - self.random.f64()).ln();
                self.elapsed
            }
        };
        Some(Duration::from_secs_f64(time))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_keep_the_rate() {
        for arrival in [Arrival::Constant, Arrival::Poisson] {
            let second = Duration::from_secs(20);
            let calls = Schedule::new(arrival, 1_000.0, 7).take_while(|time| *time < second).count();
            assert!((19_400..=20_600).contains(&calls), "{arrival:?}: {calls}");
        }
    }

    #[test]
    fn chance_has_gaps_of_all_lengths() {
        let times: Vec<_> = Schedule::new(Arrival::Poisson, 1_000.0, 7).take(10_000).collect();
        let gaps: Vec<_> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
        // e^-3 = 5 % of the gaps are longer than three times the mean.
        let long = gaps.iter().filter(|gap| **gap > Duration::from_millis(3)).count();
        assert!((400..600).contains(&long), "{long}");
    }
}

//! Latencies, counted.

use std::time::Duration;

use hdrhistogram::Histogram;
use serde::{Deserialize, Serialize};

/// From a microsecond to 20 minutes, in nanoseconds: longer than any deadline with what may come before it.
const BOUNDS_NANOS: (u64, u64) = (1_000, 1_200_000_000_000);

/// Latencies, kept to three digits.
#[derive(Debug, Clone)]
pub(crate) struct Latencies(Histogram<u64>);

/// The percentiles that are told, in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Percentiles {
    /// Half of the answers were at least so fast.
    pub(crate) p50_ms: f64,
    /// 90 % were.
    pub(crate) p90_ms: f64,
    /// 99 % were.
    pub(crate) p99_ms: f64,
    /// 99.9 % were.
    #[serde(rename = "p99.9_ms")]
    pub(crate) p999_ms: f64,
    /// The slowest answer.
    pub(crate) max_ms: f64,
}

impl Default for Latencies {
    fn default() -> Self {
        let (low, high) = BOUNDS_NANOS;
        // Three digits and bounds that lie apart are always possible.
        #[allow(clippy::unwrap_used, reason = "the arguments are constants that a test tries")]
        Self(Histogram::new_with_bounds(low, high, 3).unwrap())
    }
}

impl Latencies {
    /// Counts one.
    pub(crate) fn count(&mut self, latency: Duration) {
        self.0.saturating_record(u64::try_from(latency.as_nanos()).unwrap_or(u64::MAX));
    }

    /// Counts those of another one, too.
    pub(crate) fn add(&mut self, other: &Self) {
        // Equal bounds always fit.
        let _ = self.0.add(&other.0);
    }

    /// How many there are.
    pub(crate) fn len(&self) -> u64 {
        self.0.len()
    }

    /// The latency that this share of the answers does not exceed.
    pub(crate) fn at(&self, share: f64) -> Duration {
        Duration::from_nanos(self.0.value_at_quantile(share))
    }

    /// The same when `failed` more calls were never answered: those took longer than any time. None: one of
    /// them is meant.
    pub(crate) fn at_with_failed(&self, share: f64, failed: u64) -> Option<Duration> {
        #[allow(clippy::cast_precision_loss, reason = "2^52 calls take longer than any run")]
        let (answered, all) = (self.len() as f64, (self.len() + failed) as f64);
        // A whole number that came out a little too high through rounding is that number.
        let rank = (share * all - 1e-6).ceil().max(1.0);
        if rank > answered { None } else { Some(self.at(rank / answered)) }
    }

    /// The percentiles that are told.
    pub(crate) fn percentiles(&self) -> Percentiles {
        let at = |share| millis(self.at(share));
        Percentiles {
            p50_ms: at(0.5),
            p90_ms: at(0.9),
            p99_ms: at(0.99),
            p999_ms: at(0.999),
            max_ms: at(1.0),
        }
    }

    /// Shares with their latencies in milliseconds, closer together towards the slowest.
    pub(crate) fn curve(&self) -> Vec<(f64, f64)> {
        let mut shares = vec![0.0];
        let mut rest = 1.0;
        #[allow(clippy::cast_precision_loss, reason = "2^52 calls take longer than any run")]
        let smallest = 1.0 / self.len().max(1) as f64;
        // Eight points for every halving of the rest would be smooth; four are smooth enough.
        while rest > smallest {
            rest /= 2.0_f64.powf(0.25);
            shares.push(1.0 - rest);
        }
        shares.into_iter().map(|share| (share, millis(self.at(share)))).collect()
    }

    /// Forgets them.
    pub(crate) fn clear(&mut self) {
        self.0.reset();
    }
}

/// A time in milliseconds.
pub(crate) fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    fn latencies(millis: impl IntoIterator<Item = u64>) -> Latencies {
        let mut latencies = Latencies::default();
        millis.into_iter().for_each(|it| latencies.count(Duration::from_millis(it)));
        latencies
    }

    #[test]
    fn percentiles_are_right_to_three_digits() {
        let percentiles = latencies(1..=1_000).percentiles();
        assert!((percentiles.p50_ms / 500.0 - 1.0).abs() < 2e-3, "{percentiles:?}");
        assert!((percentiles.p999_ms / 999.0 - 1.0).abs() < 2e-3, "{percentiles:?}");
        assert!((percentiles.max_ms / 1_000.0 - 1.0).abs() < 2e-3, "{percentiles:?}");
    }

    #[test]
    fn calls_that_failed_are_slower_than_all_others() {
        let latencies = latencies(std::iter::repeat_n(1, 98));
        assert!(latencies.at_with_failed(0.98, 2).is_some());
        assert_eq!(latencies.at_with_failed(0.99, 2), None);
        assert_eq!(Latencies::default().at_with_failed(0.5, 1), None);
    }

    #[test]
    fn the_curve_rises_and_ends_with_the_slowest() {
        let curve = latencies(1..=1_000).curve();
        assert!(curve.is_sorted_by(|a, b| a.0 < b.0 && a.1 <= b.1));
        assert!(curve.last().unwrap().1 > 999.0);
    }
}

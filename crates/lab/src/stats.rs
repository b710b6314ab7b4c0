//! What the results of a match say about the strength of two engines.
//!
//! Games are counted in pairs: the same opening with sides changed. The five possible scores of a pair
//! vary less than single games do, because an opening that favours one side favours both engines once
//! (<https://www.chessprogramming.org/Match_Statistics>).

/// How many pairs ended with 0, ½, 1, 1½, 2 points for the first engine.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pairs(pub [u32; 5]);

/// A strength difference, with the bounds of its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    /// The difference in Elo.
    pub elo: f64,
    /// Half the width of the interval, in Elo.
    pub margin: f64,
}

impl Pairs {
    /// Counts a pair in which the first engine won so many half points.
    pub fn count(&mut self, half_points: usize) {
        self.0[half_points.min(4)] += 1;
    }

    /// How many pairs there are.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.0.iter().copied().map(f64::from).sum()
    }

    /// The share of points, from 0 to 1, and its variance for one pair.
    #[must_use]
    pub fn mean_and_variance(&self) -> (f64, f64) {
        let total = self.total().max(1.0);
        let score = |(points, &count): (u32, &u32)| (f64::from(points) / 4.0, f64::from(count) / total);
        let scores = || (0..).zip(&self.0).map(score);
        let mean: f64 = scores().map(|(score, weight)| score * weight).sum();
        let variance = scores().map(|(score, weight)| (score - mean).powi(2) * weight).sum();
        (mean, variance)
    }

    /// The difference in strength.
    #[must_use]
    pub fn difference(&self) -> Difference {
        let (mean, variance) = self.mean_and_variance();
        let error = 1.96 * (variance / self.total().max(1.0)).sqrt();
        let margin = (elo(mean + error) - elo(mean - error)) / 2.0;
        Difference { elo: elo(mean), margin }
    }

    /// The logarithm of how much more likely these results are when the difference is `elo1` than when
    /// it is `elo0`: the generalised sequential probability ratio test, with a normal distribution.
    #[must_use]
    pub fn log_likelihood_ratio(&self, elo0: f64, elo1: f64) -> f64 {
        let (mean, variance) = self.mean_and_variance();
        if variance <= 0.0 {
            return 0.0;
        }
        let (score0, score1) = (expected_score(elo0), expected_score(elo1));
        self.total() * (score1 - score0) * (2.0 * mean - score0 - score1) / (2.0 * variance)
    }
}

/// The bounds of the log likelihood ratio for 5 % errors of either kind.
pub const SPRT_BOUND: f64 = 2.944_438_979;

/// The difference in Elo that a score suggests.
fn elo(score: f64) -> f64 {
    let score = score.clamp(1e-3, 1.0 - 1e-3);
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The score that a difference in Elo suggests.
fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_even_match_shows_no_difference() {
        let difference = Pairs([10, 20, 40, 20, 10]).difference();
        assert!(difference.elo.abs() < 1e-9 && (20.0..60.0).contains(&difference.margin), "{difference:?}");
    }

    #[test]
    fn three_quarters_are_191_elo() {
        let pairs = Pairs([0, 0, 50, 0, 50]);
        assert!((pairs.difference().elo - 190.85).abs() < 0.1, "{:?}", pairs.difference());
        assert!(pairs.log_likelihood_ratio(0.0, 10.0) > 1.0);
        assert!(pairs.log_likelihood_ratio(0.0, -10.0) < -1.0);
    }
}

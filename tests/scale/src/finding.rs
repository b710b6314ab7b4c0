//! What was measured, beside what was wanted.

use std::fmt;

/// One number, or a few that belong together.
#[derive(Debug, Clone)]
pub struct Finding {
    /// What was measured.
    pub what: String,
    /// What came out.
    pub measured: String,
    /// What should have come out; empty if this is for comparison.
    pub wanted: &'static str,
    /// It did.
    pub is_met: bool,
}

impl Finding {
    /// A number that has to be something.
    #[must_use]
    pub fn new(
        what: impl Into<String>,
        measured: impl fmt::Display,
        wanted: &'static str,
        is_met: bool,
    ) -> Finding {
        Finding { what: what.into(), measured: measured.to_string(), wanted, is_met }
    }

    /// A number that nothing is wanted of.
    #[must_use]
    pub fn for_comparison(what: impl Into<String>, measured: impl fmt::Display) -> Finding {
        Finding::new(what, measured, "", true)
    }

    /// How far the calls of each instance are from an even share, which should be within a tenth.
    #[must_use]
    pub fn evenness(what: impl Into<String>, calls: &[f64]) -> Finding {
        let even = calls.iter().sum::<f64>() / calls.len() as f64;
        let furthest = calls.iter().map(|calls| (calls - even).abs()).fold(0.0, f64::max);
        let each: Vec<_> = calls.iter().map(ToString::to_string).collect();
        let off = format!("{}: off by {:.1} %", each.join(", "), furthest / even * 100.0);
        Finding::new(what, off, "10 %", even > 0.0 && furthest <= 0.1 * even)
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Finding { what, measured, wanted, .. } = self;
        let verdict = match (wanted.is_empty(), self.is_met) {
            (true, _) => "",
            (false, true) => "met",
            (false, false) => "MISSED",
        };
        write!(f, "| {what} | {measured} | {wanted} | {verdict} |")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenth_off_is_even_and_more_is_not() {
        for (calls, is_even) in
            [(&[100.0, 90.0, 110.0][..], true), (&[100.0, 89.0, 111.0], false), (&[0.0, 0.0], false)]
        {
            assert_eq!(Finding::evenness("", calls).is_met, is_even, "{calls:?}");
        }
    }
}

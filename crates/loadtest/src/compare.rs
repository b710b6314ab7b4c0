//! Two reports, side by side.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::exit::{Exit, Failure};
use crate::limits::MAX_REPORT_BYTES;
use crate::output::say;
use crate::report::{FORMAT, Figures, Report};
use crate::values::{parse_percent, read_file};

/// Compare two reports that `run --json` has written.
#[derive(Debug, Args)]
pub(crate) struct Compare {
    /// The report to compare with.
    before: PathBuf,
    /// The report that is compared.
    after: PathBuf,
    /// End with status 1 when a rate is lower or a latency (p50, p90, p99) higher by more than this.
    #[arg(long, value_name = "SHARE", value_parser = parse_percent)]
    worse_than: Option<f64>,
}

/// A number in both reports.
struct Line {
    name: String,
    before: f64,
    after: f64,
    /// More is better.
    is_rate: bool,
    /// Counts for `--worse-than`. The slowest few answers are too much a matter of chance.
    is_judged: bool,
}

impl Compare {
    /// Prints the ratios.
    ///
    /// # Errors
    /// Which file is no report.
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        let (before, after) = (read(&self.before)?, read(&self.after)?);
        let mut lines = lines("all", &before.total, &after.total);
        for (name, figures) in &before.methods {
            if let Some(other) = after.methods.get(name) {
                lines.extend(self::lines(name, figures, other));
            }
        }
        let mut text = format!("{:<26} {:>12} {:>12} {:>8}\n", "", "before", "after", "ratio");
        let mut is_worse = false;
        for line in &lines {
            let mark = if self.worse_than.is_some_and(|bound| line.is_worse(bound)) { "  WORSE" } else { "" };
            is_worse |= !mark.is_empty();
            let _ = writeln!(
                text,
                "{:<26} {:>12.3} {:>12.3} {:>8.3}{mark}",
                line.name,
                line.before,
                line.after,
                line.after / line.before
            );
        }
        say(&text)?;
        if before.settings.r#loop != after.settings.r#loop || before.settings.rate != after.settings.rate {
            say("The two were put under load differently: their numbers say little of each other.\n")?;
        }
        Ok(if is_worse { Exit::Missed } else { Exit::Met })
    }
}

impl Line {
    fn is_worse(&self, bound: f64) -> bool {
        let limit = if self.is_rate { self.before * (1.0 - bound) } else { self.before * (1.0 + bound) };
        self.is_judged && if self.is_rate { self.after < limit } else { self.after > limit }
    }
}

fn lines(name: &str, before: &Figures, after: &Figures) -> Vec<Line> {
    let line = |what: &str, before, after, is_rate, is_judged| Line {
        name: format!("{name} {what}"),
        before,
        after,
        is_rate,
        is_judged,
    };
    let (was, is) = (&before.corrected, &after.corrected);
    vec![
        line("rate/s", before.rate, after.rate, true, true),
        line("p50 ms", was.p50_ms, is.p50_ms, false, true),
        line("p90 ms", was.p90_ms, is.p90_ms, false, true),
        line("p99 ms", was.p99_ms, is.p99_ms, false, true),
        line("p99.9 ms", was.p999_ms, is.p999_ms, false, false),
        line("max ms", was.max_ms, is.max_ms, false, false),
    ]
}

fn read(path: &Path) -> Result<Report, Failure> {
    let bytes = read_file(path, MAX_REPORT_BYTES)?;
    let report: Report = serde_json::from_slice(&bytes)
        .map_err(|error| format!("{}: no report of `run --json`: {error}", path.display()))?;
    if report.format != FORMAT {
        return Err(format!("{}: a report of form {}; expected {FORMAT}", path.display(), report.format));
    }
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worse_is_a_lower_rate_or_a_higher_latency() {
        let line =
            |before, after, is_rate| Line { name: String::new(), before, after, is_rate, is_judged: true };
        assert!(line(100.0, 89.0, true).is_worse(0.1) && !line(100.0, 91.0, true).is_worse(0.1));
        assert!(line(10.0, 11.1, false).is_worse(0.1) && !line(10.0, 10.9, false).is_worse(0.1));
        assert!(!line(10.0, 1.0, false).is_worse(0.1) && !line(10.0, 100.0, true).is_worse(0.1));
    }
}

//! Results, for people and for programs.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::exit::{Exit, Failure};
use crate::figures::Percentiles;
use crate::html;
use crate::report::{Figures, Report, WrongAnswer};

/// The share of a core beyond which the generator may be the slowest part.
pub(crate) const AT_ITS_LIMIT: f64 = 0.9;

/// A request and what is wrong with its answer are shown cut off beyond this, in characters.
const MAX_SHOWN: usize = 1_000;

/// Where results go besides the terminal.
#[derive(Debug, Clone, Args)]
pub(crate) struct Output {
    #[command(flatten)]
    pub(crate) json: JsonOutput,
    /// Write the results as a page with plots to this file.
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
}

/// Where results go for programs.
#[derive(Debug, Clone, Args)]
pub(crate) struct JsonOutput {
    /// Write the results as JSON to this file; `-`: to standard output, and nothing else there.
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
}

impl Output {
    /// Writes a report wherever it is wanted.
    ///
    /// # Errors
    /// Which file cannot be written.
    pub(crate) fn write(&self, report: &Report) -> Result<(), Failure> {
        if let Some(path) = &self.html {
            write_file(path, &html::page(report)?)?;
        }
        self.json.write(report)?;
        if !self.json.has_standard_output() {
            say(&summary(report))?;
        }
        Ok(())
    }

    /// Whether each result has a place of its own.
    ///
    /// # Errors
    /// Both have the same.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        if self.html.is_some() && self.html == self.json.json {
            return Err("--json and --html name the same file; expected two".to_owned());
        }
        Ok(())
    }
}

impl JsonOutput {
    /// Writes something as JSON, if that is wanted.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn write(&self, value: &impl serde::Serialize) -> Result<(), Failure> {
        let Some(path) = &self.json else { return Ok(()) };
        let text = serde_json::to_string_pretty(value).map_err(|error| error.to_string())? + "\n";
        if self.has_standard_output() { say(&text) } else { write_file(path, &text) }
    }

    /// JSON has standard output for itself.
    pub(crate) fn has_standard_output(&self) -> bool {
        self.json.as_deref() == Some(Path::new("-"))
    }
}

/// How a program ends that has found this.
pub(crate) fn exit(report: &Report) -> Exit {
    if report.wrong_answers > 0 {
        Exit::Wrong
    } else if report.total.right == 0 {
        Exit::Unusable
    } else if report.slo.iter().any(|verdict| !verdict.met) {
        Exit::Missed
    } else {
        Exit::Met
    }
}

/// Writes to standard output.
///
/// # Errors
/// When nobody reads it.
pub(crate) fn say(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.map_err(|error| format!("standard output: {error}"))
}

fn write_file(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// The results for people.
fn summary(report: &Report) -> String {
    let mut text = String::new();
    let settings = &report.settings;
    let load = match settings.rate {
        Some(rate) => format!("open loop, {rate} calls/s"),
        None => format!("closed loop, {} in flight", settings.in_flight),
    };
    // Writing to a String does not fail.
    let _ = writeln!(
        text,
        "{load}, {} connections to {}, {:.1} s measured\n",
        settings.connections,
        settings.targets.join(", "),
        report.measured_s
    );
    let head = ["", "calls", "right", "wrong", "errors", "rate/s", "p50 ms", "p90", "p99", "p99.9", "max"];
    let _ = writeln!(text, "{}", row(&head.map(str::to_owned)));
    for (name, figures) in &report.methods {
        let _ = writeln!(text, "{}", figures_row(name, figures, &figures.corrected));
    }
    let _ = writeln!(text, "{}", figures_row("all", &report.total, &report.total.corrected));
    if settings.rate.is_some() {
        let _ = writeln!(text, "{}", figures_row("from when sent", &report.total, &report.total.raw));
    }
    for (reason, count) in &report.total.errors_by_reason {
        let _ = writeln!(text, "error {reason}: {count}");
    }
    text.push_str(&warnings(report));
    for verdict in &report.slo {
        let met = if verdict.met { "met" } else { "MISSED" };
        let _ = writeln!(text, "{} {met}: {}", verdict.slo, verdict.measured);
    }
    text
}

/// What casts doubt on the numbers.
fn warnings(report: &Report) -> String {
    let mut text = String::new();
    let generator = &report.generator;
    if generator.fell_behind {
        let _ = writeln!(
            text,
            "THE GENERATOR FELL BEHIND: it began calls {:.1} ms late (p99), {:.1} ms at most. The latencies tell of it as \
             much as of the service.",
            generator.lag.p99_ms, generator.lag.max_ms
        );
    }
    if generator.cpu_share > AT_ITS_LIMIT {
        let _ = writeln!(
            text,
            "The generator used {:.0} % of a core: it was at its limit, and the service perhaps not.",
            generator.cpu_share * 100.0
        );
    }
    if generator.not_begun > 0 {
        let _ = writeln!(text, "{} calls should have begun and never did.", generator.not_begun);
    }
    if generator.held > 0 {
        let held = generator.held;
        let _ =
            writeln!(text, "{held} calls began late because {} were in flight.", report.settings.in_flight);
    }
    if generator.retries + generator.reconnects > 0 {
        let (retries, reconnects) = (generator.retries, generator.reconnects);
        let _ = writeln!(text, "{reconnects} connections made again, {retries} calls sent again.");
    }
    if report.wrong_answers > 0 {
        let _ = writeln!(text, "{} WRONG ANSWERS, the first of them:", report.wrong_answers);
        report.wrong_examples.iter().for_each(|example| text.push_str(&wrong(example)));
    }
    text
}

fn wrong(example: &WrongAnswer) -> String {
    let cut = |text: &str| text.chars().take(MAX_SHOWN).collect::<String>();
    format!("  {}: {}\n    {}\n", example.method, cut(&example.wrong), cut(&example.request))
}

fn figures_row(name: &str, figures: &Figures, percentiles: &Percentiles) -> String {
    let Percentiles { p50_ms, p90_ms, p99_ms, p999_ms, max_ms } = *percentiles;
    let counts = [figures.calls, figures.right, figures.wrong, figures.errors].map(|count| count.to_string());
    let latencies = [p50_ms, p90_ms, p99_ms, p999_ms, max_ms].map(|it| format!("{it:.3}"));
    let cells = [&[name.to_owned()][..], &counts, &[format!("{:.0}", figures.rate)], &latencies].concat();
    row(&cells)
}

/// Cells in columns: the first to the left, numbers to the right.
fn row(cells: &[String]) -> String {
    cells.iter().enumerate().fold(String::new(), |line, (column, cell)| {
        if column == 0 { format!("{cell:<15}") } else { format!("{line} {cell:>9}") }
    })
}

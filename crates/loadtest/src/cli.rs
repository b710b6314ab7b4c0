//! The commands.

use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};

use crate::arrival::Arrival;
use crate::baseline::Baseline;
use crate::bench_server::ECHO_COMMAND;
use crate::compare::Compare;
use crate::echo;
use crate::exit::{Exit, Failure};
use crate::find::Find;
use crate::output::{self, Output};
use crate::plan::{Pace, Plan};
use crate::run::{Session, What, Whereto, on_this_thread};
use crate::slo::Slo;
use crate::values::{parse_duration, parse_in_flight, parse_rate};

/// Puts a load on Arbiter, measures it, and checks that every answer is right.
///
/// Ends with status 0 when all answers were right and all targets met, 1 when a target was missed, 2 when the
/// options make no sense or nothing was answered, and 3 when an answer was wrong.
#[derive(Debug, Parser)]
#[command(name = "arbiter-load", version)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

// The commands are parsed once: their sizes do not matter.
#[allow(clippy::large_enum_variant)]
#[derive(Debug, Subcommand)]
enum Command {
    /// Put a load on the service once.
    Run(Run),
    /// Find the highest rate at which the targets are met.
    Find(Find),
    /// Compare two reports.
    Compare(Compare),
    /// Compare the service with a bare echo, in one run.
    Baseline(Baseline),
    /// Serve the echo.
    #[command(name = ECHO_COMMAND, hide = true)]
    EchoServer,
}

/// Put a load on the service once: an open loop with `--rate`, a closed one with `--in-flight`.
#[derive(Debug, Args)]
struct Run {
    #[command(flatten)]
    whereto: Whereto,
    #[command(flatten)]
    what: What,
    #[command(flatten)]
    output: Output,
    /// Open loop: calls that begin in a second, however long the answers take.
    #[arg(long, value_name = "RATE", value_parser = parse_rate, conflicts_with = "in_flight", required_unless_present = "in_flight")]
    rate: Option<f64>,
    /// Open loop: how calls are spread over time.
    #[arg(long, value_enum, default_value_t = Arrival::Constant, conflicts_with = "in_flight")]
    arrival: Arrival,
    /// Open loop: the most calls in flight; further ones wait, and their wait counts.
    #[arg(long, value_name = "N", default_value = "10000", value_parser = parse_in_flight, conflicts_with = "in_flight")]
    max_in_flight: usize,
    /// Closed loop: calls in flight; as one ends, the next one begins.
    #[arg(long, value_name = "N", value_parser = parse_in_flight)]
    in_flight: Option<usize>,
    /// How long is measured.
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = parse_duration)]
    duration: Duration,
    /// How long calls are made before they count.
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = parse_duration)]
    warm_up: Duration,
    /// What has to be met: `p99<5ms`, `errors<0.1%`, `Search.max<2s`. May be given several times.
    #[arg(long, value_name = "TARGET", value_delimiter = ',')]
    slo: Vec<Slo>,
}

impl Cli {
    /// Does what was asked.
    pub(crate) fn run(self) -> ExitCode {
        let done = match self.command {
            Command::Run(run) => run.run(),
            Command::Find(find) => find.run(),
            Command::Compare(compare) => compare.run(),
            Command::Baseline(baseline) => baseline.run(),
            Command::EchoServer => echo::serve().map(|()| Exit::Met),
        };
        done.unwrap_or_else(|failure| {
            eprintln!("arbiter-load: {failure}");
            Exit::Unusable
        })
        .into()
    }
}

impl Run {
    fn run(&self) -> Result<Exit, Failure> {
        if self.duration.is_zero() {
            return Err("--duration: expected more than nothing".to_owned());
        }
        self.output.check()?;
        on_this_thread(async {
            let session = Session::open(&self.whereto, &self.what).await?;
            let asker = session.asker()?;
            let report = session.measure(&asker, self.plan(), &self.slo).await?;
            self.output.write(&report)?;
            if report.total.right == 0 && report.wrong_answers == 0 {
                eprintln!("arbiter-load: nothing was answered");
            }
            Ok(output::exit(&report))
        })
    }

    fn plan(&self) -> Plan {
        let pace = match (self.rate, self.in_flight) {
            (Some(rate), _) => Pace::Open { rate, arrival: self.arrival, max_in_flight: self.max_in_flight },
            // One of the two is there: see `required_unless_present`.
            (None, in_flight) => Pace::Closed { in_flight: in_flight.unwrap_or(1) },
        };
        Plan { pace, warm_up: self.warm_up, duration: self.duration, seed: self.what.seed }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    const PAGE: &str = include_str!("../../../docs/load-testing.md");

    #[test]
    fn the_options_fit_together() {
        super::Cli::command().debug_assert();
    }

    #[test]
    fn the_page_has_every_option_with_its_default() {
        let command = super::Cli::command();
        for subcommand in command.get_subcommands().filter(|it| !it.is_hide_set()) {
            for option in subcommand.get_arguments().filter(|it| it.get_long().is_some_and(|it| it != "help"))
            {
                let name = format!("`--{}`", option.get_long().unwrap());
                let rows: Vec<_> =
                    PAGE.lines().filter(|line| line.starts_with('|') && line.contains(&name)).collect();
                let default =
                    option.get_default_values().first().map(|it| format!("`{}`", it.to_string_lossy()));
                let is_told =
                    |row: &&&str| default.as_ref().is_none_or(|default| row.contains(default.as_str()));
                // The one option of `compare` is told in a sentence.
                let is_told = rows.iter().any(|row| is_told(&row));
                let is_sentence = name == "`--worse-than`" && PAGE.contains("With `--worse-than 10%`");
                assert!(is_told || is_sentence, "{} {name}, default {default:?}", subcommand.get_name());
            }
        }
    }
}

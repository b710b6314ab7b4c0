//! Arbiter beside a service in Python and one in Node that answer the same call: `tests/peers`.
//!
//! All three run on one core, the generator on another one. They are asked in turn, in rounds, so that whatever
//! else the machine does slows all of them down; ratios are of one run.

use serde_json::Value;

use crate::command::{Failure, cannot_start, cargo, command, run, target_directory};
use crate::peer::{Kind, Peer, on_core, python_script};

/// Arbiter, and those beside it.
const KINDS: [Kind; 3] = [Kind::Arbiter, Kind::Python, Kind::Node];

const SERVER_CORE: &str = "0";
const GENERATOR_CORE: &str = "1";

/// Beside one that warms up, and in which every answer is read. An odd number has a median.
const ROUNDS: usize = 5;
const IN_FLIGHT: &str = "64";

/// So long that the slowest answers every question that is prepared.
const WARM_UP: &str = "4s";
const ROUND: &str = "3s";
const CHECK: &str = "1s";

/// Every how many-th answer is read while it is measured: the generator is then less in the way.
const CHECK_EVERY: &str = "10";

/// The share of its core beyond which a server is at its limit. Below, something else was the slowest part.
const AT_ITS_LIMIT: f64 = 0.9;

/// What is asked, and how many plies of history a question has.
const CASES: [(&str, &str); 2] = [("position only", "0"), ("40 plies of history", "40")];

/// What one of them did in one round.
#[derive(Debug, Clone, Copy)]
struct Round {
    calls: f64,
    /// Calls a second.
    rate: f64,
    p50_ms: f64,
    p99_ms: f64,
    /// Processor time of the server, in seconds.
    cpu_s: f64,
    /// That, as a share of its core.
    busy: f64,
}

/// One of them, with its rounds.
struct Side {
    peer: Peer,
    rounds: Vec<Round>,
}

/// Whether the peers answer as Arbiter does, and rightly under load: what is not run does not stay right.
pub(crate) fn check() -> Result<(), Failure> {
    run(&mut cargo(&["build", "--package", "server", "--package", "loadtest"]))?;
    let peers =
        KINDS.map(|kind| Peer::start(kind, "debug", None)).into_iter().collect::<Result<Vec<_>, _>>()?;
    run(python_script("same.py")?.args(peers.iter().map(|peer| &peer.address)))?;
    for peer in &peers {
        for (case, history) in CASES {
            let round = ask(peer, "debug", None, &["--history", history, "--duration", CHECK])?;
            println!("    {}, {case}: {} right answers", peer.kind.name(), round.calls);
        }
    }
    Ok(())
}

/// Measures all three, and prints the tables.
pub(crate) fn compare() -> Result<(), Failure> {
    run(&mut cargo(&["build", "--release", "--package", "server", "--package", "loadtest"]))?;
    let start = |kind| {
        let peer = Peer::start(kind, "release", Some(SERVER_CORE))?;
        Ok(Side { peer, rounds: Vec::new() })
    };
    let mut sides = KINDS.map(start).into_iter().collect::<Result<Vec<_>, Failure>>()?;
    println!("{IN_FLIGHT} calls in flight over 4 connections, {ROUNDS} rounds of {ROUND} each; medians.");
    for (case, history) in CASES {
        measure(&mut sides, history)?;
        print!("\nValidateMove, {case}\n{}", table(&sides));
    }
    Ok(())
}

fn measure(sides: &mut [Side], history: &str) -> Result<(), Failure> {
    for side in &mut *sides {
        side.rounds.clear();
        let options = ["--history", history, "--duration", WARM_UP];
        ask(&side.peer, "release", Some(GENERATOR_CORE), &options)?;
    }
    let options = ["--history", history, "--duration", ROUND, "--check-every", CHECK_EVERY];
    let count = sides.len();
    for round in 0..ROUNDS {
        // Another one is first in each round.
        for turn in 0..count {
            let side = &mut sides[(round + turn) % count];
            side.rounds.push(ask(&side.peer, "release", Some(GENERATOR_CORE), &options)?);
        }
    }
    Ok(())
}

/// Lets the generator ask, and fails unless every call is answered, and rightly.
fn ask(peer: &Peer, profile: &str, core: Option<&str>, options: &[&str]) -> Result<Round, Failure> {
    let program = target_directory().join(profile).join("arbiter-load");
    let mut load = command(program, &["run", "--target", &peer.address, "--variant", "chess"]);
    // All calls count, so that the processor time is theirs.
    load.args(["--in-flight", IN_FLIGHT, "--warm-up", "0s", "--json", "-"]).args(options);
    let mut load = on_core(core, load);
    let before = peer.cpu_s()?;
    let output = load.output().map_err(|error| cannot_start(&load, &error))?;
    let cpu_s = peer.cpu_s()? - before;
    let (text, said) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let name = peer.kind.name();
    if !output.status.success() {
        return Err(Failure(format!("{name}: the generator ended with {}: {text}{said}", output.status)));
    }
    let report: Value =
        serde_json::from_str(&text).map_err(|error| Failure(format!("{name}: no report: {error}")))?;
    if report.pointer("/total/errors").and_then(Value::as_u64) != Some(0) {
        return Err(Failure(format!("{name}: calls failed: {}", report["total"]["errors_by_reason"])));
    }
    Round::of(&report, cpu_s).ok_or_else(|| Failure(format!("{name}: a report without its numbers: {text}")))
}

impl Round {
    fn of(report: &Value, cpu_s: f64) -> Option<Self> {
        let number = |path| report.pointer(path).and_then(Value::as_f64);
        Some(Self {
            calls: number("/total/right")?,
            rate: number("/total/rate")?,
            p50_ms: number("/total/corrected/p50_ms")?,
            p99_ms: number("/total/corrected/p99_ms")?,
            cpu_s,
            busy: cpu_s / number("/measured_s")?,
        })
    }
}

impl Side {
    fn median(&self, of: impl Fn(&Round) -> f64) -> f64 {
        let mut values: Vec<_> = self.rounds.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
    }

    fn rate(&self) -> f64 {
        self.median(|round| round.rate)
    }

    fn cpu_micros(&self) -> f64 {
        self.median(|round| 1e6 * round.cpu_s / round.calls)
    }
}

/// The first one beside the others.
fn table(sides: &[Side]) -> String {
    let mut text = format!(
        "{:<10}{:>10}{:>10}{:>10}{:>8}{:>13}{:>12}{:>12}\n",
        "", "calls/s", "p50 ms", "p99 ms", "busy", "CPU µs/call", "rate ratio", "CPU ratio"
    );
    let Some(ours) = sides.first() else { return text };
    for side in sides {
        text += &format!(
            "{:<10}{:>10.0}{:>10.2}{:>10.2}{:>7.0}%{:>13.1}{:>12.1}{:>12.1}\n",
            side.peer.kind.name(),
            side.rate(),
            side.median(|round| round.p50_ms),
            side.median(|round| round.p99_ms),
            100.0 * side.median(|round| round.busy),
            side.cpu_micros(),
            ours.rate() / side.rate(),
            side.cpu_micros() / ours.cpu_micros(),
        );
    }
    if ours.median(|round| round.busy) < AT_ITS_LIMIT {
        text += "Arbiter was not at its limit, the generator was: it can answer more, and the ratios of rates are too low.\n";
    }
    text
}

//! Calls whose answers are checked: the load generator.

use std::net::SocketAddr;
use std::process::Stdio;

use grpc_tests::binary;
use serde_json::Value;
use tokio::process::{Child, Command};

/// A load generator that runs.
pub struct Load(Child);

/// What it reports.
#[derive(Debug)]
pub struct Report(Value);

impl Load {
    /// Puts a load on these targets in turn, as the arguments, divided by spaces, say.
    ///
    /// # Panics
    /// There is no load generator.
    #[must_use]
    pub fn start(targets: &[SocketAddr], arguments: &str) -> Load {
        let mut command = Command::new(binary::load());
        command.args(["run", "--json", "-"]).args(arguments.split_whitespace());
        for target in targets {
            command.args(["--target", &target.to_string()]);
        }
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).kill_on_drop(true);
        Load(command.spawn().expect("the load generator starts"))
    }

    /// Waits for the end.
    ///
    /// # Panics
    /// It has nothing to report.
    pub async fn finish(self) -> Report {
        let output = self.0.wait_with_output().await.expect("an end");
        Report(serde_json::from_slice(&output.stdout).expect("a report"))
    }
}

impl Report {
    /// How many calls there were.
    #[must_use]
    pub fn calls(&self) -> u64 {
        number(&self.0["total"]["calls"]) + number(&self.0["generator"]["not_begun"])
    }

    /// How many answers were wrong.
    #[must_use]
    pub fn wrong(&self) -> u64 {
        number(&self.0["wrong_answers"])
    }

    /// How many calls were not answered until so many seconds after the beginning, and later.
    ///
    /// # Panics
    /// The report has no seconds.
    #[must_use]
    pub fn failed(&self, until: f64) -> (u64, u64) {
        let seconds = self.0["seconds"].as_array().expect("seconds");
        let sum = |is_early: bool| {
            let some = seconds.iter().filter(|it| (it["at_s"].as_f64().expect("a time") < until) == is_early);
            some.map(|second| number(&second["errors"])).sum::<u64>()
        };
        (sum(true), sum(false) + number(&self.0["generator"]["not_begun"]))
    }

    /// How many calls were refused for overload.
    #[must_use]
    pub fn refused(&self) -> u64 {
        self.0["total"]["errors_by_reason"]["ResourceExhausted/OVERLOADED"].as_u64().unwrap_or(0)
    }

    /// Why calls were not answered.
    #[must_use]
    pub fn errors(&self) -> String {
        self.0["total"]["errors_by_reason"].to_string()
    }

    /// How long half of the calls took, 99 % of them, and the slowest, in milliseconds.
    ///
    /// # Panics
    /// The report does not say.
    #[must_use]
    pub fn latencies(&self) -> String {
        let latencies = ["p50_ms", "p99_ms", "max_ms"].map(|name| {
            let latency = self.0["total"]["corrected"][name].as_f64().expect("a latency");
            format!("{latency:.2}")
        });
        latencies.join(", ")
    }
}

fn number(value: &Value) -> u64 {
    value.as_u64().expect("a number")
}

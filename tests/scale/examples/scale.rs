//! Three instances behind Envoy and behind a client of their own, as docs/operations.md tells of it: prints one table, and
//! fails if something is not as it should be. `cargo xtask scale` builds everything in release.

#![allow(clippy::print_stdout, reason = "a command line tool talks to its user")]

use std::process::ExitCode;
use std::time::Duration;

use scale::behind_envoy::{self, Plan};
use scale::{Finding, round_robin, searches};

const RATE: u32 = 500;
const STEADY: Duration = Duration::from_secs(5);

#[tokio::main]
async fn main() -> ExitCode {
    let plan = Plan { rate: RATE, duration: Duration::from_secs(60), steady: STEADY };
    let mut is_met = show("behind Envoy, 500 calls a second for 60 s", &behind_envoy::run(plan).await);
    is_met &= show("a client with a list of addresses", &round_robin::over_a_list(RATE, STEADY).await);
    is_met &= show("a client with a name", &round_robin::over_a_name(RATE, STEADY).await);
    let compared = searches::compare(Duration::from_secs(10)).await;
    is_met &= show("as many searches at a time as slots: 3 times 4", &compared);
    if is_met { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Prints a table, and says whether everything in it is as it should be.
fn show(title: &str, findings: &[Finding]) -> bool {
    println!("\n{title}\n\n| what | measured | wanted | |\n| --- | --- | --- | --- |");
    for finding in findings {
        println!("{finding}");
    }
    findings.iter().all(|finding| finding.is_met)
}

//! Three instances behind Envoy: one is restarted, one is killed, a fourth comes.

use std::time::Duration;

use tokio::time::Instant;

use crate::load::Load;
use crate::{Envoy, Finding, Fleet};

/// How old a connection gets. It is short, so that all this time connections are ended, too.
const AGE: Duration = Duration::from_secs(10);

/// How long the clock of an instance stands still before it is killed, so that calls are in flight on it.
const STOPPED: Duration = Duration::from_millis(100);

/// How long it is measured.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// Calls a second.
    pub rate: u32,
    /// How long calls are made.
    pub duration: Duration,
    /// How long is measured who answers them, before, between and after.
    pub steady: Duration,
}

/// Runs it.
///
/// # Panics
/// Something does not come up.
pub async fn run(plan: Plan) -> Vec<Finding> {
    let age = format!("{}s", AGE.as_secs());
    let mut fleet = Fleet::start(3, &["--max-connection-age", &age]).await;
    let envoy = Envoy::start(&fleet, &[]).await;
    let begin = Instant::now();
    let load = Load::start(&[envoy.listener()], &arguments(plan));
    let mut findings = Vec::new();
    // The first calls of all four connections have been made.
    fleet.until_asked(0).await;
    findings.push(Finding::evenness("calls on each of three", &fleet.answered_in(plan.steady).await));

    fleet.restart(0).await;
    fleet.until_asked(0).await;
    findings.push(Finding::evenness("after SIGTERM", &fleet.answered_in(plan.steady).await));

    let before_kill = begin.elapsed();
    findings.push(Finding::for_comparison(
        "calls that Envoy asked again before SIGKILL",
        asked_again(&envoy).await,
    ));
    let broken = envoy.stat("cluster.rules.upstream_cx_destroy_remote_with_active_rq").await;
    findings.push(Finding::new("connections broken under calls before SIGKILL", broken, "0", broken == 0));
    let in_flight =
        fleet.kill(1, STOPPED, async || envoy.stat("cluster.rules.upstream_rq_active").await).await;
    fleet.until_asked(1).await;
    findings.push(Finding::evenness("after SIGKILL", &fleet.answered_in(plan.steady).await));

    fleet.add().await;
    let joined = fleet.until_asked(3).await;
    let share = format!("{:.1} s", joined.as_secs_f64());
    findings.push(Finding::new("a fourth has its share after", share, "20 s", joined <= 2 * AGE));
    findings.push(Finding::evenness("calls on each of four", &fleet.answered_in(plan.steady).await));

    let report = load.finish().await;
    let (failed, failed_later) = report.failed(before_kill.as_secs_f64());
    let calls = format!("{} of {}", report.wrong(), report.calls());
    findings.push(Finding::new("wrong answers", calls, "0", report.wrong() == 0));
    findings.push(Finding::new("failed calls before SIGKILL", failed, "0", failed == 0));
    let lost = format!("{failed_later} of {in_flight} in flight");
    // Without any in flight, this would show nothing.
    let is_met = failed_later <= in_flight && in_flight > 0;
    findings.push(Finding::new("failed calls since SIGKILL", lost, "those in flight", is_met));
    findings.push(Finding::for_comparison("why calls failed", report.errors()));
    findings.push(Finding::for_comparison("calls that Envoy asked again in all", asked_again(&envoy).await));
    findings
        .push(Finding::for_comparison("latency of calls in ms: p50, p99, the slowest", report.latencies()));
    findings
}

async fn asked_again(envoy: &Envoy) -> String {
    let again = envoy.stat("cluster.rules.upstream_rq_retry").await;
    let answered = envoy.stat("cluster.rules.upstream_rq_retry_success").await;
    format!("{again}, {answered} answered then")
}

fn arguments(Plan { rate, duration, .. }: Plan) -> String {
    let mix = "ValidateMove=80,LegalMoves=10,GameStatus=5,ReplayGame=5";
    format!("--rate {rate} --duration {}s --warm-up 0s --mix {mix}", duration.as_secs())
}

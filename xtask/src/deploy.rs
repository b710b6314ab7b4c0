//! What is deployed, looked at by the programs that will read it, but for an engine that runs it.

use crate::command::{Failure, command, root, run};
use crate::tools;

/// The laptop's services.
const COMPOSE: &str = "deploy/compose/compose.yaml";

/// The configuration of the laptop's Prometheus, which names its alerts, and the tests of these.
const PROMETHEUS: &str = "deploy/compose/prometheus/prometheus.yaml";
const ALERT_TESTS: &str = "deploy/compose/prometheus/alerts-test.yaml";

/// Files that name the version of our images, each with what stands before it.
const VERSIONS: [(&str, &str); 4] = [
    ("Dockerfile", "ARG VERSION="),
    (COMPOSE, "image: arbiter:"),
    (COMPOSE, "image: arbiter-load:"),
    ("deploy/kubernetes/load-job.yaml", "image: arbiter-load:"),
];

pub(crate) fn check() -> Result<(), Failure> {
    let python = tools::python()?;
    run(&mut command(python.program("hadolint")?, &["Dockerfile"]))?;
    VERSIONS.iter().try_for_each(|(file, before)| is_ours(file, before))?;
    let compose = python.program("docker-compose")?;
    run(&mut command(compose, &["--file", COMPOSE, "--profile", "*", "config", "--quiet"]))?;
    let promtool = tools::promtool()?;
    run(&mut command(&promtool, &["check", "config", PROMETHEUS]))?;
    run(&mut command(&promtool, &["test", "rules", ALERT_TESTS]))
}

/// Sees to it that a file names this version, wherever it names one.
fn is_ours(file: &str, before: &str) -> Result<(), Failure> {
    let ours = env!("CARGO_PKG_VERSION");
    let text = std::fs::read_to_string(root().join(file))?;
    let versions: Vec<_> = text.lines().filter_map(|line| line.trim().strip_prefix(before)).collect();
    if !versions.is_empty() && versions.iter().all(|&version| version == ours) {
        return Ok(());
    }
    Err(Failure(format!("{file}: `{before}` is followed by {versions:?}; Cargo.toml's version is {ours:?}")))
}

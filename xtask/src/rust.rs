//! The steps that cargo does.

use crate::command::{Failure, cargo, command, run, succeeds};
use crate::{kubernetes, tools};

/// The games with the programs that count perft, and where their counts are.
const PERFT: [(&str, &str, &str); 2] = [
    ("chess", "chess_perft", "tests/data/chess/perft"),
    ("xiangqi", "xiangqi_perft", "tests/data/xiangqi/perft"),
];

pub(crate) fn fmt() -> Result<(), Failure> {
    need_component("fmt", "rustfmt")?;
    run(&mut cargo(&["fmt", "--all", "--", "--check"]))
}

pub(crate) fn clippy() -> Result<(), Failure> {
    need_component("clippy", "clippy")?;
    run(&mut cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))
}

pub(crate) fn doc() -> Result<(), Failure> {
    run(cargo(&["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"))
}

/// Benchmarks are no tests.
pub(crate) fn unit() -> Result<(), Failure> {
    tools::fairy_stockfish()?;
    tools::pyffish()?;
    tools::python()?;
    tools::promtool()?;
    kubernetes::kubernetes()?;
    tools::envoy()?;
    run(&mut cargo(&["test", "--workspace"]))
}

pub(crate) fn deny() -> Result<(), Failure> {
    // cargo-deny reads the manifests of all dependencies and does not download them itself.
    run(&mut cargo(&["fetch"]))?;
    let cargo_deny = tools::python()?.program("cargo-deny")?;
    // The advisory database is a git repository of its own: see deny.toml.
    run(&mut command(cargo_deny, &["--workspace", "check", "licenses", "bans", "sources"]))
}

pub(crate) fn fuzz() -> Result<(), Failure> {
    run(&mut cargo(&["test", "--package", "fuzz"]))
}

pub(crate) fn perft() -> Result<(), Failure> {
    PERFT.iter().try_for_each(|(package, example, data)| {
        run(&mut cargo(&["run", "--release", "--package", package, "--example", example, "--", data]))
    })
}

pub(crate) fn rulings() -> Result<(), Failure> {
    tools::pyffish()?;
    run(&mut cargo(&["run", "--release", "--package", "xiangqi", "--example", "xiangqi_rulings_peer"]))
}

pub(crate) fn bench() -> Result<(), Failure> {
    tools::fairy_stockfish()?;
    run(&mut cargo(&["bench", "--workspace", "--benches"]))?;
    run(&mut cargo(&["run", "--release", "--package", "xiangqi", "--example", "xiangqi_perft_peer"]))
}

pub(crate) fn telemetry_cost() -> Result<(), Failure> {
    run(&mut cargo(&["run", "--release", "--package", "grpc-tests", "--example", "telemetry_cost"]))
}

pub(crate) fn soak() -> Result<(), Failure> {
    run(&mut cargo(&["run", "--release", "--package", "grpc-tests", "--example", "soak"]))
}

pub(crate) fn scale() -> Result<(), Failure> {
    tools::python()?;
    tools::envoy()?;
    run(&mut cargo(&["run", "--release", "--package", "scale", "--example", "scale"]))
}

/// Sees to it that a cargo command is there which rustup installs apart from the compiler.
fn need_component(subcommand: &str, component: &str) -> Result<(), Failure> {
    let is_there = || succeeds(&mut cargo(&[subcommand, "--version"]));
    if is_there() {
        return Ok(());
    }
    let installed = run(&mut command("rustup", &["component", "add", component]));
    if installed.is_ok() && is_there() {
        return Ok(());
    }
    Err(Failure(format!("cargo {subcommand} is missing; install the component {component} of Rust")))
}

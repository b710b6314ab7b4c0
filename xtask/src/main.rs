//! Every command that the project's checks run: `cargo xtask help` lists them.
//!
//! CI calls `cargo xtask test` and nothing else, so that whatever it finds can be found here, too. A step
//! that cannot run fails: none is ever skipped.

#![allow(clippy::print_stdout, reason = "a command line tool talks to its user")]

mod chart;
mod command;
mod deploy;
mod example;
mod image;
mod kubernetes;
mod links;
mod peer;
mod peers;
mod proto;
mod readme;
mod rust;
mod tools;
mod workflows;

use std::process::ExitCode;
use std::time::Instant;

use command::Failure;

/// A command of the tool.
struct Task {
    name: &'static str,
    about: &'static str,
    run: fn() -> Result<(), Failure>,
}

/// What `test` runs, in this order: what is cheap and fails often comes first.
const STEPS: &[Task] = &[
    Task { name: "fmt", about: "the code is formatted (cargo fmt --check)", run: rust::fmt },
    Task {
        name: "proto",
        about: "buf lint, and buf breaking against proto/baseline.binpb",
        run: proto::check,
    },
    Task {
        name: "deploy",
        about: "the Dockerfile, the compose file, and the alerts of its Prometheus",
        run: deploy::check,
    },
    Task {
        name: "chart",
        about: "the Helm chart and the manifests are valid, and say the same",
        run: chart::check,
    },
    Task { name: "workflows", about: "the workflows of .github (actionlint, zizmor)", run: workflows::check },
    Task { name: "clippy", about: "clippy without warnings, all targets", run: rust::clippy },
    Task { name: "doc", about: "the documentation builds without warnings", run: rust::doc },
    Task {
        name: "unit",
        about: "every test: of the code, its documentation, the service, and a short fuzz run",
        run: rust::unit,
    },
    Task {
        name: "deny",
        about: "licences, bans and sources of all dependencies (cargo-deny)",
        run: rust::deny,
    },
    Task {
        name: "peers-check",
        about: "the services in Python and Node that ours is compared with answer as it does",
        run: peers::check,
    },
    Task {
        name: "readme",
        about: "the README's examples print what it says, and links lead somewhere",
        run: readme::check,
    },
];

/// What is not part of `test`.
const OTHERS: &[Task] = &[
    Task {
        name: "perft",
        about: "all perft counts of tests/data at full depth, in release",
        run: rust::perft,
    },
    Task {
        name: "rulings",
        about: "rulings on the repetitions of tests/data beside Fairy-Stockfish's: see docs/repetition.md",
        run: rust::rulings,
    },
    Task { name: "fuzz", about: "the fuzz targets alone", run: rust::fuzz },
    Task { name: "bench", about: "the benchmarks", run: rust::bench },
    Task {
        name: "image",
        about: "builds the images and runs the service's, confined: see docs/operations.md",
        run: image::check,
    },
    Task {
        name: "telemetry-cost",
        about: "processor time of a call with telemetry and without, in one run",
        run: rust::telemetry_cost,
    },
    Task {
        name: "soak",
        about: "ten minutes of traffic, cancels and hang-ups, after which nothing may have grown",
        run: rust::soak,
    },
    Task {
        name: "peers",
        about: "ValidateMove beside a service in Python and one in Node, in one run: see docs/performance.md",
        run: peers::compare,
    },
    Task {
        name: "scale",
        about: "several instances behind Envoy and a client's own balancing: see docs/operations.md",
        run: rust::scale,
    },
    Task {
        name: "baseline",
        about: "makes the API as it is now the one that buf compares with",
        run: proto::baseline,
    },
    Task {
        name: "manifests",
        about: "makes deploy/kubernetes anew from the chart",
        run: chart::write_manifests,
    },
    Task { name: "tools", about: "installs the pinned tools into target/tools", run: tools::install_all },
];

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let result = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] | ["help" | "--help" | "-h"] => {
            help();
            Ok(())
        }
        ["test"] => STEPS.iter().try_for_each(run),
        [name] => match STEPS.iter().chain(OTHERS).find(|task| task.name == name) {
            Some(task) => run(task),
            None => Err(Failure(format!("there is no command {name:?}; see cargo xtask help"))),
        },
        [_, ..] => Err(Failure("one command at a time; see cargo xtask help".to_owned())),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure(message)) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

fn help() {
    println!(
        "cargo xtask <command>\n\n  {:<16}everything that must pass: the steps below, in this order",
        "test"
    );
    for task in STEPS {
        println!("    {:<14}{}", task.name, task.about);
    }
    for task in OTHERS {
        println!("  {:<16}{}", task.name, task.about);
    }
}

/// Runs a task, names it and tells how long it took.
fn run(task: &Task) -> Result<(), Failure> {
    println!("==> {}: {}", task.name, task.about);
    let start = Instant::now();
    let result = (task.run)();
    let seconds = start.elapsed().as_secs_f64();
    match result {
        Ok(()) => {
            println!("==> {}: passed in {seconds:.1} s", task.name);
            Ok(())
        }
        Err(Failure(message)) => {
            let name = task.name;
            Err(Failure(format!("{name} FAILED after {seconds:.1} s: {message} (alone: cargo xtask {name})")))
        }
    }
}

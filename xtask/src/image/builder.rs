//! Builds the two images, on the real bases or, where no registry can be reached, on stand-ins.

use std::path::PathBuf;
use std::process::Command;

use super::engine::Engine;
use crate::command::{Failure, command, root, run, succeeds};

/// The stages of the Dockerfile that become images, by their names.
const TARGETS: [&str; 2] = ["arbiter", "arbiter-load"];

/// The images that the Dockerfile starts from: its arguments, which variables of the same names override.
const BASES: [&str; 2] = ["RUST_IMAGE", "RUNTIME_IMAGE"];

/// Makes stand-ins for them.
const STAND_INS: &str = "deploy/image/stand-ins.sh";

/// Where the packages for the stand-ins are kept.
const PACKAGES: &str = "target/docker/stand-ins";

/// Variables that name a bundle of certificates, when a proxy stands before crates.io.
const CERTIFICATES: [&str; 2] = ["CARGO_HTTP_CAINFO", "SSL_CERT_FILE"];

/// Builds both and returns their names.
pub(crate) fn build(engine: &Engine) -> Result<[String; 2], Failure> {
    let bases = bases()?;
    provide(engine, &bases)?;
    // Where there is no registry of images, there may be no way out but the machine's own either.
    let uses_host_network = engine.is_own() || is_stand_in(engine, &bases[1])?;
    let version = env!("CARGO_PKG_VERSION");
    let names = TARGETS.map(|target| format!("{target}:{version}"));
    for (target, name) in TARGETS.iter().zip(&names) {
        let mut build = engine.docker(&["build", "--target", target, "--tag", name]);
        for (argument, image) in BASES.iter().zip(&bases) {
            build.arg("--build-arg").arg(format!("{argument}={image}"));
        }
        build.arg("--build-arg").arg(format!("VERSION={version}"));
        build.arg("--build-arg").arg(format!("REVISION={}", revision()));
        if let Some(bundle) = CERTIFICATES.iter().find_map(std::env::var_os).map(PathBuf::from) {
            build.arg("--secret").arg(format!("id=ca,src={}", bundle.display()));
        }
        if uses_host_network {
            build.args(["--network", "host"]);
        }
        run(build.arg("."))?;
    }
    Ok(names)
}

/// The names of the base images.
fn bases() -> Result<[String; 2], Failure> {
    let dockerfile = std::fs::read_to_string(root().join("Dockerfile"))?;
    let default = |name: &str| {
        let start = format!("ARG {name}=");
        let value = dockerfile.lines().find_map(|line| line.strip_prefix(&start));
        value.map(str::to_owned).ok_or_else(|| Failure(format!("the Dockerfile has no line `{start}...`")))
    };
    let base = |name: &str| std::env::var(name).or_else(|_| default(name));
    Ok([base(BASES[0])?, base(BASES[1])?])
}

/// Sees to it that the base images are there.
fn provide(engine: &Engine, bases: &[String; 2]) -> Result<(), Failure> {
    let is_there = |image: &String| succeeds(&mut engine.docker(&["image", "inspect", image]));
    if bases.iter().all(|image| is_there(image) || run(&mut engine.docker(&["pull", image])).is_ok()) {
        return Ok(());
    }
    println!("    no registry has them for us: {STAND_INS} makes stand-ins of Debian's packages");
    let [rust, runtime] = bases;
    run(&mut engine.told(command(STAND_INS, &[rust, runtime, PACKAGES]))).map_err(|Failure(cause)| {
        Failure(format!(
            "{} can neither be pulled nor replaced ({cause}); set {} to images of a mirror that you reach",
            bases.join(" and "),
            BASES.join(" and ")
        ))
    })
}

/// Whether a base image is one of `STAND_INS`, which gives them a label.
fn is_stand_in(engine: &Engine, image: &str) -> Result<bool, Failure> {
    let label = r#"{{index .Config.Labels "arbiter.base"}}"#;
    Ok(engine.output(&["image", "inspect", "--format", label, image])? == "stand-in")
}

/// The commit that is checked out, as well as it can be told.
fn revision() -> String {
    let git = |arguments: &[&str]| -> Option<String> {
        let output = Command::new("git").args(arguments).current_dir(root()).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let (commit, changes) = (git(&["rev-parse", "HEAD"]), git(&["status", "--porcelain"]));
    match (commit, changes) {
        (Some(commit), Some(changes)) if changes.is_empty() => commit,
        (Some(commit), _) => format!("{commit}-changed"),
        (None, _) => "unknown".to_owned(),
    }
}

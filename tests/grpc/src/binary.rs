//! The binary under test, and the one that puts a load on it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The path of the binary, built with the profile and into the directory of the test that runs.
///
/// # Panics
/// The binary cannot be built.
pub fn path() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| named("ARBITER_BIN").unwrap_or_else(|| build("server", "arbiter")))
}

/// The path of the load generator, built in the same way, unless `ARBITER_LOAD_BIN` names one.
///
/// # Panics
/// It cannot be built.
pub fn load() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| named("ARBITER_LOAD_BIN").unwrap_or_else(|| build("loadtest", "arbiter-load")))
}

fn named(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).map(PathBuf::from)
}

fn build(package: &str, name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("the path of this test");
    // A test lies in <target directory>/<profile>/deps.
    let out = test.ancestors().nth(2).expect("the profile's directory");
    let target = out.parent().expect("the target directory");
    let profile = match out.file_name().and_then(|profile| profile.to_str()).expect("a profile") {
        "debug" => "dev",
        profile => profile,
    };
    let status = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["build", "--quiet", "--package", package, "--bin", name, "--profile", profile])
        .arg("--target-dir")
        .arg(target)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .status()
        .expect("cargo runs");
    assert!(status.success(), "{name} cannot be built");
    out.join(name)
}

//! What the tests of the program share.

#![allow(dead_code, reason = "each test uses a part of it")]

pub(crate) mod arbiter;
pub(crate) mod fake;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Output, Stdio};
use std::time::Duration;

use tokio::process::Command;
use tokio::time::timeout;

/// What takes longer than this has hung.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// Runs the program with these arguments, divided by spaces, against a service.
pub(crate) async fn load(address: SocketAddr, arguments: &str) -> Output {
    let mut words: Vec<String> = arguments.split_whitespace().map(str::to_owned).collect();
    words.insert(1, format!("--target={address}"));
    run(&words).await
}

/// Runs the program with these arguments.
pub(crate) async fn run<S: AsRef<std::ffi::OsStr>>(arguments: &[S]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arbiter-load"));
    command.args(arguments).stdin(Stdio::null()).kill_on_drop(true);
    timeout(PATIENCE, command.output()).await.expect("the program ends in time").expect("the program starts")
}

/// The status of the process.
pub(crate) fn status(output: &Output) -> i32 {
    output.status.code().expect("no signal ended it")
}

/// Both outputs, for messages.
pub(crate) fn text(output: &Output) -> String {
    [&output.stdout[..], &output.stderr].map(String::from_utf8_lossy).concat()
}

/// The report on standard output.
pub(crate) fn report(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", text(output)))
}

/// A path of this test's own.
pub(crate) fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{name}", std::process::id()))
}

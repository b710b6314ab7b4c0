//! The real service, built with the profile of the test that runs, or the one that `ARBITER_BIN` names.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::Stdio;

use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};
use tokio::time::timeout;

use super::PATIENCE;

/// A running service; it is killed when the test is over.
pub(crate) struct Arbiter {
    process: Child,
    /// Where it listens.
    pub(crate) address: SocketAddr,
}

impl Arbiter {
    /// Starts the service on a free port.
    pub(crate) async fn start() -> Arbiter {
        let mut command = Command::new(path().await);
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("ARBITER_") {
                command.env_remove(name);
            }
        }
        // Room for the searches of a test.
        command.args(["--listen", "127.0.0.1:0", "--admin-listen", "off", "--search-slots", "64"]);
        let mut process =
            command.stderr(Stdio::piped()).kill_on_drop(true).spawn().expect("the service starts");
        let mut lines = BufReader::new(process.stderr.take().expect("standard error")).lines();
        let listening = timeout(PATIENCE, async {
            loop {
                let line = lines.next_line().await.expect("a log").expect("a line that names the address");
                if let Some((_, address)) = line.split_once("listening address=") {
                    return address.trim().parse().expect("an address");
                }
            }
        });
        let address = listening.await.expect("the service listens in time");
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        Arbiter { process, address }
    }

    /// Its process.
    pub(crate) fn pid(&self) -> u32 {
        self.process.id().expect("the service runs")
    }
}

/// The path of the service's program.
pub(crate) async fn path() -> PathBuf {
    match std::env::var_os("ARBITER_BIN") {
        Some(path) => path.into(),
        None => build().await,
    }
}

async fn build() -> PathBuf {
    let test = std::env::current_exe().expect("the path of this test");
    // A test lies in <target directory>/<profile>/deps.
    let out = test.ancestors().nth(2).expect("the profile's directory").to_owned();
    let profile = match out.file_name().and_then(|name| name.to_str()).expect("a profile") {
        "debug" => "dev",
        name => name,
    };
    let built = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["build", "--quiet", "--package", "server", "--bin", "arbiter", "--profile", profile])
        .arg("--target-dir")
        .arg(out.parent().expect("the target directory"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .status();
    assert!(built.await.expect("cargo runs").success(), "the service cannot be built");
    out.join("arbiter")
}

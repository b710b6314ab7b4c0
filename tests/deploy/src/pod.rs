//! The real binary, started as the container of a pod: with its variables, and nothing else.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::process::{ExitStatus, Stdio};

use grpc_tests::certificates::Authority;
use grpc_tests::server::{PATIENCE, signal};
use grpc_tests::{Folder, binary};
use tokio::io::{AsyncBufReadExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStderr, Command};
use tokio::time::timeout;

use crate::container::Template;

/// Where Secrets are mounted.
const MOUNTED: &str = "/etc/arbiter/";

/// The SHA-256 of some token.
const HASH: &str = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\n";

/// What the container of a pod has: its variables, and the files of its Secrets in a folder of their own.
pub struct Setup {
    variables: BTreeMap<String, String>,
    // Removed with the setup.
    _folder: Folder,
}

impl Setup {
    /// What this container has.
    ///
    /// # Panics
    /// A file that a variable names is in no Secret.
    #[must_use]
    pub fn of(template: &Template) -> Setup {
        let folder = Folder::new();
        let authority = Authority::new();
        let (certificate, key) = authority.issue();
        let mut variables = template.variables();
        for (name, value) in &mut variables {
            let Some((mounted, file)) = value.strip_prefix(MOUNTED).and_then(|path| path.split_once('/'))
            else {
                continue;
            };
            assert!(template.secret_in(&format!("{MOUNTED}{mounted}"))["secretName"].is_string());
            let text = match name.as_str() {
                "ARBITER_TLS_CERT" => &certificate,
                "ARBITER_TLS_KEY" => &key,
                "ARBITER_TLS_CLIENT_CA" => authority.pem(),
                "ARBITER_TOKEN_HASHES_FILE" => HASH,
                _ => panic!("{name} names a file"),
            };
            *value = folder.write(&format!("{mounted}-{file}"), text);
        }
        Setup { variables, _folder: folder }
    }

    /// What the binary prints when it is started with this flag.
    ///
    /// # Panics
    /// It refuses a setting.
    pub async fn print(&self, flag: &str) -> String {
        let output = self.command().arg(flag).output().await.expect("the binary starts");
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{:?}: {error}", self.variables);
        String::from_utf8(output.stdout).expect("text")
    }

    /// Starts the server on free ports. Its log is text, which this reads.
    ///
    /// # Panics
    /// It does not come up.
    pub async fn start(&self) -> Pod {
        let mut command = self.command();
        for name in ["ARBITER_LISTEN", "ARBITER_HEALTH_LISTEN", "ARBITER_ADMIN_LISTEN"] {
            command.env(name, "127.0.0.1:0");
        }
        let mut process = command.env("ARBITER_LOG_FORMAT", "text").spawn().expect("the binary starts");
        let mut log = BufReader::new(process.stderr.take().expect("standard error")).lines();
        let after = async |log: &mut Lines<BufReader<ChildStderr>>, what: &str| -> SocketAddr {
            loop {
                let line = log.next_line().await.expect("a log").expect("a line that names the address");
                if let Some((_, address)) = line.split_once(what) {
                    return address.trim().parse().expect("an address");
                }
            }
        };
        let addresses = timeout(PATIENCE, async {
            let health = after(&mut log, "health_address=").await;
            (health, after(&mut log, "listening address=").await)
        });
        let (health, address) = addresses.await.expect("the server listens in time");
        Pod { process, health, address, _log: log }
    }

    fn command(&self) -> Command {
        let mut command = Command::new(binary::path());
        command.env_clear().envs(&self.variables).stderr(Stdio::piped()).kill_on_drop(true);
        command
    }
}

/// A running server.
pub struct Pod {
    process: Child,
    /// Where probes ask.
    pub health: SocketAddr,
    /// Where calls go.
    pub address: SocketAddr,
    // Open, so that the server can write.
    _log: Lines<BufReader<ChildStderr>>,
}

impl Pod {
    /// The threads of the process.
    ///
    /// # Panics
    /// The process has ended, or the system has no `/proc`.
    #[must_use]
    pub fn threads(&self) -> usize {
        let pid = self.process.id().expect("the process runs");
        std::fs::read_dir(format!("/proc/{pid}/task")).expect("the threads").count()
    }

    /// Sends SIGTERM, as the kubelet does, and waits for the end.
    ///
    /// # Panics
    /// It does not end in time.
    pub async fn stop(mut self) -> ExitStatus {
        signal(self.process.id().expect("the process runs"), "TERM").await;
        timeout(PATIENCE, self.process.wait()).await.expect("the server ends in time").expect("a status")
    }
}

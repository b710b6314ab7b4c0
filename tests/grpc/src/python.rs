//! Clients in Python, which speak gRPC with another library than the server.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::OnceLock;

use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::timeout;

use crate::server::PATIENCE;

/// The workspace.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The Python that has gRPC, where `cargo xtask tools` installs it.
const PYTHON: &str = "target/tools/python/bin/python3";

/// A script that is told what to do line by line, and says a line when it is done.
pub struct Script {
    process: Child,
    told: ChildStdin,
    says: Lines<BufReader<ChildStdout>>,
}

impl Script {
    /// Starts a script of `tests/clients/python` with these arguments.
    ///
    /// # Panics
    /// There is no Python with gRPC.
    #[must_use]
    pub fn start(name: &str, arguments: &[&str]) -> Script {
        let python = Path::new(ROOT).join(PYTHON);
        assert!(python.exists(), "no {}; cargo xtask tools installs it", python.display());
        let mut process = Command::new(python)
            .arg(Path::new(ROOT).join("tests/clients/python").join(name))
            .args(arguments)
            .env("PYTHONPATH", stubs())
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("Python starts");
        let told = process.stdin.take().expect("standard input");
        let says = BufReader::new(process.stdout.take().expect("standard output")).lines();
        Script { process, told, says }
    }

    /// Tells the script something.
    ///
    /// # Panics
    /// It has ended.
    pub async fn tell(&mut self, line: &str) {
        self.told.write_all(format!("{line}\n").as_bytes()).await.expect("the script listens");
    }

    /// The next line that it says.
    ///
    /// # Panics
    /// It says nothing.
    pub async fn hear(&mut self) -> String {
        let line = timeout(PATIENCE, self.says.next_line()).await.expect("a line in time");
        line.expect("text").expect("a line and not the end")
    }

    /// Tells the script something and hears what it says to that.
    pub async fn ask(&mut self, line: &str) -> String {
        self.tell(line).await;
        self.hear().await
    }

    /// Waits for the end of the process.
    ///
    /// # Panics
    /// It does not end in time.
    pub async fn ended(&mut self) {
        timeout(PATIENCE, self.process.wait()).await.expect("the script ends in time").expect("a status");
    }

    /// The process id.
    ///
    /// # Panics
    /// It has ended.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.process.id().expect("the script runs")
    }
}

/// The folder of the modules that are generated from `proto/`, once for each process of tests.
fn stubs() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = std::env::temp_dir().join(format!("arbiter-stubs-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let proto = Path::new(ROOT).join("proto");
        let files = std::fs::read_dir(proto.join("arbiter/v1")).expect("the API");
        let files = files.map(|file| file.expect("a file").path());
        let status = std::process::Command::new(Path::new(ROOT).join(PYTHON))
            .args(["-m", "grpc_tools.protoc", "-I"])
            .arg(&proto)
            .arg(format!("--python_out={}", folder.display()))
            .arg(format!("--grpc_python_out={}", folder.display()))
            .args(files.filter(|file| file.extension().is_some_and(|end| end == "proto")))
            .status();
        assert!(status.expect("Python starts").success(), "the stubs cannot be generated");
        folder
    })
}

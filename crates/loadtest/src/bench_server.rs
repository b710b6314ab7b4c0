//! A server in a process of its own, started for a measurement.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::cores::{Cores, within};
use crate::echo::LISTENING;
use crate::exit::Failure;

/// A running server; it ends with this.
pub(crate) struct BenchServer {
    process: Child,
    /// Where it listens.
    pub(crate) address: String,
}

impl BenchServer {
    /// Starts the service on a free port.
    ///
    /// # Errors
    /// It does not come up.
    pub(crate) fn service(binary: &Path, cores: Option<&Cores>) -> Result<Self, Failure> {
        let mut command = Command::new(binary);
        command.args(["--listen", "127.0.0.1:0", "--admin-listen", "off"]);
        // What is set for the generator's own surroundings is not meant for this server.
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("ARBITER_") {
                command.env_remove(name);
            }
        }
        Self::start(command, cores).map_err(|wrong| format!("{}: {wrong}", binary.display()))
    }

    /// Starts the echo on a free port.
    ///
    /// # Errors
    /// It does not come up.
    pub(crate) fn echo(cores: Option<&Cores>) -> Result<Self, Failure> {
        let this = std::env::current_exe().map_err(|error| format!("the path of this program: {error}"))?;
        let mut command = Command::new(this);
        command.arg(ECHO_COMMAND);
        Self::start(command, cores).map_err(|wrong| format!("the echo: {wrong}"))
    }

    /// Its process.
    pub(crate) fn pid(&self) -> u32 {
        self.process.id()
    }

    fn start(mut command: Command, cores: Option<&Cores>) -> Result<Self, Failure> {
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut process = within(cores, || command.spawn().map_err(|error| error.to_string()))?;
        let log = process.stderr.take().ok_or("no standard error")?;
        let mut server = Self { process, address: String::new() };
        let mut lines = BufReader::new(log).lines();
        let mut last = String::new();
        for line in lines.by_ref() {
            let line = line.map_err(|error| error.to_string())?;
            if let Some((_, address)) = line.split_once(LISTENING) {
                server.address = address.trim().to_owned();
                // Someone has to read what it says, or it will wait for a reader.
                std::thread::spawn(move || lines.for_each(drop));
                return Ok(server);
            }
            last = line;
        }
        Err(format!("it ended before it listened: {last}"))
    }
}

impl Drop for BenchServer {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The command of this program that starts the echo.
pub(crate) const ECHO_COMMAND: &str = "echo-server";

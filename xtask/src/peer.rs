//! A server in a process of its own: Arbiter, or one of those that it is compared with.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use crate::command::{Failure, cannot_start, command, root, run, target_directory, without_settings};
use crate::tools;

/// What each server says on standard error before its address.
const LISTENING: &str = "listening address=";

/// What the system counts processor time in, on every system that the service is built for.
const TICKS_PER_SECOND: f64 = 100.0;

/// A server to be started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Ours.
    Arbiter,
    /// grpcio with python-chess.
    Python,
    /// grpc-js with chess.js.
    Node,
}

impl Kind {
    /// Its name for people.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Arbiter => "Arbiter",
            Self::Python => "Python",
            Self::Node => "Node",
        }
    }

    /// How it is started. What it needs is installed first; ours has been built in this profile.
    fn command(self, profile: &str) -> Result<Command, Failure> {
        match self {
            Self::Arbiter => {
                let mut arbiter = command(target_directory().join(profile).join("arbiter"), &[]);
                arbiter.args(["--listen", "127.0.0.1:0", "--admin-listen", "off"]);
                Ok(arbiter)
            }
            Self::Python => python_script("server.py"),
            Self::Node => {
                let mut node = command("node", &["tests/peers/node/server.js", "proto"]);
                node.env("NODE_PATH", tools::peer_in_node()?);
                Ok(node)
            }
        }
    }
}

/// A script of the peer in Python, with the modules that are generated for it.
pub(crate) fn python_script(script: &str) -> Result<Command, Failure> {
    let python = tools::peer_in_python()?;
    let modules = root().join("target/peers/python");
    fs::create_dir_all(&modules)?;
    let proto = root().join("proto");
    let mut protoc = command(&python, &["-m", "grpc_tools.protoc", "-I"]);
    protoc.arg(&proto);
    for option in ["--python_out", "--grpc_python_out"] {
        protoc.arg(option).arg(&modules);
    }
    for entry in fs::read_dir(proto.join("arbiter/v1"))? {
        protoc.arg(entry?.path());
    }
    run(&mut protoc)?;
    let mut peer = command(&python, &[]);
    peer.arg(root().join("tests/peers/python").join(script)).env("PYTHONPATH", modules);
    Ok(peer)
}

/// A running server; it ends with this.
pub(crate) struct Peer {
    pub(crate) kind: Kind,
    /// Where it listens.
    pub(crate) address: String,
    process: Child,
}

impl Peer {
    /// Starts a server, on one core if one is meant.
    pub(crate) fn start(kind: Kind, profile: &str, core: Option<&str>) -> Result<Self, Failure> {
        let mut command = on_core(core, kind.command(profile)?);
        without_settings(&mut command);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut process = command.spawn().map_err(|error| cannot_start(&command, &error))?;
        let log = process.stderr.take();
        let mut peer = Self { kind, address: String::new(), process };
        let mut lines = BufReader::new(log.ok_or_else(|| Failure("no standard error".to_owned()))?).lines();
        let mut last = String::new();
        for line in lines.by_ref() {
            last = line?;
            if let Some((_, address)) = last.split_once(LISTENING) {
                address.trim().clone_into(&mut peer.address);
                // Someone has to read what it says, or it will wait for a reader.
                std::thread::spawn(move || lines.for_each(drop));
                return Ok(peer);
            }
        }
        Err(Failure(format!("{} ended before it listened: {last}", kind.name())))
    }

    /// The processor time that it has used so far, in seconds: `utime` and `stime` of `/proc/PID/stat`.
    pub(crate) fn cpu_s(&self) -> Result<f64, Failure> {
        let path = format!("/proc/{}/stat", self.process.id());
        let text = fs::read_to_string(&path)?;
        ticks(&text)
            .map(|ticks| f64::from(ticks) / TICKS_PER_SECOND)
            .ok_or_else(|| Failure(format!("{path} has no processor time: {text}")))
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Fields 14 and 15; the second one is a name in brackets that may have blanks.
fn ticks(stat: &str) -> Option<u32> {
    let (_, fields) = stat.rsplit_once(") ")?;
    let mut fields = fields.split_whitespace().skip(11).map(str::parse::<u32>);
    fields.next()?.ok()?.checked_add(fields.next()?.ok()?)
}

/// The same command, run on one core.
pub(crate) fn on_core(core: Option<&str>, inner: Command) -> Command {
    let Some(core) = core else { return inner };
    let mut outer = command("taskset", &["--cpu-list", core]);
    outer.arg(inner.get_program()).args(inner.get_args());
    let changed = inner.get_envs().filter_map(|(name, value)| Some((name, value?)));
    outer.envs(changed);
    outer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_time_is_read_behind_a_name_with_blanks() {
        let stat = "7 (a) b) S 1 7 7 0 -1 4194560 100 0 0 0 12 30 0 0 20 0 1 0 5 6 7";
        assert_eq!(ticks(stat), Some(42));
        assert_eq!(ticks("7 (a) S 1"), None);
    }
}

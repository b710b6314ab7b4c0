//! The engine that builds and runs: the one that answers, or one of our own.

use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use crate::command::{Failure, cannot_start, command, root, run, succeeds};
use crate::tools;

/// Where an engine of ours keeps its images, containers and what it says; removed by whoever needs the room.
const HOME: &str = "target/docker";

/// An engine of ours is given this long to answer, and to end, in steps of 100 ms.
const STEPS: usize = 300;
const STEP: Duration = Duration::from_millis(100);

/// An engine, and how it is talked to.
pub(crate) struct Engine {
    environment: Vec<(&'static str, OsString)>,
    own: Option<Child>,
}

impl Engine {
    /// The engine that answers to `docker`. Where none does and there is root, one is started, which ends with
    /// the value: it touches no rule of the firewall, and makes no network but those it is asked for.
    pub(crate) fn find() -> Result<Self, Failure> {
        let mut running = Self { environment: vec![("DOCKER_BUILDKIT", "1".into())], own: None };
        if succeeds(&mut running.docker(&["info"])) {
            println!("    the engine that answers to `docker info`");
            running.need_buildkit()?;
            return Ok(running);
        }
        Self::start().map_err(|Failure(cause)| {
            Failure(format!(
                "no engine answers to `docker info`, and none can be started here: {cause}. \
                 Start Docker, or set DOCKER_HOST to one, and try again"
            ))
        })
    }

    /// The client needs a part of its own to use the engine's `BuildKit`; Debian's client has it.
    fn need_buildkit(&mut self) -> Result<(), Failure> {
        if succeeds(&mut self.docker(&["build", "--help"])) {
            return Ok(());
        }
        let folders = tools::docker().map_err(|Failure(cause)| {
            Failure(format!("docker has no BuildKit ({cause}); install its part `buildx`"))
        })?;
        self.environment.push(("PATH", path_with(&folders)?));
        Ok(())
    }

    fn start() -> Result<Self, Failure> {
        if !is_root()? {
            return Err(Failure("that takes root".to_owned()));
        }
        let path = path_with(&tools::docker()?)?;
        let home = root().join(HOME);
        std::fs::create_dir_all(&home)?;
        let socket = format!("unix://{}", home.join("socket").display());
        let log = home.join("log.txt");
        let mut dockerd = command("dockerd", &["--bridge=none", "--iptables=false", "--ip6tables=false"]);
        dockerd.args(["--host", &socket]);
        for (flag, name) in [("--data-root", "data"), ("--exec-root", "exec"), ("--pidfile", "pid")] {
            dockerd.arg(flag).arg(home.join(name));
        }
        dockerd.env("PATH", &path).stdin(Stdio::null());
        dockerd.stdout(Stdio::null()).stderr(File::create(&log)?);
        let child = dockerd.spawn().map_err(|error| cannot_start(&dockerd, &error))?;
        let environment =
            vec![("DOCKER_BUILDKIT", "1".into()), ("DOCKER_HOST", socket.into()), ("PATH", path)];
        let mut engine = Self { environment, own: Some(child) };
        engine.wait_until_ready(&log)?;
        println!("    an engine of our own, in {HOME}");
        Ok(engine)
    }

    fn wait_until_ready(&mut self, log: &Path) -> Result<(), Failure> {
        for _ in 0..STEPS {
            if let Some(status) = self.own.as_mut().map(Child::try_wait).transpose()?.flatten() {
                let said = std::fs::read_to_string(log)?;
                let last = said.lines().last().unwrap_or_default();
                return Err(Failure(format!("dockerd ended with {status}: {last}")));
            }
            if succeeds(&mut self.docker(&["info"])) {
                return Ok(());
            }
            std::thread::sleep(STEP);
        }
        Err(Failure(format!("dockerd does not answer; {} has what it says", log.display())))
    }

    /// Whether it is our own, which can give a build no network but the machine's.
    pub(crate) fn is_own(&self) -> bool {
        self.own.is_some()
    }

    /// A command of docker's.
    pub(crate) fn docker(&self, arguments: &[&str]) -> Command {
        self.told(command("docker", arguments))
    }

    /// Lets a program find this engine.
    pub(crate) fn told(&self, mut command: Command) -> Command {
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Runs a command of docker's and takes what it prints, whatever its end.
    pub(crate) fn result(&self, arguments: &[&str]) -> Result<Output, Failure> {
        let mut docker = self.docker(arguments);
        docker.stdin(Stdio::null()).output().map_err(|error| cannot_start(&docker, &error))
    }

    /// Runs a command of docker's that must succeed, and takes what it prints.
    pub(crate) fn output(&self, arguments: &[&str]) -> Result<String, Failure> {
        let result = self.result(arguments)?;
        if !result.status.success() {
            let said = String::from_utf8_lossy(&result.stderr).trim().to_owned();
            return Err(Failure(format!(
                "docker {} ended with {}: {said}",
                arguments.join(" "),
                result.status
            )));
        }
        Ok(String::from_utf8_lossy(&result.stdout).trim().to_owned())
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let Some(mut own) = self.own.take() else { return };
        // By a signal, so that it stops what it has started. If it is gone already, that is as good.
        if run(&mut command("kill", &[&own.id().to_string()])).is_ok() {
            for _ in 0..STEPS {
                std::thread::sleep(STEP);
                if matches!(own.try_wait(), Ok(Some(_))) {
                    return;
                }
            }
        }
        let _ = own.kill();
        let _ = own.wait();
    }
}

fn is_root() -> Result<bool, Failure> {
    let mut id = command("id", &["--user"]);
    let output = id.output().map_err(|error| cannot_start(&id, &error))?;
    Ok(String::from_utf8_lossy(&output.stdout).trim() == "0")
}

/// The search path with the folders of Docker's programs before it.
fn path_with(folders: &[PathBuf]) -> Result<OsString, Failure> {
    let old = std::env::var_os("PATH").unwrap_or_default();
    let paths = folders.iter().cloned().chain(std::env::split_paths(&old));
    std::env::join_paths(paths).map_err(|error| Failure(error.to_string()))
}

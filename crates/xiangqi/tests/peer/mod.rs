//! Fairy-Stockfish, another move generator by other authors: a program of its own, spoken to over UCI. It is
//! under the GPL and is neither linked nor copied.

use std::env;
use std::io::{BufRead as _, BufReader, Lines, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const NAME: &str = "fairy-stockfish";

/// A running program.
pub(crate) struct Peer {
    process: Child,
    /// What it prints, line by line.
    pub(crate) lines: Lines<BufReader<ChildStdout>>,
}

/// Starts the program, ready for xiangqi, and gives its input apart, so that a thread can write there.
///
/// # Panics
/// It is not there: a comparison with nothing would prove nothing.
pub(crate) fn start() -> (Peer, ChildStdin) {
    let path = find().unwrap_or_else(|| {
        panic!(
            "{NAME} is neither on PATH nor in /usr/games nor in target/tools; `cargo xtask tools` installs it"
        )
    });
    let mut process = Command::new(&path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{} cannot be started: {error}", path.display()));
    let mut input = process.stdin.take().expect("an input");
    let lines = BufReader::new(process.stdout.take().expect("an output")).lines();
    writeln!(input, "uci\nsetoption name UCI_Variant value xiangqi\nisready").expect("the peer reads");
    let mut peer = Peer { process, lines };
    while peer.line() != "readyok" {}
    (peer, input)
}

/// Where the program is. Debian keeps it off the PATH of many users.
fn find() -> Option<PathBuf> {
    let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/tools");
    let path = env::var_os("PATH").unwrap_or_default();
    let folders =
        env::split_paths(&path).chain([PathBuf::from("/usr/games"), tools.join(NAME).join("usr/games")]);
    folders.map(|folder| folder.join(NAME)).find(|file| file.is_file())
}

impl Peer {
    /// The next line that it prints.
    ///
    /// # Panics
    /// There is none.
    pub(crate) fn line(&mut self) -> String {
        self.lines.next().expect("the peer goes on").expect("the peer prints text")
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // It may be gone already, which is as good.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

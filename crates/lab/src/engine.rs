//! A UCI engine as a child process.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use crate::cli::Failure;

/// How long an engine may take to say that it is ready.
const PATIENCE: Duration = Duration::from_secs(20);

/// A running engine.
#[derive(Debug)]
pub struct Engine {
    name: String,
    child: Child,
    input: ChildStdin,
    output: Receiver<String>,
}

/// An engine's answer to `go`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The move as the engine writes it.
    pub best_move: String,
    /// The last score it gave, in centipawns; mates are large.
    pub score: Option<i32>,
    /// The nodes it said last that it searched.
    pub nodes: Option<u64>,
    /// How long it took.
    pub elapsed: Duration,
}

impl Engine {
    /// Starts an engine and sets its options, each `name=value`.
    ///
    /// # Errors
    /// Why it does not start or does not answer.
    pub fn start(command: &str, options: &[String]) -> Result<Self, Failure> {
        let mut words = command.split_whitespace();
        let program = words.next().ok_or("an engine's command is empty")?;
        let mut child = Command::new(program)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("{program}: {error}"))?;
        let input = child.stdin.take().ok_or("the engine has no input")?;
        let stdout = child.stdout.take().ok_or("the engine has no output")?;
        let (sender, output) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let mut engine = Self { name: program.to_owned(), child, input, output };
        engine.send("uci")?;
        engine.wait_for("uciok")?;
        for option in options {
            let (name, value) =
                option.split_once('=').ok_or_else(|| format!("option {option}: expected name=value"))?;
            engine.send(&format!("setoption name {name} value {value}"))?;
        }
        engine.new_game()?;
        Ok(engine)
    }

    /// Tells the engine that another game begins.
    ///
    /// # Errors
    /// When it does not answer.
    pub fn new_game(&mut self) -> Result<(), Failure> {
        self.send("ucinewgame")?;
        self.send("isready")?;
        self.wait_for("readyok")
    }

    /// Asks for a move, and waits for it for at most so long.
    ///
    /// # Errors
    /// When it does not answer.
    pub fn go(&mut self, position: &str, go: &str, patience: Duration) -> Result<Answer, Failure> {
        self.send(position)?;
        let begin = Instant::now();
        self.send(go)?;
        let (mut score, mut nodes) = (None, None);
        loop {
            let left = patience.saturating_sub(begin.elapsed());
            let line = self.receive(left)?;
            if line.starts_with("info ") {
                score = score_of(&line).or(score);
                nodes = nodes_of(&line).or(nodes);
            } else if let Some(rest) = line.strip_prefix("bestmove") {
                let best_move = rest.split_whitespace().next().unwrap_or_default().to_owned();
                return Ok(Answer { best_move, score, nodes, elapsed: begin.elapsed() });
            }
        }
    }

    fn send(&mut self, line: &str) -> Result<(), Failure> {
        let sent = writeln!(self.input, "{line}").and_then(|()| self.input.flush());
        sent.map_err(|error| format!("{}: {line}: {error}", self.name))
    }

    fn receive(&mut self, patience: Duration) -> Result<String, Failure> {
        self.output.recv_timeout(patience).map_err(|error| match error {
            RecvTimeoutError::Timeout => format!("{}: no answer within {patience:?}", self.name),
            RecvTimeoutError::Disconnected => format!("{}: it has ended", self.name),
        })
    }

    fn wait_for(&mut self, word: &str) -> Result<(), Failure> {
        while self.receive(PATIENCE)?.trim() != word {}
        Ok(())
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // Whatever fails here, the process ends or has ended.
        let _ = self.send("quit");
        std::thread::sleep(Duration::from_millis(20));
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The nodes that an `info` line counts.
fn nodes_of(line: &str) -> Option<u64> {
    line.split_whitespace().skip_while(|&word| word != "nodes").nth(1)?.parse().ok()
}

/// The score of an `info` line that is no bound.
fn score_of(line: &str) -> Option<i32> {
    let mut words = line.split_whitespace().skip_while(|&word| word != "score").skip(1);
    let kind = words.next()?;
    let value: i32 = words.next()?.parse().ok()?;
    match kind {
        "cp" => Some(value),
        "mate" if value > 0 => Some(30_000 - value),
        "mate" => Some(-30_000 - value),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_read_from_info_lines() {
        assert_eq!(score_of("info depth 3 score cp -31 nodes 12 pv e2e4"), Some(-31));
        assert_eq!(score_of("info depth 3 score mate -2 nodes 12"), Some(-29_998));
        assert_eq!(score_of("info depth 3 currmove e2e4"), None);
    }

    #[test]
    fn nodes_are_read_from_info_lines() {
        assert_eq!(nodes_of("info depth 3 score cp -31 nodes 12 pv e2e4"), Some(12));
        assert_eq!(nodes_of("info string nodes"), None);
    }
}

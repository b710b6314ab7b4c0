//! The service in a container that may do as little as possible.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::engine::Engine;
use crate::command::{Failure, cannot_start, command};

/// The network, which has no way out where the engine is our own.
const NETWORK: &str = "arbiter-image";

/// What the container may not do, and how much memory it has. `--cpus` is left to the engine.
const CONFINED: [&str; 9] = [
    "--read-only",
    "--cap-drop",
    "ALL",
    "--security-opt",
    "no-new-privileges",
    "--memory",
    "128m",
    "--memory-swap",
    "128m",
];

/// It runs in the background, with a free port of this machine.
const BACKGROUND: [&str; 3] = ["--detach", "--publish", "127.0.0.1::50051"];

/// The service is given this long to answer, in steps of 100 ms.
const STEPS: usize = 100;

/// Longer than the service may take, so that it is never killed.
const STOP_SECONDS: &str = "30";

/// A container of the service.
pub(crate) struct Container<'a> {
    engine: &'a Engine,
    grpcurl: &'a Path,
    id: String,
    address: String,
}

impl<'a> Container<'a> {
    pub(crate) fn start(engine: &'a Engine, image: &str, grpcurl: &'a Path) -> Result<Self, Failure> {
        // One of an earlier run that was cut off may be left.
        engine.result(&["network", "rm", NETWORK])?;
        engine.output(&["network", "create", NETWORK])?;
        let id =
            engine.output(&[&["run", "--network", NETWORK][..], &BACKGROUND, &CONFINED, &[image]].concat());
        let mut container = Self { engine, grpcurl, id: id?, address: String::new() };
        container.address = engine.output(&["port", &container.id, "50051/tcp"])?;
        println!("    {image} runs with {}", CONFINED.join(" "));
        Ok(container)
    }

    /// Its processes belong to no account with rights. The engine tells, not the image.
    pub(crate) fn is_nobody(&self) -> Result<(), Failure> {
        let table = self.engine.output(&["top", &self.id, "-eo", "uid,pid,args"])?;
        let users: Vec<_> = table.lines().skip(1).filter_map(|row| row.split_whitespace().next()).collect();
        println!("    its processes belong to {users:?}");
        match users[..] {
            [] => Err(Failure(format!("there is no process in the container: {}", self.log()))),
            _ if users.contains(&"0") => Err(Failure(format!("a process belongs to root:\n{table}"))),
            _ => Ok(()),
        }
    }

    pub(crate) fn is_healthy(&self) -> Result<(), Failure> {
        let question = r#"{"service": "arbiter.v1.ArbiterService"}"#;
        let mut said = String::new();
        for _ in 0..STEPS {
            said = self.ask(question, "grpc.health.v1.Health/Check")?;
            if said.contains(r#""status": "SERVING""#) {
                println!("    health: SERVING");
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        Err(Failure(format!("the service does not become healthy: {said}{}", self.log())))
    }

    pub(crate) fn validates_moves(&self) -> Result<(), Failure> {
        let question = r#"{"game": {"moves": ["e4", "e5"]}, "move": "Nf3"}"#;
        let said = self.ask(question, "arbiter.v1.ArbiterService/ValidateMove")?;
        let fen = r#""fen": "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2""#;
        if !said.contains(r#""legal": true"#) || !said.contains(fen) {
            return Err(Failure(format!("ValidateMove answers {said}; expected a legal move and {fen}")));
        }
        println!("    ValidateMove: Nf3 is legal");
        Ok(())
    }

    /// `docker stop` while a search goes on: it answers with its best, and the service ends well, in time.
    pub(crate) fn stops_within(&self, limit: Duration) -> Result<(), Failure> {
        let mut search = self.begin_search()?;
        let start = Instant::now();
        self.engine.output(&["stop", "--time", STOP_SECONDS, &self.id])?;
        let took = start.elapsed();
        let last = search.rest()?;
        let state = "{{.State.ExitCode}} {{.State.OOMKilled}}";
        let state = self.engine.output(&["inspect", "--format", state, &self.id])?;
        println!("    docker stop: {:.1} s; exit code and killed for memory: {state}", took.as_secs_f64());
        if state != "0 false" || took >= limit {
            return Err(Failure(format!("expected 0 and false within {limit:?}; {}", self.log())));
        }
        if !last.contains(r#""stopReason": "STOP_REASON_SHUTDOWN""#) {
            return Err(Failure(format!("the search was cut off; its last messages: {last}")));
        }
        println!("    the search that went on has answered with its best");
        Ok(())
    }

    /// Begins a search of a minute, and waits for its first message.
    fn begin_search(&self) -> Result<Search, Failure> {
        let mut command =
            self.grpcurl(r#"{"limits": {"move_time": "60s"}}"#, "arbiter.v1.ArbiterService/Search");
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        let child = command.spawn().map_err(|error| cannot_start(&command, &error))?;
        let mut search = Search(child);
        search.first()?;
        Ok(search)
    }

    /// Asks, and takes what is said, on either output.
    fn ask(&self, question: &str, method: &str) -> Result<String, Failure> {
        let mut command = self.grpcurl(question, method);
        let result = command.output().map_err(|error| cannot_start(&command, &error))?;
        Ok(String::from_utf8_lossy(&[result.stdout, result.stderr].concat()).into_owned())
    }

    fn grpcurl(&self, question: &str, method: &str) -> Command {
        let mut grpcurl = command(self.grpcurl, &["-plaintext", "-d", question, &self.address, method]);
        grpcurl.stdin(Stdio::null());
        grpcurl
    }

    fn log(&self) -> String {
        let result = self.engine.result(&["logs", &self.id]);
        let log = result.map(|result| [result.stdout, result.stderr].concat()).unwrap_or_default();
        format!("its log:\n{}", String::from_utf8_lossy(&log))
    }
}

impl Drop for Container<'_> {
    fn drop(&mut self) {
        // If they are gone already, that is as good.
        let _ = self.engine.result(&["rm", "--force", &self.id]);
        let _ = self.engine.result(&["network", "rm", NETWORK]);
    }
}

/// A search that a client follows.
struct Search(Child);

impl Search {
    fn first(&mut self) -> Result<(), Failure> {
        let output = self.0.stdout.as_mut().ok_or_else(|| Failure("no output".to_owned()))?;
        // Byte by byte, so that nothing of the rest is taken away.
        let mut line = String::new();
        BufReader::with_capacity(1, output).read_line(&mut line)?;
        if line.is_empty() { Err(Failure("the search ended before it began".to_owned())) } else { Ok(()) }
    }

    /// All that comes until its end.
    fn rest(&mut self) -> Result<String, Failure> {
        let mut text = String::new();
        if let Some(output) = self.0.stdout.as_mut() {
            output.read_to_string(&mut text)?;
        }
        Ok(text)
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

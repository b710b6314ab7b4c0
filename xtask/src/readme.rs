//! Runs the README's examples against the server, and follows its links.

use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Stdio};
use std::time::Duration;

use crate::command::{Failure, cannot_start, cargo, command, root, run, target_directory, without_settings};
use crate::example::{Example, examples};
use crate::links;
use crate::tools::{self, Python};

/// The command by which the README starts the server.
const START: &str = "cargo run --release";

/// Where the server listens on its defaults, as the README writes it. The examples run against a free
/// port instead, since a reader may have the server of the README running.
const ADDRESS: &str = "127.0.0.1:50051";

/// The server is given this long to accept connections, in steps of 20 ms.
const START_STEPS: usize = 250;

/// Runs every example in order and shows each one that prints something else than the README says.
pub(crate) fn check() -> Result<(), Failure> {
    links::check()?;
    let readme = std::fs::read_to_string(root().join("README.md"))?;
    let examples = examples(&readme);
    if !examples.iter().any(|example| example.command == START) {
        return Err(Failure(format!("README.md has no example that starts the server by `{START}`")));
    }
    let python = tools::python()?;
    let address = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?;
    let mut server = None;
    let mut wrong = 0;
    for example in &examples {
        if example.command == START {
            server = Some(Server::start(address)?);
        } else if let Err(difference) = try_example(example, address, &python)? {
            println!("{difference}");
            wrong += 1;
        }
    }
    drop(server);
    println!("    {} examples, {wrong} wrong", examples.len());
    if wrong == 0 {
        Ok(())
    } else {
        Err(Failure(format!("{wrong} examples of README.md print something else")))
    }
}

/// Runs an example. What it prints on either of its outputs counts: a reader sees both.
fn try_example(
    example: &Example,
    address: SocketAddr,
    python: &Python,
) -> Result<Result<(), String>, Failure> {
    let script = format!("exec 2>&1\n{}", example.command.replace(ADDRESS, &address.to_string()));
    let mut bash = command("bash", &["-c", &script]);
    python.provide(&mut bash)?.env("ARBITER_LISTEN", address.to_string());
    let result = bash.stdin(Stdio::null()).output().map_err(|error| cannot_start(&bash, &error))?;
    let printed = String::from_utf8_lossy(&result.stdout);
    // An example of an error says what is printed; a silent one has nothing to show but its success.
    let is_silent_failure = example.output.is_empty() && !result.status.success();
    if example.prints(&printed) && !is_silent_failure {
        return Ok(Ok(()));
    }
    let Example { line, command, output } = example;
    let (expected, status) = (output.join("\n"), result.status);
    Ok(Err(format!(
        "README.md:{line}: $ {command}\n--- the README says\n{expected}\n--- it printed ({status})\n{printed}---"
    )))
}

/// The server, on its defaults but for the port; it is stopped at the end.
struct Server(Child);

impl Server {
    /// Starts the binary that `cargo build` makes, since the tests have built it already: what the README
    /// promises does not depend on the profile.
    fn start(address: SocketAddr) -> Result<Self, Failure> {
        run(&mut cargo(&["build", "--package", "server"]))?;
        let mut command = command(target_directory().join("debug/arbiter"), &[]);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        without_settings(&mut command).args(["--listen", &address.to_string(), "--admin-listen", "off"]);
        let child = command.spawn().map_err(|error| cannot_start(&command, &error))?;
        let mut server = Self(child);
        server.wait_until_ready(address)?;
        Ok(server)
    }

    fn wait_until_ready(&mut self, address: SocketAddr) -> Result<(), Failure> {
        for _ in 0..START_STEPS {
            if let Some(status) = self.0.try_wait()? {
                return Err(Failure(format!("the server ended with {status} before it was ready")));
            }
            if TcpStream::connect(address).is_ok() {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Err(Failure(format!("the server does not accept connections at {address}")))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may be gone already, which is as good.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

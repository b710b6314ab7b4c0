//! What telemetry costs: the processor time of a `ValidateMove` with spans and metrics sent to a collector, one
//! call of a hundred sampled, beside the same server without a collector. Both run at once and are asked in turn,
//! so that whatever else the machine does slows both down.
//!
//! `cargo xtask telemetry-cost` builds everything in release.

#![allow(clippy::print_stdout, reason = "a command line tool talks to its user")]

use grpc_tests::games::{ask, moves};
use grpc_tests::sink::Sink;
use grpc_tests::{Client, Server};
use tokio::task::JoinSet;

/// Beside one round that warms up.
const ROUNDS: usize = 12;
const CONNECTIONS: usize = 2;
const IN_FLIGHT: usize = 4;
const CALLS_OF_EACH: usize = 2_500;

/// The calls of one round.
const CALLS: usize = CONNECTIONS * IN_FLIGHT * CALLS_OF_EACH;

/// A server with its clients.
struct Side {
    server: Server,
    clients: Vec<Client>,
    /// The processor time of a call in each round, in microseconds.
    costs: Vec<f64>,
}

impl Side {
    async fn start(flags: &[&str]) -> Side {
        let server = Server::start_with(flags).await;
        let mut clients = Vec::new();
        for _ in 0..CONNECTIONS {
            clients.push(server.client().await);
        }
        Side { server, clients, costs: Vec::new() }
    }

    async fn round(&mut self) {
        let before = self.server.cpu_ticks();
        let mut callers = JoinSet::new();
        for client in self.clients.iter().cycle().take(CONNECTIONS * IN_FLIGHT) {
            callers.spawn(call(client.clone()));
        }
        callers.join_all().await;
        // A tick is 10 ms.
        let ticks = u32::try_from(self.server.cpu_ticks() - before).expect("a short round");
        self.costs.push(f64::from(ticks) * 10_000.0 / CALLS as f64);
    }

    /// The cost of a call, the rounds taken together, but the first.
    fn cost(&self) -> f64 {
        self.costs[1..].iter().sum::<f64>() / ROUNDS as f64
    }
}

/// Asks the same easy question time and again: the dearer the question, the less telemetry would show.
async fn call(mut client: Client) {
    for _ in 0..CALLS_OF_EACH {
        let answer = client.validate_move(ask(moves("e2e4 e7e5"), "g1f3")).await;
        assert!(answer.expect("an answer").into_inner().legal);
    }
}

#[tokio::main]
async fn main() {
    let sink = Sink::start().await;
    let endpoint = sink.endpoint();
    let mut with = Side::start(&["--otlp-endpoint", &endpoint, "--trace-sample-ratio", "0.01"]).await;
    let mut without = Side::start(&[]).await;
    println!(
        "{CALLS} calls a round, {IN_FLIGHT} in flight on each of {CONNECTIONS} connections; µs of CPU a call"
    );
    println!("{:>8}{:>12}{:>12}{:>8}", "round", "with", "without", "ratio");
    for round in 0..=ROUNDS {
        // Each is first in every other round.
        if round % 2 == 0 {
            with.round().await;
            without.round().await;
        } else {
            without.round().await;
            with.round().await;
        }
        let (with, without) = (with.costs[round], without.costs[round]);
        let name = if round == 0 { "warm-up".to_owned() } else { round.to_string() };
        println!("{name:>8}{with:>12.2}{without:>12.2}{:>8.3}", with / without);
    }
    let (with, without) = (with.cost(), without.cost());
    println!("{:>8}{with:>12.2}{without:>12.2}{:>8.3}", "all", with / without);
    println!("{} spans have come to the collector", sink.spans().len());
}

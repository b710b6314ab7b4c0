//! A soak: hours of traffic in minutes. All calls of the API about both games, at 80 % of what the server can
//! take, beside callers that cancel, hang up and do not read. The memory must stay where it is, and no file
//! descriptor may be left over.
//!
//! `cargo xtask soak` builds everything in release and runs for ten minutes; with
//! `cargo run --release --package grpc-tests --example soak 1` it is one. It ends with status 1 if something
//! grows, and panics if an answer is wrong.

#![allow(clippy::print_stdout, reason = "a command line tool talks to its user")]

use std::process::{ExitCode, Stdio};
use std::time::{Duration, Instant};

use grpc_tests::games::{item, moves};
use grpc_tests::searches::with_nodes;
use grpc_tests::{Client, Server, binary};
use serde_json::Value;
use tokio::process::Command;
use tokio::task::JoinSet;
use tokio::time::sleep;

/// The calls of the traffic, by weight. A search costs as much as thousands of the others.
const MIX: &str =
    "ValidateMove=880,ValidateMoves=5,LegalMoves=50,GameStatus=40,ReplayGame=10,GetServerInfo=10,Search=5";

/// The share of the highest rate that is kept up.
const LOAD: f64 = 0.8;

/// How far the memory may have grown at the end, from what it was after a fifth of the time.
const GROWTH: f64 = 1.05;

/// The callers that hang up.
const RUDE: usize = 4;

#[tokio::main]
async fn main() -> ExitCode {
    let minutes = std::env::args().nth(1).map_or(Ok(10), |minutes| minutes.parse());
    let Ok(minutes @ 1..=1440) = minutes else {
        println!("expected a number of minutes, from 1 to 1440");
        return ExitCode::from(2);
    };
    let server = Server::start_with(&["--search-slots", "2"]).await;
    let before = Counts::of(&server);
    let most = rate(&load(&server, &["--in-flight", "64", "--duration", "10s"]).await);
    println!("at most {most:.0} calls a second of {MIX}; {:.0} are kept up", LOAD * most);

    let duration = Duration::from_secs(60 * minutes);
    let mut rude = JoinSet::new();
    for _ in 0..RUDE {
        rude.spawn(be_rude(server.endpoint(), Instant::now() + duration));
    }
    let (rate, duration_text) = (format!("{:.0}", LOAD * most), format!("{}s", duration.as_secs()));
    let options = ["--rate", &rate, "--arrival", "poisson", "--duration", &duration_text];
    let (report, samples) = tokio::join!(load(&server, &options), watch(&server, duration));
    let hung_up: usize = rude.join_all().await.iter().sum();
    println!("{} calls answered, {hung_up} given up", report["total"]["right"]);
    println!("not answered: {}", report["total"]["errors_by_reason"]);

    let is_flat = judge(&samples);
    // Connections that nobody uses any more, and threads for blocking work, are given up after a while.
    sleep(Duration::from_secs(15)).await;
    let after = Counts::of(&server);
    println!("before: {before}\nafter:  {after}");
    let is_clean = after.descriptors <= before.descriptors;
    println!("memory {}, descriptors {}", verdict(is_flat), verdict(is_clean));
    if is_flat && is_clean { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn verdict(is_good: bool) -> &'static str {
    if is_good { "flat" } else { "GROWN" }
}

/// What a process holds.
struct Counts {
    resident_kib: u64,
    threads: u64,
    descriptors: usize,
}

impl Counts {
    fn of(server: &Server) -> Counts {
        let descriptors = std::fs::read_dir(format!("/proc/{}/fd", server.pid())).expect("descriptors");
        Counts {
            resident_kib: server.resident_kib(),
            threads: server.threads(),
            descriptors: descriptors.count(),
        }
    }
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Counts { resident_kib, threads, descriptors } = self;
        write!(f, "{resident_kib:>8} KiB {threads:>4} threads {descriptors:>5} descriptors")
    }
}

/// Prints what the server holds, twenty times in the whole.
async fn watch(server: &Server, duration: Duration) -> Vec<Counts> {
    let mut samples = Vec::new();
    for part in 1..=20 {
        sleep(duration / 20).await;
        let counts = Counts::of(server);
        println!("{:>6} s {counts}", (duration * part / 20).as_secs());
        samples.push(counts);
    }
    samples
}

/// Whether the memory of the last fifth is that of the second one.
fn judge(samples: &[Counts]) -> bool {
    let mean = |part: &[Counts]| {
        part.iter().map(|counts| counts.resident_kib as f64).sum::<f64>() / part.len() as f64
    };
    let fifth = samples.len() / 5;
    let (early, late) = (mean(&samples[fifth..2 * fifth]), mean(&samples[samples.len() - fifth..]));
    println!(
        "mean memory of the second fifth {early:.0} KiB, of the last {late:.0} KiB: {:.3}",
        late / early
    );
    late <= GROWTH * early
}

/// The report of the load generator.
async fn load(server: &Server, options: &[&str]) -> Value {
    let output = Command::new(binary::load())
        .args(["run", "--target", &server.address().to_string(), "--mix", MIX, "--history", "20"])
        .args(["--items", "50", "--nodes", "500", "--json", "-"])
        .args(options)
        .stderr(Stdio::inherit())
        .output()
        .await
        .expect("the load generator runs");
    assert!(output.status.success(), "the load generator ended with {}", output.status);
    serde_json::from_slice(&output.stdout).expect("a report")
}

fn rate(report: &Value) -> f64 {
    report["total"]["rate"].as_f64().expect("a rate")
}

/// Begins calls on one connection after the other, and ends none of them.
async fn be_rude(endpoint: tonic::transport::Endpoint, until: Instant) -> usize {
    let mut given_up = 0;
    while Instant::now() < until {
        let channel = endpoint.connect().await.expect("a connection");
        for _ in 0..20 {
            given_up += give_up(Client::new(channel.clone())).await;
        }
    }
    given_up
}

/// Calls that are dropped while they are worked on, or whose answers are not read.
async fn give_up(mut client: Client) -> usize {
    let soon = Duration::from_millis(10);
    // Given up before its first message, or after it.
    let mut search = client.clone();
    let search = async move {
        search.search(with_nodes(moves("e2e4"), 1_000_000_000)).await?.into_inner().message().await
    };
    let _ = tokio::time::timeout(soon, search).await;
    let questions = tokio_stream::iter(vec![item(moves("e2e4 e7e5"), "g1f3"); 1_000]);
    let unread = client.validate_moves(questions).await;
    sleep(soon).await;
    drop(unread);
    2
}

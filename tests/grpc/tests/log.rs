//! A standard error at whose other end something is wrong.

use std::fs::File;
use std::process::Stdio;

use grpc_tests::Client;
use grpc_tests::games::ask;
use grpc_tests::server::{PATIENCE, command};
use proto::v1::Game;
use tokio::io::{AsyncBufReadExt as _, BufReader, Lines};
use tokio::net::TcpListener;
use tokio::process::{Child, ChildStderr, Command};
use tokio::time::timeout;
use tonic::transport::Endpoint;

/// Starts a server; returns it, the rest of its log, and where it listens.
async fn start(flags: &[&str]) -> (Child, Lines<BufReader<ChildStderr>>, String) {
    let mut server = command(flags).kill_on_drop(true).spawn().expect("the binary starts");
    let mut lines = BufReader::new(server.stderr.take().expect("standard error")).lines();
    let address = async {
        loop {
            let line = lines.next_line().await.expect("a log").expect("a line that names the address");
            if let Some((_, address)) = line.split_once("listening address=") {
                return address.to_owned();
            }
        }
    };
    let address = timeout(PATIENCE, address).await.expect("the server listens in time");
    (server, lines, address)
}

async fn assert_ends_well(mut server: Child) {
    let kill = format!("kill {}", server.id().expect("it runs"));
    assert!(Command::new("sh").args(["-c", &kill]).status().await.expect("a shell runs").success());
    let status = timeout(PATIENCE, server.wait()).await.expect("it ends in time").expect("a status");
    assert_eq!(status.code(), Some(0), "{status:?}");
}

/// Asks once; as long as nobody listens, again.
async fn assert_answers(address: &str) {
    let endpoint = Endpoint::from_shared(format!("http://{address}")).expect("an address");
    let channel = async {
        loop {
            if let Ok(channel) = endpoint.connect().await {
                return channel;
            }
        }
    };
    let channel = timeout(PATIENCE, channel).await.expect("the server listens");
    let answer = timeout(PATIENCE, Client::new(channel).validate_move(ask(Game::default(), "e4"))).await;
    assert!(answer.expect("an answer in time").expect("an answer").into_inner().legal);
}

const FLAGS: [&str; 4] = ["--lame-duck", "0s", "--log-filter", "trace"];

#[tokio::test]
async fn a_reader_that_is_gone_changes_nothing() {
    let (server, lines, address) = start(&FLAGS).await;
    drop(lines);
    assert_answers(&address).await;
    assert_ends_well(server).await;
}

#[tokio::test]
async fn a_reader_that_does_not_read_changes_nothing() {
    let (server, lines, address) = start(&FLAGS).await;
    // Each call makes some KiB of lines, and a pipe holds 64.
    for _ in 0..100 {
        assert_answers(&address).await;
    }
    assert_ends_well(server).await;
    drop(lines);
}

#[tokio::test]
async fn a_full_disk_changes_nothing() {
    let free = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = free.local_addr().unwrap().to_string();
    drop(free);
    let full = File::options().write(true).open("/dev/full").unwrap();
    let flags = [&FLAGS[..], &["--listen", &address]].concat();
    let server = command(&flags).stderr(Stdio::from(full)).kill_on_drop(true).spawn().unwrap();
    assert_answers(&address).await;
    assert_ends_well(server).await;
}

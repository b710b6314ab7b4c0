//! The log: what is in it, and what happens when something is wrong at its other end.

use std::fs::File;
use std::process::Stdio;

use grpc_tests::games::ask;
use grpc_tests::server::{PATIENCE, command};
use grpc_tests::{Client, raw};
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

/// Starts a server with the log in JSON; returns it, the rest of its log, and where it listens.
async fn start_json(flags: &[&str]) -> (Child, Lines<BufReader<ChildStderr>>, String) {
    let flags = [&["--log-format", "json", "--lame-duck", "0s"], flags].concat();
    let mut server = command(&flags).kill_on_drop(true).spawn().expect("the binary starts");
    let mut lines = BufReader::new(server.stderr.take().expect("standard error")).lines();
    let address = async {
        loop {
            let line = next_json(&mut lines).await.expect("a line that names the address");
            if line["message"] == "listening" {
                return line["address"].as_str().expect("an address").to_owned();
            }
        }
    };
    let address = timeout(PATIENCE, address).await.expect("the server listens in time");
    (server, lines, address)
}

async fn next_json(lines: &mut Lines<BufReader<ChildStderr>>) -> Option<serde_json::Value> {
    let line = lines.next_line().await.expect("a log")?;
    Some(serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}")))
}

#[tokio::test]
async fn every_line_of_a_json_log_is_an_object_and_names_its_trace() {
    let (server, mut lines, address) = start_json(&["--access-log-ratio", "1"]).await;
    let endpoint = Endpoint::from_shared(format!("http://{address}")).unwrap();
    let mut client = Client::new(endpoint.connect().await.unwrap());
    let mut request = tonic::Request::new(ask(Game::default(), "e4"));
    let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00".parse().unwrap();
    request.metadata_mut().insert("traceparent", parent);
    client.validate_move(request).await.unwrap();
    assert_ends_well(server).await;
    let mut ended = Vec::new();
    while let Some(line) = next_json(&mut lines).await {
        if line["message"] == "a call ended" {
            ended.push(line);
        }
    }
    let [call] = ended.as_slice() else { panic!("not one call: {ended:?}") };
    assert_eq!(call["method"], "arbiter.v1.ArbiterService/ValidateMove");
    assert_eq!((&call["code"], &call["target"]), (&"OK".into(), &"access".into()));
    assert!(call["seconds"].as_f64().is_some_and(|seconds| seconds > 0.0), "{call}");
    assert_eq!(call["trace_id"], "0af7651916cd43dd8448eb211c80319c");
}

#[tokio::test]
async fn failures_of_the_server_are_logged_but_not_each() {
    let (server, mut lines, address) = start_json(&[]).await;
    let endpoint = Endpoint::from_shared(format!("http://{address}")).unwrap();
    let channel = endpoint.connect().await.unwrap();
    for _ in 0..100 {
        let failed = raw::call(channel.clone(), "/made.up.Service/Call", Vec::new()).await;
        failed.expect_err("no such call");
        Client::new(channel.clone()).validate_move(ask(Game::default(), "e4")).await.unwrap();
    }
    assert_ends_well(server).await;
    let mut calls = Vec::new();
    while let Some(line) = next_json(&mut lines).await {
        if line["target"] == "access" {
            calls.push(line);
        }
    }
    // One in 10 s; a machine that is very slow may get to the second.
    assert!((1..=3).contains(&calls.len()), "{calls:?}");
    assert!(calls.iter().all(|call| call["code"] == "UNIMPLEMENTED" && call["level"] == "WARN"), "{calls:?}");
}

#[tokio::test]
async fn an_error_at_the_start_is_an_object_too() {
    let taken = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let output = command(&["--log-format", "json", "--listen", &address]).output().await.unwrap();
    assert_eq!(output.status.code(), Some(1));
    let error: serde_json::Value = serde_json::from_slice(&output.stderr).expect("one object");
    assert_eq!(error["level"], "ERROR");
    assert!(error["message"].as_str().is_some_and(|message| message.contains(&address)), "{error}");
}

//! Connections that hold what they can, and what that does to others.

use std::time::Duration;

use grpc_tests::frames::{DATA, HEADERS, Wire, call, cancel, data, message};
use grpc_tests::games::{ask, item};
use grpc_tests::raw::path_of;
use grpc_tests::server::PATIENCE;
use grpc_tests::{Client, Server};
use proto::v1::Game;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout};

#[tokio::test]
async fn an_announced_length_takes_no_memory() {
    let server = Server::start().await;
    let paths = [path_of("ReplayGame"), path_of("ValidateMoves"), "/grpc.health.v1.Health/Check".to_owned()];
    let mut wires = Vec::new();
    server.wait_until_idle().await;
    let before = server.resident_kib();
    for path in paths {
        let mut wire = Wire::to(&server).await;
        // One byte of a message of a MiB, on as many streams as there may be.
        let begun = (0..100).flat_map(|index| {
            let stream = 2 * index + 1;
            [call(stream, &path), data(stream, b"\0\0\x10\0\0x")]
        });
        wire.send(begun).await;
        wire.ping().await;
        wires.push(wire);
    }
    server.wait_until_idle().await;
    let grown = server.resident_kib().saturating_sub(before);
    eprintln!("300 begun messages hold {grown} KiB");
    assert!(grown < 20 * 1024, "300 messages of which one byte is there hold {grown} KiB");
}

#[tokio::test]
async fn cancelling_many_calls_at_once_ends_no_other() {
    let server = Server::start().await;
    let mut wire = Wire::to(&server).await;
    let question = message(&item(Game::default(), "e4"));
    wire.send([call(1, &path_of("ValidateMoves")), data(1, &question)]).await;
    wire.next(HEADERS, 1).await;
    wire.next(DATA, 1).await;
    for round in 0..10 {
        // The server reads these before it can begin to answer any.
        let batch = (0..100).flat_map(|index| {
            let stream = 3 + 2 * (100 * round + index);
            [call(stream, &path_of("ValidateMove")), cancel(stream)]
        });
        wire.send(batch).await;
        wire.ping().await;
    }
    wire.send([data(1, &question)]).await;
    wire.next(DATA, 1).await;
}

/// Whether the server hangs up without a word.
async fn is_closed(mut socket: TcpStream) -> bool {
    let mut answer = Vec::new();
    let read = timeout(PATIENCE, socket.read_to_end(&mut answer)).await.expect("an end in time");
    // Closed or reset: either way there was nothing.
    read.is_err() || answer.is_empty()
}

#[tokio::test]
async fn connections_beyond_the_limit_are_closed_and_make_one_line() {
    let mut server = Server::start_with(&["--max-connections", "2"]).await;
    let (first, second) = (server.channel().await, server.channel().await);
    for channel in [&first, &second] {
        assert!(Client::new(channel.clone()).validate_move(ask(Game::default(), "e4")).await.is_ok());
    }
    let began = Instant::now();
    for _ in 0..50 {
        assert!(is_closed(TcpStream::connect(server.address()).await.unwrap()).await);
    }
    assert!(Client::new(first).validate_move(ask(Game::default(), "e4")).await.is_ok());
    drop(second);
    let again = async {
        // There is no event for "the server has seen the end of a connection": ask until it has.
        loop {
            if let Ok(channel) = server.endpoint().connect().await
                && Client::new(channel).validate_move(ask(Game::default(), "e4")).await.is_ok()
            {
                return;
            }
        }
    };
    timeout(PATIENCE, again).await.expect("there is room again");
    // One line in ten seconds, however slow the machine is.
    let lines = server.stop().await.matches("a connection too many").count() as u64;
    assert!((1..=1 + began.elapsed().as_secs() / 10).contains(&lines), "{lines} lines");
}

#[tokio::test]
async fn half_a_greeting_and_an_end_are_let_go_at_once() {
    let server = Server::start().await;
    let began = Instant::now();
    for _ in 0..20 {
        let mut socket = TcpStream::connect(server.address()).await.unwrap();
        socket.write_all(b"PRI * HTT").await.unwrap();
        socket.shutdown().await.unwrap();
        assert!(is_closed(socket).await);
    }
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
}

#[tokio::test]
async fn a_greeting_may_come_byte_by_byte() {
    let server = Server::start().await;
    let mut socket = TcpStream::connect(server.address()).await.unwrap();
    socket.set_nodelay(true).unwrap();
    for byte in b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0" {
        socket.write_all(&[*byte]).await.unwrap();
        tokio::task::yield_now().await;
    }
    let mut head = [0; 9];
    timeout(PATIENCE, socket.read_exact(&mut head)).await.expect("an answer in time").unwrap();
    assert_eq!(head[3], 4, "the server's settings");
}

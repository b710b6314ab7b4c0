//! The admin port, asked in plain HTTP.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::server::PATIENCE;

/// What was answered.
#[derive(Debug)]
pub struct Answer {
    /// The status (200).
    pub status: u16,
    /// The headers, in lower case.
    pub head: String,
    /// The body.
    pub body: String,
}

/// Asks for a page.
///
/// # Panics
/// There is no answer.
pub async fn get(address: SocketAddr, path: &str) -> Answer {
    send(address, "GET", path, "").await
}

/// Sends a request.
///
/// # Panics
/// There is no answer.
pub async fn send(address: SocketAddr, method: &str, path: &str, body: &str) -> Answer {
    let length = body.len();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nhost: arbiter\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}"
    );
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    stream.write_all(request.as_bytes()).await.expect("the request is taken");
    let mut answer = String::new();
    let read = timeout(PATIENCE, stream.read_to_string(&mut answer)).await;
    read.expect("an answer in time").expect("an answer");
    let (head, body) = answer.split_once("\r\n\r\n").expect("headers and a body");
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    Answer { status, head: head.to_lowercase(), body: body.to_owned() }
}

//! HTTP/2, frame by frame, for what no client library would send (RFC 9113).

use prost::Message;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::Server;
use crate::server::PATIENCE;

/// Data of a stream.
pub const DATA: u8 = 0;
/// Headers of a stream.
pub const HEADERS: u8 = 1;
/// The end of a stream without an answer.
pub const RST_STREAM: u8 = 3;
/// A sign of life.
pub const PING: u8 = 6;
/// The end of a connection.
pub const GOAWAY: u8 = 7;

const SETTINGS: u8 = 4;
const WINDOW_UPDATE: u8 = 8;
const ACK: u8 = 1;
const END_STREAM: u8 = 1;
const END_HEADERS: u8 = 4;
const CANCEL: u32 = 8;

/// A frame that the server has sent.
#[derive(Debug)]
pub struct Frame {
    /// Its type.
    pub kind: u8,
    flags: u8,
    /// Its stream; 0 for the connection.
    pub stream: u32,
    /// What is in it.
    pub payload: Vec<u8>,
}

impl Frame {
    /// Whether it is the last of its stream.
    #[must_use]
    pub fn ends_stream(&self) -> bool {
        self.flags & END_STREAM != 0
    }
}

/// A connection on which anything can be sent.
pub struct Wire {
    socket: TcpStream,
}

impl Wire {
    /// Connects to a server and greets it.
    ///
    /// # Panics
    /// The server does not take the greeting.
    pub async fn to(server: &Server) -> Wire {
        let socket = TcpStream::connect(server.address()).await.expect("a connection");
        let mut wire = Wire { socket };
        let greeting = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
        wire.send([greeting, frame(SETTINGS, 0, 0, &[]), frame(SETTINGS, ACK, 0, &[])]).await;
        wire
    }

    /// Sends frames in one go.
    ///
    /// # Panics
    /// The server has hung up.
    pub async fn send(&mut self, frames: impl IntoIterator<Item = Vec<u8>>) {
        let bytes: Vec<_> = frames.into_iter().flatten().collect();
        timeout(PATIENCE, self.socket.write_all(&bytes))
            .await
            .expect("it is taken in")
            .expect("a connection");
    }

    /// The next frame of this type on this stream.
    ///
    /// # Panics
    /// The stream or the connection ends instead.
    pub async fn next(&mut self, kind: u8, stream: u32) -> Frame {
        let found = async {
            loop {
                let next = self.any().await;
                if (next.kind, next.stream) == (kind, stream) {
                    return next;
                }
                let is_end = next.kind == GOAWAY || (next.kind, next.stream) == (RST_STREAM, stream);
                assert!(!is_end, "{next:?}");
            }
        };
        timeout(PATIENCE, found).await.expect("a frame in time")
    }

    /// The next frame.
    ///
    /// # Panics
    /// The connection ends instead.
    pub async fn any(&mut self) -> Frame {
        let mut head = [0; 9];
        self.socket.read_exact(&mut head).await.expect("a frame");
        let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
        let mut payload = vec![0; length as usize];
        self.socket.read_exact(&mut payload).await.expect("a whole frame");
        let stream = u32::from_be_bytes([head[5], head[6], head[7], head[8]]);
        Frame { kind: head[3], flags: head[4], stream, payload }
    }

    /// Answers what the server asks until it says that the connection ends, and returns the code.
    ///
    /// # Panics
    /// It does not say so.
    pub async fn until_goaway(&mut self) -> u32 {
        let found = async {
            loop {
                let next = self.any().await;
                match next.kind {
                    GOAWAY => return u32::from_be_bytes(next.payload[4..8].try_into().expect("a code")),
                    PING => self.send([frame(PING, ACK, 0, &next.payload)]).await,
                    _ => {}
                }
            }
        };
        timeout(PATIENCE, found).await.expect("a GOAWAY in time")
    }

    /// What comes until the server hangs up, and what it says at last: the code of its GOAWAY.
    ///
    /// # Panics
    /// It does not hang up.
    pub async fn until_end(&mut self) -> Option<u32> {
        let end = async {
            let mut code = None;
            let mut head = [0; 9];
            while self.socket.read_exact(&mut head).await.is_ok() {
                let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
                let mut payload = vec![0; length as usize];
                if self.socket.read_exact(&mut payload).await.is_err() {
                    break;
                }
                if head[3] == GOAWAY {
                    code = Some(u32::from_be_bytes([payload[4], payload[5], payload[6], payload[7]]));
                }
            }
            code
        };
        timeout(PATIENCE, end).await.expect("an end in time")
    }

    /// Sends frames for as long as the server takes them.
    pub async fn try_send(&mut self, frames: impl IntoIterator<Item = Vec<u8>>) -> bool {
        let bytes: Vec<_> = frames.into_iter().flatten().collect();
        timeout(PATIENCE, self.socket.write_all(&bytes)).await.is_ok_and(|sent| sent.is_ok())
    }

    /// Waits until the server has read everything that was sent.
    pub async fn ping(&mut self) {
        self.send([frame(PING, 0, 0, &[0; 8])]).await;
        self.next(PING, 0).await;
    }
}

/// Takes nothing of the streams to come, until a window is opened.
#[must_use]
pub fn take_nothing() -> Vec<u8> {
    const INITIAL_WINDOW_SIZE: u8 = 4;
    frame(SETTINGS, 0, 0, &[0, INITIAL_WINDOW_SIZE, 0, 0, 0, 0])
}

/// Takes so many bytes more of a stream.
#[must_use]
pub fn take(stream: u32, bytes: u32) -> Vec<u8> {
    frame(WINDOW_UPDATE, 0, stream, &bytes.to_be_bytes())
}

/// Begins a call on a stream.
#[must_use]
pub fn call(stream: u32, path: &str) -> Vec<u8> {
    call_with(stream, path, &[])
}

/// Begins a call with further headers.
#[must_use]
pub fn call_with(stream: u32, path: &str, further: &[(&str, &str)]) -> Vec<u8> {
    // Indexes of the static table of HPACK: POST, http, and the names :path and content-type.
    let mut headers = vec![0x83, 0x86, 0x04];
    push_text(&mut headers, path);
    headers.extend([0x0f, 0x10]);
    push_text(&mut headers, "application/grpc");
    for (name, value) in further {
        headers.push(0);
        push_text(&mut headers, name);
        push_text(&mut headers, value);
    }
    frame(HEADERS, END_HEADERS, stream, &headers)
}

/// Sends bytes on a stream.
#[must_use]
pub fn data(stream: u32, bytes: &[u8]) -> Vec<u8> {
    frame(DATA, 0, stream, bytes)
}

/// Ends what is sent on a stream.
#[must_use]
pub fn end(stream: u32) -> Vec<u8> {
    frame(DATA, END_STREAM, stream, &[])
}

/// A message with the prefix that gRPC wants.
///
/// # Panics
/// It is longer than any message may be.
#[must_use]
pub fn message(message: &impl Message) -> Vec<u8> {
    let length = u32::try_from(message.encoded_len()).expect("a short message");
    let mut bytes = vec![0];
    bytes.extend(length.to_be_bytes());
    bytes.extend(message.encode_to_vec());
    bytes
}

/// Cancels the call on a stream.
#[must_use]
pub fn cancel(stream: u32) -> Vec<u8> {
    frame(RST_STREAM, 0, stream, &CANCEL.to_be_bytes())
}

fn push_text(bytes: &mut Vec<u8>, text: &str) {
    bytes.push(u8::try_from(text.len()).ok().filter(|&length| length < 127).expect("a short text"));
    bytes.extend(text.as_bytes());
}

fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).expect("a short frame").to_be_bytes();
    let mut bytes = vec![length[1], length[2], length[3], kind, flags];
    bytes.extend(stream.to_be_bytes());
    bytes.extend(payload);
    bytes
}

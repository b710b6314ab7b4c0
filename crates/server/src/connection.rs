//! One connection: its greeting, its calls, its end.

use std::io;
use std::pin::pin;

use hyper::server::conn::http2;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncReadExt as _, join};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::config::Config;
use crate::limits::{
    CANCELLED_UNSEEN_FACTOR, CONNECTION_WINDOW_BYTES, GREETING_WITHIN, KEEPALIVE_INTERVAL, KEEPALIVE_TIMEOUT,
    LINGER, MAX_HEADER_LIST_BYTES, STREAM_WINDOW_BYTES,
};
use crate::routes::Services;
use crate::untaken::Untaken;

/// How every HTTP/2 connection begins (RFC 9113, section 3.4).
const GREETING: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// Answers the calls of one connection until it ends, or `go_away` is cancelled and they are answered.
pub async fn serve_connection(
    mut stream: TcpStream,
    services: Services,
    http: http2::Builder<TokioExecutor>,
    go_away: CancellationToken,
) {
    // Answers are small; waiting for more to send would only delay them.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "cannot set TCP_NODELAY");
    }
    // A peer that does not say what it is holds no more than a socket, and that not for long: hyper has no
    // limit on how long it waits for the greeting, and would not let go of it when it stops.
    tokio::select! {
        greeted = timeout(GREETING_WITHIN, greets(&mut stream)) => {
            if !matches!(greeted, Ok(Ok(true))) {
                return;
            }
        }
        () = go_away.cancelled() => return,
    }
    let untaken = Untaken::default();
    let answer = service_fn(|request| services.clone().answer(request, untaken.clone()));
    let ended = {
        let (reader, writer) = stream.split();
        // hyper wants to be greeted itself.
        let stream = TokioIo::new(join(GREETING.chain(reader), writer));
        let mut connection = pin!(http.serve_connection(stream, answer));
        let served = async {
            tokio::select! {
                ended = connection.as_mut() => ended,
                () = go_away.cancelled() => {
                    connection.as_mut().graceful_shutdown();
                    connection.await
                }
            }
        };
        tokio::select! {
            ended = served => ended,
            () = untaken.overdue() => {
                tracing::debug!("a connection is given up: an answer was not taken in time");
                return;
            }
        }
    };
    match ended {
        Ok(()) => linger(stream).await,
        Err(error) => tracing::debug!(%error, "a connection ended early"),
    }
}

/// Takes the greeting of HTTP/2 out of the stream. Whether it is one is known as soon as it is clear.
async fn greets(stream: &mut (impl AsyncRead + Unpin)) -> io::Result<bool> {
    let mut seen = [0; GREETING.len()];
    let mut length = 0;
    while length < GREETING.len() {
        match stream.read(&mut seen[length..]).await? {
            0 => return Ok(false),
            more => length += more,
        }
        if seen[..length] != GREETING[..length] {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Takes in what a peer has still under way. A socket that is closed with bytes unread resets its
/// connection, and the peer may lose the last answers with it.
async fn linger(mut stream: TcpStream) {
    let mut unread = [0; 4096];
    let rest = async { while stream.read(&mut unread).await.is_ok_and(|length| length > 0) {} };
    // The peer has had its time when this runs out.
    let _ = timeout(LINGER, rest).await;
}

/// How HTTP/2 is spoken.
#[must_use]
pub fn http(config: &Config) -> http2::Builder<TokioExecutor> {
    let streams = config.max_concurrent_streams;
    let mut http = http2::Builder::new(TokioExecutor::new());
    http.timer(TokioTimer::new())
        .max_concurrent_streams(streams)
        .max_pending_accept_reset_streams((streams as usize).saturating_mul(CANCELLED_UNSEEN_FACTOR))
        .max_header_list_size(MAX_HEADER_LIST_BYTES)
        .initial_stream_window_size(STREAM_WINDOW_BYTES)
        .initial_connection_window_size(CONNECTION_WINDOW_BYTES)
        .keep_alive_interval(KEEPALIVE_INTERVAL)
        .keep_alive_timeout(KEEPALIVE_TIMEOUT);
    http
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncWriteExt as _, duplex};

    use super::*;

    #[tokio::test]
    async fn a_greeting_may_come_in_pieces_and_must_be_one() {
        let (mut peer, mut stream) = duplex(64);
        for byte in GREETING {
            peer.write_all(&[*byte]).await.expect("it is taken");
        }
        assert!(matches!(greets(&mut stream).await, Ok(true)));
        peer.write_all(b"PRI * HTTP/1").await.expect("it is taken");
        assert!(matches!(greets(&mut stream).await, Ok(false)), "the wrong version is clear at once");
    }

    #[tokio::test]
    async fn half_a_greeting_and_an_end_are_no_greeting() {
        let (mut peer, mut stream) = duplex(64);
        peer.write_all(&GREETING[..9]).await.expect("it is taken");
        drop(peer);
        assert!(matches!(greets(&mut stream).await, Ok(false)));
    }
}

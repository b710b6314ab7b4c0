//! One connection: its greeting, its calls, its end.

use std::future::pending;
use std::hash::{BuildHasher as _, RandomState};
use std::io;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http2;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncReadExt as _, join};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};

use crate::calls::Calls;
use crate::config::Config;
use crate::limits::{
    CANCELLED_UNSEEN_FACTOR, CONNECTION_WINDOW_BYTES, GREETING_WITHIN, LAST_ANSWERS_WITHIN, LINGER,
    MAX_BROKEN_CALLS, MAX_HEADER_LIST_BYTES, STREAM_WINDOW_BYTES,
};
use crate::routes::Services;
use crate::shutdown::Stages;

/// How every HTTP/2 connection begins (RFC 9113, section 3.4).
const GREETING: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// On which terms connections are served.
#[derive(Debug)]
pub struct Terms {
    http: http2::Builder<TokioExecutor>,
    /// The times after which a connection ends; zero for never.
    idle: Duration,
    age: Duration,
    grace: Duration,
}

impl Terms {
    /// The terms that are configured.
    #[must_use]
    pub fn new(config: &Config) -> Self {
        Self {
            http: http(config),
            idle: config.max_connection_idle,
            age: config.max_connection_age,
            grace: config.max_connection_age_grace,
        }
    }

    /// Waits until a connection with these calls should take no new ones.
    async fn leave(&self, calls: &Calls, stages: &Stages) {
        let old = async {
            if self.age.is_zero() {
                return pending().await;
            }
            sleep(give_or_take_a_tenth(self.age)).await;
        };
        tokio::select! {
            () = stages.go_away.cancelled() => {}
            () = calls.idle_for(self.idle) => tracing::debug!("a connection is idle"),
            () = old => tracing::debug!("a connection has grown old"),
        }
    }
}

/// Connections that were opened together do not end together.
fn give_or_take_a_tenth(time: Duration) -> Duration {
    let chance = RandomState::new().hash_one(0) % 2_001;
    time.mul_f64(0.9 + Duration::from_micros(100 * chance).as_secs_f64())
}

/// Answers the calls of one connection until it ends, or the server or its own terms end it and the calls
/// are answered.
pub async fn serve_connection(mut stream: TcpStream, services: Services, terms: Arc<Terms>, stages: Stages) {
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
        () = stages.go_away.cancelled() => return,
    }
    let calls = Calls::new(stages.last_call.child_token());
    let answer = service_fn(|request| services.clone().answer(request, calls.clone()));
    let ended = {
        let (reader, writer) = stream.split();
        // hyper wants to be greeted itself.
        let stream = TokioIo::new(join(GREETING.chain(reader), writer));
        let connection = terms.http.serve_connection(stream, answer);
        live(connection, http2::Connection::graceful_shutdown, &calls, &terms, &stages).await
    };
    match ended {
        Some(Ok(())) => linger(stream).await,
        Some(Err(error)) => tracing::debug!(%error, "a connection ended early"),
        None => {}
    }
}

/// Follows a connection to its end; to none when it is given up. `go_away` tells its peer that no new calls
/// are taken.
async fn live<C: Future<Output = hyper::Result<()>>>(
    connection: C,
    go_away: impl FnOnce(Pin<&mut C>),
    calls: &Calls,
    terms: &Terms,
    stages: &Stages,
) -> Option<hyper::Result<()>> {
    let mut connection = pin!(connection);
    let mut overdue = pin!(calls.untaken().overdue());
    tokio::select! {
        biased;
        ended = connection.as_mut() => return Some(ended),
        () = terms.leave(calls, stages) => go_away(connection.as_mut()),
        () = overdue.as_mut() => {
            tracing::debug!("a connection is given up: an answer was not taken in time");
            return None;
        }
    }
    let grace = async {
        sleep(terms.grace).await;
        calls.last_call().cancel();
        sleep(LAST_ANSWERS_WITHIN).await;
    };
    tokio::select! {
        biased;
        ended = connection => Some(ended),
        () = grace => {
            tracing::debug!("a connection is given up: its calls went on beyond its grace");
            None
        }
        () = overdue => {
            tracing::debug!("a connection is given up: an answer was not taken in time");
            None
        }
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
fn http(config: &Config) -> http2::Builder<TokioExecutor> {
    let streams = config.max_concurrent_streams;
    let mut http = http2::Builder::new(TokioExecutor::new());
    http.timer(TokioTimer::new())
        .max_concurrent_streams(streams)
        .max_pending_accept_reset_streams((streams as usize).saturating_mul(CANCELLED_UNSEEN_FACTOR))
        .max_header_list_size(MAX_HEADER_LIST_BYTES)
        .initial_stream_window_size(STREAM_WINDOW_BYTES)
        .initial_connection_window_size(CONNECTION_WINDOW_BYTES)
        .max_local_error_reset_streams(MAX_BROKEN_CALLS)
        .keep_alive_interval(Some(config.keepalive_interval).filter(|interval| !interval.is_zero()))
        .keep_alive_timeout(config.keepalive_timeout);
    http
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncWriteExt as _, duplex};

    use super::*;

    #[test]
    fn a_tenth_is_given_or_taken() {
        let time = Duration::from_secs(1_000);
        for _ in 0..1_000 {
            let given = give_or_take_a_tenth(time);
            assert!((900..=1_100).contains(&given.as_secs()), "{given:?}");
        }
        assert_ne!(give_or_take_a_tenth(time), give_or_take_a_tenth(time), "once in 2,001 runs this fails");
    }

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

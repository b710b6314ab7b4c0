//! One connection: its greeting, its calls, its end.

use std::future::pending;
use std::hash::{BuildHasher as _, RandomState};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::{http1, http2};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use rustix::net::sockopt::set_tcp_user_timeout;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};
use tonic_web::GrpcWebLayer;
use tower::Layer as _;
use tower_http::cors::CorsLayer;

use crate::calls::Calls;
use crate::config::{Config, Switch};
use crate::greeting::Greeted;
use crate::limits::{
    ACKNOWLEDGED_WITHIN, CANCELLED_UNSEEN_FACTOR, CONNECTION_WINDOW_BYTES, GREETING_WITHIN, HANDSHAKE_WITHIN,
    LAST_ANSWERS_WITHIN, LINGER, MAX_BROKEN_CALLS, MAX_HEADER_LIST_BYTES, SEND_BUFFER_BYTES,
    STREAM_WINDOW_BYTES,
};
use crate::routes::Services;
use crate::shutdown::Stages;
use crate::tls::Tls;
use crate::web;

/// How browsers are answered.
#[derive(Debug)]
struct Web {
    http1: http1::Builder,
    layers: (CorsLayer, GrpcWebLayer),
}

/// On which terms connections are served.
#[derive(Debug)]
pub struct Terms {
    tls: Option<Arc<Tls>>,
    http2: http2::Builder<TokioExecutor>,
    /// For browsers, if they may call.
    web: Option<Web>,
    /// The times after which a connection ends; zero for never.
    idle: Duration,
    age: Duration,
    grace: Duration,
}

impl Terms {
    /// The terms that are configured.
    #[must_use]
    pub fn new(config: &Config, tls: Option<Arc<Tls>>) -> Self {
        let web = (config.grpc_web == Switch::On)
            .then(|| Web { http1: http1(), layers: web::layers(&config.cors_origins) });
        Self { tls, web, ..Self::of_health(config) }
    }

    /// The terms on which health alone is served.
    #[must_use]
    pub fn of_health(config: &Config) -> Self {
        Self {
            tls: None,
            http2: http2(config),
            web: None,
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
pub async fn serve_connection(stream: TcpStream, services: Services, terms: Arc<Terms>, stages: Stages) {
    // Answers are small; waiting for more to send would only delay them.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "cannot set TCP_NODELAY");
    }
    let patience = u32::try_from(ACKNOWLEDGED_WITHIN.as_millis()).unwrap_or(u32::MAX);
    if let Err(error) = set_tcp_user_timeout(&stream, patience) {
        tracing::debug!(%error, "cannot set TCP_USER_TIMEOUT");
    }
    let Some(tls) = &terms.tls else {
        return serve_stream(stream, services, &terms, &stages).await;
    };
    let shaken = tokio::select! {
        shaken = timeout(HANDSHAKE_WITHIN, tls.acceptor().accept(stream)) => shaken,
        () = stages.go_away.cancelled() => return,
    };
    match shaken {
        Ok(Ok(stream)) => serve_stream(stream, services, &terms, &stages).await,
        Ok(Err(error)) => tracing::debug!(%error, "no TLS with a peer"),
        Err(_) => {}
    }
}

async fn serve_stream<S>(stream: S, services: Services, terms: &Terms, stages: &Stages)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    // A peer that does not say what it is holds no more than a socket, and that not for long: hyper has no
    // limit on how long it waits for the greeting, and would not let go of it when it stops.
    let greeted = tokio::select! {
        greeted = timeout(GREETING_WITHIN, Greeted::new(stream)) => greeted,
        () = stages.go_away.cancelled() => return,
    };
    let Ok(Ok(mut stream)) = greeted else { return };
    let calls = Calls::new(stages.last_call.child_token());
    let is_http2 = stream.speaks_http2();
    let io = TokioIo::new(&mut stream);
    let ended = match &terms.web {
        None if is_http2 => {
            let connection = terms
                .http2
                .serve_connection(io, service_fn(|request| services.clone().answer(request, calls.clone())));
            live(connection, http2::Connection::graceful_shutdown, &calls, terms, stages).await
        }
        None => return,
        Some(Web { http1, layers }) => {
            let of_calls = calls.clone();
            let answer = tower::service_fn(move |request| services.clone().answer(request, of_calls.clone()));
            let answer = TowerToHyperService::new(layers.layer(answer));
            if is_http2 {
                let connection = terms.http2.serve_connection(io, answer);
                live(connection, http2::Connection::graceful_shutdown, &calls, terms, stages).await
            } else {
                let connection = http1.serve_connection(io, answer);
                live(connection, http1::Connection::graceful_shutdown, &calls, terms, stages).await
            }
        }
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

/// Takes in what a peer has still under way. A socket that is closed with bytes unread resets its
/// connection, and the peer may lose the last answers with it.
async fn linger(mut stream: impl AsyncRead + Unpin) {
    let mut unread = [0; 4096];
    let rest = async { while stream.read(&mut unread).await.is_ok_and(|length| length > 0) {} };
    // The peer has had its time when this runs out.
    let _ = timeout(LINGER, rest).await;
}

/// How HTTP/2 is spoken.
fn http2(config: &Config) -> http2::Builder<TokioExecutor> {
    let streams = config.max_concurrent_streams;
    let mut http = http2::Builder::new(TokioExecutor::new());
    http.timer(TokioTimer::new())
        .max_concurrent_streams(streams)
        .max_pending_accept_reset_streams((streams as usize).saturating_mul(CANCELLED_UNSEEN_FACTOR))
        .max_header_list_size(MAX_HEADER_LIST_BYTES)
        .initial_stream_window_size(STREAM_WINDOW_BYTES)
        .initial_connection_window_size(CONNECTION_WINDOW_BYTES)
        .max_send_buf_size(SEND_BUFFER_BYTES)
        .max_local_error_reset_streams(MAX_BROKEN_CALLS)
        .keep_alive_interval(Some(config.keepalive_interval).filter(|interval| !interval.is_zero()))
        .keep_alive_timeout(config.keepalive_timeout);
    http
}

/// How HTTP/1.1 is spoken.
fn http1() -> http1::Builder {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(GREETING_WITHIN)
        .max_buf_size(MAX_HEADER_LIST_BYTES as usize);
    http
}

#[cfg(test)]
mod tests {
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
}

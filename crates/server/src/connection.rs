//! One connection: its greeting, its calls, its end.

use std::convert::Infallible;
use std::future::pending;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use http_body_util::Either;
use hyper::server::conn::{http1, http2};
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use rustix::net::sockopt::set_tcp_user_timeout;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::time::{sleep, timeout};
use tokio_util::task::AbortOnDropHandle;
use tonic_web::GrpcWebLayer;
use tower::Layer as _;
use tower_http::cors::CorsLayer;

use crate::calls::Calls;
use crate::config::{Config, Switch};
use crate::greeting::Greeted;
use crate::limits::{
    ACKNOWLEDGED_WITHIN, CANCELLED_UNSEEN_FACTOR, CONNECTION_WINDOW_BYTES, GREETING_WITHIN, HANDSHAKE_WITHIN,
    LAST_ANSWERS_WITHIN, LINGER, MAX_BROKEN_CALLS, MAX_HEADER_LIST_BYTES, SEND_BUFFER_BYTES,
    STREAM_WINDOW_BYTES, UNHEARD_WITHIN,
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
        let web = (config.offer.grpc_web == Switch::On)
            .then(|| Web { http1: http1(), layers: web::layers(&config.offer.cors_origins) });
        Self { tls, web, ..Self::of_health(config) }
    }

    /// The terms on which health alone is served.
    #[must_use]
    pub fn of_health(config: &Config) -> Self {
        Self {
            tls: None,
            http2: http2(config),
            web: None,
            idle: config.connections.max_connection_idle,
            age: config.connections.max_connection_age,
            grace: config.connections.max_connection_age_grace,
        }
    }

    /// Waits until a connection with these calls should take no new ones, and tells whether that is for the
    /// server to stop.
    async fn leave(&self, calls: &Calls, stages: &Stages) -> bool {
        let old = async {
            if self.age.is_zero() {
                return pending().await;
            }
            sleep(give_or_take_a_tenth(self.age)).await;
        };
        tokio::select! {
            () = stages.go_away.cancelled() => return true,
            () = calls.idle_for(self.idle) => tracing::debug!("a connection is idle"),
            () = old => tracing::debug!("a connection has grown old"),
        }
        false
    }

    /// Says when a connection should take no new calls, and returns when it is to be given up.
    async fn watch(&self, calls: &Calls, stages: &Stages, go_away: oneshot::Sender<()>) {
        let grace = async {
            let server_stops = self.leave(calls, stages).await;
            // Nobody hears it when the connection has ended.
            let _ = go_away.send(());
            if server_stops {
                // How long its calls may take is for the server to say. A peer that has none and does not hang
                // up has not heard of it.
                return calls.idle_for(UNHEARD_WITHIN).await;
            }
            sleep(self.grace).await;
            calls.last_call().cancel();
            sleep(LAST_ANSWERS_WITHIN).await;
        };
        tokio::select! {
            () = stages.cut.cancelled() => {}
            () = grace => tracing::debug!("a connection is given up after it was told to take no more calls"),
            () = calls.untaken().overdue() => {
                tracing::debug!("a connection is given up: an answer was not taken in time");
            }
        }
    }
}

/// Connections that were opened together do not end together.
fn give_or_take_a_tenth(time: Duration) -> Duration {
    time.mul_f64(0.9 + 0.2 * fastrand::f64())
}

/// Answers the calls of one connection until it ends, or the server or its own terms end it and the calls
/// are answered.
pub async fn serve_connection(stream: TcpStream, services: Arc<Services>, terms: Arc<Terms>, stages: Stages) {
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
    match before_calls(HANDSHAKE_WITHIN, &stages, tls.acceptor().accept(stream)).await {
        Some(Ok(stream)) => serve_stream(stream, services, &terms, &stages).await,
        Some(Err(error)) => tracing::debug!(%error, "no TLS with a peer"),
        None => {}
    }
}

/// What comes before the calls of a connection, if it comes in time and before the server stops.
async fn before_calls<T>(within: Duration, stages: &Stages, work: impl Future<Output = T>) -> Option<T> {
    tokio::select! {
        done = timeout(within, work) => done.ok(),
        () = stages.go_away.cancelled() => None,
        () = stages.cut.cancelled() => None,
    }
}

async fn serve_stream<S>(stream: S, services: Arc<Services>, terms: &Arc<Terms>, stages: &Stages)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    // A peer that does not say what it is holds no more than a socket, and that not for long: hyper has no
    // limit on how long it waits for the greeting, and would not let go of it when it stops.
    let greeted = before_calls(GREETING_WITHIN, stages, Greeted::new(stream)).await;
    let Some(Ok(mut stream)) = greeted else { return };
    let calls = Calls::new(stages.last_call.child_token());
    let is_http2 = stream.speaks_http2();
    let io = TokioIo::new(&mut stream);
    let (told, watch) = watch(&calls, terms, stages);
    let (of_services, of_calls) = (services.clone(), calls.clone());
    let plain = move |request| of_services.clone().answer(request, of_calls.clone());
    let ended = match &terms.web {
        None if is_http2 => {
            let connection = terms.http2.serve_connection(io, service_fn(plain));
            live(connection, http2::Connection::graceful_shutdown, told, watch).await
        }
        None => return,
        Some(Web { http1, layers }) => {
            let of_web = tower::service_fn(move |request| services.clone().answer(request, calls.clone()));
            let of_web = TowerToHyperService::new(layers.layer(of_web));
            if is_http2 {
                let answer = service_fn(move |request| {
                    let answer = if web::is_of_browser(&request) {
                        Either::Left(of_web.call(request))
                    } else {
                        Either::Right(plain(request))
                    };
                    async {
                        Ok::<_, Infallible>(match answer {
                            Either::Left(answer) => answer.await?.map(Either::Left),
                            Either::Right(answer) => answer.await?.map(Either::Right),
                        })
                    }
                });
                let connection = terms.http2.serve_connection(io, answer);
                live(connection, http2::Connection::graceful_shutdown, told, watch).await
            } else {
                let connection = http1.serve_connection(io, of_web);
                live(connection, http1::Connection::graceful_shutdown, told, watch).await
            }
        }
    };
    match ended {
        Some(Ok(())) => linger(stream).await,
        Some(Err(error)) => tracing::debug!(%error, "a connection ended early"),
        None => {}
    }
}

/// Follows a connection to its end; to none when it is given up, which is when `watch` ends. `go_away` tells
/// its peer that no new calls are taken.
async fn live<C: Future<Output = hyper::Result<()>>>(
    connection: C,
    go_away: impl FnOnce(Pin<&mut C>),
    told: oneshot::Receiver<()>,
    mut watch: AbortOnDropHandle<()>,
) -> Option<hyper::Result<()>> {
    let mut connection = pin!(connection);
    tokio::select! {
        biased;
        ended = connection.as_mut() => return Some(ended),
        Ok(()) = told => go_away(connection.as_mut()),
        _ = &mut watch => return None,
    }
    tokio::select! {
        biased;
        ended = connection => Some(ended),
        _ = watch => None,
    }
}

/// Begins to watch a connection with these calls. The first that is returned tells when it should take no new
/// calls; the other ends when the connection is to be given up.
///
/// A connection wakes with every frame. What it waits for besides is shared with all others, or has a timer:
/// a task of its own looks at that.
fn watch(
    calls: &Calls,
    terms: &Arc<Terms>,
    stages: &Stages,
) -> (oneshot::Receiver<()>, AbortOnDropHandle<()>) {
    let (go_away, told) = oneshot::channel();
    let (calls, terms, stages) = (calls.clone(), terms.clone(), stages.clone());
    let watch = tokio::spawn(async move { terms.watch(&calls, &stages, go_away).await });
    (told, AbortOnDropHandle::new(watch))
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
    let streams = config.connections.max_concurrent_streams;
    let mut http = http2::Builder::new(TokioExecutor::new());
    http.timer(TokioTimer::new())
        .max_concurrent_streams(streams)
        .max_pending_accept_reset_streams((streams as usize).saturating_mul(CANCELLED_UNSEEN_FACTOR))
        .max_header_list_size(MAX_HEADER_LIST_BYTES)
        .initial_stream_window_size(STREAM_WINDOW_BYTES)
        .initial_connection_window_size(CONNECTION_WINDOW_BYTES)
        .max_send_buf_size(SEND_BUFFER_BYTES)
        .max_local_error_reset_streams(MAX_BROKEN_CALLS)
        .keep_alive_interval(
            Some(config.connections.keepalive_interval).filter(|interval| !interval.is_zero()),
        )
        .keep_alive_timeout(config.connections.keepalive_timeout);
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
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn a_tenth_is_given_or_taken() {
        let time = Duration::from_secs(1_000);
        let given: HashSet<_> = (0..1_000).map(|_| give_or_take_a_tenth(time)).collect();
        for given in &given {
            assert!((900..=1_100).contains(&given.as_secs()), "{given:?}");
        }
        assert!(given.len() > 1, "all of them are {given:?}");
    }
}

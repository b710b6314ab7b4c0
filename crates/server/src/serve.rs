//! The life of the server: accept, lame duck, drain.

use std::io;
use std::pin::pin;
use std::time::Duration;

use hyper::server::conn::http2;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use tokio::io::AsyncReadExt as _;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::config::Config;
use crate::health::Health;
use crate::limits::{
    CONNECTION_WINDOW_BYTES, GREETING_WITHIN, KEEPALIVE_INTERVAL, KEEPALIVE_TIMEOUT, LINGER,
    MAX_HEADER_LIST_BYTES, STREAM_WINDOW_BYTES,
};
use crate::routes::Services;
use crate::service::Arbiter;
use crate::shutdown::Signal;
use crate::workers::Workers;

/// How every HTTP/2 connection begins (RFC 9113, section 3.4).
const GREETING: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// Serves on `listener` until a signal asks for an end, then drains; a further signal cuts that short.
/// Whoever holds the other end of `signals` and drops it asks for an end too.
///
/// Returns within the configured times, whatever clients do.
///
/// # Errors
/// The listener has no address, or the descriptors that were built in are broken.
pub async fn serve(
    config: &Config,
    listener: TcpListener,
    mut signals: mpsc::Receiver<Signal>,
) -> io::Result<()> {
    let (health, stages) = (Health::default(), Stages::default());
    let arbiter = Arbiter::new(Workers::new(config.workers, config.max_waiting), stages.last_call.clone());
    let services = Services::new(arbiter, &health).map_err(io::Error::other)?;
    let connections = Connections { services, http: http(config), stages, open: TaskTracker::new() };
    health.serving().await;
    tracing::info!(address = %listener.local_addr()?, "listening");

    let signal = connections.accept_until(&listener, signals.recv()).await;
    health.not_serving().await;
    tracing::info!(?signal, "stopping: health is NOT_SERVING");
    let mut again = None;
    if signal == Some(Signal::Terminate) {
        let lame_duck = timeout(config.lame_duck, next(&mut signals));
        again = connections.accept_until(&listener, lame_duck).await.ok();
    }
    drop(listener);
    if again.is_none() {
        health.end_watches().await;
        connections.drain(config.drain_deadline, next(&mut signals)).await;
    }
    connections.stages.cut.cancel();
    Ok(())
}

/// The next signal, if there ever is one.
async fn next(signals: &mut mpsc::Receiver<Signal>) -> Signal {
    match signals.recv().await {
        Some(signal) => signal,
        None => std::future::pending().await,
    }
}

/// What connections and streams are told on the way down, in this order.
#[derive(Debug, Default)]
struct Stages {
    /// Connections take no new calls (GOAWAY).
    go_away: CancellationToken,
    /// Streams end after the answer that is under way.
    last_call: CancellationToken,
    /// Connections are dropped as they are.
    cut: CancellationToken,
}

/// The connections and how they are served.
struct Connections {
    services: Services,
    http: http2::Builder<TokioExecutor>,
    stages: Stages,
    open: TaskTracker,
}

impl Connections {
    /// Accepts connections until `stop` is there.
    async fn accept_until<T>(&self, listener: &TcpListener, stop: impl Future<Output = T>) -> T {
        let mut stop = pin!(stop);
        loop {
            let accepted = tokio::select! {
                biased;
                reason = &mut stop => return reason,
                accepted = listener.accept() => accepted,
            };
            match accepted {
                Ok((stream, _)) => self.open(stream),
                // No file descriptors left, most likely: they come back when other connections end.
                Err(error) => {
                    tracing::warn!(%error, "cannot accept a connection");
                    sleep(Duration::from_millis(50)).await;
                }
            }
        }
    }

    fn open(&self, stream: TcpStream) {
        // Answers are small; waiting for more to send would only delay them.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "cannot set TCP_NODELAY");
        }
        let (go_away, cut) = (self.stages.go_away.clone(), self.stages.cut.clone());
        let connection = serve_connection(stream, self.services.clone(), self.http.clone(), go_away);
        self.open.spawn(async move { cut.run_until_cancelled(connection).await });
    }

    /// Waits until every connection has ended, but not beyond the deadline or another signal.
    async fn drain(&self, deadline: Duration, signal: impl Future<Output = Signal>) {
        self.open.close();
        self.stages.go_away.cancel();
        let for_last_answers = (deadline / 4).min(Duration::from_secs(1));
        let out_of_time = async {
            sleep(deadline - for_last_answers).await;
            self.stages.last_call.cancel();
            sleep(for_last_answers).await;
        };
        tokio::select! {
            () = self.open.wait() => tracing::info!("drained"),
            () = out_of_time => tracing::warn!(connections = self.open.len(), "drain deadline passed"),
            signal = signal => tracing::warn!(?signal, connections = self.open.len(), "stopping at once"),
        }
    }
}

async fn serve_connection(
    mut stream: TcpStream,
    services: Services,
    http: http2::Builder<TokioExecutor>,
    go_away: CancellationToken,
) {
    // A peer that does not say what it is holds no more than a socket, and that not for long.
    tokio::select! {
        greeted = timeout(GREETING_WITHIN, greets(&stream)) => {
            if !matches!(greeted, Ok(Ok(true))) {
                return;
            }
        }
        () = go_away.cancelled() => return,
    }
    let answer = service_fn(move |request| services.clone().answer(request));
    let ended = {
        let mut connection = pin!(http.serve_connection(TokioIo::new(&mut stream), answer));
        tokio::select! {
            ended = connection.as_mut() => ended,
            () = go_away.cancelled() => {
                connection.as_mut().graceful_shutdown();
                connection.await
            }
        }
    };
    match ended {
        Ok(()) => linger(stream).await,
        Err(error) => tracing::debug!(%error, "a connection ended early"),
    }
}

/// Whether the peer speaks HTTP/2, as soon as that is clear. Nothing is taken out of the stream: hyper
/// has no limit on how long it waits for the greeting, and would not let go of it when it stops.
async fn greets(stream: &TcpStream) -> io::Result<bool> {
    let mut seen = [0; GREETING.len()];
    loop {
        let length = stream.peek(&mut seen).await?;
        if length == 0 || seen[..length] != GREETING[..length] {
            return Ok(false);
        }
        if length == GREETING.len() {
            return Ok(true);
        }
        // The part that is there would be shown again at once.
        sleep(Duration::from_millis(10)).await;
    }
}

/// Takes in what a peer has still under way. A socket that is closed with bytes unread resets its
/// connection, and the peer may lose the last answers with it.
async fn linger(mut stream: TcpStream) {
    let mut unread = [0; 4096];
    let rest = async { while stream.read(&mut unread).await.is_ok_and(|length| length > 0) {} };
    // The peer has had its time when this runs out.
    let _ = timeout(LINGER, rest).await;
}

fn http(config: &Config) -> http2::Builder<TokioExecutor> {
    let mut http = http2::Builder::new(TokioExecutor::new());
    http.timer(TokioTimer::new())
        .max_concurrent_streams(config.max_concurrent_streams)
        .max_header_list_size(MAX_HEADER_LIST_BYTES)
        .initial_stream_window_size(STREAM_WINDOW_BYTES)
        .initial_connection_window_size(CONNECTION_WINDOW_BYTES)
        .keep_alive_interval(KEEPALIVE_INTERVAL)
        .keep_alive_timeout(KEEPALIVE_TIMEOUT);
    http
}

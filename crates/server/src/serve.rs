//! The life of the server: accept, lame duck, drain.

use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http2;
use hyper_util::rt::TokioExecutor;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::config::Config;
use crate::connection::{http, serve_connection};
use crate::health::Health;
use crate::limits::ACCEPT_AGAIN_AFTER;
use crate::routes::Services;
use crate::searches::Searches;
use crate::service::Arbiter;
use crate::shutdown::Signal;
use crate::telemetry::Telemetry;
use crate::telemetry::log::Rarely;
use crate::workers::Workers;

/// Serves on `listener` until a signal asks for an end, then drains; a further signal cuts that short.
/// Whoever holds the other end of `signals` and drops it asks for an end too.
///
/// What happens is told to `telemetry`, and `health` says how far the server is.
///
/// Returns within the configured times, whatever clients do.
///
/// # Errors
/// The listener has no address, or the descriptors that were built in are broken.
pub async fn serve(
    config: &Config,
    listener: TcpListener,
    mut signals: mpsc::Receiver<Signal>,
    health: Health,
    telemetry: Arc<Telemetry>,
) -> io::Result<()> {
    let stages = Stages::default();
    let searches =
        Searches::new(config.search_slots, config.max_search_time, stages.go_away.clone(), telemetry.clone());
    let workers = Workers::new(config.workers, config.max_waiting);
    let arbiter = Arbiter::new(config.serve, workers, searches, stages.last_call.clone(), telemetry.clone());
    let services =
        Services::new(config.serve, arbiter, &health, telemetry.clone()).map_err(io::Error::other)?;
    let connections = Connections {
        services,
        http: http(config),
        stages,
        open: TaskTracker::new(),
        max_open: config.max_connections as usize,
    };
    let open = connections.open.clone();
    let count = move || open.len();
    telemetry.metrics.watch("arbiter.connections.open", "{connection}", "Connections that are open", count);
    health.serving().await;
    tracing::info!(address = %listener.local_addr()?, "listening");

    let signal = connections.accept_until(&listener, signals.recv()).await;
    health.not_serving().await;
    tracing::info!(signal = signal.map(display), "stopping: health is NOT_SERVING");
    let mut again = None;
    if signal == Some(Signal::Terminate) {
        let lame_duck = timeout(config.lame_duck, next(&mut signals));
        again = connections.accept_until(&listener, lame_duck).await.ok();
    }
    drop(listener);
    if let Some(signal) = again {
        connections.stop_at_once(signal);
    } else {
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
    /// Connections take no new calls (GOAWAY), and searches answer with the best they have.
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
    max_open: usize,
}

impl Connections {
    /// Accepts connections until `stop` is there. Those beyond the limit are closed at once: their clients
    /// can go elsewhere.
    async fn accept_until<T>(&self, listener: &TcpListener, stop: impl Future<Output = T>) -> T {
        let mut stop = pin!(stop);
        let (mut refused, mut failed) = (Rarely::default(), Rarely::default());
        loop {
            let accepted = tokio::select! {
                biased;
                reason = &mut stop => return reason,
                accepted = listener.accept() => accepted,
            };
            match accepted {
                Ok((stream, _)) if self.open.len() < self.max_open => self.open(stream),
                Ok((stream, _)) => {
                    drop(stream);
                    if let Some(times) = refused.count() {
                        tracing::warn!(times, open = self.open.len(), "a connection too many was closed");
                    }
                }
                // No file descriptors left, most likely: they come back when other connections end.
                Err(error) => {
                    if let Some(times) = failed.count() {
                        tracing::warn!(times, %error, "cannot accept a connection");
                    }
                    sleep(ACCEPT_AGAIN_AFTER).await;
                }
            }
        }
    }

    fn open(&self, stream: TcpStream) {
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
            signal = signal => self.stop_at_once(signal),
        }
    }

    fn stop_at_once(&self, signal: Signal) {
        tracing::warn!(%signal, connections = self.open.len(), "stopping at once");
    }
}

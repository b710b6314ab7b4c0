//! The life of the server: accept, lame duck, drain.

use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};
use tokio_util::task::TaskTracker;

use crate::accept::{accept, serve_newest};
use crate::config::Config;
use crate::connection::{Terms, serve_connection};
use crate::descriptors::make_room;
use crate::health::Health;
use crate::limits::{CUT_WITHIN, MAX_HEALTH_CONNECTIONS};
use crate::routes::Services;
use crate::searches::Searches;
use crate::service::Arbiter;
use crate::shutdown::{Hangups, Signal, Stages};
use crate::telemetry::Telemetry;
use crate::telemetry::log::Rarely;
use crate::telemetry::metrics::Metrics;
use crate::tls::Tls;
use crate::tokens::Tokens;
use crate::workers::Workers;

/// Where connections come from.
#[derive(Debug)]
pub struct Listeners {
    /// All calls.
    pub grpc: TcpListener,
    /// Questions about health, from those who have neither TLS nor a token.
    pub health: Option<TcpListener>,
}

/// Serves on `listeners` until a signal asks for an end, then drains; a further signal cuts that short.
/// Whoever holds the other end of `signals` and drops it asks for an end too.
///
/// What happens is told to `telemetry`, and `health` says how far the server is.
///
/// Returns within the configured times, whatever clients do.
///
/// # Errors
/// A listener has no address, the files of certificates or tokens cannot be used, or the descriptors that
/// were built in are broken.
pub async fn serve(
    config: &Config,
    listeners: Listeners,
    mut signals: mpsc::Receiver<Signal>,
    health: Health,
    telemetry: Arc<Telemetry>,
) -> io::Result<()> {
    let stages = Stages::default();
    let searches = Searches::new(
        config.work.search_slots,
        config.work.max_search_time,
        stages.go_away.clone(),
        telemetry.clone(),
    );
    let workers = Workers::new(config.work.workers, config.work.max_waiting);
    let arbiter = Arbiter::new(config.offer.serve, workers, searches, telemetry.clone());
    // From before they are read: a change that comes with a hangup meanwhile is not missed.
    let hangups = (Hangups::new()?, Hangups::new()?, Hangups::new()?);
    let tokens = Tokens::of(config)?;
    let tls = Tls::of(config)?.map(Arc::new);
    let services = Services::new(config, arbiter, &health, tokens.clone(), telemetry.clone());
    let services = services.map_err(io::Error::other)?;
    let connections = Connections {
        services: Arc::new(services),
        terms: Arc::new(Terms::new(config, tls.clone())),
        stages,
        open: TaskTracker::new(),
        max_open: config.connections.max_connections as usize,
    };
    let open = connections.open.clone();
    let count = move || open.len();
    telemetry.metrics.watch("arbiter.connections.open", "{connection}", "Connections that are open", count);
    tell_of_stale_files(&telemetry.metrics, tls.clone(), tokens.clone());
    tokio::spawn(follow_files(connections.stages.clone(), tls, tokens, hangups));
    if let Some(listener) = listeners.health {
        tracing::info!(health_address = %listener.local_addr()?, "health is served");
        tokio::spawn(serve_health(config, &health, &telemetry, &connections.stages, listener));
    }
    let listener = listeners.grpc;
    health.serving().await;
    if let Some(missing) = make_room(config.connections.max_connections) {
        tracing::warn!(
            missing,
            "too few file descriptors for --max-connections: raise the limit (ulimit -n), or lower the setting"
        );
    }
    tracing::info!(address = %listener.local_addr()?, "listening");

    let signal = connections.accept_until(&listener, signals.recv()).await;
    health.not_serving().await;
    tracing::info!(signal = signal.map(display), "stopping: health is NOT_SERVING");
    let mut again = None;
    if signal == Some(Signal::Terminate) {
        let lame_duck = timeout(config.stop.lame_duck, next(&mut signals));
        again = connections.accept_until(&listener, lame_duck).await.ok();
    }
    drop(listener);
    if let Some(signal) = again {
        connections.stop_at_once(signal);
    } else {
        health.end_watches();
        connections.drain(config.stop.drain_deadline, next(&mut signals)).await;
    }
    connections.stages.cut.cancel();
    // What is cut is counted, too.
    let _ = timeout(CUT_WITHIN, connections.ended()).await;
    Ok(())
}

/// Takes new certificates and tokens, as long as the server runs.
async fn follow_files(
    stages: Stages,
    tls: Option<Arc<Tls>>,
    tokens: Tokens,
    (of_tls, of_tokens, mut told): (Hangups, Hangups, Hangups),
) {
    let certificates = async {
        if let Some(tls) = tls {
            tls.follow(of_tls).await;
        }
    };
    let log = async {
        loop {
            told.next().await;
            tracing::info!("SIGHUP: the files of certificates and tokens are looked at");
        }
    };
    let all = async { tokio::join!(certificates, tokens.follow(of_tokens), log) };
    stages.cut.run_until_cancelled(all).await;
}

/// Lets metrics tell of files that have become such that they cannot be used.
fn tell_of_stale_files(metrics: &Metrics, tls: Option<Arc<Tls>>, tokens: Tokens) {
    let certificates = move || usize::from(tls.as_ref().is_some_and(|tls| tls.is_stale()));
    let description =
        "Whether the files of certificates cannot be used as they are, and what they said holds";
    metrics.watch("arbiter.certificates.stale", "", description, certificates);
    let description = "Whether the file of hashes of tokens cannot be used as it is, and what it said holds";
    metrics.watch("arbiter.tokens.stale", "", description, move || usize::from(tokens.is_stale()));
}

/// Serves health alone, on an address of its own, until the server has come to its end.
fn serve_health(
    config: &Config,
    health: &Health,
    telemetry: &Arc<Telemetry>,
    stages: &Stages,
    listener: TcpListener,
) -> impl Future<Output = ()> + use<> {
    let services = Arc::new(Services::of_health(config, health, telemetry.clone()));
    let terms = Arc::new(Terms::of_health(config));
    let cut = stages.cut.clone();
    // Nothing stops it before the end: then all of its connections are dropped.
    let serve = move |stream| serve_connection(stream, services.clone(), terms.clone(), Stages::default());
    async move {
        cut.run_until_cancelled(serve_newest(listener, MAX_HEALTH_CONNECTIONS, serve)).await;
    }
}

/// The next signal, if there ever is one.
async fn next(signals: &mut mpsc::Receiver<Signal>) -> Signal {
    match signals.recv().await {
        Some(signal) => signal,
        None => std::future::pending().await,
    }
}

/// The connections and how they are served.
struct Connections {
    services: Arc<Services>,
    terms: Arc<Terms>,
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
            let stream = tokio::select! {
                biased;
                reason = &mut stop => return reason,
                stream = accept(listener, &mut failed) => stream,
            };
            if self.open.len() < self.max_open {
                self.open(stream);
                continue;
            }
            drop(stream);
            if let Some(times) = refused.count() {
                tracing::warn!(times, open = self.open.len(), "a connection too many was closed");
            }
        }
    }

    fn open(&self, stream: TcpStream) {
        let (services, terms, stages) = (self.services.clone(), self.terms.clone(), self.stages.clone());
        self.open.spawn(serve_connection(stream, services, terms, stages));
    }

    /// Waits until every connection has ended, but not beyond the deadline or another signal.
    async fn drain(&self, deadline: Duration, signal: impl Future<Output = Signal>) {
        self.stages.go_away.cancel();
        let for_last_answers = (deadline / 4).min(Duration::from_secs(1));
        let out_of_time = async {
            sleep(deadline - for_last_answers).await;
            self.stages.last_call.cancel();
            sleep(for_last_answers).await;
        };
        tokio::select! {
            () = self.ended() => tracing::info!("drained"),
            () = out_of_time => tracing::warn!(connections = self.open.len(), "drain deadline passed"),
            signal = signal => self.stop_at_once(signal),
        }
    }

    /// Waits until every connection has ended.
    async fn ended(&self) {
        self.open.close();
        self.open.wait().await;
    }

    fn stop_at_once(&self, signal: Signal) {
        tracing::warn!(%signal, connections = self.open.len(), "stopping at once");
    }
}

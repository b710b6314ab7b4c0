//! How the process is asked to stop or to look at its files, and what follows.

use std::fmt::{self, Display};
use std::io;

use tokio::signal::unix::{self, SignalKind, signal};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// A request to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// Stop so that nobody notices: first turn load balancers away (SIGTERM).
    Terminate,
    /// Stop soon (SIGINT).
    Interrupt,
}

impl Display for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Signal::Terminate => "SIGTERM",
            Signal::Interrupt => "SIGINT",
        })
    }
}

/// What connections and streams are told on the way down, in this order.
#[derive(Debug, Clone, Default)]
pub struct Stages {
    /// Connections take no new calls (GOAWAY), and searches answer with the best they have.
    pub go_away: CancellationToken,
    /// Streams end after the answer that is under way.
    pub last_call: CancellationToken,
    /// Connections are dropped as they are.
    pub cut: CancellationToken,
}

/// Requests to look at the files of certificates and tokens now (SIGHUP).
#[derive(Debug)]
pub struct Hangups(unix::Signal);

impl Hangups {
    /// Catches SIGHUP from now on, which ends the process otherwise. Everyone who listens hears of each.
    ///
    /// # Errors
    /// The system does not let a handler be set.
    pub fn new() -> io::Result<Self> {
        signal(SignalKind::hangup()).map(Self)
    }

    /// Waits for the next.
    pub async fn next(&mut self) {
        if self.0.recv().await.is_none() {
            std::future::pending::<()>().await;
        }
    }
}

/// Catches SIGTERM and SIGINT from now on, and hands them on as they come.
///
/// # Errors
/// The system does not let a handler be set.
pub fn signals() -> io::Result<mpsc::Receiver<Signal>> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let (sender, receiver) = mpsc::channel(2);
    tokio::spawn(async move {
        loop {
            let signal = tokio::select! {
                Some(()) = terminate.recv() => Signal::Terminate,
                Some(()) = interrupt.recv() => Signal::Interrupt,
                else => return,
            };
            if sender.send(signal).await.is_err() {
                return;
            }
        }
    });
    Ok(receiver)
}

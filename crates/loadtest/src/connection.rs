//! An HTTP/2 connection that is made again when it is lost.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use bytes::Bytes;
use h2::client::{self, SendRequest};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::Mutex;
use tokio::time::timeout;

use crate::exit::Failure;
use crate::limits::{CONNECT_TIMEOUT, RECONNECT_PAUSE};
use crate::target::Place;

/// Room for answers that have not been read yet, in bytes: as much as keeps one connection busy.
const WINDOW_BYTES: u32 = 4 << 20;

/// A connection to one address.
pub(crate) struct Connection {
    place: Place,
    state: std::sync::Mutex<State>,
    /// Held by whoever connects, so that others wait for the result.
    connecting: Mutex<()>,
    reconnects: AtomicU64,
}

#[derive(Default)]
struct State {
    /// The connection that is in use, and its number.
    link: Option<(u64, SendRequest<Bytes>)>,
    /// How many there were.
    count: u64,
    /// When the last attempt failed, and why.
    failed: Option<(Instant, Failure)>,
}

impl Connection {
    /// Connects.
    ///
    /// # Errors
    /// Why not.
    pub(crate) async fn open(place: Place) -> Result<Arc<Self>, Failure> {
        let connection = Arc::new(Self {
            place,
            state: std::sync::Mutex::default(),
            connecting: Mutex::default(),
            reconnects: AtomicU64::new(0),
        });
        connection.link().await?;
        connection.reconnects.store(0, Ordering::Relaxed);
        Ok(connection)
    }

    /// Where it leads.
    pub(crate) fn place(&self) -> &Place {
        &self.place
    }

    /// How often it was made again.
    pub(crate) fn reconnects(&self) -> u64 {
        self.reconnects.load(Ordering::Relaxed)
    }

    /// What sends requests, with its number, so that it can be told to be lost.
    ///
    /// # Errors
    /// There is no connection, and none could be made just now.
    pub(crate) async fn link(self: &Arc<Self>) -> Result<(u64, SendRequest<Bytes>), Failure> {
        if let Some(link) = &self.state().link {
            return Ok(link.clone());
        }
        let _turn = self.connecting.lock().await;
        {
            let state = self.state();
            if let Some(link) = &state.link {
                return Ok(link.clone());
            }
            if let Some((when, why)) = &state.failed
                && when.elapsed() < RECONNECT_PAUSE
            {
                return Err(why.clone());
            }
        }
        match timeout(CONNECT_TIMEOUT, self.connect()).await {
            Ok(Ok(sender)) => Ok(self.keep(sender)),
            Ok(Err(why)) => Err(self.fail(&why)),
            Err(_) => Err(self.fail(&format!("no connection within {} s", CONNECT_TIMEOUT.as_secs()))),
        }
    }

    /// Takes a connection out of use. What it has begun may still be finished.
    pub(crate) fn lose(&self, number: u64) {
        let mut state = self.state();
        if state.link.as_ref().is_some_and(|(current, _)| *current == number) {
            state.link = None;
        }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn keep(&self, sender: SendRequest<Bytes>) -> (u64, SendRequest<Bytes>) {
        let mut state = self.state();
        state.count += 1;
        state.failed = None;
        self.reconnects.fetch_add(1, Ordering::Relaxed);
        let link = (state.count, sender);
        state.link = Some(link.clone());
        link
    }

    fn fail(&self, why: &str) -> Failure {
        let why = format!("cannot connect to {} ({}): {why}", self.place.authority, self.place.address);
        self.state().failed = Some((Instant::now(), why.clone()));
        why
    }

    async fn connect(self: &Arc<Self>) -> Result<SendRequest<Bytes>, Failure> {
        let stream = TcpStream::connect(self.place.address).await.map_err(|error| error.to_string())?;
        stream.set_nodelay(true).map_err(|error| error.to_string())?;
        match &self.place.tls {
            None => self.shake_hands(stream).await,
            Some((connector, name)) => {
                let stream = connector.connect(name.as_ref().clone(), stream).await;
                self.shake_hands(stream.map_err(|error| format!("TLS: {error}"))?).await
            }
        }
    }

    async fn shake_hands<S>(self: &Arc<Self>, stream: S) -> Result<SendRequest<Bytes>, Failure>
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let (sender, driver) = client::Builder::new()
            .initial_window_size(WINDOW_BYTES)
            .initial_connection_window_size(WINDOW_BYTES)
            .enable_push(false)
            .handshake(stream)
            .await
            .map_err(|error| format!("HTTP/2: {error}"))?;
        let connection = Arc::downgrade(self);
        let number = self.state().count + 1;
        tokio::spawn(async move {
            // Every call on it hears of the error, too.
            let _ = driver.await;
            if let Some(connection) = connection.upgrade() {
                connection.lose(number);
            }
        });
        // A server that is none says so when it is first spoken to.
        sender.ready().await.map_err(|error| format!("HTTP/2: {error}"))
    }
}

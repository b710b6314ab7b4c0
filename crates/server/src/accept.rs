//! How connections are taken from a listener.

use std::collections::VecDeque;

use tokio::net::{TcpListener, TcpStream};
use tokio::time::sleep;
use tokio_util::task::AbortOnDropHandle;

use crate::limits::ACCEPT_AGAIN_AFTER;
use crate::telemetry::log::Rarely;

/// The next connection. Where none can be had, that is logged, `failed` permitting, and tried again.
pub async fn accept(listener: &TcpListener, failed: &mut Rarely) -> TcpStream {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => return stream,
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

/// Serves the connections to a port of those who run the server, for ever. When `most` are open, a further one
/// takes the place of the one that has been there longest: no probe is kept out by connections that say nothing.
pub async fn serve_newest<S: Future<Output = ()> + Send + 'static>(
    listener: TcpListener,
    most: usize,
    serve: impl Fn(TcpStream) -> S,
) {
    let mut open = VecDeque::new();
    let (mut closed, mut failed) = (Rarely::default(), Rarely::default());
    loop {
        let stream = accept(&listener, &mut failed).await;
        open.retain(|connection: &AbortOnDropHandle<()>| !connection.is_finished());
        if open.len() >= most {
            open.pop_front();
            if let Some(times) = closed.count() {
                tracing::warn!(times, most, "the oldest connection was closed for a new one");
            }
        }
        open.push_back(AbortOnDropHandle::new(tokio::spawn(serve(stream))));
    }
}

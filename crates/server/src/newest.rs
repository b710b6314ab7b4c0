//! Connections to the ports of those who run the server. Whoever comes is let in, so that no probe is kept
//! out by connections that say nothing.

use std::collections::VecDeque;

use tokio::net::{TcpListener, TcpStream};
use tokio::time::sleep;
use tokio_util::task::AbortOnDropHandle;

use crate::limits::ACCEPT_AGAIN_AFTER;
use crate::telemetry::log::Rarely;

/// Serves the connections of `listener` for ever. When `most` are open, a further one takes the place of the
/// one that has been there longest.
pub async fn serve_newest<S: Future<Output = ()> + Send + 'static>(
    listener: TcpListener,
    most: usize,
    serve: impl Fn(TcpStream) -> S,
) {
    let mut open = VecDeque::new();
    let (mut closed, mut failed) = (Rarely::default(), Rarely::default());
    loop {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            // No file descriptors left, most likely: they come back when other connections end.
            Err(error) => {
                if let Some(times) = failed.count() {
                    tracing::warn!(times, %error, "cannot accept a connection");
                }
                sleep(ACCEPT_AGAIN_AFTER).await;
                continue;
            }
        };
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

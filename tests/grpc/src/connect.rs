//! Connections that a test opens itself.

use std::io;

use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tonic::codegen::http::Uri;
use tower::{Service, service_fn};

/// What opens the connections of a channel.
pub fn connector<F, S>(
    mut open: impl FnMut(Uri) -> F + Send + 'static,
) -> impl Service<Uri, Response = TokioIo<S>, Error = io::Error, Future: Send> + Send + 'static
where
    F: Future<Output = io::Result<S>> + Send + 'static,
    S: AsyncRead + AsyncWrite,
{
    service_fn(move |uri| {
        let opened = open(uri);
        async { opened.await.map(TokioIo::new) }
    })
}

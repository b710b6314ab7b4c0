//! The peer of the service: it answers with as many bytes, and does nothing for them.

use std::net::SocketAddr;
use std::pin::Pin;

use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;
use tokio_stream::{Stream, StreamExt as _};
use tonic::{Request, Response, Status, Streaming};

use crate::exit::Failure;

/// Messages and service, generated from `proto/echo.proto`.
#[allow(missing_docs, unreachable_pub, clippy::all, clippy::doc_markdown, clippy::too_many_lines)]
pub(crate) mod pb {
    tonic::include_proto!("arbiter.load.v1");
}

use pb::echo_service_server::{EchoService, EchoServiceServer};
use pb::{EchoRequest, EchoResponse};

/// The longest answer: as long as a request of the service may be.
const MAX_BYTES: u32 = 1 << 20;

/// The line that tells where the echo is.
pub(crate) const LISTENING: &str = "listening address=";

struct Echo;

#[tonic::async_trait]
impl EchoService for Echo {
    async fn echo(&self, request: Request<EchoRequest>) -> Result<Response<EchoResponse>, Status> {
        answer(&request.into_inner()).map(Response::new)
    }

    type EchoStreamStream = Pin<Box<dyn Stream<Item = Result<EchoResponse, Status>> + Send>>;

    async fn echo_stream(
        &self,
        request: Request<Streaming<EchoRequest>>,
    ) -> Result<Response<Self::EchoStreamStream>, Status> {
        let answers = request.into_inner().map(|request| answer(&request?));
        Ok(Response::new(Box::pin(answers)))
    }
}

fn answer(request: &EchoRequest) -> Result<EchoResponse, Status> {
    if request.answer_bytes > MAX_BYTES {
        return Err(Status::invalid_argument(format!("answer_bytes: expected at most {MAX_BYTES}")));
    }
    Ok(EchoResponse { payload: vec![b'.'; request.answer_bytes as usize] })
}

/// Serves on a free port, whose address is told on standard error, until the process is ended: a bare tonic
/// server with the runtime and the allocator of the service.
///
/// # Errors
/// The system has no port or no threads.
pub(crate) fn serve() -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    runtime.map_err(|error| error.to_string())?.block_on(async {
        let address = SocketAddr::from(([127, 0, 0, 1], 0));
        let listener = TcpListener::bind(address).await.map_err(|error| error.to_string())?;
        let address = listener.local_addr().map_err(|error| error.to_string())?;
        eprintln!("{LISTENING}{address}");
        let connections = TcpListenerStream::new(listener).filter(|stream| {
            // As the service does.
            stream.as_ref().is_ok_and(|stream| stream.set_nodelay(true).is_ok())
        });
        let server = tonic::transport::Server::builder().add_service(EchoServiceServer::new(Echo));
        server.serve_with_incoming(connections).await.map_err(|error| error.to_string())
    })
}

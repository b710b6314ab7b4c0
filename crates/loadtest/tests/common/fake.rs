//! A service that knows nothing: it answers every question alike, after a time, or not at all.

use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use proto::v1::arbiter_service_server::{ArbiterService, ArbiterServiceServer};
use proto::v1::{
    GameStatusRequest, GameStatusResponse, GetServerInfoRequest, GetServerInfoResponse, LegalMovesRequest,
    LegalMovesResponse, Move, ReplayGameRequest, ReplayGameResponse, SearchRequest, SearchResponse,
    ValidateMoveRequest, ValidateMoveResponse, ValidateMovesRequest, ValidateMovesResponse,
};
use tokio::net::TcpListener;
use tokio::time::sleep;
use tokio_stream::wrappers::TcpListenerStream;
use tokio_stream::{Stream, StreamExt as _};
use tonic::{Code, Request, Response, Status, Streaming};
use tonic_types::{ErrorDetails, StatusExt as _};

/// How the service behaves.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Manner {
    /// `GetServerInfo` is answered, rightly.
    Right,
    /// `GetServerInfo` is answered with another API.
    WrongApi,
    /// `GetServerInfo` is answered, and every second call is refused as `OVERLOADED`.
    HalfRefused,
    /// `GetServerInfo` is answered, and the call with this number only after so much time.
    Stall(u64, Duration),
    /// Nothing is answered in time.
    Silent,
}

struct Fake {
    manner: Manner,
    calls: Arc<AtomicU64>,
    token: Option<&'static str>,
}

/// Starts a service.
pub(crate) async fn start(manner: Manner) -> SocketAddr {
    start_with_token(manner, None).await
}

/// Starts a service that wants to see a token.
pub(crate) async fn start_with_token(manner: Manner, token: Option<&'static str>) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(serve(manner, token, TcpListenerStream::new(listener)));
    address
}

/// Serves connections.
pub(crate) async fn serve<S, C>(manner: Manner, token: Option<&'static str>, connections: S)
where
    S: Stream<Item = std::io::Result<C>> + Send + 'static,
    C: tokio::io::AsyncRead
        + tokio::io::AsyncWrite
        + tonic::transport::server::Connected
        + Unpin
        + Send
        + 'static,
    C::ConnectInfo: Clone + Send + Sync,
{
    let fake = Fake { manner, calls: Arc::default(), token };
    let server = tonic::transport::Server::builder().add_service(ArbiterServiceServer::new(fake));
    server.serve_with_incoming(connections).await.expect("the fake serves");
}

type Answers<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;

#[tonic::async_trait]
impl ArbiterService for Fake {
    type ValidateMovesStream = Answers<ValidateMovesResponse>;
    type SearchStream = Answers<SearchResponse>;

    /// Every move is legal: what a service says that knows no rules.
    async fn validate_move(
        &self,
        request: Request<ValidateMoveRequest>,
    ) -> Result<Response<ValidateMoveResponse>, Status> {
        let uci = request.into_inner().r#move;
        let played = Move { uci, ..Move::default() };
        Ok(Response::new(ValidateMoveResponse { legal: true, r#move: Some(played), ..Default::default() }))
    }

    /// One answer less than there are questions.
    async fn validate_moves(
        &self,
        request: Request<Streaming<ValidateMovesRequest>>,
    ) -> Result<Response<Self::ValidateMovesStream>, Status> {
        let answers = request.into_inner().skip(1).map(|it| it.map(|_| ValidateMovesResponse::default()));
        Ok(Response::new(Box::pin(answers)))
    }

    async fn legal_moves(
        &self,
        _: Request<LegalMovesRequest>,
    ) -> Result<Response<LegalMovesResponse>, Status> {
        Ok(Response::new(LegalMovesResponse::default()))
    }

    async fn game_status(
        &self,
        _: Request<GameStatusRequest>,
    ) -> Result<Response<GameStatusResponse>, Status> {
        Ok(Response::new(GameStatusResponse::default()))
    }

    async fn replay_game(
        &self,
        _: Request<ReplayGameRequest>,
    ) -> Result<Response<ReplayGameResponse>, Status> {
        Ok(Response::new(ReplayGameResponse::default()))
    }

    /// A search that never comes to an end.
    async fn search(&self, _: Request<SearchRequest>) -> Result<Response<Self::SearchStream>, Status> {
        let progress = SearchResponse { depth: 1, ..SearchResponse::default() };
        Ok(Response::new(Box::pin(tokio_stream::once(Ok(progress)))))
    }

    async fn get_server_info(
        &self,
        request: Request<GetServerInfoRequest>,
    ) -> Result<Response<GetServerInfoResponse>, Status> {
        if let Some(token) = self.token {
            let shown = request.metadata().get("authorization").and_then(|value| value.to_str().ok());
            if shown != Some(&format!("Bearer {token}")) {
                return Err(Status::unauthenticated("no token"));
            }
        }
        let number = self.calls.fetch_add(1, Ordering::Relaxed);
        let api = if matches!(self.manner, Manner::WrongApi) { "arbiter.v0" } else { "arbiter.v1" };
        match self.manner {
            Manner::HalfRefused if number % 2 == 1 => return Err(overloaded()),
            Manner::Stall(call, time) if number == call => sleep(time).await,
            Manner::Silent => std::future::pending().await,
            _ => {}
        }
        Ok(Response::new(GetServerInfoResponse { api: api.to_owned(), ..Default::default() }))
    }
}

fn overloaded() -> Status {
    let details = ErrorDetails::with_error_info("OVERLOADED", "arbiter", std::collections::HashMap::new());
    Status::with_error_details(Code::ResourceExhausted, "full", details)
}

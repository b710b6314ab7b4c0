//! The calls of the API, one file each. Every one of them decodes a question, asks it and encodes the
//! answer; it knows no rule.

mod game_status;
mod get_server_info;
mod legal_moves;
mod replay_game;
mod validate_move;
mod validate_moves;

use proto::v1;
use proto::v1::arbiter_service_server::ArbiterService;
use tokio_util::sync::CancellationToken;
use tonic::{Request, Response, Status, Streaming};

use crate::deadline::Deadline;
use crate::workers::Workers;

pub use validate_moves::Answers;

/// The service `arbiter.v1.ArbiterService`.
#[derive(Debug)]
pub struct Arbiter {
    workers: Workers,
    /// Cancelled when streams must end because the server stops.
    last_call: CancellationToken,
}

impl Arbiter {
    /// A service that works with `workers` and ends its streams when `last_call` is cancelled.
    #[must_use]
    pub fn new(workers: Workers, last_call: CancellationToken) -> Self {
        Self { workers, last_call }
    }
}

#[tonic::async_trait]
impl ArbiterService for Arbiter {
    async fn validate_move(
        &self,
        request: Request<v1::ValidateMoveRequest>,
    ) -> Result<Response<v1::ValidateMoveResponse>, Status> {
        validate_move::answer(&self.workers, request.into_inner()).await
    }

    type ValidateMovesStream = Answers<Streaming<v1::ValidateMovesRequest>>;

    async fn validate_moves(
        &self,
        request: Request<Streaming<v1::ValidateMovesRequest>>,
    ) -> Result<Response<Self::ValidateMovesStream>, Status> {
        let deadline = request.extensions().get::<Deadline>().copied();
        let questions = request.into_inner();
        Ok(Response::new(Answers::new(self.workers.clone(), questions, self.last_call.clone(), deadline)))
    }

    async fn legal_moves(
        &self,
        request: Request<v1::LegalMovesRequest>,
    ) -> Result<Response<v1::LegalMovesResponse>, Status> {
        legal_moves::answer(&self.workers, request.into_inner()).await
    }

    async fn game_status(
        &self,
        request: Request<v1::GameStatusRequest>,
    ) -> Result<Response<v1::GameStatusResponse>, Status> {
        game_status::answer(&self.workers, request.into_inner()).await
    }

    async fn replay_game(
        &self,
        request: Request<v1::ReplayGameRequest>,
    ) -> Result<Response<v1::ReplayGameResponse>, Status> {
        replay_game::answer(&self.workers, request.into_inner()).await
    }

    async fn get_server_info(
        &self,
        _: Request<v1::GetServerInfoRequest>,
    ) -> Result<Response<v1::GetServerInfoResponse>, Status> {
        Ok(Response::new(get_server_info::answer()))
    }
}

//! The calls of the API, one file each. Every one of them decodes a question, measures it against the
//! limits before it may wait, asks it and encodes the answer; it knows no rule.

mod game_status;
mod get_server_info;
mod legal_moves;
mod replay_game;
mod search;
mod validate_move;
mod validate_moves;

use std::sync::Arc;

use proto::v1;
use proto::v1::arbiter_service_server::ArbiterService;
use tokio_util::sync::CancellationToken;
use tonic::{Request, Response, Status, Streaming};

use crate::config::Served;
use crate::deadline::Deadline;
use crate::method::Method;
use crate::searches::{Results, Searches};
use crate::telemetry::Telemetry;
use crate::workers::{Load, Workers};

pub use validate_moves::AnswerStream;

/// The service `arbiter.v1.ArbiterService`.
#[derive(Debug)]
pub struct Arbiter {
    /// Which calls get this far.
    served: Served,
    workers: Workers,
    searches: Searches,
    telemetry: Arc<Telemetry>,
}

/// When the streams of a call's connection must end, as an extension of the request.
#[derive(Debug, Clone, Default)]
pub struct LastCall(pub CancellationToken);

impl LastCall {
    fn of<T>(request: &Request<T>) -> CancellationToken {
        request.extensions().get::<LastCall>().cloned().unwrap_or_default().0
    }
}

impl Arbiter {
    /// A service that is asked for what is `served`, and works with `workers` and `searches`. What it is
    /// asked is counted.
    #[must_use]
    pub fn new(served: Served, workers: Workers, searches: Searches, telemetry: Arc<Telemetry>) -> Self {
        Self { served, workers, searches, telemetry }
    }
}

/// The answer to a question that was so much work. tonic compresses an answer where calls are handled: that of
/// a long question, up to 2 MiB, would hold others up, and goes as it is.
fn response<T>(load: Load, answer: T) -> Response<T> {
    let mut response = Response::new(answer);
    if load == Load::Long {
        response.disable_compression();
    }
    response
}

impl Arbiter {
    /// Counts a question about a game.
    fn asked(&self, method: Method, game: Option<&v1::Game>) {
        self.telemetry.metrics.asked(method, game);
    }
}

#[tonic::async_trait]
impl ArbiterService for Arbiter {
    async fn validate_move(
        &self,
        request: Request<v1::ValidateMoveRequest>,
    ) -> Result<Response<v1::ValidateMoveResponse>, Status> {
        self.asked(Method::VALIDATE_MOVE, request.get_ref().game.as_ref());
        validate_move::answer(&self.workers, request.into_inner()).await
    }

    type ValidateMovesStream = AnswerStream;

    async fn validate_moves(
        &self,
        request: Request<Streaming<v1::ValidateMovesRequest>>,
    ) -> Result<Response<Self::ValidateMovesStream>, Status> {
        let deadline = request.extensions().get::<Deadline>().copied();
        let last_call = LastCall::of(&request);
        let questions = request.into_inner();
        let (workers, telemetry) = (self.workers.clone(), self.telemetry.clone());
        Ok(Response::new(AnswerStream::new(workers, questions, telemetry, last_call, deadline)))
    }

    async fn legal_moves(
        &self,
        request: Request<v1::LegalMovesRequest>,
    ) -> Result<Response<v1::LegalMovesResponse>, Status> {
        self.asked(Method::LEGAL_MOVES, request.get_ref().game.as_ref());
        legal_moves::answer(&self.workers, request.into_inner()).await
    }

    async fn game_status(
        &self,
        request: Request<v1::GameStatusRequest>,
    ) -> Result<Response<v1::GameStatusResponse>, Status> {
        self.asked(Method::GAME_STATUS, request.get_ref().game.as_ref());
        game_status::answer(&self.workers, request.into_inner()).await
    }

    async fn replay_game(
        &self,
        request: Request<v1::ReplayGameRequest>,
    ) -> Result<Response<v1::ReplayGameResponse>, Status> {
        self.asked(Method::REPLAY_GAME, request.get_ref().game.as_ref());
        replay_game::answer(&self.workers, request.into_inner()).await
    }

    async fn get_server_info(
        &self,
        _: Request<v1::GetServerInfoRequest>,
    ) -> Result<Response<v1::GetServerInfoResponse>, Status> {
        Ok(Response::new(get_server_info::answer(self.served, &self.searches)))
    }

    type SearchStream = Results;

    async fn search(&self, request: Request<v1::SearchRequest>) -> Result<Response<Results>, Status> {
        let deadline = request.extensions().get::<Deadline>().copied();
        self.asked(Method::SEARCH, request.get_ref().game.as_ref());
        let last_call = LastCall::of(&request);
        Ok(Response::new(search::answer(&self.searches, request.into_inner(), deadline, last_call)?))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tonic_types::StatusExt as _;

    use super::*;

    /// The reason of an error, and the limit that it is about.
    fn reason<T: std::fmt::Debug>(answer: Result<T, Status>) -> (String, Option<String>) {
        let info = answer.expect_err("an error").get_details_error_info().expect("an ErrorInfo");
        (info.reason, info.metadata.get("limit").cloned())
    }

    /// With nobody to work and no place to wait, a question gets as far as it can without either.
    #[tokio::test]
    async fn what_is_too_large_never_waits() {
        let arbiter = Arbiter::new(
            Served::All,
            Workers::new(0, 0),
            Searches::new(0, Duration::ZERO, CancellationToken::new(), Telemetry::for_tests()),
            Telemetry::for_tests(),
        );
        let of_moves = |count| v1::Game { moves: vec![String::new(); count], ..v1::Game::default() };
        let status = |game| Request::new(v1::GameStatusRequest { game: Some(game) });
        assert_eq!(reason(arbiter.game_status(status(of_moves(500))).await), ("OVERLOADED".to_owned(), None));

        let exceeds = |limit: &str| ("LIMIT_EXCEEDED".to_owned(), Some(limit.to_owned()));
        let game = of_moves(500_000);
        assert_eq!(reason(arbiter.game_status(status(game.clone())).await), exceeds("max_moves"));
        let question = v1::ValidateMoveRequest { game: Some(game.clone()), ..Default::default() };
        assert_eq!(reason(arbiter.validate_move(Request::new(question)).await), exceeds("max_moves"));
        let question = v1::LegalMovesRequest { game: Some(game.clone()), ..Default::default() };
        assert_eq!(reason(arbiter.legal_moves(Request::new(question)).await), exceeds("max_moves"));
        let squares = vec!["e2".to_owned(); 91];
        let question = v1::LegalMovesRequest { game: Some(of_moves(500)), from_squares: squares };
        assert_eq!(reason(arbiter.legal_moves(Request::new(question)).await), exceeds("max_squares"));
        let question = v1::ReplayGameRequest { game: Some(game), ..Default::default() };
        assert_eq!(reason(arbiter.replay_game(Request::new(question)).await), exceeds("max_moves"));
        let question = v1::ReplayGameRequest { pgn: " ".repeat(1_024_001), ..Default::default() };
        assert_eq!(reason(arbiter.replay_game(Request::new(question)).await), exceeds("max_pgn_bytes"));
    }
}

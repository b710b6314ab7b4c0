//! Which moves are legal?

use analysis::legal_moves::{LegalMoves, check_limits, legal_moves};
use proto::v1;
use tonic::{Response, Status};

use super::response;
use crate::convert::answer::{move_to_proto, state_to_proto};
use crate::convert::question::game_from_proto;
use crate::refusal::Refusal;
use crate::telemetry::traces::{parse, part};
use crate::workers::{Load, Workers};

pub(super) async fn answer(
    workers: &Workers,
    request: v1::LegalMovesRequest,
) -> Result<Response<v1::LegalMovesResponse>, Status> {
    let game = parse(|| {
        let game = game_from_proto(request.game)?;
        check_limits(&game, &request.from_squares).map_err(Refusal::from)?;
        Ok::<_, Refusal>(game)
    })?;
    let load = Load::of_game(&game);
    let ask =
        part("rules", move || legal_moves(&game, &request.from_squares).map(to_proto).map_err(Refusal::from));
    Ok(response(load, workers.run(load, ask).await?))
}

fn to_proto(answer: LegalMoves) -> v1::LegalMovesResponse {
    v1::LegalMovesResponse {
        moves: answer.moves.iter().map(move_to_proto).collect(),
        check: answer.state.check,
        state: Some(state_to_proto(answer.state)),
    }
}

//! How does the game stand, and what may be claimed?

use analysis::game_status::{GameStatus, game_status};
use proto::v1;
use tonic::{Response, Status};

use super::response;
use crate::convert::answer::{claim_to_proto, material_to_proto, state_to_proto};
use crate::convert::question::game_from_proto;
use crate::convert::repetition::repetition_to_proto;
use crate::refusal::Refusal;
use crate::telemetry::traces::{parse, part};
use crate::workers::{Load, Workers};

pub(super) async fn answer(
    workers: &Workers,
    request: v1::GameStatusRequest,
) -> Result<Response<v1::GameStatusResponse>, Status> {
    let game = parse(|| {
        let game = game_from_proto(request.game)?;
        game.check_limits().map_err(Refusal::from)?;
        Ok::<_, Refusal>(game)
    })?;
    let load = Load::of_game(&game);
    let ask = part("rules", move || game_status(&game).map(to_proto).map_err(Refusal::from));
    Ok(response(load, workers.run(load, ask).await?))
}

fn to_proto(answer: GameStatus) -> v1::GameStatusResponse {
    let [first, second] = answer.mating_chances.map(material_to_proto);
    v1::GameStatusResponse {
        state: Some(state_to_proto(answer.state)),
        fen: answer.fen,
        claims: answer.claims.into_iter().map(claim_to_proto).collect(),
        first: Some(first),
        second: Some(second),
        repetition: answer.repetition.map(repetition_to_proto),
    }
}

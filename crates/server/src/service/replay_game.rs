//! What happened in this game?

use analysis::replay_game::{ReplayedGame, replay_game};
use proto::v1;
use tonic::{Response, Status};

use super::response;
use crate::convert::answer::{illegal_to_proto, move_to_proto, state_to_proto};
use crate::convert::count_to_proto;
use crate::convert::question::record_from_proto;
use crate::refusal::Refusal;
use crate::telemetry::traces::{parse, part};
use crate::workers::{Load, Workers};

pub(super) async fn answer(
    workers: &Workers,
    request: v1::ReplayGameRequest,
) -> Result<Response<v1::ReplayGameResponse>, Status> {
    let record = parse(|| {
        let record = record_from_proto(request)?;
        record.check_limits().map_err(Refusal::from)?;
        Ok::<_, Refusal>(record)
    })?;
    let load = Load::of_record(&record);
    let ask = part("rules", move || replay_game(&record).map(to_proto).map_err(Refusal::from));
    Ok(response(load, workers.run(load, ask).await?))
}

fn to_proto(answer: ReplayedGame) -> v1::ReplayGameResponse {
    let (first_illegal_ply, illegal) = answer.illegal.unzip();
    let plies = answer.plies.into_iter();
    let tags = answer.tags.into_iter();
    v1::ReplayGameResponse {
        plies: plies
            .map(|ply| v1::ReplayedPly { r#move: Some(move_to_proto(&ply.m)), fen: ply.fen })
            .collect(),
        ply_count: count_to_proto(answer.ply_count),
        game_count: count_to_proto(answer.game_count),
        first_illegal_ply: first_illegal_ply.map(count_to_proto),
        ended_at_ply: answer.ended_at_ply.map(count_to_proto),
        illegal: illegal.map(illegal_to_proto),
        state: Some(state_to_proto(answer.state)),
        tags: tags.map(|tag| v1::Tag { name: tag.name, value: tag.value }).collect(),
        result: answer.result,
    }
}

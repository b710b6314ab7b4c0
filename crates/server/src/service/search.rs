//! Which moves are best?

use proto::v1;
use tokio_util::sync::CancellationToken;
use tonic::Status;

use crate::convert::search::search_from_proto;
use crate::deadline::Deadline;
use crate::refusal::Refusal;
use crate::searches::{Results, Searches};
use crate::telemetry::traces::parse;

pub(super) fn answer(
    searches: &Searches,
    request: v1::SearchRequest,
    deadline: Option<Deadline>,
    last_call: CancellationToken,
) -> Result<Results, Status> {
    let question = parse(|| {
        let question = search_from_proto(request)?;
        question.check_limits().map_err(Refusal::from)?;
        Ok::<_, Refusal>(question)
    })?;
    Ok(searches.begin(question, deadline, last_call)?)
}

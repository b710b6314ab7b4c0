//! Searches, asked and followed to their end.

use proto::v1::{Game, PvLine, SearchLimits, SearchRequest, SearchResponse, score::Value};
use tokio::time::timeout;
use tonic::{IntoRequest, Status, Streaming};

use crate::Client;
use crate::server::PATIENCE;

/// A search in a game that looks at so many positions.
#[must_use]
pub fn with_nodes(game: Game, nodes: u64) -> SearchRequest {
    with_limits(game, SearchLimits { nodes, ..SearchLimits::default() })
}

/// A search in a game with these limits.
#[must_use]
pub fn with_limits(game: Game, limits: SearchLimits) -> SearchRequest {
    SearchRequest { game: Some(game), limits: Some(limits), ..SearchRequest::default() }
}

/// What a search has found.
///
/// # Panics
/// It is refused, or its messages are not as they should be.
pub async fn search(client: &mut Client, request: impl IntoRequest<SearchRequest>) -> SearchResponse {
    try_search(client, request).await.expect("an answer")
}

/// What a search has found, or why it was not begun.
///
/// # Errors
/// The refusal.
///
/// # Panics
/// The messages of the search are not as they should be.
pub async fn try_search(
    client: &mut Client,
    request: impl IntoRequest<SearchRequest>,
) -> Result<SearchResponse, Status> {
    Ok(last(client.search(request).await?.into_inner()).await?.1)
}

/// Follows a search: how many messages of progress there were, and the final one, which is the last.
///
/// # Errors
/// The refusal.
///
/// # Panics
/// The messages are not as they should be.
pub async fn last(mut messages: Streaming<SearchResponse>) -> Result<(usize, SearchResponse), Status> {
    let mut progress = 0;
    loop {
        let message = timeout(PATIENCE, messages.message()).await.expect("a message in time")?;
        let message = message.expect("the last message is final");
        check(&message);
        if message.r#final {
            let end = timeout(PATIENCE, messages.message()).await.expect("an end in time")?;
            assert!(end.is_none(), "a message after the final one: {end:?}");
            return Ok((progress, message));
        }
        progress += 1;
    }
}

/// What every message of a search has.
fn check(message: &SearchResponse) {
    assert_eq!(message.r#final, message.stop_reason != 0, "{message:?}");
    assert!(message.elapsed.is_some() && message.engine.is_some(), "{message:?}");
    assert!(message.hashfull_permille <= 1000, "{message:?}");
    let first = message.lines.first().expect("a line");
    let best = message.best_move.as_ref().expect("a best move");
    assert_eq!(first.pv.first(), Some(&best.uci), "{message:?}");
    let reply = message.ponder_move.as_ref().map(|reply| &reply.uci);
    assert_eq!(first.pv.get(1), reply, "{message:?}");
    for (rank, line) in (1..).zip(&message.lines) {
        assert_eq!(line.rank, rank, "{message:?}");
        assert_eq!(line.pv.len(), line.pv_text.len(), "{line:?}");
        let wdl = line.wdl.expect("win, draw and loss");
        assert_eq!(wdl.win_permille + wdl.draw_permille + wdl.loss_permille, 1000, "{line:?}");
        let score = line.score.as_ref().expect("a score");
        assert!(score.value.is_some(), "{line:?}");
        // Only the best line is always told of, once it was looked at.
        assert!(score.bound != 0 || rank > 1 || line.depth == 0, "{line:?}");
        assert!(score.bound == 0 || line.depth > 0, "{line:?}");
    }
}

/// What a line is worth to the side to move, in centipawns: 30,000 less its length for a mate.
///
/// # Panics
/// It has no score.
#[must_use]
pub fn worth(line: &PvLine) -> i32 {
    match line.score.as_ref().and_then(|score| score.value).expect("a score") {
        Value::Centipawns(centipawns) => centipawns,
        Value::MateIn(moves) => 30_000 * moves.signum() - moves,
    }
}

/// In how many moves a line mates; negative when it is mated.
#[must_use]
pub fn mate_in(line: &PvLine) -> Option<i32> {
    match line.score.as_ref()?.value? {
        Value::MateIn(moves) => Some(moves),
        Value::Centipawns(_) => None,
    }
}

//! Searches, and what they find.

use std::time::Duration;

use analysis::search::{Bound, ENGINE, LineReport, Score, SearchQuestion, SearchReport, StopReason};
use analysis::strength::Strength;
use proto::v1::{self, ErrorReason};

use super::answer::move_to_proto;
use super::question::game_from_proto;
use crate::refusal::Refusal;

/// What a duration's seconds leave is less than this.
const NANOS_PER_SECOND: u32 = 1_000_000_000;

/// Reads a search.
///
/// # Errors
/// An enum value that is not known, or a duration that is negative or not well formed.
pub fn search_from_proto(request: v1::SearchRequest) -> Result<SearchQuestion, Refusal> {
    let limits = request.limits.unwrap_or_default();
    let set = |value: u32| (value > 0).then_some(value);
    Ok(SearchQuestion {
        game: game_from_proto(request.game)?,
        depth: set(limits.depth),
        nodes: (limits.nodes > 0).then_some(limits.nodes),
        time: limits.move_time.map(|time| duration_from_proto("limits.move_time", &time)).transpose()?,
        mate: set(limits.mate),
        multi_pv: request.multi_pv as usize,
        search_moves: request.search_moves,
        exclude_moves: request.exclude_moves,
        hash_mib: request.hash_mib as usize,
        strength: request
            .strength
            .and_then(|strength| set(strength.elo).map(|elo| Strength { elo, seed: strength.seed })),
    })
}

fn duration_from_proto(field: &str, duration: &prost_types::Duration) -> Result<Duration, Refusal> {
    let prost_types::Duration { seconds, nanos } = *duration;
    let whole = u64::try_from(seconds).ok();
    let part = u32::try_from(nanos).ok().filter(|&nanos| nanos < NANOS_PER_SECOND);
    whole.zip(part).map(|(seconds, nanos)| Duration::new(seconds, nanos)).ok_or_else(|| {
        let value = format!("{seconds} s and {nanos} ns");
        let expected = "zero or more, with less than 1,000,000,000 ns";
        let message = format!("{value} is no time to search; expected a duration of {expected}");
        let mut refusal = Refusal::of_field(ErrorReason::ValueOutOfRange, field, message);
        refusal.metadata = vec![("value", value), ("expected", expected.to_owned())];
        refusal
    })
}

/// What a search has found; the last message with `final_reason`.
#[must_use]
pub fn search_to_proto(report: SearchReport, final_reason: Option<v1::StopReason>) -> v1::SearchResponse {
    let lines = (1..).zip(report.lines);
    v1::SearchResponse {
        r#final: final_reason.is_some(),
        depth: report.depth,
        seldepth: report.seldepth,
        nodes: report.nodes,
        elapsed: duration_to_proto(report.elapsed),
        hashfull_permille: report.hashfull_permille,
        lines: lines.map(|(rank, line)| line_to_proto(rank, &line)).collect(),
        best_move: report.best_move.as_ref().map(move_to_proto),
        ponder_move: report.ponder_move.as_ref().map(move_to_proto),
        stop_reason: final_reason.unwrap_or_default().into(),
        engine: Some(engine_to_proto()),
    }
}

fn line_to_proto(rank: u32, line: &LineReport) -> v1::PvLine {
    let value = match line.score {
        Score::Centipawns(centipawns) => v1::score::Value::Centipawns(centipawns),
        Score::MateIn(moves) => v1::score::Value::MateIn(moves),
    };
    let bound = match line.bound {
        Some(Bound::Exact) => v1::Bound::Exact,
        Some(Bound::Lower) => v1::Bound::Lower,
        Some(Bound::Upper) => v1::Bound::Upper,
        None => v1::Bound::Unspecified,
    };
    let [win_permille, draw_permille, loss_permille] = line.wdl;
    v1::PvLine {
        rank,
        score: Some(v1::Score { value: Some(value), bound: bound.into() }),
        first_side_centipawns: line.first_side_centipawns,
        wdl: Some(v1::Wdl { win_permille, draw_permille, loss_permille }),
        pv: line.pv.iter().map(ToString::to_string).collect(),
        pv_text: line.pv_text.iter().map(ToString::to_string).collect(),
        depth: line.depth,
    }
}

/// Why a search stopped, as far as the search itself knows.
#[must_use]
pub fn stop_reason_to_proto(reason: StopReason) -> v1::StopReason {
    match reason {
        StopReason::Depth | StopReason::NoMoves => v1::StopReason::Depth,
        StopReason::Nodes => v1::StopReason::Nodes,
        StopReason::Time => v1::StopReason::Time,
        StopReason::Mate => v1::StopReason::Mate,
        StopReason::Stopped => v1::StopReason::Shutdown,
    }
}

/// What answers a search.
#[must_use]
pub fn engine_to_proto() -> v1::Engine {
    let [name, version, evaluation] = ENGINE.map(str::to_owned);
    v1::Engine { name, version, evaluation }
}

/// A duration; nothing when it is longer than the API can say, which none of ours is.
#[must_use]
pub fn duration_to_proto(duration: Duration) -> Option<prost_types::Duration> {
    prost_types::Duration::try_from(duration).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_below_zero_is_refused() {
        for (seconds, nanos) in [(-1, 0), (0, -1), (i64::MIN, i32::MIN), (i64::MIN, 0), (0, i32::MIN)] {
            let refusal = duration_from_proto("limits.move_time", &prost_types::Duration { seconds, nanos });
            let refusal = refusal.expect_err("less than nothing");
            assert_eq!(refusal.reason, ErrorReason::ValueOutOfRange);
            assert_eq!(refusal.violations[0].field, "limits.move_time");
        }
        let of = |seconds, nanos| {
            duration_from_proto("limits.move_time", &prost_types::Duration { seconds, nanos })
        };
        assert!(of(i64::MAX, 999_999_999).is_ok());
        assert!(of(0, 1_000_000_000).is_err(), "a second is a second");
    }
}

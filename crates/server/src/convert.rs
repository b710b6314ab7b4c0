//! Between the messages of the API and the plain data of the questions: every enum, both ways.

use std::time::Duration;

use analysis::game_status::ClaimReport;
use analysis::repetition::{PlyReport, RepetitionReport, TargetReport};
use analysis::replay::{Game, MoveLimit};
use analysis::replay_game::Record;
use analysis::report::{GameState, IllegalMove, MoveReport, OutcomeReport};
use analysis::search::{Bound, ENGINE, LineReport, Score, SearchQuestion, SearchReport, StopReason};
use analysis::strength::Strength;
use analysis::validate_move::View;
use analysis::variant::Variant;
use analysis::{
    AnyRole, CastlingSide, ClaimKind, Class, Conduct, IdleKind, Language, MatingChance, Means, MoveNotation,
    Reason, Root, RuleSet, Side, Termination, Verdict,
};
use proto::v1::{self, ErrorReason};

use crate::refusal::Refusal;

/// Reads the game of a request; without one, it is chess from the start position. Its sizes are for
/// `check_limits` to judge.
///
/// # Errors
/// An enum value that is not known, or a variant that is not served.
pub fn game_from_proto(game: Option<v1::Game>) -> Result<Game, Refusal> {
    let Some(game) = game else { return Ok(Game::default()) };
    Ok(Game {
        variant: variant_from_proto(game.variant)?,
        initial_fen: game.initial_fen,
        moves: game.moves,
        notation: notation_from_proto("game.notation", game.notation)?,
        rule_set: rule_set_from_proto(game.rule_set)?,
        move_limits: game.move_limits.into_iter().map(move_limit_from_proto).collect(),
        rule_on_claim: game.rule_on_claim,
        language: language_from_proto(game.language)?,
    })
}

/// Reads a search.
///
/// # Errors
/// An enum value that is not known, a variant that is not served, or a duration that is negative or not well
/// formed.
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

/// What a duration's seconds leave is less than this.
const NANOS_PER_SECOND: u32 = 1_000_000_000;

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

fn variant_from_proto(value: i32) -> Result<Option<Variant>, Refusal> {
    match known("game.variant", value)? {
        v1::Variant::Unspecified => Ok(None),
        v1::Variant::Chess => Ok(Some(Variant::Chess)),
        v1::Variant::Chess960 => Ok(Some(Variant::Chess960)),
        v1::Variant::Xiangqi => Ok(Some(Variant::Xiangqi)),
    }
}

/// Reads the notation that stands in `field`.
///
/// # Errors
/// The value is not known.
pub fn notation_from_proto(field: &str, value: i32) -> Result<MoveNotation, Refusal> {
    Ok(match known(field, value)? {
        v1::Notation::Unspecified | v1::Notation::Auto => MoveNotation::Auto,
        v1::Notation::Uci => MoveNotation::Uci,
        v1::Notation::UciRank1 => MoveNotation::UciRank1,
        v1::Notation::San => MoveNotation::San,
        v1::Notation::Iccs => MoveNotation::Iccs,
        v1::Notation::Wxf => MoveNotation::Wxf,
        v1::Notation::Chinese => MoveNotation::Chinese,
    })
}

fn rule_set_from_proto(value: i32) -> Result<Option<RuleSet>, Refusal> {
    Ok(match known("game.rule_set", value)? {
        v1::RuleSet::Unspecified => None,
        v1::RuleSet::Fide => Some(RuleSet::Fide),
        v1::RuleSet::Classic => Some(RuleSet::Classic),
        v1::RuleSet::Cxa => Some(RuleSet::Cxa),
        v1::RuleSet::Axf => Some(RuleSet::Axf),
        v1::RuleSet::Computer => Some(RuleSet::Computer),
    })
}

fn move_limit_from_proto(limit: v1::MoveLimit) -> MoveLimit {
    MoveLimit { material: limit.material, moves: limit.moves }
}

fn language_from_proto(value: i32) -> Result<Language, Refusal> {
    Ok(match known("game.language", value)? {
        v1::Language::Unspecified | v1::Language::En => Language::En,
        v1::Language::Zh => Language::Zh,
    })
}

/// Reads a question about a whole game.
///
/// # Errors
/// An enum value that is not known, or a variant that is not served.
pub fn record_from_proto(request: v1::ReplayGameRequest) -> Result<Record, Refusal> {
    Ok(Record {
        game: game_from_proto(request.game)?,
        pgn: request.pgn,
        game_index: request.game_index as usize,
        first_ply: request.first_ply as usize,
        max_plies: request.max_plies as usize,
    })
}

/// Reads how much of an answer is wanted.
///
/// # Errors
/// The value is not known.
pub fn view_from_proto(value: i32) -> Result<View, Refusal> {
    Ok(match known("view", value)? {
        v1::View::Unspecified | v1::View::Full => View::Full,
        v1::View::Basic => View::Basic,
    })
}

/// An enum of the API that stands in requests.
trait RequestEnum: TryFrom<i32> {
    const NAME: &'static str;
    fn value_name(&self) -> &'static str;
}

macro_rules! request_enums {
    ($($name:ident)*) => {$(
        impl RequestEnum for v1::$name {
            const NAME: &'static str = stringify!($name);
            fn value_name(&self) -> &'static str {
                self.as_str_name()
            }
        }
    )*};
}

request_enums!(Variant Notation RuleSet Language View);

fn known<E: RequestEnum>(field: &str, value: i32) -> Result<E, Refusal> {
    E::try_from(value).map_err(|_| {
        let names: Vec<_> =
            (0..).map_while(|value| E::try_from(value).ok()).map(|known| known.value_name()).collect();
        let message =
            format!("{value} is not a value of the enum {}; expected one of {}", E::NAME, names.join(", "));
        let mut refusal = Refusal::of_field(ErrorReason::EnumValueUnknown, field, message);
        refusal.metadata = vec![("enum", E::NAME.to_owned()), ("value", value.to_string())];
        refusal
    })
}

/// Writes a legal move.
#[must_use]
pub fn move_to_proto(report: &MoveReport) -> v1::Move {
    v1::Move {
        uci: report.text.uci.as_str().to_owned(),
        san: report.text.san.as_str().to_owned(),
        iccs: report.text.iccs.as_str().to_owned(),
        wxf: report.text.wxf.as_str().to_owned(),
        chinese: report.text.chinese.as_str().to_owned(),
        from_square: report.from_square.as_str().to_owned(),
        to_square: report.to_square.as_str().to_owned(),
        piece: role_to_proto(Some(report.piece)).into(),
        captured: role_to_proto(report.captured).into(),
        promotion: role_to_proto(report.promotion).into(),
        capture: report.captured.is_some(),
        check: report.check,
        checkmate: report.checkmate,
        en_passant: report.en_passant,
        castling: castling_to_proto(report.castling).into(),
        loses_by_repetition: report.loses_by_repetition,
    }
}

/// Writes why a move is not legal.
#[must_use]
pub fn illegal_to_proto(illegal: IllegalMove) -> v1::IllegalMove {
    v1::IllegalMove {
        reason: reason_to_proto(illegal.reason).into(),
        message: illegal.message,
        rule: illegal.rule.to_owned(),
        squares: illegal.squares.iter().map(ToString::to_string).collect(),
        candidates: illegal.candidates,
    }
}

/// Writes how a game stands.
#[must_use]
pub fn state_to_proto(state: GameState) -> v1::GameState {
    v1::GameState {
        outcome: Some(outcome_to_proto(state.outcome)),
        side_to_move: side_to_proto(Some(state.side_to_move)).into(),
        check: state.check,
        checkers: state.checkers.iter().map(ToString::to_string).collect(),
        legal_move_count: count_to_proto(state.legal_move_count),
        repetitions: state.repetitions,
        quiet_plies: state.quiet_plies,
        ply: count_to_proto(state.ply),
        key: state.key,
        must_change: side_to_proto(state.must_change).into(),
    }
}

fn outcome_to_proto(outcome: Option<OutcomeReport>) -> v1::Outcome {
    let Some(outcome) = outcome else {
        return v1::Outcome { result: v1::Result::InProgress.into(), ..v1::Outcome::default() };
    };
    let result = if outcome.winner.is_some() { v1::Result::Win } else { v1::Result::Draw };
    v1::Outcome {
        result: result.into(),
        winner: side_to_proto(outcome.winner).into(),
        termination: termination_to_proto(outcome.termination).into(),
        rule: outcome.rule.to_owned(),
        message: outcome.message,
    }
}

/// Writes a claim.
#[must_use]
pub fn claim_to_proto(claim: ClaimReport) -> v1::Claim {
    let kind = match claim.kind {
        ClaimKind::Threefold => v1::ClaimType::Threefold,
        ClaimKind::FiftyMoves => v1::ClaimType::FiftyMoves,
        ClaimKind::PerpetualCheck => v1::ClaimType::PerpetualCheck,
        ClaimKind::NaturalLimit => v1::ClaimType::NaturalLimit,
        ClaimKind::Repetition => v1::ClaimType::Repetition,
    };
    v1::Claim {
        r#type: kind.into(),
        available_now: claim.available_now,
        moves: claim.moves.iter().map(ToString::to_string).collect(),
        rule: claim.rule.to_owned(),
        message: claim.message,
    }
}

/// Writes what a side can still hope for.
#[must_use]
pub fn material_to_proto(chance: MatingChance) -> v1::Material {
    v1::Material {
        can_mate: chance.can_mate,
        can_mate_proven: chance.proven,
        mate_cannot_be_forced: chance.cannot_be_forced,
    }
}

/// Writes a ruling on a repetition.
#[must_use]
pub fn repetition_to_proto(report: RepetitionReport) -> v1::XiangqiRepetition {
    let [first, second] = report.conduct.map(conduct_to_proto);
    v1::XiangqiRepetition {
        verdict: verdict_to_proto(report.verdict).into(),
        side: side_to_proto(report.side).into(),
        plies: report.plies.iter().map(ply_to_proto).collect(),
        first: first.into(),
        second: second.into(),
        rule: report.rule.to_owned(),
        explanation: report.explanation,
        incomplete: report.incomplete,
        may_be_excused: report.may_be_excused,
    }
}

fn ply_to_proto(report: &PlyReport) -> v1::PlyConduct {
    v1::PlyConduct {
        ply: count_to_proto(report.ply),
        side: side_to_proto(Some(report.side)).into(),
        r#move: report.uci.as_str().to_owned(),
        chinese: report.chinese.as_str().to_owned(),
        move_class: class_to_proto(report.class).into(),
        idle: idle_kind_to_proto(report.idle).into(),
        targets: report.targets.iter().map(target_to_proto).collect(),
        mate: report.mate.iter().map(ToString::to_string).collect(),
        rule: report.rule.to_owned(),
        incomplete: report.incomplete,
    }
}

fn target_to_proto(report: &TargetReport) -> v1::ChaseTarget {
    v1::ChaseTarget {
        square: report.square.as_str().to_owned(),
        role: role_to_proto(Some(report.role)).into(),
        root: root_to_proto(report.root).into(),
        protectors: report.protectors.iter().map(ToString::to_string).collect(),
        means: means_to_proto(report.means).into(),
        line: report.line.iter().map(ToString::to_string).collect(),
    }
}

/// Writes a count; no limit lets one come near the end of its range.
#[must_use]
pub fn count_to_proto(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Writes the name of a variant.
#[must_use]
pub fn variant_to_proto(variant: Variant) -> v1::Variant {
    match variant {
        Variant::Chess => v1::Variant::Chess,
        Variant::Chess960 => v1::Variant::Chess960,
        Variant::Xiangqi => v1::Variant::Xiangqi,
    }
}

/// Writes the name of a rule set.
#[must_use]
pub fn rule_set_to_proto(rule_set: RuleSet) -> v1::RuleSet {
    match rule_set {
        RuleSet::Fide => v1::RuleSet::Fide,
        RuleSet::Classic => v1::RuleSet::Classic,
        RuleSet::Cxa => v1::RuleSet::Cxa,
        RuleSet::Axf => v1::RuleSet::Axf,
        RuleSet::Computer => v1::RuleSet::Computer,
    }
}

/// Writes the name of a notation.
#[must_use]
pub fn notation_to_proto(notation: MoveNotation) -> v1::Notation {
    match notation {
        MoveNotation::Auto => v1::Notation::Auto,
        MoveNotation::Uci => v1::Notation::Uci,
        MoveNotation::San => v1::Notation::San,
        MoveNotation::UciRank1 => v1::Notation::UciRank1,
        MoveNotation::Iccs => v1::Notation::Iccs,
        MoveNotation::Wxf => v1::Notation::Wxf,
        MoveNotation::Chinese => v1::Notation::Chinese,
    }
}

fn side_to_proto(side: Option<Side>) -> v1::Side {
    match side {
        None => v1::Side::Unspecified,
        Some(Side::First) => v1::Side::First,
        Some(Side::Second) => v1::Side::Second,
    }
}

fn role_to_proto(role: Option<AnyRole>) -> v1::Role {
    match role {
        None => v1::Role::Unspecified,
        Some(AnyRole::Pawn) => v1::Role::Pawn,
        Some(AnyRole::Knight) => v1::Role::Knight,
        Some(AnyRole::Bishop) => v1::Role::Bishop,
        Some(AnyRole::Rook) => v1::Role::Rook,
        Some(AnyRole::Queen) => v1::Role::Queen,
        Some(AnyRole::King) => v1::Role::King,
        Some(AnyRole::Soldier) => v1::Role::Soldier,
        Some(AnyRole::Advisor) => v1::Role::Advisor,
        Some(AnyRole::Elephant) => v1::Role::Elephant,
        Some(AnyRole::Horse) => v1::Role::Horse,
        Some(AnyRole::Cannon) => v1::Role::Cannon,
        Some(AnyRole::Chariot) => v1::Role::Chariot,
        Some(AnyRole::General) => v1::Role::General,
    }
}

fn castling_to_proto(side: Option<CastlingSide>) -> v1::CastlingSide {
    match side {
        None => v1::CastlingSide::Unspecified,
        Some(CastlingSide::King) => v1::CastlingSide::King,
        Some(CastlingSide::Queen) => v1::CastlingSide::Queen,
    }
}

fn termination_to_proto(termination: Termination) -> v1::Termination {
    match termination {
        Termination::Checkmate => v1::Termination::Checkmate,
        Termination::Stalemate => v1::Termination::Stalemate,
        Termination::DeadMaterial => v1::Termination::DeadMaterial,
        Termination::Fivefold => v1::Termination::Fivefold,
        Termination::SeventyFiveMoves => v1::Termination::SeventyFiveMoves,
        Termination::NaturalLimit => v1::Termination::NaturalLimit,
        Termination::PerpetualCheck => v1::Termination::PerpetualCheck,
        Termination::PerpetualAttack => v1::Termination::PerpetualAttack,
        Termination::Repetition => v1::Termination::Repetition,
    }
}

fn verdict_to_proto(verdict: Verdict) -> v1::Verdict {
    match verdict {
        Verdict::None => v1::Verdict::None,
        Verdict::Draw => v1::Verdict::Draw,
        Verdict::Loses => v1::Verdict::Loses,
        Verdict::MustChange => v1::Verdict::MustChange,
        Verdict::ArbiterDecides => v1::Verdict::ArbiterDecides,
    }
}

fn conduct_to_proto(conduct: Conduct) -> v1::Conduct {
    match conduct {
        Conduct::Idle => v1::Conduct::Idle,
        Conduct::CheckAndIdle => v1::Conduct::CheckAndIdle,
        Conduct::MateThreatAndIdle => v1::Conduct::MateThreatAndIdle,
        Conduct::ChaseAndIdle => v1::Conduct::ChaseAndIdle,
        Conduct::AttacksAndIdle => v1::Conduct::AttacksAndIdle,
        Conduct::PerpetualCheck => v1::Conduct::PerpetualCheck,
        Conduct::PerpetualMateThreat => v1::Conduct::PerpetualMateThreat,
        Conduct::PerpetualChase => v1::Conduct::PerpetualChase,
        Conduct::CheckAndMateThreat => v1::Conduct::CheckAndMateThreat,
        Conduct::CheckAndChase => v1::Conduct::CheckAndChase,
        Conduct::MateThreatAndChase => v1::Conduct::MateThreatAndChase,
        Conduct::CheckMateThreatAndChase => v1::Conduct::CheckMateThreatAndChase,
    }
}

fn class_to_proto(class: Class) -> v1::MoveClass {
    match class {
        Class::Check => v1::MoveClass::Check,
        Class::MateThreat => v1::MoveClass::MateThreat,
        Class::Chase => v1::MoveClass::Chase,
        Class::Idle => v1::MoveClass::Idle,
    }
}

fn idle_kind_to_proto(kind: Option<IdleKind>) -> v1::IdleKind {
    match kind {
        None => v1::IdleKind::Unspecified,
        Some(IdleKind::Other) => v1::IdleKind::Other,
        Some(IdleKind::ExchangeOffer) => v1::IdleKind::ExchangeOffer,
        Some(IdleKind::Sacrifice) => v1::IdleKind::Sacrifice,
        Some(IdleKind::Block) => v1::IdleKind::Block,
        Some(IdleKind::Follow) => v1::IdleKind::Follow,
    }
}

fn root_to_proto(root: Root) -> v1::Root {
    match root {
        Root::Rootless => v1::Root::Rootless,
        Root::FalseRoot => v1::Root::FalseRoot,
        Root::InsufficientRoot => v1::Root::InsufficientRoot,
        Root::Rooted => v1::Root::Rooted,
    }
}

fn means_to_proto(means: Means) -> v1::Means {
    match means {
        Means::Capture => v1::Means::Capture,
        Means::Exchange => v1::Means::Exchange,
        Means::Checks => v1::Means::Checks,
    }
}

fn reason_to_proto(reason: Reason) -> v1::Reason {
    match reason {
        Reason::Unreadable => v1::Reason::Unreadable,
        Reason::GameOver => v1::Reason::GameOver,
        Reason::Ambiguous => v1::Reason::Ambiguous,
        Reason::NoPiece => v1::Reason::NoPiece,
        Reason::NotYourPiece => v1::Reason::NotYourPiece,
        Reason::CastlingNotOnOneRank => v1::Reason::CastlingNotOnOneRank,
        Reason::CastlingRightLost => v1::Reason::CastlingRightLost,
        Reason::CastlingPathBlocked => v1::Reason::CastlingPathBlocked,
        Reason::CastlesOutOfCheck => v1::Reason::CastlesOutOfCheck,
        Reason::CastlesThroughCheck => v1::Reason::CastlesThroughCheck,
        Reason::CastlesIntoCheck => v1::Reason::CastlesIntoCheck,
        Reason::OwnPieceOnTarget => v1::Reason::OwnPieceOnTarget,
        Reason::EnPassantExpired => v1::Reason::EnPassantExpired,
        Reason::NothingToCapture => v1::Reason::NothingToCapture,
        Reason::NotAMoveOfThisPiece => v1::Reason::NotAMoveOfThisPiece,
        Reason::SoldierMovesBackward => v1::Reason::SoldierMovesBackward,
        Reason::SoldierNotAcrossRiver => v1::Reason::SoldierNotAcrossRiver,
        Reason::LeavesPalace => v1::Reason::LeavesPalace,
        Reason::ElephantCrossesRiver => v1::Reason::ElephantCrossesRiver,
        Reason::HorseLegBlocked => v1::Reason::HorseLegBlocked,
        Reason::ElephantEyeBlocked => v1::Reason::ElephantEyeBlocked,
        Reason::CannonNeedsOneScreen => v1::Reason::CannonNeedsOneScreen,
        Reason::PathBlocked => v1::Reason::PathBlocked,
        Reason::PromotionMissing => v1::Reason::PromotionMissing,
        Reason::PromotionInvalid => v1::Reason::PromotionInvalid,
        Reason::GeneralsFace => v1::Reason::GeneralsFace,
        Reason::KingMovesIntoCheck => v1::Reason::KingMovesIntoCheck,
        Reason::CheckNotAnswered => v1::Reason::CheckNotAnswered,
        Reason::LeavesKingInCheck => v1::Reason::LeavesKingInCheck,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fmt::Debug;

    use analysis::FenFaultKind;

    use super::*;

    #[test]
    fn no_game_is_the_game_that_leaves_everything_out() {
        assert_eq!(game_from_proto(None), game_from_proto(Some(v1::Game::default())));
        assert_eq!(game_from_proto(None), Ok(Game::default()));
    }

    #[test]
    fn an_unknown_enum_value_names_field_value_and_choices() {
        let game = v1::Game { variant: 77, ..v1::Game::default() };
        let refusal = game_from_proto(Some(game)).expect_err("77 is no variant");
        assert_eq!(refusal.reason, ErrorReason::EnumValueUnknown);
        assert_eq!(refusal.violations[0].field, "game.variant");
        assert_eq!(refusal.metadata, [("enum", "Variant".to_owned()), ("value", "77".to_owned())]);
        assert!(refusal.message.contains("VARIANT_CHESS960"), "{}", refusal.message);
    }

    #[test]
    fn a_negative_enum_value_is_unknown_too() {
        assert!(view_from_proto(-1).is_err());
        assert!(notation_from_proto("notation", i32::MIN).is_err());
    }

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

    #[test]
    fn variants_rule_sets_and_notations_keep_their_names() {
        for variant in Variant::ALL {
            let known = variant_to_proto(variant);
            assert_eq!(format!("VARIANT_{}", variant.name()), known.as_str_name());
            assert_eq!(variant_from_proto(known.into()), Ok(Some(variant)));
        }
        for known in (1..).map_while(|value| v1::RuleSet::try_from(value).ok()) {
            let rule_set = rule_set_from_proto(known.into()).expect("a known value").expect("a rule set");
            assert_eq!(format!("RULE_SET_{}", rule_set.name()), known.as_str_name());
            assert_eq!(rule_set_to_proto(rule_set), known);
        }
        for known in (1..).map_while(|value| v1::Notation::try_from(value).ok()) {
            let notation = notation_from_proto("notation", known.into()).expect("a known value");
            assert_eq!(format!("NOTATION_{}", notation.name()), known.as_str_name());
            assert_eq!(notation_to_proto(notation), known);
        }
    }

    #[test]
    fn fen_faults_keep_their_names() {
        let known: Vec<_> = (1..).map_while(|value| v1::FenFault::try_from(value).ok()).collect();
        let known: Vec<_> = known.iter().map(v1::FenFault::as_str_name).collect();
        assert_eq!(FenFaultKind::ALL.map(|kind| format!("FEN_FAULT_{}", kind.name())).as_slice(), known);
    }

    #[test]
    fn reasons_keep_their_names() {
        for value in 1.. {
            let Ok(reason) = v1::Reason::try_from(value) else { break };
            let known = ALL_REASONS.into_iter().find(|&known| reason_to_proto(known) == reason);
            let known = known.unwrap_or_else(|| panic!("{} is never given", reason.as_str_name()));
            assert_eq!(format!("REASON_{}", known.name()), reason.as_str_name());
        }
    }

    #[test]
    fn verdicts_keep_their_names() {
        let known =
            [Verdict::None, Verdict::Draw, Verdict::Loses, Verdict::MustChange, Verdict::ArbiterDecides];
        assert_names("VERDICT", &known, verdict_to_proto, v1::Verdict::as_str_name);
    }

    #[test]
    fn conducts_keep_their_names() {
        let known = [
            Conduct::Idle,
            Conduct::CheckAndIdle,
            Conduct::MateThreatAndIdle,
            Conduct::ChaseAndIdle,
            Conduct::AttacksAndIdle,
            Conduct::PerpetualCheck,
            Conduct::PerpetualMateThreat,
            Conduct::PerpetualChase,
            Conduct::CheckAndMateThreat,
            Conduct::CheckAndChase,
            Conduct::MateThreatAndChase,
            Conduct::CheckMateThreatAndChase,
        ];
        assert_names("CONDUCT", &known, conduct_to_proto, v1::Conduct::as_str_name);
    }

    #[test]
    fn what_a_ply_does_keeps_its_name() {
        let known = [Class::Check, Class::MateThreat, Class::Chase, Class::Idle];
        assert_names("MOVE_CLASS", &known, class_to_proto, v1::MoveClass::as_str_name);
        let known = [
            IdleKind::Other,
            IdleKind::ExchangeOffer,
            IdleKind::Sacrifice,
            IdleKind::Block,
            IdleKind::Follow,
        ];
        let write = |kind| idle_kind_to_proto(Some(kind));
        assert_names("IDLE_KIND", &known, write, v1::IdleKind::as_str_name);
        let known = [Root::Rootless, Root::FalseRoot, Root::InsufficientRoot, Root::Rooted];
        assert_names("ROOT", &known, root_to_proto, v1::Root::as_str_name);
        let known = [Means::Capture, Means::Exchange, Means::Checks];
        assert_names("MEANS", &known, means_to_proto, v1::Means::as_str_name);
    }

    /// Every value of an enum of the API but the first is given, for the one of `known` that has its name.
    fn assert_names<K: Copy + Debug, E: TryFrom<i32>>(
        prefix: &str,
        known: &[K],
        write: fn(K) -> E,
        value_name: fn(&E) -> &'static str,
    ) {
        let values: Vec<_> = (1..).map_while(|value| E::try_from(value).ok()).collect();
        let values: BTreeSet<_> = values.iter().map(|value| value_name(value).to_owned()).collect();
        let given = known.iter().map(|&known| value_name(&write(known)).to_owned()).collect();
        assert_eq!(values, given);
        for &known in known {
            assert_eq!(format!("{prefix}_{}", shouted(&format!("{known:?}"))), value_name(&write(known)));
        }
    }

    /// `MustChange` as `MUST_CHANGE`.
    fn shouted(name: &str) -> String {
        let mut shouted = String::new();
        for letter in name.chars() {
            if letter.is_uppercase() && !shouted.is_empty() {
                shouted.push('_');
            }
            shouted.push(letter.to_ascii_uppercase());
        }
        shouted
    }

    const ALL_REASONS: [Reason; 29] = [
        Reason::Unreadable,
        Reason::GameOver,
        Reason::Ambiguous,
        Reason::NoPiece,
        Reason::NotYourPiece,
        Reason::CastlingNotOnOneRank,
        Reason::CastlingRightLost,
        Reason::CastlingPathBlocked,
        Reason::CastlesOutOfCheck,
        Reason::CastlesThroughCheck,
        Reason::CastlesIntoCheck,
        Reason::OwnPieceOnTarget,
        Reason::EnPassantExpired,
        Reason::NothingToCapture,
        Reason::NotAMoveOfThisPiece,
        Reason::SoldierMovesBackward,
        Reason::SoldierNotAcrossRiver,
        Reason::LeavesPalace,
        Reason::ElephantCrossesRiver,
        Reason::HorseLegBlocked,
        Reason::ElephantEyeBlocked,
        Reason::CannonNeedsOneScreen,
        Reason::PathBlocked,
        Reason::PromotionMissing,
        Reason::PromotionInvalid,
        Reason::GeneralsFace,
        Reason::KingMovesIntoCheck,
        Reason::CheckNotAnswered,
        Reason::LeavesKingInCheck,
    ];
}

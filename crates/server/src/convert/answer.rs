//! What is answered about a game: its moves, how it stands, and what may be claimed.

use analysis::game_status::ClaimReport;
use analysis::report::{GameState, IllegalMove, MoveReport, OutcomeReport};
use analysis::variant::Variant;
use analysis::{
    AnyRole, CastlingSide, ClaimKind, MatingChance, MoveNotation, Reason, RuleSet, Side, Termination,
};
use proto::v1;

use super::count_to_proto;

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
    v1::Claim {
        r#type: claim_kind_to_proto(claim.kind).into(),
        available_now: claim.available_now,
        moves: claim.moves.iter().map(ToString::to_string).collect(),
        rule: claim.rule.to_owned(),
        message: claim.message,
    }
}

fn claim_kind_to_proto(kind: ClaimKind) -> v1::ClaimType {
    match kind {
        ClaimKind::Threefold => v1::ClaimType::Threefold,
        ClaimKind::FiftyMoves => v1::ClaimType::FiftyMoves,
        ClaimKind::PerpetualCheck => v1::ClaimType::PerpetualCheck,
        ClaimKind::NaturalLimit => v1::ClaimType::NaturalLimit,
        ClaimKind::Repetition => v1::ClaimType::Repetition,
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

pub(super) fn side_to_proto(side: Option<Side>) -> v1::Side {
    match side {
        None => v1::Side::Unspecified,
        Some(Side::First) => v1::Side::First,
        Some(Side::Second) => v1::Side::Second,
    }
}

pub(super) fn role_to_proto(role: Option<AnyRole>) -> v1::Role {
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
    use analysis::FenFaultKind;

    use super::*;
    use crate::convert::names::assert_names;
    use crate::convert::question::{notation_from_proto, rule_set_from_proto, variant_from_proto};

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
    fn pieces_and_ends_keep_their_names() {
        let known = [
            AnyRole::Pawn,
            AnyRole::Knight,
            AnyRole::Bishop,
            AnyRole::Rook,
            AnyRole::Queen,
            AnyRole::King,
            AnyRole::Soldier,
            AnyRole::Advisor,
            AnyRole::Elephant,
            AnyRole::Horse,
            AnyRole::Cannon,
            AnyRole::Chariot,
            AnyRole::General,
        ];
        assert_names("ROLE", &known, |role| role_to_proto(Some(role)), v1::Role::as_str_name);
        let known = [CastlingSide::King, CastlingSide::Queen];
        let write = |side| castling_to_proto(Some(side));
        assert_names("CASTLING_SIDE", &known, write, v1::CastlingSide::as_str_name);
        let known = [
            Termination::Checkmate,
            Termination::Stalemate,
            Termination::DeadMaterial,
            Termination::Fivefold,
            Termination::SeventyFiveMoves,
            Termination::NaturalLimit,
            Termination::PerpetualCheck,
            Termination::PerpetualAttack,
            Termination::Repetition,
        ];
        assert_names("TERMINATION", &known, termination_to_proto, v1::Termination::as_str_name);
        for end in known {
            assert_eq!(format!("TERMINATION_{}", end.name()), termination_to_proto(end).as_str_name());
        }
        let known = [
            ClaimKind::Threefold,
            ClaimKind::FiftyMoves,
            ClaimKind::PerpetualCheck,
            ClaimKind::NaturalLimit,
            ClaimKind::Repetition,
        ];
        assert_names("CLAIM_TYPE", &known, claim_kind_to_proto, v1::ClaimType::as_str_name);
    }

    #[test]
    fn reasons_keep_their_names() {
        let known = [
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
        assert_names("REASON", &known, reason_to_proto, v1::Reason::as_str_name);
        // In the details of errors, they have names of their own.
        for reason in known {
            assert_eq!(format!("REASON_{}", reason.name()), reason_to_proto(reason).as_str_name());
        }
    }
}

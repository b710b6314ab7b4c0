//! Sentences for people, in English and simplified Chinese.

use game::illegal::Reason;
use game::language::Language;
use game::notation::MoveNotation;
use game::outcome::{ClaimKind, Outcome, Termination};
use game::side::Side;
use game::square::list;

use crate::legality::{Candidate, Refusal};
use crate::position::Xiangqi;
use crate::relative::{Place, RelativeMove};
use crate::role::Role;

/// The name of a side.
#[must_use]
pub const fn side_name(side: Side, language: Language) -> &'static str {
    match (language, side) {
        (Language::En, Side::First) => "Red",
        (Language::En, Side::Second) => "Black",
        (Language::Zh, Side::First) => "红方",
        (Language::Zh, Side::Second) => "黑方",
    }
}

/// The name of a role; in Chinese the sides have different words for some.
#[must_use]
pub const fn role_name(role: Role, side: Side, language: Language) -> &'static str {
    match (language, role, side) {
        (Language::En, Role::Soldier, _) => "soldier",
        (Language::En, Role::Advisor, _) => "advisor",
        (Language::En, Role::Elephant, _) => "elephant",
        (Language::En, Role::Horse, _) => "horse",
        (Language::En, Role::Cannon, _) => "cannon",
        (Language::En, Role::Chariot, _) => "chariot",
        (Language::En, Role::General, _) => "general",
        (Language::Zh, Role::Soldier, Side::First) => "兵",
        (Language::Zh, Role::Soldier, Side::Second) => "卒",
        (Language::Zh, Role::Advisor, Side::First) => "仕",
        (Language::Zh, Role::Advisor, Side::Second) => "士",
        (Language::Zh, Role::Elephant, Side::First) => "相",
        (Language::Zh, Role::Elephant, Side::Second) => "象",
        (Language::Zh, Role::Horse, _) => "马",
        (Language::Zh, Role::Cannon, _) => "炮",
        (Language::Zh, Role::Chariot, _) => "车",
        (Language::Zh, Role::General, Side::First) => "帅",
        (Language::Zh, Role::General, Side::Second) => "将",
    }
}

/// How a game ended.
#[must_use]
pub fn outcome(outcome: &Outcome, language: Language) -> String {
    let winner = outcome.winner.map_or("", |side| side_name(side, language));
    match (language, outcome.termination) {
        (Language::En, Termination::Checkmate) => format!("{winner} wins by checkmate"),
        (Language::En, Termination::Stalemate) => {
            format!("{winner} wins: the other side is stalemated and has no legal move")
        }
        (Language::En, Termination::DeadMaterial) => {
            "draw: neither side has a piece left that can cross the river".to_owned()
        }
        (Language::En, Termination::NaturalLimit) => {
            "draw by the natural limit: too many rounds without a capture".to_owned()
        }
        (Language::En, Termination::PerpetualCheck) => {
            format!("{winner} wins: the other side gave check with every move of a repetition")
        }
        (Language::En, Termination::PerpetualAttack) => {
            format!("{winner} wins: the other side attacked with every move of a repetition")
        }
        (Language::En, Termination::Repetition) => {
            "draw by repetition: neither side, or both, did what is forbidden".to_owned()
        }
        (Language::Zh, Termination::PerpetualCheck) => format!("对方单方面长将，{winner}胜"),
        (Language::Zh, Termination::PerpetualAttack) => format!("对方长打不变，{winner}胜"),
        (Language::Zh, Termination::Repetition) => "循环重复，双方不变作和".to_owned(),
        (Language::Zh, Termination::Checkmate) => format!("{winner}将死对方，获胜"),
        (Language::Zh, Termination::Stalemate) => format!("{winner}困毙对方，获胜"),
        (Language::Zh, Termination::DeadMaterial) => "双方均无可过河的进攻子力，和棋".to_owned(),
        (Language::Zh, Termination::NaturalLimit) => "达到自然限着，和棋".to_owned(),
        // Chess alone ends like this.
        (_, Termination::Fivefold | Termination::SeventyFiveMoves) => String::new(),
    }
}

/// What a claim is about.
#[must_use]
pub const fn claim(claim: ClaimKind, language: Language) -> &'static str {
    match (language, claim) {
        (Language::En, ClaimKind::NaturalLimit) => {
            "draw by the natural limit: the set number of moves by each side without a capture"
        }
        (Language::En, ClaimKind::Repetition) => "a ruling on the repetition",
        (Language::Zh, ClaimKind::Repetition) => "请裁判就循环局面作出裁决",
        (Language::Zh, ClaimKind::NaturalLimit) => "自然限着和棋：双方在规定着数内均未吃子",
        // Chess alone has these claims.
        (_, ClaimKind::Threefold | ClaimKind::FiftyMoves | ClaimKind::PerpetualCheck) => "",
    }
}

/// A text that is no move.
#[must_use]
pub fn unreadable(text: &str, notation: MoveNotation, language: Language) -> String {
    let example = match notation {
        MoveNotation::Uci => "h2e2",
        MoveNotation::UciRank1 => "h3e3, b10c8",
        MoveNotation::Iccs => "H2-E2",
        MoveNotation::Wxf => "C2=5, H8+7",
        MoveNotation::Chinese => "炮二平五, 马8进7",
        MoveNotation::Auto | MoveNotation::San => "h2e2, H2-E2, C2=5, 炮二平五",
    };
    game::message::unreadable(text, example, language)
}

/// A text that names a piece the side does not have.
#[must_use]
pub fn no_such_piece(side: Side, named: RelativeMove, language: Language) -> String {
    let (owner, role) = (side_name(side, language), role_name(named.role, side, language));
    match (language, named.place) {
        (Language::En, Place::File(file) | Place::NthOnFile(_, file)) => {
            format!("{owner} has no such {role} on its file {file}")
        }
        (Language::En, _) => format!("{owner} has no such {role} among several on one file"),
        (Language::Zh, Place::File(file) | Place::NthOnFile(_, file)) => {
            format!("{owner}在第{file}路上没有这样的{role}")
        }
        (Language::Zh, _) => format!("{owner}在同一路上没有这样的{role}"),
    }
}

/// Why a candidate is refused.
#[must_use]
pub fn refusal(position: &Xiangqi, candidate: Candidate, refusal: &Refusal, language: Language) -> String {
    let us = position.side_to_move();
    let facts = Facts {
        from: candidate.from.to_string(),
        to: candidate.to.to_string(),
        piece: position
            .board()
            .piece_at(candidate.from)
            .map_or("", |piece| role_name(piece.role, piece.side, language)),
        side: side_name(us, language),
        squares: list(refusal.squares.iter().copied()),
        is_nowhere: candidate.from == candidate.to,
    };
    match language {
        Language::En => refusal_en(refusal.reason, &facts),
        Language::Zh => refusal_zh(refusal.reason, &facts),
    }
}

/// What a sentence about a refused move may name.
struct Facts {
    from: String,
    to: String,
    piece: &'static str,
    side: &'static str,
    /// The refusal's points.
    squares: String,
    /// The text names no point that the piece could go to.
    is_nowhere: bool,
}

fn refusal_en(reason: Reason, facts: &Facts) -> String {
    let Facts { from, to, piece, side, squares, is_nowhere } = facts;
    match reason {
        Reason::NoPiece => format!("there is no piece on {from}"),
        Reason::NotYourPiece => format!("the {piece} on {from} is not {side}'s, and {side} is to move"),
        Reason::OwnPieceOnTarget => format!("a piece of {side} stands on {to}"),
        Reason::NotAMoveOfThisPiece if *is_nowhere => format!("the {piece} on {from} cannot go that way"),
        Reason::NotAMoveOfThisPiece => format!("the {piece} does not move from {from} to {to}"),
        Reason::SoldierMovesBackward => "a soldier never moves backward".to_owned(),
        Reason::SoldierNotAcrossRiver => {
            format!("the soldier on {from} moves sideways only after it has crossed the river")
        }
        Reason::LeavesPalace => format!("the {piece} may not leave the palace for {to}"),
        Reason::ElephantCrossesRiver => format!("the elephant may not cross the river to {to}"),
        Reason::HorseLegBlocked => {
            format!("the leg of the horse on {from} is blocked by the piece on {squares}")
        }
        Reason::ElephantEyeBlocked => {
            format!("the eye of the elephant on {from} is blocked by the piece on {squares}")
        }
        Reason::CannonNeedsOneScreen if squares.is_empty() => {
            format!("the cannon on {from} needs one piece as a screen to take on {to}, and there is none")
        }
        Reason::CannonNeedsOneScreen => {
            format!("the cannon on {from} takes on {to} over exactly one screen, and there are {squares}")
        }
        Reason::PathBlocked => format!("the {piece} on {from} is blocked by the piece on {squares}"),
        Reason::GeneralsFace => format!("the generals on {squares} would face each other"),
        Reason::KingMovesIntoCheck => format!("the general on {to} would be attacked from {squares}"),
        Reason::CheckNotAnswered => format!("the move does not answer the check from {squares}"),
        Reason::LeavesKingInCheck => {
            format!("after this move of the {piece} on {from}, its own general could be taken from {squares}")
        }
        // Chess alone has the others, or their sentences are made where the text is read.
        _ => String::new(),
    }
}

fn refusal_zh(reason: Reason, facts: &Facts) -> String {
    let Facts { from, to, piece, side, squares, is_nowhere } = facts;
    match reason {
        Reason::NoPiece => format!("{from}没有棋子"),
        Reason::NotYourPiece => format!("{from}的{piece}不是{side}的棋子，现在轮到{side}走棋"),
        Reason::OwnPieceOnTarget => format!("{to}有{side}自己的棋子"),
        Reason::NotAMoveOfThisPiece if *is_nowhere => format!("{from}的{piece}不能这样走"),
        Reason::NotAMoveOfThisPiece => format!("{piece}不能从{from}走到{to}"),
        Reason::SoldierMovesBackward => format!("{piece}不能后退"),
        Reason::SoldierNotAcrossRiver => format!("{from}的{piece}过河前不能横走"),
        Reason::LeavesPalace => format!("{piece}不能走出九宫到{to}"),
        Reason::ElephantCrossesRiver => format!("{piece}不能过河到{to}"),
        Reason::HorseLegBlocked => format!("{from}的马被{squares}的棋子蹩腿"),
        Reason::ElephantEyeBlocked => format!("{from}的{piece}被{squares}的棋子塞眼"),
        Reason::CannonNeedsOneScreen if squares.is_empty() => format!("{from}的炮没有炮架，不能吃{to}的子"),
        Reason::CannonNeedsOneScreen => format!("{from}的炮吃{to}的子只能隔一个子，现有{squares}"),
        Reason::PathBlocked => format!("{from}的{piece}被{squares}的棋子阻挡"),
        Reason::GeneralsFace => format!("走后将帅在{squares}照面"),
        Reason::KingMovesIntoCheck => format!("{piece}走到{to}会受到{squares}的攻击"),
        Reason::CheckNotAnswered => format!("这步棋没有应对{squares}的将军"),
        Reason::LeavesKingInCheck => format!("{from}的{piece}这样走后，己方将帅会受到{squares}的攻击"),
        _ => String::new(),
    }
}

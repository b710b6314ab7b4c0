//! Sentences for people, in English and simplified Chinese.

use game::illegal::Reason;
use game::language::Language;
use game::notation::MoveNotation;
use game::outcome::{ClaimKind, Outcome, Termination};
use game::side::Side;
use game::square::list;

use crate::legality::{Candidate, Refusal};
use crate::position::Chess;
use crate::role::Role;
use crate::san::PieceSan;

/// The name of a side.
#[must_use]
pub const fn side_name(side: Side, language: Language) -> &'static str {
    match (language, side) {
        (Language::En, Side::First) => "White",
        (Language::En, Side::Second) => "Black",
        (Language::Zh, Side::First) => "白方",
        (Language::Zh, Side::Second) => "黑方",
    }
}

/// The name of a role.
#[must_use]
pub const fn role_name(role: Role, language: Language) -> &'static str {
    match (language, role) {
        (Language::En, Role::Pawn) => "pawn",
        (Language::En, Role::Knight) => "knight",
        (Language::En, Role::Bishop) => "bishop",
        (Language::En, Role::Rook) => "rook",
        (Language::En, Role::Queen) => "queen",
        (Language::En, Role::King) => "king",
        (Language::Zh, Role::Pawn) => "兵",
        (Language::Zh, Role::Knight) => "马",
        (Language::Zh, Role::Bishop) => "象",
        (Language::Zh, Role::Rook) => "车",
        (Language::Zh, Role::Queen) => "后",
        (Language::Zh, Role::King) => "王",
    }
}

/// How a game ended.
#[must_use]
pub fn outcome(outcome: &Outcome, language: Language) -> String {
    let winner = outcome.winner.map_or("", |side| side_name(side, language));
    match (language, outcome.termination) {
        (Language::En, Termination::Checkmate) => format!("{winner} wins by checkmate"),
        (Language::En, Termination::Stalemate) => "draw by stalemate".to_owned(),
        (Language::En, Termination::DeadMaterial) => "draw: neither side has the men to give mate".to_owned(),
        (Language::En, Termination::Fivefold) => {
            "draw: the same position has stood on the board five times".to_owned()
        }
        (Language::En, Termination::SeventyFiveMoves) => {
            "draw: 75 moves by each side without a capture or a pawn move".to_owned()
        }
        (Language::Zh, Termination::Checkmate) => format!("{winner}将死对方，获胜"),
        (Language::Zh, Termination::Stalemate) => "无子可动，和棋".to_owned(),
        (Language::Zh, Termination::DeadMaterial) => "双方子力均不足以将死对方，和棋".to_owned(),
        (Language::Zh, Termination::Fivefold) => "同一局面出现五次，和棋".to_owned(),
        // Xiangqi alone ends like this.
        (
            _,
            Termination::NaturalLimit
            | Termination::PerpetualCheck
            | Termination::PerpetualAttack
            | Termination::Repetition,
        ) => String::new(),
        (Language::Zh, Termination::SeventyFiveMoves) => "双方各走75步未吃子也未动兵，和棋".to_owned(),
    }
}

/// What a claim is about.
#[must_use]
pub const fn claim(claim: ClaimKind, language: Language) -> &'static str {
    match (language, claim) {
        (Language::En, ClaimKind::Threefold) => "draw by the third occurrence of a position, or a later one",
        (Language::En, ClaimKind::FiftyMoves) => {
            "draw by 50 moves, or the number set for these men, by each side without a capture or a pawn move"
        }
        (Language::En, ClaimKind::PerpetualCheck) => {
            "draw by perpetual check: one side has given check with every move of the repetition"
        }
        // Xiangqi alone has this claim.
        (_, ClaimKind::NaturalLimit | ClaimKind::Repetition) => "",
        (Language::Zh, ClaimKind::Threefold) => "同一局面第三次（或更多次）出现，可判和棋",
        (Language::Zh, ClaimKind::FiftyMoves) => {
            "双方各走50步（或赛事为此类子力规定的步数）未吃子也未动兵，可判和棋"
        }
        (Language::Zh, ClaimKind::PerpetualCheck) => "长将和棋：重复局面期间，一方步步将军",
    }
}

/// A text that is no move.
#[must_use]
pub fn unreadable(text: &str, notation: MoveNotation, language: Language) -> String {
    if matches!(text, "0000" | "--" | "Z0" | "null") {
        return match language {
            Language::En => "a null move is not a move of the game".to_owned(),
            Language::Zh => "空着不是合法的一步棋".to_owned(),
        };
    }
    let example = match notation {
        MoveNotation::Uci => "e2e4, e7e8q",
        MoveNotation::San => "Nf3, exd8=Q, O-O",
        _ => "e2e4, Nf3, O-O",
    };
    game::message::unreadable(text, example, language)
}

/// A SAN text that names a piece the side does not have.
#[must_use]
pub fn no_such_piece(side: Side, san: PieceSan, language: Language) -> String {
    let (side, role) = (side_name(side, language), role_name(san.role, language));
    let is_step = san.role == Role::Pawn && !san.is_capture && san.from_rank.is_none();
    let file = san.from_file.or(is_step.then(|| san.to.file())).map(|file| char::from(b'a' + file));
    match (language, file, san.from_rank.map(|rank| rank + 1)) {
        (Language::En, None, None) if san.is_capture => format!("{side} has no {role} to take on {}", san.to),
        (Language::En, None, None) => format!("{side} has no {role}"),
        (Language::En, Some(file), None) => format!("{side} has no {role} on the {file}-file"),
        (Language::En, None, Some(rank)) => format!("{side} has no {role} on rank {rank}"),
        (Language::En, Some(file), Some(rank)) => format!("{side} has no {role} on {file}{rank}"),
        (Language::Zh, None, None) if san.is_capture => format!("{side}没有能在{}吃子的{role}", san.to),
        (Language::Zh, None, None) => format!("{side}没有{role}"),
        (Language::Zh, Some(file), None) => format!("{side}在{file}线上没有{role}"),
        (Language::Zh, None, Some(rank)) => format!("{side}在第{rank}横线上没有{role}"),
        (Language::Zh, Some(file), Some(rank)) => format!("{side}在{file}{rank}没有{role}"),
    }
}

/// Why a candidate is refused.
#[must_use]
pub fn refusal(position: &Chess, candidate: Candidate, refusal: &Refusal, language: Language) -> String {
    let facts = Facts {
        from: candidate.from.to_string(),
        to: candidate.to.to_string(),
        piece: position.board().role_at(candidate.from).map_or("", |role| role_name(role, language)),
        side: side_name(position.side_to_move(), language),
        first: list(refusal.squares.iter().take(1).copied()),
        rest: list(refusal.squares.iter().skip(1).copied()),
        all: list(refusal.squares.iter().copied()),
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
    /// The first of the refusal's squares.
    first: String,
    /// Its other squares.
    rest: String,
    /// All its squares.
    all: String,
}

fn refusal_en(reason: Reason, facts: &Facts) -> String {
    let Facts { from, to, piece, side, first, rest, all } = facts;
    match reason {
        Reason::NoPiece => format!("there is no piece on {from}"),
        Reason::NotYourPiece => format!("the {piece} on {from} is not {side}'s, and {side} is to move"),
        Reason::CastlingNotOnOneRank => {
            format!("king and rook must stand on one rank to castle, not on {first} and {rest}")
        }
        Reason::CastlingRightLost => {
            format!("{side} may not castle on this side: the king or that rook has moved")
        }
        Reason::CastlingPathBlocked => format!("castling is blocked on {all}"),
        Reason::CastlesOutOfCheck => format!("{side} may not castle while in check from {all}"),
        Reason::CastlesThroughCheck => {
            format!("the king would cross {first}, which is attacked from {rest}")
        }
        Reason::CastlesIntoCheck => {
            format!("the king would arrive on {first}, which is attacked from {rest}")
        }
        Reason::OwnPieceOnTarget => format!("a piece of {side} stands on {to}"),
        Reason::EnPassantExpired => {
            format!("the pawn on {all} could be taken en passant only right after a double step")
        }
        Reason::NothingToCapture => format!("the pawn on {from} can go to {to} only to capture"),
        Reason::NotAMoveOfThisPiece => format!("a {piece} does not move from {from} to {to}"),
        Reason::PathBlocked => format!("the {piece} on {from} is blocked by the piece on {all}"),
        Reason::PromotionMissing => {
            format!("the pawn reaches {to}: say whether it becomes a queen, rook, bishop or knight")
        }
        Reason::PromotionInvalid => {
            "only a pawn that reaches the last rank promotes, and only to a queen, rook, bishop or knight"
                .to_owned()
        }
        Reason::KingMovesIntoCheck => format!("the king on {to} would be attacked from {all}"),
        Reason::CheckNotAnswered => format!("the move does not answer the check from {all}"),
        Reason::LeavesKingInCheck => {
            format!("the {piece} on {from} may not leave its own king open to attack from {all}")
        }
        // Xiangqi alone has the others, or their sentences are made where the text is read.
        _ => String::new(),
    }
}

fn refusal_zh(reason: Reason, facts: &Facts) -> String {
    let Facts { from, to, piece, side, first, rest, all } = facts;
    match reason {
        Reason::NoPiece => format!("{from}没有棋子"),
        Reason::NotYourPiece => format!("{from}的{piece}不是{side}的棋子，现在轮到{side}走棋"),
        Reason::CastlingNotOnOneRank => {
            format!("王车易位要求王与车在同一横线上，而不是在{first}和{rest}")
        }
        Reason::CastlingRightLost => format!("{side}不能在这一侧易位：王或该车已经走动过"),
        Reason::CastlingPathBlocked => format!("易位的路径在{all}被阻挡"),
        Reason::CastlesOutOfCheck => format!("{side}正被{all}将军，不能易位"),
        Reason::CastlesThroughCheck => format!("王将经过{first}，该格受到{rest}的攻击"),
        Reason::CastlesIntoCheck => format!("王将到达{first}，该格受到{rest}的攻击"),
        Reason::OwnPieceOnTarget => format!("{to}有{side}自己的棋子"),
        Reason::EnPassantExpired => format!("只有当{all}的兵刚走了两格时，下一步才能吃它的过路兵"),
        Reason::NothingToCapture => format!("{from}的兵只有吃子时才能走到{to}"),
        Reason::NotAMoveOfThisPiece => format!("{piece}不能从{from}走到{to}"),
        Reason::PathBlocked => format!("{from}的{piece}被{all}的棋子阻挡"),
        Reason::PromotionMissing => format!("兵到达{to}：请说明升变为后、车、象或马"),
        Reason::PromotionInvalid => "只有到达底线的兵才能升变，且只能升变为后、车、象或马".to_owned(),
        Reason::KingMovesIntoCheck => format!("王走到{to}会受到{all}的攻击"),
        Reason::CheckNotAnswered => format!("这步棋没有应对{all}的将军"),
        Reason::LeavesKingInCheck => format!("{from}的{piece}走开后，己方的王会受到{all}的攻击"),
        _ => String::new(),
    }
}

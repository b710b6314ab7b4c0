//! The parts that answers are made of, and how they are read off a position.

use game::illegal::{Illegal, Reason};
use game::language::Language;
use game::line::Line;
use game::notation::{MoveText, Notation};
use game::outcome::{Outcome, Termination};
use game::position::CastlingSide;
use game::role::AnyRole;
use game::ruling::{Ruling, Verdict};
use game::side::Side;
use game::square::{Square, SquareString};

/// A legal move, written and described.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveReport {
    /// The move in every notation of its game.
    pub text: MoveText,
    /// Where the piece comes from.
    pub from_square: SquareString,
    /// Where it arrives; for castling, where the king arrives.
    pub to_square: SquareString,
    /// The piece that moves.
    pub piece: AnyRole,
    /// The piece that is taken.
    pub captured: Option<AnyRole>,
    /// What a pawn becomes.
    pub promotion: Option<AnyRole>,
    /// The move gives check.
    pub check: bool,
    /// The move mates.
    pub checkmate: bool,
    /// The capture is en passant.
    pub en_passant: bool,
    /// The move castles.
    pub castling: Option<CastlingSide>,
    /// The move's side loses the game by it at once, to the ruling on a repetition. Nothing that two
    /// positions could tell: whoever knows the line says so.
    pub loses_by_repetition: bool,
}

impl MoveReport {
    /// Describes a legal move of `before`; `after` is the position that it leads to.
    pub(crate) fn new<P: Notation>(before: &P, m: P::Move, after: &P) -> Self {
        let facts = before.facts(m);
        let check = after.is_check();
        Self {
            text: before.move_text(m, after),
            from_square: facts.from.text(),
            to_square: facts.to.text(),
            piece: facts.piece,
            captured: facts.captured,
            promotion: facts.promotion,
            check,
            checkmate: check && !after.has_legal_move(),
            en_passant: facts.en_passant,
            castling: facts.castling,
            loses_by_repetition: false,
        }
    }
}

/// A refused move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IllegalMove {
    /// The reason.
    pub reason: Reason,
    /// One plain sentence.
    pub message: String,
    /// The ledger id of the rule; empty when no rule of the game is concerned.
    pub rule: &'static str,
    /// The squares that make the move illegal.
    pub squares: Vec<SquareString>,
    /// For an ambiguous text: the legal moves that fit.
    pub candidates: Vec<String>,
}

impl<S: Square> From<Illegal<S>> for IllegalMove {
    fn from(illegal: Illegal<S>) -> Self {
        Self {
            reason: illegal.reason,
            message: illegal.message,
            rule: illegal.rule,
            squares: illegal.squares.into_iter().map(S::text).collect(),
            candidates: illegal.candidates,
        }
    }
}

/// How a game ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutcomeReport {
    /// The winner; nobody when the game is drawn.
    pub winner: Option<Side>,
    /// What ended the game.
    pub termination: Termination,
    /// The ledger id of the rule.
    pub rule: &'static str,
    /// One plain sentence.
    pub message: String,
}

impl OutcomeReport {
    pub(crate) fn new<P: Notation>(outcome: &Outcome, language: Language) -> Self {
        Self {
            winner: outcome.winner,
            termination: outcome.termination,
            rule: outcome.rule,
            message: P::outcome_message(outcome, language),
        }
    }
}

/// How a game stands at the end of its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameState {
    /// How the game ended; nothing while it goes on.
    pub outcome: Option<OutcomeReport>,
    /// Whose turn it is, or would be.
    pub side_to_move: Side,
    /// Whether that side is in check.
    pub check: bool,
    /// The squares of the pieces that give check.
    pub checkers: Vec<SquareString>,
    /// The number of legal moves.
    pub legal_move_count: usize,
    /// How often the position has stood on the board, this time included.
    pub repetitions: u32,
    /// Plies since the last capture or pawn move.
    pub quiet_plies: u32,
    /// Plies since the line's start position.
    pub ply: usize,
    /// The key of the position.
    pub key: u64,
    /// The side that must change its play or loses by the next repetition; nobody when the game has ended.
    pub must_change: Option<Side>,
}

impl GameState {
    /// Reads off how `line` stands.
    pub(crate) fn new<P: Notation>(
        line: &Line<P>,
        rules: &P::Rules,
        memo: &mut P::Memo,
        language: Language,
    ) -> Self {
        let last = line.last();
        let outcome = P::adjudicate(line, rules, memo);
        let must_change = match P::ruling(line, rules, memo) {
            Some(Ruling { verdict: Verdict::MustChange, side, incomplete: false, .. })
                if outcome.is_none() =>
            {
                side
            }
            _ => None,
        };
        Self {
            outcome: outcome.map(|outcome| OutcomeReport::new::<P>(&outcome, language)),
            side_to_move: last.side_to_move(),
            check: last.is_check(),
            checkers: last.checkers().into_iter().map(Square::text).collect(),
            legal_move_count: last.legal_move_count(),
            repetitions: line.repetitions(),
            quiet_plies: last.quiet_plies(),
            ply: line.plies().len(),
            key: last.key(),
            must_change,
        }
    }
}

/// The FEN of a position.
pub(crate) fn fen_of<P: Notation>(position: &P) -> String {
    let mut fen = String::with_capacity(96);
    position.write_fen(&mut fen);
    fen
}

/// The refusal of every move after the end of the game.
pub(crate) fn game_over<P: Notation>(outcome: &Outcome, language: Language) -> IllegalMove {
    let end = P::outcome_message(outcome, language);
    IllegalMove {
        reason: Reason::GameOver,
        message: match language {
            Language::En => format!("the game is over: {end}"),
            Language::Zh => format!("对局已经结束：{end}"),
        },
        rule: outcome.rule,
        squares: Vec::new(),
        candidates: Vec::new(),
    }
}

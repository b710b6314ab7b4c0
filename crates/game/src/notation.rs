//! How positions and moves are written.

use arrayvec::ArrayString;

use crate::fen_fault::FenFault;
use crate::illegal::Illegal;
use crate::language::Language;
use crate::line::Line;
use crate::outcome::{ClaimKind, Outcome};
use crate::position::Position;
use crate::ruling::Ruling;

/// A notation for moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum MoveNotation {
    /// Any notation of the game; the text decides.
    #[default]
    Auto,
    /// From-square, to-square, promotion letter: `e2e4`, `e7e8q`.
    Uci,
    /// Standard algebraic notation, long algebraic included: `Nf3`, `Ng1-f3`.
    San,
    /// Xiangqi: UCI with the ranks counted from 1.
    UciRank1,
    /// Xiangqi: `H2-E2`.
    Iccs,
    /// Xiangqi: `C2.5`.
    Wxf,
    /// Xiangqi: `炮二平五`.
    Chinese,
}

impl MoveNotation {
    /// The name that the API uses.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            MoveNotation::Auto => "AUTO",
            MoveNotation::Uci => "UCI",
            MoveNotation::San => "SAN",
            MoveNotation::UciRank1 => "UCI_RANK1",
            MoveNotation::Iccs => "ICCS",
            MoveNotation::Wxf => "WXF",
            MoveNotation::Chinese => "CHINESE",
        }
    }
}

/// A move's text, at most 15 bytes.
pub type MoveString = ArrayString<15>;

/// A move in every notation that is written; empty where the game does not have that notation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MoveText {
    /// UCI.
    pub uci: MoveString,
    /// Standard algebraic notation, with `+` or `#` (chess).
    pub san: MoveString,
    /// ICCS: `H2-E2` (xiangqi).
    pub iccs: MoveString,
    /// WXF: `C2=5` (xiangqi).
    pub wxf: MoveString,
    /// Chinese: `炮二平五` (xiangqi).
    pub chinese: MoveString,
}

/// A text without white space around it. Nearly none has any; that is told from its ends faster than by looking
/// for white space.
#[inline]
#[must_use]
pub fn trimmed(text: &str) -> &str {
    match text.as_bytes() {
        [first, .., last] if first.is_ascii_alphanumeric() && last.is_ascii_alphanumeric() => text,
        _ => text.trim(),
    }
}

/// How one game's positions and moves are read and written.
pub trait Notation: Position {
    /// A way of playing the game that changes its notation (in chess: standard or Chess960).
    type Style: Copy + std::fmt::Debug + Send + Sync + 'static;

    /// The notations of the game, `Auto` apart.
    const NOTATIONS: &'static [MoveNotation];

    /// The start position; nothing when the style has many of them.
    fn start(style: Self::Style) -> Option<Self>;

    /// Reads a FEN.
    ///
    /// # Errors
    /// Every independent fault of the text, and of the position as far as the text tells it in spite of
    /// them.
    fn parse_fen(fen: &str, style: Self::Style) -> Result<Self, Vec<FenFault>>;

    /// Appends the FEN of the position.
    fn write_fen(&self, out: &mut String);

    /// Finds the legal move that a text means.
    ///
    /// # Errors
    /// Why the text is no move, or the move is not legal. Whether the game had ended before is not
    /// looked at. In a notation of another game every text is unreadable.
    fn read_move(
        &self,
        text: &str,
        notation: MoveNotation,
        language: Language,
    ) -> Result<Self::Move, Illegal<Self::Square>>;

    /// The UCI text of a legal move.
    fn uci(&self, m: Self::Move) -> MoveString;

    /// The text of a legal move in every notation. `after` is the position after it.
    fn move_text(&self, m: Self::Move, after: &Self) -> MoveText;

    /// One sentence that says how a game ended.
    fn outcome_message(outcome: &Outcome, language: Language) -> String;

    /// What a ruling on the repetition at the end of a line rests on, as an arbiter would write it: a line
    /// for each move, then the verdict. Empty where the rules only count.
    fn ruling_message(
        line: &Line<Self>,
        ruling: &Ruling<Self::Move, Self::Square>,
        language: Language,
    ) -> String {
        let _ = (line, ruling, language);
        String::new()
    }

    /// One sentence that says what a claim is about.
    fn claim_message(claim: ClaimKind, language: Language) -> String;
}

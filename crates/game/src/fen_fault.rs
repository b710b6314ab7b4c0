//! What can be wrong with a FEN.

use std::fmt::{self, Display};

/// The kind of a fault. Chess and xiangqi share one list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FenFaultKind {
    /// Too few or too many fields.
    FieldCount,
    /// The placement does not have as many ranks as the board.
    RankCount,
    /// A rank does not have as many squares as the board.
    RankLength,
    /// A character of the placement is neither a piece letter nor a number of empty squares.
    PieceLetter,
    /// The side to move is not one of the letters for it.
    SideToMove,
    /// The castling field has characters that no spelling allows.
    CastlingSyntax,
    /// The en-passant field is neither `-` nor a square.
    EnPassantSyntax,
    /// The halfmove clock is not a number within its limit.
    HalfmoveClock,
    /// The move number is not a number within its limit.
    FullmoveNumber,
    /// A side does not have exactly one king.
    KingCount,
    /// A side has more men than a game starts with.
    TooManyPieces,
    /// A side has more pawns than a game starts with.
    TooManyPawns,
    /// A side has more promoted men than it has lost pawns.
    TooManyPromoted,
    /// A pawn stands on the first or the last rank.
    PawnOnBackRank,
    /// The side that is not to move is in check.
    OpponentInCheck,
    /// A castling right without its king or its rook, or given twice.
    BadCastlingRight,
    /// An en-passant square that no double step can just have passed over.
    BadEnPassant,
    /// A check that no last move can have given.
    ImpossibleCheck,
    /// A side has more pieces of a kind than it can ever have.
    TooManyOfKind,
    /// A piece stands on a point that its kind never reaches.
    PieceOutOfPlace,
    /// The generals face each other on an open file.
    GeneralsFace,
    /// A field that has no meaning in this game is not `-`.
    UnusedField,
    /// The FEN is one of another game.
    WrongGame,
}

impl FenFaultKind {
    /// Every kind.
    pub const ALL: [FenFaultKind; 23] = [
        Self::FieldCount,
        Self::RankCount,
        Self::RankLength,
        Self::PieceLetter,
        Self::SideToMove,
        Self::CastlingSyntax,
        Self::EnPassantSyntax,
        Self::HalfmoveClock,
        Self::FullmoveNumber,
        Self::KingCount,
        Self::TooManyPieces,
        Self::TooManyPawns,
        Self::TooManyPromoted,
        Self::PawnOnBackRank,
        Self::OpponentInCheck,
        Self::BadCastlingRight,
        Self::BadEnPassant,
        Self::ImpossibleCheck,
        Self::TooManyOfKind,
        Self::PieceOutOfPlace,
        Self::GeneralsFace,
        Self::UnusedField,
        Self::WrongGame,
    ];

    /// The kind's name as it stands in the API (`KING_COUNT`).
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::FieldCount => "FIELD_COUNT",
            Self::RankCount => "RANK_COUNT",
            Self::RankLength => "RANK_LENGTH",
            Self::PieceLetter => "PIECE_LETTER",
            Self::SideToMove => "SIDE_TO_MOVE",
            Self::CastlingSyntax => "CASTLING_SYNTAX",
            Self::EnPassantSyntax => "EN_PASSANT_SYNTAX",
            Self::HalfmoveClock => "HALFMOVE_CLOCK",
            Self::FullmoveNumber => "FULLMOVE_NUMBER",
            Self::KingCount => "KING_COUNT",
            Self::TooManyPieces => "TOO_MANY_PIECES",
            Self::TooManyPawns => "TOO_MANY_PAWNS",
            Self::TooManyPromoted => "TOO_MANY_PROMOTED",
            Self::PawnOnBackRank => "PAWN_ON_BACK_RANK",
            Self::OpponentInCheck => "OPPONENT_IN_CHECK",
            Self::BadCastlingRight => "BAD_CASTLING_RIGHT",
            Self::BadEnPassant => "BAD_EN_PASSANT",
            Self::ImpossibleCheck => "IMPOSSIBLE_CHECK",
            Self::TooManyOfKind => "TOO_MANY_OF_KIND",
            Self::PieceOutOfPlace => "PIECE_OUT_OF_PLACE",
            Self::GeneralsFace => "GENERALS_FACE",
            Self::UnusedField => "UNUSED_FIELD",
            Self::WrongGame => "WRONG_GAME",
        }
    }
}

/// One fault of a FEN: what it is, what was found and what would be right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FenFault {
    /// The kind of the fault.
    pub kind: FenFaultKind,
    /// What is wrong and where, quoting the FEN.
    pub found: String,
    /// What would be right.
    pub expected: String,
}

impl Display for FenFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}; expected {}", self.kind.name(), self.found, self.expected)
    }
}

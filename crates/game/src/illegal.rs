//! Why a move is not legal.

/// The reason why a move is refused. Chess and xiangqi share one list, in one order: when several
/// reasons hold for a move, the first of this list is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// The text is not a move in the notation asked for.
    Unreadable,
    /// The game was over before the move.
    GameOver,
    /// The text fits several legal moves.
    Ambiguous,
    /// Nothing stands on the start square, or the side has no such piece.
    NoPiece,
    /// The piece on the start square belongs to the other side.
    NotYourPiece,
    /// Castling with a rook that is not on the king's rank.
    CastlingNotOnOneRank,
    /// Castling after the king or that rook has moved.
    CastlingRightLost,
    /// Castling with a piece on a square that must be free.
    CastlingPathBlocked,
    /// Castling while in check.
    CastlesOutOfCheck,
    /// Castling across an attacked square.
    CastlesThroughCheck,
    /// Castling onto an attacked square.
    CastlesIntoCheck,
    /// A piece of the own side stands on the target.
    OwnPieceOnTarget,
    /// A capture that only en passant could be, and no double step was made just now.
    EnPassantExpired,
    /// A pawn's capture with nothing to take.
    NothingToCapture,
    /// No piece of this kind moves like this.
    NotAMoveOfThisPiece,
    /// A soldier moves backward.
    SoldierMovesBackward,
    /// A soldier moves sideways before it has crossed the river.
    SoldierNotAcrossRiver,
    /// A general or an advisor leaves the palace.
    LeavesPalace,
    /// An elephant crosses the river.
    ElephantCrossesRiver,
    /// A piece stands on the horse's leg.
    HorseLegBlocked,
    /// A piece stands on the elephant's eye.
    ElephantEyeBlocked,
    /// A cannon takes without exactly one screen before its target.
    CannonNeedsOneScreen,
    /// A piece stands in the way.
    PathBlocked,
    /// A pawn reaches the last rank and the move does not say what it becomes.
    PromotionMissing,
    /// A promotion to a piece that is not allowed, or by a move that promotes nothing.
    PromotionInvalid,
    /// The move leaves the generals facing each other on an open file.
    GeneralsFace,
    /// The king steps onto an attacked square.
    KingMovesIntoCheck,
    /// The side is in check and the move does not end it.
    CheckNotAnswered,
    /// The move uncovers an attack on the own king.
    LeavesKingInCheck,
}

impl Reason {
    /// The reason's name as it stands in the API (`PATH_BLOCKED`).
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unreadable => "UNREADABLE",
            Self::GameOver => "GAME_OVER",
            Self::Ambiguous => "AMBIGUOUS",
            Self::NoPiece => "NO_PIECE",
            Self::NotYourPiece => "NOT_YOUR_PIECE",
            Self::CastlingNotOnOneRank => "CASTLING_NOT_ON_ONE_RANK",
            Self::CastlingRightLost => "CASTLING_RIGHT_LOST",
            Self::CastlingPathBlocked => "CASTLING_PATH_BLOCKED",
            Self::CastlesOutOfCheck => "CASTLES_OUT_OF_CHECK",
            Self::CastlesThroughCheck => "CASTLES_THROUGH_CHECK",
            Self::CastlesIntoCheck => "CASTLES_INTO_CHECK",
            Self::OwnPieceOnTarget => "OWN_PIECE_ON_TARGET",
            Self::EnPassantExpired => "EN_PASSANT_EXPIRED",
            Self::NothingToCapture => "NOTHING_TO_CAPTURE",
            Self::NotAMoveOfThisPiece => "NOT_A_MOVE_OF_THIS_PIECE",
            Self::SoldierMovesBackward => "SOLDIER_MOVES_BACKWARD",
            Self::SoldierNotAcrossRiver => "SOLDIER_NOT_ACROSS_RIVER",
            Self::LeavesPalace => "LEAVES_PALACE",
            Self::ElephantCrossesRiver => "ELEPHANT_CROSSES_RIVER",
            Self::HorseLegBlocked => "HORSE_LEG_BLOCKED",
            Self::ElephantEyeBlocked => "ELEPHANT_EYE_BLOCKED",
            Self::CannonNeedsOneScreen => "CANNON_NEEDS_ONE_SCREEN",
            Self::PathBlocked => "PATH_BLOCKED",
            Self::PromotionMissing => "PROMOTION_MISSING",
            Self::PromotionInvalid => "PROMOTION_INVALID",
            Self::GeneralsFace => "GENERALS_FACE",
            Self::KingMovesIntoCheck => "KING_MOVES_INTO_CHECK",
            Self::CheckNotAnswered => "CHECK_NOT_ANSWERED",
            Self::LeavesKingInCheck => "LEAVES_KING_IN_CHECK",
        }
    }
}

/// Why one move is refused, before it is put into words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal<S> {
    /// The reason.
    pub reason: Reason,
    /// The ledger id of the rule.
    pub rule: &'static str,
    /// The squares that make it so.
    pub squares: Vec<S>,
}

impl<S> Refusal<S> {
    /// A refusal for a reason, by a rule, because of these squares.
    pub fn new(reason: Reason, rule: &'static str, squares: impl IntoIterator<Item = S>) -> Self {
        Self { reason, rule, squares: squares.into_iter().collect() }
    }

    /// The refusal in words.
    pub fn into_illegal(self, message: String) -> Illegal<S> {
        let Self { reason, rule, squares } = self;
        Illegal { reason, rule, squares, candidates: Vec::new(), message }
    }
}

/// A refused move: the reason, the rule, the squares that make it so, and a sentence for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Illegal<S> {
    /// The reason.
    pub reason: Reason,
    /// The ledger id of the rule (`CH-08`); empty when no rule of the game is concerned.
    pub rule: &'static str,
    /// The squares that make the move illegal: the blocker, the attackers, the missing piece's square.
    pub squares: Vec<S>,
    /// For [`Reason::Ambiguous`]: the legal moves that fit, each spelled so that it fits alone.
    pub candidates: Vec<String>,
    /// One plain sentence.
    pub message: String,
}

//! How a text is found to mean a legal move, and the reading and writing that other crates use.

use std::sync::LazyLock;

use game::fen_fault::FenFault;
use game::illegal::{Illegal, Reason};
use game::language::Language;
use game::message::ambiguous;
use game::notation::{MoveNotation, MoveString, MoveText, Notation, trimmed};
use game::outcome::{ClaimKind, Outcome};

use crate::fen;
use crate::legality::{Candidate, Refusal};
use crate::message;
use crate::moves::Move;
use crate::position::{CastlingStyle, Chess};
use crate::role::Role;
use crate::san::{self, PieceSan, San};
use crate::square::Square;
use crate::uci;

impl Notation for Chess {
    type Style = CastlingStyle;

    const NOTATIONS: &'static [MoveNotation] = &[MoveNotation::Uci, MoveNotation::San];

    fn start(style: CastlingStyle) -> Option<Self> {
        static START: LazyLock<Option<Chess>> =
            LazyLock::new(|| fen::parse(fen::START, CastlingStyle::Standard).ok());
        match style {
            CastlingStyle::Standard => START.clone(),
            CastlingStyle::Chess960 => None,
        }
    }

    fn parse_fen(fen: &str, style: CastlingStyle) -> Result<Self, Vec<FenFault>> {
        fen::parse(fen, style)
    }

    fn write_fen(&self, out: &mut String) {
        fen::write(self, out);
    }

    fn read_move(
        &self,
        text: &str,
        notation: MoveNotation,
        language: Language,
    ) -> Result<Move, Illegal<Square>> {
        let text = trimmed(text);
        let as_uci = || uci::parse(text);
        let as_san = || san::parse(text);
        match notation {
            MoveNotation::Auto | MoveNotation::Uci if let Some(candidate) = as_uci() => {
                self.explain(candidate).map_err(|refusal| self.illegal(candidate, refusal, language))
            }
            MoveNotation::Auto | MoveNotation::San if let Some(san) = as_san() => {
                self.find_san(text, san, language)
            }
            _ => Err(unreadable(text, notation, language)),
        }
    }

    fn uci(&self, m: Move) -> MoveString {
        Chess::uci(self, m)
    }

    fn move_text(&self, m: Move, after: &Self) -> MoveText {
        MoveText { uci: self.uci(m), san: self.san(m, after), ..MoveText::default() }
    }

    fn outcome_message(outcome: &Outcome, language: Language) -> String {
        message::outcome(outcome, language)
    }

    fn claim_message(claim: ClaimKind, language: Language) -> String {
        message::claim(claim, language).to_owned()
    }
}

impl Chess {
    fn find_san(&self, text: &str, san: San, language: Language) -> Result<Move, Illegal<Square>> {
        match san {
            San::Castling(wing) => self.explain_castling_on(wing).map_err(|refusal| {
                let king = self.king(self.side_to_move());
                self.illegal(Candidate { from: king, to: king, promotion: None }, refusal, language)
            }),
            San::Piece(san) => self.find_piece_san(text, san, language),
            San::Squares(candidate, is_capture) => {
                let found = self.explain(candidate).and_then(|m| check_capture_sign(m, is_capture));
                found.map_err(|refusal| self.illegal(candidate, refusal, language))
            }
        }
    }

    /// Finds the one legal move that fits. When none does, the reason of the piece that comes closest is
    /// given.
    fn find_piece_san(&self, text: &str, san: PieceSan, language: Language) -> Result<Move, Illegal<Square>> {
        let mut legal = Vec::new();
        let mut closest: Option<(Candidate, Refusal)> = None;
        for from in self.board().of(self.side_to_move(), san.role) {
            if !fits(san, from) {
                continue;
            }
            let candidate = Candidate { from, to: san.to, promotion: san.promotion };
            let found = self.explain_without_castling(candidate);
            match found.and_then(|m| check_capture_sign(m, san.is_capture)) {
                Ok(m) => legal.push(m),
                Err(refusal) => {
                    if closest.as_ref().is_none_or(|(_, other)| refusal.reason > other.reason) {
                        closest = Some((candidate, refusal));
                    }
                }
            }
        }
        match (legal.as_slice(), closest) {
            ([m], _) => Ok(*m),
            ([], Some((candidate, refusal))) => Err(self.illegal(candidate, refusal, language)),
            ([], None) => Err(Refusal::new(Reason::NoPiece, "CH-01", [])
                .into_illegal(message::no_such_piece(self.side_to_move(), san, language))),
            (several, _) => Err(self.ambiguous(text, several, language)),
        }
    }

    fn ambiguous(&self, text: &str, moves: &[Move], language: Language) -> Illegal<Square> {
        let candidates: Vec<_> = moves
            .iter()
            .map(|&m| {
                let mut after = self.clone();
                after.play_unchecked(m);
                self.san(m, &after).to_string()
            })
            .collect();
        Illegal {
            reason: Reason::Ambiguous,
            rule: "",
            squares: moves.iter().map(|m| m.from).collect(),
            message: ambiguous(text, &candidates, language),
            candidates,
        }
    }

    fn illegal(&self, candidate: Candidate, refusal: Refusal, language: Language) -> Illegal<Square> {
        let message = message::refusal(self, candidate, &refusal, language);
        refusal.into_illegal(message)
    }
}

/// Whether a piece on `from` is one that a SAN text can mean. A pawn takes from a neighbouring file, and
/// steps on its own.
fn fits(san: PieceSan, from: Square) -> bool {
    let files_between = from.file().abs_diff(san.to.file());
    let fits_pawn = match (san.role, san.from_file, san.from_rank) {
        (Role::Pawn, None, None) => files_between == u8::from(san.is_capture),
        _ => true,
    };
    san.from_file.is_none_or(|file| file == from.file())
        && san.from_rank.is_none_or(|rank| rank == from.rank())
        && fits_pawn
}

/// Refuses a pawn's step that is written as a capture.
fn check_capture_sign(m: Move, is_capture: bool) -> Result<Move, Refusal> {
    if is_capture && m.role == Role::Pawn && m.from.file() == m.to.file() {
        return Err(Refusal::new(Reason::NothingToCapture, "CH-05", [m.to]));
    }
    Ok(m)
}

fn unreadable(text: &str, notation: MoveNotation, language: Language) -> Illegal<Square> {
    Refusal::new(Reason::Unreadable, "", []).into_illegal(message::unreadable(text, notation, language))
}

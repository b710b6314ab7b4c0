//! How a text is found to mean a legal move, and the reading and writing that other crates use.

use std::sync::LazyLock;

use game::fen_fault::FenFault;
use game::illegal::{Illegal, Reason};
use game::language::Language;
use game::line::Line;
use game::message::ambiguous;
use game::notation::{MoveNotation, MoveString, MoveText, Notation, trimmed};
use game::outcome::{ClaimKind, Outcome};
use game::ruling::Ruling;

use crate::chinese;
use crate::fen;
use crate::iccs;
use crate::legality::{Candidate, Refusal, movement_rule};
use crate::message;
use crate::moves::Move;
use crate::position::Xiangqi;
use crate::relative::RelativeMove;
use crate::repetition;
use crate::square::Square;
use crate::uci;
use crate::wxf;

/// What a text says: two points, or a move as a player names it.
enum Named {
    Points(Candidate),
    Relative(RelativeMove),
}

impl Notation for Xiangqi {
    type Style = ();

    const NOTATIONS: &'static [MoveNotation] = &[
        MoveNotation::Uci,
        MoveNotation::UciRank1,
        MoveNotation::Iccs,
        MoveNotation::Wxf,
        MoveNotation::Chinese,
    ];

    fn start((): ()) -> Option<Self> {
        static START: LazyLock<Option<Xiangqi>> = LazyLock::new(|| fen::parse(fen::START).ok());
        START.clone()
    }

    fn parse_fen(fen: &str, (): ()) -> Result<Self, Vec<FenFault>> {
        fen::parse(fen)
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
        // What a record thinks of a move is no part of it.
        let text = trimmed(text).trim_end_matches(['!', '?']);
        match parse(text, notation) {
            Some(Named::Points(candidate)) => {
                self.explain(candidate).map_err(|refusal| self.illegal(candidate, refusal, language))
            }
            Some(Named::Relative(named)) => self.find_relative(text, named, notation, language),
            None => Err(Refusal::new(Reason::Unreadable, "", [])
                .into_illegal(message::unreadable(text, notation, language))),
        }
    }

    fn uci(&self, m: Move) -> MoveString {
        uci::write(m)
    }

    fn move_text(&self, m: Move, _after: &Self) -> MoveText {
        MoveText {
            uci: uci::write(m),
            iccs: iccs::write(m),
            wxf: self.wxf(m),
            chinese: self.chinese(m),
            ..MoveText::default()
        }
    }

    fn outcome_message(outcome: &Outcome, language: Language) -> String {
        message::outcome(outcome, language)
    }

    fn ruling_message(line: &Line<Self>, ruling: &Ruling<Move, Square>, language: Language) -> String {
        repetition::explanation(line, ruling, language)
    }

    fn claim_message(claim: ClaimKind, language: Language) -> String {
        message::claim(claim, language).to_owned()
    }
}

/// Reads a text in a notation, or in whichever it fits. Ranks from 1 to 10 have to be asked for.
fn parse(text: &str, notation: MoveNotation) -> Option<Named> {
    let points = |candidate: Option<Candidate>| candidate.map(Named::Points);
    let relative = |named: Option<RelativeMove>| named.map(Named::Relative);
    match notation {
        MoveNotation::Auto => points(iccs::parse(text))
            .or_else(|| relative(wxf::parse(text)))
            .or_else(|| relative(chinese::parse(text))),
        MoveNotation::Uci => points(uci::parse(text)),
        MoveNotation::UciRank1 => points(uci::parse_rank1(text)),
        MoveNotation::Iccs => points(iccs::parse(text)),
        MoveNotation::Wxf => relative(wxf::parse(text)),
        MoveNotation::Chinese => relative(chinese::parse(text)),
        MoveNotation::San => None,
    }
}

impl Xiangqi {
    /// Finds the one legal move that fits, also where the text does not tell tandem pieces apart and only
    /// one of them can go. When none does, the reason of the piece that comes closest is given.
    fn find_relative(
        &self,
        text: &str,
        named: RelativeMove,
        notation: MoveNotation,
        language: Language,
    ) -> Result<Move, Illegal<Square>> {
        let mut legal = Vec::new();
        let mut closest: Option<(Candidate, Refusal)> = None;
        for (from, candidate) in self.candidates(named) {
            // A piece that cannot go that way at all is farther from the mark than any that can.
            let shown = candidate.unwrap_or(Candidate { from, to: from });
            let found = candidate.map_or_else(
                || Err(Refusal::new(Reason::NotAMoveOfThisPiece, movement_rule(named.role), [])),
                |candidate| self.explain(candidate),
            );
            match found {
                Ok(m) => legal.push(m),
                Err(refusal) => {
                    if closest.as_ref().is_none_or(|(_, other)| refusal.reason > other.reason) {
                        closest = Some((shown, refusal));
                    }
                }
            }
        }
        match (legal.as_slice(), closest) {
            ([m], _) => Ok(*m),
            ([], Some((candidate, refusal))) => Err(self.illegal(candidate, refusal, language)),
            ([], None) => Err(Refusal::new(Reason::NoPiece, "XQ-2.1a", [])
                .into_illegal(message::no_such_piece(self.side_to_move(), named, language))),
            (several, _) => Err(self.ambiguous(text, several, notation, language)),
        }
    }

    fn ambiguous(
        &self,
        text: &str,
        moves: &[Move],
        notation: MoveNotation,
        language: Language,
    ) -> Illegal<Square> {
        let is_wxf = notation == MoveNotation::Wxf || text.is_ascii();
        let write = |&m: &Move| if is_wxf { self.wxf(m) } else { self.chinese(m) }.to_string();
        let candidates: Vec<_> = moves.iter().map(write).collect();
        let mut squares: Vec<_> = moves.iter().map(|m| m.from).collect();
        squares.dedup();
        Illegal {
            reason: Reason::Ambiguous,
            rule: "",
            squares,
            message: ambiguous(text, &candidates, language),
            candidates,
        }
    }

    fn illegal(&self, candidate: Candidate, refusal: Refusal, language: Language) -> Illegal<Square> {
        let message = message::refusal(self, candidate, &refusal, language);
        refusal.into_illegal(message)
    }
}

//! Whether an answer is right, and not only an answer.

use bytes::Bytes;
use prost::Message;
use proto::v1::{
    GameState, GameStatusResponse, GetServerInfoResponse, IllegalMove, LegalMovesResponse, Move, Reason,
    ReplayGameResponse, SearchResponse, ValidateMoveResponse, ValidateMovesResponse,
};

use crate::echo::pb::EchoResponse;

/// What the answer to a question has to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Expected {
    /// About one move.
    Move(OneMove),
    /// About moves, one answer each.
    Moves(Vec<OneMove>),
    /// The legal moves.
    LegalMoves {
        /// How many, where that is known.
        count: Option<u32>,
        /// In UCI, sorted, where they are known.
        all: Option<Vec<String>>,
        /// One of them.
        played: String,
    },
    /// How a game stands.
    Status {
        /// The FEN.
        fen: String,
        /// How many moves are legal, where that is known.
        count: Option<u32>,
    },
    /// A whole game.
    Replay {
        /// The moves in UCI.
        moves: Vec<String>,
        /// The last FEN.
        fen: String,
    },
    /// The end of a search.
    Search {
        /// The legal moves in UCI, sorted, where they are known.
        legal: Option<Vec<String>>,
        /// The positions that may be looked at.
        nodes: u64,
    },
    /// What the server is.
    Info,
    /// So many bytes, as often as this.
    Echo(Vec<usize>),
}

/// What the answer about one move has to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OneMove {
    /// The move in UCI.
    pub(crate) text: String,
    /// Why it is not legal. `Reason::Unspecified`: it is.
    pub(crate) reason: Reason,
    /// The FEN: after a legal move, before another one.
    pub(crate) fen: String,
    /// How many moves are legal there, where that is known and told.
    pub(crate) count: Option<u32>,
}

/// Looks at the messages of one answer as they come.
#[derive(Debug)]
pub(crate) struct Checker<'a> {
    expected: &'a Expected,
    /// Whether the messages are read, or only counted.
    reads: bool,
    messages: usize,
    has_end: bool,
    wrong: Option<String>,
}

impl<'a> Checker<'a> {
    /// A checker that reads the messages, or only counts them.
    pub(crate) fn new(expected: &'a Expected, reads: bool) -> Self {
        Self { expected, reads, messages: 0, has_end: false, wrong: None }
    }

    /// Takes the next message.
    pub(crate) fn take(&mut self, message: Bytes) {
        let index = self.messages;
        self.messages += 1;
        if self.reads && self.wrong.is_none() {
            self.wrong = self.judge(index, message).err();
        }
    }

    /// How many messages there were.
    pub(crate) fn messages(&self) -> usize {
        self.messages
    }

    /// What was wrong, if anything was.
    pub(crate) fn finish(self) -> Option<String> {
        let count = match self.expected {
            Expected::Moves(moves) => moves.len(),
            Expected::Echo(sizes) => sizes.len(),
            // As many as it likes; the last one is told apart.
            Expected::Search { .. } if self.reads && !self.has_end => {
                return self.wrong.or_else(|| Some("no message is final".to_owned()));
            }
            Expected::Search { .. } => self.messages.max(1),
            _ => 1,
        };
        let is_complete = self.messages == count;
        self.wrong
            .or_else(|| (!is_complete).then(|| format!("{} messages instead of {count}", self.messages)))
    }

    fn judge(&mut self, index: usize, message: Bytes) -> Result<(), String> {
        match self.expected {
            Expected::Move(expected) => {
                let answer: ValidateMoveResponse = decode(message)?;
                expected.judge(answer.legal, answer.r#move, answer.illegal, &answer.fen, answer.state)
            }
            Expected::Moves(expected) => {
                let answer: ValidateMovesResponse = decode(message)?;
                let expected = expected.get(index).ok_or("an answer to no question")?;
                if let Some(error) = answer.error {
                    return Err(format!("answer {index}: {}: {}", error.reason, error.message));
                }
                let judged =
                    expected.judge(answer.legal, answer.r#move, answer.illegal, &answer.fen, answer.state);
                judged.map_err(|wrong| format!("answer {index}: {wrong}"))
            }
            Expected::LegalMoves { count, all, played } => {
                judge_legal_moves(&decode(message)?, *count, all.as_deref(), played)
            }
            Expected::Status { fen, count } => {
                let answer: GameStatusResponse = decode(message)?;
                same("fen", answer.fen.as_str(), fen)?;
                same_count(answer.state, *count)
            }
            Expected::Replay { moves, fen } => judge_replay(&decode(message)?, moves, fen),
            Expected::Search { legal, nodes } => {
                let answer: SearchResponse = decode(message)?;
                if self.has_end {
                    return Err("a message after the final one".to_owned());
                }
                self.has_end = answer.r#final;
                if answer.r#final { judge_search(answer, legal.as_deref(), *nodes) } else { Ok(()) }
            }
            Expected::Info => {
                let answer: GetServerInfoResponse = decode(message)?;
                same("api", answer.api.as_str(), "arbiter.v1")
            }
            Expected::Echo(sizes) => {
                let answer: EchoResponse = decode(message)?;
                same("length", Some(&answer.payload.len()), sizes.get(index))
            }
        }
    }
}

impl OneMove {
    fn judge(
        &self,
        legal: bool,
        played: Option<Move>,
        illegal: Option<IllegalMove>,
        fen: &str,
        state: Option<GameState>,
    ) -> Result<(), String> {
        let reason = illegal.map_or(Reason::Unspecified, |illegal| illegal.reason());
        same("reason", reason.as_str_name(), self.reason.as_str_name())?;
        same("legal", legal, self.reason == Reason::Unspecified)?;
        same("fen", fen, self.fen.as_str())?;
        if legal {
            same("move.uci", played.unwrap_or_default().uci.as_str(), self.text.as_str())?;
        }
        same_count(state, self.count)
    }
}

fn judge_legal_moves(
    answer: &LegalMovesResponse,
    count: Option<u32>,
    all: Option<&[String]>,
    played: &str,
) -> Result<(), String> {
    let mut moves: Vec<_> = answer.moves.iter().map(|it| it.uci.as_str()).collect();
    moves.sort_unstable();
    if let Some(all) = all {
        same("moves", moves.as_slice(), all.iter().map(String::as_str).collect::<Vec<_>>().as_slice())?;
    }
    if moves.binary_search(&played).is_err() {
        return Err(format!("{played}, which was played, is not among the legal moves"));
    }
    moves.dedup();
    same(
        "number of moves",
        Some(moves.len()),
        count.map_or(Some(moves.len()), |count| Some(count as usize)),
    )?;
    same_count(answer.state.clone(), count)
}

fn judge_replay(answer: &ReplayGameResponse, moves: &[String], fen: &str) -> Result<(), String> {
    same("first_illegal_ply", answer.first_illegal_ply, None)?;
    same("ply_count", answer.ply_count as usize, moves.len())?;
    let replayed = answer.plies.iter().map(|ply| ply.r#move.as_ref().map_or("", |it| it.uci.as_str()));
    if !replayed.eq(moves.iter().map(String::as_str)) {
        return Err("the moves are not those that were asked about".to_owned());
    }
    same("last fen", answer.plies.last().map_or("", |ply| ply.fen.as_str()), fen)
}

fn judge_search(answer: SearchResponse, legal: Option<&[String]>, nodes: u64) -> Result<(), String> {
    let best = answer.best_move.unwrap_or_default().uci;
    if legal.is_some_and(|legal| legal.binary_search(&best).is_err()) || best.is_empty() {
        return Err(format!("best_move {best:?} is not legal"));
    }
    let first = answer.lines.first().and_then(|line| line.pv.first());
    same("first move of the best line", first, Some(&best))?;
    if answer.nodes > nodes { Err(format!("{} nodes, more than {nodes}", answer.nodes)) } else { Ok(()) }
}

fn same_count(state: Option<GameState>, count: Option<u32>) -> Result<(), String> {
    match (state, count) {
        (Some(state), Some(count)) => same("legal_move_count", state.legal_move_count, count),
        (None, Some(_)) => Err("no state".to_owned()),
        (_, None) => Ok(()),
    }
}

fn same<T: Copy + PartialEq + std::fmt::Debug>(what: &str, is: T, expected: T) -> Result<(), String> {
    if is == expected { Ok(()) } else { Err(format!("{what} is {is:?} and should be {expected:?}")) }
}

fn decode<M: Message + Default>(message: Bytes) -> Result<M, String> {
    M::decode(message).map_err(|error| format!("unreadable: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(expected: &Expected, answers: &[Bytes]) -> Option<String> {
        let mut checker = Checker::new(expected, true);
        answers.iter().cloned().for_each(|answer| checker.take(answer));
        checker.finish()
    }

    fn encoded(message: &impl Message) -> Bytes {
        message.encode_to_vec().into()
    }

    fn legal() -> (Expected, ValidateMoveResponse) {
        let expected =
            OneMove { text: "e2e4".into(), reason: Reason::Unspecified, fen: "F".into(), count: Some(20) };
        let answer = ValidateMoveResponse {
            legal: true,
            r#move: Some(Move { uci: "e2e4".into(), ..Move::default() }),
            fen: "F".into(),
            state: Some(GameState { legal_move_count: 20, ..GameState::default() }),
            illegal: None,
        };
        (Expected::Move(expected), answer)
    }

    #[test]
    fn every_part_of_an_answer_about_a_move_counts() {
        let (expected, right) = legal();
        assert_eq!(verdict(&expected, &[encoded(&right)]), None);
        let wrongs: [fn(&mut ValidateMoveResponse); 5] = [
            |answer| answer.legal = false,
            |answer| answer.fen = "G".into(),
            |answer| answer.r#move = None,
            |answer| answer.state = None,
            |answer| {
                answer.illegal =
                    Some(IllegalMove { reason: Reason::NoPiece.into(), ..IllegalMove::default() });
            },
        ];
        for change in wrongs {
            let mut wrong = right.clone();
            change(&mut wrong);
            assert!(verdict(&expected, &[encoded(&wrong)]).is_some(), "{wrong:?}");
        }
    }

    #[test]
    fn no_answer_and_two_answers_are_wrong() {
        let (expected, right) = legal();
        assert_eq!(verdict(&expected, &[]), Some("0 messages instead of 1".to_owned()));
        assert!(verdict(&expected, &[encoded(&right), encoded(&right)]).is_some());
        assert!(verdict(&expected, &[Bytes::from_static(b"\xff")]).is_some());
    }

    #[test]
    fn a_search_ends_with_a_legal_move() {
        let expected = Expected::Search { legal: Some(vec!["a1a2".into()]), nodes: 10 };
        let answer = |is_final, uci: &str| {
            encoded(&SearchResponse {
                r#final: is_final,
                nodes: 10,
                best_move: Some(Move { uci: uci.into(), ..Move::default() }),
                lines: vec![proto::v1::PvLine { pv: vec![uci.into()], ..Default::default() }],
                ..SearchResponse::default()
            })
        };
        assert_eq!(verdict(&expected, &[answer(false, ""), answer(true, "a1a2")]), None);
        assert!(verdict(&expected, &[answer(true, "a1a3")]).is_some());
        assert!(verdict(&expected, &[answer(false, "a1a2")]).is_some_and(|wrong| wrong.contains("final")));
    }
}

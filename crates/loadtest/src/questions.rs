//! Questions about real games, encoded before the clock runs.

use bytes::{Bytes, BytesMut};
use clap::ValueEnum;
use fastrand::Rng;
use prost::Message;
use proto::v1::{
    Game, GameStatusRequest, GetServerInfoRequest, LegalMovesRequest, Reason, ReplayGameRequest,
    SearchLimits, SearchRequest, ValidateMoveRequest, ValidateMovesRequest, View,
};

use crate::answers::{Expected, OneMove};
use crate::board::Board;
use crate::corpus;
use crate::exit::Failure;
use crate::frame;
use crate::limits::{PREPARED, PREPARED_ITEMS};
use crate::method::Method;

/// A question, ready to be sent.
#[derive(Debug)]
pub(crate) struct Question {
    /// What is called.
    pub(crate) method: Method,
    /// The request in its frame; of a stream, all requests.
    pub(crate) body: Bytes,
    /// What the answer has to be.
    pub(crate) expected: Expected,
    /// The question for people.
    pub(crate) text: String,
}

/// How much of an answer is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Wanted {
    /// Everything.
    Full,
    /// `legal`, `move.uci`, `illegal` and `fen` only.
    Basic,
}

/// What is asked about.
#[derive(Debug, Clone)]
pub(crate) struct Taste {
    /// Plies of history before the position; 0: the position alone.
    pub(crate) history: usize,
    /// The share of moves that are not legal.
    pub(crate) illegal: f64,
    /// How much of an answer about a move is asked for.
    pub(crate) view: Wanted,
    /// Requests in a stream.
    pub(crate) items: usize,
    /// Positions that a search may look at.
    pub(crate) nodes: u64,
    /// Chance, repeatably.
    pub(crate) seed: u64,
}

/// Writes questions of one kind.
///
/// # Errors
/// The games have nothing to ask about.
pub(crate) fn prepare(
    method: Method,
    games: &[corpus::Game],
    taste: &Taste,
) -> Result<Vec<Question>, Failure> {
    let places = places(games, taste.history);
    if places.is_empty() {
        return Err(format!("no game is longer than {} plies of history", taste.history));
    }
    let listed: Vec<_> =
        places.iter().copied().filter(|place| place.game.listed.contains_key(&place.ply)).collect();
    let count = match method {
        Method::ValidateMoves => (PREPARED_ITEMS / taste.items).clamp(4, PREPARED),
        Method::GetServerInfo => 1,
        _ => PREPARED,
    };
    let mut random = Rng::with_seed(taste.seed ^ method as u64);
    let mut question = || {
        // The best move can be checked where all legal moves are known.
        let from = if method == Method::Search && !listed.is_empty() { &listed } else { &places };
        let place = from[random.usize(..from.len())];
        match method {
            Method::ValidateMove => place.validate_move(taste, &mut random),
            Method::ValidateMoves => validate_moves(&places, taste, &mut random),
            Method::LegalMoves => place.legal_moves(),
            Method::GameStatus => place.game_status(),
            Method::ReplayGame => place.replay_game(),
            Method::Search => place.search(taste.nodes),
            Method::GetServerInfo => info(),
            Method::Echo | Method::EchoStream => unreachable!("an echo is made of an answer"),
        }
    };
    Ok((0..count).map(|_| question()).collect())
}

/// A position of a game in which a move was played.
#[derive(Debug, Clone, Copy)]
struct Place<'a> {
    game: &'a corpus::Game,
    /// The plies before it.
    ply: usize,
    history: usize,
}

/// Every place with enough plies before it.
fn places(games: &[corpus::Game], history: usize) -> Vec<Place<'_>> {
    let of_game = |game: &corpus::Game| {
        // How the service writes the first FEN of a game of the user's own is not known.
        let first = usize::from(game.legal_move_counts.is_none());
        history.max(first)..game.moves.len()
    };
    let at = |game| move |ply| Place { game, ply, history };
    games.iter().flat_map(|game| of_game(game).map(at(game))).collect()
}

impl Place<'_> {
    /// The position as the service is told it.
    fn game(&self) -> Game {
        let start = self.ply - self.history;
        Game {
            variant: self.game.variant.into(),
            initial_fen: self.game.fens[start].clone(),
            moves: self.game.moves[start..self.ply].to_vec(),
            ..Game::default()
        }
    }

    fn fen(&self) -> &str {
        &self.game.fens[self.ply]
    }

    fn played(&self) -> &str {
        &self.game.moves[self.ply]
    }

    /// A move to ask about, legal or not.
    fn one_move(&self, taste: &Taste, random: &mut Rng) -> OneMove {
        let (text, reason, ply) = if random.f64() < taste.illegal {
            let (text, reason) = illegal(&Board::of(self.fen()), random);
            (text, reason, self.ply)
        } else {
            (self.played().to_owned(), Reason::Unspecified, self.ply + 1)
        };
        // The basic view tells no state.
        let count = if taste.view == Wanted::Full { self.game.count_at(ply) } else { None };
        OneMove { text, reason, fen: self.game.fens[ply].clone(), count }
    }

    fn validate_move(&self, taste: &Taste, random: &mut Rng) -> Question {
        let expected = self.one_move(taste, random);
        let request = ValidateMoveRequest {
            game: Some(self.game()),
            r#move: expected.text.clone(),
            view: view(taste.view).into(),
            ..ValidateMoveRequest::default()
        };
        question(Method::ValidateMove, &request, Expected::Move(expected))
    }

    fn legal_moves(&self) -> Question {
        let expected = Expected::LegalMoves {
            count: self.game.count_at(self.ply),
            all: self.game.listed.get(&self.ply).cloned(),
            played: self.played().to_owned(),
        };
        let request = LegalMovesRequest { game: Some(self.game()), ..LegalMovesRequest::default() };
        question(Method::LegalMoves, &request, expected)
    }

    fn game_status(&self) -> Question {
        let expected = Expected::Status { fen: self.fen().to_owned(), count: self.game.count_at(self.ply) };
        question(Method::GameStatus, &GameStatusRequest { game: Some(self.game()) }, expected)
    }

    /// The whole game, whatever the place in it.
    fn replay_game(&self) -> Question {
        let whole = Place { ply: self.game.moves.len(), history: self.game.moves.len(), ..*self };
        let plies = u32::try_from(whole.ply).unwrap_or(u32::MAX);
        let request =
            ReplayGameRequest { game: Some(whole.game()), max_plies: plies, ..ReplayGameRequest::default() };
        let expected = Expected::Replay { moves: self.game.moves.clone(), fen: whole.fen().to_owned() };
        question(Method::ReplayGame, &request, expected)
    }

    fn search(&self, nodes: u64) -> Question {
        let limits = SearchLimits { nodes, ..SearchLimits::default() };
        // The smallest table: clearing a large one would cost more than a short search.
        let request = SearchRequest {
            game: Some(self.game()),
            limits: Some(limits),
            hash_mib: 1,
            ..SearchRequest::default()
        };
        question(
            Method::Search,
            &request,
            Expected::Search { legal: self.game.listed.get(&self.ply).cloned(), nodes },
        )
    }
}

fn validate_moves(places: &[Place<'_>], taste: &Taste, random: &mut Rng) -> Question {
    let mut body = BytesMut::new();
    let mut expected = Vec::with_capacity(taste.items);
    let mut text = String::new();
    for _ in 0..taste.items {
        let place = places[random.usize(..places.len())];
        let one = place.one_move(taste, random);
        let request = ValidateMovesRequest {
            game: Some(place.game()),
            r#move: one.text.clone(),
            view: view(taste.view).into(),
            ..ValidateMovesRequest::default()
        };
        frame::write(&request, &mut body);
        if expected.is_empty() {
            text = format!("{} requests, the first is {request:?}", taste.items);
        }
        expected.push(one);
    }
    Question { method: Method::ValidateMoves, body: body.freeze(), expected: Expected::Moves(expected), text }
}

fn info() -> Question {
    question(Method::GetServerInfo, &GetServerInfoRequest {}, Expected::Info)
}

fn question(method: Method, request: &(impl Message + std::fmt::Debug), expected: Expected) -> Question {
    let mut body = BytesMut::new();
    frame::write(request, &mut body);
    Question { method, body: body.freeze(), expected, text: format!("{request:?}") }
}

fn view(wanted: Wanted) -> View {
    match wanted {
        Wanted::Full => View::Full,
        Wanted::Basic => View::Basic,
    }
}

/// A move that is not legal by what stands on the board alone, and the reason that comes first.
fn illegal(board: &Board, random: &mut Rng) -> (String, Reason) {
    let (empty, ours, theirs) = (board.empty(), board.ours(), board.theirs());
    let mut some = |squares: &[&str]| squares[random.usize(..squares.len())].to_owned();
    let from_empty = some(&empty) + &some(&ours);
    let from_theirs = some(&theirs) + &some(&empty);
    // Not the king, which castles when it goes to its own rook, and not to where it stands.
    let movers = board.ours_without_king();
    let mover = movers.first().copied().unwrap_or_default();
    let target = ours.iter().copied().find(|square| *square != mover).unwrap_or_default();
    match random.u8(0..3) {
        0 => (from_empty, Reason::NoPiece),
        1 => (from_theirs, Reason::NotYourPiece),
        _ if movers.is_empty() => (from_empty, Reason::NoPiece),
        _ => (format!("{mover}{target}"), Reason::OwnPieceOnTarget),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taste() -> Taste {
        Taste { history: 0, illegal: 0.5, view: Wanted::Full, items: 10, nodes: 100, seed: 1 }
    }

    #[test]
    fn half_of_the_moves_are_not_legal_when_half_are_asked_for() {
        let questions = prepare(Method::ValidateMove, &corpus::built_in().unwrap(), &taste()).unwrap();
        let is_illegal = |question: &&Question| matches!(&question.expected, Expected::Move(one) if one.reason != Reason::Unspecified);
        let illegal = questions.iter().filter(is_illegal).count();
        assert!((PREPARED * 2 / 5..PREPARED * 3 / 5).contains(&illegal), "{illegal}");
    }

    #[test]
    fn history_is_as_long_as_asked_for_and_ends_in_the_same_kind_of_place() {
        let games = corpus::built_in().unwrap();
        let questions = prepare(Method::GameStatus, &games, &Taste { history: 40, ..taste() }).unwrap();
        for question in questions {
            let request = GameStatusRequest::decode(question.body.slice(5..)).unwrap();
            assert_eq!(request.game.unwrap().moves.len(), 40);
        }
        let too_long = prepare(Method::GameStatus, &games, &Taste { history: 1_000, ..taste() });
        assert!(too_long.is_err_and(|error| error.contains("1000 plies")));
    }

    #[test]
    fn the_same_seed_asks_the_same_questions() {
        let games = corpus::built_in().unwrap();
        let bodies = |seed| -> Vec<_> {
            let taste = Taste { seed, ..taste() };
            prepare(Method::ValidateMove, &games, &taste).unwrap().into_iter().map(|it| it.body).collect()
        };
        assert_eq!(bodies(1), bodies(1));
        assert_ne!(bodies(1), bodies(2));
    }

    #[test]
    fn a_stream_has_as_many_requests_as_answers_are_expected() {
        let questions = prepare(Method::ValidateMoves, &corpus::built_in().unwrap(), &taste()).unwrap();
        let mut reader = frame::Reader::default();
        reader.push(questions[0].body.clone());
        let mut count = 0;
        while reader.next().unwrap().is_some() {
            count += 1;
        }
        assert_eq!(count, 10);
        assert!(matches!(&questions[0].expected, Expected::Moves(moves) if moves.len() == 10));
    }
}

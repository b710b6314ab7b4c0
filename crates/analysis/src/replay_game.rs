//! What happened in this game, ply by ply?

use game::illegal::Reason;
use game::line::Line;
use game::notation::Notation;
use game::outcome::Outcome;
use game::pgn::{Event, PgnError, Reader};
use game::side::Side;

use crate::error::{Error, ErrorReason, shortened};
use crate::limits::{
    DEFAULT_PLIES_RETURNED, MAX_PGN_BYTES, MAX_PLIES_RETURNED, at_most, check_fen, check_move,
    check_move_count,
};
use crate::repetition::is_loss;
use crate::replay::{Game, check_notation, start_position};
use crate::report::{GameState, IllegalMove, MoveReport, fen_of, game_over};
use crate::variant::{Question, Variant};

/// A whole game as it is asked about.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Record {
    /// The game as moves; with a `pgn`, its start position and moves must be empty.
    pub game: Game,
    /// The game as PGN text, or an empty text.
    pub pgn: String,
    /// Which game of the PGN, counted from 0.
    pub game_index: usize,
    /// The first ply that is returned, counted from 0.
    pub first_ply: usize,
    /// How many plies are returned at most; 0 for the default.
    pub max_plies: usize,
}

impl Record {
    /// Measures the question of [`replay_game`], without reading anything in it. The moves of a PGN are
    /// counted when they are read.
    ///
    /// # Errors
    /// The first limit that is exceeded.
    pub fn check_limits(&self) -> Result<(), Error> {
        at_most(("max_plies_returned", MAX_PLIES_RETURNED), self.max_plies, || "max_plies".to_owned())?;
        at_most(("max_pgn_bytes", MAX_PGN_BYTES), self.pgn.len(), || "pgn".to_owned())?;
        self.game.check_limits()
    }
}

/// A game, replayed as far as it is legal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplayedGame {
    /// The plies asked for.
    pub plies: Vec<ReplayedPly>,
    /// How many plies could be replayed.
    pub ply_count: usize,
    /// How many games the PGN has; 1 for a list of moves.
    pub game_count: usize,
    /// The first ply that is not legal, and why.
    pub illegal: Option<(usize, IllegalMove)>,
    /// The first ply after which the game was over by itself; nothing when it never was, or was so in the
    /// start position.
    pub ended_at_ply: Option<usize>,
    /// How the game stands after the last legal ply.
    pub state: GameState,
    /// The PGN's tags, in their order.
    pub tags: Vec<Tag>,
    /// The PGN's result; for a list of moves, the result of the first position in which the game was over
    /// by itself, the start position included.
    pub result: String,
}

/// One ply of a replayed game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplayedPly {
    /// The move.
    pub m: MoveReport,
    /// The FEN after it.
    pub fen: String,
}

/// A tag of a PGN.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    /// The name.
    pub name: String,
    /// The value.
    pub value: String,
}

/// Replays a game from a list of moves or from PGN text. A bad move is part of the answer; the plies
/// before it are replayed.
///
/// # Errors
/// The start position, the rule set or the PGN's grammar is wrong, the PGN has no such game, or a limit
/// is exceeded.
pub fn replay_game(record: &Record) -> Result<ReplayedGame, Error> {
    record.check_limits()?;
    let pgn = read_pgn(record)?;
    let variant = match record.game.variant {
        Some(variant) => variant,
        None => pgn.variant()?,
    };
    variant.ask(Replay { record, pgn })
}

/// One game of a PGN text, still as text. For a list of moves, everything but `game_count` is empty.
#[derive(Debug, Default)]
struct PgnGame<'a> {
    tags: Vec<Tag>,
    moves: Vec<&'a str>,
    result: Option<&'static str>,
    game_count: usize,
}

impl PgnGame<'_> {
    /// The value of a tag.
    fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|tag| tag.name.eq_ignore_ascii_case(name)).map(|tag| tag.value.as_str())
    }

    /// The variant that the tags name.
    fn variant(&self) -> Result<Variant, Error> {
        let Some(name) = self.tag("Variant") else {
            // Records of xiangqi say so in the tag Game, which others use for other things.
            return Ok(self.tag("Game").and_then(Variant::from_pgn).unwrap_or(Variant::Chess));
        };
        Variant::from_pgn(name).ok_or_else(|| {
            let name = &shortened(name);
            let message = format!("the tag Variant names {name:?}, which is not supported");
            Error::new(ErrorReason::VariantUnsupported, "pgn", message).with("variant", name.as_str())
        })
    }
}

/// Takes the game asked for out of the PGN text and counts the games.
fn read_pgn(record: &Record) -> Result<PgnGame<'_>, Error> {
    let Record { game, pgn, game_index, .. } = record;
    if pgn.is_empty() {
        check_index(*game_index, 1)?;
        return Ok(PgnGame { game_count: 1, ..PgnGame::default() });
    }
    for (field, is_set) in
        [("game.initial_fen", !game.initial_fen.is_empty()), ("game.moves", !game.moves.is_empty())]
    {
        if is_set {
            let message = format!("a PGN has its own start position and moves; leave {field} empty");
            return Err(Error::new(ErrorReason::PgnConflict, field, message));
        }
    }
    let mut found = PgnGame::default();
    let mut game_count = 0;
    for event in Reader::new(pgn) {
        let event = event.map_err(|error| broken_pgn(&error))?;
        if game_count == *game_index {
            collect(&mut found, &event)?;
        }
        game_count += usize::from(matches!(event, Event::End { .. }));
    }
    check_index(*game_index, game_count)?;
    found.game_count = game_count;
    Ok(found)
}

/// Refuses a game beyond the last one.
fn check_index(index: usize, count: usize) -> Result<(), Error> {
    if index < count {
        return Ok(());
    }
    let message = format!("there is no game {index} (counted from 0); number of games: {count}");
    Err(Error::new(ErrorReason::PgnGameNotFound, "game_index", message)
        .with("game_index", index.to_string())
        .with("game_count", count.to_string()))
}

/// Adds an event to the game that is asked for.
fn collect<'a>(found: &mut PgnGame<'a>, event: &Event<'a>) -> Result<(), Error> {
    match event {
        Event::Tag { name, value } => {
            found.tags.push(Tag { name: (*name).to_owned(), value: value.to_string() });
        }
        Event::Move { text, .. } => {
            check_move(text, || "pgn".to_owned())?;
            check_move_count("pgn", found.moves.len() + 1)?;
            found.moves.push(text);
        }
        Event::End { result } => found.result = Some(result),
    }
    Ok(())
}

/// A PGN that breaks the grammar.
fn broken_pgn(error: &PgnError) -> Error {
    let message = format!("line {}: {}", error.line, error.message);
    Error::new(ErrorReason::PgnInvalid, "pgn", message).with("line", error.line.to_string())
}

struct Replay<'a> {
    record: &'a Record,
    pgn: PgnGame<'a>,
}

impl Question for Replay<'_> {
    type Answer = Result<ReplayedGame, Error>;

    fn ask<P: Notation>(self, variant: Variant, style: P::Style) -> Self::Answer {
        let Self { record, pgn } = self;
        let game = &record.game;
        let rules = game.rules::<P>(variant)?;
        check_notation::<P>(game.notation, variant, "game.notation")?;
        let is_pgn = !record.pgn.is_empty();
        let (fen, field) = if is_pgn {
            let fen = pgn.tag("FEN").unwrap_or_default();
            check_fen("pgn", fen)?;
            (fen, "pgn")
        } else {
            (game.initial_fen.as_str(), "game.initial_fen")
        };
        let mut replay = Replayed::<P>::new(start_position(fen, variant, style, field)?, record, &rules);
        let illegal = if is_pgn {
            replay.play_all(pgn.moves.iter().copied(), game)
        } else {
            replay.play_all(game.moves.iter().map(String::as_str), game)
        };
        let Replayed { line, plies, mut outcome, mut ended_at_ply, .. } = replay;
        // The last position is judged for itself, as every other question judges it: what the positions
        // before it have cost does not count.
        let mut memo = P::Memo::default();
        let state = GameState::new(&line, &rules, &mut memo, game.language);
        if outcome.is_none() && state.outcome.is_some() {
            outcome = P::adjudicate(&line, &rules, &mut memo);
            ended_at_ply = line.plies().len().checked_sub(1);
        }
        let result = match pgn.result {
            // A record without its marker may still have the tag.
            Some("*") => pgn.tag("Result").filter(|tag| RESULTS.contains(tag)).or(pgn.result),
            Some(result) => Some(result),
            None => outcome.map(decided_result),
        };
        let result = result.unwrap_or("*").to_owned();
        Ok(ReplayedGame {
            plies,
            ply_count: line.plies().len(),
            game_count: pgn.game_count,
            illegal,
            ended_at_ply,
            state,
            result,
            tags: pgn.tags,
        })
    }
}

/// A replay under way.
struct Replayed<'a, P: Notation> {
    line: Line<P>,
    rules: &'a P::Rules,
    memo: P::Memo,
    /// The plies that are returned.
    window: std::ops::Range<usize>,
    plies: Vec<ReplayedPly>,
    /// How the game was over by itself for the first time.
    outcome: Option<Outcome>,
    /// The ply that brought that about; nothing when it was so from the start.
    ended_at_ply: Option<usize>,
}

impl<'a, P: Notation> Replayed<'a, P> {
    fn new(start: P, record: &Record, rules: &'a P::Rules) -> Self {
        let wanted = if record.max_plies == 0 { DEFAULT_PLIES_RETURNED } else { record.max_plies };
        let line = Line::new(start);
        let mut memo = P::Memo::default();
        Self {
            outcome: P::adjudicate(&line, rules, &mut memo),
            memo,
            ended_at_ply: None,
            line,
            rules,
            window: record.first_ply..record.first_ply.saturating_add(wanted),
            plies: Vec::new(),
        }
    }

    /// Plays moves until one is not legal, and tells which and why.
    fn play_all<'m>(
        &mut self,
        moves: impl ExactSizeIterator<Item = &'m str>,
        game: &Game,
    ) -> Option<(usize, IllegalMove)> {
        self.line.reserve(moves.len());
        for (ply, text) in moves.enumerate() {
            match self.line.last().read_move(text, game.notation, game.language) {
                Ok(m) => self.play(ply, m),
                Err(illegal) => return Some((ply, self.refusal(illegal.into(), game))),
            }
        }
        None
    }

    fn play(&mut self, ply: usize, m: P::Move) {
        let before = self.line.last();
        let after = before.after(m);
        let mover = before.side_to_move();
        let mut returned = self
            .window
            .contains(&ply)
            .then(|| ReplayedPly { m: MoveReport::new(before, m, &after), fen: fen_of(&after) });
        self.line.push(m, after);
        if self.outcome.is_none() {
            self.outcome = P::adjudicate(&self.line, self.rules, &mut self.memo);
            self.ended_at_ply = self.outcome.is_some().then_some(ply);
            if let (Some(outcome), Some(returned)) = (&self.outcome, &mut returned) {
                returned.m.loses_by_repetition = is_loss(outcome, mover);
            }
        }
        self.plies.extend(returned);
    }

    /// After the end of the game, however it came about, that is the better reason than the move's own.
    fn refusal(&self, illegal: IllegalMove, game: &Game) -> IllegalMove {
        match P::ending(&self.line, self.rules) {
            Some(outcome) if illegal.reason != Reason::Unreadable => game_over::<P>(&outcome, game.language),
            _ => illegal,
        }
    }
}

/// The results that a PGN may have.
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// The result that the board has decided, as a PGN writes it.
fn decided_result(outcome: Outcome) -> &'static str {
    match outcome.winner {
        Some(Side::First) => "1-0",
        Some(Side::Second) => "0-1",
        None => "1/2-1/2",
    }
}

//! The Universal Chess Interface, for both games
//! (<https://www.chessprogramming.org/UCI>): a front end for match tools.

use std::io::BufRead as _;
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use analysis::eval::Evaluated;
use analysis::search::in_order;
use analysis::strength::{Strength, weaken};
use analysis::variant::{Question, Variant};
use game::language::Language;
use game::line::Line;
use game::notation::MoveNotation;
use game::side::Side;
use search::iterate::search;
use search::limits::{Limits, Request};
use search::memory::Memory;
use search::report::Report;
use search::score::{Bound, Score};
use search::stop::Token;

use crate::cli::{Failure, say};

/// Settings that outlive a change of the game.
#[derive(Debug, Clone)]
struct Settings {
    /// The table's size in MiB.
    hash: usize,
    multi_pv: usize,
    /// Time that is lost between us and the clock.
    overhead: Duration,
    /// Ranks are written from 1, where the game counts them from 0.
    ranks_from_one: bool,
    /// Whether `strength` counts.
    is_limited: bool,
    strength: Strength,
}

impl Settings {
    /// How well to play, when it is not as well as possible.
    fn weak_strength(&self) -> Option<Strength> {
        self.is_limited.then_some(self.strength)
    }
}

/// Speaks UCI until told to quit.
///
/// # Errors
/// When standard input or output is lost.
pub fn run(variant: Variant) -> Result<(), Failure> {
    let overhead = Duration::from_millis(10);
    let strength = Strength { elo: Strength::FULL, seed: 0 };
    let mut settings =
        Settings { hash: 16, multi_pv: 1, overhead, ranks_from_one: false, is_limited: false, strength };
    let mut next = Some(variant);
    while let Some(variant) = next {
        next = variant.ask(Session { settings: &mut settings })?;
    }
    Ok(())
}

/// Speaks about one variant until told to quit, or to speak about another one.
struct Session<'a> {
    settings: &'a mut Settings,
}

impl Question for Session<'_> {
    type Answer = Result<Option<Variant>, Failure>;

    fn ask<P: Evaluated>(self, variant: Variant, style: P::Style) -> Self::Answer {
        let mut table = Desk::<P>::new(variant, style, self.settings.clone());
        let next = table.converse()?;
        *self.settings = table.settings;
        Ok(next)
    }
}

/// A search under way; it gives the memory back.
struct Running<P: Evaluated> {
    token: Token,
    /// Dropped when the search may say its move, which one without an end keeps until then.
    patience: Sender<()>,
    thread: JoinHandle<Memory<P>>,
}

/// What the conversation is about.
struct Desk<P: Evaluated> {
    variant: Variant,
    style: P::Style,
    settings: Settings,
    line: Option<Line<P>>,
    memory: Option<Memory<P>>,
    running: Option<Running<P>>,
}

impl<P: Evaluated> Desk<P> {
    fn new(variant: Variant, style: P::Style, settings: Settings) -> Self {
        let line = P::start(style).map(Line::new);
        Self { variant, style, settings, line, memory: None, running: None }
    }

    fn converse(&mut self) -> Result<Option<Variant>, Failure> {
        for input in std::io::stdin().lock().lines() {
            let input = input.map_err(|error| format!("standard input: {error}"))?;
            let words: Vec<_> = input.split_whitespace().collect();
            let Some((&command, rest)) = words.split_first() else { continue };
            let answer = match command {
                "quit" => break,
                "uci" => self.introduce(),
                "isready" => say("readyok"),
                "ucinewgame" => self.forget(),
                "position" => self.set_position(rest),
                "go" => self.go(rest),
                "stop" => self.stop(),
                "ponderhit" | "debug" | "register" => Ok(()),
                "setoption" => match self.set_option(&input) {
                    Ok(Some(variant)) => return self.stop().map(|()| Some(variant)),
                    Ok(None) => Ok(()),
                    Err(failure) => Err(failure),
                },
                _ => Err(format!("unknown command {command}")),
            };
            if let Err(failure) = answer {
                say(&format!("info string {failure}"))?;
            }
        }
        self.stop()?;
        Ok(None)
    }

    fn introduce(&self) -> Result<(), Failure> {
        let name = self.variant.name().to_ascii_lowercase();
        let name = if self.variant == Variant::Xiangqi { name.as_str() } else { "chess" };
        say(&format!("id name Arbiter {}", env!("CARGO_PKG_VERSION")))?;
        say("id author the Arbiter authors")?;
        say("option name Hash type spin default 16 min 1 max 4096")?;
        say("option name Threads type spin default 1 min 1 max 1")?;
        say("option name MultiPV type spin default 1 min 1 max 256")?;
        say("option name Move Overhead type spin default 10 min 0 max 5000")?;
        say("option name UCI_LimitStrength type check default false")?;
        let (least, full) = (Strength::WEAKEST, Strength::FULL);
        say(&format!("option name UCI_Elo type spin default {full} min {least} max {full}"))?;
        say("option name Seed type spin default 0 min 0 max 2147483647")?;
        say("option name UCI_Chess960 type check default false")?;
        say("option name Ranks From One type check default false")?;
        say(&format!("option name UCI_Variant type combo default {name} var chess var xiangqi"))?;
        say("uciok")
    }

    /// Sets an option; the variant to go on with when it is another one.
    fn set_option(&mut self, input: &str) -> Result<Option<Variant>, Failure> {
        let rest = input.split_once(" name ").map_or("", |(_, rest)| rest);
        let (name, value) = rest.split_once(" value ").unwrap_or((rest, ""));
        let (name, value) = (name.trim().to_ascii_lowercase(), value.trim());
        let number = || value.parse::<usize>().map_err(|_| format!("option {name}: {value} is no number"));
        match name.as_str() {
            "hash" => {
                self.settings.hash = number()?.clamp(1, 4096);
                self.stop()?;
                self.memory = None;
            }
            "multipv" => self.settings.multi_pv = number()?.max(1),
            "move overhead" => {
                self.settings.overhead = Duration::from_millis(number()?.min(5000) as u64);
            }
            "uci_limitstrength" => self.settings.is_limited = value == "true",
            "uci_elo" => {
                let elo = u32::try_from(number()?).unwrap_or(Strength::FULL);
                self.settings.strength.elo = elo.clamp(Strength::WEAKEST, Strength::FULL);
            }
            "seed" => self.settings.strength.seed = number()? as u64,
            "ranks from one" => self.settings.ranks_from_one = value == "true",
            "uci_chess960" if value == "true" => return Ok(self.change_to(Variant::Chess960)),
            "uci_chess960" if self.variant == Variant::Chess960 => return Ok(Some(Variant::Chess)),
            "uci_variant" => match Variant::from_pgn(value) {
                Some(variant) => return Ok(self.change_to(variant)),
                None => return Err(format!("option UCI_Variant: {value} is not played here")),
            },
            "threads" | "uci_chess960" => {}
            _ => return Err(format!("unknown option {name}")),
        }
        Ok(None)
    }

    fn change_to(&self, variant: Variant) -> Option<Variant> {
        (variant != self.variant).then_some(variant)
    }

    fn forget(&mut self) -> Result<(), Failure> {
        self.stop()?;
        self.memory = None;
        Ok(())
    }

    fn set_position(&mut self, words: &[&str]) -> Result<(), Failure> {
        self.stop()?;
        let moves_at = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
        let start = match words.first() {
            Some(&"startpos") => P::start(self.style).ok_or("this variant has no start position")?,
            Some(&"fen") => {
                let fen = words[1..moves_at].join(" ");
                P::parse_fen(&fen, self.style).map_err(|faults| format!("FEN {fen}: {faults:?}"))?
            }
            _ => return Err("position: expected startpos or fen".to_owned()),
        };
        let mut line = Line::new(start);
        for text in words.iter().skip(moves_at + 1) {
            line.play(self.read_move(line.last(), text)?);
        }
        self.line = Some(line);
        Ok(())
    }

    fn read_move(&self, position: &P, text: &str) -> Result<P::Move, Failure> {
        let counted_from_one = self.settings.ranks_from_one && P::NOTATIONS.contains(&MoveNotation::UciRank1);
        let notation = if counted_from_one { MoveNotation::UciRank1 } else { MoveNotation::Uci };
        let m = position.read_move(text, notation, Language::En);
        m.map_err(|illegal| format!("move {text}: {}", illegal.message))
    }

    fn go(&mut self, words: &[&str]) -> Result<(), Failure> {
        self.stop()?;
        let line = self.line.clone().ok_or("go: there is no position")?;
        let mut request = Request::within(read_limits(words, &line, self.settings.overhead)?);
        request.multi_pv = self.settings.multi_pv;
        if let Some(at) = words.iter().position(|&word| word == "searchmoves") {
            let moves = words[at + 1..].iter().map_while(|text| self.read_move(line.last(), text).ok());
            request.search_moves = moves.collect();
        }
        let key = line.last().key();
        let weakness =
            self.settings.weak_strength().and_then(|strength| weaken::<P>(strength, &mut request, key));
        // Weak play remembers nothing: the same position with the same seed has the same answer.
        let memory = self.memory.take().filter(|_| weakness.is_none());
        let mut memory = memory.unwrap_or_else(|| Memory::new(self.settings.hash));
        let token = Token::default();
        let is_endless = words.contains(&"infinite");
        let (patience, told) = channel::<()>();
        let Settings { multi_pv: lines, ranks_from_one, .. } = self.settings;
        let writer = Writer { ranks_from_one, lines };
        let thread = std::thread::spawn({
            let token = token.clone();
            move || {
                let evaluator = P::Evaluator::default();
                let tell = &mut |report: &Report<P::Move>| writer.tell_progress(&line, report);
                let report = search(&line, &evaluator, &mut memory, &request, &token, tell);
                let report = match weakness {
                    Some(weakness) => weakness.choose(in_order(report)),
                    None => report,
                };
                if is_endless {
                    // Nothing is ever sent: this waits for the other end to be dropped.
                    let _ = told.recv();
                }
                writer.tell_best(&line, &report);
                memory
            }
        });
        self.running = Some(Running { token, patience, thread });
        Ok(())
    }

    /// Stops the search, if there is one, and waits for its answer.
    fn stop(&mut self) -> Result<(), Failure> {
        if let Some(running) = self.running.take() {
            running.token.stop();
            drop(running.patience);
            self.memory = Some(running.thread.join().map_err(|_| "the search has panicked")?);
        }
        Ok(())
    }
}

/// The limits of a `go`.
fn read_limits<P: Evaluated>(words: &[&str], line: &Line<P>, overhead: Duration) -> Result<Limits, Failure> {
    let get = |name: &str| -> Result<Option<u64>, Failure> {
        let Some(at) = words.iter().position(|&word| word == name) else { return Ok(None) };
        let value: i64 = words
            .get(at + 1)
            .and_then(|value| value.parse().ok())
            .ok_or_else(|| format!("go {name}: expected a number"))?;
        Ok(Some(value.max(0).unsigned_abs()))
    };
    let small = |value: Option<u64>| value.map(|value| u32::try_from(value).unwrap_or(u32::MAX));
    let mut limits = Limits {
        depth: small(get("depth")?),
        nodes: get("nodes")?,
        mate: small(get("mate")?),
        time: get("movetime")?.map(|time| Duration::from_millis(time).saturating_sub(overhead)),
        ..Limits::default()
    };
    let (clock, increment) = match line.last().side_to_move() {
        Side::First => ("wtime", "winc"),
        Side::Second => ("btime", "binc"),
    };
    if let Some(clock) = get(clock)? {
        let increment = Duration::from_millis(get(increment)?.unwrap_or(0));
        let clock = Duration::from_millis(clock).saturating_sub(overhead);
        let moves = u32::try_from(get("movestogo")?.unwrap_or(28)).unwrap_or(28).clamp(2, 28);
        let share = clock / moves + increment * 3 / 4;
        limits.time_to_begin = Some((share * 7 / 10).min(clock / 2));
        limits.time = Some((share * 3).min(clock * 3 / 5).max(Duration::from_millis(1)));
    }
    Ok(limits)
}

/// Writes reports.
#[derive(Debug, Clone, Copy)]
struct Writer {
    ranks_from_one: bool,
    /// How many lines are told; weak play looks at more.
    lines: usize,
}

impl Writer {
    fn tell_progress<P: Evaluated>(self, line: &Line<P>, report: &Report<P::Move>) {
        let milliseconds = report.elapsed.as_millis();
        let per_second = u128::from(report.nodes) * 1000 / milliseconds.max(1);
        for (rank, pv) in report.lines.iter().take(self.lines).enumerate() {
            let score = match pv.score {
                Score::Centipawns(score) => format!("cp {score}"),
                Score::MateIn(moves) => format!("mate {moves}"),
            };
            let bound = match pv.bound {
                Some(Bound::Exact) | None => "",
                Some(Bound::Lower) => " lowerbound",
                Some(Bound::Upper) => " upperbound",
            };
            let text = format!(
                "info depth {} seldepth {} multipv {} score {score}{bound} nodes {} nps {per_second} \
                 hashfull {} time {milliseconds} pv {}",
                pv.depth,
                pv.seldepth,
                rank + 1,
                report.nodes,
                report.hashfull_permille,
                self.moves(line, &pv.moves),
            );
            // A reader that has gone will end us by closing our input, too.
            let _ = say(&text);
        }
    }

    fn tell_best<P: Evaluated>(self, line: &Line<P>, report: &Report<P::Move>) {
        self.tell_progress(line, report);
        let moves: Vec<_> = [report.best_move(), report.ponder_move()].into_iter().flatten().collect();
        let text = self.moves(line, &moves);
        let text = if text.is_empty() { "0000".to_owned() } else { text.replacen(' ', " ponder ", 1) };
        let _ = say(&format!("bestmove {text}"));
    }

    /// Moves from the end of a line, in UCI.
    fn moves<P: Evaluated>(self, line: &Line<P>, moves: &[P::Move]) -> String {
        let mut position = line.last().clone();
        let mut texts = Vec::with_capacity(moves.len());
        for &m in moves {
            let text = position.uci(m);
            let counts_from_one = self.ranks_from_one && P::NOTATIONS.contains(&MoveNotation::UciRank1);
            texts.push(if counts_from_one { ranks_from_one(&text) } else { text.to_string() });
            position.play_unchecked(m);
        }
        texts.join(" ")
    }
}

/// A move with ranks 0 to 9, written with ranks 1 to 10.
#[must_use]
pub fn ranks_from_one(uci: &str) -> String {
    let mut text = String::new();
    for letter in uci.chars() {
        match letter.to_digit(10) {
            Some(rank) => text.push_str(&(rank + 1).to_string()),
            None => text.push(letter),
        }
    }
    text
}

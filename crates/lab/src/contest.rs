//! A match: two engines, an opening for each pair of games, both sides of it for each engine.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use analysis::eval::Evaluated;
use analysis::variant::{Question, Variant};
use clap::Args;
use game::line::Line;
use game::side::Side;

use crate::cli::{Failure, Game, read, say};
use crate::engine::Engine;
use crate::finish::outcome;
use crate::openings::{self, Opening};
use crate::random::Random;
use crate::stats::{Pairs, SPRT_BOUND};
use crate::uci::ranks_from_one;

/// Games that go on for so many plies are drawn.
const LONGEST: usize = 500;

/// Who plays, and how.
#[derive(Debug, Clone, Args)]
pub struct Options {
    /// The command of the first engine.
    #[arg(long)]
    first: String,
    /// The command of the second engine.
    #[arg(long)]
    second: String,
    /// An option of the first engine, `name=value`; may be given again.
    #[arg(long)]
    first_option: Vec<String>,
    /// An option of the second engine.
    #[arg(long)]
    second_option: Vec<String>,
    /// Engines that count the ranks from 1 where the game counts from 0.
    #[arg(long, value_enum)]
    ranks_from_one: Vec<Who>,
    /// The game.
    #[arg(long, value_enum, default_value_t = Game::Chess)]
    variant: Game,
    /// A file of openings: EPD lines, or moves in UCI.
    #[arg(long)]
    openings: PathBuf,
    /// Which openings are taken.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many games; an even number.
    #[arg(long, default_value_t = 400)]
    games: usize,
    /// Nodes a move.
    #[arg(long, conflicts_with = "clock", required_unless_present = "clock")]
    nodes: Option<u64>,
    /// Seconds a game and seconds a move: `2+0.02`.
    #[arg(long)]
    clock: Option<Clock>,
    /// How far a clock may be overdrawn before the game is lost, in milliseconds.
    #[arg(long, default_value_t = 30)]
    margin: u64,
    /// Games at once.
    #[arg(long, default_value_t = 1)]
    concurrency: usize,
    /// Stop when the first engine is found to be stronger by the second number of Elo rather than the
    /// first: `0,10`.
    #[arg(long)]
    sprt: Option<Sprt>,
    /// Play every game to its end, even where both engines agree on who wins.
    #[arg(long)]
    to_the_end: bool,
}

/// One of the engines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Who {
    /// The first.
    First,
    /// The second.
    Second,
}

/// Time for a game and for each move.
#[derive(Debug, Clone, Copy)]
struct Clock {
    base: Duration,
    increment: Duration,
}

impl std::str::FromStr for Clock {
    type Err = Failure;

    fn from_str(text: &str) -> Result<Self, Failure> {
        let seconds = |text: &str| text.parse().ok().and_then(|it| Duration::try_from_secs_f64(it).ok());
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        match (seconds(base), seconds(increment)) {
            (Some(base), Some(increment)) => Ok(Self { base, increment }),
            _ => Err("expected seconds, like 2+0.02".to_owned()),
        }
    }
}

/// The differences in Elo that a test tells apart.
#[derive(Debug, Clone, Copy)]
struct Sprt(f64, f64);

impl std::str::FromStr for Sprt {
    type Err = Failure;

    fn from_str(text: &str) -> Result<Self, Failure> {
        let numbers = text.split_once(',').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
        let (elo0, elo1) = numbers.ok_or("expected two numbers of Elo, like 0,10")?;
        if elo0 < elo1 { Ok(Self(elo0, elo1)) } else { Err("expected the smaller number first".to_owned()) }
    }
}

/// Plays the match and says how it stands.
///
/// # Errors
/// What kept it from being played.
pub fn run(options: &Options) -> Result<(), Failure> {
    let openings = openings::parse(&read(&options.openings)?);
    if openings.is_empty() {
        return Err(format!("{}: there is no opening", options.openings.display()));
    }
    Variant::from(options.variant).ask(Contest { options, openings: &openings })
}

struct Contest<'a> {
    options: &'a Options,
    openings: &'a [Opening],
}

/// What has been played so far.
#[derive(Debug, Default)]
struct Standing {
    pairs: Pairs,
    /// Wins, draws, losses of the first engine.
    games: [u32; 3],
    /// Games lost because a clock ran out, of the first and the second engine.
    flags: [u32; 2],
}

impl Question for Contest<'_> {
    type Answer = Result<(), Failure>;

    fn ask<P: Evaluated>(self, _: Variant, style: P::Style) -> Self::Answer {
        let next = AtomicUsize::new(0);
        let is_over = AtomicBool::new(false);
        let standing = Mutex::new(Standing::default());
        let results: Vec<Result<(), Failure>> = std::thread::scope(|scope| {
            let play = || self.play_pairs::<P>(style, &next, &is_over, &standing);
            let threads: Vec<_> = (0..self.options.concurrency.max(1)).map(|_| scope.spawn(play)).collect();
            let join = |thread: std::thread::ScopedJoinHandle<'_, Result<(), Failure>>| {
                thread.join().unwrap_or_else(|_| Err("a game has panicked".to_owned()))
            };
            threads.into_iter().map(join).collect()
        });
        let standing = standing.into_inner().unwrap_or_else(PoisonError::into_inner);
        say(&self.describe(&standing))?;
        results.into_iter().collect()
    }
}

impl Contest<'_> {
    fn play_pairs<P: Evaluated>(
        &self,
        style: P::Style,
        next: &AtomicUsize,
        is_over: &AtomicBool,
        standing: &Mutex<Standing>,
    ) -> Result<(), Failure> {
        let first = Engine::start(&self.options.first, &self.options.first_option)?;
        let second = Engine::start(&self.options.second, &self.options.second_option)?;
        let mut engines = [first, second];
        while let pair = next.fetch_add(1, Ordering::Relaxed)
            && pair < self.options.games.div_ceil(2)
            && !is_over.load(Ordering::Relaxed)
        {
            let which = Random::new(self.options.seed, pair as u64).below(self.openings.len());
            let line = self.openings[which].line::<P>(style)?;
            let mut half_points = 0;
            for first_plays in Side::ALL {
                let result = Play { contest: self, engines: &mut engines, first_plays }.game(&line)?;
                half_points += result.half_points;
                let mut standing = standing.lock().unwrap_or_else(PoisonError::into_inner);
                standing.games[2 - result.half_points] += 1;
                if let Some(loser) = result.flagged {
                    standing.flags[loser] += 1;
                }
            }
            let mut standing = standing.lock().unwrap_or_else(PoisonError::into_inner);
            standing.pairs.count(half_points);
            if standing.pairs.total() % 10.0 < 0.5 {
                say(&self.describe(&standing))?;
            }
            if self.is_decided(&standing.pairs) {
                is_over.store(true, Ordering::Relaxed);
            }
        }
        Ok(())
    }

    fn is_decided(&self, pairs: &Pairs) -> bool {
        self.options.sprt.is_some_and(|Sprt(elo0, elo1)| {
            pairs.total() >= 20.0 && pairs.log_likelihood_ratio(elo0, elo1).abs() >= SPRT_BOUND
        })
    }

    fn describe(&self, standing: &Standing) -> String {
        let difference = standing.pairs.difference();
        let (score, _) = standing.pairs.mean_and_variance();
        let [wins, draws, losses] = standing.games;
        let mut text = format!(
            "{} games: +{wins} ={draws} -{losses}, {:.1} %, Elo {:+.1} ± {:.1}, pairs {:?}",
            wins + draws + losses,
            100.0 * score,
            difference.elo,
            difference.margin,
            standing.pairs.0,
        );
        if standing.flags != [0, 0] {
            text += &format!(", lost on time {} and {}", standing.flags[0], standing.flags[1]);
        }
        if let Some(Sprt(elo0, elo1)) = self.options.sprt {
            let ratio = standing.pairs.log_likelihood_ratio(elo0, elo1);
            text += &format!(", LLR {ratio:.2} of ±{SPRT_BOUND:.2} for {elo0},{elo1}");
        }
        text
    }
}

/// One game.
struct Play<'a, 'b> {
    contest: &'a Contest<'b>,
    engines: &'a mut [Engine; 2],
    /// The side that the first engine plays.
    first_plays: Side,
}

/// How a game ended.
struct Ending {
    /// What the first engine got.
    half_points: usize,
    /// The engine whose clock ran out.
    flagged: Option<usize>,
}

impl Play<'_, '_> {
    fn game<P: Evaluated>(&mut self, opening: &Line<P>) -> Result<Ending, Failure> {
        let options = self.contest.options;
        for engine in self.engines.iter_mut() {
            engine.new_game()?;
        }
        let mut line = opening.clone();
        let mut text = start_of(&line);
        let mut clocks = options.clock.map(|clock| [clock.base; 2]);
        let mut consensus = Consensus::default();
        loop {
            if let Some(winner) = outcome(&line, LONGEST) {
                return Ok(self.result(winner));
            }
            let side = line.last().side_to_move();
            let who = usize::from(side != self.first_plays);
            let is_from_one = options.ranks_from_one.contains(&[Who::First, Who::Second][who]);
            let go = go_command(options, clocks.as_ref());
            let patience = clocks
                .map_or(Duration::from_secs(120), |clocks| clocks[side.index()] + Duration::from_secs(5));
            let position = if is_from_one { ranks_of_moves(&text) } else { text.clone() };
            let answer = self.engines[who].go(&position, &go, patience)?;
            if let (Some(clocks), Some(clock)) = (clocks.as_mut(), options.clock) {
                let left = &mut clocks[side.index()];
                if answer.elapsed > *left + Duration::from_millis(options.margin) {
                    return Ok(Ending { flagged: Some(who), ..self.result(Some(side.opponent())) });
                }
                *left = left.saturating_sub(answer.elapsed) + clock.increment;
            }
            let uci = if is_from_one { ranks_from_zero(&answer.best_move) } else { answer.best_move };
            openings::play(&mut line, &uci).map_err(|failure| format!("{failure} after: {text}"))?;
            text.push(' ');
            text += &uci;
            if !options.to_the_end
                && let Some(winner) = consensus.note(side, answer.score)
            {
                return Ok(self.result(winner));
            }
        }
    }

    /// A result by its winner.
    fn result(&self, winner: Option<Side>) -> Ending {
        let half_points = match winner {
            None => 1,
            Some(side) if side == self.first_plays => 2,
            Some(_) => 0,
        };
        Ending { half_points, flagged: None }
    }
}

/// The position command for a line, so far.
fn start_of<P: Evaluated>(line: &Line<P>) -> String {
    let mut text = String::from("position fen ");
    line.last().write_fen(&mut text);
    text + " moves"
}

fn go_command(options: &Options, clocks: Option<&[Duration; 2]>) -> String {
    match (clocks, options.clock) {
        (Some([first, second]), Some(clock)) => {
            let increment = clock.increment.as_millis();
            format!(
                "go wtime {} btime {} winc {increment} binc {increment}",
                first.as_millis(),
                second.as_millis()
            )
        }
        _ => format!("go nodes {}", options.nodes.unwrap_or(1)),
    }
}

/// A position command whose moves count ranks from 1.
fn ranks_of_moves(position: &str) -> String {
    let (start, moves) = position.split_once(" moves").unwrap_or((position, ""));
    format!("{start} moves{}", ranks_from_one(moves))
}

/// A move with ranks 1 to 10, written with ranks 0 to 9.
fn ranks_from_zero(uci: &str) -> String {
    let mut text = String::new();
    let mut rest = uci;
    while let Some(letter) = rest.chars().next() {
        let digits = rest.chars().skip(1).take_while(char::is_ascii_digit).count();
        let rank: u32 = rest.get(1..=digits).and_then(|rank| rank.parse().ok()).unwrap_or(0);
        text.push(letter);
        text += &rank.saturating_sub(1).to_string();
        rest = rest.get(1 + digits..).unwrap_or_default();
    }
    text
}

/// Ends games that both engines hold for won or drawn.
#[derive(Debug, Default)]
struct Consensus {
    plies: u32,
    won: [u32; 2],
    drawn: u32,
}

impl Consensus {
    fn note(&mut self, side: Side, score: Option<i32>) -> Option<Option<Side>> {
        self.plies += 1;
        let Some(score) = score else {
            (self.won, self.drawn) = ([0; 2], 0);
            return None;
        };
        let for_first = if side == Side::First { score } else { -score };
        let count = |count: u32, holds: bool| if holds { count + 1 } else { 0 };
        self.won = [count(self.won[0], for_first >= 900), count(self.won[1], for_first <= -900)];
        self.drawn = count(self.drawn, score.abs() <= 8 && self.plies > 70);
        match (self.won, self.drawn) {
            ([won, _], _) if won >= 6 => Some(Some(Side::First)),
            ([_, won], _) if won >= 6 => Some(Some(Side::Second)),
            (_, 12..) => Some(None),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_counted_from_zero_or_one() {
        assert_eq!(ranks_from_one("h2e2"), "h3e3");
        assert_eq!(ranks_from_one("h9i9"), "h10i10");
        assert_eq!(ranks_from_zero("h10i10"), "h9i9");
        assert_eq!(
            ranks_of_moves("position fen 9/9 w moves h2e2 h9g7"),
            "position fen 9/9 w moves h3e3 h10g8"
        );
    }

    #[test]
    fn games_end_when_both_agree() {
        let mut consensus = Consensus::default();
        for ply in 0..5 {
            let (side, score) = if ply % 2 == 0 { (Side::First, 1000) } else { (Side::Second, -1000) };
            assert_eq!(consensus.note(side, Some(score)), None);
        }
        assert_eq!(consensus.note(Side::Second, Some(-950)), Some(Some(Side::First)));
    }
}

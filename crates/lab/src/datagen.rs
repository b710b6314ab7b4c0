//! Games of the search against itself, and their quiet positions with score and result: what
//! evaluations are fitted to.
//!
//! A line is `fen;score;result`: the score in centipawns and the result in half points, both for the
//! first side. Noisy and decided positions are left out: an evaluation is not asked about them.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use analysis::eval::Evaluated;
use analysis::variant::{Question, Variant};
use clap::Args;
use game::line::Line;
use game::side::Side;
use search::iterate::search;
use search::limits::{Limits, Request};
use search::memory::Memory;
use search::score::Score;
use search::stop::Token;

use crate::cli::{Failure, Game, read, say};
use crate::finish::outcome;
use crate::openings::{self, Opening};
use crate::random::Random;

/// Games that go on for so many plies are drawn.
const LONGEST: usize = 320;
/// A game is won when the score was above this, in centipawns, for [`PLIES_TO_WIN`] plies.
const WON: i32 = 1200;
const PLIES_TO_WIN: u32 = 4;

/// What to play, and how much.
#[derive(Debug, Clone, Args)]
pub struct Options {
    /// The file to write.
    #[arg(long)]
    out: PathBuf,
    /// The game.
    #[arg(long, value_enum, default_value_t = Game::Chess)]
    variant: Game,
    /// A file of openings: EPD lines, or moves in UCI.
    #[arg(long)]
    openings: PathBuf,
    /// Random plies after the opening, up to so many.
    #[arg(long, default_value_t = 6)]
    random_plies: usize,
    /// How many games.
    #[arg(long, default_value_t = 1000)]
    games: usize,
    /// Nodes a move.
    #[arg(long, default_value_t = 2000)]
    nodes: u64,
    /// Games with the same seed are the same.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at once. The order of the games in the file is not fixed when it is more than 1.
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

/// Plays and writes.
///
/// # Errors
/// What cannot be read or written.
pub fn run(options: &Options) -> Result<(), Failure> {
    let openings = openings::parse(&read(&options.openings)?);
    if openings.is_empty() {
        return Err(format!("{}: there is no opening", options.openings.display()));
    }
    let failed = |error| format!("{}: {error}", options.out.display());
    let file = Mutex::new(BufWriter::new(File::create(&options.out).map_err(failed)?));
    let positions =
        Variant::from(options.variant).ask(Datagen { options, openings: &openings, file: &file })?;
    file.into_inner().unwrap_or_else(PoisonError::into_inner).flush().map_err(failed)?;
    say(&format!("{positions} positions of {} games", options.games))
}

struct Datagen<'a> {
    options: &'a Options,
    openings: &'a [Opening],
    file: &'a Mutex<BufWriter<File>>,
}

/// A position that is worth keeping.
struct Sample {
    fen: String,
    /// For the first side, in centipawns.
    score: i32,
}

impl Question for Datagen<'_> {
    type Answer = Result<usize, Failure>;

    fn ask<P: Evaluated>(self, _: Variant, style: P::Style) -> Self::Answer {
        let next = AtomicUsize::new(0);
        let written = AtomicUsize::new(0);
        let results: Vec<Result<(), Failure>> = std::thread::scope(|scope| {
            let work = || {
                let mut memory = Memory::new(8);
                while let number = next.fetch_add(1, Ordering::Relaxed)
                    && number < self.options.games
                {
                    let count = self.play::<P>(style, number, &mut memory)?;
                    written.fetch_add(count, Ordering::Relaxed);
                }
                Ok(())
            };
            let threads: Vec<_> = (0..self.options.threads.max(1)).map(|_| scope.spawn(work)).collect();
            let join = |thread: std::thread::ScopedJoinHandle<'_, Result<(), Failure>>| {
                thread.join().unwrap_or_else(|_| Err("a game has panicked".to_owned()))
            };
            threads.into_iter().map(join).collect()
        });
        results.into_iter().collect::<Result<(), _>>()?;
        Ok(written.into_inner())
    }
}

impl Datagen<'_> {
    /// Plays a game and writes its positions; how many there are.
    fn play<P: Evaluated>(
        &self,
        style: P::Style,
        number: usize,
        memory: &mut Memory<P>,
    ) -> Result<usize, Failure> {
        let mut random = Random::new(self.options.seed, number as u64);
        let mut line = self.openings[random.below(self.openings.len())].line::<P>(style)?;
        for _ in 0..random.below(self.options.random_plies + 1) {
            let moves = line.last().legal_moves();
            if !moves.is_empty() {
                line.play(moves[random.below(moves.len())]);
            }
        }
        memory.forget();
        let (samples, winner) = self.finish(line, memory);
        let result = match winner {
            None => 1,
            Some(Side::First) => 2,
            Some(Side::Second) => 0,
        };
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        for Sample { fen, score } in &samples {
            writeln!(file, "{fen};{score};{result}")
                .map_err(|error| format!("{}: {error}", self.options.out.display()))?;
        }
        Ok(samples.len())
    }

    /// Plays a game to its end: the positions worth keeping, and who won.
    fn finish<P: Evaluated>(&self, mut line: Line<P>, memory: &mut Memory<P>) -> (Vec<Sample>, Option<Side>) {
        let evaluator = P::Evaluator::default();
        let limits = Limits { nodes: Some(self.options.nodes), ..Limits::default() };
        let request = Request::within(limits);
        let mut samples = Vec::new();
        let mut plies_won = 0;
        loop {
            if let Some(winner) = outcome(&line, LONGEST) {
                return (samples, winner);
            }
            let report = search(&line, &evaluator, memory, &request, &Token::default(), &mut |_| {});
            let (Some(best), Some(pv)) = (report.best_move(), report.lines.first()) else {
                return (samples, None);
            };
            let side = line.last().side_to_move();
            let own = match pv.score {
                Score::Centipawns(score) => score,
                Score::MateIn(moves) => 30_000 * moves.signum(),
            };
            plies_won = if own.abs() >= WON { plies_won + 1 } else { 0 };
            if plies_won >= PLIES_TO_WIN {
                let winner = if own > 0 { side } else { side.opponent() };
                return (samples, Some(winner));
            }
            let last = line.last();
            if own.abs() < 2 * WON && !last.is_check() && !last.is_noisy(best) {
                let mut fen = String::new();
                last.write_fen(&mut fen);
                samples.push(Sample { fen, score: if side == Side::First { own } else { -own } });
            }
            line.play(best);
        }
    }
}

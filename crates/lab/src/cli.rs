//! The commands.

use analysis::variant::Variant;
use clap::{Parser, Subcommand, ValueEnum};

use crate::{bench, contest, datagen, speed, suite, tune, uci, wdl};

/// What went wrong, in a sentence.
pub type Failure = String;

/// The workshop of Arbiter's search: plays, measures and tunes it.
#[derive(Debug, Parser)]
#[command(name = "arbiter-lab", version)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Speaks UCI on standard input and output, so that any match tool can play the search.
    Uci {
        /// The game to begin with; the option `UCI_Variant` changes it.
        #[arg(long, value_enum, default_value_t = Game::Chess)]
        variant: Game,
    },
    /// Searches fixed positions to a fixed depth: equal searches count equal nodes.
    Bench {
        /// The depth in plies.
        #[arg(long, default_value_t = bench::DEPTH)]
        depth: u32,
    },
    /// Says how many nodes a second UCI engines search, side by side.
    Speed(speed::Options),
    /// Solves a suite of positions with known best moves.
    Suite(suite::Options),
    /// Plays two engines against each other.
    Match(contest::Options),
    /// Plays games against itself and writes their positions.
    Datagen(datagen::Options),
    /// Fits the weights of an evaluation to written positions.
    Tune(tune::Options),
    /// Fits what a score says of winning, drawing and losing to written positions.
    Wdl(wdl::Options),
}

/// A game, as the command line names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Game {
    /// Chess.
    Chess,
    /// Chess960.
    Chess960,
    /// Xiangqi.
    Xiangqi,
}

impl From<Game> for Variant {
    fn from(game: Game) -> Variant {
        match game {
            Game::Chess => Variant::Chess,
            Game::Chess960 => Variant::Chess960,
            Game::Xiangqi => Variant::Xiangqi,
        }
    }
}

impl Cli {
    /// Does what was asked.
    ///
    /// # Errors
    /// Why it could not be done.
    pub fn run(self) -> Result<(), Failure> {
        match self.command {
            Command::Uci { variant } => uci::run(variant.into()),
            Command::Bench { depth } => bench::run(depth),
            Command::Speed(options) => speed::run(&options),
            Command::Suite(options) => suite::run(&options),
            Command::Match(options) => contest::run(&options),
            Command::Datagen(options) => datagen::run(&options),
            Command::Tune(options) => tune::run(&options),
            Command::Wdl(options) => wdl::run(&options),
        }
    }
}

/// Writes a line to standard output.
///
/// # Errors
/// When nobody reads it.
pub fn say(line: &str) -> Result<(), Failure> {
    use std::io::Write as _;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}").and_then(|()| out.flush()).map_err(|error| format!("standard output: {error}"))
}

/// Reads a file.
///
/// # Errors
/// Which file cannot be read, and why.
pub fn read(path: &std::path::Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

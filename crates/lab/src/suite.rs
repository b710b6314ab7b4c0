//! Positions with known best moves, solved at a fixed price.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use analysis::eval::Evaluated;
use analysis::variant::{Question, Variant};
use clap::Args;
use game::language::Language;
use game::line::Line;
use game::notation::MoveNotation;
use search::iterate::search;
use search::limits::{Limits, Request};
use search::memory::Memory;
use search::report::Report;
use search::stop::Token;

use crate::cli::{Failure, Game, read, say};
use crate::epd::{self, Epd};

/// What to solve, and how.
#[derive(Debug, Clone, Args)]
pub struct Options {
    /// Files of EPD lines with `bm` or `am`; each is a suite.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The game.
    #[arg(long, value_enum, default_value_t = Game::Chess)]
    variant: Game,
    /// Nodes a position.
    #[arg(long, default_value_t = 20_000)]
    nodes: u64,
    /// Only so many positions of each file.
    #[arg(long)]
    first: Option<usize>,
    /// The table's size in MiB.
    #[arg(long, default_value_t = 16)]
    hash: usize,
    /// How many positions to solve at once.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Also name the positions that were not solved.
    #[arg(long)]
    verbose: bool,
}

/// Solves suites and says how many positions of each were solved.
///
/// # Errors
/// Which file or line cannot be read.
pub fn run(options: &Options) -> Result<(), Failure> {
    let variant = Variant::from(options.variant);
    for path in &options.files {
        let text = read(path)?;
        let epds: Vec<_> =
            text.lines().filter_map(epd::parse).take(options.first.unwrap_or(usize::MAX)).collect();
        let solve = Solve { epds: &epds, nodes: options.nodes, hash: options.hash, threads: options.threads };
        let solved = variant.ask(solve)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let failed = solved.iter().filter(|line| !line.is_empty());
        if options.verbose {
            failed.clone().try_for_each(|line| say(line))?;
        }
        let count = epds.len() - failed.count();
        say(&format!("{name}: {count}/{} solved at {} nodes", epds.len(), options.nodes))?;
    }
    Ok(())
}

/// How many positions of a suite are solved at so many nodes each.
///
/// # Errors
/// Which line cannot be read.
pub fn count_solved(suite: &str, variant: Variant, nodes: u64) -> Result<usize, Failure> {
    let epds: Vec<_> = suite.lines().filter_map(epd::parse).collect();
    let lines = variant.ask(Solve { epds: &epds, nodes, hash: 16, threads: 1 })?;
    Ok(lines.iter().filter(|line| line.is_empty()).count())
}

/// For each position an empty line when it is solved, or else what was played instead.
struct Solve<'a> {
    epds: &'a [Epd],
    nodes: u64,
    hash: usize,
    threads: usize,
}

impl Question for Solve<'_> {
    type Answer = Result<Vec<String>, Failure>;

    fn ask<P: Evaluated>(self, _: Variant, style: P::Style) -> Self::Answer {
        let next = AtomicUsize::new(0);
        let lines = Mutex::new(vec![Ok(String::new()); self.epds.len()]);
        std::thread::scope(|scope| {
            for _ in 0..self.threads.max(1) {
                scope.spawn(|| {
                    let mut memory = Memory::new(self.hash);
                    while let index = next.fetch_add(1, Ordering::Relaxed)
                        && let Some(epd) = self.epds.get(index)
                    {
                        let line = solve::<P>(epd, style, self.nodes, &mut memory);
                        lines.lock().unwrap_or_else(PoisonError::into_inner)[index] = line;
                    }
                });
            }
        });
        lines.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().collect()
    }
}

fn solve<P: Evaluated>(
    epd: &Epd,
    style: P::Style,
    nodes: u64,
    memory: &mut Memory<P>,
) -> Result<String, Failure> {
    let position = P::parse_fen(&epd.fen, style).map_err(|faults| format!("{}: {faults:?}", epd.fen))?;
    let read_moves = |code| {
        let moves = epd.get(code).unwrap_or_default().split_whitespace();
        let read = |text| position.read_move(text, MoveNotation::Auto, Language::En);
        let moves = moves.map(|text| read(text).map_err(|it| format!("{}: {text}: {}", epd.fen, it.message)));
        moves.collect::<Result<Vec<_>, _>>()
    };
    let (wanted, unwanted) = (read_moves("bm")?, read_moves("am")?);
    let report = best(position.clone(), nodes, memory);
    let best = report.best_move().ok_or_else(|| format!("{}: there is no move", epd.fen))?;
    let is_solved = (wanted.is_empty() || wanted.contains(&best)) && !unwanted.contains(&best);
    if is_solved {
        return Ok(String::new());
    }
    let id = epd.get("id").unwrap_or_default();
    Ok(format!("{id}: {} instead of {}: {}", position.uci(best), epd.get("bm").unwrap_or("?"), epd.fen))
}

/// Searches a position for so many nodes, with nothing remembered.
pub fn best<P: Evaluated>(position: P, nodes: u64, memory: &mut Memory<P>) -> Report<P::Move> {
    memory.forget();
    let request = Request::within(Limits { nodes: Some(nodes), ..Limits::default() });
    let evaluator = P::Evaluator::default();
    search(&Line::new(position), &evaluator, memory, &request, &Token::default(), &mut |_| {})
}

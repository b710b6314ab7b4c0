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
        let mut epds = read_suite(&text).map_err(|wrong| format!("{}: {wrong}", path.display()))?;
        epds.truncate(options.first.unwrap_or(usize::MAX));
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
    let epds = read_suite(suite)?;
    let lines = variant.ask(Solve { epds: &epds, nodes, hash: 16, threads: 1 })?;
    Ok(lines.iter().filter(|line| line.is_empty()).count())
}

/// The positions of a suite, a line each; empty lines count for nothing.
fn read_suite(text: &str) -> Result<Vec<Epd>, Failure> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let read = lines.map(|(number, line)| {
        let epd = epd::parse(line);
        let epd = epd.filter(|epd| epd.get("bm").is_some() || epd.get("am").is_some());
        epd.ok_or_else(|| format!("line {number}: expected a position with bm or am: {line}"))
    });
    let epds = read.collect::<Result<Vec<_>, _>>()?;
    if epds.is_empty() { Err("there is no position in it".to_owned()) } else { Ok(epds) }
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
    Ok(describe_failure(epd, &position.uci(best)))
}

/// What was played where something else was wanted.
fn describe_failure(epd: &Epd, played: &str) -> String {
    let id = epd.get("id").map(|id| format!("{id}: ")).unwrap_or_default();
    let wanted = epd.get("bm").map(|moves| format!(" instead of {moves}"));
    let unwanted = epd.get("am").map(|moves| format!(" although {moves} is to be avoided"));
    let [wanted, unwanted] = [wanted, unwanted].map(Option::unwrap_or_default);
    format!("{id}{played}{wanted}{unwanted}: {}", epd.fen)
}

/// Searches a position for so many nodes, with nothing remembered.
pub fn best<P: Evaluated>(position: P, nodes: u64, memory: &mut Memory<P>) -> Report<P::Move> {
    memory.forget();
    let request = Request::within(Limits { nodes: Some(nodes), ..Limits::default() });
    let evaluator = P::Evaluator::default();
    search(&Line::new(position), &evaluator, memory, &request, &Token::default(), &mut |_| {})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suite_of_nothing_or_with_a_bad_line_is_refused() {
        assert_eq!(read_suite("\n  \n"), Err("there is no position in it".to_owned()));
        let good = "8/8/8/8/8/8/8/K1k5 w - - bm Kb1;";
        assert_eq!(read_suite(good).map(|epds| epds.len()), Ok(1));
        for bad in ["# Suites", "8/8/8/8/8/8/8/K1k5 w - - id 3;"] {
            let failure = read_suite(&format!("{good}\n\n{bad}\n")).unwrap_err();
            assert!(failure.starts_with("line 3: ") && failure.ends_with(bad), "{failure}");
        }
    }

    #[test]
    fn a_failure_names_what_there_is() {
        let epd = |operations: &str| epd::parse(&format!("8/8/8/8/8/8/8/K1k5 w - - {operations}")).unwrap();
        let fen = "8/8/8/8/8/8/8/K1k5 w - - 0 1";
        let failure = |operations| describe_failure(&epd(operations), "a1a2");
        assert_eq!(failure("bm Kb1; id \"x\";"), format!("x: a1a2 instead of Kb1: {fen}"));
        assert_eq!(failure("am Ka2;"), format!("a1a2 although Ka2 is to be avoided: {fen}"));
    }
}

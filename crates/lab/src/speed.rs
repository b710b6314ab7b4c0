//! How many nodes a second engines search, side by side.

use std::time::Duration;

use analysis::variant::Variant;
use clap::Args;

use crate::bench;
use crate::cli::{Failure, Game, say};
use crate::engine::Engine;

/// How long an engine may take for one position.
const PATIENCE: Duration = Duration::from_secs(120);

/// What is measured.
#[derive(Debug, Args)]
pub struct Options {
    /// The game, whose six positions of `bench` are searched.
    #[arg(long, value_enum, default_value_t = Game::Chess)]
    variant: Game,
    /// The commands of the engines, in this order; each may be given once.
    #[arg(required = true)]
    engines: Vec<String>,
    /// Nodes a position.
    #[arg(long, default_value_t = 500_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// How often all engines search all positions, in turn.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    rounds: u32,
}

/// An engine, and what it has done.
struct Runner {
    engine: Engine,
    /// By position: the nodes and the time of its fastest round.
    best: Vec<Option<(u64, Duration)>>,
}

/// Lets the engines search the same positions in turn and says how fast each was at its best.
///
/// # Errors
/// Which engine does not start, answer or count.
pub fn run(options: &Options) -> Result<(), Failure> {
    let variant = Variant::from(options.variant);
    let fens = if variant == Variant::Xiangqi { bench::XIANGQI } else { bench::CHESS };
    let start = |command: &String| {
        let mut settings = vec!["Threads=1".to_owned(), "Hash=16".to_owned()];
        if variant == Variant::Xiangqi {
            settings.push("UCI_Variant=xiangqi".to_owned());
        }
        let engine = Engine::start(command, &settings)?;
        Ok(Runner { engine, best: vec![None; fens.len()] })
    };
    let mut runners = options.engines.iter().map(start).collect::<Result<Vec<_>, Failure>>()?;
    for _ in 0..options.rounds {
        for (index, fen) in fens.iter().enumerate() {
            for runner in &mut runners {
                runner.search(index, fen, options.nodes)?;
            }
        }
    }
    for (command, runner) in options.engines.iter().zip(&runners) {
        say(&format!("{command}: {} nodes per second", runner.nodes_per_second()))?;
    }
    Ok(())
}

impl Runner {
    fn search(&mut self, index: usize, fen: &str, nodes: u64) -> Result<(), Failure> {
        self.engine.new_game()?;
        let answer =
            self.engine.go(&format!("position fen {fen}"), &format!("go nodes {nodes}"), PATIENCE)?;
        let counted = answer.nodes.ok_or("an engine does not count its nodes")?;
        let best = &mut self.best[index];
        if best.is_none_or(|(_, time)| answer.elapsed < time) {
            *best = Some((counted, answer.elapsed));
        }
        Ok(())
    }

    /// Over all positions: engines end some of them early, so that nodes and times are added up.
    fn nodes_per_second(&self) -> u128 {
        let (mut nodes, mut time) = (0, Duration::ZERO);
        for (counted, elapsed) in self.best.iter().flatten() {
            nodes += u128::from(*counted);
            time += *elapsed;
        }
        nodes * 1_000_000 / time.as_micros().max(1)
    }
}

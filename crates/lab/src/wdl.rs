//! Fits what a score says of the result: the two numbers of [`Wdl`] for each game.

use std::path::PathBuf;

use analysis::eval::wdl::Wdl;
use clap::Args;

use crate::cli::{Failure, read, say};

/// What to fit to.
#[derive(Debug, Clone, Args)]
pub struct Options {
    /// Positions that `datagen` has written.
    #[arg(long)]
    data: PathBuf,
}

/// Scores are put together in steps of so many centipawns, and beyond [`LARGEST`] all together.
const STEP: i32 = 10;
const LARGEST: i32 = 1500;
/// The steps of scores, from the lowest to the highest.
const STEPS: usize = 2 * (LARGEST / STEP) as usize + 1;

/// How often each result followed on each score: for each step loss, draw and win.
type Counts = Vec<[f64; 3]>;

/// Finds the numbers that make the results most likely, and prints them.
///
/// # Errors
/// The file cannot be read, or a line is not as `datagen` writes it.
pub fn run(options: &Options) -> Result<(), Failure> {
    let counts = count(&read(&options.data)?)?;
    let positions: f64 = counts.iter().flatten().sum::<f64>() / 2.0;
    let found = fit(&counts);
    say(&format!(
        "Wdl {{ half: {:.0}.0, spread: {:.0}.0 }} from {positions} positions",
        found.half, found.spread
    ))
}

/// Counts the results for each score, from both sides.
fn count(data: &str) -> Result<Counts, Failure> {
    let mut counts = vec![[0.0; 3]; STEPS];
    for line in data.lines() {
        let mut fields = line.rsplit(';');
        let mut number = || fields.next().and_then(|field| field.parse::<i32>().ok());
        let (Some(result @ 0..=2), Some(score)) = (number(), number()) else {
            return Err(format!("{line}: expected fen;score;result"));
        };
        for (score, result) in [(score, result), (-score, 2 - result)] {
            let step = usize::try_from((score.clamp(-LARGEST, LARGEST) + LARGEST) / STEP);
            let step = step.map_err(|error| error.to_string())?;
            counts[step][usize::try_from(result).map_err(|error| error.to_string())?] += 1.0;
        }
    }
    Ok(counts)
}

/// Goes downhill along one number after the other, in smaller and smaller steps.
fn fit(counts: &Counts) -> Wdl {
    let mut best = Wdl { half: 100.0, spread: 100.0 };
    let mut least = surprise(counts, best);
    let mut step = 64.0;
    while step > 0.25 {
        let mut is_better = false;
        for (half, spread) in [(step, 0.0), (-step, 0.0), (0.0, step), (0.0, -step)] {
            let other = Wdl { half: best.half + half, spread: (best.spread + spread).max(1.0) };
            let other_surprise = surprise(counts, other);
            if other_surprise < least {
                (best, least, is_better) = (other, other_surprise, true);
            }
        }
        if !is_better {
            step /= 2.0;
        }
    }
    best
}

/// The negative logarithm of how likely the results are.
fn surprise(counts: &Counts, wdl: Wdl) -> f64 {
    let scores = (-LARGEST..).step_by(STEP.unsigned_abs() as usize).map(f64::from);
    let of_score = |(score, [lost, drawn, won_count]): (f64, &[f64; 3])| {
        let (win, loss) = (wdl.won(score), wdl.won(-score));
        let draw = (1.0 - win - loss).max(1e-9);
        -(lost * loss.ln() + drawn * draw.ln() + won_count * win.ln())
    };
    scores.zip(counts).map(of_score).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_made_the_results_is_found_again() {
        let truth = Wdl { half: 130.0, spread: 90.0 };
        let mut counts = vec![[0.0; 3]; STEPS];
        for (score, of_score) in (-LARGEST..).step_by(10).map(f64::from).zip(&mut counts) {
            let won = |score| 1000.0 * truth.won(score);
            *of_score = [won(-score), 1000.0 - won(score) - won(-score), won(score)];
        }
        let found = fit(&counts);
        assert!(
            (found.half - truth.half).abs() < 1.0 && (found.spread - truth.spread).abs() < 1.0,
            "{found:?}"
        );
    }

    #[test]
    fn a_line_that_is_something_else_is_named() {
        assert!(count("8/8/8 w;12;1\nnonsense").is_err_and(|error| error.contains("nonsense")));
    }
}

//! Fits the weights of an evaluation to positions with known scores and results
//! (<https://www.chessprogramming.org/Texel's_Tuning_Method>): logistic regression by gradient descent
//! (Adam: Kingma, Ba, "Adam: A Method for Stochastic Optimization", 2014).

use std::fmt::Write as _;
use std::path::PathBuf;

use analysis::eval::Evaluated;
use analysis::eval::tapered::{Trace, Tunable};
use analysis::variant::{Question, Variant};
use clap::Args;

use crate::cli::{Failure, Game, read, say};

/// What to fit, and to what.
#[derive(Debug, Clone, Args)]
pub struct Options {
    /// Files that `datagen` has written.
    #[arg(required = true)]
    data: Vec<PathBuf>,
    /// The file of weights to write.
    #[arg(long)]
    out: PathBuf,
    /// The game.
    #[arg(long, value_enum, default_value_t = Game::Chess)]
    variant: Game,
    /// How often each position is looked at.
    #[arg(long, default_value_t = 60)]
    epochs: u32,
    /// How far a weight moves in a step at first, in centipawns.
    #[arg(long, default_value_t = 1.0)]
    rate: f64,
    /// How much of the goal is the result; the rest is the score.
    #[arg(long, default_value_t = 0.5)]
    result_share: f64,
    /// How strongly weights are held where they were, for each position that they occur in.
    #[arg(long, default_value_t = 2e-7)]
    hold: f64,
    /// Centipawns at which ten of eleven points are expected; found from the data when it is 0.
    #[arg(long, default_value_t = 0.0)]
    slope: f64,
}

/// Reads, fits and writes.
///
/// # Errors
/// What cannot be read or written.
pub fn run(options: &Options) -> Result<(), Failure> {
    let mut lines = Vec::new();
    for path in &options.data {
        lines.extend(read(path)?.lines().map(str::to_owned));
    }
    let variant = Variant::from(options.variant);
    let text = variant.ask(Tune { options, lines: &lines })?;
    std::fs::write(&options.out, text).map_err(|error| format!("{}: {error}", options.out.display()))
}

struct Tune<'a> {
    options: &'a Options,
    lines: &'a [String],
}

/// A position as numbers.
struct Sample {
    /// Terms and counts, opening and ending apart.
    first_term: usize,
    terms: usize,
    /// The share of the opening.
    opening: f32,
    /// How much of the sum counts.
    scale: [f32; 2],
    /// The score of the search, in centipawns.
    score: f32,
    /// 0, ½ or 1.
    result: f32,
}

struct Data {
    terms: Vec<(u16, i16)>,
    samples: Vec<Sample>,
}

impl Question for Tune<'_> {
    type Answer = Result<String, Failure>;

    fn ask<P: Evaluated>(self, variant: Variant, style: P::Style) -> Self::Answer {
        let data = self.samples::<P>(style)?;
        let weights = <P::Evaluator as Tunable<P>>::WEIGHTS;
        let mut model = Model::of(weights);
        let slope = if self.options.slope > 0.0 { self.options.slope } else { model.slope(&data) };
        say(&format!("{} positions, slope {slope:.1}", data.samples.len()))?;
        // Every sixteenth position is kept back to see whether the fit holds for others.
        let (kept, used): (Vec<_>, Vec<_>) = data.samples.iter().enumerate().partition(|(i, _)| i % 16 == 0);
        let [kept, used] = [kept, used].map(|list| list.into_iter().map(|(_, it)| it).collect::<Vec<_>>());
        let goal = Goal { slope, result_share: self.options.result_share };
        for epoch in 0..=self.options.epochs {
            if epoch % 10 == 0 {
                let errors = [&used, &kept].map(|samples| model.error(&data, samples, &goal));
                say(&format!("epoch {epoch}: error {:.6}, kept back {:.6}", errors[0], errors[1]))?;
            }
            let progress = f64::from(epoch) / f64::from(self.options.epochs.max(1));
            let rate = self.options.rate * (1.0 - 0.9 * progress);
            model.step_through(&data, &used, &goal, rate, self.options.hold);
        }
        Ok(model.write(variant.name()))
    }
}

impl Tune<'_> {
    fn samples<P: Evaluated>(&self, style: P::Style) -> Result<Data, Failure> {
        let mut data = Data { terms: Vec::new(), samples: Vec::new() };
        for line in self.lines {
            let fields: Vec<_> = line.split(';').collect();
            let &[fen, score, result] = fields.as_slice() else {
                return Err(format!("{line}: expected fen;score;result"));
            };
            let position = P::parse_fen(fen, style).map_err(|faults| format!("{fen}: {faults:?}"))?;
            let number = |text: &str| text.parse::<f32>().map_err(|error| format!("{line}: {error}"));
            let mut trace = Trace::default();
            <P::Evaluator as Tunable<P>>::terms(&position, &mut trace);
            let phase = P::Evaluator::phase(&position).min(P::Evaluator::PHASES);
            let share = |part: i32, whole: i32| f64::from(part) / f64::from(whole);
            let first_term = data.terms.len();
            data.terms.extend(merged(trace)?);
            data.samples.push(Sample {
                first_term,
                terms: data.terms.len() - first_term,
                opening: single(share(phase, P::Evaluator::PHASES)),
                scale: [false, true].map(|it| single(share(P::Evaluator::scale(&position, it), 64))),
                score: number(score)?,
                result: number(result)? / 2.0,
            });
        }
        Ok(data)
    }
}

/// The terms of a trace, each once.
fn merged(trace: Trace) -> Result<Vec<(u16, i16)>, Failure> {
    let mut terms = trace.0;
    terms.sort_unstable();
    let mut merged: Vec<(u16, i16)> = Vec::with_capacity(terms.len());
    for (term, count) in terms {
        let term = u16::try_from(term).map_err(|_| "there are too many terms")?;
        let count = i16::try_from(count).map_err(|_| "a count is too large")?;
        match merged.last_mut() {
            Some((last, sum)) if *last == term => *sum += count,
            _ => merged.push((term, count)),
        }
    }
    merged.retain(|&(_, count)| count != 0);
    Ok(merged)
}

#[expect(clippy::cast_possible_truncation, reason = "half the digits are enough for what is stored")]
fn single(number: f64) -> f32 {
    number as f32
}

/// What the evaluation should say.
struct Goal {
    slope: f64,
    result_share: f64,
}

impl Goal {
    fn expected(&self, centipawns: f64) -> f64 {
        1.0 / (1.0 + 10_f64.powf(-centipawns / self.slope))
    }

    fn of(&self, sample: &Sample) -> f64 {
        let by_score = self.expected(f64::from(sample.score));
        self.result_share * f64::from(sample.result) + (1.0 - self.result_share) * by_score
    }
}

/// The weights under way: those of the opening, then those of the ending.
struct Model {
    weights: Vec<f64>,
    start: Vec<f64>,
    mean: Vec<f64>,
    square: Vec<f64>,
    steps: i32,
}

/// Positions in a step.
const BATCH: usize = 4096;

impl Model {
    fn of(weights: &[(i16, i16)]) -> Self {
        let opening = weights.iter().map(|&(opening, _)| f64::from(opening));
        let weights: Vec<f64> = opening.chain(weights.iter().map(|&(_, ending)| f64::from(ending))).collect();
        let zeros = vec![0.0; weights.len()];
        Self { start: weights.clone(), weights, mean: zeros.clone(), square: zeros, steps: 0 }
    }

    fn value(&self, data: &Data, sample: &Sample) -> f64 {
        let half = self.weights.len() / 2;
        let (mut opening, mut ending) = (0.0, 0.0);
        for &(term, count) in &data.terms[sample.first_term..][..sample.terms] {
            opening += self.weights[usize::from(term)] * f64::from(count);
            ending += self.weights[half + usize::from(term)] * f64::from(count);
        }
        let share = f64::from(sample.opening);
        let value = opening * share + ending * (1.0 - share);
        value * f64::from(sample.scale[usize::from(value > 0.0)])
    }

    /// The slope that fits the scores to the results best.
    fn slope(&self, data: &Data) -> f64 {
        let error = |slope: f64| -> f64 {
            let goal = Goal { slope, result_share: 1.0 };
            let errors = data
                .samples
                .iter()
                .map(|sample| (goal.expected(f64::from(sample.score)) - f64::from(sample.result)).powi(2));
            errors.sum()
        };
        let slopes = (10..200).map(|step| f64::from(step) * 10.0);
        slopes.min_by(|&a, &b| error(a).total_cmp(&error(b))).unwrap_or(400.0)
    }

    fn error(&self, data: &Data, samples: &[&Sample], goal: &Goal) -> f64 {
        let error = |sample: &&Sample| (goal.expected(self.value(data, sample)) - goal.of(sample)).powi(2);
        samples.iter().map(error).sum::<f64>() / count(samples.len().max(1))
    }

    fn step_through(&mut self, data: &Data, samples: &[&Sample], goal: &Goal, rate: f64, hold: f64) {
        let half = self.weights.len() / 2;
        for batch in samples.chunks(BATCH) {
            let mut gradient = vec![0.0; self.weights.len()];
            for sample in batch {
                let value = self.value(data, sample);
                let expected = goal.expected(value);
                let scale = f64::from(sample.scale[usize::from(value > 0.0)]);
                let slope = (expected - goal.of(sample)) * expected * (1.0 - expected) * scale;
                let (opening, ending) =
                    (slope * f64::from(sample.opening), slope * (1.0 - f64::from(sample.opening)));
                for &(term, count) in &data.terms[sample.first_term..][..sample.terms] {
                    gradient[usize::from(term)] += opening * f64::from(count);
                    gradient[half + usize::from(term)] += ending * f64::from(count);
                }
            }
            let size = count(batch.len());
            for (gradient, (weight, start)) in gradient.iter_mut().zip(self.weights.iter().zip(&self.start)) {
                *gradient = *gradient / size + hold * (weight - start);
            }
            self.step(&gradient, rate);
        }
    }

    fn step(&mut self, gradient: &[f64], rate: f64) {
        const KEEP: [f64; 2] = [0.9, 0.999];
        self.steps += 1;
        let corrections = KEEP.map(|keep| 1.0 - keep.powi(self.steps));
        for (i, &gradient) in gradient.iter().enumerate() {
            self.mean[i] = KEEP[0] * self.mean[i] + (1.0 - KEEP[0]) * gradient;
            self.square[i] = KEEP[1] * self.square[i] + (1.0 - KEEP[1]) * gradient * gradient;
            let size = (self.square[i] / corrections[1]).sqrt() + 1e-9;
            self.weights[i] -= rate * self.mean[i] / corrections[0] / size;
        }
    }

    /// The weights as a source file.
    fn write(&self, variant: &str) -> String {
        let name = variant.to_ascii_lowercase();
        let mut text = format!(
            "//! The weights of the {name} evaluator, in centipawns: for the opening, for the ending.\n//!\n\
             //! Written by `arbiter-lab tune`; not to be edited by hand.\n\n\
             /// By term, in the order of the numbers in `{name}.rs`.\n#[rustfmt::skip]\n\
             pub(super) const WEIGHTS: &[(i16, i16)] = &[\n"
        );
        let half = self.weights.len() / 2;
        let pairs: Vec<_> = (0..half).map(|i| (self.weights[i], self.weights[half + i])).collect();
        for row in pairs.chunks(8) {
            let pairs: Vec<_> = row.iter().map(|(a, b)| format!("({a:.0}, {b:.0}),")).collect();
            // Writing to a string cannot fail.
            let _ = writeln!(text, "    {}", pairs.join(" ").replace("-0,", "0,").replace("-0)", "0)"));
        }
        text + "];\n"
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts are below 2^50")]
fn count(number: usize) -> f64 {
    number as f64
}

//! Weaker play, for hints and for opponents to practise with.
//!
//! Weak play sees less and misjudges: it looks at fewer positions, and of several lines takes the one that
//! seems best after its scores have been blurred. The blur comes from a seed and the position, so that the
//! same question has the same answer.

use game::zobrist::KeySource;
use search::limits::Request;
use search::report::Report;
use search::score::Score;

/// How well to play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Strength {
    /// About so strong, as an Elo number.
    pub elo: u32,
    /// What chance is drawn from.
    pub seed: u64,
}

impl Strength {
    /// The weakest play there is.
    pub const WEAKEST: u32 = 800;
    /// From here on, play is as strong as it can be.
    pub const FULL: u32 = 2800;
}

/// The positions that the weakest play looks at.
const FEWEST_NODES: f64 = 60.0;

/// So many Elo for twice as many positions.
const ELO_PER_DOUBLING: f64 = 170.0;

/// How far the scores of the weakest play are blurred, in centipawns (a standard deviation); from there it
/// falls to nothing at full strength.
const WIDEST_BLUR: f64 = 180.0;

/// Among how many lines weak play chooses, at least.
const LINES: usize = 4;

/// How a search is made weak.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Weakness {
    blur: f64,
    seed: u64,
}

/// Makes a search look at less, and says how to choose from what it finds; nothing at full strength.
pub(crate) fn weaken<M>(strength: Strength, request: &mut Request<M>, key: u64) -> Option<Weakness> {
    let Strength { elo, seed } = strength;
    if elo >= Strength::FULL {
        return None;
    }
    let above = f64::from(elo.saturating_sub(Strength::WEAKEST));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 60 and 300,000")]
    let nodes = (FEWEST_NODES * (above / ELO_PER_DOUBLING).exp2()) as u64;
    request.limits.nodes = Some(request.limits.nodes.map_or(nodes, |limit| limit.min(nodes)));
    request.multi_pv = request.multi_pv.max(LINES);
    let range = f64::from(Strength::FULL - Strength::WEAKEST);
    Some(Weakness { blur: WIDEST_BLUR * (1.0 - above / range), seed: seed ^ key })
}

impl Weakness {
    /// Puts the line that seems best at the front.
    pub(crate) fn choose<M>(self, mut report: Report<M>) -> Report<M> {
        let mut chance = KeySource::new(self.seed);
        let mut seeming = |score| {
            let centipawns = match score {
                Score::Centipawns(centipawns) => centipawns,
                Score::MateIn(moves) => 30_000 * moves.signum(),
            };
            f64::from(centipawns) + self.blur * normal(&mut chance)
        };
        let mut best: Option<(usize, f64)> = None;
        for (index, line) in report.lines.iter().enumerate() {
            let score = seeming(line.score);
            if best.is_none_or(|(_, other)| score > other) {
                best = Some((index, score));
            }
        }
        if let Some((index, _)) = best {
            report.lines[..=index].rotate_right(1);
        }
        report
    }
}

/// A number from about the standard normal distribution: the sum of twelve even ones.
fn normal(chance: &mut KeySource) -> f64 {
    let even = (0..12).map(|_| {
        let [high, low, ..] = chance.draw().to_be_bytes();
        f64::from(u16::from_be_bytes([high, low])) / f64::from(u16::MAX)
    });
    even.sum::<f64>() - 6.0
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use search::limits::Limits;
    use search::report::PvLine;
    use search::score::Bound;

    use super::*;

    fn report(scores: &[i32]) -> Report<usize> {
        let line = |(index, &score): (usize, &i32)| PvLine {
            score: Score::Centipawns(score),
            bound: Bound::Exact,
            moves: vec![index],
            depth: 1,
            seldepth: 1,
        };
        Report {
            depth: 1,
            lines: scores.iter().enumerate().map(line).collect(),
            nodes: 1,
            elapsed: Duration::ZERO,
            hashfull_permille: 0,
            stop_reason: None,
        }
    }

    /// How often each of some lines is chosen, over many seeds.
    fn choices(elo: u32, scores: &[i32]) -> Vec<u32> {
        let mut counts = vec![0; scores.len()];
        for seed in 0..1000 {
            let mut request = Request::<usize>::within(Limits::default());
            let weakness = weaken(Strength { elo, seed }, &mut request, 7).expect("weaker play");
            counts[weakness.choose(report(scores)).lines[0].moves[0]] += 1;
        }
        counts
    }

    #[test]
    fn the_weaker_the_more_often_a_worse_line_is_taken() {
        let [weak, better, good] = [800, 1800, 2700].map(|elo| choices(elo, &[50, 0, -300])[0]);
        assert!(weak < better && better < good, "{weak} {better} {good}");
        assert!(weak > 300, "even the weakest prefer the best line: {weak}");
        assert_eq!(choices(2700, &[50, 0, -300])[2], 0, "nearly full strength loses no piece");
    }

    #[test]
    fn a_stronger_player_looks_at_more() {
        let nodes = |elo| {
            let mut request = Request::<usize>::within(Limits { nodes: Some(100_000), ..Limits::default() });
            weaken(Strength { elo, seed: 0 }, &mut request, 0).map(|_| request.limits.nodes)
        };
        assert_eq!(nodes(800), Some(Some(60)));
        assert!(nodes(1500) < nodes(2000));
        assert_eq!(nodes(2799), Some(Some(100_000)), "no more than was asked for");
        assert_eq!(nodes(Strength::FULL), None);
    }
}

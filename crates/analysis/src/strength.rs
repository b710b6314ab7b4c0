//! Weaker play, for hints and for opponents to practise with.
//!
//! Weak play sees less and misjudges: it looks at fewer positions, and of several lines takes the one that
//! seems best after its scores have been blurred. Unless a limit comes first, it ends with a whole iteration, so
//! that every move was looked at and all lines equally deep. The blur comes from a seed and the position, so
//! that the same question has the same answer.
//!
//! The constants below, and `WIDEST_BLUR` of each game, were fitted to matches against engines whose Elo is
//! known: `docs/performance.md`, "How strong weaker play is". A change of them, or of what the search or an
//! evaluator does, is a reason to play them again.

use game::zobrist::KeySource;
use search::limits::Request;
use search::report::Report;
use search::score::Score;

use crate::eval::Evaluated;
use crate::search::centipawns;

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

/// About how many positions the weakest play looks at when a glance at every move takes no more.
const FEWEST_NODES: f64 = 60.0;

/// So many times the positions, and so many more, are never exceeded.
const MOST_NODES: (u64, u64) = (4, 20_000);

/// So many Elo for twice as many positions, while the blur shrinks with them.
const ELO_PER_DOUBLING: f64 = 170.0;

/// So many Elo for half the blur. A glance at every move of a sharp position takes thousands of nodes: up to
/// there it is the blur that makes one strength differ from another.
const ELO_PER_HALVING: f64 = 270.0;

/// Among how many lines weak play chooses, at least. Each costs as much as looking deeper would.
const LINES: usize = 2;

/// Below this, weak play chooses among more lines: one more for every [`ELO_PER_LINE`].
const FEWEST_LINES_FROM: u32 = 2400;
const ELO_PER_LINE: u32 = 200;

/// How a search is made weak.
#[derive(Debug, Clone, Copy)]
pub struct Weakness {
    blur: f64,
    seed: u64,
}

/// Makes a search look at less, and says how to choose from what it finds; nothing at full strength. `key` is
/// the key of the position that is searched.
pub fn weaken<P: Evaluated>(
    strength: Strength,
    request: &mut Request<P::Move>,
    key: u64,
) -> Option<Weakness> {
    let Strength { elo, seed } = strength;
    if elo >= Strength::FULL {
        return None;
    }
    let above = f64::from(elo.saturating_sub(Strength::WEAKEST));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 60 and 300,000")]
    let nodes = (FEWEST_NODES * (above / ELO_PER_DOUBLING).exp2()) as u64;
    // The last iteration is about as large as all before it.
    request.limits.nodes_to_begin = Some(nodes / 2);
    let most = nodes * MOST_NODES.0 + MOST_NODES.1;
    request.limits.nodes = Some(request.limits.nodes.map_or(most, |limit| limit.min(most)));
    let more = FEWEST_LINES_FROM.saturating_sub(elo) / ELO_PER_LINE;
    request.multi_pv = request.multi_pv.max(LINES + more as usize);
    Some(Weakness { blur: P::WIDEST_BLUR * (-above / ELO_PER_HALVING).exp2(), seed: seed ^ key })
}

impl Weakness {
    /// Puts the line that seems best at the front, of those that were looked at. A mate that was seen is no
    /// matter of opinion. Where the first line was never looked at, all that were are lost. The lines have to be
    /// [in order](crate::search::in_order).
    #[must_use]
    pub fn choose<M>(self, mut report: Report<M>) -> Report<M> {
        if report.lines.first().is_some_and(|line| line.depth == 0) {
            return report;
        }
        let mut chance = KeySource::new(self.seed);
        let mut seeming = |score| {
            let error = self.blur * normal(&mut chance);
            let blur = if matches!(score, Score::Centipawns(_)) { error } else { 0.0 };
            f64::from(centipawns(score)) + blur
        };
        let mut best: Option<(usize, f64)> = None;
        for (index, line) in report.lines.iter().enumerate().filter(|(_, line)| line.depth > 0) {
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

    use chess::position::Chess;
    use search::limits::Limits;
    use search::report::PvLine;
    use search::score::Bound;
    use xiangqi::position::Xiangqi;

    use crate::replay::Game;
    use crate::search::{SearchQuestion, Token, search};

    use super::*;

    fn report(scores: &[i32]) -> Report<usize> {
        let line = |(index, &score): (usize, &i32)| PvLine {
            score: Score::Centipawns(score),
            bound: Some(Bound::Exact),
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
    fn choices<P: Evaluated>(elo: u32, scores: &[i32]) -> Vec<u32> {
        let mut counts = vec![0; scores.len()];
        for seed in 0..1000 {
            let mut request = Request::within(Limits::default());
            let weakness = weaken::<P>(Strength { elo, seed }, &mut request, 7).expect("weaker play");
            counts[weakness.choose(report(scores)).lines[0].moves[0]] += 1;
        }
        counts
    }

    #[test]
    fn the_weaker_the_more_often_a_worse_line_is_taken() {
        fn check<P: Evaluated>(scores: &[i32]) {
            let [weak, better, good] = [800, 1600, 2700].map(|elo| choices::<P>(elo, scores)[0]);
            assert!(weak < better && better < good, "{weak} {better} {good}");
            assert!(weak > 300, "even the weakest prefer the best line: {weak}");
            assert_eq!(choices::<P>(2700, scores)[2], 0, "nearly full strength loses no piece");
        }
        check::<Chess>(&[50, 0, -300]);
        check::<Xiangqi>(&[250, 0, -1500]);
    }

    #[test]
    fn a_stronger_player_looks_at_more() {
        let nodes = |elo| {
            let mut request = Request::within(Limits { nodes: Some(100_000), ..Limits::default() });
            let Limits { nodes, nodes_to_begin, .. } =
                weaken::<Chess>(Strength { elo, seed: 0 }, &mut request, 0).map(|_| request.limits)?;
            nodes_to_begin.zip(nodes)
        };
        assert_eq!(nodes(800), Some((30, 20_240)));
        assert!(nodes(1500) < nodes(2000));
        assert_eq!(nodes(2799).map(|(_, most)| most), Some(100_000), "no more than was asked for");
        assert_eq!(nodes(Strength::FULL), None);
    }

    /// What weak play does in a position with many captures, by seed.
    fn played(elo: u32) -> Vec<String> {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let play = |seed| {
            let game = Game { initial_fen: fen.to_owned(), ..Game::default() };
            let strength = Some(Strength { elo, seed });
            let question = SearchQuestion { game, strength, ..SearchQuestion::default() };
            let report = search(&question, &Token::default(), &mut |_| {}).expect("an answer");
            let line = &report.lines[0];
            assert!(line.depth > 0 && line.bound.is_some(), "{elo}, {seed}: {line:?}");
            line.pv[0].to_string()
        };
        (0..40).map(play).collect()
    }

    #[test]
    fn what_is_played_was_looked_at_and_depends_on_the_strength() {
        let [weakest, weak, better] = [800, 1200, 1600].map(played);
        assert!(weakest != weak && weak != better);
        // No queen is given away for a knight.
        let blunders = |played: &[String]| played.iter().filter(|m| m.as_str() == "f3f6").count();
        assert_eq!([&weakest, &weak, &better].map(|played| blunders(played)), [0; 3]);
    }

    #[test]
    fn of_two_mates_the_shorter_one_is_played() {
        for seed in 0..50 {
            let mut request = Request::within(Limits::default());
            let weakness =
                weaken::<Chess>(Strength { elo: 800, seed }, &mut request, 7).expect("weaker play");
            let mut lines = report(&[0, 0, 0]);
            (lines.lines[0].score, lines.lines[2].score) = (Score::MateIn(8), Score::MateIn(1));
            assert_eq!(weakness.choose(lines).lines[0].moves, [2]);
        }
    }

    #[test]
    fn a_line_that_was_never_looked_at_is_not_chosen() {
        for seed in 0..50 {
            let mut request = Request::within(Limits::default());
            let weakness =
                weaken::<Chess>(Strength { elo: 800, seed }, &mut request, 7).expect("weaker play");
            let mut lines = report(&[0, 900]);
            (lines.lines[1].bound, lines.lines[1].depth) = (None, 0);
            assert_eq!(weakness.choose(lines).lines[0].moves, [0]);
        }
    }
}

//! What a score says of the result.

use search::score::Score;

/// How scores and results go together in the games of the search against itself: two logistic curves,
/// one for winning and one for losing (<https://www.chessprogramming.org/Pawn_Advantage,_Win_Percentage,_and_Elo>).
#[derive(Debug, Clone, Copy)]
pub struct Wdl {
    /// The score in centipawns with which half of the games are won.
    pub half: f64,
    /// By how much the score has to grow for the odds to grow by the factor e, in centipawns.
    pub spread: f64,
}

impl Wdl {
    /// The part of the games that is won with so many centipawns.
    #[must_use]
    pub fn won(self, centipawns: f64) -> f64 {
        1.0 / (1.0 + ((self.half - centipawns) / self.spread).exp())
    }

    /// Win, draw and loss of the side to move with this score, in per mille; 1,000 together.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 1,000")]
    pub fn of(self, score: Score) -> [u32; 3] {
        let centipawns = match score {
            Score::Centipawns(centipawns) => f64::from(centipawns),
            Score::MateIn(moves) if moves > 0 => return [1000, 0, 0],
            Score::MateIn(_) => return [0, 0, 1000],
        };
        let permille = |centipawns| (1000.0 * self.won(centipawns)).round() as u32;
        let (win, loss) = (permille(centipawns), permille(-centipawns));
        [win, 1000_u32.saturating_sub(win + loss), loss]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_make_a_whole() {
        let wdl = Wdl { half: 100.0, spread: 60.0 };
        for score in (-3000..3000).step_by(7).map(Score::Centipawns) {
            assert_eq!(wdl.of(score).iter().sum::<u32>(), 1000, "{score:?}");
        }
        assert_eq!(wdl.of(Score::Centipawns(100))[0], 500);
        assert_eq!(wdl.of(Score::MateIn(-3)), [0, 0, 1000]);
    }

    #[test]
    fn a_better_score_wins_more() {
        let wdl = Wdl { half: 100.0, spread: 60.0 };
        let win = |centipawns| wdl.of(Score::Centipawns(centipawns))[0];
        assert!(win(-50) < win(0) && win(0) < win(200));
    }
}

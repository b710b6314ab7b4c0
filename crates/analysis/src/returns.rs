//! Whether a position of a game comes back, told from the texts of its moves alone.
//!
//! A ruling on a repetition of xiangqi is a thousand times the work of the moves that lead to it. Who has
//! to know beforehand how much work a question may be asks here.

use crate::replay::Game;
use crate::replay_game::Record;
use crate::variant::Variant;

impl Game {
    /// Whether a question about this game may need a ruling. Never false when it does.
    #[must_use]
    pub fn may_need_ruling(&self) -> bool {
        self.variant == Some(Variant::Xiangqi) && may_return(&self.moves)
    }
}

impl Record {
    /// Whether a question about this record may need a ruling. Never false when it does.
    #[must_use]
    pub fn may_need_ruling(&self) -> bool {
        if self.pgn.is_empty() {
            return self.game.may_need_ruling();
        }
        match self.game.variant {
            Some(variant) => variant == Variant::Xiangqi,
            // Its tags decide.
            None => contains(&self.pgn, b"variant") || contains(&self.pgn, b"game"),
        }
    }
}

/// The fewest moves after which a question may be about a third occurrence: that takes eight plies, of
/// which the last may be the one that is asked about.
const FEWEST: usize = 7;

/// Whether a position may stand for the third time after these moves, or after one more.
///
/// While it comes back, nothing is captured, so the squares that are left are the squares that are
/// entered: the sums over both are the same. Where a move is not told by its squares, it may.
fn may_return(moves: &[String]) -> bool {
    if moves.len() < FEWEST {
        return false;
    }
    let mut sum = 0_u64;
    let mut sums = Vec::with_capacity(moves.len() + 1);
    sums.push(sum);
    for text in moves {
        let Some((from, to)) = squares(text.as_bytes()) else { return true };
        sum = sum.wrapping_add(NUMBERS[to]).wrapping_sub(NUMBERS[from]);
        sums.push(sum);
    }
    sums.sort_unstable();
    let mut same = sums.chunk_by(|a, b| a == b);
    same.any(|times| times.len() > 2 || times.len() == 2 && is_one_move(times[0].wrapping_sub(sum)))
}

/// Whether one move may make this difference to a sum.
fn is_one_move(difference: u64) -> bool {
    difference != 0
        && NUMBERS.iter().any(|to| {
            // The whole row without a branch, four at once.
            let from = low(to.wrapping_sub(difference));
            NUMBERS.iter().fold(false, |found, number| found | (low(*number) == from))
        })
}

/// The lower half of a number; two squares that have it in common cost time and no more.
#[expect(clippy::cast_possible_truncation, reason = "that is what it is for")]
const fn low(number: u64) -> u32 {
    number as u32
}

/// The squares of a move in UCI or ICCS (`h2e2`, `H2-E2`), each as a place in [`NUMBERS`].
fn squares(text: &[u8]) -> Option<(usize, usize)> {
    let ([a, b, c, d] | [a, b, b'-', c, d]) = *text else { return None };
    let square = |file: u8, rank: u8| {
        let (file, rank) = (file.to_ascii_lowercase().wrapping_sub(b'a'), rank.wrapping_sub(b'0'));
        (file < 9 && rank < 10).then(|| usize::from(rank * 9 + file))
    };
    Some((square(a, b)?, square(c, d)?))
}

/// A number for each square, of which no few add up to those of others (`SplitMix64`, G. Steele, D. Lea and
/// C. Flood, 2014).
static NUMBERS: [u64; 90] = numbers();

const fn numbers() -> [u64; 90] {
    let mut numbers = [0; 90];
    let (mut square, mut state) = (0, 0_u64);
    while square < 90 {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut number = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        numbers[square] = number ^ (number >> 31);
        square += 1;
    }
    numbers
}

fn contains(text: &str, word: &[u8]) -> bool {
    text.as_bytes().windows(word.len()).any(|part| part.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn may_need_ruling(variant: Variant, moves: &str) -> bool {
        let moves = moves.split_whitespace().map(str::to_owned).collect();
        Game { variant: Some(variant), moves, ..Game::default() }.may_need_ruling()
    }

    #[test]
    fn a_position_that_comes_back_is_noticed_however_it_is_written() {
        for moves in [
            "b0c2 b9c7 c2b0 c7b9 b0c2 b9c7 c2b0",
            "b0c2 b9c7 c2b0 c7b9 b0c2 b9c7 c2b0 c7b9 h2e2 h9g7",
            "h2e2 i9i8 i0i1 B0-C2 b9c7 C2b0 C7-B9 b0c2 b9-c7 c2b0",
            // By another way.
            "a0a1 a9a8 a1b1 a8b8 b1b0 b8b9 b0a0 b9a9 a0a1 a9a8 a1a0",
            // What is not told by squares may be anything.
            "h2e2 h9g7 h0g2 i9h9 i0h0 h7h3 马八进七",
            "h2e2 h9g7 h0g2 i9h9 i0h0 h7h3 h+3",
            "h2e2 h9g7 h0g2 i9h9 i0h0 h7h3 a1a10",
            "C2.5 h8+7 H2+3 r9.8 R1=2 n2+3 P3+1",
            "{{{{ ~~~~ zz99 ____ ÿÿÿ éé-éé ~~-~~",
        ] {
            assert!(may_need_ruling(Variant::Xiangqi, moves), "{moves}");
        }
    }

    #[test]
    fn a_game_that_goes_on_needs_no_ruling() {
        for moves in [
            "",
            "马八进七",
            "h2e2 h9g7 h0g2 i9h9 i0h0 H7-H3 b0c2",
            "a0a1 a9a8 a1a0 a8a9 a0a1 a9a8",
            // Twice, and no third time in one move.
            "h2e2 i9i8 i0i1 B0-C2 b9c7 C2b0 C7-B9",
            "a0a1 a9a8 a1b1 a8b8 b1b0 b8b9 b0a0 b9a9",
            "a0a1 a9a8 a1a0 a8a9 h2e2 h9g7 h0g2 g7h9",
        ] {
            assert!(!may_need_ruling(Variant::Xiangqi, moves), "{moves}");
        }
        assert!(!may_need_ruling(Variant::Chess, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1"));
    }

    #[test]
    fn the_tags_of_a_record_can_make_it_xiangqi() {
        let of = |variant, pgn: &str| Record {
            game: Game { variant, ..Game::default() },
            pgn: pgn.to_owned(),
            ..Record::default()
        };
        assert!(of(None, "[vAriant \"Xiangqi\"]\n1. h2e2 *").may_need_ruling());
        assert!(of(None, "[Game \"Chinese Chess\"]\n1. h2e2 *").may_need_ruling());
        assert!(of(Some(Variant::Xiangqi), "1. h2e2 *").may_need_ruling());
        assert!(!of(None, "[Event \"?\"]\n1. e4 *").may_need_ruling());
        assert!(!of(Some(Variant::Chess), "[Game \"Chinese Chess\"]\n1. e4 *").may_need_ruling());
        let moves = ["b0c2", "b9c7", "c2b0", "c7b9"].repeat(2).into_iter().map(str::to_owned).collect();
        let game = Game { variant: Some(Variant::Xiangqi), moves, ..Game::default() };
        assert!(Record { game, ..Record::default() }.may_need_ruling());
    }
}

//! The laws of `game::laws`, on positions of the perft files and on random play.

#![allow(clippy::unwrap_used, reason = "a test may stop at bad data")]

use chess::fen;
use chess::position::{CastlingStyle, Chess};
use game::laws;
use game::notation::Notation as _;
use game::perft::parse_epd;
use proptest::prelude::*;

const STANDARD: &str = include_str!("../../../tests/data/chess/perft/standard.epd");
const CHESS960: &str = include_str!("../../../tests/data/chess/perft/chess960.epd");

fn positions(data: &str, style: CastlingStyle) -> impl Iterator<Item = Chess> {
    parse_epd(data).unwrap().into_iter().map(move |counted| fen::parse(counted.fen, style).unwrap())
}

#[test]
fn hold_in_the_perft_positions() {
    for (data, style) in [(STANDARD, CastlingStyle::Standard), (CHESS960, CastlingStyle::Chess960)] {
        for position in positions(data, style) {
            laws::assert_position(&position, style);
            laws::assert_tactics(&position);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn hold_in_random_games(choices in prop::collection::vec(any::<usize>(), 120)) {
        let mut choices = choices.into_iter();
        let start = Chess::start(CastlingStyle::Standard).unwrap();
        let next = |_| choices.next().unwrap_or(0);
        laws::playout(&start, 120, next, |position| {
            laws::assert_moves(position);
            laws::assert_texts(position);
            laws::assert_successors(position, CastlingStyle::Standard);
        });
    }

    #[test]
    fn hold_in_random_chess960_games(
        index in any::<prop::sample::Index>(),
        choices in prop::collection::vec(any::<usize>(), 60),
    ) {
        let starts: Vec<_> = positions(CHESS960, CastlingStyle::Chess960).collect();
        let mut choices = choices.into_iter();
        laws::playout(index.get(&starts), 60, |_| choices.next().unwrap_or(0), |position| {
            laws::assert_moves(position);
            laws::assert_texts(position);
            laws::assert_successors(position, CastlingStyle::Chess960);
        });
    }

    #[test]
    fn no_text_is_a_panic(text in ".{0,12}", fen in ".{0,80}") {
        let start = Chess::start(CastlingStyle::Standard).unwrap();
        let _ = start.read_move(&text, Default::default(), Default::default());
        let _ = fen::parse(&fen, CastlingStyle::Standard);
        let _ = fen::parse(&fen, CastlingStyle::Chess960);
    }
}

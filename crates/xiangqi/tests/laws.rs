//! The laws of `game::laws`, on positions of the perft file and on random play.

#![allow(clippy::unwrap_used, reason = "a test may stop at bad data")]

use game::laws;
use game::notation::Notation as _;
use game::perft::parse_epd;
use proptest::prelude::*;
use xiangqi::fen;
use xiangqi::position::Xiangqi;

fn positions() -> Vec<Xiangqi> {
    let data = include_str!("../../../tests/data/xiangqi/perft/xiangqi.epd");
    parse_epd(data).unwrap().into_iter().map(|counted| fen::parse(counted.fen).unwrap()).collect()
}

#[test]
fn hold_in_the_perft_positions() {
    for position in positions() {
        laws::assert_position(&position, ());
        laws::assert_tactics(&position);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn hold_in_random_games(
        index in any::<prop::sample::Index>(),
        choices in prop::collection::vec(any::<usize>(), 100),
    ) {
        let mut starts = positions();
        starts.extend((0..30).map(|_| Xiangqi::start(()).unwrap()));
        let mut choices = choices.into_iter();
        laws::playout(index.get(&starts), 100, |_| choices.next().unwrap_or(0), |position| {
            laws::assert_moves(position);
            laws::assert_texts(position);
            laws::assert_successors(position, ());
        });
    }

    #[test]
    fn no_text_is_a_panic(text in ".{0,12}", chinese in "[兵炮车马一二5前后中进退平 ]{0,6}", fen in ".{0,80}") {
        let start = Xiangqi::start(()).unwrap();
        for text in [text, chinese] {
            let _ = start.read_move(&text, Default::default(), Default::default());
        }
        let _ = fen::parse(&fen);
    }
}

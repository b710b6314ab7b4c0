//! Fixed positions searched to a fixed depth. The sum of the nodes is a signature: it changes with
//! every change of what the search does, and with nothing else.

use std::time::{Duration, Instant};

use analysis::eval::Evaluated;
use analysis::variant::{Question, Variant};
use game::line::Line;
use search::iterate::search;
use search::limits::{Limits, Request};
use search::memory::Memory;
use search::stop::Token;

use crate::cli::{Failure, say};

/// The usual depth, in plies.
pub const DEPTH: u32 = 10;

/// The table's size, in MiB.
const HASH: usize = 16;

/// Six positions of chess: openings, middlegames, endings.
pub const CHESS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bq1rk1/pp1p1pbp/2n1pnp1/2p5/2P5/P1N1P1P1/1P1PNPBP/R1BQK2R w KQ - 0 1",
    "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/8/p2p3p/3k2p1/PP6/3K1P1P/8/8 b - - 0 1",
];

/// Six positions of xiangqi: openings, middlegames, endings.
pub const XIANGQI: [&str; 6] = [
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
    "r1bakab1r/9/1cn2cn2/p1p1p1p1p/9/2P6/P3P1P1P/1C2C1N2/9/RNBAKAB1R w - - 0 1",
    "2bakab2/9/2n1c1n2/p1p1p1p1p/5r3/2P3R2/P3P3P/2N1C1N2/9/2BAKAB2 w - - 0 1",
    "3ak4/4a4/4bc3/p3N4/2b3p1p/P1n6/4P3P/4r4/3rA4/3AK1R2 b - - 3 34",
    "2bak4/4a4/4b4/4n4/9/6P2/9/4B4/4A4/2BAK1N2 w - - 0 1",
    "4k4/4a4/4b4/9/2P6/9/9/3R5/4A4/3AK3r w - - 0 1",
];

/// Searches the positions of both games and says the nodes.
///
/// # Errors
/// When nobody reads the answer.
pub fn run(depth: u32) -> Result<(), Failure> {
    for (variant, fens) in [(Variant::Chess, CHESS), (Variant::Xiangqi, XIANGQI)] {
        let (nodes, time) = variant.ask(Bench { fens: &fens, depth })?;
        let per_second = u128::from(nodes) * 1000 / time.as_millis().max(1);
        say(&format!("{}: {nodes} nodes, {per_second} nodes per second", variant.name()))?;
    }
    Ok(())
}

/// The nodes of a variant's positions at a depth.
///
/// # Errors
/// Which position cannot be read.
pub fn signature(variant: Variant, depth: u32) -> Result<u64, Failure> {
    let fens = if variant == Variant::Xiangqi { XIANGQI } else { CHESS };
    variant.ask(Bench { fens: &fens, depth }).map(|(nodes, _)| nodes)
}

struct Bench<'a> {
    fens: &'a [&'a str],
    depth: u32,
}

impl Question for Bench<'_> {
    type Answer = Result<(u64, Duration), Failure>;

    fn ask<P: Evaluated>(self, _: Variant, style: P::Style) -> Self::Answer {
        let mut memory = Memory::new(HASH);
        let evaluator = P::Evaluator::default();
        let request = Request::within(Limits { depth: Some(self.depth), ..Limits::default() });
        let begin = Instant::now();
        let mut nodes = 0;
        for fen in self.fens {
            let position = P::parse_fen(fen, style).map_err(|faults| format!("{fen}: {faults:?}"))?;
            memory.forget();
            let line = Line::new(position);
            nodes += search(&line, &evaluator, &mut memory, &request, &Token::default(), &mut |_| {}).nodes;
        }
        Ok((nodes, begin.elapsed()))
    }
}

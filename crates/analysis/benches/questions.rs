//! What one question costs, over positions of real games, beside the same work without notation by
//! cozy-chess in the same run.
//!
//! `cargo bench -p analysis --bench questions`

#![allow(clippy::unwrap_used, reason = "a benchmark may stop at bad data")]

use std::io::Read as _;

use analysis::legal_moves::legal_moves;
use analysis::replay::Game;
use analysis::replay_game::{Record, replay_game};
use analysis::validate_move::{View, validate_move};
use divan::counter::ItemsCount;
use game::notation::MoveNotation;

fn main() {
    divan::main();
}

/// Every eighth position of the first 200 games, with the move that was played there.
fn corpus() -> Vec<(Game, String)> {
    let compressed = include_bytes!("../../../tests/data/chess/games/lichess.pgn.gz");
    let mut pgn = String::new();
    flate2::read::GzDecoder::new(&compressed[..]).read_to_string(&mut pgn).unwrap();
    // The text is longer than a question may be: cut it at games.
    let games: Vec<_> = pgn.split_inclusive("\n\n").collect();
    let mut corpus = Vec::new();
    for game in games.chunks(2).take(200) {
        let record = Record { pgn: game.concat(), ..Record::default() };
        let plies = replay_game(&record).unwrap().plies;
        for pair in plies.windows(2).step_by(8) {
            let game = Game { initial_fen: pair[0].fen.clone(), ..Game::default() };
            corpus.push((game, pair[1].m.text.uci.to_string()));
        }
    }
    assert!(corpus.len() > 1000);
    corpus
}

mod every_legal_move {
    use super::*;

    /// From a FEN to every legal move in UCI and SAN, described, and how the game stands.
    #[divan::bench]
    fn arbiter(bencher: divan::Bencher<'_, '_>) {
        let corpus = corpus();
        bencher.counter(ItemsCount::new(corpus.len())).bench_local(|| {
            for (game, _) in &corpus {
                divan::black_box(legal_moves(game, &[]).unwrap());
            }
        });
    }

    /// From a FEN to the list of legal moves.
    #[divan::bench]
    fn cozy_chess(bencher: divan::Bencher<'_, '_>) {
        let corpus = corpus();
        bencher.counter(ItemsCount::new(corpus.len())).bench_local(|| {
            for (game, _) in &corpus {
                let board: cozy_chess::Board = game.initial_fen.parse().unwrap();
                let mut moves = Vec::with_capacity(64);
                board.generate_moves(|piece_moves| {
                    moves.extend(piece_moves);
                    false
                });
                divan::black_box(moves);
            }
        });
    }
}

mod one_move {
    use super::*;

    /// From a FEN to one move validated, with its SAN, the new FEN and how the game stands.
    #[divan::bench]
    fn arbiter(bencher: divan::Bencher<'_, '_>) {
        let corpus = corpus();
        bencher.counter(ItemsCount::new(corpus.len())).bench_local(|| {
            for (game, m) in &corpus {
                divan::black_box(validate_move(game, m, MoveNotation::Uci, View::Full).unwrap());
            }
        });
    }

    /// From a FEN to whether one move is legal.
    #[divan::bench]
    fn cozy_chess(bencher: divan::Bencher<'_, '_>) {
        let corpus = corpus();
        bencher.counter(ItemsCount::new(corpus.len())).bench_local(|| {
            for (game, m) in &corpus {
                let board: cozy_chess::Board = game.initial_fen.parse().unwrap();
                divan::black_box(board.is_legal(m.parse().unwrap()));
            }
        });
    }
}

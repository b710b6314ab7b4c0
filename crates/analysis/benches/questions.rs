//! What one question costs, over positions of real games: of chess beside the same work without notation by
//! cozy-chess in the same run, of xiangqi beside chess.
//!
//! `cargo bench -p analysis --bench questions`

#![allow(clippy::unwrap_used, reason = "a benchmark may stop at bad data")]

use std::io::Read as _;

use analysis::legal_moves::legal_moves;
use analysis::replay::Game;
use analysis::replay_game::{Record, replay_game};
use analysis::validate_move::{View, validate_move};
use analysis::variant::Variant;
use divan::counter::ItemsCount;
use game::notation::MoveNotation;

fn main() {
    divan::main();
}

fn unpacked(file: &[u8]) -> String {
    let mut text = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).unwrap();
    text
}

/// Every eighth position of the first 200 games of chess, with the move that was played there.
fn corpus() -> Vec<(Game, String)> {
    let pgn = unpacked(include_bytes!("../../../tests/data/chess/games/lichess.pgn.gz"));
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

/// Every eighth position of the first 200 master games of xiangqi.
fn xiangqi_corpus() -> Vec<Game> {
    let games = unpacked(include_bytes!("../../../tests/data/xiangqi/games/masters_uci.txt.gz"));
    let mut corpus = Vec::new();
    for line in games.lines().take(200) {
        let moves = line.split_whitespace().skip(1).map(str::to_owned).collect();
        let game = Game { variant: Some(Variant::Xiangqi), moves, ..Game::default() };
        let plies = replay_game(&Record { game: game.clone(), ..Record::default() }).unwrap().plies;
        for ply in plies.iter().step_by(8) {
            corpus.push(Game { initial_fen: ply.fen.clone(), moves: Vec::new(), ..game.clone() });
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

mod every_legal_xiangqi_move {
    use super::*;

    /// From a FEN to every legal move in UCI, ICCS, WXF and Chinese, described, and how the game stands. To be
    /// held against the same of chess.
    #[divan::bench]
    fn arbiter(bencher: divan::Bencher<'_, '_>) {
        let corpus = xiangqi_corpus();
        bencher.counter(ItemsCount::new(corpus.len())).bench_local(|| {
            for game in &corpus {
                divan::black_box(legal_moves(game, &[]).unwrap());
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

//! The PGN reader on records of games as they were played.

use std::fs::File;
use std::io::Read as _;

use flate2::read::GzDecoder;
use game::pgn::{Event, Reader};

/// Games, tags and moves of the file, counted with regular expressions.
const EXPECTED: [usize; 3] = [1_527, 13_675, 118_346];

#[test]
fn every_game_of_the_lichess_file_is_read() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/chess/games/lichess.pgn.gz");
    let mut text = String::new();
    GzDecoder::new(File::open(path).unwrap()).read_to_string(&mut text).unwrap();

    let [mut games, mut tags, mut moves] = [0; 3];
    for event in Reader::new(&text) {
        match event.unwrap() {
            Event::Tag { .. } => tags += 1,
            Event::Move { text, .. } => {
                assert!(text.starts_with(|c: char| c.is_ascii_alphabetic()), "not a move: {text:?}");
                moves += 1;
            }
            Event::End { .. } => games += 1,
        }
    }
    assert_eq!([games, tags, moves], EXPECTED);
}

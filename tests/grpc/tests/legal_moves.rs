//! The list of legal moves.

use std::collections::BTreeSet;

use grpc_tests::Server;
use grpc_tests::games::{from_fen, moves};
use proto::v1::{Game, LegalMovesRequest};

fn list(game: Game, from_squares: &[&str]) -> LegalMovesRequest {
    LegalMovesRequest { game: Some(game), from_squares: from_squares.iter().map(|&s| s.to_owned()).collect() }
}

#[tokio::test]
async fn all_moves_are_listed_in_every_notation() {
    let server = Server::start().await;
    let mut client = server.client().await;
    let answer = client.legal_moves(list(moves("e4 e5"), &[])).await.unwrap().into_inner();
    assert_eq!(answer.moves.len(), 29);
    assert_eq!(answer.state.unwrap().legal_move_count, 29);
    assert!(!answer.check);
    let uci: BTreeSet<_> = answer.moves.iter().map(|m| m.uci.as_str()).collect();
    let san: BTreeSet<_> = answer.moves.iter().map(|m| m.san.as_str()).collect();
    assert_eq!((uci.len(), san.len()), (29, 29), "every move is written and no two alike");
    assert!(uci.contains("d1h5") && san.contains("Qh5"));
}

#[tokio::test]
async fn a_filter_leaves_the_count_alone() {
    let server = Server::start().await;
    let mut client = server.client().await;
    let answer = client.legal_moves(list(Game::default(), &["g1", "E2", "e5"])).await.unwrap().into_inner();
    let uci: BTreeSet<_> = answer.moves.iter().map(|m| m.uci.as_str()).collect();
    assert_eq!(uci, BTreeSet::from(["e2e3", "e2e4", "g1f3", "g1h3"]));
    assert_eq!(answer.state.unwrap().legal_move_count, 20);
}

#[tokio::test]
async fn check_leaves_few_moves_and_mate_none() {
    let server = Server::start().await;
    let mut client = server.client().await;
    let check = from_fen("4k3/4r3/8/8/8/8/8/4K2R w K - 0 1", "");
    let answer = client.legal_moves(list(check, &[])).await.unwrap().into_inner();
    assert!(answer.check);
    assert_eq!(answer.state.unwrap().checkers, ["e7"]);
    assert!(answer.moves.iter().all(|m| m.san != "O-O"));
    let answer = client.legal_moves(list(moves("f3 e5 g4 Qh4"), &[])).await.unwrap().into_inner();
    assert!(answer.check && answer.moves.is_empty());
}

#[tokio::test]
async fn the_most_moves_that_a_position_has() {
    let server = Server::start().await;
    let many = from_fen("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", "");
    let answer = server.client().await.legal_moves(list(many, &[])).await.unwrap().into_inner();
    assert_eq!(answer.moves.len(), 218);
}

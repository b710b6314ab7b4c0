//! How a game stands, and what may be claimed.

use grpc_tests::Server;
use grpc_tests::games::{from_fen, moves, shuffle};
use proto::v1::{
    ClaimType, Game, GameStatusRequest, GameStatusResponse, MoveLimit, Result as Ended, RuleSet, Termination,
};

async fn status(server: &Server, game: Game) -> GameStatusResponse {
    let request = GameStatusRequest { game: Some(game) };
    server.client().await.game_status(request).await.expect("an answer").into_inner()
}

#[tokio::test]
async fn a_game_in_progress_has_neither_end_nor_claims() {
    let server = Server::start().await;
    let answer = status(&server, moves("e4")).await;
    assert_eq!(answer.fen, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    assert_eq!(answer.state.unwrap().outcome.unwrap().result(), Ended::InProgress);
    assert!(answer.claims.is_empty());
    assert!(answer.first.unwrap().can_mate && answer.second.unwrap().can_mate);
}

/// Every way in which the rules end a game, by value.
#[tokio::test]
async fn every_end_is_named() {
    let server = Server::start().await;
    let cases = [
        (Termination::Checkmate, moves("f3 e5 g4 Qh4"), Ended::Win),
        (Termination::Stalemate, from_fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", ""), Ended::Draw),
        (Termination::DeadMaterial, from_fen("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", ""), Ended::Draw),
        (Termination::Fivefold, shuffle(16), Ended::Draw),
        (Termination::SeventyFiveMoves, from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 149 100", "a1a2"), Ended::Draw),
    ];
    for (termination, game, result) in &cases {
        let answer = status(&server, game.clone()).await;
        let outcome = answer.state.unwrap().outcome.unwrap();
        assert_eq!((outcome.termination(), outcome.result()), (*termination, *result));
        assert!(!outcome.rule.is_empty() && !outcome.message.is_empty(), "{termination:?}");
        assert!(answer.claims.is_empty(), "{termination:?} leaves something to claim");
    }
    for value in (1..).map_while(|value| Termination::try_from(value).ok()) {
        assert!(cases.iter().any(|(case, ..)| *case == value), "no case for {}", value.as_str_name());
    }
}

#[tokio::test]
async fn repetition_and_quiet_moves_can_be_claimed() {
    let server = Server::start().await;
    let kinds = |answer: &GameStatusResponse| -> Vec<_> {
        answer.claims.iter().map(|claim| (claim.r#type(), claim.available_now)).collect()
    };
    let third = status(&server, shuffle(8)).await;
    assert_eq!(kinds(&third), [(ClaimType::Threefold, true)]);
    assert_eq!(third.state.unwrap().repetitions, 3);

    let before = status(&server, shuffle(7)).await;
    assert_eq!(kinds(&before), [(ClaimType::Threefold, false)]);
    assert_eq!(before.claims[0].moves, ["f6g8"]);

    let quiet = status(&server, from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 100 80", "")).await;
    assert_eq!(kinds(&quiet), [(ClaimType::FiftyMoves, true)]);
    assert_eq!(quiet.claims[0].rule, "CH-23");
}

#[tokio::test]
async fn classic_ends_nothing_by_count() {
    let server = Server::start().await;
    let classic = Game { rule_set: RuleSet::Classic.into(), ..shuffle(16) };
    let answer = status(&server, classic).await;
    assert_eq!(answer.state.unwrap().outcome.unwrap().result(), Ended::InProgress);
    assert!(answer.claims.iter().any(|claim| claim.r#type() == ClaimType::Threefold && claim.available_now));
}

#[tokio::test]
async fn perpetual_check_is_named() {
    let server = Server::start().await;
    let cycle = "h5e8 g8h7 e8h5 h7g8 ".repeat(2);
    for rule_set in [RuleSet::Fide, RuleSet::Classic] {
        let game =
            Game { rule_set: rule_set.into(), ..from_fen("6k1/6p1/8/7Q/8/8/1q6/6K1 w - - 0 1", &cycle) };
        let answer = status(&server, game).await;
        let claim = answer.claims.iter().find(|claim| claim.r#type() == ClaimType::PerpetualCheck);
        let claim = claim.unwrap_or_else(|| panic!("{rule_set:?}: {:?}", answer.claims));
        assert_eq!(claim.available_now, rule_set == RuleSet::Classic);
    }
}

#[tokio::test]
async fn an_organiser_may_allow_more_moves() {
    let server = Server::start().await;
    let limit = MoveLimit { material: "KRK".to_owned(), moves: 60 };
    let game = Game {
        rule_set: RuleSet::Classic.into(),
        move_limits: vec![limit],
        ..from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 100 80", "")
    };
    let answer = status(&server, game).await;
    assert!(answer.claims.iter().all(|claim| !claim.available_now), "{:?}", answer.claims);
}

#[tokio::test]
async fn a_bare_king_cannot_mate() {
    let server = Server::start().await;
    let answer = status(&server, from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "")).await;
    assert!(answer.first.unwrap().can_mate);
    let second = answer.second.unwrap();
    assert!(!second.can_mate && second.can_mate_proven);
}

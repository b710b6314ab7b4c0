//! How a game stands, and what may be claimed.

use grpc_tests::Server;
use grpc_tests::games::{from_fen, moves, shuffle, xiangqi};
use proto::v1::{
    Claim, ClaimType, Game, GameStatusRequest, GameStatusResponse, MoveLimit, Result as Ended, RuleSet, Side,
    Termination,
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
        (
            Termination::NaturalLimit,
            xiangqi("3ak4/9/9/9/4p4/9/9/9/R8/4K4 w - - 119 100", "a1a2"),
            Ended::Draw,
        ),
        (
            Termination::PerpetualCheck,
            xiangqi("4k4/9/9/9/9/9/9/9/5R3/3K5 w", &"f1e1 e9f9 e1f1 f9e9 ".repeat(2)),
            Ended::Win,
        ),
        // Two chariots chase a cannon that one chariot protects.
        (
            Termination::PerpetualAttack,
            xiangqi("3aka1r1/9/9/9/7c1/R8/9/9/7R1/3K5 w", &"a4a5 h5h4 a5a4 h4h5 ".repeat(3)),
            Ended::Win,
        ),
        (
            Termination::Repetition,
            xiangqi("4k4/9/8R/8p/2p6/9/9/9/3K5/9 w", &"i7c7 e9f9 c7i7 f9e9 ".repeat(2)),
            Ended::Draw,
        ),
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

/// Who has no legal move has lost, in check or not: the other half of what differs from chess.
#[tokio::test]
async fn in_xiangqi_stalemate_is_a_loss() {
    let server = Server::start().await;
    let answer = status(&server, xiangqi("3k5/9/3P5/9/9/9/9/9/9/4K4 b", "")).await;
    let outcome = answer.state.unwrap().outcome.unwrap();
    assert_eq!((outcome.termination(), outcome.result()), (Termination::Stalemate, Ended::Win));
    assert_eq!((outcome.winner(), outcome.rule.as_str()), (Side::First, "XQ-4.1.3"));
}

/// Red's checks beyond the tenth do not count for Red, and Black's answers to them do for Black.
#[tokio::test]
async fn the_natural_limit_is_claimed_by_the_side_whose_moves_are_enough() {
    let server = Server::start().await;
    // Four checks from each of three files, and no position more than twice: after 46 rounds, 60 rounds
    // without a capture, of which Red has 58.
    let checks = |file: char| "a8a9 e9e8 a9a8 e8e7 a8a7 e7e8 a7a8 e8e9".replace('a', &file.to_string());
    let played = [&checks('a'), "a8b8 i2h2", &checks('b'), "b8c8 h2g2", &checks('c')].join(" ");
    for (more, claims) in [("", 0), ("c8b8", 1)] {
        let played = format!("{played} {more}");
        let answer = status(&server, xiangqi("4k4/R8/9/9/9/9/9/8p/9/3K5 w - - 92 100", &played)).await;
        assert_eq!(answer.state.unwrap().outcome.unwrap().result(), Ended::InProgress);
        assert_eq!(answer.claims.len(), claims, "{:?}", answer.claims);
        let is_limit = |claim: &Claim| claim.r#type() == ClaimType::NaturalLimit && claim.available_now;
        assert!(answer.claims.iter().all(is_limit));
    }
}

#[tokio::test]
async fn a_bare_king_cannot_mate() {
    let server = Server::start().await;
    let answer = status(&server, from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "")).await;
    assert!(answer.first.unwrap().can_mate);
    let second = answer.second.unwrap();
    assert!(!second.can_mate && second.can_mate_proven);
}

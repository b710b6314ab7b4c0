//! One case for every reason: why a move is not legal, and why a question cannot be asked.

use std::collections::BTreeSet;

use grpc_tests::games::{ask, from_fen, item, moves};
use grpc_tests::searches::{try_search, with_limits, with_nodes};
use grpc_tests::{Client, Fault, Server, raw};
use proto::v1::{
    ErrorReason, Game, LegalMovesRequest, MoveLimit, Notation, Reason, ReplayGameRequest, RuleSet,
    SearchLimits, SearchRequest, Variant, View,
};
use tonic::{Code, Status};

/// A game, a move, the reason why it is refused, the rule, and the squares that make it so.
type Case = (Reason, &'static str, &'static str, &'static str, &'static str, &'static [&'static str]);

const CASES: &[Case] = &[
    (Reason::Unreadable, "", "", "Zf3", "", &[]),
    (Reason::GameOver, "", "f3 e5 g4 Qh4", "e4", "CH-11", &[]),
    (Reason::Ambiguous, "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "", "Nd2", "", &["b1", "f3"]),
    (Reason::NoPiece, "", "", "e3e4", "CH-01", &["e3"]),
    (Reason::NotYourPiece, "", "", "e7e5", "CH-01", &["e7"]),
    (Reason::CastlingNotOnOneRank, "4R3/8/k7/8/8/8/8/4K3 w - - 0 1", "", "e1e8", "CH-08", &["e1", "e8"]),
    (Reason::CastlingRightLost, "4k3/8/8/8/8/8/8/4K2R w - - 0 1", "", "O-O", "CH-08", &["e1"]),
    (Reason::CastlingPathBlocked, "", "e4 e5", "e1g1", "CH-08", &["f1", "g1"]),
    (Reason::CastlesOutOfCheck, "4k3/4r3/8/8/8/8/8/4K2R w K - 0 1", "", "O-O", "CH-08", &["e7"]),
    (Reason::CastlesThroughCheck, "4kr2/8/8/8/8/8/8/4K2R w K - 0 1", "", "O-O", "CH-08", &["f1", "f8"]),
    (Reason::CastlesIntoCheck, "4k1r1/8/8/8/8/8/8/4K2R w K - 0 1", "", "O-O", "CH-08", &["g1", "g8"]),
    (Reason::OwnPieceOnTarget, "", "", "a1a2", "CH-03", &["a2"]),
    (Reason::EnPassantExpired, "", "e4 a6 e5 d5 h3 h6", "e5d6", "CH-06", &["d5"]),
    (Reason::NothingToCapture, "", "", "e2d3", "CH-05", &["d3"]),
    (Reason::NotAMoveOfThisPiece, "", "", "b1b3", "CH-04", &[]),
    (Reason::PathBlocked, "", "", "a1a3", "CH-03", &["a2"]),
    (Reason::PromotionMissing, "8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "", "a7a8", "CH-07", &["a8"]),
    (Reason::PromotionInvalid, "", "", "e2e4q", "CH-07", &["e4"]),
    (Reason::KingMovesIntoCheck, "4k3/8/8/8/8/8/3r4/K7 w - - 0 1", "", "a1a2", "CH-02", &["d2"]),
    (Reason::CheckNotAnswered, "4k3/4r3/8/8/8/8/P7/4K3 w - - 0 1", "", "a2a3", "CH-10", &["e7"]),
    (Reason::LeavesKingInCheck, "4k3/4r3/8/8/8/8/4N3/4K3 w - - 0 1", "", "e2c3", "CH-10", &["e7"]),
];

const XIANGQI_CASES: &[Case] = &[
    (Reason::Unreadable, "", "", "Nf3", "", &[]),
    (Reason::GameOver, "3k5/9/3P5/9/9/9/9/9/9/4K4 b", "", "d9d8", "XQ-4.1.3", &[]),
    (Reason::Ambiguous, "4k4/9/9/R8/9/9/R8/9/9/3K5 w", "", "车九进一", "", &["a3", "a6"]),
    (Reason::NoPiece, "", "", "a4a5", "XQ-2.1a", &["a4"]),
    (Reason::NotYourPiece, "", "", "h7e7", "XQ-2.1a", &["h7"]),
    (Reason::OwnPieceOnTarget, "", "", "a0b0", "XQ-2.2f", &["b0"]),
    (Reason::NotAMoveOfThisPiece, "", "", "马八平七", "XQ-2.2e", &[]),
    (Reason::SoldierMovesBackward, "", "", "c3c2", "XQ-2.2h", &[]),
    (Reason::SoldierNotAcrossRiver, "", "", "兵七平六", "XQ-2.2h", &["c3"]),
    (Reason::LeavesPalace, "4k4/9/9/9/p8/9/9/9/9/3K5 w", "", "d0c0", "XQ-2.2a", &["c0"]),
    (Reason::ElephantCrossesRiver, "4k4/9/9/9/p8/2B6/9/9/9/5K3 w", "", "c4e6", "XQ-2.2d", &["e6"]),
    (Reason::HorseLegBlocked, "", "", "马八进六", "XQ-2.2e", &["c0"]),
    (Reason::ElephantEyeBlocked, "4k4/9/9/9/9/9/9/9/3N5/2B2K3 w", "", "c0e2", "XQ-2.2d", &["d1"]),
    (Reason::CannonNeedsOneScreen, "", "", "b2b7", "XQ-2.3b", &[]),
    (Reason::PathBlocked, "", "", "a0a4", "XQ-2.2f", &["a3"]),
    (Reason::GeneralsFace, "4k4/9/9/9/p8/9/9/9/9/3K5 w", "", "d0e0", "XQ-2.2b", &["e0", "e9"]),
    (Reason::KingMovesIntoCheck, "5k3/9/9/9/4r4/9/9/9/9/3K5 w", "", "d0e0", "XQ-3.1b", &["e5"]),
    (Reason::CheckNotAnswered, "3k5/9/9/9/4r4/9/9/9/9/R3K4 w", "", "a0a1", "XQ-3.1b", &["e5"]),
    (Reason::LeavesKingInCheck, "3k5/9/9/9/4c4/9/R8/9/9/4K4 w", "", "a3e3", "XQ-3.1b", &["e5"]),
];

#[tokio::test]
async fn every_refusal_of_a_move_has_its_reason() {
    let server = Server::start().await;
    let chess = CASES.iter().map(|case| (Variant::Chess, case));
    let xiangqi = XIANGQI_CASES.iter().map(|case| (Variant::Xiangqi, case));
    for (variant, (reason, fen, played, text, rule, squares)) in chess.chain(xiangqi) {
        let game = Game { variant: variant.into(), ..from_fen(fen, played) };
        let answer = server.validate(ask(game, text)).await;
        let illegal = answer.illegal.unwrap_or_else(|| panic!("{text} is legal, expected {reason:?}"));
        assert_eq!(illegal.reason(), *reason, "{text}: {illegal:?}");
        assert_eq!(illegal.rule, *rule, "{reason:?}");
        assert_eq!(illegal.squares, *squares, "{reason:?}");
        assert!(!illegal.message.is_empty(), "{reason:?} has no message");
        assert_eq!(illegal.candidates.is_empty(), *reason != Reason::Ambiguous, "{reason:?}: {illegal:?}");
    }
}

#[test]
fn every_reason_has_a_case() {
    for reason in (1..).map_while(|value| Reason::try_from(value).ok()) {
        assert!(
            CASES.iter().chain(XIANGQI_CASES).any(|case| case.0 == reason),
            "no case for {}",
            reason.as_str_name()
        );
    }
}

/// The reasons that this file asks for, one function each below.
const ASKED_FOR: &[ErrorReason] = &[
    ErrorReason::FenInvalid,
    ErrorReason::FenRequired,
    ErrorReason::MoveUnreadable,
    ErrorReason::MoveAmbiguous,
    ErrorReason::MoveIllegal,
    ErrorReason::EnumValueUnknown,
    ErrorReason::VariantUnsupported,
    ErrorReason::RuleSetMismatch,
    ErrorReason::NotationMismatch,
    ErrorReason::SquareInvalid,
    ErrorReason::LimitExceeded,
    ErrorReason::PgnInvalid,
    ErrorReason::PgnGameNotFound,
    ErrorReason::PgnConflict,
    ErrorReason::RequestUnreadable,
    ErrorReason::MoveLimitInvalid,
    ErrorReason::GameOver,
    ErrorReason::NoMoveToSearch,
    ErrorReason::ValueOutOfRange,
];

/// The reasons that need more than a request, and where they are tested.
const ELSEWHERE: &[(ErrorReason, &str)] = &[
    (ErrorReason::ShuttingDown, "lifecycle.rs"),
    (ErrorReason::DeadlineExceeded, "validate_moves.rs"),
    (ErrorReason::Overloaded, "overload.rs"),
    (ErrorReason::Unauthenticated, "tokens.rs"),
    (ErrorReason::MethodNotServed, "config.rs"),
    // No request makes the server panic; its unit tests panic on purpose.
    (ErrorReason::Internal, "crates/server/src/panics.rs"),
];

#[test]
fn every_error_reason_is_tested() {
    let tested: BTreeSet<_> = ASKED_FOR
        .iter()
        .chain(ELSEWHERE.iter().map(|(reason, _)| reason))
        .map(|&reason| reason as i32)
        .collect();
    for reason in (1..).map_while(|value| ErrorReason::try_from(value).ok()) {
        assert!(tested.contains(&(reason as i32)), "no test for {}", reason.as_str_name());
    }
}

#[tokio::test]
async fn every_error_names_reason_domain_and_field() {
    let server = Server::start().await;
    let mut client = server.client().await;
    for &reason in ASKED_FOR {
        let (status, field) = provoke(reason, &server, &mut client).await;
        let fault = Fault::of(&status);
        assert_eq!(format!("ERROR_REASON_{}", fault.reason), reason.as_str_name(), "{fault:?}");
        let code = match reason {
            ErrorReason::GameOver => Code::FailedPrecondition,
            _ => Code::InvalidArgument,
        };
        assert_eq!((fault.code, fault.domain.as_str()), (code, "arbiter"));
        let first = fault.fields.first().map_or("", |(field, _)| field);
        assert_eq!(first, field, "{fault:?}");
        assert!(
            !fault.message.is_empty() && fault.fields.iter().all(|(_, text)| !text.is_empty()),
            "{fault:?}"
        );
    }
}

/// A request that is refused for this reason: the status, and the field that it names.
async fn provoke(reason: ErrorReason, server: &Server, client: &mut Client) -> (Status, &'static str) {
    let of_game = |game| ask(game, "e4");
    let request = match reason {
        ErrorReason::SquareInvalid => {
            let request = LegalMovesRequest {
                from_squares: vec!["e2".into(), "j9".into()],
                ..LegalMovesRequest::default()
            };
            return (client.legal_moves(request).await.expect_err("a refusal"), "from_squares[1]");
        }
        ErrorReason::PgnInvalid | ErrorReason::PgnGameNotFound | ErrorReason::PgnConflict => {
            return provoke_with_pgn(reason, client).await;
        }
        ErrorReason::GameOver | ErrorReason::NoMoveToSearch | ErrorReason::ValueOutOfRange => {
            return provoke_with_search(reason, client).await;
        }
        ErrorReason::RequestUnreadable => {
            let garbage = vec![0xff; 64];
            let answer = raw::call(server.channel().await, &raw::path_of("ValidateMove"), garbage).await;
            return (answer.expect_err("a refusal"), "");
        }
        ErrorReason::FenInvalid => (of_game(from_fen("P7/8/8/8/8/8/8/8 w - - 0 1", "")), "game.initial_fen"),
        ErrorReason::FenRequired => {
            (of_game(Game { variant: Variant::Chess960.into(), ..Game::default() }), "game.initial_fen")
        }
        ErrorReason::MoveUnreadable => (of_game(moves("e4 Zf3")), "game.moves[1]"),
        ErrorReason::MoveAmbiguous => {
            (of_game(moves("Nf3 a6 e3 a5 Be2 a4 Na3 h6 Nb1 h5 d4 h4 Nd2")), "game.moves[12]")
        }
        ErrorReason::MoveIllegal => (of_game(moves("e4 e5 e4e6")), "game.moves[2]"),
        ErrorReason::EnumValueUnknown => (of_game(Game { variant: 77, ..Game::default() }), "game.variant"),
        ErrorReason::VariantUnsupported => {
            let pgn = "[Variant \"Crazyhouse\"]\n\n1. e4 *".to_owned();
            let request = ReplayGameRequest { pgn, ..ReplayGameRequest::default() };
            return (client.replay_game(request).await.expect_err("a refusal"), "pgn");
        }
        ErrorReason::RuleSetMismatch => {
            (of_game(Game { rule_set: RuleSet::Cxa.into(), ..Game::default() }), "game.rule_set")
        }
        ErrorReason::NotationMismatch => {
            (of_game(Game { notation: Notation::Wxf.into(), ..Game::default() }), "game.notation")
        }
        ErrorReason::LimitExceeded => (ask(Game::default(), &"x".repeat(65)), "move"),
        ErrorReason::MoveLimitInvalid => {
            let limit = MoveLimit { material: "KRBKR".into(), moves: 75 };
            (of_game(Game { move_limits: vec![limit], ..Game::default() }), "game.move_limits[0]")
        }
        other => panic!("no request for {other:?}"),
    };
    (client.validate_move(request.0).await.expect_err("a refusal"), request.1)
}

async fn provoke_with_pgn(reason: ErrorReason, client: &mut Client) -> (Status, &'static str) {
    let of_pgn = |pgn: &str| ReplayGameRequest { pgn: pgn.to_owned(), ..ReplayGameRequest::default() };
    let (request, field) = match reason {
        ErrorReason::PgnInvalid => (of_pgn("1. e4 e5\n2. Nf3 {never closed"), "pgn"),
        ErrorReason::PgnGameNotFound => {
            (ReplayGameRequest { game_index: 3, ..of_pgn("1. e4 *") }, "game_index")
        }
        _ => (ReplayGameRequest { game: Some(moves("e4")), ..of_pgn("1. e4 *") }, "game.moves"),
    };
    (client.replay_game(request).await.expect_err("a refusal"), field)
}

async fn provoke_with_search(reason: ErrorReason, client: &mut Client) -> (Status, &'static str) {
    let (request, field) = match reason {
        ErrorReason::GameOver => (with_nodes(moves("f3 e5 g4 Qh4"), 1), "game"),
        ErrorReason::NoMoveToSearch => {
            let only = vec!["e4".to_owned()];
            let request = SearchRequest {
                search_moves: only.clone(),
                exclude_moves: only,
                ..with_nodes(Game::default(), 1)
            };
            (request, "exclude_moves")
        }
        _ => {
            let limits = SearchLimits { depth: 128, ..SearchLimits::default() };
            (with_limits(Game::default(), limits), "limits.depth")
        }
    };
    (try_search(client, request).await.expect_err("a refusal"), field)
}

#[tokio::test]
async fn metadata_has_what_varies() {
    let server = Server::start().await;
    let mut client = server.client().await;
    let fault = Fault::expect(client.validate_move(ask(moves("e4 e5 e4e6"), "e4")).await);
    for (name, value) in [
        ("index", "2"),
        ("move", "e4e6"),
        ("illegal_reason", "NOT_A_MOVE_OF_THIS_PIECE"),
        ("rule", "CH-05"),
        ("squares", ""),
        ("candidates", ""),
    ] {
        assert_eq!(fault.metadata.get(name).map(String::as_str), Some(value), "{name}");
    }
    let fault = Fault::expect(client.validate_move(ask(Game { variant: 77, ..Game::default() }, "e4")).await);
    assert_eq!((fault.metadata["enum"].as_str(), fault.metadata["value"].as_str()), ("Variant", "77"));
    assert!(fault.message.contains("VARIANT_CHESS960"), "the known names are given: {}", fault.message);
    let fault = Fault::of(&provoke_with_search(ErrorReason::GameOver, &mut client).await.0);
    assert_eq!(
        (fault.metadata["termination"].as_str(), fault.metadata["rule"].as_str()),
        ("CHECKMATE", "CH-11")
    );
    let fault = Fault::of(&provoke_with_search(ErrorReason::ValueOutOfRange, &mut client).await.0);
    assert_eq!(
        (fault.metadata["value"].as_str(), fault.metadata["expected"].as_str()),
        ("128", "from 1 to 127")
    );
}

#[tokio::test]
async fn all_faults_of_a_fen_are_given_at_once() {
    let server = Server::start().await;
    let game = from_fen("P7/8/8/8/8/8/8/8 w - - 0 1", "");
    let fault = Fault::expect(server.client().await.validate_move(ask(game, "e4")).await);
    assert!(fault.fields.len() >= 3, "two kings are missing and a pawn stands wrong: {fault:?}");
    let named: BTreeSet<_> = fault.fields.iter().filter_map(|(_, text)| text.split(':').next()).collect();
    let listed: BTreeSet<_> = fault.metadata["faults"].split(',').collect();
    assert_eq!(named, listed);
    assert!(named.contains("KING_COUNT") && named.contains("PAWN_ON_BACK_RANK"), "{named:?}");
}

#[tokio::test]
async fn every_enum_of_a_request_refuses_what_it_does_not_have() {
    let server = Server::start().await;
    let mut client = server.client().await;
    let good = ask(Game::default(), "e4");
    let cases = [
        (ask(Game { variant: 4, ..Game::default() }, "e4"), "game.variant"),
        (ask(Game { notation: -1, ..Game::default() }, "e4"), "game.notation"),
        (ask(Game { rule_set: 6, ..Game::default() }, "e4"), "game.rule_set"),
        (ask(Game { language: i32::MAX, ..Game::default() }, "e4"), "game.language"),
        (proto::v1::ValidateMoveRequest { notation: 99, ..good.clone() }, "notation"),
        (proto::v1::ValidateMoveRequest { view: 3, ..good }, "view"),
    ];
    for (request, field) in cases {
        let fault = Fault::expect(client.validate_move(request).await);
        assert_eq!((fault.reason.as_str(), fault.field()), ("ENUM_VALUE_UNKNOWN", field));
    }
}

#[tokio::test]
async fn a_pgn_may_name_a_variant_that_is_not_served() {
    let server = Server::start().await;
    for name in ["Crazyhouse".to_owned(), "*".to_owned(), "長".repeat(100_000)] {
        let pgn = format!("[Variant \"{name}\"]\n\n1. e4 *");
        let request = ReplayGameRequest { pgn, ..ReplayGameRequest::default() };
        let fault = Fault::expect(server.client().await.replay_game(request).await);
        assert_eq!((fault.reason.as_str(), fault.field()), ("VARIANT_UNSUPPORTED", "pgn"));
        let shown = fault.metadata["variant"].trim_end_matches('…');
        assert!(name.starts_with(shown) && !shown.is_empty(), "{shown}");
    }
}

#[tokio::test]
async fn in_a_stream_an_error_is_an_answer() {
    let server = Server::start().await;
    let questions = vec![
        item(Game { variant: 77, ..Game::default() }, "e4"),
        item(moves("e4 e5 e4e6"), "e4"),
        proto::v1::ValidateMovesRequest { view: View::Full.into(), ..item(Game::default(), "e4") },
    ];
    let mut answers =
        server.client().await.validate_moves(tokio_stream::iter(questions)).await.unwrap().into_inner();
    for (reason, field) in [("ENUM_VALUE_UNKNOWN", "game.variant"), ("MOVE_ILLEGAL", "game.moves[2]")] {
        let answer = answers.message().await.unwrap().expect("an answer");
        let error = answer.error.clone().expect("an error");
        assert_eq!((error.reason.as_str(), error.field.as_str()), (reason, field));
        assert!(!error.message.is_empty());
        let rest = proto::v1::ValidateMovesResponse { error: None, ..answer };
        assert_eq!(rest, proto::v1::ValidateMovesResponse::default(), "nothing else is filled in");
    }
    let last = answers.message().await.unwrap().expect("an answer");
    assert!(last.legal && last.error.is_none() && last.state.is_some());
    assert!(answers.message().await.unwrap().is_none());
}

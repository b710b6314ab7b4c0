//! One move: legal, or why not.

use grpc_tests::Server;
use grpc_tests::games::{START, ask, from_fen, moves};
use proto::v1::{
    CastlingSide, Game, Language, Notation, Reason, Result as Ended, Role, Side, Termination,
    ValidateMoveRequest, Variant, View,
};

#[tokio::test]
async fn a_legal_move_is_described_and_played() {
    let server = Server::start().await;
    let answer = server.validate(ask(moves("e2e4 d7d5"), "exd5")).await;
    assert!(answer.legal && answer.illegal.is_none());
    let m = answer.r#move.unwrap();
    assert_eq!((m.uci.as_str(), m.san.as_str()), ("e4d5", "exd5"));
    assert_eq!((m.from_square.as_str(), m.to_square.as_str()), ("e4", "d5"));
    assert_eq!((m.piece(), m.captured(), m.promotion()), (Role::Pawn, Role::Pawn, Role::Unspecified));
    assert!(m.capture && !m.check && !m.checkmate && !m.en_passant);
    assert_eq!(answer.fen, "rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2");
    let state = answer.state.unwrap();
    assert_eq!(state.side_to_move(), Side::Second);
    assert_eq!((state.ply, state.quiet_plies, state.repetitions), (3, 0, 1));
    assert_eq!(state.outcome.unwrap().result(), Ended::InProgress);
}

#[tokio::test]
async fn without_a_game_it_is_the_start_of_a_game() {
    let server = Server::start().await;
    let bare = ValidateMoveRequest { r#move: "e4".to_owned(), ..ValidateMoveRequest::default() };
    let answer = server.validate(bare).await;
    assert!(answer.legal);
    assert_eq!(answer, server.validate(ask(Game::default(), "e4")).await);
    assert_eq!(answer, server.validate(ask(from_fen(START, ""), "e2e4")).await);
}

#[tokio::test]
async fn the_last_move_of_a_game_mates() {
    let server = Server::start().await;
    let answer = server.validate(ask(moves("f3 e5 g4"), "d8h4")).await;
    let m = answer.r#move.unwrap();
    assert_eq!(m.san, "Qh4#");
    assert!(m.check && m.checkmate);
    let state = answer.state.unwrap();
    assert_eq!((state.check, state.checkers, state.legal_move_count), (true, vec!["h4".to_owned()], 0));
    let outcome = state.outcome.unwrap();
    assert_eq!((outcome.result(), outcome.winner()), (Ended::Win, Side::Second));
    assert_eq!((outcome.termination(), outcome.rule.as_str()), (Termination::Checkmate, "CH-11"));
    assert!(!outcome.message.is_empty());
}

#[tokio::test]
async fn an_illegal_move_leaves_the_position_as_it_was() {
    let server = Server::start().await;
    let answer = server.validate(ask(Game::default(), "a1a3")).await;
    assert!(!answer.legal && answer.r#move.is_none());
    assert_eq!(answer.fen, START);
    assert_eq!(answer.state.unwrap().legal_move_count, 20);
    let illegal = answer.illegal.unwrap();
    assert_eq!(illegal.reason(), Reason::PathBlocked);
    assert_eq!((illegal.rule.as_str(), illegal.squares), ("CH-03", vec!["a2".to_owned()]));
}

#[tokio::test]
async fn the_basic_view_has_what_it_names_and_no_more() {
    let server = Server::start().await;
    let basic = |text| ValidateMoveRequest { view: View::Basic.into(), ..ask(Game::default(), text) };
    let answer = server.validate(basic("Nf3")).await;
    assert!(answer.legal && answer.state.is_none() && !answer.fen.is_empty());
    let m = answer.r#move.unwrap();
    assert_eq!(m, proto::v1::Move { uci: "g1f3".to_owned(), ..Default::default() });
    let answer = server.validate(basic("e5")).await;
    assert!(!answer.legal && answer.state.is_none() && answer.fen == START);
}

#[tokio::test]
async fn castling_and_promotion_are_named() {
    let server = Server::start().await;
    let castles = from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "");
    for (text, uci, side) in [
        ("O-O", "e1g1", CastlingSide::King),
        ("e1c1", "e1c1", CastlingSide::Queen),
        ("e1h1", "e1g1", CastlingSide::King),
    ] {
        let m = server.validate(ask(castles.clone(), text)).await.r#move.unwrap();
        assert_eq!((m.uci.as_str(), m.castling()), (uci, side), "{text}");
    }
    let chess960 = Game { variant: Variant::Chess960.into(), ..castles };
    assert_eq!(server.validate(ask(chess960, "O-O")).await.r#move.unwrap().uci, "e1h1");

    let m = server
        .validate(ask(from_fen("3r2k1/4P3/8/8/8/8/8/4K3 w - - 0 1", ""), "exd8=Q+"))
        .await
        .r#move
        .unwrap();
    assert_eq!((m.uci.as_str(), m.promotion(), m.captured()), ("e7d8q", Role::Queen, Role::Rook));
}

#[tokio::test]
async fn en_passant_is_named() {
    let server = Server::start().await;
    let m = server.validate(ask(moves("e4 a6 e5 d5"), "exd6")).await.r#move.unwrap();
    assert!(m.en_passant && m.capture);
    assert_eq!((m.to_square.as_str(), m.captured()), ("d6", Role::Pawn));
}

#[tokio::test]
async fn a_notation_that_is_asked_for_is_the_only_one() {
    let server = Server::start().await;
    let san_only = ValidateMoveRequest { notation: Notation::San.into(), ..ask(Game::default(), "Nf3") };
    assert!(server.validate(san_only.clone()).await.legal);
    let uci_only = ValidateMoveRequest { notation: Notation::Uci.into(), ..san_only };
    assert_eq!(server.validate(uci_only).await.illegal.unwrap().reason(), Reason::Unreadable);
}

#[tokio::test]
async fn messages_are_in_the_language_of_the_game() {
    let server = Server::start().await;
    let game = |language: Language| Game { language: language.into(), ..Game::default() };
    let english = server.validate(ask(game(Language::En), "e3e4")).await.illegal.unwrap();
    let chinese = server.validate(ask(game(Language::Zh), "e3e4")).await.illegal.unwrap();
    assert!(english.message.is_ascii(), "{}", english.message);
    assert!(!chinese.message.is_ascii(), "{}", chinese.message);
    assert_eq!(
        (english.reason, english.rule, english.squares),
        (chinese.reason, chinese.rule, chinese.squares)
    );
}

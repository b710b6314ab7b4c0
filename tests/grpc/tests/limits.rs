//! Every named limit, at it and one over; and messages beyond all limits.

use grpc_tests::games::{ask, from_fen, item, moves, shuffle};
use grpc_tests::searches::{try_search, with_nodes};
use grpc_tests::{Client, Fault, Server, raw};
use prost::Message as _;
use proto::v1::{
    Game, GetServerInfoRequest, LegalMovesRequest, MoveLimit, ReplayGameRequest, RuleSet, SearchRequest,
    ServerLimits, ValidateMoveRequest,
};
use tonic::{Code, Status};

/// Limits are tried through the fields that they are about.
const NAMES: [&str; 11] = [
    "max_request_bytes",
    "max_fen_bytes",
    "max_move_bytes",
    "max_moves",
    "max_pgn_bytes",
    "max_squares",
    "max_plies_returned",
    "max_move_limits",
    "max_material_bytes",
    "max_search_moves",
    "max_hash_mib",
];

#[tokio::test]
async fn every_limit_holds_at_its_value_and_not_beyond() {
    let server = Server::start().await;
    let mut client = server.client().await;
    let info = client.get_server_info(GetServerInfoRequest {}).await.unwrap().into_inner();
    let limits = info.limits.expect("limits");
    for name in NAMES {
        let limit = value_of(&limits, name);
        let exceeds = |answer: Result<(), Status>| {
            let fault = answer.err().map(|status| Fault::of(&status))?;
            let is_this = fault.reason == "LIMIT_EXCEEDED" && fault.metadata["limit"] == name;
            is_this.then_some(fault)
        };
        let at = exceeds(with_size(name, limit, &server, &mut client).await);
        assert!(at.is_none(), "{name} is exceeded at its value: {at:?}");
        let over = exceeds(with_size(name, limit + 1, &server, &mut client).await);
        let fault = over.unwrap_or_else(|| panic!("{name} is not exceeded by {}", limit + 1));
        assert_eq!((fault.code, &fault.metadata["value"]), (Code::InvalidArgument, &limit.to_string()));
    }
}

fn value_of(limits: &ServerLimits, name: &str) -> usize {
    let value = match name {
        "max_request_bytes" => limits.max_request_bytes,
        "max_fen_bytes" => limits.max_fen_bytes,
        "max_move_bytes" => limits.max_move_bytes,
        "max_moves" => limits.max_moves,
        "max_pgn_bytes" => limits.max_pgn_bytes,
        "max_squares" => limits.max_squares,
        "max_plies_returned" => limits.max_plies_returned,
        "max_move_limits" => limits.max_move_limits,
        "max_material_bytes" => limits.max_material_bytes,
        "max_search_moves" => limits.max_search_moves,
        "max_hash_mib" => limits.max_hash_mib,
        _ => panic!("no limit {name}"),
    };
    value as usize
}

/// Asks something of which the thing that the limit is about has this size.
async fn with_size(name: &str, size: usize, server: &Server, client: &mut Client) -> Result<(), Status> {
    let request = match name {
        "max_request_bytes" => {
            let bytes = request_of_bytes(size);
            return raw::call(server.channel().await, &raw::path_of("ValidateMove"), bytes).await.map(drop);
        }
        "max_pgn_bytes" => {
            let pgn = format!("1. e4 {{{}}} *", "x".repeat(size - "1. e4 {} *".len()));
            let request = ReplayGameRequest { pgn, ..ReplayGameRequest::default() };
            return client.replay_game(request).await.map(drop);
        }
        "max_squares" => {
            let request = LegalMovesRequest { from_squares: vec!["e2".into(); size], game: None };
            return client.legal_moves(request).await.map(drop);
        }
        "max_plies_returned" => {
            let max_plies = u32::try_from(size).expect("a small number");
            let request =
                ReplayGameRequest { game: Some(moves("e4")), max_plies, ..ReplayGameRequest::default() };
            return client.replay_game(request).await.map(drop);
        }
        "max_search_moves" => {
            let multi_pv = u32::try_from(size).expect("a small number");
            let request = SearchRequest { multi_pv, ..with_nodes(Game::default(), 1) };
            return try_search(client, request).await.map(drop);
        }
        "max_hash_mib" => {
            let hash_mib = u32::try_from(size).expect("a small number");
            let request = SearchRequest { hash_mib, ..with_nodes(Game::default(), 1) };
            return try_search(client, request).await.map(drop);
        }
        "max_fen_bytes" => ask(from_fen(&format!("{:size$}", grpc_tests::games::START), ""), "e4"),
        "max_move_bytes" => ask(Game::default(), &"x".repeat(size)),
        "max_moves" => ask(shuffle(size), "e4"),
        "max_move_limits" => {
            let move_limits = vec![MoveLimit { material: "KRBKR".into(), moves: 75 }; size];
            ask(Game { move_limits, rule_set: RuleSet::Classic.into(), ..Game::default() }, "e4")
        }
        "max_material_bytes" => ask(with_material(&format!("KK{}", "P".repeat(size - 2))), "e4"),
        _ => panic!("no question for {name}"),
    };
    client.validate_move(request).await.map(drop)
}

/// A game with a move limit for this material.
fn with_material(material: &str) -> Game {
    let limit = MoveLimit { material: material.to_owned(), moves: 75 };
    Game { move_limits: vec![limit], rule_set: RuleSet::Classic.into(), ..Game::default() }
}

/// A request of exactly so many bytes, most of them in its FEN.
fn request_of_bytes(size: usize) -> Vec<u8> {
    let with_fen = |length: usize| {
        let game = Game { initial_fen: "x".repeat(length), ..Game::default() };
        ValidateMoveRequest { game: Some(game), ..ValidateMoveRequest::default() }.encode_to_vec()
    };
    let around = with_fen(size).len() - size;
    let bytes = with_fen(size - around);
    assert_eq!(bytes.len(), size);
    bytes
}

#[tokio::test]
async fn moves_of_the_past_have_a_limit_too() {
    let server = Server::start().await;
    let fault = Fault::expect(server.client().await.validate_move(ask(moves(&"x".repeat(65)), "e4")).await);
    assert_eq!((fault.reason.as_str(), fault.field()), ("LIMIT_EXCEEDED", "game.moves[0]"));
    assert_eq!(fault.metadata["limit"], "max_move_bytes");
}

#[tokio::test]
async fn an_answer_quotes_no_more_of_a_text_than_helps() {
    let server = Server::start().await;
    let questions = [
        (with_material(&"\0".repeat(1_000_000)), "game.move_limits[0].material"),
        (with_material(&"\0".repeat(64)), "game.move_limits[0]"),
        (moves(&"\u{1}".repeat(64)), "game.moves[0]"),
        (from_fen(&"\u{1}".repeat(256), ""), "game.initial_fen"),
    ];
    let items = questions.clone().map(|(game, _)| item(game, "e4"));
    let answers = server.client().await.validate_moves(tokio_stream::iter(items)).await;
    let mut answers = answers.unwrap().into_inner();
    for (_, field) in questions {
        let answer = answers.message().await.unwrap().expect("an answer");
        assert_eq!(answer.error.as_ref().expect("an error").field, field);
        assert!(answer.encoded_len() < 512, "{field}: {} bytes", answer.encoded_len());
    }
}

#[tokio::test]
async fn a_huge_message_leaves_the_connection_usable() {
    let server = Server::start().await;
    let channel = server.channel().await;
    for _ in 0..20 {
        let answer = raw::call(channel.clone(), &raw::path_of("ValidateMove"), vec![0; 5 << 20]).await;
        let fault = Fault::expect(answer);
        assert_eq!((fault.code, fault.reason.as_str()), (Code::InvalidArgument, "LIMIT_EXCEEDED"));
        assert_eq!(fault.metadata["limit"], "max_request_bytes");
        assert_eq!(fault.metadata["value"], "1048576");
        let mut client = grpc_tests::Client::new(channel.clone());
        assert!(client.validate_move(ask(Game::default(), "e4")).await.unwrap().into_inner().legal);
    }
}

#[tokio::test]
async fn huge_messages_do_not_add_up() {
    let server = Server::start().await;
    let before = server.resident_kib();
    let channels = [server.channel().await, server.channel().await];
    let calls: Vec<_> = (0..64)
        .map(|index| {
            let channel = channels[index % 2].clone();
            tokio::spawn(
                async move { raw::call(channel, &raw::path_of("ReplayGame"), vec![0; 5 << 20]).await },
            )
        })
        .collect();
    for call in calls {
        assert_eq!(Fault::expect(call.await.unwrap()).reason, "LIMIT_EXCEEDED");
    }
    let grown = server.resident_kib().saturating_sub(before);
    assert!(grown < 40 * 1024, "64 messages of 5 MiB made the server grow by {grown} KiB");
}

//! What the server says about itself.

use grpc_tests::Server;
use grpc_tests::games::{START, XIANGQI_START};
use grpc_tests::searches::{search, with_nodes};
use proto::v1::{Engine, Game, GetServerInfoRequest, Notation, RuleSet, Variant};

#[tokio::test]
async fn info_names_version_variants_and_limits() {
    let server = Server::start().await;
    let info = server.client().await.get_server_info(GetServerInfoRequest {}).await.unwrap().into_inner();
    assert_eq!((info.name.as_str(), info.api.as_str()), ("arbiter", "arbiter.v1"));
    assert_eq!(info.version, env!("CARGO_PKG_VERSION"));

    let [chess, chess960, xiangqi] = info.variants.try_into().expect("three variants");
    assert_eq!(chess.variant(), Variant::Chess);
    assert_eq!(chess.start_fen, START);
    assert_eq!(chess.rule_sets, [RuleSet::Fide as i32, RuleSet::Classic as i32]);
    assert_eq!(chess.notations, [Notation::Uci as i32, Notation::San as i32]);
    assert_eq!(chess960.variant(), Variant::Chess960);
    assert_eq!(chess960.start_fen, "");
    assert_eq!(xiangqi.variant(), Variant::Xiangqi);
    assert_eq!(xiangqi.start_fen, XIANGQI_START);
    assert_eq!(xiangqi.rule_sets, [RuleSet::Cxa, RuleSet::Axf, RuleSet::Computer].map(i32::from));
    let notations =
        [Notation::Uci, Notation::UciRank1, Notation::Iccs, Notation::Wxf, Notation::Chinese].map(i32::from);
    assert_eq!(xiangqi.notations, notations);

    let limits = info.limits.expect("limits");
    assert_eq!(limits.max_request_bytes, 1 << 20);
    assert_eq!(limits.max_fen_bytes, 256);
    assert_eq!(limits.max_move_bytes, 64);
    assert_eq!(limits.max_moves, 20_000);
    assert_eq!(limits.max_pgn_bytes, 1_024_000);
    assert_eq!(limits.max_squares, 90);
    assert_eq!(limits.max_plies_returned, 20_000);
    assert_eq!(limits.max_move_limits, 64);
    assert_eq!(limits.max_material_bytes, 64);
    assert_eq!(limits.max_search_moves, 256);
    assert_eq!(limits.max_hash_mib, 256);
    assert_eq!(limits.max_search_time, Some(prost_types::Duration { seconds: 60, nanos: 0 }));
    assert!(limits.search_slots >= 1);
}

#[tokio::test]
async fn info_names_the_engine_and_what_is_set_for_it() {
    let server = Server::start_with(&["--search-slots", "7", "--max-search-time", "1500ms"]).await;
    let mut client = server.client().await;
    let info = client.get_server_info(GetServerInfoRequest {}).await.unwrap().into_inner();
    let limits = info.limits.expect("limits");
    assert_eq!(limits.search_slots, 7);
    assert_eq!(limits.max_search_time, Some(prost_types::Duration { seconds: 1, nanos: 500_000_000 }));
    let engine = info.engine.expect("an engine");
    let Engine { name, version, evaluation } = &engine;
    assert_eq!((name.as_str(), version.as_str()), ("arbiter", env!("CARGO_PKG_VERSION")));
    assert!(!evaluation.is_empty());
    assert_eq!(search(&mut client, with_nodes(Game::default(), 10)).await.engine, Some(engine));
}

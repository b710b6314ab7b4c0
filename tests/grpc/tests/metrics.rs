//! What is counted, as Prometheus sees it.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use grpc_tests::dashboard::{self, ALERTS};
use grpc_tests::games::ask;
use grpc_tests::scrape::Scrape;
use grpc_tests::searches::{search, try_search, with_limits, with_nodes};
use grpc_tests::server::PATIENCE;
use grpc_tests::{Client, Server, promtool, raw};
use proto::v1::{
    Game, GameStatusRequest, GetServerInfoRequest, LegalMovesRequest, ReplayGameRequest, SearchLimits,
    ValidateMovesRequest, Variant,
};
use tokio::time::{sleep, timeout};
use tonic::Code;
use tonic_health::pb::HealthCheckRequest;

const FLAGS: [&str; 4] = ["--admin-listen", "127.0.0.1:0", "--search-slots", "1"];
const CALLS: &str = "rpc_server_call_duration_seconds_count";

fn xiangqi() -> Game {
    Game { variant: Variant::Xiangqi.into(), ..Game::default() }
}

/// Asks everything once, and fails in some ways.
async fn ask_everything(server: &Server) -> Client {
    let mut client = server.client().await;
    client.validate_move(ask(Game::default(), "e4")).await.expect("an answer");
    client.validate_move(ask(xiangqi(), "h2e2")).await.expect("an answer");
    let of = |game| ValidateMovesRequest { game: Some(game), ..ValidateMovesRequest::default() };
    let stream = tokio_stream::iter([of(Game::default()), of(xiangqi()), of(xiangqi())]);
    let mut answers = client.validate_moves(stream).await.expect("a stream").into_inner();
    while answers.message().await.expect("an answer").is_some() {}
    client.legal_moves(LegalMovesRequest::default()).await.expect("an answer");
    client.game_status(GameStatusRequest::default()).await.expect("an answer");
    client.replay_game(ReplayGameRequest::default()).await.expect("an answer");
    client.get_server_info(GetServerInfoRequest {}).await.expect("an answer");
    server.health().await.check(HealthCheckRequest::default()).await.expect("an answer");
    search(&mut client, with_nodes(Game::default(), 1000)).await;
    shed_one(&mut client).await;
    let path = "/arbiter.v1.ArbiterService/Made\u{75}p";
    let made_up = raw::call(server.channel().await, path, Vec::new()).await;
    assert_eq!(made_up.expect_err("no such call").code(), Code::Unimplemented);
    client
}

/// Fills the only search slot and asks for another one.
async fn shed_one(client: &mut Client) {
    let mut endless =
        client.search(with_limits(xiangqi(), SearchLimits::default())).await.expect("a slot").into_inner();
    endless.message().await.expect("progress");
    let refused = try_search(client, with_nodes(Game::default(), 10)).await;
    assert_eq!(refused.expect_err("no slot").code(), Code::ResourceExhausted);
}

/// Scrapes until the scrape is as wanted.
async fn scrape_until(server: &Server, wanted: impl Fn(&Scrape) -> bool) -> Scrape {
    let scraped = async {
        loop {
            let scrape = Scrape::of(server.admin()).await;
            if wanted(&scrape) {
                return scrape;
            }
            sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(PATIENCE, scraped).await.expect("the numbers come")
}

/// The scrape after everything was asked and the endless search was given up.
async fn scrape_of_all(server: &Server) -> Scrape {
    let _client = ask_everything(server).await;
    scrape_until(server, |scrape| {
        scrape.sum("arbiter_searches_total", &[("stop_reason", "cancelled")]) > 0.0
            && scrape.sum("arbiter_calls_in_flight", &[]) == 0.0
    })
    .await
}

#[tokio::test]
async fn calls_are_counted_by_method_and_code() {
    let server = Server::start_with(&FLAGS).await;
    let scrape = scrape_of_all(&server).await;
    let calls = |method: &str, code: &str| {
        let labels =
            [("rpc_method", method), ("rpc_response_status_code", code), ("rpc_system_name", "grpc")];
        scrape.sum(CALLS, &labels)
    };
    let ours = |rpc: &str, code: &str| calls(&format!("arbiter.v1.ArbiterService/{rpc}"), code);
    assert_eq!(ours("ValidateMove", "OK"), 2.0);
    for rpc in ["ValidateMoves", "LegalMoves", "GameStatus", "ReplayGame", "GetServerInfo", "Search"] {
        assert_eq!(ours(rpc, "OK"), 1.0, "{rpc}");
    }
    assert_eq!(ours("Search", "RESOURCE_EXHAUSTED"), 1.0);
    assert_eq!(ours("Search", "CANCELLED"), 1.0);
    assert_eq!(calls("grpc.health.v1.Health/Check", "OK"), 1.0);
    assert_eq!(calls("_OTHER", "UNIMPLEMENTED"), 1.0);
    assert_eq!(scrape.sum(CALLS, &[("error_type", "UNIMPLEMENTED")]), 1.0);
    assert_eq!(scrape.sum("arbiter_calls_shed_total", &[]), 1.0);
    assert!(!scrape.text.contains("Made"), "{}", scrape.text);
}

#[tokio::test]
async fn questions_and_searches_are_counted_by_variant() {
    let server = Server::start_with(&FLAGS).await;
    let scrape = scrape_of_all(&server).await;
    let questions = |rpc: &str, variant: &str| {
        let method = format!("arbiter.v1.ArbiterService/{rpc}");
        scrape.sum("arbiter_questions_total", &[("rpc_method", &method), ("variant", variant)])
    };
    assert_eq!((questions("ValidateMove", "chess"), questions("ValidateMove", "xiangqi")), (1.0, 1.0));
    assert_eq!((questions("ValidateMoves", "chess"), questions("ValidateMoves", "xiangqi")), (1.0, 2.0));
    assert_eq!((questions("Search", "chess"), questions("Search", "xiangqi")), (2.0, 1.0));
    let chess = [("variant", "chess")];
    assert_eq!(scrape.sum("arbiter_searches_total", &[("stop_reason", "nodes"), chess[0]]), 1.0);
    let cancelled = [("stop_reason", "cancelled"), ("variant", "xiangqi")];
    assert_eq!(scrape.sum("arbiter_searches_total", &cancelled), 1.0);
    let nodes = scrape.sum("arbiter_search_nodes_total", &chess);
    assert!((1.0..=1000.0).contains(&nodes), "{nodes}");
    assert_eq!(scrape.sum("arbiter_search_depth_count", &chess), 1.0);
    assert_eq!(scrape.sum("arbiter_search_speed_per_second_count", &chess), 1.0);
}

#[tokio::test]
async fn gauges_follow_what_goes_on() {
    let server = Server::start_with(&FLAGS).await;
    let scrape = Scrape::of(server.admin()).await;
    assert_eq!(scrape.sum("arbiter_search_slots", &[]), 1.0);
    assert_eq!(scrape.sum("arbiter_search_slots_busy", &[]), 0.0);
    let mut client = server.client().await;
    let request = with_limits(Game::default(), SearchLimits::default());
    let mut endless = client.search(request).await.unwrap().into_inner();
    endless.message().await.unwrap();
    let scrape = Scrape::of(server.admin()).await;
    let method = [("rpc_method", "arbiter.v1.ArbiterService/Search")];
    assert_eq!(scrape.sum("arbiter_calls_in_flight", &method), 1.0);
    assert_eq!(scrape.sum("arbiter_search_slots_busy", &[]), 1.0);
    assert_eq!(scrape.sum("arbiter_connections_open", &[]), 1.0);
    drop((endless, client));
    scrape_until(&server, |scrape| {
        ["arbiter_calls_in_flight", "arbiter_search_slots_busy", "arbiter_connections_open"]
            .iter()
            .all(|name| scrape.sum(name, &[]) == 0.0)
    })
    .await;
}

#[tokio::test]
async fn numbers_of_the_process_are_those_of_the_system() {
    let server = Server::start_with(&FLAGS).await;
    let scrape = Scrape::of(server.admin()).await;
    let memory = scrape.sum("process_resident_memory_bytes", &[]);
    let resident = server.resident_kib() * 1024;
    assert!(memory > 0.0 && (memory / resident as f64 - 1.0).abs() < 0.25, "{memory} and {resident}");
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs_f64();
    let age = now - scrape.sum("process_start_time_seconds", &[]);
    assert!((-2.0..60.0).contains(&age), "{age}");
    assert!(scrape.sum("process_open_fds", &[]) >= 3.0);
    assert_eq!(scrape.sum("arbiter_build_info", &[("version", env!("CARGO_PKG_VERSION"))]), 1.0);
    assert_eq!(scrape.sum("target_info", &[("service_name", "arbiter")]), 1.0);
}

#[tokio::test]
async fn prometheus_has_nothing_against_the_metrics() {
    let server = Server::start_with(&FLAGS).await;
    let scrape = scrape_of_all(&server).await;
    assert_eq!(promtool::complaints(&scrape.text), "");
}

/// The rows of the table: type and labels by name.
fn documented() -> BTreeMap<String, (String, BTreeSet<String>)> {
    let mut rows = BTreeMap::new();
    let table =
        include_str!("../../../docs/metrics.md").lines().skip_while(|line| !line.starts_with("| name |"));
    for row in table.skip(2).take_while(|line| line.starts_with('|')) {
        let cells: Vec<_> = row.split('|').map(str::trim).collect();
        let &["", name, kind, _, labels, meaning, ""] = cells.as_slice() else {
            panic!("not a row of five cells: {row}")
        };
        assert!(!meaning.is_empty(), "{row}");
        let labels = labels.split(", ").filter(|label| !label.is_empty());
        let labels = labels.map(|label| label.trim_matches('`').to_owned()).collect();
        let before = rows.insert(name.trim_matches('`').to_owned(), (kind.to_owned(), labels));
        assert!(before.is_none(), "twice: {row}");
    }
    rows
}

#[tokio::test]
async fn the_documentation_lists_what_is_scraped() {
    let server = Server::start_with(&FLAGS).await;
    let scrape = scrape_of_all(&server).await;
    let scraped = scrape.types().into_iter().map(|(name, kind)| {
        let labels = scrape.labels(&name);
        (name, (kind, labels))
    });
    assert_eq!(documented(), scraped.collect(), "docs/metrics.md on the left, the scrape on the right");
}

#[tokio::test]
async fn every_panel_of_the_dashboard_shows_something() {
    let server = Server::start_with(&FLAGS).await;
    let scrape = scrape_of_all(&server).await;
    let expressions: Vec<_> = dashboard::panels().iter().flat_map(dashboard::expressions).collect();
    assert!(expressions.len() > 20, "{expressions:?}");
    assert_eq!(promtool::unanswered(&scrape, &expressions), "");
    let nothing = ["arbiter_calls_made_up".to_owned()];
    assert_ne!(promtool::unanswered(&scrape, &nothing), "", "it is told when there is nothing");
}

#[test]
fn panels_have_names_and_stand_apart() {
    let panels = dashboard::panels();
    let ids: BTreeSet<_> = panels.iter().map(|panel| panel["id"].as_u64().expect("a number")).collect();
    assert_eq!(ids.len(), panels.len());
    let mut taken = BTreeSet::new();
    for panel in &panels {
        assert_ne!(panel["title"].as_str(), Some(""), "{panel}");
        let at = |side: &str| panel["gridPos"][side].as_u64().expect("a number");
        let cells =
            (at("y")..at("y") + at("h")).flat_map(|y| (at("x")..at("x") + at("w")).map(move |x| (x, y)));
        for (x, y) in cells {
            assert!(
                x < 24 && taken.insert((x, y)),
                "{} covers {x}, {y}, which is taken or beyond",
                panel["title"]
            );
        }
    }
}

/// A word that is a metric's or a label's name by its looks must be one.
#[test]
fn dashboard_and_alerts_name_documented_metrics_and_labels() {
    let documented = documented();
    let labels: BTreeSet<_> =
        documented.values().flat_map(|(_, labels)| labels).map(String::as_str).collect();
    let panels = dashboard::panels();
    let asked = panels.iter().flat_map(dashboard::expressions).chain([ALERTS.to_owned()]);
    let mut count = 0;
    for text in asked {
        let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
        let ours = ["arbiter_", "rpc_", "process_", "target_", "error_", "stop_"];
        for word in words.filter(|word| ours.iter().any(|start| word.starts_with(start))) {
            let ends = ["_bucket", "_sum", "_count"];
            let metric = ends.iter().find_map(|end| word.strip_suffix(end)).unwrap_or(word);
            assert!(
                documented.contains_key(metric) || labels.contains(word),
                "{word} is not documented: {text}"
            );
            count += 1;
        }
    }
    assert!(count > 50, "{count}");
}

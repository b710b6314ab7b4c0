//! The measurements of `cargo xtask scale`, made short, and what else the configuration of Envoy promises.

use std::time::Duration;

use grpc_tests::Folder;
use grpc_tests::certificates::Authority;
use grpc_tests::games::ask;
use grpc_tests::http;
use grpc_tests::python::Script;
use grpc_tests::searches::{last, search, with_limits, with_nodes};
use grpc_tests::server::PATIENCE;
use grpc_tests::sink::Sink;
use proto::v1::arbiter_service_client::ArbiterServiceClient;
use proto::v1::{Game, SearchLimits, StopReason};
use scale::behind_envoy::{self, Plan};
use scale::{Envoy, Finding, Fleet, document, envoy, round_robin, searches};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::Mutex;
use tokio::time::timeout;
use tonic::transport::{Channel, Endpoint};
use tonic::{Code, Request};

/// Each test has the machine for itself: they measure shares.
static TURN: Mutex<()> = Mutex::const_new(());

const RATE: u32 = 200;
const STEADY: Duration = Duration::from_secs(2);

fn assert_all(findings: &[Finding]) {
    let missed: Vec<_> = findings.iter().filter(|finding| !finding.is_met).collect();
    assert!(missed.is_empty(), "{missed:#?} in {findings:#?}");
}

async fn channel(envoy: &Envoy) -> Channel {
    let endpoint = Endpoint::from_shared(format!("http://{}", envoy.listener())).expect("an address");
    endpoint.connect().await.expect("a connection")
}

#[tokio::test]
async fn envoy_takes_the_configuration_without_a_warning() {
    let output = envoy::validate().await;
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    assert!(output.status.success(), "{said}");
    assert!(!said.contains("[warning]") && !said.contains("[error]"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn three_instances_behind_envoy_are_one_service() {
    let _turn = TURN.lock().await;
    let plan = Plan { rate: RATE, duration: Duration::from_secs(40), steady: STEADY };
    assert_all(&behind_envoy::run(plan).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_spreads_its_calls_over_a_list() {
    let _turn = TURN.lock().await;
    assert_all(&round_robin::over_a_list(RATE, STEADY).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_finds_a_new_instance_by_its_name() {
    let _turn = TURN.lock().await;
    assert_all(&round_robin::over_a_name(RATE, STEADY).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn searches_find_the_free_slots() {
    let _turn = TURN.lock().await;
    assert_all(&searches::shipped(Duration::from_secs(3)).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_has_its_deadline_and_is_not_begun_anew() {
    let _turn = TURN.lock().await;
    let mut fleet = Fleet::start(1, &[]).await;
    let envoy = Envoy::start(&fleet, &[]).await;
    let mut client = ArbiterServiceClient::new(channel(&envoy).await);
    let endless = || with_limits(Game::default(), SearchLimits::default());
    let mut request = Request::new(endless());
    request.set_timeout(Duration::from_millis(500));
    let answer = search(&mut client, request).await;
    assert_eq!(answer.stop_reason(), StopReason::Deadline);

    let mut messages = client.search(endless()).await.unwrap().into_inner();
    assert!(messages.message().await.unwrap().is_some());
    fleet.kill(0, Duration::ZERO, async || ()).await;
    // Envoy breaks the stream off, which is no status of gRPC's.
    let lost = last(messages).await.unwrap_err();
    assert_eq!(lost.code(), Code::Internal, "{lost:?}");
    // The instance is there again, and has no search.
    assert!(client.validate_move(ask(Game::default(), "e4")).await.is_ok());
    assert_eq!(fleet.scrapes().await[0].sum("arbiter_search_slots_busy", &[]), 0.0);
}

/// An instance would take it for malformed, and end the connection when it has come too often.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_client_calls_the_service_does_not_matter() {
    let _turn = TURN.lock().await;
    let fleet = Fleet::start(1, &[]).await;
    let envoy = Envoy::start(&fleet, &[]).await;
    let named = r#"{"options": {"grpc.default_authority": "127.0.0.2:1,127.0.0.3:1"}}"#;
    let direct = fleet.addresses()[0].to_string();
    let mut client = Script::start("obedient.py", &[&direct, named]);
    assert_eq!(client.ask("call").await, "INTERNAL -");
    let mut client = Script::start("obedient.py", &[&envoy.listener().to_string(), named]);
    assert_eq!(client.ask("call").await, "legal");
}

/// If answers counted, whoever calls a method that there is not could have instances taken out.
#[tokio::test(flavor = "multi_thread")]
async fn no_client_can_have_instances_taken_out() {
    let _turn = TURN.lock().await;
    let counted = ("enforcing_consecutive_5xx: 0", "enforcing_consecutive_5xx: 100");
    for (changes, is_taken_out) in [(&[][..], false), (&[counted], true)] {
        let fleet = Fleet::start(2, &[]).await;
        let envoy = Envoy::start(&fleet, changes).await;
        let mut grpc = tonic::client::Grpc::new(channel(&envoy).await);
        for _ in 0..40 {
            grpc.ready().await.unwrap();
            let path = "/arbiter.v1.ArbiterService/Nothing".parse().unwrap();
            let request = Request::new(ask(Game::default(), "e4"));
            let codec = tonic_prost::ProstCodec::<_, proto::v1::ValidateMoveResponse>::default();
            let refused = grpc.unary(request, path, codec).await.unwrap_err();
            assert_eq!(refused.code(), Code::Unimplemented);
        }
        let taken_out = envoy.stat("cluster.rules.outlier_detection.ejections_enforced_total").await;
        assert_eq!(taken_out > 0, is_taken_out, "{taken_out}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_trace_goes_through_and_metrics_are_all_that_can_be_seen() {
    let _turn = TURN.lock().await;
    let sink = Sink::start().await;
    let fleet = Fleet::start(1, &["--otlp-endpoint", &sink.endpoint(), "--trace-sample-ratio", "0"]).await;
    let envoy = Envoy::start(&fleet, &[]).await;
    let mut request = Request::new(ask(Game::default(), "e4"));
    let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    request.metadata_mut().insert("traceparent", parent.parse().unwrap());
    assert!(
        ArbiterServiceClient::new(channel(&envoy).await)
            .validate_move(request)
            .await
            .unwrap()
            .into_inner()
            .legal
    );
    let spans = sink.wait_for(1).await;
    let call = spans.iter().find(|span| span.name.ends_with("ValidateMove")).expect("the call");
    assert_eq!(call.parent_span_id, 0xb7ad_6b71_6920_3331_u64.to_be_bytes());

    assert!(http::get(envoy.metrics(), "/stats/prometheus").await.body.contains("envoy_cluster_upstream_rq"));
    assert_eq!(http::get(envoy.metrics(), "/ready").await.status, 200);
    for hidden in ["/config_dump", "/quitquitquit", "/stats/prometheus/../../quitquitquit"] {
        assert_eq!(http::send(envoy.metrics(), "POST", hidden, "").await.status, 404, "{hidden}");
    }
}

/// The document's words for a cluster, with the files of a test.
fn tls_of_a_cluster(folder: &Folder, authority: &Authority) -> String {
    let (certificate, key) = authority.issue_to(folder, "envoy");
    let files =
        [("ca.crt", folder.write("ca.crt", authority.pem())), ("tls.crt", certificate), ("tls.key", key)];
    files.iter().fold(document::block("yaml", "transport_socket"), |block, (name, file)| {
        block.replace(&format!("/etc/envoy/{name}"), file)
    })
}

/// Envoy with these words in both clusters.
async fn start_with_tls(fleet: &Fleet, words: &str) -> Envoy {
    let words: String = words.lines().map(|line| format!("      {line}\n")).collect();
    let [rules, search] = ["      load_assignment: &instances", "      load_assignment: *instances"];
    let [new_rules, new_search] = [rules, search].map(|line| format!("{words}{line}"));
    Envoy::start(fleet, &[(rules, &new_rules), (search, &new_search)]).await
}

#[tokio::test(flavor = "multi_thread")]
async fn instances_with_mutual_tls_are_reached() {
    let _turn = TURN.lock().await;
    let (folder, authority) = (Folder::new(), Authority::new());
    let mut flags = authority.identity(&folder);
    flags.extend(["--tls-client-ca".to_owned(), folder.write("clients.crt", authority.pem())]);
    let flags: Vec<_> = flags.iter().map(String::as_str).collect();
    let fleet = Fleet::start(1, &flags).await;
    let words = tls_of_a_cluster(&folder, &authority);
    let envoy = start_with_tls(&fleet, &words).await;
    let mut client = ArbiterServiceClient::new(channel(&envoy).await);
    assert!(client.validate_move(ask(Game::default(), "e4")).await.expect("an answer").into_inner().legal);
    assert!(search(&mut client, with_nodes(Game::default(), 1_000)).await.nodes > 0);

    drop((client, envoy));

    // Another name than that of the instances: none of them is trusted.
    let envoy = start_with_tls(&fleet, &words.replace("exact: arbiter", "exact: other")).await;
    let mut client = ArbiterServiceClient::new(channel(&envoy).await);
    let refused = client.validate_move(ask(Game::default(), "e4")).await.unwrap_err();
    assert_eq!(refused.code(), Code::Unavailable, "{refused:?}");
    assert!(envoy.stat("cluster.rules.ssl.fail_verify_san").await > 0, "it is the name");
}

/// Sends a request over HTTP/1.1 to Envoy, as a page of this origin, and returns the whole answer.
async fn from_page(envoy: &Envoy, method: &str, origin: &str, headers: &str, body: &[u8]) -> String {
    let length = body.len();
    let head = format!(
        "{method} /arbiter.v1.ArbiterService/GetServerInfo HTTP/1.1\r\nhost: arbiter\r\norigin: {origin}\r\n\
         connection: close\r\ncontent-length: {length}\r\n{headers}\r\n\r\n"
    );
    let mut socket = TcpStream::connect(envoy.listener()).await.expect("a connection");
    socket.write_all(&[head.as_bytes(), body].concat()).await.expect("it is taken");
    let mut answer = Vec::new();
    timeout(PATIENCE, socket.read_to_end(&mut answer)).await.expect("an answer in time").expect("an answer");
    String::from_utf8_lossy(&answer).to_lowercase()
}

#[tokio::test(flavor = "multi_thread")]
async fn browsers_may_call_from_the_pages_that_are_named() {
    let _turn = TURN.lock().await;
    let fleet = Fleet::start(1, &[]).await;
    let envoy = Envoy::start(&fleet, &[]).await;
    let page = "https://chess.example";
    let asks = "access-control-request-method: POST\r\naccess-control-request-headers: x-grpc-web";
    let allowed = from_page(&envoy, "OPTIONS", page, asks, b"").await;
    assert!(allowed.contains(&format!("access-control-allow-origin: {page}")), "{allowed}");
    assert!(allowed.contains("x-grpc-web"), "{allowed}");
    let other = from_page(&envoy, "OPTIONS", "https://other.example", asks, b"").await;
    assert!(!other.contains("access-control-allow-origin"), "{other}");
    let web = "content-type: application/grpc-web+proto\r\nx-grpc-web: 1";
    let answer = from_page(&envoy, "POST", page, web, &[0; 5]).await;
    assert!(answer.starts_with("http/1.1 200"), "{answer}");
    assert!(answer.contains("arbiter.v1") && answer.contains("grpc-status:0"), "{answer}");
}

//! Spans, as a collector sees them.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use grpc_tests::games::ask;
use grpc_tests::searches::{search, with_nodes};
use grpc_tests::sink::{Sink, attribute};
use grpc_tests::{Client, Server, raw};
use opentelemetry_proto::tonic::trace::v1::Span;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use opentelemetry_proto::tonic::trace::v1::status::StatusCode;
use proto::v1::{Game, GameStatusRequest, ValidateMoveRequest};
use tokio::net::TcpListener;
use tokio::task::{JoinHandle, JoinSet};
use tonic::Request;

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const PARENT: &str = "b7ad6b7169203331";
const VALIDATE_MOVE: &str = "arbiter.v1.ArbiterService/ValidateMove";

async fn start(endpoint: &str, ratio: &str, more: &[&str]) -> Server {
    let flags = ["--otlp-endpoint", endpoint, "--trace-sample-ratio", ratio, "--lame-duck", "0s"];
    Server::start_with(&[&flags, more].concat()).await
}

fn with_parent<T>(message: T, flags: &str) -> Request<T> {
    let mut request = Request::new(message);
    let parent = format!("00-{TRACE}-{PARENT}-{flags}").parse().expect("a header");
    request.metadata_mut().insert("traceparent", parent);
    request
}

fn move_of(text: &str) -> ValidateMoveRequest {
    ask(Game::default(), text)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn only<'a>(spans: &'a [Span], name: &str) -> &'a Span {
    let mut named = spans.iter().filter(|span| span.name == name);
    let only = named.next().unwrap_or_else(|| panic!("no span {name} in {spans:#?}"));
    assert!(named.next().is_none(), "several spans {name}");
    only
}

/// The span of a part of a call.
fn assert_part(spans: &[Span], name: &str, call: &Span) {
    let part = only(spans, name);
    assert_eq!((&part.trace_id, &part.parent_span_id), (&call.trace_id, &call.span_id));
    assert_eq!(part.kind(), SpanKind::Internal);
    let within = call.start_time_unix_nano..=call.end_time_unix_nano;
    assert!(within.contains(&part.start_time_unix_nano), "{part:?} in {call:?}");
}

#[tokio::test]
async fn a_call_belongs_to_the_trace_of_its_caller() {
    let sink = Sink::start().await;
    let mut server = start(&sink.endpoint(), "0", &[]).await;
    server.client().await.validate_move(with_parent(move_of("e4"), "01")).await.unwrap();
    server.signal("TERM").await;
    assert!(server.exit().await.success());
    let spans = sink.spans();
    assert_eq!(spans.len(), 3, "{spans:#?}");
    let call = only(&spans, VALIDATE_MOVE);
    assert_eq!((hex(&call.trace_id).as_str(), hex(&call.parent_span_id).as_str()), (TRACE, PARENT));
    assert_eq!(call.kind(), SpanKind::Server);
    assert_eq!(attribute(call, "rpc.system.name"), Some("grpc"));
    assert_eq!(attribute(call, "rpc.method"), Some(VALIDATE_MOVE));
    assert_eq!(attribute(call, "rpc.response.status_code"), Some("OK"));
    assert_eq!(attribute(call, "error.type"), None);
    assert_part(&spans, "parse", call);
    assert_part(&spans, "rules", call);
    assert_eq!(sink.services(), BTreeSet::from(["arbiter".to_owned()]));
}

#[tokio::test]
async fn work_on_other_threads_belongs_to_its_call() {
    let sink = Sink::start().await;
    let mut server = start(&sink.endpoint(), "0", &[]).await;
    let mut client = server.client().await;
    search(&mut client, with_parent(with_nodes(Game::default(), 1000), "01")).await;
    let moves = ["Nf3", "Nf6", "Ng1", "Ng8"].repeat(100).into_iter().map(str::to_owned).collect();
    let game = Some(Game { moves, ..Game::default() });
    client.game_status(with_parent(GameStatusRequest { game }, "01")).await.unwrap();
    server.signal("TERM").await;
    assert!(server.exit().await.success());
    let (search, others): (Vec<_>, Vec<_>) = {
        let spans = sink.spans();
        let call = only(&spans, "arbiter.v1.ArbiterService/Search").span_id.clone();
        spans.into_iter().partition(|span| span.span_id == call || span.parent_span_id == call)
    };
    assert_part(&search, "search", only(&search, "arbiter.v1.ArbiterService/Search"));
    assert_part(&others, "rules", only(&others, "arbiter.v1.ArbiterService/GameStatus"));
}

#[tokio::test]
async fn calls_without_a_caller_have_traces_of_their_own() {
    let sink = Sink::start().await;
    let mut server = start(&sink.endpoint(), "1", &[]).await;
    let mut client = server.client().await;
    for _ in 0..10 {
        client.validate_move(move_of("e4")).await.unwrap();
    }
    server.signal("TERM").await;
    assert!(server.exit().await.success());
    let spans = sink.spans();
    let calls: Vec<_> = spans.iter().filter(|span| span.name == VALIDATE_MOVE).collect();
    assert!(calls.iter().all(|call| call.parent_span_id.is_empty()), "{calls:#?}");
    assert_eq!(calls.iter().map(|call| &call.trace_id).collect::<BTreeSet<_>>().len(), 10);
}

#[tokio::test]
async fn what_is_not_sampled_is_not_exported() {
    let sink = Sink::start().await;
    let mut server = start(&sink.endpoint(), "1", &[]).await;
    let mut client = server.client().await;
    client.validate_move(with_parent(move_of("e4"), "00")).await.unwrap();
    let mut server_without = start(&sink.endpoint(), "0", &[]).await;
    server_without.client().await.validate_move(move_of("e4")).await.unwrap();
    for server in [&mut server, &mut server_without] {
        server.signal("TERM").await;
        assert!(server.exit().await.success());
    }
    assert!(sink.spans().is_empty(), "{:#?}", sink.spans());
    // The same servers push metrics, so the way was open.
    assert!(sink.metrics().contains("rpc.server.call.duration"), "{:?}", sink.metrics());
}

#[tokio::test]
async fn callers_can_be_kept_from_deciding() {
    for (ratio, flags, spans) in [("0", "01", 0), ("1", "00", 3)] {
        let sink = Sink::start().await;
        let mut server = start(&sink.endpoint(), ratio, &["--trace-callers", "off"]).await;
        server.client().await.validate_move(with_parent(move_of("e4"), flags)).await.unwrap();
        server.signal("TERM").await;
        assert!(server.exit().await.success());
        assert_eq!(sink.spans().len(), spans, "{:#?}", sink.spans());
        // They belong to the caller's trace all the same.
        assert!(sink.spans().iter().all(|span| hex(&span.trace_id) == TRACE));
        assert!(sink.metrics().contains("rpc.server.call.duration"), "{:?}", sink.metrics());
    }
}

#[tokio::test]
async fn calls_that_are_cut_off_are_told_of() {
    let sink = Sink::start().await;
    let mut server = start(&sink.endpoint(), "1", &["--drain-deadline", "1h"]).await;
    let (_questions, stream) = tokio::sync::mpsc::channel(1);
    let stream = tokio_stream::wrappers::ReceiverStream::new(stream);
    let _answers = server.client().await.validate_moves(stream).await.unwrap();
    server.signal("TERM").await;
    server.wait_for_log("stopping: health").await;
    server.signal("TERM").await;
    assert!(server.exit().await.success());
    let spans = sink.spans();
    let call = only(&spans, "arbiter.v1.ArbiterService/ValidateMoves");
    assert_eq!(attribute(call, "rpc.response.status_code"), Some("CANCELLED"));
}

#[tokio::test]
async fn only_faults_of_the_server_are_errors() {
    let sink = Sink::start().await;
    let mut server = start(&sink.endpoint(), "1", &["--serve", "rules"]).await;
    let mut client = server.client().await;
    let wrong = Game { initial_fen: "nonsense".to_owned(), ..Game::default() };
    client.validate_move(ask(wrong, "e4")).await.expect_err("no FEN");
    client.search(with_nodes(Game::default(), 10)).await.expect_err("not served");
    raw::call(server.channel().await, "/made.up.Service/Call", Vec::new()).await.expect_err("no such call");
    server.signal("TERM").await;
    assert!(server.exit().await.success());
    let spans = sink.spans();
    let wrong = only(&spans, VALIDATE_MOVE);
    assert_eq!(attribute(wrong, "rpc.response.status_code"), Some("INVALID_ARGUMENT"));
    assert_eq!(attribute(wrong, "error.type"), None);
    assert_eq!(wrong.status.clone().unwrap_or_default().code(), StatusCode::Unset);
    for name in ["arbiter.v1.ArbiterService/Search", "_OTHER"] {
        let span = only(&spans, name);
        assert_eq!(attribute(span, "error.type"), Some("UNIMPLEMENTED"));
        assert_eq!(span.status.clone().unwrap_or_default().code(), StatusCode::Error);
    }
}

#[tokio::test]
async fn spans_arrive_while_it_runs() {
    let sink = Sink::start().await;
    let server = start(&sink.endpoint(), "1", &[]).await;
    server.client().await.validate_move(move_of("e4")).await.unwrap();
    assert_eq!(sink.wait_for(3).await.len(), 3);
}

/// Many sampled calls, far more than the queue of spans takes.
async fn ask_much(client: &mut Client) {
    for _ in 0..3_000 {
        client.validate_move(move_of("e4")).await.expect("an answer");
    }
}

/// Calls go on without a collector at this endpoint, and so does the end.
async fn assert_carries_on(endpoint: &str) {
    let mut server = start(endpoint, "1", &[]).await;
    let mut client = server.client().await;
    ask_much(&mut client).await;
    let before = server.resident_kib();
    ask_much(&mut client).await;
    let after = server.resident_kib();
    assert!(after < before + 8 * 1024, "{before} KiB, then {after} KiB");
    server.wait_until_idle().await;
    let began = Instant::now();
    server.signal("TERM").await;
    assert!(server.exit().await.success());
    // Two seconds for the last spans; machines that run other tests at the same time get some more.
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
}

/// The endpoint of a collector that is not there.
async fn closed_port() -> String {
    let free = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    format!("http://{}", free.local_addr().expect("an address"))
}

/// The endpoint of a collector that takes connections and says nothing, as long as the task runs.
async fn black_hole() -> (String, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let endpoint = format!("http://{}", listener.local_addr().expect("an address"));
    let held = tokio::spawn(async move {
        let mut held = Vec::new();
        while let Ok((stream, _)) = listener.accept().await {
            held.push(stream);
        }
    });
    (endpoint, held)
}

#[tokio::test]
async fn a_collector_that_is_not_there_changes_nothing() {
    assert_carries_on(&closed_port().await).await;
}

#[tokio::test]
async fn a_collector_that_never_answers_changes_nothing() {
    let (endpoint, held) = black_hole().await;
    assert_carries_on(&endpoint).await;
    held.abort();
}

/// A server whose calls are counted in processor time.
struct Measured {
    name: &'static str,
    server: Server,
    client: Client,
    /// Of every round but the first, which warms up.
    ticks: u64,
}

impl Measured {
    async fn start(name: &'static str, endpoint: &str, ratio: &str) -> Measured {
        let server = start(endpoint, ratio, &[]).await;
        let client = server.client().await;
        Measured { name, server, client, ticks: 0 }
    }

    async fn round(&mut self, round: usize) {
        let before = self.server.cpu_ticks();
        let mut callers = JoinSet::new();
        for _ in 0..4 {
            let mut client = self.client.clone();
            callers.spawn(async move {
                for _ in 0..CALLS_OF_ROUND / 4 {
                    client.validate_move(move_of("e4")).await.expect("an answer");
                }
            });
        }
        callers.join_all().await;
        if round > 0 {
            self.ticks += self.server.cpu_ticks() - before;
        }
    }

    /// What a call costs, in microseconds. A tick is 10 ms.
    fn cost(&self) -> f64 {
        f64::from(u32::try_from(self.ticks).expect("a short test")) * 10_000.0
            / f64::from(CALLS_OF_ROUND * ROUNDS)
    }
}

const CALLS_OF_ROUND: u32 = 1_000;
const ROUNDS: u32 = 6;

/// Asks servers with a live collector and with dead ones in turn, so that whatever else the machine does slows
/// all of them down. What is compared is processor time, and not how long it took.
async fn assert_costs_no_more(ratio: &str) {
    let sink = Sink::start().await;
    let (silent, held) = black_hole().await;
    let mut all = [
        Measured::start("live", &sink.endpoint(), ratio).await,
        Measured::start("not there", &closed_port().await, ratio).await,
        Measured::start("silent", &silent, ratio).await,
    ];
    for round in 0..=ROUNDS as usize {
        for turn in 0..all.len() {
            all[(round + turn) % 3].round(round).await;
        }
    }
    held.abort();
    let [live, dead @ ..] = all.each_ref().map(|measured| (measured.name, measured.cost()));
    eprintln!("{ratio} of the calls sampled: µs of processor time a call {live:.1?} {dead:.1?}");
    for (name, cost) in dead {
        let times = cost / live.1;
        eprintln!("a collector that is {name} costs {times:.2} times a live one");
        assert!(times < 1.5, "a collector that is {name}: {times:.2} times the processor time");
    }
}

#[tokio::test]
async fn a_call_costs_no_more_when_the_collector_is_dead() {
    assert_costs_no_more("0.01").await;
}

#[tokio::test]
async fn a_sampled_call_costs_no_more_when_the_collector_is_dead() {
    assert_costs_no_more("1").await;
}

#[tokio::test]
async fn log_lines_name_the_trace() {
    let sink = Sink::start().await;
    let mut server = start(&sink.endpoint(), "0", &["--access-log-ratio", "1"]).await;
    let mut client = server.client().await;
    client.validate_move(move_of("e4")).await.unwrap();
    client.validate_move(with_parent(move_of("e4"), "01")).await.unwrap();
    client.validate_move(with_parent(move_of("e4"), "00")).await.unwrap();
    server.signal("TERM").await;
    assert!(server.exit().await.success());
    let log = server.whole_log().await;
    let lines: Vec<_> = log.lines().filter(|line| line.contains("a call ended")).collect();
    let named = format!("trace_id={TRACE}");
    assert_eq!(lines.iter().map(|line| line.contains(&named)).collect::<Vec<_>>(), [false, true, true]);
    assert!(lines.iter().all(|line| line.contains(VALIDATE_MOVE) && line.contains("code=\"OK\"")), "{log}");
}

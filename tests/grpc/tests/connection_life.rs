//! How connections end: by age, by idleness, by silence, and by abuse.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use grpc_tests::frames::{RST_STREAM, Wire, call, call_with, cancel, data, message};
use grpc_tests::games::{ask, item, moves};
use grpc_tests::python::Script;
use grpc_tests::raw::path_of;
use grpc_tests::scrape::Scrape;
use grpc_tests::searches::{last, search, with_nodes};
use grpc_tests::server::{PATIENCE, signal};
use grpc_tests::{Client, Fault, Server};
use proto::v1::{Game, SearchRequest, StopReason, ValidateMovesRequest, ValidateMovesResponse};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::time::{Instant, interval, timeout};
use tokio_stream::wrappers::ReceiverStream;
use tonic::transport::Channel;
use tonic::{Code, Streaming};

const GREETING: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// The code of a GOAWAY after which nothing is wrong, and of one that ends an attack.
const NO_ERROR: u32 = 0;
const ENHANCE_YOUR_CALM: u32 = 11;

/// A channel that connects anew when it has to, and counts how often it does.
fn counting_channel(server: &Server) -> (Channel, Arc<AtomicUsize>) {
    let (address, count) = (server.address(), Arc::new(AtomicUsize::new(0)));
    let counted = count.clone();
    let connector = grpc_tests::connector(move |_| {
        counted.fetch_add(1, Ordering::Relaxed);
        TcpStream::connect(address)
    });
    (server.endpoint().connect_with_connector_lazy(connector), count)
}

/// tonic's own client loses a call now and then that it is about to send when the connection ends, so
/// that another one asks.
#[tokio::test(flavor = "multi_thread")]
async fn no_call_is_lost_when_connections_grow_old() {
    let flags = ["--max-connection-age", "250ms", "--max-connection-age-grace", "10s"];
    let server = Server::start_with(&[&flags[..], &["--log-filter", "debug"]].concat()).await;
    let address = server.address().to_string();
    let mut clients: Vec<_> = (0..4).map(|_| Script::start("obedient.py", &[&address])).collect();
    for client in &mut clients {
        assert_eq!(client.ask("call").await, "legal");
    }
    for client in &mut clients {
        client.tell("many 500 0.005").await;
    }
    for client in &mut clients {
        assert_eq!(client.hear().await, "500 answers");
    }
    server.wait_for_logs("a connection has grown old", 4 * 8).await;
}

const OF_INSTANCES: [&str; 8] = [
    "--admin-listen",
    "127.0.0.1:0",
    "--max-connection-age",
    "250ms",
    "--max-connection-age-grace",
    "10s",
    "--lame-duck",
    "200ms",
];

/// One of several servers. Each has an address of its own, so that nobody takes its port while it is away.
async fn start_instance(address: &str) -> Server {
    Server::start_with(&[&OF_INSTANCES[..], &["--listen", address]].concat()).await
}

/// How many calls an instance has answered.
async fn answered(server: &Server) -> f64 {
    let method = [("rpc_method", "arbiter.v1.ArbiterService/ValidateMove")];
    Scrape::of(server.admin()).await.sum("rpc_server_call_duration_seconds_count", &method)
}

/// Asks so many questions, none of which is lost, and returns which share of them each instance has answered.
async fn shares_of(client: &mut Script, instances: &[Server; 3], questions: u32) -> [f64; 3] {
    let mut before = [0.0; 3];
    for (before, instance) in before.iter_mut().zip(instances) {
        *before = answered(instance).await;
    }
    assert_eq!(client.ask(&format!("many {questions} 0.005")).await, format!("{questions} answers"));
    let mut shares = [0.0; 3];
    for ((share, before), instance) in shares.iter_mut().zip(before).zip(instances) {
        *share = (answered(instance).await - before) / f64::from(questions);
    }
    eprintln!("of {questions} calls: {shares:.2?}");
    shares
}

#[tokio::test(flavor = "multi_thread")]
async fn every_instance_has_its_share_of_the_calls_also_after_a_restart_and_none_is_lost() {
    let addresses = ["127.0.2.1:0", "127.0.2.2:0", "127.0.2.3:0"];
    let [first, second, third] = addresses.map(start_instance);
    let mut instances = [first.await, second.await, third.await];
    let all = instances.each_ref().map(|instance| instance.address().to_string());
    let settings = json!({"options": {
        // Otherwise it sends the list of addresses, which is none.
        "grpc.default_authority": "arbiter",
        "grpc.service_config": r#"{"loadBalancingConfig": [{"round_robin": {}}]}"#,
        "grpc.initial_reconnect_backoff_ms": 100,
        "grpc.max_reconnect_backoff_ms": 500,
    }});
    let mut client =
        Script::start("obedient.py", &[&format!("ipv4:{}", all.join(",")), &settings.to_string()]);
    assert_eq!(client.ask("call").await, "legal");
    // A third each, give or take what comes while a connection is replaced.
    let is_fair = |shares: [f64; 3]| shares.iter().all(|share| (0.2..0.47).contains(share));
    let shares = shares_of(&mut client, &instances, 600).await;
    assert!(is_fair(shares), "{shares:?}");

    client.tell("many 600 0.005").await;
    instances[1].signal("TERM").await;
    assert!(instances[1].exit().await.success());
    instances[1] = start_instance(&all[1]).await;
    assert_eq!(client.hear().await, "600 answers");
    let again = async {
        // There is no event for "the client has connected again": ask until it has.
        while answered(&instances[1]).await < 1.0 {
            assert_eq!(client.ask("many 20 0.005").await, "20 answers");
        }
    };
    timeout(PATIENCE, again).await.expect("the instance that was restarted is asked again");
    let shares = shares_of(&mut client, &instances, 600).await;
    assert!(is_fair(shares), "{shares:?}");
}

#[tokio::test]
async fn a_search_goes_on_when_its_connection_is_old_and_answers_when_the_grace_is_over() {
    let flags = ["--max-connection-age", "100ms", "--max-connection-age-grace", "500ms"];
    let server = Server::start_with(&[&flags[..], &["--search-slots", "2"]].concat()).await;
    let (channel, connections) = counting_channel(&server);
    let mut client = Client::new(channel);
    let begin = Instant::now();
    let endless = client.search(SearchRequest { game: Some(moves("e4")), ..SearchRequest::default() });
    let endless = endless.await.unwrap().into_inner();
    let (_, answer) = last(endless).await.expect("a final message, and no error");
    assert_eq!(answer.stop_reason(), StopReason::Shutdown);
    assert!(begin.elapsed() >= Duration::from_millis(590), "{:?}", begin.elapsed());
    // The next call goes to a new connection.
    assert_eq!(search(&mut client, with_nodes(Game::default(), 100)).await.stop_reason(), StopReason::Nodes);
    assert_eq!(connections.load(Ordering::Relaxed), 2);
}

/// Asks on a stream until it ends, and returns how many answers there were and why it ended.
async fn ask_until_told(
    questions: mpsc::Sender<ValidateMovesRequest>,
    mut answers: Streaming<ValidateMovesResponse>,
) -> (usize, Fault) {
    let mut answered = 0;
    loop {
        // Refused when the stream has ended.
        let _ = questions.send(item(Game::default(), "e4")).await;
        match timeout(PATIENCE, answers.message()).await.expect("an answer or an end in time") {
            Ok(answer) => assert!(answer.expect("an answer or an error").legal),
            Err(status) => return (answered, Fault::of(&status)),
        }
        answered += 1;
    }
}

#[tokio::test]
async fn a_stream_is_told_when_the_grace_is_over() {
    let flags = ["--max-connection-age", "100ms", "--max-connection-age-grace", "300ms"];
    let server = Server::start_with(&flags).await;
    let (questions, receiver) = mpsc::channel(1);
    let answers = server.client().await.validate_moves(ReceiverStream::new(receiver)).await.unwrap();
    let (answered, fault) = ask_until_told(questions, answers.into_inner()).await;
    assert_eq!((fault.code, fault.reason.as_str()), (Code::Unavailable, "SHUTTING_DOWN"));
    assert!(fault.has_retry && answered > 0, "{answered} answers, then {fault:?}");
}

#[tokio::test]
async fn while_the_server_stops_the_grace_of_old_connections_cuts_nothing_short() {
    let flags = ["--max-connection-age-grace", "100ms", "--drain-deadline", "4s"];
    let server = Server::start_with(&flags).await;
    let (questions, receiver) = mpsc::channel(1);
    let answers = server.client().await.validate_moves(ReceiverStream::new(receiver)).await.unwrap();
    let begin = Instant::now();
    signal(server.pid(), "INT").await;
    let (answered, fault) = ask_until_told(questions, answers.into_inner()).await;
    assert_eq!((fault.code, fault.reason.as_str()), (Code::Unavailable, "SHUTTING_DOWN"));
    // The last quarter of the drain, though no more than a second, is for last answers.
    assert!(begin.elapsed() >= Duration::from_millis(2_900), "{answered} in {:?}", begin.elapsed());
}

#[tokio::test]
async fn an_idle_connection_is_ended_and_one_with_an_open_call_is_not() {
    let server = Server::start_with(&["--max-connection-idle", "200ms"]).await;
    let mut open = Wire::to(&server).await;
    open.send([call(1, &path_of("ValidateMoves"))]).await;
    let mut idle = Wire::to(&server).await;
    assert_eq!(idle.until_goaway().await, NO_ERROR);
    // The stream is as good as new.
    open.send([data(1, &message(&item(Game::default(), "e4")))]).await;
    open.next(grpc_tests::frames::DATA, 1).await;
    open.send([cancel(1)]).await;
    assert_eq!(open.until_goaway().await, NO_ERROR);
}

#[tokio::test]
async fn who_gives_no_sign_of_life_is_given_up() {
    let flags = ["--keepalive-interval", "200ms", "--keepalive-timeout", "200ms"];
    let server = Server::start_with(&flags).await;
    // Frames that are never completed: of no type, of headers, and headers that go on for ever.
    let beginnings: [&[u8]; 4] =
        [b"", b"\0\0", b"\0\0\x20\x01\x04\0\0\0\x01\x83", b"\0\0\x01\x01\0\0\0\0\x01\x83"];
    let mut sockets = Vec::new();
    for beginning in beginnings {
        let mut socket = TcpStream::connect(server.address()).await.unwrap();
        socket.write_all(&[GREETING, b"\0\0\0\x04\0\0\0\0\0", beginning].concat()).await.unwrap();
        sockets.push(socket);
    }
    let begin = Instant::now();
    for mut socket in sockets {
        // One that reads everything and says nothing.
        let mut answer = Vec::new();
        let _ = timeout(PATIENCE, socket.read_to_end(&mut answer)).await.expect("it is given up");
    }
    assert!(begin.elapsed() >= Duration::from_millis(190), "{:?}", begin.elapsed());
    assert!(server.validate(ask(Game::default(), "e4")).await.legal);
}

#[tokio::test]
async fn who_does_not_say_what_it_speaks_is_let_go() {
    let server = Server::start().await;
    let begin = Instant::now();
    let mut sockets = Vec::new();
    for beginning in [b"".as_slice(), &GREETING[..9]] {
        let mut socket = TcpStream::connect(server.address()).await.unwrap();
        socket.write_all(beginning).await.unwrap();
        sockets.push(socket);
    }
    for socket in &mut sockets {
        let mut answer = Vec::new();
        let _ = timeout(PATIENCE, socket.read_to_end(&mut answer)).await.expect("it is let go");
        assert!(answer.is_empty(), "{answer:?}");
    }
    assert!(begin.elapsed() >= Duration::from_secs(9), "a slow client has its time: {:?}", begin.elapsed());
}

#[tokio::test]
async fn headers_that_come_byte_by_byte_come_to_an_end() {
    let flags = ["--keepalive-interval", "200ms", "--keepalive-timeout", "200ms"];
    let server = Server::start_with(&flags).await;
    let mut socket = TcpStream::connect(server.address()).await.unwrap();
    socket
        .write_all(&[GREETING, b"\0\0\0\x04\0\0\0\0\0", b"\0\x40\0\x01\x04\0\0\0\x01"].concat())
        .await
        .unwrap();
    let (mut reader, mut writer) = socket.into_split();
    let mut clock = interval(Duration::from_millis(20));
    let drip = async {
        loop {
            clock.tick().await;
            if writer.write_all(&[0x83]).await.is_err() {
                return std::future::pending().await;
            }
        }
    };
    let end = async { while reader.read(&mut [0; 64]).await.is_ok_and(|length| length > 0) {} };
    let ended = timeout(PATIENCE, async {
        tokio::select! {
            () = drip => {}
            () = end => {}
        }
    });
    ended.await.expect("the connection is given up");
}

#[tokio::test]
async fn who_gives_signs_of_life_may_wait() {
    let flags = ["--keepalive-interval", "50ms", "--keepalive-timeout", "100ms"];
    let server = Server::start_with(&flags).await;
    let (channel, connections) = counting_channel(&server);
    let mut client = Client::new(channel);
    client.validate_move(ask(Game::default(), "e4")).await.unwrap();
    let mut clock = interval(Duration::from_secs(1));
    clock.tick().await;
    // Twenty questions after life, which tonic answers.
    clock.tick().await;
    assert!(client.validate_move(ask(Game::default(), "e4")).await.is_ok());
    assert_eq!(connections.load(Ordering::Relaxed), 1, "it was given up, and the client came again");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_may_ask_for_signs_of_life_as_often_as_it_likes() {
    let server = Server::start().await;
    let options = r#"{"options": {"grpc.keepalive_time_ms": 50, "grpc.keepalive_permit_without_calls": 1,
        "grpc.http2.max_pings_without_data": 0, "grpc.http2.min_ping_interval_without_data_ms": 50}}"#;
    let mut client = Script::start("obedient.py", &[&server.address().to_string(), options]);
    assert_eq!(client.ask("call").await, "legal");
    // No GOAWAY, and no other connection: that would show as IDLE or CONNECTING.
    assert_eq!(client.ask("wait 3").await, "READY");
    assert_eq!(client.ask("call").await, "legal");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_was_stopped_is_given_up() {
    let flags = ["--keepalive-interval", "200ms", "--keepalive-timeout", "300ms", "--log-filter", "debug"];
    let server = Server::start_with(&flags).await;
    let mut client = Script::start("obedient.py", &[&server.address().to_string()]);
    assert_eq!(client.ask("open").await, "legal");
    signal(client.pid(), "STOP").await;
    server.wait_for_log("a connection ended early").await;
    signal(client.pid(), "CONT").await;
    assert_eq!(client.ask("anew").await, "opened");
    assert_eq!(client.ask("call").await, "legal");
}

#[tokio::test]
async fn rapid_resets_end_the_connection_and_no_other() {
    let server = Server::start().await;
    let mut good = server.client().await;
    let before = server.resident_kib();
    let mut wire = Wire::to(&server).await;
    // All in one go: the server gets to see calls that have been given up already.
    let attack = (0..100_000).flat_map(|index| {
        let stream = 1 + 2 * index;
        [call(stream, &path_of("ValidateMove")), cancel(stream)]
    });
    let attacker = tokio::spawn(async move {
        wire.try_send(attack).await;
        wire.until_end().await
    });
    while !attacker.is_finished() {
        assert!(good.validate_move(ask(Game::default(), "e4")).await.is_ok());
    }
    // Where the server has closed with bytes unread, its last word may be lost.
    let code = attacker.await.unwrap();
    assert!(matches!(code, None | Some(ENHANCE_YOUR_CALM)), "{code:?}");
    let grown = server.resident_kib().saturating_sub(before);
    assert!(grown < 40 * 1024, "it grew by {grown} KiB");
    assert!(good.validate_move(ask(Game::default(), "e4")).await.is_ok());
}

#[tokio::test]
async fn calls_that_break_the_protocol_end_their_connection_when_they_are_many() {
    let server = Server::start().await;
    let mut good = server.client().await;
    // A call whose pseudo headers come twice is none.
    let broken = |stream| call_with(stream, &path_of("ValidateMove"), &[(":path", "/again")]);
    let mut wire = Wire::to(&server).await;
    for index in 0..1_024 {
        wire.send([broken(1 + 2 * index)]).await;
        wire.next(RST_STREAM, 1 + 2 * index).await;
    }
    wire.ping().await;
    wire.send([broken(2_049), broken(2_051)]).await;
    assert_eq!(wire.until_goaway().await, ENHANCE_YOUR_CALM);
    assert!(good.validate_move(ask(Game::default(), "e4")).await.is_ok());
}

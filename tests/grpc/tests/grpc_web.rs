//! Browsers: gRPC-Web over HTTP/1.1, as `fetch` would send it.

use grpc_tests::certificates::Authority;
use grpc_tests::frames::message;
use grpc_tests::games::ask;
use grpc_tests::raw::path_of;
use grpc_tests::searches::with_nodes;
use grpc_tests::server::PATIENCE;
use grpc_tests::{Client, Folder, Server};
use prost::Message as _;
use proto::v1::{Game, SearchResponse, ValidateMoveResponse};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

const ORIGIN: &str = "https://chess.example";
const FLAGS: [&str; 4] =
    ["--grpc-web", "on", "--cors-origins", "https://chess.example,http://localhost:8080"];

/// Sends a request on a connection of its own and returns the head and the body of the answer.
async fn fetch(server: &Server, head: &str, body: &[u8]) -> (String, Vec<u8>) {
    let socket = TcpStream::connect(server.address()).await.expect("a connection");
    fetch_over(socket, head, body).await
}

async fn fetch_over(
    mut socket: impl AsyncRead + AsyncWrite + Unpin,
    head: &str,
    body: &[u8],
) -> (String, Vec<u8>) {
    let length = body.len();
    let head = format!("{head}Host: arbiter\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n");
    socket.write_all(&[head.as_bytes(), body].concat()).await.expect("it is taken");
    let mut answer = Vec::new();
    timeout(PATIENCE, socket.read_to_end(&mut answer)).await.expect("an answer in time").expect("an answer");
    let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").expect("a head");
    let head = String::from_utf8(answer[..end].to_vec()).expect("text").to_lowercase();
    let body = answer.split_off(end + 4);
    let body = if head.contains("transfer-encoding: chunked") { whole(&body) } else { body };
    (head, body)
}

/// The body that was sent in chunks.
fn whole(mut chunks: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    loop {
        let end = chunks.windows(2).position(|bytes| bytes == b"\r\n").expect("a length");
        let length = usize::from_str_radix(std::str::from_utf8(&chunks[..end]).expect("text"), 16);
        let length = length.expect("a length");
        if length == 0 {
            return body;
        }
        body.extend(&chunks[end + 2..end + 2 + length]);
        chunks = &chunks[end + 2 + length + 2..];
    }
}

/// The messages of an answer, and its trailers.
fn messages(mut body: &[u8]) -> (Vec<Vec<u8>>, String) {
    let mut messages = Vec::new();
    let mut trailers = String::new();
    while let Some((&[flag, a, b, c, d], rest)) = body.split_first_chunk() {
        let (message, rest) = rest.split_at(u32::from_be_bytes([a, b, c, d]) as usize);
        if flag == 0x80 {
            trailers.push_str(std::str::from_utf8(message).expect("text"));
        } else {
            messages.push(message.to_vec());
        }
        body = rest;
    }
    (messages, trailers)
}

fn post(method: &str, origin: &str) -> String {
    let path = path_of(method);
    format!(
        "POST {path} HTTP/1.1\r\nOrigin: {origin}\r\n\
         Content-Type: application/grpc-web+proto\r\nX-Grpc-Web: 1\r\n"
    )
}

#[tokio::test]
async fn a_page_of_a_listed_origin_may_call() {
    let server = Server::start_with(&FLAGS).await;
    let question = message(&ask(Game::default(), "e4"));
    let (head, body) = fetch(&server, &post("ValidateMove", ORIGIN), &question).await;
    assert!(head.starts_with("http/1.1 200") && head.contains("application/grpc-web+proto"), "{head}");
    assert!(head.contains(&format!("access-control-allow-origin: {ORIGIN}")), "{head}");
    let (messages, trailers) = messages(&body);
    assert!(trailers.contains("grpc-status:0"), "{trailers}");
    assert!(ValidateMoveResponse::decode(messages.concat().as_slice()).unwrap().legal);
}

#[tokio::test]
async fn a_star_lets_every_page_call() {
    let server = Server::start_with(&["--grpc-web", "on", "--cors-origins", "*"]).await;
    let question = message(&ask(Game::default(), "e4"));
    for origin in [ORIGIN, "http://localhost:8080"] {
        let (head, body) = fetch(&server, &post("ValidateMove", origin), &question).await;
        assert!(head.contains("access-control-allow-origin: *"), "{head}");
        assert!(messages(&body).1.contains("grpc-status:0"), "{head}");
    }
}

/// What a client that offers these protocols agrees on with the server, and its connection.
async fn shake_hands(
    server: &Server,
    authority: &Authority,
    protocols: &[&str],
) -> std::io::Result<tokio_rustls::client::TlsStream<TcpStream>> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(authority.pem().as_bytes()).expect("PEM")).expect("a root");
    let mut config = ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = protocols.iter().map(|protocol| protocol.as_bytes().to_vec()).collect();
    let socket = TcpStream::connect(server.address()).await.expect("a connection");
    let name = ServerName::from(server.address().ip());
    TlsConnector::from(std::sync::Arc::new(config)).connect(name, socket).await
}

#[tokio::test]
async fn over_tls_a_client_may_speak_http_1_1_alone() {
    let (folder, authority) = (Folder::new(), Authority::new());
    let (certificate, key) = authority.issue();
    let (certificate, key) = (folder.write("tls.crt", &certificate), folder.write("tls.key", &key));
    let identity = ["--tls-cert", &certificate, "--tls-key", &key];
    let server = Server::start_with(&[&FLAGS[..], &identity].concat()).await;
    let socket = shake_hands(&server, &authority, &["http/1.1"]).await.expect("TLS");
    let question = message(&ask(Game::default(), "e4"));
    let (head, body) = fetch_over(socket, &post("ValidateMove", ORIGIN), &question).await;
    assert!(head.starts_with("http/1.1 200"), "{head}");
    assert!(ValidateMoveResponse::decode(messages(&body).0.concat().as_slice()).unwrap().legal);
    // Who speaks both gets the better one.
    let socket = shake_hands(&server, &authority, &["http/1.1", "h2"]).await.expect("TLS");
    assert_eq!(socket.get_ref().1.alpn_protocol(), Some(b"h2".as_slice()));
    // Without browsers there is nothing to say over HTTP/1.1.
    let server = Server::start_with(&identity).await;
    assert!(shake_hands(&server, &authority, &["http/1.1"]).await.is_err());
}

#[tokio::test]
async fn a_browser_may_ask_first_and_hears_no_of_other_origins() {
    let server = Server::start_with(&FLAGS).await;
    let path = path_of("ValidateMove");
    let asks = |origin: &str| {
        format!(
            "OPTIONS {path} HTTP/1.1\r\nOrigin: {origin}\r\nAccess-Control-Request-Method: POST\r\n\
             Access-Control-Request-Headers: content-type,x-grpc-web,authorization\r\n"
        )
    };
    let (head, _) = fetch(&server, &asks(ORIGIN), b"").await;
    assert!(head.contains(&format!("access-control-allow-origin: {ORIGIN}")), "{head}");
    assert!(head.contains("access-control-allow-methods: post") && head.contains("authorization"), "{head}");
    let (head, _) = fetch(&server, &asks("https://evil.example"), b"").await;
    assert!(!head.contains("access-control-allow-origin"), "{head}");
}

#[tokio::test]
async fn a_search_streams_and_errors_arrive() {
    let server = Server::start_with(&FLAGS).await;
    let question = message(&with_nodes(Game::default(), 1_000));
    let (_, body) = fetch(&server, &post("Search", ORIGIN), &question).await;
    let (found, trailers) = messages(&body);
    assert!(trailers.contains("grpc-status:0"), "{trailers}");
    let last = SearchResponse::decode(found.last().expect("a message").as_slice()).unwrap();
    assert!(last.r#final && last.best_move.is_some());

    for (bytes, reason) in [(vec![0xff; 20], "3"), (vec![0; 2 << 20], "3")] {
        let framed = [&[0], u32::try_from(bytes.len()).unwrap().to_be_bytes().as_slice(), &bytes].concat();
        let (head, body) = fetch(&server, &post("ValidateMove", ORIGIN), &framed).await;
        let (_, trailers) = messages(&body);
        let told = format!("grpc-status: {reason}");
        assert!(head.contains(&told) || trailers.contains(&told.replace(' ', "")), "{head}\n{trailers}");
    }
}

#[tokio::test]
async fn others_are_answered_beside_and_what_is_neither_is_refused() {
    let mut server = Server::start_with(&[&FLAGS[..], &["--lame-duck", "0s"]].concat()).await;
    assert!(server.validate(ask(Game::default(), "e4")).await.legal);
    let (head, _) = fetch(&server, "GET / HTTP/1.1\r\n", b"").await;
    assert!(head.starts_with("http/1.1 400"), "{head}");
    let (head, _) = fetch(&server, &format!("GET / HTTP/1.1\r\nX: {}\r\n", "x".repeat(20_000)), b"").await;
    assert!(head.starts_with("http/1.1 431"), "{head}");
    // A connection that is kept for later does not hold the server.
    let mut kept = TcpStream::connect(server.address()).await.unwrap();
    kept.write_all(b"GET / HTTP/1.1\r\nHost: arbiter\r\n\r\n").await.unwrap();
    kept.read_exact(&mut [0; 12]).await.unwrap();
    server.signal("TERM").await;
    assert!(server.exit().await.success());
}

#[tokio::test]
async fn it_is_off_unless_it_is_switched_on() {
    let server = Server::start().await;
    let mut socket = TcpStream::connect(server.address()).await.unwrap();
    let head = post("ValidateMove", ORIGIN);
    socket.write_all(format!("{head}Host: arbiter\r\nContent-Length: 0\r\n\r\n").as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    let _ = timeout(PATIENCE, socket.read_to_end(&mut answer)).await.expect("the connection is closed");
    assert!(answer.is_empty(), "{answer:?}");
    assert!(Client::new(server.channel().await).validate_move(ask(Game::default(), "e4")).await.is_ok());
}

#[tokio::test]
async fn reflection_can_be_switched_off() {
    use tonic_reflection::pb::v1::ServerReflectionRequest;
    use tonic_reflection::pb::v1::server_reflection_client::ServerReflectionClient;
    let server = Server::start_with(&["--reflection", "off"]).await;
    let mut client = ServerReflectionClient::new(server.channel().await);
    let answer = client.server_reflection_info(tokio_stream::once(ServerReflectionRequest::default())).await;
    assert_eq!(answer.unwrap_err().code(), tonic::Code::Unimplemented);
    assert!(server.health().await.check(tonic_health::pb::HealthCheckRequest::default()).await.is_ok());
}

//! Messages that are compressed with gzip, and those that only say so.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use grpc_tests::frames::{DATA, HEADERS, Wire, call_with, data, end, message};
use grpc_tests::games::{ask, shuffle};
use grpc_tests::raw::{call_compressed, call_framed, path_of};
use grpc_tests::{Client, Fault, Server};
use prost::Message as _;
use proto::v1::{Game, ReplayGameRequest, ValidateMoveRequest};
use tonic::Code;
use tonic::codec::CompressionEncoding;

const ENCODED: (&str, &str) = ("grpc-encoding", "gzip");
const ACCEPTS: (&str, &str) = ("grpc-accept-encoding", "identity,gzip");

/// A message that says it is compressed.
fn compressed(bytes: &[u8]) -> Vec<u8> {
    let length = u32::try_from(bytes.len()).expect("a short message").to_be_bytes();
    [&[1], length.as_slice(), bytes].concat()
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    packer.write_all(bytes).expect("there is room");
    packer.finish().expect("there is room")
}

/// Whether the answer to a question with these headers is compressed.
async fn is_compressed(server: &Server, headers: &[(&str, &str)], question: &[u8]) -> bool {
    is_answer_compressed(server, "ValidateMove", headers, question).await
}

async fn is_answer_compressed(
    server: &Server,
    method: &str,
    headers: &[(&str, &str)],
    question: &[u8],
) -> bool {
    let mut wire = Wire::to(server).await;
    wire.send([call_with(1, &path_of(method), headers), data(1, question), end(1)]).await;
    wire.next(DATA, 1).await.payload[0] == 1
}

#[tokio::test]
async fn answers_are_compressed_for_those_who_compress() {
    let server = Server::start().await;
    let plain = ask(Game::default(), "e4");
    let packed = compressed(&packed(&plain.encode_to_vec()));
    let plain = message(&plain);
    assert!(is_compressed(&server, &[ENCODED, ACCEPTS], &packed).await);
    assert!(is_compressed(&server, &[ENCODED, ACCEPTS], &plain).await, "each message may go without");
    assert!(!is_compressed(&server, &[ENCODED], &packed).await, "who cannot read it gets none");
    assert!(!is_compressed(&server, &[ACCEPTS], &plain).await, "nearly every client says that it could");
}

#[tokio::test]
async fn answers_to_long_questions_go_as_they_are() {
    let server = Server::start().await;
    for (plies, is_packed) in [(100, true), (1_000, false)] {
        let game = Some(shuffle(plies));
        let question = ReplayGameRequest { game, max_plies: 1_000, ..ReplayGameRequest::default() };
        let question = compressed(&packed(&question.encode_to_vec()));
        let headers = [ENCODED, ACCEPTS];
        let told = is_answer_compressed(&server, "ReplayGame", &headers, &question).await;
        assert_eq!(told, is_packed, "{plies} plies");
    }
}

#[tokio::test]
async fn a_client_that_compresses_can_ask_about_a_long_game() {
    let server = Server::start().await;
    let gzip = CompressionEncoding::Gzip;
    let mut client = Client::new(server.channel().await).send_compressed(gzip).accept_compressed(gzip);
    let request =
        ReplayGameRequest { game: Some(shuffle(1_000)), max_plies: 1_000, ..ReplayGameRequest::default() };
    let answer = client.replay_game(request).await.expect("an answer").into_inner();
    assert_eq!(answer.plies.len(), 1_000);
}

#[tokio::test]
async fn what_is_too_large_when_it_is_unpacked_is_refused_and_never_held() {
    let server = Server::start().await;
    let channel = server.channel().await;
    let before = server.resident_kib();
    for path in [path_of("ValidateMove"), path_of("ReplayGame")] {
        // 100 KiB on the wire.
        let answer = call_compressed(channel.clone(), &path, vec![0; 100 << 20]).await;
        let fault = Fault::expect(answer);
        assert_eq!((fault.code, fault.reason.as_str()), (Code::InvalidArgument, "LIMIT_EXCEEDED"));
        assert_eq!(fault.metadata["limit"], "max_request_bytes");
    }
    let bomb = compressed(&packed(&vec![0; 10 << 20]));
    let mut wire = Wire::to(&server).await;
    // By then the server has made room for more than the protocol gives by itself.
    wire.ping().await;
    for stream in (1..200).step_by(2) {
        // Ten KiB: one frame.
        wire.send([call_with(stream, &path_of("ValidateMoves"), &[ENCODED]), data(stream, &bomb)]).await;
    }
    wire.ping().await;
    server.wait_until_idle().await;
    let grown = server.resident_kib().saturating_sub(before);
    eprintln!("102 messages that unpack to 10 or 100 MiB hold {grown} KiB");
    // A MiB for each of them may have been taken, and the allocator gives back what it likes.
    assert!(grown < 110 * 1024, "it grew by {grown} KiB");
    assert!(Client::new(channel).validate_move(ask(Game::default(), "e4")).await.is_ok());
}

#[tokio::test]
async fn the_limit_holds_for_what_is_unpacked_exactly() {
    let server = Server::start().await;
    let of_bytes = |size: usize| {
        // Four bytes of keys and lengths of the fields around the FEN's bytes, twice.
        let game = Game { initial_fen: "x".repeat(size - 8), ..Game::default() };
        ValidateMoveRequest { game: Some(game), ..ValidateMoveRequest::default() }.encode_to_vec()
    };
    for (size, limit) in [(1_048_576, "max_fen_bytes"), (1_048_577, "max_request_bytes")] {
        let bytes = of_bytes(size);
        assert_eq!(bytes.len(), size);
        let answer = call_compressed(server.channel().await, &path_of("ValidateMove"), bytes).await;
        assert_eq!(Fault::expect(answer).metadata["limit"], limit);
    }
}

#[tokio::test]
async fn what_cannot_be_unpacked_is_unreadable() {
    let mut server = Server::start().await;
    let mut wire = Wire::to(&server).await;
    let whole = packed(&ask(Game::default(), "e4").encode_to_vec());
    let broken = [b"no gzip at all".to_vec(), whole[..whole.len() / 2].to_vec(), Vec::new()];
    for (stream, bytes) in (1..).step_by(2).zip(broken) {
        let headers = call_with(stream, &path_of("ValidateMove"), &[ENCODED]);
        wire.send([headers, data(stream, &compressed(&bytes)), end(stream)]).await;
        let answer = wire.next(HEADERS, stream).await;
        assert!(answer.ends_stream(), "an error has no message: {answer:?}");
    }
    for bytes in [b"no gzip at all".as_slice(), &whole[..whole.len() / 2], b""] {
        let answer = call_framed(server.channel().await, &path_of("ValidateMove"), compressed(bytes)).await;
        let fault = Fault::expect(answer);
        assert_eq!((fault.code, fault.reason.as_str()), (Code::InvalidArgument, "REQUEST_UNREADABLE"));
    }
    assert!(server.validate(ask(Game::default(), "e4")).await.legal);
    let log = server.stop().await;
    assert!(!log.contains("panic"), "{log}");
}

//! Calls whose bytes are chosen freely.

use http_body_util::Full;
use prost::bytes::{Buf as _, BufMut as _, Bytes};
use tonic::client::Grpc;
use tonic::codec::{Codec, CompressionEncoding, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::codegen::http;
use tonic::codegen::http::uri::PathAndQuery;
use tonic::transport::Channel;
use tonic::{Request, Status};
use tower::Service as _;

/// Sends these bytes as the one message of a call, and returns the bytes of the answer.
///
/// # Errors
/// What the server answers.
///
/// # Panics
/// The path is none, or the connection is gone.
pub async fn call(channel: Channel, path: &str, bytes: Vec<u8>) -> Result<Vec<u8>, Status> {
    let mut grpc = Grpc::new(channel);
    grpc.ready().await.expect("a connection");
    let path = PathAndQuery::try_from(path).expect("a path");
    grpc.unary(Request::new(bytes), path, AsTheyAre).await.map(tonic::Response::into_inner)
}

/// The same, compressed with gzip.
///
/// # Errors
/// What the server answers.
///
/// # Panics
/// The path is none, or the connection is gone.
pub async fn call_compressed(channel: Channel, path: &str, bytes: Vec<u8>) -> Result<Vec<u8>, Status> {
    let gzip = CompressionEncoding::Gzip;
    let mut grpc = Grpc::new(channel).send_compressed(gzip).accept_compressed(gzip);
    grpc.ready().await.expect("a connection");
    let path = PathAndQuery::try_from(path).expect("a path");
    grpc.unary(Request::new(bytes), path, AsTheyAre).await.map(tonic::Response::into_inner)
}

/// Sends no message at all, and leaves the call open.
///
/// # Errors
/// What the server answers.
///
/// # Panics
/// The path is none, or the connection is gone.
pub async fn call_without_end(channel: Channel, path: &str) -> Result<Vec<u8>, Status> {
    let mut grpc = Grpc::new(channel);
    grpc.ready().await.expect("a connection");
    let path = PathAndQuery::try_from(path).expect("a path");
    let nothing = tokio_stream::pending::<Vec<u8>>();
    grpc.client_streaming(Request::new(nothing), path, AsTheyAre).await.map(tonic::Response::into_inner)
}

/// Sends these bytes as the body of a call that says it is compressed with gzip, which has to fail.
///
/// # Errors
/// What the server answers.
///
/// # Panics
/// The path is none, the connection is gone, or the call goes well.
pub async fn call_framed(mut channel: Channel, path: &str, body: Vec<u8>) -> Result<(), Status> {
    let request = http::Request::post(path)
        .header("content-type", "application/grpc")
        .header("grpc-encoding", "gzip")
        .body(tonic::body::Body::new(Full::new(Bytes::from(body))))
        .expect("a path");
    std::future::poll_fn(|context| channel.poll_ready(context)).await.expect("a connection");
    let answer = channel.call(request).await.expect("an answer");
    Err(Status::from_header_map(answer.headers()).expect("an error"))
}

/// The path of a method of the service.
#[must_use]
pub fn path_of(method: &str) -> String {
    format!("/arbiter.v1.ArbiterService/{method}")
}

/// A codec that leaves messages as they are.
#[derive(Debug, Clone, Copy)]
struct AsTheyAre;

impl Codec for AsTheyAre {
    type Encode = Vec<u8>;
    type Decode = Vec<u8>;
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        *self
    }

    fn decoder(&mut self) -> Self {
        *self
    }
}

impl Encoder for AsTheyAre {
    type Item = Vec<u8>;
    type Error = Status;

    fn encode(&mut self, bytes: Vec<u8>, out: &mut EncodeBuf<'_>) -> Result<(), Status> {
        out.put_slice(&bytes);
        Ok(())
    }
}

impl Decoder for AsTheyAre {
    type Item = Vec<u8>;
    type Error = Status;

    fn decode(&mut self, buffer: &mut DecodeBuf<'_>) -> Result<Option<Vec<u8>>, Status> {
        Ok(Some(buffer.copy_to_bytes(buffer.remaining()).to_vec()))
    }
}

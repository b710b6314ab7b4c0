//! gRPC-Web: what browsers speak, over HTTP/1.1 or HTTP/2.

use http::{HeaderName, HeaderValue, Method, Request, header};
use tonic_web::GrpcWebLayer;
use tower_http::cors::{AllowOrigin, CorsLayer};

/// What a page may send beside the headers that every page may.
const TAKEN: [HeaderName; 6] = [
    header::AUTHORIZATION,
    header::CONTENT_TYPE,
    HeaderName::from_static("grpc-timeout"),
    HeaderName::from_static("traceparent"),
    HeaderName::from_static("x-grpc-web"),
    HeaderName::from_static("x-user-agent"),
];

/// What a page may read of an answer.
const TOLD: [HeaderName; 3] = [
    HeaderName::from_static("grpc-message"),
    HeaderName::from_static("grpc-status"),
    HeaderName::from_static("grpc-status-details-bin"),
];

/// Whether a request over HTTP/2 needs what browsers need: it is gRPC-Web, or asks what a page may do.
pub fn is_of_browser<B>(request: &Request<B>) -> bool {
    let is_web = |kind: &HeaderValue| kind.as_bytes().starts_with(b"application/grpc-web");
    request.method() == Method::OPTIONS || request.headers().get(header::CONTENT_TYPE).is_some_and(is_web)
}

/// How calls of browsers become calls of gRPC. Pages of these origins may make them, and no others; `*` stands
/// for all.
pub fn layers(origins: &[HeaderValue]) -> (CorsLayer, GrpcWebLayer) {
    let origins = match origins {
        [any] if any == "*" => AllowOrigin::any(),
        origins => AllowOrigin::list(origins.iter().cloned()),
    };
    let cors = CorsLayer::new()
        .allow_origin(origins)
        .allow_methods([Method::POST])
        .allow_headers(TAKEN)
        .expose_headers(TOLD);
    (cors, GrpcWebLayer::new())
}

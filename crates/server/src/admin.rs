//! The admin port: plain HTTP for whoever runs the server.
//!
//! It has its own listener and answers from the first moment to the last, also while the service drains.

use std::convert::Infallible;
use std::sync::Arc;

use http::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderValue, Method, Request, Response, StatusCode};
use http_body_util::{BodyExt as _, Full, LengthLimitError, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;

use crate::accept::serve_newest;
use crate::config::parse_filter;
use crate::health::{Stage, StageView};
use crate::limits::{
    ADMIN_CONNECTION_WITHIN, ADMIN_REQUEST_WITHIN, MAX_ADMIN_CONNECTIONS, MAX_ADMIN_HEADER_BYTES,
    MAX_ADMIN_REQUEST_BYTES,
};
use crate::telemetry::Telemetry;
use crate::telemetry::log::Filter;

const TEXT: &str = "text/plain; charset=utf-8";
const METRICS: &str = "text/plain; version=0.0.4; charset=utf-8";
const JSON: &str = "application/json";

const PATHS: &str = "there are /livez, /log-filter, /metrics, /readyz and /version\n";

/// What the admin port tells, and may change.
#[derive(Debug, Clone)]
pub struct Admin {
    /// What is counted.
    pub telemetry: Arc<Telemetry>,
    /// How far the server is.
    pub stage: StageView,
    /// Which log lines are written.
    pub filter: Filter,
}

type Answer = Response<Full<Bytes>>;

impl Admin {
    /// Answers on `listener` for ever.
    pub async fn serve(self, listener: TcpListener) {
        serve_newest(listener, MAX_ADMIN_CONNECTIONS, |stream| self.clone().serve_connection(stream)).await;
    }

    async fn serve_connection(self, stream: TcpStream) {
        let answer = service_fn(|request| async { Ok::<_, Infallible>(self.answer(request).await) });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(ADMIN_REQUEST_WITHIN)
            .max_buf_size(MAX_ADMIN_HEADER_BYTES)
            .serve_connection(TokioIo::new(stream), answer);
        if let Ok(Err(error)) = timeout(ADMIN_CONNECTION_WITHIN, connection).await {
            tracing::debug!(%error, "an admin connection ended early");
        }
    }

    async fn answer(&self, request: Request<Incoming>) -> Answer {
        let allowed = match request.uri().path() {
            "/log-filter" => "GET, HEAD, PUT",
            "/livez" | "/metrics" | "/readyz" | "/version" => "GET, HEAD",
            _ => return text(StatusCode::NOT_FOUND, PATHS),
        };
        match (request.method(), request.uri().path()) {
            (&Method::PUT, "/log-filter") => self.set_filter(request).await,
            (&Method::GET | &Method::HEAD, path) => self.page(path).await,
            _ => {
                let mut answer = text(StatusCode::METHOD_NOT_ALLOWED, format!("expected one of {allowed}\n"));
                answer.headers_mut().insert(ALLOW, HeaderValue::from_static(allowed));
                answer
            }
        }
    }

    async fn page(&self, path: &str) -> Answer {
        match path {
            "/metrics" => self.metrics().await,
            "/readyz" => match self.stage.get() {
                Stage::Serving => text(StatusCode::OK, "serving\n"),
                Stage::Starting => text(StatusCode::SERVICE_UNAVAILABLE, "starting\n"),
                Stage::Stopping => text(StatusCode::SERVICE_UNAVAILABLE, "stopping\n"),
            },
            "/version" => answer(StatusCode::OK, JSON, version()),
            "/log-filter" => text(StatusCode::OK, format!("{}\n", self.filter.get())),
            _ => text(StatusCode::OK, "alive\n"),
        }
    }

    async fn metrics(&self) -> Answer {
        let telemetry = self.telemetry.clone();
        // It reads what the system tells of the process, and writes some hundred lines.
        let scraped = tokio::task::spawn_blocking(move || {
            telemetry.metrics.scrape().map_err(|error| error.to_string())
        });
        match scraped.await.map_err(|error| error.to_string()).flatten() {
            Ok(metrics) => answer(StatusCode::OK, METRICS, metrics),
            Err(error) => text(StatusCode::INTERNAL_SERVER_ERROR, format!("{error}\n")),
        }
    }

    async fn set_filter(&self, request: Request<Incoming>) -> Answer {
        let body = Limited::new(request.into_body(), MAX_ADMIN_REQUEST_BYTES).collect();
        let body = match timeout(ADMIN_REQUEST_WITHIN, body).await {
            Ok(Ok(body)) => body.to_bytes(),
            Ok(Err(error)) if error.is::<LengthLimitError>() => {
                let right = format!("expected a filter of at most {MAX_ADMIN_REQUEST_BYTES} bytes\n");
                return text(StatusCode::PAYLOAD_TOO_LARGE, right);
            }
            Ok(Err(error)) => return text(StatusCode::BAD_REQUEST, format!("{error}\n")),
            Err(_) => return text(StatusCode::REQUEST_TIMEOUT, "the request was not complete in time\n"),
        };
        let wanted = std::str::from_utf8(&body).map_err(|error| error.to_string());
        let set = wanted.and_then(|wanted| parse_filter(wanted.trim())).and_then(|filter| {
            self.filter.set(&filter)?;
            Ok(filter)
        });
        match set {
            Ok(filter) => {
                tracing::info!(filter, "the log filter was set");
                text(StatusCode::OK, format!("{filter}\n"))
            }
            Err(error) => text(StatusCode::BAD_REQUEST, format!("{error}\n")),
        }
    }
}

fn text(status: StatusCode, text: impl Into<String>) -> Answer {
    answer(status, TEXT, text.into())
}

fn answer(status: StatusCode, kind: &'static str, body: String) -> Answer {
    let mut answer = Response::new(Full::new(Bytes::from(body)));
    *answer.status_mut() = status;
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    answer.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    answer
}

fn version() -> String {
    // Nothing in it needs to be escaped.
    format!("{{\"name\":\"arbiter\",\"version\":\"{}\",\"api\":\"arbiter.v1\"}}\n", env!("CARGO_PKG_VERSION"))
}

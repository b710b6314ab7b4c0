//! A collector that keeps what it is sent.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use opentelemetry_proto::tonic::collector::metrics::v1 as metrics;
use opentelemetry_proto::tonic::collector::metrics::v1::metrics_service_server as metrics_server;
use opentelemetry_proto::tonic::collector::trace::v1 as trace;
use opentelemetry_proto::tonic::collector::trace::v1::trace_service_server as trace_server;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::trace::v1::Span;
use tokio::net::TcpListener;
use tokio::time::{sleep, timeout};
use tokio_stream::wrappers::TcpListenerStream;
use tonic::{Request, Response, Status};

use crate::server::PATIENCE;

/// The collector; it ends with its runtime.
pub struct Sink {
    address: SocketAddr,
    kept: Kept,
}

#[derive(Clone, Default)]
struct Kept {
    spans: Arc<Mutex<Vec<Span>>>,
    metrics: Arc<Mutex<BTreeSet<String>>>,
    services: Arc<Mutex<BTreeSet<String>>>,
}

impl Sink {
    /// Starts a collector on a free port.
    ///
    /// # Panics
    /// There is none.
    pub async fn start() -> Sink {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let kept = Kept::default();
        let served = tonic::transport::Server::builder()
            .add_service(trace_server::TraceServiceServer::new(kept.clone()))
            .add_service(metrics_server::MetricsServiceServer::new(kept.clone()))
            .serve_with_incoming(TcpListenerStream::new(listener));
        tokio::spawn(served);
        Sink { address, kept }
    }

    /// The flag that sends everything here.
    #[must_use]
    pub fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The spans so far.
    ///
    /// # Panics
    /// Never: nobody panics while holding them.
    #[must_use]
    pub fn spans(&self) -> Vec<Span> {
        self.kept.spans.lock().expect("spans").clone()
    }

    /// Waits until there are so many spans.
    ///
    /// # Panics
    /// They do not come.
    pub async fn wait_for(&self, count: usize) -> Vec<Span> {
        let come = async {
            while self.spans().len() < count {
                sleep(std::time::Duration::from_millis(20)).await;
            }
        };
        let all = timeout(PATIENCE, come).await;
        assert!(all.is_ok(), "{} of {count} spans came", self.spans().len());
        self.spans()
    }

    /// The names of the metrics so far.
    ///
    /// # Panics
    /// Never: nobody panics while holding them.
    #[must_use]
    pub fn metrics(&self) -> BTreeSet<String> {
        self.kept.metrics.lock().expect("metrics").clone()
    }

    /// The services that have sent something.
    ///
    /// # Panics
    /// Never: nobody panics while holding them.
    #[must_use]
    pub fn services(&self) -> BTreeSet<String> {
        self.kept.services.lock().expect("services").clone()
    }
}

/// The text of an attribute.
#[must_use]
pub fn attribute<'a>(span: &'a Span, key: &str) -> Option<&'a str> {
    let attribute = span.attributes.iter().find(|attribute| attribute.key == key)?;
    match attribute.value.as_ref()?.value.as_ref()? {
        Value::StringValue(text) => Some(text),
        _ => None,
    }
}

#[tonic::async_trait]
impl trace_server::TraceService for Kept {
    async fn export(
        &self,
        request: Request<trace::ExportTraceServiceRequest>,
    ) -> Result<Response<trace::ExportTraceServiceResponse>, Status> {
        for resource in request.into_inner().resource_spans {
            let attributes = resource.resource.unwrap_or_default().attributes;
            for attribute in attributes.into_iter().filter(|attribute| attribute.key == "service.name") {
                if let Some(Value::StringValue(name)) = attribute.value.and_then(|value| value.value) {
                    self.services.lock().expect("services").insert(name);
                }
            }
            let spans = resource.scope_spans.into_iter().flat_map(|scope| scope.spans);
            self.spans.lock().expect("spans").extend(spans);
        }
        Ok(Response::new(Default::default()))
    }
}

#[tonic::async_trait]
impl metrics_server::MetricsService for Kept {
    async fn export(
        &self,
        request: Request<metrics::ExportMetricsServiceRequest>,
    ) -> Result<Response<metrics::ExportMetricsServiceResponse>, Status> {
        let scopes = request.into_inner().resource_metrics.into_iter().flat_map(|all| all.scope_metrics);
        let names = scopes.flat_map(|scope| scope.metrics).map(|metric| metric.name);
        self.metrics.lock().expect("metrics").extend(names);
        Ok(Response::new(Default::default()))
    }
}

//! What the server tells about itself: logs, traces and metrics.

pub mod access;
mod export;
pub mod format;
pub mod log;
pub mod metrics;
mod process;
pub mod traces;

use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use opentelemetry::KeyValue;
use opentelemetry_sdk::Resource;

use crate::config::Config;
use access::AccessLog;
use metrics::Metrics;
use traces::Traces;

/// How long the end of the process waits for the last spans and metrics.
pub const FLUSH_WITHIN: Duration = Duration::from_secs(2);

/// What is told of calls.
#[derive(Debug)]
pub struct Telemetry {
    /// What is counted.
    pub metrics: Metrics,
    /// Spans, if somebody collects them.
    pub traces: Option<Traces>,
    /// Which calls are logged.
    pub access: AccessLog,
}

/// Why nothing can be told.
pub type Error = Box<dyn std::error::Error + Send + Sync>;

impl Telemetry {
    /// Telemetry as it is configured. Within a runtime of tokio, since that is what the exporters work with.
    ///
    /// # Errors
    /// The exporters cannot be built.
    pub fn new(config: &Config) -> Result<Self, Error> {
        let endpoint = config.observe.otlp_endpoint.as_deref();
        Ok(Self {
            metrics: Metrics::new(resource(), endpoint)?,
            traces: endpoint.map(|endpoint| Traces::new(resource(), endpoint, config)).transpose()?,
            access: AccessLog::new(config.observe.access_log_ratio),
        })
    }

    /// Telemetry that nobody collects.
    #[cfg(test)]
    pub(crate) fn for_tests() -> Arc<Self> {
        use clap::Parser as _;
        Arc::new(Self::new(&Config::parse_from(["arbiter"])).expect("no exporter"))
    }

    /// Tells what has not been told yet, but waits no longer than [`FLUSH_WITHIN`].
    pub fn shut_down(self: Arc<Self>) {
        let (done, all_done) = channel::<()>();
        // Both at once, and on threads that can be left behind: with a collector that does not answer, the
        // exporters take longer than they are told to.
        for shut_down in [Self::shut_down_metrics, Self::shut_down_traces] {
            let (telemetry, done) = (self.clone(), done.clone());
            thread::spawn(move || {
                shut_down(&telemetry);
                drop(done);
            });
        }
        drop(done);
        // Nothing is ever sent: it is over when both have let go.
        let _ = all_done.recv_timeout(FLUSH_WITHIN);
    }

    fn shut_down_metrics(&self) {
        self.metrics.shut_down(FLUSH_WITHIN);
    }

    fn shut_down_traces(&self) {
        if let Some(traces) = &self.traces {
            traces.shut_down(FLUSH_WITHIN);
        }
    }
}

/// Who tells it. `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` have the last word.
fn resource() -> Resource {
    let attributes = [
        KeyValue::new("service.name", "arbiter"),
        KeyValue::new("service.version", env!("CARGO_PKG_VERSION")),
    ];
    let named = Resource::builder().build();
    let is_said = |attribute: &KeyValue| {
        named.get(&attribute.key).is_some_and(|value| !value.as_str().starts_with("unknown_service"))
    };
    let attributes = attributes.into_iter().filter(|attribute| !is_said(attribute));
    Resource::builder().with_attributes(attributes).build()
}

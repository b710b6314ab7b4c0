//! The way to a collector.

use std::sync::Mutex;
use std::time::Duration;

use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::{OTelSdkError, OTelSdkResult};
use opentelemetry_sdk::metrics::Temporality;
use opentelemetry_sdk::metrics::data::ResourceMetrics;
use opentelemetry_sdk::metrics::exporter::PushMetricExporter;
use opentelemetry_sdk::trace::{SpanData, SpanExporter};

use super::log::Rarely;

/// How long the collector may take to answer.
pub(super) const EXPORT_WITHIN: Duration = Duration::from_secs(5);

/// An exporter whose failures are told, but not each time: a collector may be away for long.
#[derive(Debug)]
pub(super) struct Told<Exporter> {
    exporter: Exporter,
    what: &'static str,
    failed: Mutex<Rarely>,
}

impl<Exporter> Told<Exporter> {
    pub(super) fn new(exporter: Exporter, what: &'static str) -> Self {
        Self { exporter, what, failed: Mutex::default() }
    }

    fn tell(&self, error: &OTelSdkError) {
        let times = self.failed.lock().ok().and_then(|mut failed| failed.count());
        if let Some(times) = times {
            tracing::warn!(times, %error, "{} cannot be exported", self.what);
        }
    }
}

impl<Exporter: SpanExporter> SpanExporter for Told<Exporter> {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        self.exporter.export(batch).await.inspect_err(|error| self.tell(error))
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.exporter.shutdown_with_timeout(timeout)
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.exporter.set_resource(resource);
    }
}

impl<Exporter: PushMetricExporter> PushMetricExporter for Told<Exporter> {
    async fn export(&self, metrics: &ResourceMetrics) -> OTelSdkResult {
        self.exporter.export(metrics).await.inspect_err(|error| self.tell(error))
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.exporter.force_flush()
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.exporter.shutdown_with_timeout(timeout)
    }

    fn temporality(&self) -> Temporality {
        self.exporter.temporality()
    }
}

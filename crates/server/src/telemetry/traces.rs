//! Spans: one for each call that is sampled, and one for each part of its work.
//!
//! A call that is not sampled costs a look at a header or a random number. A sampled one is the current
//! context of OpenTelemetry wherever it is worked on.

use std::time::{Duration, SystemTime};

use http::{HeaderMap, HeaderName, HeaderValue};
use opentelemetry::propagation::{Extractor, TextMapPropagator as _};
use opentelemetry::trace::{
    SpanKind, Status, TraceContextExt as _, TraceId, Tracer as _, TracerProvider as _,
};
use opentelemetry::{Context, KeyValue};
use opentelemetry_otlp::{SpanExporter, WithExportConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{Sampler, SdkTracer, SdkTracerProvider};

use super::Error;
use super::export::{EXPORT_WITHIN, Told};
use crate::config::{Config, Switch};
use crate::method::Method;

/// The header that names the caller's span (W3C Trace Context).
pub const PARENT: HeaderName = HeaderName::from_static("traceparent");

/// What makes spans.
#[derive(Debug)]
pub struct Traces {
    provider: SdkTracerProvider,
    tracer: SdkTracer,
    /// Whether the caller decides, if there is one that says so.
    callers_decide: bool,
    /// The share of the other calls that are sampled.
    ratio: f64,
}

/// What the parts of a call need to know of it.
struct Root {
    tracer: SdkTracer,
    arrived: SystemTime,
}

impl Traces {
    pub(super) fn new(resource: Resource, endpoint: &str, config: &Config) -> Result<Self, Error> {
        let exporter = SpanExporter::builder()
            .with_tonic()
            .with_endpoint(endpoint)
            .with_timeout(EXPORT_WITHIN)
            .build()?;
        let provider = SdkTracerProvider::builder()
            .with_resource(resource)
            // Whether a call is sampled is known before it has a span.
            .with_sampler(Sampler::AlwaysOn)
            .with_batch_exporter(Told::new(exporter, "spans"))
            .build();
        Ok(Self {
            tracer: provider.tracer("arbiter"),
            provider,
            callers_decide: config.observe.trace_callers == Switch::On,
            ratio: config.observe.trace_sample_ratio,
        })
    }

    /// Begins the span of a call, if it is sampled: the caller decides if it may, and otherwise chance.
    #[must_use]
    pub fn begin(&self, method: Method, headers: &HeaderMap) -> Option<Context> {
        let parent = headers.get(PARENT);
        let is_refused = match parent {
            Some(parent) if self.callers_decide => !may_be_sampled(parent),
            // Before anything is read.
            _ => !self.by_chance(),
        };
        if is_refused {
            return None;
        }
        let parent = parent.map(|_| parent_of(headers));
        let is_nonsense = parent.as_ref().is_some_and(|parent| !parent.has_active_span());
        if is_nonsense && self.callers_decide && !self.by_chance() {
            return None;
        }
        let parent = parent.unwrap_or_default();
        let span = self
            .tracer
            .span_builder(method.name())
            .with_kind(SpanKind::Server)
            .with_attributes([
                KeyValue::new("rpc.system.name", "grpc"),
                KeyValue::new("rpc.method", method.name()),
            ])
            .start_with_context(&self.tracer, &parent);
        let root = Root { tracer: self.tracer.clone(), arrived: SystemTime::now() };
        Some(Context::new().with_span(span).with_value(root))
    }

    fn by_chance(&self) -> bool {
        fastrand::f64() < self.ratio
    }

    pub(super) fn shut_down(&self, within: Duration) {
        // What cannot be sent in time is lost; the exporter has told why.
        let _ = self.provider.shutdown_with_timeout(within);
    }
}

/// Ends the span of a call.
pub fn end(call: &Context, code: &'static str, is_fault: bool) {
    let span = call.span();
    span.set_attribute(KeyValue::new("rpc.response.status_code", code));
    if is_fault {
        span.set_attribute(KeyValue::new("error.type", code));
        span.set_status(Status::error(""));
    }
    span.end();
}

/// Reads a question: a span from the call's arrival to the end of `work`.
pub fn parse<T>(work: impl FnOnce() -> T) -> T {
    let read = work();
    if let Some(call) = current() {
        child(&call, "parse", |root| Some(root.arrived));
    }
    read
}

/// Lets `work` be the part `name` of the call that is current now, wherever it is done.
pub fn part<T>(name: &'static str, work: impl FnOnce() -> T) -> impl FnOnce() -> T {
    let call = current();
    move || {
        let Some(call) = call else { return work() };
        let _current = child(&call, name, |_| None).attach();
        work()
    }
}

/// The call that is worked on, if it is sampled.
fn current() -> Option<Context> {
    Context::map_current(|current| current.get::<Root>().is_some().then(|| current.clone()))
}

/// A span within a call, which ends with the last that holds it.
fn child(call: &Context, name: &'static str, began: impl FnOnce(&Root) -> Option<SystemTime>) -> Context {
    let Some(root) = call.get::<Root>() else { return call.clone() };
    let builder = root.tracer.span_builder(name);
    let builder = match began(root) {
        Some(began) => builder.with_start_time(began),
        None => builder,
    };
    call.with_span(builder.start_with_context(&root.tracer, call))
}

/// The id of the trace that is current, if there is one.
#[must_use]
pub fn trace_id() -> Option<TraceId> {
    Context::map_current(|current| {
        let span = current.span();
        span.span_context().is_valid().then(|| span.span_context().trace_id())
    })
}

/// The caller's span, as a context.
#[must_use]
pub fn parent_of(headers: &HeaderMap) -> Context {
    TraceContextPropagator::new().extract_with_context(&Context::new(), &Headers(headers))
}

/// Whether the caller's span is sampled, as far as one look can tell: the flags are the last two of the
/// first 55 characters.
fn may_be_sampled(parent: &HeaderValue) -> bool {
    let flags = parent.as_bytes().get(53..55).and_then(|flags| std::str::from_utf8(flags).ok());
    match flags.and_then(|flags| u8::from_str_radix(flags, 16).ok()) {
        Some(flags) => flags & 1 == 1,
        // No parent at all: chance decides.
        None => true,
    }
}

struct Headers<'a>(&'a HeaderMap);

impl Extractor for Headers<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key)?.to_str().ok()
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(HeaderName::as_str).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_callers_choice_is_seen_without_reading_all() {
        let parent = |flags: &str| {
            let text = format!("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-{flags}");
            may_be_sampled(&HeaderValue::from_str(&text).expect("a header"))
        };
        assert!(parent("01") && parent("03") && !parent("00") && !parent("02"));
        assert!(may_be_sampled(&HeaderValue::from_static("nonsense")));
    }

    #[test]
    fn work_outside_of_a_sampled_call_is_only_done() {
        assert_eq!(parse(|| 7), 7);
        assert_eq!(part("rules", || 7)(), 7);
    }
}

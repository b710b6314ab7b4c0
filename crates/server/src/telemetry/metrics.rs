//! What is counted. A scrape by Prometheus and a push by OTLP tell the same numbers: `docs/metrics.md` lists
//! them.
//!
//! No label has a value that a client can choose freely.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use analysis::variant::Variant;
use opentelemetry::KeyValue;
use opentelemetry::metrics::{BoundHistogram, Counter, Histogram, Meter, MeterProvider as _};
use opentelemetry_otlp::{MetricExporter, WithExportConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::metrics::{Instrument, PeriodicReader, SdkMeterProvider, Stream};
use prometheus::{Registry, TextEncoder};
use proto::v1;
use tonic::Code;

use super::export::{EXPORT_WITHIN, Told};
use super::{Error, process};
use crate::method::Method;
use crate::status::{CODES, code_name, is_fault};

/// Bounds of durations in seconds: the fastest call takes some 50 µs, the longest search a minute.
const DURATION_BOUNDS: [f64; 19] = [
    0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5,
    5.0, 10.0, 30.0, 60.0,
];

/// Bounds of the speed of a search, in positions per second.
const SPEED_BOUNDS: [f64; 11] = [
    10_000.0,
    50_000.0,
    100_000.0,
    200_000.0,
    400_000.0,
    600_000.0,
    800_000.0,
    1_000_000.0,
    1_500_000.0,
    2_000_000.0,
    4_000_000.0,
];

/// Bounds of the depth of a search, in plies.
const DEPTH_BOUNDS: [f64; 12] = [1.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 15.0, 20.0, 25.0, 30.0, 50.0];

/// The most series of one metric: calls have the most, one for each method and code.
const MAX_SERIES: usize = 256;
const _: () = assert!(Method::COUNT * CODES <= MAX_SERIES);

/// The instruments, and the two ways to read them.
#[derive(Debug)]
pub struct Metrics {
    provider: SdkMeterProvider,
    registry: Registry,
    meter: Meter,
    /// How long calls took, by method and code: each bound to its labels when it is first told of, so that a
    /// call looks nothing up.
    calls: Vec<OnceLock<BoundHistogram<f64>>>,
    durations: Histogram<f64>,
    shed: Counter<u64>,
    questions: Arc<Questions>,
    searches: SearchInstruments,
    in_flight: Arc<[AtomicI64; Method::COUNT]>,
}

/// The questions that were asked, by method and variant.
type Questions = [[AtomicU64; VARIANTS.len()]; Method::COUNT];

const VARIANTS: [Variant; 3] = [Variant::Chess, Variant::Chess960, Variant::Xiangqi];

#[derive(Debug)]
struct SearchInstruments {
    ended: Counter<u64>,
    nodes: Counter<u64>,
    speed: Histogram<f64>,
    depth: Histogram<u64>,
}

/// A search that has ended.
#[derive(Debug, Clone, Copy)]
pub struct SearchEnd {
    /// The game.
    pub variant: Variant,
    /// Why it stopped.
    pub reason: &'static str,
    /// The positions that were looked at.
    pub nodes: u64,
    /// The depth that was finished, in plies.
    pub depth: u32,
    /// How long it took.
    pub elapsed: Duration,
}

impl Metrics {
    pub(super) fn new(resource: Resource, endpoint: Option<&str>) -> Result<Self, Error> {
        let registry = Registry::new();
        let scrape = opentelemetry_prometheus::exporter()
            .with_registry(registry.clone())
            .scope_info_enabled(false)
            .build()?;
        // Places for series are made at once, and few are needed.
        let few = |_: &Instrument| Stream::builder().with_cardinality_limit(MAX_SERIES).build().ok();
        let mut provider =
            SdkMeterProvider::builder().with_resource(resource).with_reader(scrape).with_view(few);
        if let Some(endpoint) = endpoint {
            let exporter = MetricExporter::builder()
                .with_tonic()
                .with_endpoint(endpoint)
                .with_timeout(EXPORT_WITHIN)
                .build()?;
            provider = provider.with_reader(PeriodicReader::builder(Told::new(exporter, "metrics")).build());
        }
        let provider = provider.build();
        let meter = provider.meter("arbiter");
        let in_flight: Arc<[AtomicI64; Method::COUNT]> = Arc::new(std::array::from_fn(|_| AtomicI64::new(0)));
        observe_in_flight(&meter, in_flight.clone());
        let questions: Arc<Questions> = Arc::default();
        observe_questions(&meter, questions.clone());
        observe_build(&meter);
        process::observe(&meter);
        Ok(Self {
            calls: (0..Method::COUNT * CODES).map(|_| OnceLock::new()).collect(),
            durations: meter
                .f64_histogram("rpc.server.call.duration")
                .with_unit("s")
                .with_description("How long calls took, from their headers to the end of their answers")
                .with_boundaries(DURATION_BOUNDS.to_vec())
                .build(),
            shed: counter(&meter, "arbiter.calls.shed", "{call}", "Calls that were refused for overload"),
            questions,
            searches: SearchInstruments::new(&meter),
            provider,
            registry,
            meter,
            in_flight,
        })
    }

    /// A call begins.
    pub fn call_began(&self, method: Method) {
        self.in_flight[method.index()].fetch_add(1, Ordering::Relaxed);
    }

    /// A call has ended.
    pub fn call_ended(&self, method: Method, code: Code, elapsed: Duration) {
        self.in_flight[method.index()].fetch_sub(1, Ordering::Relaxed);
        let bound = &self.calls[method.index() * CODES + code as usize];
        bound.get_or_init(|| self.durations.bind(&labels(method, code))).record(elapsed.as_secs_f64());
        if code == Code::ResourceExhausted {
            self.shed.add(1, &[KeyValue::new("rpc.method", method.name())]);
        }
    }

    /// A question about a game was asked. One about a game that is not known is not counted.
    pub fn asked(&self, method: Method, game: Option<&v1::Game>) {
        let variant = match game.map_or(Ok(v1::Variant::Unspecified), |game| game.variant.try_into()) {
            Ok(v1::Variant::Unspecified | v1::Variant::Chess) => Variant::Chess,
            Ok(v1::Variant::Chess960) => Variant::Chess960,
            Ok(v1::Variant::Xiangqi) => Variant::Xiangqi,
            Err(_) => return,
        };
        self.questions[method.index()][variant as usize].fetch_add(1, Ordering::Relaxed);
    }

    /// A search has ended.
    pub fn searched(&self, search: &SearchEnd) {
        let variant = KeyValue::new("variant", name_of(search.variant));
        let labels = [KeyValue::new("stop_reason", search.reason), variant.clone()];
        self.searches.ended.add(1, &labels);
        let labels = [variant];
        self.searches.nodes.add(search.nodes, &labels);
        self.searches.depth.record(u64::from(search.depth), &labels);
        let seconds = search.elapsed.as_secs_f64();
        if seconds > 0.0 {
            #[expect(clippy::cast_precision_loss, reason = "a speed is no exact number")]
            self.searches.speed.record(search.nodes as f64 / seconds, &labels);
        }
    }

    /// Tells a number that is known whenever somebody looks.
    pub fn watch(
        &self,
        name: &'static str,
        unit: &'static str,
        description: &'static str,
        number: impl Fn() -> usize + Send + Sync + 'static,
    ) {
        self.meter
            .u64_observable_gauge(name)
            .with_unit(unit)
            .with_description(description)
            .with_callback(move |observer| observer.observe(number() as u64, &[]))
            .build();
    }

    /// All numbers, in the text format of Prometheus.
    ///
    /// # Errors
    /// They cannot be written.
    pub fn scrape(&self) -> Result<String, prometheus::Error> {
        TextEncoder::new().encode_to_string(&self.registry.gather())
    }

    pub(super) fn shut_down(&self, within: Duration) {
        // What cannot be sent in time is lost; the exporter has told why.
        let _ = self.provider.shutdown_with_timeout(within);
    }
}

impl SearchInstruments {
    fn new(meter: &Meter) -> Self {
        Self {
            ended: counter(meter, "arbiter.searches", "{search}", "Searches that have ended"),
            nodes: counter(meter, "arbiter.search.nodes", "{node}", "Positions that searches looked at"),
            speed: meter
                .f64_histogram("arbiter.search.speed")
                .with_unit("{node}/s")
                .with_description("Positions that a search looked at in a second")
                .with_boundaries(SPEED_BOUNDS.to_vec())
                .build(),
            depth: meter
                .u64_histogram("arbiter.search.depth")
                .with_unit("{ply}")
                .with_description("The depth that a search finished, in plies")
                .with_boundaries(DEPTH_BOUNDS.to_vec())
                .build(),
        }
    }
}

fn counter(meter: &Meter, name: &'static str, unit: &'static str, description: &'static str) -> Counter<u64> {
    meter.u64_counter(name).with_unit(unit).with_description(description).build()
}

fn observe_in_flight(meter: &Meter, in_flight: Arc<[AtomicI64; Method::COUNT]>) {
    meter
        .i64_observable_up_down_counter("arbiter.calls.in_flight")
        .with_unit("{call}")
        .with_description("Calls that are not answered yet")
        .with_callback(move |observer| {
            for method in Method::all() {
                let calls = in_flight[method.index()].load(Ordering::Relaxed);
                observer.observe(calls, &[KeyValue::new("rpc.method", method.name())]);
            }
        })
        .build();
}

/// Counts are read when somebody looks, so that a question costs no more than an atomic.
fn observe_questions(meter: &Meter, questions: Arc<Questions>) {
    meter
        .u64_observable_counter("arbiter.questions")
        .with_unit("{question}")
        .with_description("Questions that were asked; of a stream, each")
        .with_callback(move |observer| {
            for method in Method::all() {
                for variant in VARIANTS {
                    let asked = questions[method.index()][variant as usize].load(Ordering::Relaxed);
                    let labels = [
                        KeyValue::new("rpc.method", method.name()),
                        KeyValue::new("variant", name_of(variant)),
                    ];
                    if asked > 0 {
                        observer.observe(asked, &labels);
                    }
                }
            }
        })
        .build();
}

fn observe_build(meter: &Meter) {
    meter
        .u64_observable_gauge("arbiter.build_info")
        .with_description("The version of the server, as a label; always 1")
        .with_callback(|observer| {
            observer.observe(1, &[KeyValue::new("version", env!("CARGO_PKG_VERSION"))]);
        })
        .build();
}

fn labels(method: Method, code: Code) -> Vec<KeyValue> {
    let mut labels = vec![
        KeyValue::new("rpc.method", method.name()),
        KeyValue::new("rpc.response.status_code", code_name(code)),
        KeyValue::new("rpc.system.name", "grpc"),
    ];
    if is_fault(code) {
        labels.push(KeyValue::new("error.type", code_name(code)));
    }
    labels
}

fn name_of(variant: Variant) -> &'static str {
    match variant {
        Variant::Chess => "chess",
        Variant::Chess960 => "chess960",
        Variant::Xiangqi => "xiangqi",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variant_has_its_place() {
        for (place, variant) in VARIANTS.into_iter().enumerate() {
            assert_eq!(variant as usize, place, "{}", name_of(variant));
        }
    }

    #[test]
    fn a_fault_has_its_type_among_its_labels() {
        let value = |code, key: &str| {
            let labels = labels(Method::SEARCH, code);
            labels.into_iter().find(|label| label.key.as_str() == key).map(|label| label.value.to_string())
        };
        let told = |key| value(Code::Unavailable, key);
        assert_eq!(told("rpc.method").as_deref(), Some("arbiter.v1.ArbiterService/Search"));
        assert_eq!(told("rpc.response.status_code").as_deref(), Some("UNAVAILABLE"));
        assert_eq!(told("error.type").as_deref(), Some("UNAVAILABLE"));
        assert_eq!(value(Code::InvalidArgument, "error.type"), None);
    }
}

//! What the server tells of itself.

use clap::Args;

use super::values::{Switch, parse_endpoint, parse_filter, parse_ratio};
use crate::telemetry::format::LogFormat;

/// What the server tells of itself.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Logs, traces and metrics")]
pub struct Observe {
    /// Which log lines are written to standard error: a level, or levels by module
    /// (`warn,server=debug`).
    #[arg(long, env = "ARBITER_LOG_FILTER", value_name = "FILTER", default_value = "info",
          value_parser = parse_filter)]
    pub log_filter: String,

    /// The form of log lines.
    #[arg(long, env = "ARBITER_LOG_FORMAT", value_name = "FORMAT", default_value = "text")]
    pub log_format: LogFormat,

    /// The share of calls that get a log line, from 0 to 1. Failures that are the server's are logged at any
    /// rate, though not each of many.
    #[arg(long, env = "ARBITER_ACCESS_LOG_RATIO", value_name = "RATIO", default_value = "0",
          value_parser = parse_ratio)]
    pub access_log_ratio: f64,

    /// A collector that spans and metrics are sent to by OTLP over gRPC (`http://127.0.0.1:4317`); without
    /// one, there are no spans.
    #[arg(long, env = "ARBITER_OTLP_ENDPOINT", value_name = "URL", value_parser = parse_endpoint)]
    pub otlp_endpoint: Option<String>,

    /// The share of calls that have spans, from 0 to 1, where the caller does not decide (`traceparent`).
    #[arg(long, env = "ARBITER_TRACE_SAMPLE_RATIO", value_name = "RATIO", default_value = "0.01",
          value_parser = parse_ratio)]
    pub trace_sample_ratio: f64,

    /// Whether callers decide which of their calls have spans (`traceparent`). If not, only the share does.
    #[arg(long, env = "ARBITER_TRACE_CALLERS", value_name = "SWITCH", default_value = "on")]
    pub trace_callers: Switch,
}

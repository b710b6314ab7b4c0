//! The form of log lines: text or JSON, each with the id of the trace that it belongs to.

use std::fmt;

use clap::ValueEnum;
use tracing::{Event, Subscriber};
use tracing_subscriber::fmt::FmtContext;
use tracing_subscriber::fmt::format::{FormatEvent, FormatFields, Writer};
use tracing_subscriber::registry::LookupSpan;

use super::traces::trace_id;

/// The form of log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// Adds the trace's id to what another format writes.
pub(super) struct WithTrace<Format> {
    pub(super) format: Format,
    pub(super) is_json: bool,
}

impl<Format, S, N> FormatEvent<S, N> for WithTrace<Format>
where
    Format: FormatEvent<S, N>,
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let Some(trace) = trace_id() else { return self.format.format_event(context, writer, event) };
        let mut line = String::new();
        self.format.format_event(context, Writer::new(&mut line), event)?;
        let line = line.trim_end();
        match line.strip_suffix('}').filter(|_| self.is_json) {
            Some(fields) => writeln!(writer, "{fields},\"trace_id\":\"{trace}\"}}"),
            None => writeln!(writer, "{line} trace_id={trace}"),
        }
    }
}

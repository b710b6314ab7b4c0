//! What the server tells about itself.

use std::io::{self, IsTerminal as _};

use tracing_subscriber::EnvFilter;

/// Writes log lines that pass `filter` to standard error, from now on.
pub fn init(filter: &str) {
    tracing_subscriber::fmt()
        .with_env_filter(EnvFilter::new(filter))
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal())
        .init();
}

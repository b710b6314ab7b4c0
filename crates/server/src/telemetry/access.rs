//! Log lines about calls.

use std::sync::Mutex;
use std::time::Duration;

use tonic::Code;

use super::log::Rarely;
use crate::method::Method;
use crate::status::{CODES, code_name, is_fault};

/// Which calls are logged: faults of the server, though not each of many, and a share of the others.
#[derive(Debug)]
pub struct AccessLog {
    ratio: f64,
    faults: [Mutex<Rarely>; CODES],
}

impl AccessLog {
    pub(super) fn new(ratio: f64) -> Self {
        Self { ratio, faults: Default::default() }
    }

    /// Logs a call that has ended, if it is one to be logged, within what `in_trace` sets up.
    pub fn ended<Guard>(
        &self,
        method: Method,
        code: Code,
        elapsed: Duration,
        in_trace: impl FnOnce() -> Guard,
    ) {
        let (method, seconds) = (method.name(), elapsed.as_secs_f64());
        if is_fault(code) {
            let Some(times) = self.faults[code as usize].lock().ok().and_then(|mut rarely| rarely.count())
            else {
                return;
            };
            let _in_trace = in_trace();
            tracing::warn!(target: "access", method, code = code_name(code), seconds, times, "a call failed");
        } else if self.ratio > 0.0 && fastrand::f64() < self.ratio {
            let _in_trace = in_trace();
            tracing::info!(target: "access", method, code = code_name(code), seconds, "a call ended");
        }
    }
}

//! The API's style and its promise to old clients.

use crate::command::{Failure, command, root, run};
use crate::tools;

/// The API as it was released last, compiled. `buf breaking` compares with it.
const BASELINE: &str = "proto/baseline.binpb";

pub(crate) fn check() -> Result<(), Failure> {
    let buf = tools::buf()?;
    run(&mut command(&buf, &["lint", "proto"]))?;
    if !root().join(BASELINE).exists() {
        return Err(Failure(format!("{BASELINE} is missing; cargo xtask baseline writes it")));
    }
    run(&mut command(&buf, &["breaking", "proto", "--against", BASELINE]))
}

pub(crate) fn baseline() -> Result<(), Failure> {
    // Comments are no part of the promise.
    run(&mut command(tools::buf()?, &["build", "proto", "--exclude-source-info", "--output", BASELINE]))
}

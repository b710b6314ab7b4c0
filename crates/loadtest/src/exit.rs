//! How the program ends.

use std::process::ExitCode;

/// What could not be done, in a sentence.
pub(crate) type Failure = String;

/// The status of the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// Everything was answered, rightly, and every target was met.
    Met = 0,
    /// A target was missed, or a comparison was worse than allowed.
    Missed = 1,
    /// The options make no sense, or nothing was answered.
    Unusable = 2,
    /// An answer was wrong.
    Wrong = 3,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

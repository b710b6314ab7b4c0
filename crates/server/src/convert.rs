//! Between the messages of the API and the plain data of the questions.

pub mod answer;
#[cfg(test)]
mod names;
pub mod question;
pub mod repetition;
pub mod search;

/// Writes a count; no limit lets one come near the end of its range.
#[must_use]
pub fn count_to_proto(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

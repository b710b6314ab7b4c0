//! The variables of OpenTelemetry that are numbers and have an effect. Its exporter passes over what it cannot read, and believes
//! the rest: a queue of any size is made at once.

use std::env;
use std::ffi::OsString;
use std::ops::RangeInclusive;

/// Each with what is taken. `docs/configuration.md` lists them.
const NUMBERS: [(&str, RangeInclusive<u64>); 5] = [
    ("OTEL_BSP_MAX_QUEUE_SIZE", 1..=65_536),
    ("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", 1..=65_536),
    // In milliseconds. With 0, the exporter would do nothing but look.
    ("OTEL_BSP_SCHEDULE_DELAY", 1..=3_600_000),
    ("OTEL_METRIC_EXPORT_INTERVAL", 100..=86_400_000),
    ("OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT", 0..=1_024),
];

/// Looks at those that are set.
///
/// # Errors
/// Which one is wrong, and what would be right.
pub(super) fn check() -> Result<(), String> {
    check_in(|name| env::var_os(name))
}

fn check_in(value_of: impl Fn(&str) -> Option<OsString>) -> Result<(), String> {
    for (name, range) in NUMBERS {
        // By the rules of OpenTelemetry, an empty variable is not set.
        let Some(value) = value_of(name).filter(|value| !value.is_empty()) else { continue };
        let number = value.to_str().and_then(|value| value.parse().ok());
        if !number.is_some_and(|number| range.contains(&number)) {
            let (least, most) = (range.start(), range.end());
            return Err(format!(
                "the variable {name}: invalid value {value:?}: expected a whole number from {least} to {most}"
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_their_range() {
        let with =
            |value: &str| check_in(|name| (name == "OTEL_BSP_MAX_QUEUE_SIZE").then(|| OsString::from(value)));
        for right in ["", "1", "2048", "65536"] {
            assert_eq!(with(right), Ok(()), "{right:?}");
        }
        for wrong in ["0", "65537", "18446744073709551615", "99999999999999999999", "-1", "many", "1e3"] {
            let error = with(wrong).expect_err(wrong);
            assert!(
                error.contains("OTEL_BSP_MAX_QUEUE_SIZE") && error.contains("from 1 to 65536"),
                "{error}"
            );
        }
        assert_eq!(check_in(|_| None), Ok(()));
    }
}

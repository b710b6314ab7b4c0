//! Quantities of Kubernetes.

use serde_json::Value;

/// Processors in thousandths, `1500m` or `2` or 2.
///
/// # Panics
/// It is no such quantity.
#[must_use]
pub fn millicores(quantity: &Value) -> u64 {
    let text = quantity.as_str().map_or_else(|| quantity.to_string(), str::to_owned);
    if let Some(thousandths) = text.strip_suffix('m') {
        return thousandths.parse().expect("thousandths");
    }
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let fraction = format!("{fraction:0<3}");
    whole.parse::<u64>().expect("cores") * 1000 + fraction[..3].parse::<u64>().expect("a fraction")
}

/// Memory in MiB, `512Mi` or `2Gi`.
///
/// # Panics
/// It is no such quantity.
#[must_use]
pub fn mebibytes(quantity: &Value) -> u64 {
    let text = quantity.as_str().expect("a quantity");
    let number = |unit| text.strip_suffix(unit).and_then(|number: &str| number.parse::<u64>().ok());
    number("Mi")
        .or_else(|| Some(number("Gi")? * 1024))
        .unwrap_or_else(|| panic!("{text} is neither Mi nor Gi"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_read() {
        for (text, thousandths) in
            [("\"1500m\"", 1500), ("\"2\"", 2000), ("2", 2000), ("\"0.25\"", 250), ("1.5", 1500)]
        {
            assert_eq!(millicores(&serde_json::from_str(text).unwrap()), thousandths, "{text}");
        }
        for (text, size) in [("512Mi", 512), ("2Gi", 2048)] {
            assert_eq!(mebibytes(&text.into()), size);
        }
    }
}

//! That enums of the API and ours have the same names, for tests.

use std::collections::BTreeSet;
use std::fmt::Debug;

/// Every value of an enum of the API but the first is given, for the one of `known` that has its name.
pub(super) fn assert_names<K: Copy + Debug, E: TryFrom<i32>>(
    prefix: &str,
    known: &[K],
    write: fn(K) -> E,
    value_name: fn(&E) -> &'static str,
) {
    let values: Vec<_> = (1..).map_while(|value| E::try_from(value).ok()).collect();
    let values: BTreeSet<_> = values.iter().map(|value| value_name(value).to_owned()).collect();
    let given = known.iter().map(|&known| value_name(&write(known)).to_owned()).collect();
    assert_eq!(values, given);
    for &known in known {
        assert_eq!(format!("{prefix}_{}", shouted(&format!("{known:?}"))), value_name(&write(known)));
    }
}

/// `MustChange` as `MUST_CHANGE`.
fn shouted(name: &str) -> String {
    let mut shouted = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !shouted.is_empty() {
            shouted.push('_');
        }
        shouted.push(letter.to_ascii_uppercase());
    }
    shouted
}

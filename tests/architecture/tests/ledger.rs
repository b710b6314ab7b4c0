//! Every rule id that the code cites is explained in docs/rules.md.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Where rule ids are cited.
const FOLDERS: [&str; 5] =
    ["crates/chess/src", "crates/xiangqi/src", "crates/game/src", "crates/analysis/src", "proto/arbiter/v1"];

#[test]
fn every_id_that_is_cited_is_in_the_ledger() {
    let ledger = fs::read_to_string(root().join("docs/rules.md")).expect("the ledger");
    let rows = ledger.lines().filter_map(|line| line.strip_prefix("| ")?.split(" |").next());
    let rows: BTreeSet<_> = rows.collect();
    let mut cited = BTreeSet::new();
    for path in FOLDERS.iter().flat_map(|folder| files(&root().join(folder))) {
        cited.extend(ids(&fs::read_to_string(path).expect("a source")));
    }
    assert!(cited.len() > 30, "{cited:?}");
    for id in cited {
        // An id may stand for all that begin with it (`XQ-2.2`).
        let is_there = rows.iter().any(|row| *row == id || id.starts_with("XQ-") && row.starts_with(&id));
        // A letter names a part of a row (`XQ-23.3c`).
        let whole = id.trim_end_matches(|letter: char| letter.is_ascii_lowercase());
        assert!(is_there || rows.contains(whole), "{id} is cited and not in docs/rules.md");
    }
}

/// The rule ids in a text.
fn ids(text: &str) -> BTreeSet<String> {
    let is_part = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '.';
    let tails = ["CH-", "XQ-"].into_iter().flat_map(|prefix| {
        text.match_indices(prefix).map(move |(at, _)| (prefix, &text[at + prefix.len()..]))
    });
    let ids = tails.map(|(prefix, tail)| {
        let end = tail.find(|letter| !is_part(letter)).unwrap_or(tail.len());
        format!("{prefix}{}", tail[..end].trim_end_matches('.'))
    });
    ids.filter(|id| id.ends_with(|last: char| last.is_ascii_alphanumeric())).collect()
}

/// The files in a folder and in those below it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

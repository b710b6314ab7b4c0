//! What every manifest of the workspace does alike.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use cargo_metadata::MetadataCommand;

#[test]
fn every_crate_opts_into_the_lints_of_the_workspace() {
    for (path, text) in manifests() {
        assert_eq!(section(&text, "lints"), ["workspace = true"], "{}", path.display());
    }
}

#[test]
fn every_crate_takes_its_description_of_itself_from_the_workspace() {
    for (path, text) in manifests() {
        let package = section(&text, "package");
        for key in ["version", "edition", "rust-version", "license", "publish"] {
            let line = format!("{key}.workspace = true");
            assert!(package.contains(&line.as_str()), "{}: no {line}", path.display());
        }
    }
}

#[test]
fn dependencies_are_named_with_their_version_in_the_root_only() {
    for (path, text) in manifests() {
        for table in ["dependencies", "dev-dependencies", "build-dependencies"] {
            for line in section(&text, table) {
                let is_inherited = line.ends_with(".workspace = true") || line.contains("{ workspace = true");
                assert!(is_inherited, "{}: {line}", path.display());
            }
        }
        let is_plain = text.lines().filter(|line| line.starts_with('[')).all(|line| {
            !line.contains("dependencies")
                || matches!(line, "[dependencies]" | "[dev-dependencies]" | "[build-dependencies]")
        });
        assert!(is_plain, "{}: dependencies stand in the three plain tables", path.display());
    }
}

#[test]
fn every_dependency_of_the_root_is_used_by_some_crate() {
    let root = fs::read_to_string(ROOT).expect("the root manifest");
    let mut used = BTreeSet::new();
    for (_, text) in manifests() {
        for table in ["dependencies", "dev-dependencies", "build-dependencies"] {
            used.extend(section(&text, table).into_iter().map(|line| name_of(line).to_owned()));
        }
    }
    let named: Vec<_> = section(&root, "workspace.dependencies").into_iter().map(name_of).collect();
    assert!(!named.is_empty(), "the root names no dependencies");
    for name in named {
        assert!(used.contains(name), "{name} is in the root's [workspace.dependencies] and in no crate");
    }
}

/// The root's manifest.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml");

/// The dependency that a line of a table is about.
fn name_of(line: &str) -> &str {
    line.split(['.', '=']).next().unwrap_or_default().trim()
}

/// The manifest of every crate of the workspace.
fn manifests() -> Vec<(PathBuf, String)> {
    let metadata =
        MetadataCommand::new().manifest_path(ROOT).no_deps().exec().expect("cargo describes the workspace");
    let paths = metadata.packages.into_iter().map(|package| package.manifest_path.into_std_path_buf());
    paths.map(|path| (path.clone(), fs::read_to_string(path).expect("cargo has read it, too"))).collect()
}

/// The lines of a table, without blank lines and comments.
fn section<'a>(manifest: &'a str, name: &str) -> Vec<&'a str> {
    let head = format!("[{name}]");
    manifest
        .lines()
        .skip_while(|line| *line != head)
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .collect()
}

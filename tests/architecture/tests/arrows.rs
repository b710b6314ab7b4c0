//! Which crate may know which. ARCHITECTURE.md has the picture; a new arrow changes both.

use std::collections::{BTreeMap, BTreeSet};

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package, PackageId};

/// What each crate may depend on among our own. A crate that is not here may not exist.
const ALLOWED: &[(&str, &[&str])] = &[
    // Floor 1: no arrows.
    ("game", &[]),
    ("proto", &[]),
    // Floor 2: side by side, none knows another.
    ("chess", &["game"]),
    ("xiangqi", &["game"]),
    ("search", &["game"]),
    // Floor 3.
    ("analysis", &["chess", "game", "search", "xiangqi"]),
    // Floor 4. The server does not know the games: it asks.
    ("server", &["analysis", "proto"]),
    ("lab", &["analysis", "game", "search"]),
    ("loadtest", &["proto"]),
    // Beside the house. Black-box tests know the API and the built binary, nothing else.
    ("architecture", &[]),
    // What a chart promises is asked of the binary.
    ("deploy-tests", &["grpc-tests", "proto"]),
    ("fuzz", &["analysis", "chess", "game", "proto", "server", "xiangqi"]),
    ("grpc-tests", &["proto"]),
    ("scale", &["grpc-tests", "proto"]),
    ("xtask", &[]),
];

/// Crates that know no gRPC and no async, however indirectly.
const CORE: &[&str] = &["game", "chess", "xiangqi", "search", "analysis"];

/// What the core may not stand on.
const NOT_IN_CORE: &[&str] = &["tonic", "prost", "tokio", "hyper"];

#[test]
fn crates_depend_only_on_what_they_may_know() {
    let metadata = metadata();
    let ours: BTreeSet<_> =
        metadata.workspace_packages().iter().map(|package| package.name.to_string()).collect();
    let allowed: BTreeMap<_, _> = ALLOWED.iter().copied().collect();
    for package in metadata.workspace_packages() {
        let Some(allowed) = allowed.get(package.name.as_str()) else {
            panic!("{} has no floor: give it one in ALLOWED and in ARCHITECTURE.md", package.name);
        };
        // Every kind of dependency counts: a test that reaches up a floor tests the wrong thing.
        for dependency in package.dependencies.iter().filter(|dependency| ours.contains(&dependency.name)) {
            assert!(
                allowed.contains(&dependency.name.as_str()),
                "{} may not depend on {}",
                package.name,
                dependency.name
            );
        }
    }
}

#[test]
fn every_crate_of_the_list_exists() {
    let metadata = metadata();
    let ours: BTreeSet<_> =
        metadata.workspace_packages().iter().map(|package| package.name.to_string()).collect();
    for (name, _) in ALLOWED {
        assert!(ours.contains(*name), "{name} is in ALLOWED and not in the workspace");
    }
}

#[test]
fn the_core_knows_no_grpc_and_no_async() {
    let metadata = metadata();
    for name in CORE {
        let package = package(&metadata, name);
        let below = everything_below(&metadata, &package.id);
        for banned in NOT_IN_CORE {
            assert!(!below.contains(*banned), "{name} stands on {banned}: {below:?}");
        }
    }
}

fn metadata() -> Metadata {
    MetadataCommand::new()
        .manifest_path(concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml"))
        .exec()
        .expect("cargo describes the workspace")
}

fn package<'a>(metadata: &'a Metadata, name: &str) -> &'a Package {
    metadata.workspace_packages().into_iter().find(|package| package.name == name).expect(name)
}

/// The names of all packages that a package is linked with, directly or through others.
fn everything_below(metadata: &Metadata, id: &PackageId) -> BTreeSet<String> {
    let resolve = metadata.resolve.as_ref().expect("cargo resolves the dependencies");
    let nodes: BTreeMap<_, _> = resolve.nodes.iter().map(|node| (&node.id, node)).collect();
    let mut seen = BTreeSet::new();
    let mut open = vec![id];
    while let Some(id) = open.pop() {
        for dependency in &nodes[id].deps {
            let is_linked = dependency.dep_kinds.iter().any(|kind| kind.kind == DependencyKind::Normal);
            if is_linked && seen.insert(&dependency.pkg) {
                open.push(&dependency.pkg);
            }
        }
    }
    seen.into_iter().map(|id| metadata[id].name.to_string()).collect()
}

#[test]
fn the_search_names_no_game() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../crates/search");
    let words = ["chess", "xiangqi", "pawn", "king", "knight", "soldier", "general", "white", "black"];
    let sources = std::fs::read_dir(format!("{folder}/src")).expect("the sources");
    let files = sources.map(|entry| entry.expect("a file").path());
    for path in files.chain([format!("{folder}/Cargo.toml").into()]) {
        let text = std::fs::read_to_string(&path).expect("a source");
        // The wiki that the sources cite has a game in its name.
        let text = text.to_lowercase().replace("www.chessprogramming.org", "");
        let names = |word: &&&str| text.split(|c: char| !c.is_alphanumeric()).any(|it| it == **word);
        assert_eq!(words.iter().find(names), None, "{}", path.display());
    }
}

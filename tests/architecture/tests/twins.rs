//! Chess and xiangqi have the same files, but for those that are a rule or a notation of one game.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

/// The files that stand on one side only. ARCHITECTURE.md says why.
const ONLY: [(&str, &[&str]); 2] = [
    ("chess", &["castling.rs", "material.rs", "san.rs"]),
    ("xiangqi", &["chinese.rs", "iccs.rs", "regions.rs", "relative.rs", "repetition.rs", "wxf.rs"]),
];

#[test]
fn the_games_have_the_same_files() {
    let [(chess, only_chess), (xiangqi, only_xiangqi)] = ONLY;
    let [chess, xiangqi] = [chess, xiangqi].map(files);
    let names = |files: &[&str]| files.iter().map(ToString::to_string).collect::<BTreeSet<_>>();
    assert_eq!(&chess - &xiangqi, names(only_chess), "only chess");
    assert_eq!(&xiangqi - &chess, names(only_xiangqi), "only xiangqi");
}

#[test]
fn architecture_names_what_has_no_twin() {
    let page = root().join("ARCHITECTURE.md");
    let page = fs::read_to_string(page).expect("the page");
    for file in ONLY.iter().flat_map(|(_, files)| *files) {
        assert!(page.contains(&format!("`{file}`")), "ARCHITECTURE.md does not name {file}");
    }
}

#[test]
fn a_file_without_a_twin_says_so_in_its_head() {
    for (game, files) in ONLY {
        for file in files {
            let path = root().join("crates").join(game).join("src").join(file);
            let text = fs::read_to_string(path).expect("a source");
            let head: String = text.lines().take_while(|line| line.starts_with("//!")).collect();
            assert!(head.contains(&format!("Only {game} has")), "{game}/{file}");
        }
    }
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The names of a crate's files. What is in a folder is a part of the file that is called like it.
fn files(name: &str) -> BTreeSet<String> {
    let folder = root().join("crates").join(name).join("src");
    let entries = fs::read_dir(folder).expect("the sources").map(|entry| entry.expect("a file"));
    let files = entries.filter(|entry| entry.path().is_file());
    files.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

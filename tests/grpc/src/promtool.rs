//! Prometheus's own opinion.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const NAME: &str = "promtool";

/// What `promtool check metrics` has against a scrape.
///
/// # Panics
/// The program is not there.
#[must_use]
pub fn complaints(scrape: &str) -> String {
    let path = find().unwrap_or_else(|| {
        panic!("{NAME} is neither on PATH nor in target/tools; `cargo xtask tools` installs it")
    });
    let mut command = Command::new(path);
    command.args(["check", "metrics"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = command.spawn().expect("it starts");
    process.stdin.take().expect("an input").write_all(scrape.as_bytes()).expect("it reads");
    let output = process.wait_with_output().expect("it ends");
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said).into_owned();
    if output.status.success() { said } else { format!("{said}{}", output.status) }
}

fn find() -> Option<PathBuf> {
    let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/tools/prometheus/usr/bin");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/bin"), tools]);
    folders.map(|folder| folder.join(NAME)).find(|file| file.is_file())
}

//! The chart, and what Helm makes of it.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use serde_json::Value;

/// The workspace.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The chart's folder in the workspace.
const CHART: &str = "deploy/helm/arbiter";

/// Where `cargo xtask tools` puts Helm and what else knows Kubernetes.
const TOOLS: &str = "target/tools/kubernetes/bin";

/// Reads YAML as Kubernetes does, for which `off` is a truth value.
const TO_JSON: &str =
    "import json, sys, yaml; json.dump([o for o in yaml.safe_load_all(sys.stdin) if o], sys.stdout)";

/// The objects of the chart with these options of `helm template`.
///
/// # Panics
/// Helm is not there, or refuses.
#[must_use]
pub fn render(options: &[&str]) -> Vec<Value> {
    let output = template(options);
    assert!(output.status.success(), "{options:?}: {}", String::from_utf8_lossy(&output.stderr));
    from_yaml(&output.stdout)
}

/// What Helm says of values that the chart does not take.
///
/// # Panics
/// It takes them, or Helm is not there.
#[must_use]
pub fn refusal(options: &[&str]) -> String {
    let output = template(options);
    assert!(!output.status.success(), "{options:?} are taken");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The files of values that the chart is checked with.
fn combinations() -> Vec<String> {
    let folder = std::fs::read_dir(file(CHART).join("ci")).expect("a folder");
    let paths =
        folder.map(|entry| entry.expect("a file").path().to_str().expect("a path in UTF-8").to_owned());
    let mut files: Vec<_> = paths.collect();
    files.sort();
    assert!(!files.is_empty(), "there are no values");
    files
}

/// The objects of every combination of values, with its name.
///
/// # Panics
/// Helm is not there, or refuses one.
#[must_use]
pub fn every_combination() -> &'static [(String, Vec<Value>)] {
    static RENDERED: OnceLock<Vec<(String, Vec<Value>)>> = OnceLock::new();
    let render = |file: String| {
        let objects = render(&["--values", &file]);
        (file, objects)
    };
    RENDERED.get_or_init(|| combinations().into_iter().map(render).collect())
}

/// The text of a file of the chart.
///
/// # Panics
/// It is not there.
#[must_use]
pub fn text(name: &str) -> String {
    std::fs::read_to_string(file(CHART).join(name)).expect("a file of the chart")
}

/// A path in the workspace.
#[must_use]
pub fn file(path: &str) -> PathBuf {
    Path::new(ROOT).join(path)
}

/// The objects in a text of YAML.
///
/// # Panics
/// It is none.
#[must_use]
pub fn from_yaml(yaml: &[u8]) -> Vec<Value> {
    let mut command = Command::new(tool("python3"));
    command.args(["-c", TO_JSON]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut python = command.spawn().expect("Python starts");
    python.stdin.take().expect("an input").write_all(yaml).expect("it reads");
    let output = python.wait_with_output().expect("it ends");
    assert!(output.status.success(), "this is no YAML: {}", String::from_utf8_lossy(yaml));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn template(options: &[&str]) -> Output {
    let mut helm = Command::new(tool("helm"));
    helm.args(["template", "arbiter"]).arg(file(CHART)).args(options).output().expect("Helm starts")
}

fn tool(name: &str) -> PathBuf {
    let path = file(TOOLS).join(name);
    assert!(path.exists(), "no {}; cargo xtask tools installs it", path.display());
    path
}

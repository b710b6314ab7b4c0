//! Prometheus's own opinion.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::json;

use crate::folder::Folder;
use crate::scrape::{Sample, Scrape};

const NAME: &str = "promtool";

/// What `promtool check metrics` has against a scrape.
///
/// # Panics
/// The program is not there.
#[must_use]
pub fn complaints(scrape: &str) -> String {
    run(&["check", "metrics"], scrape)
}

/// Which of these expressions have no number, each by its own line, where Prometheus has scraped this for
/// ten minutes: counters have risen steadily to what they are, and beyond.
///
/// # Panics
/// The program is not there.
#[must_use]
pub fn unanswered(scrape: &Scrape, expressions: &[String]) -> String {
    let kinds = scrape.types();
    let series = scrape.samples().into_iter().map(|Sample { name, mut labels, value }| {
        let kind = kinds.iter().find(|(metric, _)| is_of(&name, metric)).map(|(_, kind)| kind.as_str());
        let values = if kind == Some("gauge") { format!("{value}x10") } else { format!("0+{value}x10") };
        labels
            .extend([("job", "arbiter"), ("instance", "a:9464")].map(|(a, b)| (a.to_owned(), b.to_owned())));
        let labels: Vec<_> = labels.iter().map(|(name, value)| format!("{name}={value:?}")).collect();
        json!({"series": format!("{name}{{{}}}", labels.join(",")), "values": values})
    });
    let questions = expressions.iter().map(|expression| {
        // What is no number is not greater than anything.
        let count = format!("count(({expression}) > -Inf) > bool 0");
        json!({"expr": count, "eval_time": "10m", "exp_samples": [{"labels": "{}", "value": 1}]})
    });
    let test = json!({"tests": [{
        "interval": "1m",
        "input_series": series.collect::<Vec<_>>(),
        "promql_expr_test": questions.collect::<Vec<_>>(),
    }]});
    let folder = Folder::new();
    let said = run(&["test", "rules", &folder.write("test.yaml", &test.to_string())], "");
    if said.contains("SUCCESS") { String::new() } else { said }
}

/// Whether a number belongs to a metric, by its name.
fn is_of(number: &str, metric: &str) -> bool {
    let end = number.strip_prefix(metric);
    end.is_some_and(|end| ["", "_bucket", "_sum", "_count"].contains(&end))
}

/// What it says, and how it ended unless it ended well.
fn run(arguments: &[&str], input: &str) -> String {
    let path = find().unwrap_or_else(|| {
        panic!("{NAME} is neither on PATH nor in target/tools; `cargo xtask tools` installs it")
    });
    let mut command = Command::new(path);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut process = command.spawn().expect("it starts");
    process.stdin.take().expect("an input").write_all(input.as_bytes()).expect("it reads");
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

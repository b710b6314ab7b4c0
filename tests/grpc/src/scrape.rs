//! A scrape of the metrics, taken apart.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;

use crate::http;

/// What one scrape says.
#[derive(Debug)]
pub struct Scrape {
    /// The text.
    pub text: String,
}

/// One number with its labels.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// The name, with its suffix.
    pub name: String,
    /// The labels.
    pub labels: BTreeMap<String, String>,
    /// The number.
    pub value: f64,
}

impl Scrape {
    /// Scrapes an admin port.
    ///
    /// # Panics
    /// It does not answer.
    pub async fn of(admin: SocketAddr) -> Scrape {
        let answer = http::get(admin, "/metrics").await;
        assert_eq!(answer.status, 200, "{answer:?}");
        Scrape { text: answer.body }
    }

    /// The metrics with their types.
    #[must_use]
    pub fn types(&self) -> BTreeMap<String, String> {
        let types = self.text.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split_once(' '));
        types.map(|(name, kind)| (name.to_owned(), kind.to_owned())).collect()
    }

    /// Every number.
    ///
    /// # Panics
    /// A line cannot be read.
    #[must_use]
    pub fn samples(&self) -> Vec<Sample> {
        self.text.lines().filter(|line| !line.starts_with('#')).map(sample).collect()
    }

    /// The labels of a metric, apart from the bounds of buckets.
    #[must_use]
    pub fn labels(&self, metric: &str) -> BTreeSet<String> {
        let ends = ["", "_bucket", "_sum", "_count"].map(|end| format!("{metric}{end}"));
        let samples = self.samples().into_iter().filter(|sample| ends.contains(&sample.name));
        samples.flat_map(|sample| sample.labels.into_keys()).filter(|label| label != "le").collect()
    }

    /// The sum of the numbers of this name that have these labels.
    #[must_use]
    pub fn sum(&self, name: &str, labels: &[(&str, &str)]) -> f64 {
        let has = |sample: &Sample| {
            labels.iter().all(|&(name, value)| sample.labels.get(name).is_some_and(|is| is == value))
        };
        let samples = self.samples().into_iter().filter(|sample| sample.name == name && has(sample));
        samples.map(|sample| sample.value).sum()
    }
}

fn sample(line: &str) -> Sample {
    let (series, value) = line.rsplit_once(' ').expect("a number");
    let (name, labels) = series.split_once('{').unwrap_or((series, "}"));
    let labels = labels.trim_end_matches('}').split("\",").filter(|label| !label.is_empty());
    let labels = labels.map(|label| {
        let (name, value) = label.split_once("=\"").expect("a label");
        (name.to_owned(), value.trim_end_matches('"').to_owned())
    });
    Sample { name: name.to_owned(), labels: labels.collect(), value: value.parse().expect("a number") }
}

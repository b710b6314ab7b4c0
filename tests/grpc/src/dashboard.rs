//! What Grafana's dashboard and the alerts ask Prometheus.

use serde_json::Value;

const DASHBOARD: &str = include_str!("../../../deploy/compose/grafana/dashboards/arbiter.json");

/// The alerts.
pub const ALERTS: &str = include_str!("../../../deploy/compose/prometheus/alerts.yaml");

/// The panels, rows among them.
///
/// # Panics
/// The dashboard is not as Grafana has them.
#[must_use]
pub fn panels() -> Vec<Value> {
    let dashboard: Value = serde_json::from_str(DASHBOARD).expect("JSON");
    dashboard["panels"].as_array().expect("panels").clone()
}

/// Every expression of a panel, with what Grafana puts in for its variables when all instances are chosen.
///
/// # Panics
/// The panel is not as Grafana has them.
#[must_use]
pub fn expressions(panel: &Value) -> Vec<String> {
    let targets = panel["targets"].as_array().into_iter().flatten();
    let expressions = targets.map(|target| target["expr"].as_str().expect("an expression"));
    expressions
        .map(|text| text.replace("$__rate_interval", "5m").replace("$instance", ".*"))
        .inspect(|text| assert!(!text.contains('$'), "a variable that is not known: {text}"))
        .collect()
}

//! The schema knows the binary's settings and nothing else, and every value has a comment.

use std::collections::BTreeSet;
use std::process::Command;

use deploy_tests::chart::{from_yaml, refusal, text};
use grpc_tests::binary;
use serde_json::Value;

/// The settings that the chart decides on by values of its own.
const OF_THE_CHART: [&str; 17] = [
    "admin_listen",
    "config",
    "drain_deadline",
    "health_listen",
    "lame_duck",
    "listen",
    "max_in_flight",
    "otlp_endpoint",
    "reload_interval",
    "search_slots",
    "serve",
    "tls_cert",
    "tls_client_ca",
    "tls_key",
    "token_hashes",
    "token_hashes_file",
    "workers",
];

#[test]
fn the_schema_has_each_setting_of_the_binary_that_the_chart_does_not_decide_on() {
    let help = Command::new(binary::path()).arg("--help").output().expect("the binary starts").stdout;
    let help = String::from_utf8(help).expect("text");
    let variables = help.split("[env: ARBITER_").skip(1).map(|rest| rest.split(['=', ']']).next().unwrap());
    let all: BTreeSet<_> = variables.map(str::to_lowercase).collect();
    let schema: Value = serde_json::from_str(&text("values.schema.json")).expect("a schema");
    let settings = schema["definitions"]["settings"]["properties"].as_object().expect("settings");
    let settings: BTreeSet<_> = settings.keys().cloned().collect();
    let expected: BTreeSet<_> = all.into_iter().filter(|key| !OF_THE_CHART.contains(&key.as_str())).collect();
    assert_eq!(settings, expected);
}

#[test]
fn bad_values_are_refused_with_their_place() {
    for (value, place) in [
        ("mod=split", "'mod' not allowed"),
        ("mode=both", "/mode"),
        ("all.replicas=-1", "/all/replicas"),
        ("all.replica=1", "'replica' not allowed"),
        ("rules.searchSlots=1", "'searchSlots' not allowed"),
        ("search.searchSlots=-1", "/search/searchSlots"),
        ("settings.listen=0.0.0.0:1", "'listen' not allowed"),
        ("settings.lame_duck=5s", "'lame_duck' not allowed"),
        ("settings.max_deadline=30", "/settings/max_deadline"),
        ("settings.max_deadline=25h", "/settings/max_deadline"),
        ("settings.max_connection_age=86401s", "/settings/max_connection_age"),
        ("settings.max_search_time=0s", "/settings/max_search_time"),
        ("reloadInterval=0s", "/reloadInterval"),
        ("settings.access_log_ratio=2", "/settings/access_log_ratio"),
        ("settings.reflection=maybe", "/settings/reflection"),
        ("all.resources.requests.cpu=2x", "/all/resources/requests/cpu"),
        ("all.resources.requests.cpu=0", "/all/resources/requests/cpu"),
        ("all.resources.limits.memory=1G", "/all/resources/limits/memory"),
        ("all.resources.limits.memory=400Mi", "all.resources.limits.memory: 400Mi is too little"),
        ("all.maxInFlight=4096", "which need 16816Mi"),
        ("all.autoscaling.maxReplicas=0", "/all/autoscaling/maxReplicas"),
        ("image.pullPolicy=never", "/image/pullPolicy"),
        ("image.digest=sha256:1", "/image/digest"),
        ("service.port=0", "/service/port"),
        ("tls.clientCaSecretName=clients", "/tls/secretName"),
        ("telemetry.otlpEndpoint=https://collector:4317", "/telemetry/otlpEndpoint"),
        ("lifecycle.exitMarginSeconds=1", "/lifecycle/exitMarginSeconds"),
        ("extraEnv[0].name=ARBITER_SERVE", "/extraEnv/0"),
        ("networkPolicy.callersFrom[0].pods=x", "'pods' not allowed"),
    ] {
        let refusal = refusal(&["--set", value]);
        assert!(refusal.contains(place), "{value}: {place} is not in: {refusal}");
    }
    let both = "all.autoscaling.enabled=true,all.autoscaling.minReplicas=3,all.autoscaling.maxReplicas=2";
    assert!(refusal(&["--set", both]).contains("minReplicas 3 is more than maxReplicas 2"));
}

#[test]
fn every_value_has_a_comment() {
    let values = text("values.yaml");
    let (mut above, mut free) = ("", None);
    let mut seen = 0;
    for line in values.lines() {
        let depth = line.len() - line.trim_start().len();
        let is_in_free = free.is_some_and(|free| depth > free);
        if line.trim_start().starts_with(|c: char| c.is_ascii_alphabetic()) && !is_in_free {
            assert!(above.trim_start().starts_with("# "), "no comment before: {line}");
            // What is in there is of Kubernetes.
            let is_free = ["requests:", "limits:", "metricsFrom:"].contains(&line.trim());
            free = is_free.then_some(depth);
            seen += 1;
        }
        above = line;
    }
    assert!(seen > 80, "{seen} values were looked at");
}

/// Adds the paths of all values that a schema knows by name.
fn paths(schema: &Value, definitions: &Value, path: &str, all: &mut BTreeSet<String>) {
    let name = schema["$ref"].as_str().and_then(|place| place.strip_prefix("#/definitions/"));
    let schema = name.map_or(schema, |name| &definitions[name]);
    // Settings are in another document, and what the schema of Kubernetes has is not repeated.
    let is_listed_elsewhere =
        ["settings", "affinity", "requests", "limits"].iter().any(|it| path.ends_with(it));
    let Some(properties) = schema["properties"].as_object().filter(|_| !is_listed_elsewhere) else {
        all.insert(path.to_owned());
        return;
    };
    for (key, value) in properties.iter().filter(|(key, _)| *key != "global") {
        paths(value, definitions, &format!("{path}/{key}"), all);
    }
}

#[test]
fn every_value_that_the_schema_knows_has_a_default() {
    let schema: Value = serde_json::from_str(&text("values.schema.json")).expect("a schema");
    let defaults = from_yaml(text("values.yaml").as_bytes()).remove(0);
    let mut all = BTreeSet::new();
    paths(&schema, &schema["definitions"], "", &mut all);
    assert!(all.len() > 80, "{all:?}");
    for path in all {
        assert!(defaults.pointer(&path).is_some(), "{path} is not in values.yaml");
    }
}

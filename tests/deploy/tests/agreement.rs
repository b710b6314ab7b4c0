//! What the chart says of the binary is what the binary says of itself.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use deploy_tests::chart::{every_combination, render};
use deploy_tests::container::{Template, templates};
use deploy_tests::pod::Setup;
use deploy_tests::quantity::{mebibytes, millicores};
use proto::v1::GetServerInfoRequest;
use proto::v1::arbiter_service_client::ArbiterServiceClient;
use serde_json::Value;
use tonic::transport::{Channel, Endpoint};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

/// What the end of the process takes beyond lame duck and drain at most: telemetry is given two seconds.
const EXIT_WITHIN: Duration = Duration::from_secs(3);

/// What a server holds beside searches and calls, in MiB.
const OWN_MIB: u64 = 128;

/// The stack of a search in MiB.
const STACK_MIB: u64 = 32;

/// What a call and a search that are open hold beside, in MiB: each up to 2.
const CALL_MIB: u64 = 4;

/// Every Deployment of every combination of values, with a name for both.
fn everything() -> Vec<(String, Template)> {
    let of = |(file, objects): &'static (String, Vec<Value>)| {
        let named = move |template: Template| {
            let name = &template.deployment["metadata"]["name"];
            (format!("{file}: {name}"), template)
        };
        templates(objects).into_iter().map(named)
    };
    every_combination().iter().flat_map(of).collect()
}

/// The settings that hold in the container.
async fn settings(template: &Template) -> toml::Table {
    Setup::of(template).print("--print-config").await.parse().expect("a file of settings")
}

async fn channel(address: SocketAddr) -> Channel {
    let endpoint = Endpoint::from_shared(format!("http://{address}")).expect("an address");
    endpoint.connect().await.expect("a connection")
}

fn text<'a>(settings: &'a toml::Table, key: &str) -> &'a str {
    settings[key].as_str().unwrap_or_else(|| panic!("{key} is no text"))
}

fn number(settings: &toml::Table, key: &str) -> u64 {
    let number = settings[key].as_integer().unwrap_or_else(|| panic!("{key} is no number"));
    number.try_into().expect("a count")
}

fn seconds(settings: &toml::Table, key: &str) -> Duration {
    let seconds = text(settings, key).strip_suffix('s').and_then(|seconds| seconds.parse().ok());
    Duration::from_secs(seconds.unwrap_or_else(|| panic!("{key} is not in seconds")))
}

#[tokio::test]
async fn the_container_starts_with_its_variables_and_files() {
    for (name, template) in everything() {
        assert_eq!(Setup::of(&template).print("--check-config").await, "the settings are valid\n", "{name}");
        assert!(template.container().get("command").is_none(), "{name}: the image has its own");
    }
}

#[tokio::test]
async fn ports_are_those_that_the_server_listens_on() {
    for (name, template) in everything() {
        let settings = settings(&template).await;
        for (port, key) in [("grpc", "listen"), ("health", "health_listen"), ("metrics", "admin_listen")] {
            let address: SocketAddr = text(&settings, key).parse().expect("an address");
            assert!(address.ip().is_unspecified(), "{name}: nobody reaches {address}");
            assert_eq!(u64::from(address.port()), template.port(port), "{name}: {port}");
        }
        for (probe, grpc) in template.probes() {
            assert_eq!(grpc["port"].as_u64(), Some(template.port("health")), "{name}: {probe}");
        }
        let role = &template.deployment["spec"]["selector"]["matchLabels"]["app.kubernetes.io/component"];
        assert_eq!(role, text(&settings, "serve"), "{name}");
    }
}

#[tokio::test]
async fn the_grace_period_has_room_for_the_lame_duck_the_drain_and_the_exit() {
    for (name, template) in everything() {
        let settings = settings(&template).await;
        let grace = template.spec()["terminationGracePeriodSeconds"].as_u64().expect("a grace period");
        let needed = seconds(&settings, "lame_duck") + seconds(&settings, "drain_deadline") + EXIT_WITHIN;
        assert!(needed <= Duration::from_secs(grace), "{name}: {needed:?} do not fit into {grace} s");
    }
}

#[tokio::test]
async fn threads_and_slots_follow_from_the_processors() {
    for (name, template) in everything() {
        let settings = settings(&template).await;
        let resources = &template.container()["resources"];
        let cpu = resources["limits"].get("cpu").unwrap_or(&resources["requests"]["cpu"]);
        let cores = (millicores(cpu) / 1000).max(1);
        assert_eq!(number(&settings, "workers"), cores, "{name}");
        assert_eq!(template.variables()["TOKIO_WORKER_THREADS"], cores.to_string(), "{name}");
        let chosen = name.contains("everything-values");
        if text(&settings, "serve") != "rules" && !chosen {
            // The binary's own rule.
            assert_eq!(number(&settings, "search_slots"), (cores - 1).max(1), "{name}");
        }
    }
}

#[tokio::test]
async fn what_searches_and_calls_hold_fits_into_the_memory() {
    let template = templates(&render(&[])).remove(0);
    let pod = Setup::of(&template).start().await;
    let mut client = ArbiterServiceClient::new(channel(pod.address).await);
    let info = client.get_server_info(GetServerInfoRequest::default()).await.unwrap().into_inner();
    let table = u64::from(info.limits.expect("limits").max_hash_mib);
    for (name, template) in everything() {
        let settings = settings(&template).await;
        let is_searching = text(&settings, "serve") != "rules";
        let slots = if is_searching { number(&settings, "search_slots") } else { 0 };
        let calls = number(&settings, "max_in_flight");
        let held = OWN_MIB + slots * (table + STACK_MIB) + calls * CALL_MIB;
        let limit = mebibytes(&template.container()["resources"]["limits"]["memory"]);
        assert!(held <= limit, "{name}: {held} MiB do not fit into {limit} MiB");
        assert!(calls >= 100, "{name}: {calls} calls at once are few");
    }
}

#[tokio::test]
async fn probes_are_answered_without_a_certificate_and_a_token() {
    for (name, template) in everything() {
        let pod = Setup::of(&template).start().await;
        let mut health = HealthClient::new(channel(pod.health).await);
        for (probe, grpc) in template.probes() {
            let service =
                grpc.get("service").map_or("", |service| service.as_str().expect("a name")).to_owned();
            let answer = health.check(HealthCheckRequest { service }).await;
            let answer = answer.unwrap_or_else(|error| panic!("{name}: {probe}: {error}")).into_inner();
            assert_eq!(answer.status(), ServingStatus::Serving, "{name}: {probe}");
        }
    }
}

#[tokio::test]
async fn a_pod_has_ended_well_before_it_is_killed() {
    let template = templates(&render(&[])).remove(0);
    let pod = Setup::of(&template).start().await;
    let start = Instant::now();
    assert!(pod.stop().await.success());
    let grace = template.spec()["terminationGracePeriodSeconds"].as_u64().expect("a grace period");
    assert!(start.elapsed() < Duration::from_secs(grace), "{:?}", start.elapsed());
}

#[tokio::test]
async fn the_number_of_threads_is_that_of_the_container_and_not_of_the_node() {
    let threads = async |cores: &str| {
        let cores = format!("all.resources.requests.cpu={cores}");
        let template = templates(&render(&["--set", &cores, "--set", "all.searchSlots=1"])).remove(0);
        Setup::of(&template).start().await.threads()
    };
    assert_eq!(threads("1").await + 6, threads("7").await);
}

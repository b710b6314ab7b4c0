//! As many searches as there are slots: how many are refused though another instance has a free slot.

use std::net::SocketAddr;
use std::time::Duration;

use grpc_tests::server::PATIENCE;
use tokio::time::{sleep, timeout};

use crate::load::Load;
use crate::{Envoy, Finding, Fleet};

const INSTANCES: usize = 3;

/// Slots of each.
const SLOTS: usize = 4;

/// What the configuration says, and what stands in its place to see what that is good for.
const POLICY: &str = "lb_policy: LEAST_REQUEST";
const RETRIES: &str = "retry_on: resource-exhausted,";

/// Ways to deal searches out.
const TWO: &str = POLICY;
const IN_TURN: &str = "lb_policy: ROUND_ROBIN";
const ALL: &str = "load_balancing_policy: { policies: [{ typed_extension_config: {
        name: envoy.load_balancing_policies.least_request, typed_config: {
        '@type': type.googleapis.com/envoy.extensions.load_balancing_policies.least_request.v3.LeastRequest,
        selection_method: FULL_SCAN } } }] }";

/// Whether a search that was refused is asked for again.
const AGAIN: &str = RETRIES;
const ONCE: &str = "retry_on: ";

/// Who else asks for searches.
#[derive(Debug, Clone, Copy)]
enum Others {
    /// Nobody: one Envoy sends them all.
    Nobody,
    /// Another Envoy, which sends half of them.
    Envoy,
    /// Someone who goes past Envoy, and keeps every slot of one instance.
    Past,
}

const ALL_OTHERS: [Others; 3] = [Others::Nobody, Others::Envoy, Others::Past];

/// Measures each way to deal searches out, and then the configuration as it is.
///
/// # Panics
/// Something does not come up.
pub async fn compare(duration: Duration) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (how, policy, retries) in [
        ("in turn, asked once", IN_TURN, ONCE),
        ("the less busy of two, asked once", TWO, ONCE),
        ("the least busy of all, asked once", ALL, ONCE),
        ("in turn, asked again", IN_TURN, AGAIN),
        ("the least busy of all, asked again", ALL, AGAIN),
    ] {
        for others in ALL_OTHERS {
            let (measured, _) = measure(others, &[(POLICY, policy), (RETRIES, retries)], duration).await;
            findings.push(Finding::for_comparison(format!("{how}; {}", others.describe()), measured));
        }
    }
    findings.extend(shipped(duration).await);
    findings
}

/// Measures the configuration as it is.
///
/// # Panics
/// Something does not come up.
pub async fn shipped(duration: Duration) -> Vec<Finding> {
    let mut findings = Vec::new();
    for others in ALL_OTHERS {
        let (measured, share) = measure(others, &[], duration).await;
        let what = format!("the less busy of two, asked again (as it is); {}", others.describe());
        findings.push(Finding::new(what, measured, "1 %", share <= 0.01));
    }
    findings
}

impl Others {
    fn describe(self) -> &'static str {
        match self {
            Others::Nobody => "one Envoy",
            Others::Envoy => "two Envoys",
            Others::Past => "one instance full",
        }
    }
}

/// How many searches were refused, in words and as a share.
async fn measure(others: Others, changes: &[(&str, &str)], duration: Duration) -> (String, f64) {
    let fleet = Fleet::start(INSTANCES, &["--search-slots", &SLOTS.to_string()]).await;
    let mut envoys = vec![Envoy::start(&fleet, changes).await];
    let mut in_flight = INSTANCES * SLOTS;
    let mut past = None;
    match others {
        Others::Nobody => {}
        Others::Envoy => envoys.push(Envoy::start(&fleet, changes).await),
        Others::Past => {
            past = Some(fill(&fleet).await);
            in_flight -= SLOTS;
        }
    }
    let before = shed(&fleet).await;
    let targets: Vec<SocketAddr> = envoys.iter().map(Envoy::listener).collect();
    let millis = duration.as_millis();
    let arguments =
        format!("--in-flight {in_flight} --mix Search --nodes 5000 --duration {millis}ms --warm-up 0s");
    let report = Load::start(&targets, &arguments).finish().await;
    assert_eq!(report.wrong(), 0, "{report:?}");
    let (failed, failed_later) = report.failed(f64::MAX);
    assert_eq!(failed + failed_later, report.refused(), "{}", report.errors());
    let share = report.refused() as f64 / report.calls() as f64;
    let (refused, calls, shed) = (report.refused(), report.calls(), shed(&fleet).await - before);
    drop(past);
    let text = format!(
        "{refused} of {calls} searches refused ({:.2} %); {shed} refusals by instances",
        share * 100.0
    );
    (text, share)
}

/// Takes every slot of the first instance, as long as what is returned is kept.
async fn fill(fleet: &Fleet) -> Load {
    let arguments = format!(
        "--in-flight {SLOTS} --mix Search --nodes 1000000000 --duration 1m --deadline 5m --warm-up 0s"
    );
    let load = Load::start(&fleet.addresses()[..1], &arguments);
    let full = async {
        while fleet.scrapes().await[0].sum("arbiter_search_slots_busy", &[]) < SLOTS as f64 {
            sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(PATIENCE, full).await.expect("the instance is full in time");
    load
}

/// How many searches instances have refused.
async fn shed(fleet: &Fleet) -> f64 {
    // A sum of nothing is -0, and would be written so.
    fleet.shed().await.iter().sum::<f64>() + 0.0
}

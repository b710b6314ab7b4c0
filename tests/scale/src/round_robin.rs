//! The same instances without a proxy: a client in Python that knows all their addresses.

use std::time::Duration;

use grpc_tests::python::Script;
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::headless::NAME;
use crate::{Finding, Fleet, document};

/// How old a connection gets: only then does a client ask for addresses again.
const AGE: Duration = Duration::from_secs(5);

/// Three addresses in a list: one instance is restarted, one is killed.
///
/// # Panics
/// Something does not come up.
pub async fn over_a_list(rate: u32, steady: Duration) -> Vec<Finding> {
    let mut fleet = Fleet::start(3, &[]).await;
    let addresses: Vec<_> = fleet.addresses().iter().map(ToString::to_string).collect();
    let mut client = Client::start(&format!("ipv4:{}", addresses.join(",")), rate).await;
    let mut findings = Vec::new();
    fleet.until_asked(0).await;
    findings.push(Finding::evenness("list: calls on each of three", &fleet.answered_in(steady).await));
    fleet.restart(0).await;
    fleet.until_asked(0).await;
    findings.push(Finding::evenness("list: after SIGTERM", &fleet.answered_in(steady).await));
    findings.extend(client.count("list: calls through SIGTERM").await);
    fleet.kill(1, Duration::from_millis(100), async || ()).await;
    fleet.until_asked(1).await;
    findings.extend(client.count("list: calls through SIGKILL").await);
    findings
}

/// A name that gets a fourth address.
///
/// # Panics
/// Something does not come up.
pub async fn over_a_name(rate: u32, steady: Duration) -> Vec<Finding> {
    let mut fleet = Fleet::start(3, &["--max-connection-age", &format!("{}s", AGE.as_secs())]).await;
    let target = format!("dns://{}/{NAME}:{}", fleet.headless().address(), fleet.port());
    let mut client = Client::start(&target, rate).await;
    let mut findings = Vec::new();
    fleet.until_asked(0).await;
    findings.push(Finding::evenness("name: calls on each of three", &fleet.answered_in(steady).await));
    fleet.add().await;
    let joined = fleet.until_asked(3).await;
    let share = format!("{:.1} s", joined.as_secs_f64());
    findings.push(Finding::new("name: a fourth has its share after", share, "10 s", joined <= 2 * AGE));
    findings.push(Finding::evenness("name: calls on each of four", &fleet.answered_in(steady).await));
    findings.extend(client.count("name: calls, connections end all the time").await);
    findings
}

/// The client, which asks until it is told to stop.
struct Client(Script);

impl Client {
    async fn start(target: &str, rate: u32) -> Client {
        let mut script = Script::start("balanced.py", &[target, &service_config()]);
        assert_eq!(script.ask(&format!("start {rate}")).await, "started");
        Client(script)
    }

    /// What became of the calls since this was asked last.
    async fn count(&mut self, what: &str) -> [Finding; 2] {
        // Calls that were begun before are over.
        sleep(Duration::from_secs(1)).await;
        let counted: Value = serde_json::from_str(&self.0.ask("count").await).expect("numbers");
        let (wrong, failed) = (&counted["wrong"], &counted["failed"]);
        let calls = &counted["calls"];
        [
            Finding::new(format!("{what}: wrong"), format!("{wrong} of {calls}"), "0", *wrong == 0),
            Finding::new(
                format!("{what}: failed"),
                format!("{failed} of {calls}"),
                "none",
                *failed == json!({}),
            ),
        ]
    }
}

/// The service config that the document tells clients to use.
fn service_config() -> String {
    let config: Value = serde_json::from_str(&document::block("json", "loadBalancingConfig")).expect("JSON");
    config.to_string()
}

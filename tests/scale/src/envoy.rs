//! Envoy with the project's own configuration.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::time::Duration;

use grpc_tests::server::PATIENCE;
use grpc_tests::{Folder, http};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use tokio::time::{sleep, timeout};

use crate::Fleet;

/// The workspace.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The configuration.
pub const CONFIG: &str = "deploy/envoy/envoy.yaml";

/// The package of Python that has Envoy, where `cargo xtask tools` installs it.
const LIBRARY: &str = "target/tools/envoy/lib";

/// A running Envoy; it is killed when the test is over.
pub struct Envoy {
    _process: Child,
    _folder: Folder,
    listener: SocketAddr,
    metrics: SocketAddr,
    admin: SocketAddr,
}

impl Envoy {
    /// Starts Envoy in front of these instances. Of its configuration only the ports are others, where names are
    /// resolved, and these texts.
    ///
    /// # Panics
    /// It does not come up.
    pub async fn start(fleet: &Fleet, changes: &[(&str, &str)]) -> Envoy {
        let [listener, metrics, admin] = free_ports();
        let mut config = std::fs::read_to_string(Path::new(ROOT).join(CONFIG)).expect("the configuration");
        for (old, new) in [("8080", listener.port()), ("9902", metrics.port()), ("9901", admin.port())] {
            change(&mut config, &format!("port_value: {old} "), &format!("port_value: {new} "));
        }
        change(&mut config, "port_value: 50051 ", &format!("port_value: {} ", fleet.port()));
        for (old, new) in changes {
            change(&mut config, old, new);
        }
        config.push_str(&resolver(fleet.headless().address()));
        let folder = Folder::new();
        let config = folder.write("envoy.yaml", &config);
        let process = command(&["--config-path", &config, "--log-level", "warning", "--disable-hot-restart"])
            .kill_on_drop(true)
            .spawn()
            .expect("Envoy starts");
        let envoy = Envoy { _process: process, _folder: folder, listener, metrics, admin };
        timeout(PATIENCE, envoy.until_ready()).await.expect("Envoy is ready in time");
        envoy
    }

    /// Where calls go.
    #[must_use]
    pub fn listener(&self) -> SocketAddr {
        self.listener
    }

    /// Where its metrics are.
    #[must_use]
    pub fn metrics(&self) -> SocketAddr {
        self.metrics
    }

    /// A number that it counts (`cluster.rules.upstream_rq_active`).
    ///
    /// # Panics
    /// There is none of this name.
    pub async fn stat(&self, name: &str) -> u64 {
        let answer = http::get(self.admin, &format!("/stats?filter=^{name}$")).await;
        let number = answer.body.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        number.unwrap_or_else(|| panic!("no {name} in {answer:?}")).trim().parse().expect("a number")
    }

    async fn until_ready(&self) {
        // It listens for calls when every cluster has been resolved and its health is known.
        for address in [self.admin, self.listener] {
            while TcpStream::connect(address).await.is_err() {
                sleep(Duration::from_millis(20)).await;
            }
        }
        while http::get(self.admin, "/ready").await.status != 200 {
            sleep(Duration::from_millis(20)).await;
        }
    }
}

/// What Envoy says of the configuration as it is.
///
/// # Panics
/// There is no Envoy.
pub async fn validate() -> Output {
    let path = Path::new(ROOT).join(CONFIG);
    let validate = ["--mode", "validate", "--log-level", "warning", "--config-path"];
    let path = path.to_str().expect("a path in UTF-8");
    command(&[&validate[..], &[path]].concat()).output().await.expect("Envoy starts")
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(program());
    command.args(arguments).stdin(Stdio::null());
    command
}

/// The program itself: what Python has on its path is a script.
fn program() -> PathBuf {
    let library = Path::new(ROOT).join(LIBRARY);
    let versions = std::fs::read_dir(&library).into_iter().flatten().filter_map(Result::ok);
    let mut programs = versions.map(|version| version.path().join("site-packages/envoy/_bin/envoy"));
    let program = programs.find(|program| program.is_file());
    program.unwrap_or_else(|| panic!("no Envoy below {}; `cargo xtask tools` installs it", library.display()))
}

/// Changes a text in every place where it stands.
fn change(config: &mut String, old: &str, new: &str) {
    assert!(config.contains(old), "{CONFIG} has no {old:?}");
    *config = config.replace(old, new);
}

/// The part of a configuration that says where names are resolved.
fn resolver(address: SocketAddr) -> String {
    format!(
        r#"
typed_dns_resolver_config:
  name: envoy.network.dns_resolver.cares
  typed_config:
    "@type": type.googleapis.com/envoy.extensions.network.dns_resolver.cares.v3.CaresDnsResolverConfig
    resolvers: [{{ socket_address: {{ address: {}, port_value: {} }} }}]
    dns_resolver_options: {{ no_default_search_domain: true }}
"#,
        address.ip(),
        address.port()
    )
}

/// Ports that are free.
fn free_ports() -> [SocketAddr; 3] {
    let listeners = [(); 3].map(|()| TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port"));
    listeners.map(|listener| listener.local_addr().expect("an address"))
}

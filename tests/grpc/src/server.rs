//! A running server.

use std::net::SocketAddr;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use proto::v1::arbiter_service_client::ArbiterServiceClient;
use proto::v1::{ValidateMoveRequest, ValidateMoveResponse};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, ChildStderr, Command};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};
use tonic::transport::{Channel, Endpoint};
use tonic_health::pb::health_client::HealthClient;

/// A client of the service.
pub type Client = ArbiterServiceClient<Channel>;

/// What takes longer than this has hung.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// A server process of one test's own; it is killed when the test is over.
pub struct Server {
    process: Child,
    address: SocketAddr,
    admin: Option<SocketAddr>,
    log: Arc<Mutex<String>>,
    /// Ends with the log.
    collector: JoinHandle<()>,
}

impl Server {
    /// Starts a server with default settings.
    ///
    /// # Panics
    /// It does not come up.
    pub async fn start() -> Server {
        Self::start_with(&[]).await
    }

    /// Starts a server with these flags.
    ///
    /// # Panics
    /// It does not come up.
    pub async fn start_with(flags: &[&str]) -> Server {
        let mut process = command(flags).kill_on_drop(true).spawn().expect("the binary starts");
        let mut lines = BufReader::new(process.stderr.take().expect("standard error")).lines();
        let (mut start, mut admin) = (String::new(), None);
        let address = timeout(PATIENCE, async {
            loop {
                let line = lines.next_line().await.expect("a log").expect("a line that names the address");
                start.push_str(&line);
                start.push('\n');
                if let Some((_, address)) = line.split_once("the admin port answers address=") {
                    admin = Some(address.trim().parse().expect("an address"));
                }
                if let Some((_, address)) = line.split_once("listening address=") {
                    return address.trim().parse().expect("an address");
                }
            }
        });
        let address = address.await.expect("the server listens in time");
        let log = Arc::new(Mutex::new(start));
        let collector = tokio::spawn(collect(lines, log.clone()));
        Server { process, address, admin, log, collector }
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where its admin port is.
    ///
    /// # Panics
    /// It has none: it was started without `--admin-listen 127.0.0.1:0`.
    #[must_use]
    pub fn admin(&self) -> SocketAddr {
        self.admin.expect("an admin port")
    }

    /// The process id.
    ///
    /// # Panics
    /// The process has ended.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.process.id().expect("the process runs")
    }

    /// A connection of its own.
    ///
    /// # Panics
    /// The server does not accept it.
    pub async fn channel(&self) -> Channel {
        self.endpoint().connect().await.expect("a connection")
    }

    /// How to connect, for tests that expect failure.
    ///
    /// # Panics
    /// Never: the address is one.
    #[must_use]
    pub fn endpoint(&self) -> Endpoint {
        Endpoint::from_shared(format!("http://{}", self.address)).expect("an address")
    }

    /// A client with a connection of its own.
    pub async fn client(&self) -> Client {
        ArbiterServiceClient::new(self.channel().await)
    }

    /// Asks about one move.
    ///
    /// # Panics
    /// The question is refused.
    pub async fn validate(&self, request: ValidateMoveRequest) -> ValidateMoveResponse {
        self.client().await.validate_move(request).await.expect("an answer").into_inner()
    }

    /// A client for the health service.
    pub async fn health(&self) -> HealthClient<Channel> {
        HealthClient::new(self.channel().await)
    }

    /// Sends a signal (`TERM`).
    ///
    /// # Panics
    /// The signal cannot be sent.
    pub async fn signal(&self, name: &str) {
        signal(self.pid(), name).await;
    }

    /// Waits for the end of the process.
    ///
    /// # Panics
    /// It does not end in time.
    pub async fn exit(&mut self) -> ExitStatus {
        timeout(PATIENCE, self.process.wait()).await.expect("the server ends in time").expect("a status")
    }

    /// What the server has logged so far.
    ///
    /// # Panics
    /// Never: nobody panics while holding the log.
    #[must_use]
    pub fn log(&self) -> String {
        self.log.lock().expect("the log").clone()
    }

    /// Waits until the server has logged a text.
    ///
    /// # Panics
    /// It does not.
    pub async fn wait_for_log(&self, text: &str) {
        self.wait_for_logs(text, 1).await;
    }

    /// Waits until the server has logged a text so many times.
    ///
    /// # Panics
    /// It does not.
    pub async fn wait_for_logs(&self, text: &str, times: usize) {
        let logged = async {
            while self.log().matches(text).count() < times {
                sleep(Duration::from_millis(10)).await;
            }
        };
        let logged = timeout(PATIENCE, logged).await;
        assert!(logged.is_ok(), "{text:?} is not {times} times in {}", self.log());
    }

    /// Where health alone is served.
    ///
    /// # Panics
    /// It is not: the server was started without `--health-listen 127.0.0.1:0`.
    #[must_use]
    pub fn health_address(&self) -> SocketAddr {
        let log = self.log();
        let (_, address) = log.split_once("health_address=").expect("an address for health");
        address.split_whitespace().next().expect("an address").parse().expect("an address")
    }

    /// A client for the health service on the address of its own.
    ///
    /// # Panics
    /// There is none, or it does not accept a connection.
    pub async fn health_alone(&self) -> HealthClient<Channel> {
        let endpoint = Endpoint::from_shared(format!("http://{}", self.health_address()));
        HealthClient::new(endpoint.expect("an address").connect().await.expect("a connection"))
    }

    /// What the server has logged until its end.
    ///
    /// # Panics
    /// It does not end.
    pub async fn whole_log(&mut self) -> String {
        timeout(PATIENCE, &mut self.collector).await.expect("an end of the log").expect("a log");
        self.log()
    }

    /// Stops the server at once, and returns all that it has logged: what is not in there was never logged, unless
    /// so much was that lines were lost.
    ///
    /// # Panics
    /// It does not end well.
    pub async fn stop(&mut self) -> String {
        // The second one, which is of another kind lest they be taken for one, cuts the first one short.
        self.signal("TERM").await;
        self.signal("INT").await;
        let status = self.exit().await;
        let log = self.whole_log().await;
        assert!(status.success(), "{status}: {log}");
        log
    }

    /// The memory that the process holds, in KiB.
    ///
    /// # Panics
    /// The process has ended, or the system has no `/proc`.
    #[must_use]
    pub fn resident_kib(&self) -> u64 {
        self.status("VmRSS:")
    }

    /// The threads of the process.
    ///
    /// # Panics
    /// The process has ended, or the system has no `/proc`.
    #[must_use]
    pub fn threads(&self) -> u64 {
        self.status("Threads:")
    }

    /// A number that the system knows of the process.
    fn status(&self, name: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.pid())).expect("a status");
        let line = status.lines().find_map(|line| line.strip_prefix(name)).expect("the number");
        line.trim().trim_end_matches(" kB").parse().expect("a number")
    }

    /// Waits until the server has nothing more to do.
    ///
    /// # Panics
    /// It goes on working.
    pub async fn wait_until_idle(&self) {
        // There is no event for "no more is done": wait until the processor time stands still.
        let idle = async {
            loop {
                let before = self.cpu_ticks();
                sleep(Duration::from_millis(200)).await;
                if self.cpu_ticks() <= before + 1 {
                    return;
                }
            }
        };
        timeout(PATIENCE, idle).await.expect("the server comes to rest");
    }

    /// The processor time that the threads of the process have used, those that have ended left out.
    ///
    /// # Panics
    /// The process has ended, or the system has no `/proc`.
    #[must_use]
    pub fn cpu_time(&self) -> Duration {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.pid())).expect("the threads");
        let nanos = tasks.filter_map(|task| {
            // A thread may end meanwhile.
            let times = std::fs::read_to_string(task.ok()?.path().join("schedstat")).ok()?;
            times.split_whitespace().next()?.parse::<u64>().ok()
        });
        Duration::from_nanos(nanos.sum())
    }

    /// The processor time that the process has used, in ticks of 10 ms.
    ///
    /// # Panics
    /// The process has ended, or the system has no `/proc`.
    #[must_use]
    pub fn cpu_ticks(&self) -> u64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.pid())).expect("a status");
        // The fields after the name, which stands in parentheses: utime and stime are the 12th and 13th.
        let fields = stat.rsplit(')').next().expect("fields").split_whitespace();
        fields.skip(11).take(2).map(|ticks| ticks.parse::<u64>().expect("a number")).sum()
    }
}

/// Sends a signal (`TERM`) to a process.
///
/// # Panics
/// It cannot be sent.
pub async fn signal(pid: u32, name: &str) {
    // The shell's own kill: the program is missing on a bare machine.
    let kill = format!("kill -{name} {pid}");
    let sent = Command::new("sh").args(["-c", &kill]).status().await;
    assert!(sent.expect("a shell runs").success());
}

/// The command that starts a server on a free port with these flags on top.
#[must_use]
pub fn command(flags: &[&str]) -> Command {
    let mut command = Command::new(crate::binary::path());
    // What is set for the tests is not meant for the server, which would refuse it.
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("ARBITER_") {
            command.env_remove(name);
        }
    }
    // Several servers run at once.
    for (flag, value) in [("--listen", "127.0.0.1:0"), ("--admin-listen", "off")] {
        if !flags.contains(&flag) {
            command.args([flag, value]);
        }
    }
    command.args(flags).stderr(Stdio::piped());
    command
}

async fn collect(mut lines: tokio::io::Lines<BufReader<ChildStderr>>, log: Arc<Mutex<String>>) {
    while let Ok(Some(line)) = lines.next_line().await {
        let mut log = log.lock().expect("the log");
        log.push_str(&line);
        log.push('\n');
    }
}

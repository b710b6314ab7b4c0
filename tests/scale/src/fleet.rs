//! Instances that can be stopped, killed, started again and added.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::time::Duration;

use grpc_tests::Server;
use grpc_tests::scrape::{Sample, Scrape};
use grpc_tests::server::PATIENCE;
use tokio::time::{Instant, sleep, timeout};

use crate::Headless;

/// The most that there can be.
const MOST: u8 = 4;

/// Instances of the service on addresses of their own, all on one port, with a name for all of them.
pub struct Fleet {
    headless: Headless,
    port: u16,
    flags: Vec<String>,
    instances: Vec<Server>,
}

impl Fleet {
    /// Starts so many instances with these flags.
    ///
    /// # Panics
    /// One does not come up.
    pub async fn start(count: usize, flags: &[&str]) -> Fleet {
        let mut fleet = Fleet {
            headless: Headless::start().await,
            port: free_port(),
            flags: flags.iter().map(|&flag| flag.to_owned()).collect(),
            instances: Vec::new(),
        };
        for _ in 0..count {
            fleet.add().await;
        }
        fleet
    }

    /// What tells the addresses of all.
    #[must_use]
    pub fn headless(&self) -> &Headless {
        &self.headless
    }

    /// The port of all.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Where they are.
    #[must_use]
    pub fn addresses(&self) -> Vec<SocketAddr> {
        self.instances.iter().map(Server::address).collect()
    }

    /// Starts one more, and has its address told.
    ///
    /// # Panics
    /// It does not come up.
    pub async fn add(&mut self) {
        let index = self.instances.len();
        let instance = self.begin(index).await;
        self.instances.push(instance);
        self.headless.add(host(index));
    }

    /// Tells an instance to stop, waits until it has, and starts it again.
    ///
    /// # Panics
    /// It does not stop as it should, or does not come up.
    pub async fn restart(&mut self, index: usize) {
        self.instances[index].signal("TERM").await;
        let status = self.instances[index].exit().await;
        assert!(status.success(), "{status}: {}", self.instances[index].log());
        self.instances[index] = self.begin(index).await;
    }

    /// Stops the clock of an instance for so long, so that calls are in flight on it, and kills it. What `look` says
    /// just before is returned. Then it is started again.
    ///
    /// # Panics
    /// It does not come up.
    pub async fn kill<T>(&mut self, index: usize, stopped: Duration, look: impl AsyncFnOnce() -> T) -> T {
        self.instances[index].signal("STOP").await;
        sleep(stopped).await;
        let seen = look().await;
        self.instances[index].signal("KILL").await;
        self.instances[index].exit().await;
        self.instances[index] = self.begin(index).await;
        seen
    }

    /// The metrics of each.
    pub async fn scrapes(&self) -> Vec<Scrape> {
        let mut scrapes = Vec::new();
        for instance in &self.instances {
            scrapes.push(Scrape::of(instance.admin()).await);
        }
        scrapes
    }

    /// How many calls of the service each has answered or refused since it was started.
    pub async fn answered(&self) -> Vec<f64> {
        self.sums("rpc_server_call_duration_seconds_count", "arbiter.v1.").await
    }

    /// How many calls each has refused for overload since it was started.
    pub async fn shed(&self) -> Vec<f64> {
        self.sums("arbiter_calls_shed_total", "arbiter.v1.").await
    }

    /// How many calls each answers in so much time.
    pub async fn answered_in(&self, time: Duration) -> Vec<f64> {
        let before = self.answered().await;
        sleep(time).await;
        let after = self.answered().await;
        after.iter().zip(before).map(|(after, before)| after - before).collect()
    }

    /// Waits until an instance has nearly its even share of the calls of a second, and says how long that took.
    ///
    /// # Panics
    /// It never has.
    pub async fn until_asked(&self, index: usize) -> Duration {
        let begin = Instant::now();
        let asked = async {
            loop {
                let calls = self.answered_in(Duration::from_secs(1)).await;
                let even = calls.iter().sum::<f64>() / calls.len() as f64;
                if calls[index] > 0.0 && calls[index] >= 0.9 * even {
                    return;
                }
            }
        };
        let asked = timeout(2 * PATIENCE, asked).await;
        assert!(asked.is_ok(), "instance {index} of {:?}", self.answered().await);
        begin.elapsed()
    }

    async fn begin(&self, index: usize) -> Server {
        let listen = SocketAddr::from((host(index), self.port)).to_string();
        let mut flags = vec!["--listen", &listen, "--admin-listen", "127.0.0.1:0"];
        flags.extend(self.flags.iter().map(String::as_str));
        Server::start_with(&flags).await
    }

    /// The sums of a metric over all methods whose names begin so.
    async fn sums(&self, metric: &str, methods: &str) -> Vec<f64> {
        let of_methods = |sample: &Sample| {
            let method = sample.labels.get("rpc_method");
            sample.name == metric && method.is_some_and(|method| method.starts_with(methods))
        };
        let scrapes = self.scrapes().await;
        let samples = scrapes.iter().map(|scrape| scrape.samples().into_iter().filter(of_methods));
        samples.map(|samples| samples.map(|sample| sample.value).sum()).collect()
    }
}

fn host(index: usize) -> Ipv4Addr {
    let index = u8::try_from(index).expect("few instances");
    assert!(index < MOST, "there is a free port for {MOST} instances only");
    Ipv4Addr::new(127, 0, 0, 2 + index)
}

/// A port that is free on every address.
fn free_port() -> u16 {
    for _ in 0..100 {
        let first = TcpListener::bind((host(0), 0)).expect("a port");
        let port = first.local_addr().expect("an address").port();
        if (1..MOST).all(|index| TcpListener::bind((host(index.into()), port)).is_ok()) {
            return port;
        }
    }
    panic!("no port is free on {MOST} addresses");
}

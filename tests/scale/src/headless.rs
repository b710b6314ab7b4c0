//! The name of a headless Service: a DNS server that tells the addresses of all instances.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use simple_dns::rdata::{A, RData};
use simple_dns::{CLASS, Packet, QTYPE, ResourceRecord, TYPE};
use tokio::net::UdpSocket;
use tokio::task::JoinHandle;
use tokio::time::sleep;

/// The name that `deploy/envoy/envoy.yaml` and the documents use.
pub const NAME: &str = "arbiter-headless";

/// How long an answer may be kept, in seconds.
const TTL: u32 = 1;

/// The DNS server.
pub struct Headless {
    address: SocketAddr,
    instances: Arc<Mutex<Vec<Ipv4Addr>>>,
    task: JoinHandle<()>,
}

impl Headless {
    /// Starts it on a free port, with no addresses to tell.
    ///
    /// # Panics
    /// There is no port.
    pub async fn start() -> Headless {
        let socket = UdpSocket::bind("127.0.0.1:0").await.expect("a port");
        let address = socket.local_addr().expect("an address");
        let instances = Arc::new(Mutex::new(Vec::new()));
        let task = tokio::spawn(serve(socket, instances.clone()));
        Headless { address, instances, task }
    }

    /// Where it answers.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Tells one address more.
    ///
    /// # Panics
    /// Never: nobody panics while holding the addresses.
    pub fn add(&self, instance: Ipv4Addr) {
        self.instances.lock().expect("addresses").push(instance);
    }
}

impl Drop for Headless {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(socket: UdpSocket, instances: Arc<Mutex<Vec<Ipv4Addr>>>) {
    // The longest message without extensions.
    let mut query = [0; 512];
    loop {
        let Ok((length, client)) = socket.recv_from(&mut query).await else {
            // An ICMP message of a client that is gone shows as an error here. One that lasts must not spin.
            sleep(Duration::from_millis(10)).await;
            continue;
        };
        let instances = instances.lock().expect("addresses").clone();
        if let Some(reply) = reply(&query[..length], &instances) {
            let _ = socket.send_to(&reply, client).await;
        }
    }
}

/// The answer to a query: addresses if these were asked for, else that there is nothing.
fn reply(query: &[u8], instances: &[Ipv4Addr]) -> Option<Vec<u8>> {
    let query = Packet::parse(query).ok()?;
    let mut reply = Packet::new_reply(query.id());
    for question in &query.questions {
        let asks_us = question.qname.to_string().trim_end_matches('.') == NAME;
        if asks_us && question.qtype == QTYPE::TYPE(TYPE::A) {
            reply.answers.extend(instances.iter().map(|&instance| {
                ResourceRecord::new(question.qname.clone(), CLASS::IN, TTL, RData::A(A::from(instance)))
            }));
        }
    }
    reply.questions = query.questions;
    reply.build_bytes_vec().ok()
}

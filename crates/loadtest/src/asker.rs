//! Asks prepared questions over several connections in turn.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fastrand::Rng;
use http::{HeaderMap, HeaderName, HeaderValue, Method as HttpMethod, Request, Version, header};
use tokio::time::{sleep, timeout};
use tonic::Code;

use crate::call::{self, Ended, Outcome, grpc_timeout};
use crate::connection::Connection;
use crate::exit::Failure;
use crate::limits::RECONNECT_PAUSE;
use crate::method::Method;
use crate::mix::Mix;
use crate::questions::Question;

/// After the deadline that the server is told, the time that its answer may still take.
const GRACE: Duration = Duration::from_millis(500);

/// How often a call is sent again that a server which goes away has not taken.
const MAX_RETRIES: u32 = 2;

/// What is asked, and over which connections.
pub(crate) struct Asker {
    connections: Vec<Arc<Connection>>,
    questions: BTreeMap<Method, Vec<Question>>,
    mix: Mix,
    headers: HeaderMap,
    deadline: Duration,
    /// Every how many-th answer is read; the others are only counted.
    check_every: u64,
    turn: RefCell<Turn>,
}

/// Whose turn it is.
struct Turn {
    random: Rng,
    calls: u64,
    next: [usize; Method::COUNT],
    retries: u64,
}

/// A call that is about to be made.
#[derive(Clone, Copy)]
pub(crate) struct Call {
    method: Method,
    question: usize,
    connection: usize,
    reads: bool,
}

/// What an asker does.
pub(crate) struct Manner {
    /// Which questions are asked how often.
    pub(crate) mix: Mix,
    /// A token that the service wants to see.
    pub(crate) token: Option<HeaderValue>,
    /// The time that a call is given.
    pub(crate) deadline: Duration,
    /// Every how many-th answer is read.
    pub(crate) check_every: u64,
    /// Chance, repeatably.
    pub(crate) seed: u64,
}

impl Asker {
    /// An asker of these questions.
    ///
    /// # Errors
    /// The deadline cannot be written.
    pub(crate) fn new(
        connections: Vec<Arc<Connection>>,
        questions: BTreeMap<Method, Vec<Question>>,
        manner: Manner,
    ) -> Result<Rc<Self>, Failure> {
        let mut headers = HeaderMap::new();
        headers.insert(header::TE, HeaderValue::from_static("trailers"));
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/grpc"));
        let agent = concat!("arbiter-load/", env!("CARGO_PKG_VERSION"));
        headers.insert(header::USER_AGENT, HeaderValue::from_static(agent));
        let timeout =
            HeaderValue::try_from(grpc_timeout(manner.deadline)).map_err(|error| error.to_string())?;
        headers.insert(HeaderName::from_static("grpc-timeout"), timeout);
        headers.extend(manner.token.map(|token| (header::AUTHORIZATION, token)));
        let random = Rng::with_seed(manner.seed);
        Ok(Rc::new(Self {
            connections,
            questions,
            mix: manner.mix,
            headers,
            deadline: manner.deadline,
            check_every: manner.check_every.max(1),
            turn: RefCell::new(Turn { random, calls: 0, next: [0; Method::COUNT], retries: 0 }),
        }))
    }

    /// Decides on the next call.
    pub(crate) fn next(&self) -> Call {
        let mut turn = self.turn.borrow_mut();
        let method = self.mix.choose(&mut turn.random);
        let count = self.questions.get(&method).map_or(1, Vec::len);
        let question = turn.next[method as usize] % count;
        turn.next[method as usize] += 1;
        let number = turn.calls;
        turn.calls += 1;
        let connections = self.connections.len() as u64;
        let connection = usize::try_from(number % connections).unwrap_or_default();
        Call { method, question, connection, reads: number.is_multiple_of(self.check_every) }
    }

    /// The question of a call.
    pub(crate) fn question(&self, call: Call) -> &Question {
        &self.questions[&call.method][call.question]
    }

    /// What is called.
    pub(crate) fn method(call: Call) -> Method {
        call.method
    }

    /// Makes a call.
    pub(crate) async fn ask(&self, call: Call) -> Ended {
        match timeout(self.deadline + GRACE, self.ask_or_retry(call)).await {
            Ok(ended) => ended,
            Err(_) => {
                let reason = "no answer after the deadline".to_owned();
                (Instant::now(), Outcome::Failed { code: Code::DeadlineExceeded, reason })
            }
        }
    }

    /// How often calls were sent again.
    pub(crate) fn retries(&self) -> u64 {
        self.turn.borrow().retries
    }

    /// How often connections were made again.
    pub(crate) fn reconnects(&self) -> u64 {
        self.connections.iter().map(|connection| connection.reconnects()).sum()
    }

    /// Calls again what a server has not taken because it closes the connection, as every gRPC client does.
    async fn ask_or_retry(&self, call: Call) -> Ended {
        let question = self.question(call);
        let connection = &self.connections[call.connection];
        let mut tries = 0;
        loop {
            let (number, sender) = match connection.link().await {
                Ok(link) => link,
                Err(_) => {
                    // Whoever asks without a pause would do nothing but count errors.
                    sleep(RECONNECT_PAUSE).await;
                    let reason = "no connection".to_owned();
                    return (Instant::now(), Outcome::Failed { code: Code::Unavailable, reason });
                }
            };
            let request = self.request(connection, call.method);
            match call::ask(sender, request, question, call.reads).await {
                Ok(ended) => return ended,
                Err(refused) => {
                    connection.lose(number);
                    if tries == MAX_RETRIES {
                        return (Instant::now(), call::broken(&refused.0));
                    }
                    tries += 1;
                    self.turn.borrow_mut().retries += 1;
                }
            }
        }
    }

    fn request(&self, connection: &Connection, method: Method) -> Request<()> {
        let place = connection.place();
        let mut request = Request::new(());
        *request.method_mut() = HttpMethod::POST;
        *request.version_mut() = Version::HTTP_2;
        *request.uri_mut() = place.uri(method);
        *request.headers_mut() = self.headers.clone();
        request
    }
}

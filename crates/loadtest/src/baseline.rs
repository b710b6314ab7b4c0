//! The service beside an echo: what a question costs beyond a call that asks nothing.
//!
//! Both are driven in one run, in turn, with messages of the same sizes. Ratios of one run can be compared;
//! absolute numbers depend on the machine and on what else it does.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use bytes::BytesMut;
use clap::Args;
use prost::Message as _;
use serde::Serialize;

use crate::answers::Expected;
use crate::asker::{Asker, Manner};
use crate::bench_server::BenchServer;
use crate::connection::Connection;
use crate::cores::Cores;
use crate::corpus::{self, Game};
use crate::cpu;
use crate::echo::pb::EchoRequest;
use crate::exit::{Exit, Failure};
use crate::frame::{self, Reader};
use crate::games_file::exchange;
use crate::limits::MAX_DEADLINE;
use crate::method::Method;
use crate::mix::Mix;
use crate::output::{AT_ITS_LIMIT, JsonOutput, say};
use crate::plan::{Pace, Plan};
use crate::questions::{Question, Taste, Wanted, prepare};
use crate::record::{Recorder, Tally};
use crate::run::{on_this_thread, put_on};
use crate::target::Target;
use crate::values::{parse_connections, parse_duration, parse_in_flight, parse_items};

/// Plies of history where there is history.
const HISTORY: usize = 40;

/// Questions of each case: as many as cover the corpus, and few enough to be asked once beforehand.
const ASKED: usize = 512;

/// Compare the service with a bare echo whose messages have the same sizes, in one run.
#[derive(Debug, Args)]
pub(crate) struct Baseline {
    /// The program of the service, which is started for this.
    #[arg(long, value_name = "PATH", required_unless_present = "target", conflicts_with = "target")]
    server_binary: Option<PathBuf>,
    /// Address of a service that runs on this machine.
    #[arg(long, value_name = "HOST:PORT", requires = "pid")]
    target: Option<Target>,
    /// The process of that service.
    #[arg(long, value_name = "PID", requires = "target")]
    pid: Option<u32>,
    /// Calls in flight.
    #[arg(long, value_name = "N", default_value = "64", value_parser = parse_in_flight)]
    in_flight: usize,
    /// Connections.
    #[arg(long, value_name = "N", default_value = "4", value_parser = parse_connections)]
    connections: usize,
    /// Streams in flight, in the cases with streams.
    #[arg(long, value_name = "N", default_value = "4", value_parser = parse_in_flight)]
    streams: usize,
    /// Requests in a stream.
    #[arg(long, value_name = "N", default_value = "1000", value_parser = parse_items)]
    items: usize,
    /// Turns of each of the two, in each case.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    rounds: u32,
    /// How long a turn is.
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = parse_duration)]
    duration: Duration,
    /// Cores on which service and echo run, if they are started here: `0`, or `0,1`.
    #[arg(long, value_name = "CORES")]
    server_cores: Option<Cores>,
    /// Cores on which the generator runs.
    #[arg(long, value_name = "CORES")]
    client_cores: Option<Cores>,
    /// Read every N-th answer and see whether it is right. The generator is then less in the way.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    check_every: u64,
    #[command(flatten)]
    output: JsonOutput,
}

/// What is compared.
struct Case {
    name: &'static str,
    method: Method,
    peer: Method,
    history: usize,
    view: Wanted,
}

const CASES: [Case; 4] = [
    Case {
        name: "ValidateMove, position only",
        method: Method::ValidateMove,
        peer: Method::Echo,
        history: 0,
        view: Wanted::Full,
    },
    Case {
        name: "ValidateMove, 40 plies of history",
        method: Method::ValidateMove,
        peer: Method::Echo,
        history: HISTORY,
        view: Wanted::Full,
    },
    Case {
        name: "ValidateMoves, BASIC",
        method: Method::ValidateMoves,
        peer: Method::EchoStream,
        history: 0,
        view: Wanted::Basic,
    },
    Case {
        name: "ValidateMoves, FULL",
        method: Method::ValidateMoves,
        peer: Method::EchoStream,
        history: 0,
        view: Wanted::Full,
    },
];

/// What one of the two has done.
#[derive(Debug, Clone, Copy, Default, Serialize)]
struct Done {
    /// Messages that were answered: calls, or requests in streams.
    answers: u64,
    /// How long it took, in seconds.
    wall_s: f64,
    /// What the server's process used, in seconds.
    cpu_s: f64,
    /// What the generator used, in seconds. Near `wall_s`, it was the generator that was at its limit.
    generator_cpu_s: f64,
}

/// The two, side by side.
#[derive(Debug, Serialize)]
struct Comparison {
    case: &'static str,
    /// Mean bytes of a request and of an answer.
    request_bytes: f64,
    answer_bytes: f64,
    echo: Done,
    service: Done,
    /// The service's answers a second, over the echo's.
    rate_ratio: f64,
    /// The service's processor time for an answer, over the echo's.
    cpu_ratio: f64,
    /// The service's answers for a second of processor time.
    answers_per_cpu_s: f64,
}

/// All of it.
#[derive(Debug, Serialize)]
struct Results {
    version: &'static str,
    /// How finely the system tells processor time.
    cpu_resolution_s: f64,
    in_flight: usize,
    connections: usize,
    streams: usize,
    items: usize,
    rounds: u32,
    cases: Vec<Comparison>,
}

/// One of the two, ready to be asked.
struct Side {
    asker: Rc<Asker>,
    pid: u32,
    done: Done,
}

impl Baseline {
    /// Compares.
    ///
    /// # Errors
    /// What could not be started, reached or asked.
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        let echo = BenchServer::echo(self.server_cores.as_ref())?;
        let server = self.server_binary.as_deref();
        let server =
            server.map(|binary| BenchServer::service(binary, self.server_cores.as_ref())).transpose()?;
        let (target, pid) = match (&server, &self.target, self.pid) {
            (Some(server), ..) => (server.address.parse()?, server.pid()),
            (None, Some(target), Some(pid)) => (target.clone(), pid),
            _ => return Err("--server-binary, or --target and --pid".to_owned()),
        };
        if let Some(cores) = &self.client_cores {
            cores.take()?;
        }
        on_this_thread(async {
            let service = self.connect(&target).await?;
            let echo_connections = self.connect(&echo.address.parse()?).await?;
            let games = corpus::built_in()?;
            let mut cases = Vec::new();
            for case in &CASES {
                let both = self.sides(case, &games, (&service, pid), (&echo_connections, echo.pid()));
                match self.compare(case, both.await?).await? {
                    Ok(result) => cases.push(result),
                    Err(exit) => return Ok(exit),
                }
            }
            self.tell(cases)?;
            Ok(Exit::Met)
        })
    }

    async fn connect(&self, target: &Target) -> Result<Vec<Arc<Connection>>, Failure> {
        let places = target.resolve(None).await?;
        let place = places.first().ok_or("a target without an address")?;
        let mut connections = Vec::with_capacity(self.connections);
        for _ in 0..self.connections {
            connections.push(Connection::open(place.clone()).await?);
        }
        Ok(connections)
    }

    /// Both sides of a case, with the mean sizes of requests and answers.
    async fn sides(
        &self,
        case: &Case,
        games: &[Game],
        service: (&[Arc<Connection>], u32),
        echo: (&[Arc<Connection>], u32),
    ) -> Result<([Side; 2], [f64; 2]), Failure> {
        let taste = Taste {
            history: case.history,
            illegal: 0.2,
            view: case.view,
            items: self.items,
            nodes: 1,
            seed: 1,
        };
        let mut questions = prepare(case.method, games, &taste)?;
        questions.truncate(ASKED);
        let connection = service.0.first().ok_or("no connection")?;
        let (mut echoes, mut totals, mut count) = (Vec::new(), [0, 0], 0_u32);
        for question in &questions {
            let answers = exchange(connection, None, case.method, question.body.clone()).await?;
            let sizes = sizes(question, answers.iter().map(bytes::Bytes::len))?;
            count += u32::try_from(sizes.len()).unwrap_or(u32::MAX);
            for (request, answer) in &sizes {
                totals = [totals[0] + request, totals[1] + answer];
            }
            echoes.push(echo_of(case.peer, &sizes));
        }
        #[allow(clippy::cast_precision_loss, reason = "some megabytes")]
        let means = totals.map(|total| total as f64 / f64::from(count.max(1)));
        let side = |of: (&[Arc<Connection>], u32), method, questions| {
            let manner = Manner {
                mix: Mix::only(method),
                token: None,
                deadline: MAX_DEADLINE,
                check_every: self.check_every,
                seed: 1,
            };
            let asker = Asker::new(of.0.to_vec(), BTreeMap::from([(method, questions)]), manner)?;
            Ok::<_, Failure>(Side { asker, pid: of.1, done: Done::default() })
        };
        Ok(([side(echo, case.peer, echoes)?, side(service, case.method, questions)?], means))
    }

    /// Drives both in turn. The inner error is how the program ends when an answer was wrong or missing.
    async fn compare(
        &self,
        case: &Case,
        (mut sides, [request_bytes, answer_bytes]): ([Side; 2], [f64; 2]),
    ) -> Result<Result<Comparison, Exit>, Failure> {
        let in_flight = if case.peer == Method::Echo { self.in_flight } else { self.streams };
        // The first turn of each warms up and does not count.
        for round in 0..=self.rounds {
            for side in &mut sides {
                let duration = if round == 0 { self.duration / 4 } else { self.duration };
                let plan =
                    Plan { pace: Pace::Closed { in_flight }, warm_up: Duration::ZERO, duration, seed: 1 };
                let (before, own) = (cpu::used(side.pid)?, cpu::own());
                let (recorder, times) = put_on(&side.asker, plan).await?;
                let wall = times.begin.elapsed();
                let cpu = cpu::used(side.pid)?.saturating_sub(before);
                let total = recorder.total();
                if let Some(exit) = complaint(&recorder, &total)? {
                    return Ok(Err(exit));
                }
                if round > 0 {
                    side.done.answers += total.messages;
                    side.done.wall_s += wall.as_secs_f64();
                    side.done.cpu_s += cpu.as_secs_f64();
                    side.done.generator_cpu_s += (cpu::own() - own).as_secs_f64();
                }
            }
        }
        let [echo, service] = sides.map(|side| side.done);
        Ok(Ok(Comparison {
            case: case.name,
            request_bytes,
            answer_bytes,
            echo,
            service,
            rate_ratio: service.rate() / echo.rate(),
            cpu_ratio: service.cpu_micros() / echo.cpu_micros(),
            answers_per_cpu_s: 1e6 / service.cpu_micros(),
        }))
    }

    fn tell(&self, cases: Vec<Comparison>) -> Result<(), Failure> {
        let results = Results {
            version: env!("CARGO_PKG_VERSION"),
            cpu_resolution_s: cpu::resolution().as_secs_f64(),
            in_flight: self.in_flight,
            connections: self.connections,
            streams: self.streams,
            items: self.items,
            rounds: self.rounds,
            cases,
        };
        self.output.write(&results)?;
        if self.output.has_standard_output() { Ok(()) } else { say(&table(&results)) }
    }
}

impl Done {
    /// Answers a second.
    #[allow(clippy::cast_precision_loss, reason = "2^52 answers take longer than any run")]
    fn rate(&self) -> f64 {
        self.answers as f64 / self.wall_s
    }

    /// Microseconds of processor time for an answer.
    #[allow(clippy::cast_precision_loss, reason = "2^52 answers take longer than any run")]
    fn cpu_micros(&self) -> f64 {
        self.cpu_s * 1e6 / self.answers as f64
    }
}

/// What makes a comparison worthless, told on standard error.
fn complaint(recorder: &Recorder, total: &Tally) -> Result<Option<Exit>, Failure> {
    if let Some(example) = recorder.wrong_answers.first() {
        eprintln!("a wrong answer of {}: {}\n  {}", example.method, example.wrong, example.request);
        return Ok(Some(Exit::Wrong));
    }
    match total.errors.first_key_value() {
        Some((reason, count)) => Err(format!("{count} calls failed: {reason}")),
        None if total.messages == 0 => Err("nothing was answered; give it a longer --duration".to_owned()),
        None => Ok(None),
    }
}

/// The sizes of the requests of a question and of their answers, in bytes.
fn sizes(
    question: &Question,
    answers: impl ExactSizeIterator<Item = usize>,
) -> Result<Vec<(usize, usize)>, Failure> {
    let mut reader = Reader::default();
    reader.push(question.body.clone());
    let mut requests = Vec::new();
    while let Some(request) = reader.next()? {
        requests.push(request.len());
    }
    if requests.len() != answers.len() {
        return Err(format!(
            "{} answers to {} requests of {}",
            answers.len(),
            requests.len(),
            question.method
        ));
    }
    Ok(requests.into_iter().zip(answers).collect())
}

/// A question to the echo whose messages are of these sizes.
fn echo_of(peer: Method, sizes: &[(usize, usize)]) -> Question {
    let mut body = BytesMut::new();
    let mut payloads = Vec::with_capacity(sizes.len());
    for (request_bytes, answer_bytes) in sizes {
        let payload = payload_within(*answer_bytes);
        payloads.push(payload);
        let mut request =
            EchoRequest { answer_bytes: u32::try_from(payload).unwrap_or(u32::MAX), payload: Vec::new() };
        let rest = request_bytes.saturating_sub(request.encoded_len());
        request.payload = vec![b'.'; payload_within(rest)];
        frame::write(&request, &mut body);
    }
    let text = format!("{} echoes", sizes.len());
    Question { method: peer, body: body.freeze(), expected: Expected::Echo(payloads), text }
}

/// How long a payload is that makes so many bytes together with its tag and its length.
fn payload_within(bytes: usize) -> usize {
    let length = |payload: usize| 1 + prost::length_delimiter_len(payload) + payload;
    let guess = bytes.saturating_sub(2);
    if length(guess) <= bytes { guess } else { bytes.saturating_sub(3) }
}

fn table(results: &Results) -> String {
    let mut text = format!(
        "{:<34} {:>7} {:>7} {:>11} {:>11} {:>6} {:>9} {:>9} {:>6} {:>13}\n",
        "", "request", "answer", "echo/s", "service/s", "ratio", "echo µs", "serv. µs", "ratio", "per CPU s"
    );
    for it in &results.cases {
        // Writing to a String does not fail.
        let _ = writeln!(
            text,
            "{:<34} {:>7.0} {:>7.0} {:>11.0} {:>11.0} {:>6.2} {:>9.2} {:>9.2} {:>6.2} {:>13.0}",
            it.case,
            it.request_bytes,
            it.answer_bytes,
            it.echo.rate(),
            it.service.rate(),
            it.rate_ratio,
            it.echo.cpu_micros(),
            it.service.cpu_micros(),
            it.cpu_ratio,
            it.answers_per_cpu_s,
        );
    }
    let is_limit = |done: &Done| done.generator_cpu_s > AT_ITS_LIMIT * done.wall_s;
    if results.cases.iter().any(|it| is_limit(&it.echo) || is_limit(&it.service)) {
        text.push_str("\nThe generator was at its limit: rates are its own where the ratio is near 1; processor times are right.\n");
    }
    let least =
        results.cases.iter().flat_map(|it| [it.echo.cpu_s, it.service.cpu_s]).fold(f64::MAX, f64::min);
    let _ = writeln!(
        text,
        "\nSizes in bytes, means. µs: processor time of the server's process for an answer, told in steps of {:.0} ms: within {:.1} % here.",
        results.cpu_resolution_s * 1e3,
        // What a turn used is told to within a step.
        100.0 * f64::from(results.rounds) * results.cpu_resolution_s / least.max(results.cpu_resolution_s),
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_echo_has_the_sizes_that_it_should_have() {
        for size in [20, 74, 127, 128, 129, 190, 300, 5_000] {
            let question = echo_of(Method::Echo, &[(size, size)]);
            let length = question.body.len() - 5;
            assert!((size - 1..=size).contains(&length), "{length} instead of {size}");
            let Expected::Echo(payloads) = question.expected else { panic!("no echo") };
            let answer = crate::echo::pb::EchoResponse { payload: vec![0; payloads[0]] }.encoded_len();
            assert!((size - 1..=size).contains(&answer), "{answer} instead of {size}");
        }
    }
}

//! Puts a load on the service once.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, ValueEnum};
use http::HeaderValue;
use tokio::task::LocalSet;

use crate::asker::{Asker, Manner};
use crate::connection::Connection;
use crate::corpus::{self, Game};
use crate::cpu;
use crate::exit::Failure;
use crate::figures::Latencies;
use crate::games_file::{self, Played};
use crate::limits::MAX_TOKEN_BYTES;
use crate::mix::Mix;
use crate::open_loop::{self, OpenLoop};
use crate::plan::{Pace, Plan};
use crate::progress;
use crate::questions::{self, Taste, Wanted};
use crate::record::Recorder;
use crate::report::{FORMAT, Figures, Generator, Report, Settings};
use crate::slo::Slo;
use crate::target::Target;
use crate::values::{parse_connections, parse_deadline, parse_history, parse_items, parse_share, read_file};
use crate::{closed_loop, tls};

/// Beyond this, the 99th percentile of its own delay, the generator is too slow for what was asked of it.
const TOO_LATE: Duration = Duration::from_millis(2);

/// Where the service is.
#[derive(Debug, Clone, Args)]
pub(crate) struct Whereto {
    /// Address of the service; several are used in turn. A name that stands for several addresses means all of
    /// them.
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:50051")]
    pub(crate) target: Vec<Target>,
    /// Connections, over all targets.
    #[arg(long, value_name = "N", default_value = "4", value_parser = parse_connections)]
    pub(crate) connections: usize,
    /// Speak TLS, and trust the certificates that these have signed (PEM).
    #[arg(long, value_name = "FILE")]
    pub(crate) ca: Option<PathBuf>,
    /// The generator's own certificate (PEM).
    #[arg(long, value_name = "FILE", requires_all = ["key", "ca"])]
    pub(crate) cert: Option<PathBuf>,
    /// The key of that certificate (PEM).
    #[arg(long, value_name = "FILE", requires = "cert")]
    pub(crate) key: Option<PathBuf>,
    /// Send the token that is in this file with every call.
    #[arg(long, value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,
}

/// What is asked.
#[derive(Debug, Clone, Args)]
pub(crate) struct What {
    /// Which RPCs, with weights: `ValidateMove=80,LegalMoves=10,GameStatus=5,ReplayGame=4,Search=1`.
    #[arg(long, value_name = "MIX", default_value = "ValidateMove")]
    pub(crate) mix: Mix,
    /// Ask about the games of this file (PGN, or a game a line in UCI) and not about those that are built in.
    /// The service is asked for their positions first.
    #[arg(long, value_name = "FILE")]
    pub(crate) games: Option<PathBuf>,
    /// Of the games that are built in, ask about those of this variant alone. Of a file: what is played there
    /// where it does not say so itself, chess unless told otherwise.
    #[arg(long, value_enum)]
    pub(crate) variant: Option<Played>,
    /// Plies of history before each position; 0: the position alone.
    #[arg(long, value_name = "PLIES", default_value = "0", value_parser = parse_history)]
    pub(crate) history: usize,
    /// The share of moves that are not legal.
    #[arg(long, value_name = "SHARE", default_value = "20%", value_parser = parse_share)]
    pub(crate) illegal: f64,
    /// How much of an answer about a move is asked for.
    #[arg(long, value_enum, default_value_t = Wanted::Full)]
    pub(crate) view: Wanted,
    /// Requests in a `ValidateMoves` stream.
    #[arg(long, value_name = "N", default_value = "100", value_parser = parse_items)]
    pub(crate) items: usize,
    /// Positions that a `Search` may look at.
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) nodes: u64,
    /// The time that a call is given.
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = parse_deadline)]
    pub(crate) deadline: Duration,
    /// Read every N-th answer and see whether it is right; of the others, only the status and the number of
    /// messages.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) check_every: u64,
    /// The same number asks the same questions in the same order.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
}

/// Connections and questions, ready to be used once or more.
pub(crate) struct Session {
    connections: Vec<Arc<Connection>>,
    games: Vec<Game>,
    what: What,
    token: Option<HeaderValue>,
    settings: Settings,
}

/// Runs something that talks to the network, on this thread alone.
///
/// # Errors
/// The system has no event queue, or what was run failed.
pub(crate) fn on_this_thread<T>(work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| format!("no runtime: {error}"))?;
    LocalSet::new().block_on(&runtime, work)
}

impl Session {
    /// Connects, and gets the games.
    ///
    /// # Errors
    /// What cannot be reached, or which file cannot be used.
    pub(crate) async fn open(whereto: &Whereto, what: &What) -> Result<Self, Failure> {
        let token = whereto.token_file.as_deref().map(|path| {
            let bytes = read_file(path, MAX_TOKEN_BYTES)?;
            let text = [b"Bearer ", bytes.trim_ascii()].concat();
            HeaderValue::try_from(text)
                .map_err(|_| format!("{}: no token in one line of ASCII", path.display()))
        });
        let token = token.transpose()?;
        let connections = connect(whereto).await?;
        let games = match &what.games {
            None => built_in(what.variant)?,
            Some(path) => {
                let played = what.variant.unwrap_or(Played::Chess);
                games_file::load(path, played, &connections, token.as_ref()).await?
            }
        };
        let name = |value: &dyn std::fmt::Debug| format!("{value:?}").to_lowercase();
        let settings = Settings {
            mix: what.mix.to_string(),
            targets: whereto.target.iter().map(ToString::to_string).collect(),
            connections: connections.len(),
            history: what.history,
            view: name(&what.view),
            items: what.items,
            check_every: what.check_every,
            games: what.games.as_ref().map_or_else(
                || {
                    what.variant
                        .map_or("built in".to_owned(), |played| format!("built in, {}", name(&played)))
                },
                |path| path.display().to_string(),
            ),
            ..Settings::default()
        };
        Ok(Self { connections, games, what: what.clone(), token, settings })
    }

    /// What is asked.
    pub(crate) fn taste(&self) -> Taste {
        let what = &self.what;
        Taste {
            history: what.history,
            illegal: what.illegal,
            view: what.view,
            items: what.items,
            nodes: what.nodes,
            seed: what.seed,
        }
    }

    /// An asker of what was asked for.
    ///
    /// # Errors
    /// The games have nothing to ask about.
    pub(crate) fn asker(&self) -> Result<Rc<Asker>, Failure> {
        let mut prepared = BTreeMap::new();
        for method in self.what.mix.methods() {
            prepared.insert(method, questions::prepare(method, &self.games, &self.taste())?);
        }
        Asker::new(self.connections.clone(), prepared, self.manner())
    }

    /// How it asks.
    fn manner(&self) -> Manner {
        Manner {
            mix: self.what.mix.clone(),
            token: self.token.clone(),
            deadline: self.what.deadline,
            check_every: self.what.check_every,
            seed: self.what.seed,
        }
    }

    /// Puts the load on, and says what came of it.
    ///
    /// # Errors
    /// The system has no timer.
    pub(crate) async fn measure(
        &self,
        asker: &Rc<Asker>,
        plan: Plan,
        slo: &[Slo],
    ) -> Result<Report, Failure> {
        let before = (asker.retries(), asker.reconnects(), cpu::own());
        let (recorder, times) = put_on(asker, plan).await?;
        let cpu_s = cpu::own().saturating_sub(before.2).as_secs_f64();
        let wall_s = times.begin.elapsed().as_secs_f64();
        let measured_s = plan.duration.as_secs_f64();
        let lag = recorder.lag.percentiles();
        let methods = recorder
            .tallies
            .iter()
            .map(|(method, tally)| (method.name().to_owned(), Figures::of(tally, measured_s)));
        let methods = methods.collect();
        Ok(Report {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            settings: self.settings_of(plan),
            measured_s,
            total: Figures::of(&recorder.total(), measured_s),
            methods,
            generator: Generator {
                fell_behind: has_fallen_behind(&recorder),
                lag,
                held: recorder.held,
                intended: recorder.intended,
                retries: asker.retries() - before.0,
                reconnects: asker.reconnects() - before.1,
                not_begun: recorder.not_begun,
                cpu_s,
                cpu_share: cpu_s / wall_s,
            },
            wrong_answers: recorder.wrong,
            wrong_examples: recorder.wrong_answers.clone(),
            slo: slo.iter().map(|slo| slo.judge(&recorder)).collect(),
            seconds: recorder.seconds,
        })
    }

    fn settings_of(&self, plan: Plan) -> Settings {
        let settings = self.settings.clone();
        match plan.pace {
            Pace::Closed { in_flight } => Settings { r#loop: "closed".into(), in_flight, ..settings },
            Pace::Open { rate, arrival, max_in_flight } => Settings {
                r#loop: "open".into(),
                rate: Some(rate),
                arrival: arrival.to_possible_value().map(|value| value.get_name().to_owned()),
                in_flight: max_in_flight,
                ..settings
            },
        }
    }
}

/// Makes the calls of a plan, and counts them.
///
/// # Errors
/// The system has no timer.
pub(crate) async fn put_on(asker: &Rc<Asker>, plan: Plan) -> Result<(Recorder, crate::plan::Times), Failure> {
    let times = plan.times();
    let recorder = Rc::new(RefCell::new(Recorder::new(times.start)));
    let progress = progress::show(times, recorder.clone());
    match plan.pace {
        Pace::Closed { in_flight } => closed_loop::run(in_flight, times, asker, &recorder).await,
        Pace::Open { rate, arrival, max_in_flight } => {
            let open = OpenLoop { rate, arrival, max_in_flight, seed: plan.seed };
            open_loop::run(open, times, asker, &recorder).await?;
        }
    }
    progress.stop().await;
    // Nobody else holds it now.
    let mut recorder = recorder.replace(Recorder::new(times.start));
    recorder.close_second();
    Ok((recorder, times))
}

/// The games that are built in; of one variant, if one is meant.
///
/// # Errors
/// Never, if the tests have passed.
fn built_in(played: Option<Played>) -> Result<Vec<Game>, Failure> {
    let mut games = corpus::built_in()?;
    games.retain(|game| played.is_none_or(|played| game.variant == played.variant()));
    Ok(games)
}

/// Whether the generator, and not the service, was too slow.
fn has_fallen_behind(recorder: &Recorder) -> bool {
    let begun = recorder.lag.len() + recorder.held;
    let late: &Latencies = &recorder.lag;
    begun > 0 && late.len() > 0 && late.at(0.99) > TOO_LATE
}

/// Connects to every target.
///
/// # Errors
/// What cannot be reached.
async fn connect(whereto: &Whereto) -> Result<Vec<Arc<Connection>>, Failure> {
    let identity = whereto.cert.as_deref().zip(whereto.key.as_deref());
    let connector = whereto.ca.as_deref().map(|ca| tls::connector(ca, identity)).transpose()?;
    let mut places = Vec::new();
    for target in &whereto.target {
        if target.is_tls() && connector.is_none() {
            return Err(format!("{target} is spoken to by TLS: --ca has to say whom to trust"));
        }
        places.push(target.resolve(connector.as_ref()).await?);
    }
    // None is left out.
    let count = whereto.connections.max(places.len());
    let mut connections = Vec::with_capacity(count);
    for number in 0..count {
        let of_target = &places[number % places.len()];
        let place = of_target.get(number / places.len() % of_target.len().max(1));
        let place = place.ok_or("a target without an address")?;
        connections.push(Connection::open(place.clone()).await?);
    }
    Ok(connections)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_the_games_that_are_built_in_one_variant_can_be_asked_about() {
        for played in [Played::Chess, Played::Xiangqi] {
            let games = built_in(Some(played)).unwrap();
            assert!(!games.is_empty() && games.iter().all(|game| game.variant == played.variant()));
        }
        assert_eq!(built_in(None).unwrap(), corpus::built_in().unwrap());
    }
}

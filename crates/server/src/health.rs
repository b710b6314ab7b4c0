//! What the server says when it is asked whether it serves.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use futures_util::StreamExt as _;
use proto::v1::arbiter_service_server::SERVICE_NAME;
use tokio_stream::{Stream, once, pending};
use tokio_util::sync::CancellationToken;
use tonic::{Request, Response, Status};
use tonic_health::ServingStatus;
use tonic_health::pb::health_check_response::ServingStatus::ServiceUnknown;
use tonic_health::pb::health_server::{Health as Service, HealthServer};
use tonic_health::pb::{HealthCheckRequest, HealthCheckResponse};
use tonic_health::server::{HealthReporter, HealthService};

/// The server as a whole, and the service.
const NAMES: [&str; 2] = ["", SERVICE_NAME];

/// The answers of the health service.
#[derive(Debug, Default)]
pub struct Health {
    reporter: HealthReporter,
    stage: Arc<AtomicU8>,
    /// Ends every watch.
    end: CancellationToken,
}

/// How far the server is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// It takes no calls yet.
    Starting,
    /// It takes calls.
    Serving,
    /// It stops: health says `NOT_SERVING`.
    Stopping,
}

/// Where whoever is not a call can see how far the server is.
#[derive(Debug, Clone)]
pub struct StageView(Arc<AtomicU8>);

impl StageView {
    /// The stage now.
    #[must_use]
    pub fn get(&self) -> Stage {
        let stages = [Stage::Starting, Stage::Serving, Stage::Stopping];
        let now = self.0.load(Ordering::Relaxed);
        stages.into_iter().find(|&stage| stage as u8 == now).unwrap_or(Stage::Stopping)
    }
}

impl Health {
    /// The health service that gives these answers.
    #[must_use]
    pub fn service(&self) -> HealthServer<Answers> {
        let service = HealthService::from_health_reporter(self.reporter.clone());
        HealthServer::new(Answers { service, end: self.end.clone() })
    }

    /// The stage that these answers are about.
    #[must_use]
    pub fn stage(&self) -> StageView {
        StageView(self.stage.clone())
    }

    /// The server takes calls, from now on.
    pub async fn serving(&self) {
        self.stage.store(Stage::Serving as u8, Ordering::Relaxed);
        self.set(ServingStatus::Serving).await;
    }

    /// The server stops: whoever watches is told.
    pub async fn not_serving(&self) {
        self.stage.store(Stage::Stopping as u8, Ordering::Relaxed);
        self.set(ServingStatus::NotServing).await;
    }

    /// Ends every watch; they would hold their connections until the last moment. Whoever asks goes on being
    /// answered.
    pub fn end_watches(&self) {
        self.end.cancel();
    }

    async fn set(&self, status: ServingStatus) {
        for name in NAMES {
            self.reporter.set_service_status(name, status).await;
        }
    }
}

/// The health service of tonic, but for watches of what it does not know: they stay open, as the protocol
/// wants it, and end with all others.
#[derive(Debug)]
pub struct Answers {
    service: HealthService,
    end: CancellationToken,
}

impl Answers {
    fn until_end(&self, watch: impl Stream<Item = Told> + Send + 'static) -> Response<WatchStream> {
        Response::new(Box::pin(watch.take_until(self.end.clone().cancelled_owned())))
    }
}

type Told = Result<HealthCheckResponse, Status>;
type WatchStream = Pin<Box<dyn Stream<Item = Told> + Send>>;

#[tonic::async_trait]
impl Service for Answers {
    async fn check(
        &self,
        request: Request<HealthCheckRequest>,
    ) -> Result<Response<HealthCheckResponse>, Status> {
        self.service.check(request).await
    }

    type WatchStream = WatchStream;

    async fn watch(
        &self,
        request: Request<HealthCheckRequest>,
    ) -> Result<Response<Self::WatchStream>, Status> {
        if NAMES.contains(&request.get_ref().service.as_str()) {
            return Ok(self.until_end(self.service.watch(request).await?.into_inner()));
        }
        let unknown = HealthCheckResponse { status: ServiceUnknown.into() };
        Ok(self.until_end(once(Ok(unknown)).chain(pending())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn whoever_looks_sees_the_stage_that_is_told() {
        let health = Health::default();
        let stage = health.stage();
        assert_eq!(stage.get(), Stage::Starting);
        health.serving().await;
        assert_eq!(stage.get(), Stage::Serving);
        health.not_serving().await;
        assert_eq!(stage.get(), Stage::Stopping);
    }
}

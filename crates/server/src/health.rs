//! What the server says when it is asked whether it serves.

use std::mem;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use proto::v1::arbiter_service_server::SERVICE_NAME;
use tokio_stream::{Stream, StreamExt as _};
use tonic::{Request, Response, Status};
use tonic_health::ServingStatus;
use tonic_health::pb::health_check_response::ServingStatus as Told;
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
        HealthServer::new(Answers(HealthService::from_health_reporter(self.reporter.clone())))
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

    /// Ends every watch; they would hold their connections until the last moment.
    pub async fn end_watches(mut self) {
        for name in NAMES {
            self.reporter.clear_service_status(name).await;
        }
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
pub struct Answers(HealthService);

#[tonic::async_trait]
impl Service for Answers {
    async fn check(
        &self,
        request: Request<HealthCheckRequest>,
    ) -> Result<Response<HealthCheckResponse>, Status> {
        self.0.check(request).await
    }

    type WatchStream = Pin<Box<dyn Stream<Item = Result<HealthCheckResponse, Status>> + Send>>;

    async fn watch(
        &self,
        request: Request<HealthCheckRequest>,
    ) -> Result<Response<Self::WatchStream>, Status> {
        if NAMES.contains(&request.get_ref().service.as_str()) {
            return Ok(self.0.watch(request).await?.map(|watch| Box::pin(watch) as Self::WatchStream));
        }
        let watch = self.0.watch(Request::new(HealthCheckRequest::default())).await?.into_inner();
        let unknown = HealthCheckResponse { status: Told::ServiceUnknown.into() };
        let mut told = false;
        let once = watch.filter_map(move |_| (!mem::replace(&mut told, true)).then_some(Ok(unknown)));
        Ok(Response::new(Box::pin(once)))
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

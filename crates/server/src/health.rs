//! What the server says when it is asked whether it serves.

use proto::v1::arbiter_service_server::SERVICE_NAME;
use tonic_health::ServingStatus;
use tonic_health::pb::health_server::HealthServer;
use tonic_health::server::{HealthReporter, HealthService};

/// The server as a whole, and the service.
const NAMES: [&str; 2] = ["", SERVICE_NAME];

/// The answers of the health service.
#[derive(Debug, Default)]
pub struct Health {
    reporter: HealthReporter,
}

impl Health {
    /// The health service that gives these answers.
    #[must_use]
    pub fn service(&self) -> HealthServer<HealthService> {
        HealthServer::new(HealthService::from_health_reporter(self.reporter.clone()))
    }

    /// The server takes calls, from now on.
    pub async fn serving(&self) {
        self.set(ServingStatus::Serving).await;
    }

    /// The server stops: whoever watches is told.
    pub async fn not_serving(&self) {
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

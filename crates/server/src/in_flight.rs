//! How many calls may be open at once, over all connections.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::refusal::Refusal;

/// The places for calls that are open: from their headers until the answer is handed over.
///
/// Searches are counted for themselves, so that a flood of one kind leaves the other its places.
#[derive(Debug, Clone)]
pub struct InFlight {
    searches: Arc<Semaphore>,
    others: Arc<Semaphore>,
}

/// What a call holds as long as it is open; nothing when it has no need of a place.
#[derive(Debug, Default)]
pub struct Place(#[expect(dead_code, reason = "held until it is dropped")] Option<OwnedSemaphorePermit>);

impl InFlight {
    /// So many places for searches, and as many for all other calls.
    #[must_use]
    pub fn new(places: u32) -> Self {
        let places = || Arc::new(Semaphore::new(places as usize));
        Self { searches: places(), others: places() }
    }

    /// A place for a call of the service's method with this name.
    ///
    /// # Errors
    /// There is none.
    pub fn enter(&self, method: &str) -> Result<Place, Refusal> {
        let places = match method {
            // Says in no time what the others need to know.
            "GetServerInfo" => return Ok(Place::default()),
            "Search" => &self.searches,
            _ => &self.others,
        };
        let place = places.clone().try_acquire_owned().map_err(|_| Refusal::overloaded())?;
        Ok(Place(Some(place)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_by_kind_and_given_back() {
        let in_flight = InFlight::new(1);
        let place = in_flight.enter("ValidateMove").expect("a place");
        assert_eq!(in_flight.enter("LegalMoves").err(), Some(Refusal::overloaded()));
        let search = in_flight.enter("Search").expect("a place for a search");
        assert!(in_flight.enter("Search").is_err());
        assert!(in_flight.enter("GetServerInfo").is_ok());
        drop((place, search));
        assert!(in_flight.enter("LegalMoves").is_ok() && in_flight.enter("Search").is_ok());
    }
}

//! How many calls may be open at once, over all connections.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::method::{Kind, Method};
use crate::refusal::Refusal;

/// The places for calls that are open: from their headers until the client has taken the answer or, of a
/// stream, until its answers begin.
///
/// A search is bounded by its slot from then on. A stream of questions holds little, and takes a place again
/// with the first message that is long. So a stream on which nothing happens keeps nobody else away.
///
/// Searches are counted for themselves, so that a flood of one kind leaves the other its places.
#[derive(Debug, Clone)]
pub struct InFlight {
    most: usize,
    searches: Arc<AtomicUsize>,
    others: Arc<AtomicUsize>,
}

/// What a call holds; nothing when it has no need of a place.
#[derive(Debug, Default)]
pub struct Place(Option<Arc<AtomicUsize>>);

impl Drop for Place {
    fn drop(&mut self) {
        if let Some(taken) = &self.0 {
            taken.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

impl InFlight {
    /// So many places for searches, and as many for all other calls.
    #[must_use]
    pub fn new(places: u32) -> Self {
        Self { most: places as usize, searches: Arc::default(), others: Arc::default() }
    }

    /// A place for a call. What says in no time what the others need to know takes none.
    ///
    /// # Errors
    /// There is none.
    pub fn enter(&self, method: Method) -> Result<Place, Refusal> {
        let taken = match method.kind() {
            Kind::Rules => &self.others,
            Kind::Search => &self.searches,
            Kind::Info | Kind::Health | Kind::Other => return Ok(Place::default()),
        };
        // Nobody waits for a place, so that a count is enough. A refusal gives back what it has taken.
        let before = taken.fetch_add(1, Ordering::Relaxed);
        let place = Place(Some(taken.clone()));
        if before < self.most { Ok(place) } else { Err(Refusal::overloaded()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_by_kind_and_given_back() {
        let in_flight = InFlight::new(1);
        let place = in_flight.enter(Method::VALIDATE_MOVE).expect("a place");
        assert_eq!(in_flight.enter(Method::LEGAL_MOVES).err(), Some(Refusal::overloaded()));
        let search = in_flight.enter(Method::SEARCH).expect("a place for a search");
        assert!(in_flight.enter(Method::SEARCH).is_err());
        for method in Method::all().filter(|method| !matches!(method.kind(), Kind::Rules | Kind::Search)) {
            assert!(in_flight.enter(method).is_ok(), "{}", method.name());
        }
        drop((place, search));
        assert!(in_flight.enter(Method::LEGAL_MOVES).is_ok() && in_flight.enter(Method::SEARCH).is_ok());
    }
}

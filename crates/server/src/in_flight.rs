//! How many calls may be open at once, over all connections.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::limits::STREAMS_FACTOR;
use crate::method::{Kind, Messages, Method};
use crate::refusal::Refusal;

/// The places for calls that are open: from their headers until the client has taken the answer or, of a
/// stream, until its answers begin.
///
/// A search is bounded by its slot from then on. A stream of questions holds little, and takes a place again
/// with the first message that is long. So a stream on which nothing happens keeps nobody else away. Streams
/// that have begun are counted for themselves ([`STREAMS_FACTOR`]), together with what has no place.
///
/// Searches are counted for themselves, so that a flood of one kind leaves the other its places.
#[derive(Debug, Clone)]
pub struct InFlight {
    most: usize,
    searches: Arc<AtomicUsize>,
    others: Arc<AtomicUsize>,
    streams: Arc<AtomicUsize>,
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
        Self {
            most: places as usize,
            searches: Arc::default(),
            others: Arc::default(),
            streams: Arc::default(),
        }
    }

    /// A place for a call. What says in no time what the others need to know takes none of theirs, and whether
    /// the server serves can be asked at all times.
    ///
    /// # Errors
    /// There is none.
    pub fn enter(&self, method: Method) -> Result<Place, Refusal> {
        match method.kind() {
            Kind::Rules => take(&self.others, self.most),
            Kind::Search => take(&self.searches, self.most),
            Kind::Health if method.gets() == Messages::One => Ok(Place::default()),
            Kind::Info | Kind::Health | Kind::Other => self.stream(),
        }
    }

    /// Room for a stream that has begun.
    ///
    /// # Errors
    /// There is none.
    pub fn stream(&self) -> Result<Place, Refusal> {
        take(&self.streams, self.most.saturating_mul(STREAMS_FACTOR))
    }
}

/// Nobody waits for a place, so that a count is enough. A refusal gives back what it has taken.
fn take(taken: &Arc<AtomicUsize>, most: usize) -> Result<Place, Refusal> {
    let before = taken.fetch_add(1, Ordering::Relaxed);
    let place = Place(Some(taken.clone()));
    if before < most { Ok(place) } else { Err(Refusal::overloaded()) }
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
        let streams: Vec<_> = (0..STREAMS_FACTOR).map(|_| in_flight.stream().expect("room")).collect();
        assert!(in_flight.stream().is_err());
        let other = Method::all().find(|method| method.kind() == Kind::Other).expect("another method");
        assert!(in_flight.enter(other).is_err(), "it would hold as much as a stream");
        let health = Method::of_path("/grpc.health.v1.Health/Check");
        assert!(in_flight.enter(health).is_ok());
        drop(streams);
        assert!(in_flight.enter(other).is_ok());
        drop((place, search));
        assert!(in_flight.enter(Method::LEGAL_MOVES).is_ok() && in_flight.enter(Method::SEARCH).is_ok());
    }
}

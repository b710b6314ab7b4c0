//! How many calls may be open at once, over all connections.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::limits::STREAMS_FACTOR;
use crate::method::{Kind, Messages, Method};
use crate::refusal::Refusal;

/// What is counted apart, so that a flood of one leaves the others their places.
#[derive(Debug, Clone, Copy)]
enum Of {
    /// Questions about rules, and the long ones among those of streams.
    Questions,
    /// Streams of questions. They hold little, so that there may be more of them ([`STREAMS_FACTOR`]).
    Streams,
    Searches,
    Info,
    Watches,
    Others,
}

impl Of {
    const COUNT: usize = Of::Others as usize + 1;
}

/// The places for calls that are open: from their headers until the client has taken the answer.
#[derive(Debug, Clone)]
pub struct InFlight {
    most: usize,
    taken: Arc<[AtomicUsize; Of::COUNT]>,
}

/// What a call holds; nothing when it has no need of a place.
#[derive(Debug, Default)]
pub struct Place(Option<(InFlight, Of)>);

impl Drop for Place {
    fn drop(&mut self) {
        if let Some((in_flight, of)) = &self.0 {
            in_flight.taken[*of as usize].fetch_sub(1, Ordering::Relaxed);
        }
    }
}

impl InFlight {
    /// So many places for questions, and as many for what is counted apart from them.
    #[must_use]
    pub fn new(places: u32) -> Self {
        Self { most: places as usize, taken: Arc::default() }
    }

    /// A place for a call. Whether the server serves can be asked at all times.
    ///
    /// # Errors
    /// There is none.
    pub fn enter(&self, method: Method) -> Result<Place, Refusal> {
        match (method.kind(), method.asks(), method.gets()) {
            (Kind::Rules, Messages::One, _) => self.question(),
            (Kind::Rules, Messages::Many, _) => {
                self.take(Of::Streams, self.most.saturating_mul(STREAMS_FACTOR))
            }
            (Kind::Search, ..) => self.take(Of::Searches, self.most),
            (Kind::Info, ..) => self.take(Of::Info, self.most),
            (Kind::Health, _, Messages::One) => Ok(Place::default()),
            (Kind::Health, _, Messages::Many) => self.take(Of::Watches, self.most),
            (Kind::Other, ..) => self.take(Of::Others, self.most),
        }
    }

    /// A place for a question about rules. A stream takes one with its first message that is long.
    ///
    /// # Errors
    /// There is none.
    pub fn question(&self) -> Result<Place, Refusal> {
        self.take(Of::Questions, self.most)
    }

    /// Nobody waits for a place, so that a count is enough. A refusal gives back what it has taken.
    fn take(&self, of: Of, most: usize) -> Result<Place, Refusal> {
        let before = self.taken[of as usize].fetch_add(1, Ordering::Relaxed);
        let place = Place(Some((self.clone(), of)));
        if before < most { Ok(place) } else { Err(Refusal::overloaded()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_places_of_its_own_and_gets_them_back() {
        let in_flight = InFlight::new(1);
        let health = Method::of_path("/grpc.health.v1.Health/Check");
        // One method for each count.
        let methods = [
            (Method::LEGAL_MOVES, 1),
            (Method::VALIDATE_MOVES, STREAMS_FACTOR),
            (Method::SEARCH, 1),
            (Method::of_path("/arbiter.v1.ArbiterService/GetServerInfo"), 1),
            (Method::of_path("/grpc.health.v1.Health/Watch"), 1),
            (Method::of_path("/grpc.reflection.v1.ServerReflection/ServerReflectionInfo"), 1),
        ];
        assert_eq!(methods.len(), Of::COUNT);
        let mut places = Vec::new();
        for (method, most) in methods {
            places.extend((0..most).map(|_| in_flight.enter(method).expect("a place")));
            assert_eq!(in_flight.enter(method).err(), Some(Refusal::overloaded()), "{}", method.name());
        }
        assert!(in_flight.enter(Method::VALIDATE_MOVE).is_err() && in_flight.question().is_err());
        assert!(in_flight.enter(Method::of_path("/nobody")).is_err(), "it is one of the others");
        assert!(in_flight.enter(health).is_ok());
        drop(places);
        for (method, _) in methods {
            assert!(in_flight.enter(method).is_ok(), "{}", method.name());
        }
    }
}

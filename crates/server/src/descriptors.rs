//! File descriptors: each connection takes one.

use rustix::process::{Resource, getrlimit, setrlimit};

use crate::limits::{MAX_ADMIN_CONNECTIONS, MAX_HEALTH_CONNECTIONS};

/// What is needed beside connections: the log, listeners, files that are read again, the collector.
const SPARE: u64 = 64;

/// Raises the limit of this process as far as its system allows. Says how many connections still have
/// no descriptor when all of them come.
#[must_use]
pub fn make_room(max_connections: u32) -> Option<u64> {
    let others = SPARE + (MAX_ADMIN_CONNECTIONS + MAX_HEALTH_CONNECTIONS) as u64;
    let needed = u64::from(max_connections) + others;
    let mut limit = getrlimit(Resource::Nofile);
    if limit.current.is_some_and(|current| current < needed) {
        limit.current = limit.maximum;
        // Where it is not allowed, the old limit holds.
        let _ = setrlimit(Resource::Nofile, limit);
    }
    let current = getrlimit(Resource::Nofile).current?;
    needed.checked_sub(current).filter(|&missing| missing > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_connections_have_room_and_what_is_missing_is_counted() {
        assert_eq!(make_room(1), None);
        let most = getrlimit(Resource::Nofile).maximum;
        if let Some(most) = most.and_then(|most| u32::try_from(most).ok()) {
            assert!(make_room(most).is_some());
        }
    }
}

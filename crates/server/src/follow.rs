//! Small files that may change while the server runs.

use std::io;
use std::time::Duration;

use tokio::time::sleep;

use crate::shutdown::Hangups;

/// Reads `every` so often, and at once for every hangup, as long as it is polled, and hands what differs from
/// the last time to `take`. What has been read before is `loaded`, so that no change is lost between then and
/// the first look.
pub async fn follow<T>(
    loaded: T,
    read: impl Fn() -> io::Result<T> + Clone + Send + 'static,
    take: impl Fn(Result<&T, &String>),
    every: Duration,
    mut hangups: Hangups,
) where
    T: PartialEq + Send + 'static,
{
    let mut last = Ok(loaded);
    loop {
        tokio::select! {
            () = sleep(every) => {}
            () = hangups.next() => {}
        }
        let read = read.clone();
        // Files may be on a disk that is far away.
        let now = tokio::task::spawn_blocking(move || read().map_err(|error| error.to_string()));
        let Ok(now) = now.await else { return };
        if now != last {
            take(now.as_ref());
            last = now;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::sync::{Arc, Mutex};

    use tokio::time::timeout;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn what_has_changed_is_taken_once_also_what_changed_before_the_first_look() {
        let looks = [Ok(2), Ok(2), Err("gone"), Err("gone"), Ok(2)];
        let looks = Arc::new(Mutex::new(looks.into_iter()));
        let read = move || {
            let look = looks.lock().expect("the looks").next();
            look.unwrap_or(Ok(2)).map_err(io::Error::other)
        };
        let (taken, all) = channel();
        let take = |now: Result<&i32, &String>| {
            taken.send(now.copied().map_err(String::clone)).expect("it is there");
        };
        let followed = follow(1, read, take, Duration::from_secs(1), Hangups::new().expect("a handler"));
        assert!(timeout(Duration::from_secs(7), followed).await.is_err(), "it goes on");
        assert_eq!(all.try_iter().collect::<Vec<_>>(), [Ok(2), Err("gone".to_owned()), Ok(2)]);
    }
}

//! Small files that may change while the server runs.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;
use std::time::Duration;

use tokio::time::sleep;

use crate::limits::MAX_SECURITY_FILE_BYTES;

/// Reads `every` so often, as long as it is polled, and hands what differs from the last time to `take`. What
/// has been read before is `loaded`, so that no change is lost between then and the first look.
pub async fn follow<T>(
    loaded: T,
    read: impl Fn() -> io::Result<T> + Clone + Send + 'static,
    take: impl Fn(Result<&T, &String>),
    every: Duration,
) where
    T: PartialEq + Send + 'static,
{
    let mut last = Ok(loaded);
    loop {
        sleep(every).await;
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

/// Reads a small file. An error names it.
///
/// # Errors
/// It cannot be read, is not small, or is something else: whoever opens a pipe waits for its writer.
pub fn read_limited(path: &Path) -> io::Result<Vec<u8>> {
    let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    let mut bytes = Vec::new();
    if !fs::metadata(path).map_err(named)?.is_file() {
        return Err(named(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file")));
    }
    let file = File::open(path).map_err(named)?;
    file.take(MAX_SECURITY_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(named)?;
    if bytes.len() as u64 > MAX_SECURITY_FILE_BYTES {
        let error = format!("it has more than {MAX_SECURITY_FILE_BYTES} bytes");
        return Err(named(io::Error::new(io::ErrorKind::InvalidData, error)));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::sync::{Arc, Mutex};

    use tokio::time::timeout;

    use super::*;

    #[test]
    fn what_is_no_file_is_not_opened() {
        let error = read_limited(Path::new("/dev")).expect_err("a folder");
        assert_eq!(error.to_string(), "/dev: it is not a regular file");
        assert!(
            read_limited(Path::new("/dev/tty")).is_err() && read_limited(Path::new("/dev/zero")).is_err()
        );
    }

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
        let followed = follow(1, read, take, Duration::from_secs(1));
        assert!(timeout(Duration::from_secs(7), followed).await.is_err(), "it goes on");
        assert_eq!(all.try_iter().collect::<Vec<_>>(), [Ok(2), Err("gone".to_owned()), Ok(2)]);
    }
}

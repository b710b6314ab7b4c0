//! Files that are read whole, and so have to be small.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;

use crate::limits::MAX_SECURITY_FILE_BYTES;

/// Reads a file of so many bytes at most. It may be a pipe.
///
/// # Errors
/// It cannot be read, or has more.
pub fn read_at_most(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        let error = format!("it has more than {limit} bytes");
        return Err(io::Error::new(io::ErrorKind::InvalidData, error));
    }
    Ok(bytes)
}

/// Reads a file of certificates, keys or hashes. An error names it.
///
/// # Errors
/// It cannot be read, is not small, or is something else: whoever opens a pipe waits for its writer.
pub fn read_regular(path: &Path) -> io::Result<Vec<u8>> {
    let read = fs::metadata(path).and_then(|metadata| {
        if !metadata.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"));
        }
        read_at_most(path, MAX_SECURITY_FILE_BYTES)
    });
    read.map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_file_is_not_opened() {
        let error = read_regular(Path::new("/dev")).expect_err("a folder");
        assert_eq!(error.to_string(), "/dev: it is not a regular file");
        assert!(
            read_regular(Path::new("/dev/tty")).is_err() && read_regular(Path::new("/dev/zero")).is_err()
        );
    }

    #[test]
    fn what_goes_on_for_ever_is_not_read_to_its_end() {
        let error = read_at_most(Path::new("/dev/zero"), 7).expect_err("it has no end");
        assert_eq!(error.to_string(), "it has more than 7 bytes");
        assert_eq!(read_at_most(Path::new("/dev/null"), 0).expect("nothing"), b"");
    }
}

//! A folder with files of a test.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A folder that is removed with the test.
pub struct Folder(PathBuf);

impl Folder {
    /// An empty folder.
    ///
    /// # Panics
    /// It cannot be made.
    #[must_use]
    pub fn new() -> Folder {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("arbiter-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    /// Writes a file, in one step for whoever reads it, and returns its path.
    ///
    /// # Panics
    /// It cannot be written.
    pub fn write(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        let beside = self.0.join(format!("{name}.new"));
        std::fs::write(&beside, text).expect("a file");
        std::fs::rename(&beside, &path).expect("a file");
        path.to_str().expect("a path in UTF-8").to_owned()
    }

    /// Lets a link lead to a part of this folder, as Kubernetes does when a secret changes.
    ///
    /// # Panics
    /// It cannot be made.
    pub fn link(&self, name: &str, target: &str) {
        let beside = self.0.join(format!("{name}.new"));
        std::os::unix::fs::symlink(target, &beside).expect("a link");
        std::fs::rename(&beside, self.0.join(name)).expect("a link");
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// A folder in it.
    ///
    /// # Panics
    /// It cannot be made.
    #[must_use]
    pub fn within(&self, name: &str) -> Folder {
        std::fs::create_dir_all(self.0.join(name)).expect("a folder");
        Folder(self.0.join(name))
    }
}

impl Default for Folder {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // The system clears what is left.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

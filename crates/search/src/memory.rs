//! What a search may leave to the next one.

use game::tactics::Tactics;

use crate::history::Histories;
use crate::table::Table;

/// The table and the histories. A search with a memory that has been made to
/// [`forget`](Memory::forget) is a search with a new one.
#[derive(Debug)]
pub struct Memory<P: Tactics> {
    pub(crate) table: Table,
    pub(crate) histories: Histories<P>,
}

impl<P: Tactics> Memory<P> {
    /// A memory without content, with a table of at most so many MiB.
    #[must_use]
    pub fn new(mebibytes: usize) -> Self {
        Self { table: Table::new(mebibytes), histories: Histories::new() }
    }

    /// Makes the memory as if it were new.
    pub fn forget(&mut self) {
        self.table.forget();
        self.histories = Histories::new();
    }
}

//! Where replicas of a server write which of them there are and which has which run.
//!
//! An engine keeps small entries by name and decides nothing: what stands in an entry is sealed, and an entry that is lost,
//! old or forged leads at worst to a replica that does not know the run. One suite of tests (`suite`) holds every engine.

use async_trait::async_trait;
use std::io;

/// No entry is larger, in bytes.
pub(super) const LARGEST: usize = 16 * 1024;

/// What entries are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shelf {
    /// Each replica, with where it is reached.
    Replicas,
    /// Each run or workflow, with the replica that has it.
    Runs,
}

/// A place for entries that all replicas reach.
#[async_trait]
pub trait Entries: Send + Sync {
    /// Makes an entry; `false` where one of this name stands. Of several at once, one makes it.
    ///
    /// # Errors
    /// The place cannot be reached or written to.
    async fn create(&self, shelf: Shelf, name: &str, content: &[u8]) -> io::Result<bool>;

    /// Makes or replaces an entry that no other process writes. Readers see the old content or the new one.
    ///
    /// # Errors
    /// As for [`Entries::create`].
    async fn put(&self, shelf: Shelf, name: &str, content: &[u8]) -> io::Result<()>;

    /// Replaces an entry whose content is `old`; `false` where it has another one, or is not there. Of several at once, one
    /// replaces it.
    ///
    /// # Errors
    /// As for [`Entries::create`].
    async fn replace(&self, shelf: Shelf, name: &str, old: &[u8], new: &[u8]) -> io::Result<bool>;

    /// The content of an entry; `None` where there is none that could be one of ours.
    ///
    /// # Errors
    /// The place cannot be reached or read.
    async fn get(&self, shelf: Shelf, name: &str) -> io::Result<Option<Vec<u8>>>;

    /// Removes an entry, if there is one.
    ///
    /// # Errors
    /// As for [`Entries::create`].
    async fn remove(&self, shelf: Shelf, name: &str) -> io::Result<()>;

    /// The names of all entries.
    ///
    /// # Errors
    /// As for [`Entries::get`].
    async fn names(&self, shelf: Shelf) -> io::Result<Vec<String>>;
}

/// Whether a name can be that of an entry: never a path, and never a file that is only being written.
pub(super) fn is_name(name: &str) -> bool {
    (1..=64).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

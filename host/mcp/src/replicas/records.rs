//! What stands in the entries of the registry. Each is sealed for its own name, so that it cannot be written without a key
//! or put in another one's place.

use super::entries::Shelf;
use crate::failure::Failure;
use crate::keys::Keys;
use bailiwick_runs::Owner;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::net::SocketAddr;

/// One replica, as it says itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Announcement {
    /// The process.
    pub(crate) replica: String,
    /// The state directory that it works with: what it leaves, the next process with this directory takes over.
    pub(crate) store: String,
    /// Where other replicas reach it.
    pub(crate) address: SocketAddr,
    /// When it last said so, in seconds since 1970.
    pub(crate) at: u64,
}

impl Announcement {
    /// Whether it is older than a lease.
    pub(crate) fn is_stale(&self, now: u64, lease: u64) -> bool {
        now.abs_diff(self.at) > lease
    }
}

/// Which replica has a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Claim {
    /// The process that worked on it last.
    pub(crate) replica: String,
    /// The state directory that holds it.
    pub(crate) store: String,
    /// Whose it is. To others it is an unknown name, also while its replica cannot be reached.
    pub(crate) owner: Owner,
}

/// A record as it stands in an entry.
pub(crate) trait Record: Serialize + DeserializeOwned {
    const SHELF: Shelf;
    const ABOUT: &'static str;

    fn sealed(&self, name: &str, keys: &Keys) -> Result<Vec<u8>, Failure> {
        let text = serde_json::to_vec(self).map_err(|error| Failure::new(error.to_string()))?;
        keys.seal(&format!("{} {name}", Self::ABOUT), &text)
    }

    fn opened(name: &str, content: &[u8], keys: &Keys) -> Option<Self> {
        serde_json::from_slice(&keys.open(&format!("{} {name}", Self::ABOUT), content)?).ok()
    }
}

impl Record for Announcement {
    const SHELF: Shelf = Shelf::Replicas;
    const ABOUT: &'static str = "replica";
}

impl Record for Claim {
    const SHELF: Shelf = Shelf::Runs;
    const ABOUT: &'static str = "claim";
}

//! For whom a store is opened: whose runs it shows, and on which directories it lets runs work.
//!
//! A store that is opened on the machine itself shows every run and works anywhere. A server opens it on behalf of each
//! caller; to them a run of another caller does not exist.

use std::path::Path;

use bailiwick_base::files::{self, Identity};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};

use crate::error::StoreError;
use crate::id::RunId;
use crate::record::{RootRecord, RunRecord};
use crate::store::Store;

/// Who began a run. Records that do not say it are of the machine's own person.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Owner {
    /// The person whose machine it is: at the command line, over stdio, or with the one token of a server.
    #[default]
    Local,
    /// A subject of an issuer of access tokens. Two issuers may call two people the same.
    Subject {
        /// The issuer, as its tokens name it.
        issuer: String,
        /// The subject, as the issuer names it.
        subject: String,
    },
}

impl Owner {
    /// Whether it is the machine's own person.
    #[must_use]
    pub fn is_local(&self) -> bool {
        *self == Self::Local
    }
}

/// Which runs a store shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sees {
    /// Everybody's.
    All,
    /// Those of the caller alone.
    Own,
}

/// Where runs may work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Within {
    /// In every directory.
    Anywhere,
    /// Only in these directories and beneath them. They are compared by identity, never by path.
    Beneath(Vec<Identity>),
}

/// What a store does on whose behalf.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Authority {
    /// Who begins runs.
    pub owner: Owner,
    /// Which runs are shown.
    pub sees: Sees,
    /// Where runs are begun, gone on with and reverted.
    pub within: Within,
}

impl Authority {
    /// The machine's own person at a command line.
    #[must_use]
    pub fn local() -> Self {
        Self { owner: Owner::Local, sees: Sees::All, within: Within::Anywhere }
    }
}

impl Store {
    /// The same store on behalf of a caller.
    #[must_use]
    pub fn on_behalf_of(mut self, authority: Authority) -> Self {
        self.authority = authority;
        self
    }

    /// Whether this store shows the run.
    pub(crate) fn shows(&self, record: &RunRecord) -> bool {
        self.authority.sees == Sees::All || record.owner == self.authority.owner
    }

    /// The record of a run that this store shows. A damaged record has no known owner, so only a store that shows all
    /// runs says that it is there.
    pub(crate) fn shown(&self, id: &RunId) -> Result<RunRecord, StoreError> {
        match self.state.existing(id) {
            Ok(record) if self.shows(&record) => Ok(record),
            Err(error) if self.authority.sees == Sees::All => Err(error),
            Ok(_) | Err(StoreError::UnknownRun(_) | StoreError::Damaged { .. }) => {
                Err(StoreError::UnknownRun(id.clone()))
            }
            Err(error) => Err(error),
        }
    }

    /// The name of a run, if this store shows that run.
    pub(crate) fn named(&self, id: RunId) -> Option<RunId> {
        // One that is only beginning has no record yet.
        (self.authority.sees == Sees::All || self.shown(&id).is_ok()).then_some(id)
    }

    /// Refuses directories in which this store lets no run work.
    pub(crate) fn permit(&self, roots: &[RootRecord]) -> Result<(), StoreError> {
        let Within::Beneath(allowed) = &self.authority.within else { return Ok(()) };
        let inside = |root: &RootRecord| {
            chain(&root.directory).is_some_and(|chain| chain.iter().any(|one| allowed.contains(one)))
        };
        match roots.iter().find(|root| !inside(root)) {
            Some(root) => Err(StoreError::NotNamed { directory: root.directory.clone() }),
            None => Ok(()),
        }
    }

    /// What keeps this store from a directory where another run is: that run by name only if this store shows it.
    pub(crate) fn kept_from(
        &self,
        roots: &[RootRecord],
        other: RunId,
        told: impl FnOnce(RunId) -> StoreError,
    ) -> StoreError {
        let root = roots.first().map(|root| root.directory.clone()).unwrap_or_default();
        self.named(other).map_or(StoreError::Busy { root, run: None }, told)
    }
}

/// A directory and everything above it. Of one that was removed, what is left above it.
fn chain(directory: &Path) -> Option<Vec<Identity>> {
    match files::open_root(directory) {
        Ok((_, chain)) => Some(chain),
        Err(Errno::NOENT) => files::open_root(directory.parent()?).ok().map(|(_, chain)| chain),
        Err(_) => None,
    }
}

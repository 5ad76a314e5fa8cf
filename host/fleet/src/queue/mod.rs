//! A directory as queue.
//!
//! ```text
//! manifest.json           what there is to do
//! jobs/KEY                one line for each attempt that was begun; its lock is the lease of the job
//! results/KEY.json        the one result, written under the lease and never replaced
//! artifacts/KEY.*         what a result names with its digest
//! cancelled/KEY, all      a person's word
//! earlier/                results that a person had made again
//! ```
//!
//! The lease is a lock that the kernel gives back when its process dies, whatever it dies of. An attempt is counted before
//! it begins, so a job that kills its worker again and again is given up after [`MOST_ATTEMPTS`].
//!
//! The directory may come from another machine: of what is written in it nothing is a link.

mod jobs;
mod lease;
mod place;
mod results;
mod standing;

use std::fs::{self, DirBuilder};
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use bailiwick_base::files::{Replace, plain};

use crate::error::FleetError;
use crate::manifest::{Key, Manifest};
use crate::schedule::longest_first;

pub use lease::{Lease, Taken};
pub use standing::Standing;

/// A job that killed so many workers is given to no other.
pub const MOST_ATTEMPTS: u32 = 3;

const MANIFEST: &str = "manifest.json";
/// The directories of a queue.
const PARTS: [&str; 5] = ["jobs", "results", "artifacts", "cancelled", "earlier"];
/// A job takes about 1 KiB.
const LARGEST_MANIFEST: u64 = 256 << 20;
const ALL: &str = "all";

/// The queue of one fleet, or of a shard of it.
#[derive(Debug, Clone)]
pub struct Queue {
    directory: PathBuf,
    manifest: Manifest,
    /// Longest first.
    order: Vec<Key>,
}

impl Queue {
    /// The queue in a directory, which is made where it is missing. A fleet that is there already is gone on with, if it is
    /// the same work: its results are the answer.
    ///
    /// # Errors
    /// [`FleetError::AnotherFleet`], [`FleetError::OtherJobs`], [`FleetError::Io`], and those of [`Manifest::parse`].
    pub fn create(directory: &Path, manifest: Manifest) -> Result<Self, FleetError> {
        for part in PARTS {
            let path = directory.join(part);
            DirBuilder::new().recursive(true).mode(0o700).create(&path).map_err(FleetError::io(&path, "created"))?;
            place::directory(&path)?;
        }
        if directory.join(MANIFEST).exists() {
            let there = Self::open(directory)?;
            if there.manifest.fleet != manifest.fleet {
                return Err(FleetError::AnotherFleet { directory: directory.to_owned() });
            }
            if !there.manifest.is_same_work(&manifest) {
                return Err(FleetError::OtherJobs { directory: directory.to_owned() });
            }
            return Ok(there);
        }
        let queue = Self::with(directory, manifest);
        queue.keep_manifest()?;
        Ok(queue)
    }

    /// The queue that is in a directory.
    ///
    /// # Errors
    /// [`FleetError::Io`], and those of [`Manifest::parse`].
    pub fn open(directory: &Path) -> Result<Self, FleetError> {
        let path = directory.join(MANIFEST);
        let text = plain::left_by_a_child(&path, LARGEST_MANIFEST).map_err(FleetError::io(&path, "read"))?;
        for part in PARTS {
            place::directory(&directory.join(part))?;
        }
        Ok(Self::with(directory, Manifest::parse(&String::from_utf8_lossy(&text))?))
    }

    fn with(directory: &Path, manifest: Manifest) -> Self {
        let order = longest_first(&manifest.jobs).into_iter().map(|job| job.key.clone()).collect();
        Self { directory: directory.to_owned(), manifest, order }
    }

    /// The same, from which only these jobs are taken.
    #[must_use]
    pub fn of_these(mut self, keys: &[Key]) -> Self {
        self.order.retain(|key| keys.contains(key));
        self
    }

    /// Puts another manifest of the same fleet in the place of this one.
    ///
    /// # Errors
    /// [`FleetError::Io`].
    pub fn replace_manifest(&mut self, manifest: Manifest) -> Result<(), FleetError> {
        let queue = Self::with(&self.directory, manifest);
        queue.keep_manifest()?;
        *self = queue;
        Ok(())
    }

    fn keep_manifest(&self) -> Result<(), FleetError> {
        let path = self.directory.join(MANIFEST);
        let text = serde_json::to_vec_pretty(&self.manifest);
        let text = text.map_err(|error| FleetError::Malformed { reason: error.to_string() })?;
        Replace { mode: 0o600, durable: true }.write(&path, &text).map_err(FleetError::io(&path, "written"))
    }

    /// What there is to do.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Where it lies.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Where something beside a result lies.
    #[must_use]
    pub fn artifact(&self, key: &Key, name: &str) -> PathBuf {
        self.directory.join("artifacts").join(format!("{key}.{name}"))
    }

    /// Keeps something beside a result.
    ///
    /// # Errors
    /// [`FleetError::Io`].
    pub fn keep_artifact(&self, key: &Key, name: &str, content: &[u8]) -> Result<(), FleetError> {
        let path = self.artifact(key, name);
        Replace { mode: 0o600, durable: true }.write(&path, content).map_err(FleetError::io(&path, "written"))
    }

    /// Takes back one job, or everything that has no result yet. Workers see it soon.
    ///
    /// # Errors
    /// [`FleetError::Io`].
    pub fn cancel(&self, job: Option<&Key>) -> Result<(), FleetError> {
        let path = self.directory.join("cancelled").join(job.map_or(ALL, Key::as_str));
        Replace { mode: 0o600, durable: false }.write(&path, b"").map_err(FleetError::io(&path, "written"))
    }

    /// Takes a person's word to cancel back.
    ///
    /// # Errors
    /// [`FleetError::Io`].
    pub fn go_on(&self) -> Result<(), FleetError> {
        let place = self.directory.join("cancelled");
        for entry in fs::read_dir(&place).map_err(FleetError::io(&place, "read"))?.flatten() {
            fs::remove_file(entry.path()).map_err(FleetError::io(&place, "emptied"))?;
        }
        Ok(())
    }

    /// Whether a person took the job back.
    #[must_use]
    pub fn is_cancelled(&self, key: &Key) -> bool {
        let place = self.directory.join("cancelled");
        place.join(ALL).exists() || place.join(key.as_str()).exists()
    }
}

#[cfg(test)]
mod tests;

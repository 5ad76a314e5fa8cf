//! Whether there is room on the disks that a job writes.
//!
//! A worker whose disk is full must not take one package after the other and find each of them not done: it takes none, and
//! what it had is for another worker.

use crate::exit::{Error, Result};
use crate::places;
use std::cell::Cell;
use std::path::{Path, PathBuf};

/// With less than this, in bytes, nothing is begun. A checkout and a build take more than that.
const TO_BEGIN: u64 = 64 << 20;
/// With less than this, in bytes, whatever is written fails soon.
const FULL: u64 = 2 << 20;
/// What the system, and git, say where nothing can be written any more.
const SAID: [&str; 3] = ["No space left on device", "Disk quota exceeded", "unable to write"];

/// The disks of a worker.
#[derive(Debug)]
pub(in crate::commands) struct Room {
    places: [PathBuf; 2],
    was_full: Cell<bool>,
}

impl Room {
    /// Those where commits are checked out and where `queue` keeps results.
    pub(in crate::commands) fn of(queue: &Path) -> Result<Self> {
        Ok(Self { places: [places::checkouts()?, queue.to_owned()], was_full: Cell::new(false) })
    }

    /// Forgets what was seen, and refuses where there is too little to begin a job.
    pub(in crate::commands) fn to_begin(&self) -> Result<()> {
        self.was_full.set(false);
        match self.places.iter().find_map(|place| Some((place, free(place)?)).filter(|(_, free)| *free < TO_BEGIN)) {
            None => Ok(()),
            Some((place, free)) => Err(none(&format!(
                "the disk of `{}` has {} MiB left, and a package needs at least {}",
                place.display(),
                free >> 20,
                TO_BEGIN >> 20
            ))),
        }
    }

    /// Looks, and remembers it where a disk is full.
    pub(super) fn look(&self) {
        if self.places.iter().filter_map(|place| free(place)).any(|free| free < FULL) {
            self.was_full.set(true);
        }
    }

    /// The same after an error of this program itself, with what it says.
    pub(super) fn heard(&self, message: &str) {
        if SAID.iter().any(|said| message.contains(said)) {
            self.was_full.set(true);
        }
        self.look();
    }

    /// Whether a disk was full since the job was begun: that the package was not done says nothing about it then.
    pub(super) fn was_full(&self) -> bool {
        self.was_full.get()
    }
}

/// The error of a worker whose disk was full while it worked.
pub(in crate::commands) fn ran_out(package: &str) -> Error {
    none(&format!("the disk was full while `{package}` was worked on, which is for another worker now"))
}

fn none(message: &str) -> Error {
    Error::failed(message).hint("make room on the disk; what has a verdict keeps it")
}

/// How many bytes this program may still write there. Where the directory is not there yet, the one above it counts.
fn free(place: &Path) -> Option<u64> {
    let there = place.ancestors().find(|place| place.exists())?;
    let told = rustix::fs::statvfs(there).ok()?;
    Some(told.f_bavail.saturating_mul(told.f_frsize))
}

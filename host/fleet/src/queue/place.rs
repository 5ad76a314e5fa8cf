//! Directories of a queue that are no links: one would have a worker write outside of the queue.

use std::fs;
use std::io::{Error, ErrorKind};
use std::path::Path;

use crate::error::FleetError;

/// Refuses what stands in the place of a directory. Nothing there is fine.
pub(super) fn directory(path: &Path) -> Result<(), FleetError> {
    match fs::symlink_metadata(path) {
        Ok(there) if there.is_dir() => Ok(()),
        Ok(_) => Err(FleetError::io(path, "used")(Error::new(ErrorKind::NotADirectory, "it is not a directory"))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(FleetError::io(path, "read")(error)),
    }
}

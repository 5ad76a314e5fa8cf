//! A stage over a root, and the grant that shows it.

use std::os::fd::AsFd as _;
use std::path::Path;

use bailiwick_sandbox::Grant;
use cap_std::ambient_authority;
use cap_std::fs::Dir;

use super::{CustomizeError, Customizer};
use crate::stage::{Stage, StageLimits};

/// A fresh stage at `path` that holds these files of a root, and the grant that shows it over the root.
pub(super) fn staged(
    customizer: &Customizer,
    (root, lower): (&str, &Path),
    path: &Path,
    editable: &[String],
    limits: StageLimits,
) -> Result<(Stage, Grant), CustomizeError> {
    let lower = open(lower)?;
    std::fs::create_dir(path).map_err(CustomizeError::io(path, "created"))?;
    let upper = open(path)?;
    let handle = |directory: &Dir| directory.as_fd().try_clone_to_owned().map_err(CustomizeError::io(path, "opened"));
    let grant = Grant::staged(root, handle(&lower)?, handle(&upper)?, &customizer.reserved)?;
    Ok((Stage::build(&lower, upper, editable, limits)?, grant))
}

fn open(path: &Path) -> Result<Dir, CustomizeError> {
    Dir::open_ambient_dir(path, ambient_authority()).map_err(CustomizeError::io(path, "opened"))
}

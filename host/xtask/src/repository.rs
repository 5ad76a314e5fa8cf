//! Where things are in this repository.

use anyhow::{Context, Result};
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The root of the repository.
pub(crate) fn root() -> &'static Path {
    // host/xtask is two levels below it.
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().and_then(Path::parent).unwrap_or(here)
}

/// The workspace of the guests.
pub(crate) fn components() -> PathBuf {
    root().join("components")
}

/// Where the finished components lie, one `<tool>.wasm` each.
pub(crate) fn dist() -> PathBuf {
    components().join("dist")
}

/// Where toolchains and packages are kept: `BAILIWICK_CACHE_DIR`, else a directory that git ignores.
pub(crate) fn cache() -> PathBuf {
    let named = env::var_os("BAILIWICK_CACHE_DIR").filter(|named| !named.is_empty());
    let chosen = named.map_or_else(|| root().join(".bailiwick-cache"), PathBuf::from);
    // Tests run in other directories than this task.
    std::path::absolute(&chosen).unwrap_or(chosen)
}

/// The directory in which cargo builds.
///
/// # Errors
/// When the system does not say where this program is.
pub(crate) fn target() -> Result<PathBuf> {
    // This task is in cargo's directory for the profile it was built with itself.
    let task = env::current_exe().context("cannot tell where cargo puts binaries")?;
    let target = task.parent().and_then(Path::parent).context("cannot tell where cargo puts binaries")?;
    Ok(target.to_owned())
}

/// The cargo that runs this task, in the root of the repository.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")));
    command.current_dir(root());
    // Set by `cargo run` for this task; what it starts has its own packages.
    for variable in ["CARGO_MANIFEST_DIR", "CARGO_MANIFEST_PATH", "CARGO_PKG_NAME", "CARGO_PKG_VERSION"] {
        command.env_remove(variable);
    }
    // What tests start leaves no process behind for the next command.
    command.env_remove("XDG_RUNTIME_DIR");
    command
}

/// The same cargo over the workspace of the guests, for this machine's own target.
pub(crate) fn components_cargo() -> Command {
    let mut command = cargo();
    command.current_dir(components()).env("CARGO_TARGET_DIR", components().join("target"));
    command
}

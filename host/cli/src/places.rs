//! Where state and caches live: environment first, then the XDG directories.

use crate::exit::{Error, Result};
use bailiwick_sandbox::Reserved;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

/// Runs, journals and before-images.
pub(crate) fn state() -> Result<PathBuf> {
    place("BAILIWICK_STATE_DIR", "XDG_STATE_HOME", ".local/state")
}

/// Compiled components, Node, emitters and Python environments.
pub(crate) fn cache() -> Result<PathBuf> {
    place("BAILIWICK_CACHE_DIR", "XDG_CACHE_HOME", ".cache")
}

/// The log of every tool call. It lies in the state directory, which no tool is ever granted.
pub(crate) fn audit() -> Result<PathBuf> {
    Ok(state()?.join("audit"))
}

/// Commits of repositories that commands check out for as long as they work. Beside the state directory and not in it: what
/// is in there is granted to tools.
pub(crate) fn checkouts() -> Result<PathBuf> {
    Ok(checkouts_of(&state()?))
}

/// The same for a state directory.
pub(crate) fn checkouts_of(state: &Path) -> PathBuf {
    let mut place = state.as_os_str().to_owned();
    place.push("-checkouts");
    place.into()
}

/// Directories that are never granted to a tool: write access there could change what is on record, or what runs.
pub(crate) fn reserved() -> Result<Reserved> {
    Ok(Reserved::new([state()?, cache()?]))
}

fn place(own: &str, xdg: &str, under_home: &str) -> Result<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value: &OsString| !value.is_empty()).map(PathBuf::from);
    if let Some(path) = set(own) {
        // The kernel takes `..` from where a link leads, and from nowhere while a directory is missing: what is checked
        // now would be another place once it is made.
        if path.components().any(|part| part == Component::ParentDir) {
            return Err(Error::usage(format!("`{own}` must not hold `..`")).hint("write the directory's plain path"));
        }
        // A relative directory would move with the working directory of each command.
        return std::path::absolute(&path)
            .map_err(|error| Error::usage(format!("`{own}` is not a usable path: {error}")));
    }
    if let Some(base) = set(xdg).filter(|base| base.is_absolute()) {
        return Ok(base.join("bailiwick"));
    }
    // A relative one would lead into each repository that a command is started in.
    match set("HOME").filter(|home| home.is_absolute()) {
        Some(home) => Ok(home.join(under_home).join("bailiwick")),
        None => {
            Err(Error::usage("there is no home directory to keep state in").hint(format!("set `{own}` to a directory")))
        }
    }
}

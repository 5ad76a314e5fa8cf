//! Programs that were installed before a child ran, in a directory that it may write.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use bailiwick_base::files::Facts;

/// Directories of package managers, of JavaScript and of Python. git ignores them.
const DIRECTORIES: [&str; 4] = ["node_modules", ".venv", "venv", ".tox"];

/// What modules of Python end with that run in place of their source.
const COMPILED: [&str; 4] = ["pyc", "pyd", "pyo", "so"];

/// The outermost directory of installed programs that holds `path`, or that it is.
pub(super) fn place(path: &Path) -> Option<&Path> {
    let is_one = |name: Option<&OsStr>| name.is_some_and(|name| DIRECTORIES.iter().any(|one| name == *one));
    path.ancestors().filter(|directory| is_one(directory.file_name())).last()
}

/// Whether Python runs the file at `path` in place of a source, or instead of one that is missing.
#[must_use]
pub fn is_compiled(path: &Path) -> bool {
    path.extension().is_some_and(|ending| COMPILED.iter().any(|one| ending == *one))
}

/// The first file that differs, or came to, or left one of the `places` that were there before. The time of the last change
/// tells, for no program can choose it.
pub(super) fn changed<'a>(
    places: &BTreeSet<PathBuf>,
    before: &'a BTreeMap<PathBuf, Facts>,
    now: &'a BTreeMap<PathBuf, Facts>,
) -> Option<&'a Path> {
    let in_place = |path: &Path| place(path).is_some_and(|place| places.contains(place));
    let gone = before.keys().filter(|path| in_place(path) && !now.contains_key(*path));
    let differs = now.iter().filter(|(path, facts)| match before.get(*path) {
        Some(known) => known != *facts,
        None => in_place(path),
    });
    differs.map(|(path, _)| path).chain(gone).map(PathBuf::as_path).next()
}

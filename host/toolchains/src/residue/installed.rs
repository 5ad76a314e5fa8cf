//! Programs that were installed before a child ran, in a directory that it may write.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use bailiwick_base::files::Facts;

use super::Work;

/// Directories of package managers, of JavaScript and of Python. git ignores them.
const DIRECTORIES: [&str; 4] = ["node_modules", ".venv", "venv", ".tox"];

/// What compilers and test runners write there and nothing starts by its path: a directory, and one directly in it.
const SCRATCH: [(&str, &str); 4] =
    [("node_modules", ".cache"), ("node_modules", ".vite-temp"), (".tox", "log"), (".tox", ".tmp")];

/// Where Python keeps modules that it compiled itself.
const CACHE: &str = "__pycache__";

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

/// Whether the file at `path` is one that Python compiled for itself. Any import makes it, and without it Python reads the
/// source again: it may be removed at any time.
#[must_use]
pub fn is_cached(path: &Path) -> bool {
    path.extension() == Some(OsStr::new("pyc"))
        && path.parent().is_some_and(|parent| parent.file_name() == Some(OsStr::new(CACHE)))
}

/// Whether `path` lies in a directory of [`SCRATCH`].
fn is_scratch(path: &Path) -> bool {
    let inside = place(path).and_then(|place| Some((place.file_name()?, path.strip_prefix(place).ok()?)));
    inside.is_some_and(|(place, inside)| {
        SCRATCH.iter().any(|(directory, below)| place == *directory && inside.starts_with(below))
    })
}

/// The first file that differs, or came to, or left one of the `places` that were there before. Those that left come last.
/// What a tool of the repository's does in such a place is its own matter.
pub(super) fn changed<'a>(
    places: &BTreeSet<PathBuf>,
    before: &'a BTreeMap<PathBuf, Facts>,
    now: &'a BTreeMap<PathBuf, Facts>,
    work: Work,
) -> Option<&'a Path> {
    let counts = |path: &Path| {
        let in_place = work == Work::Generation && (is_compiled(path) || !is_scratch(path));
        !is_cached(path) && (in_place || place(path).is_none())
    };
    let in_place = |path: &Path| place(path).is_some_and(|place| places.contains(place));
    let gone = before.keys().filter(|path| in_place(path) && !now.contains_key(*path));
    let differs = now.iter().filter(|(path, facts)| match before.get(*path) {
        Some(known) => differ(known, facts),
        None => in_place(path),
    });
    differs.map(|(path, _)| path).chain(gone).map(PathBuf::as_path).find(|path| counts(path))
}

/// Files that Python compiled for itself and that are new or differ.
pub(super) fn cached<'a>(
    before: &'a BTreeMap<PathBuf, Facts>,
    now: &'a BTreeMap<PathBuf, Facts>,
    work: Work,
) -> impl Iterator<Item = &'a PathBuf> {
    let counts = move |path: &Path| is_cached(path) && (work == Work::Generation || place(path).is_none());
    let fresh = now.iter().filter(|(path, facts)| before.get(*path).is_none_or(|known| differ(known, facts)));
    fresh.map(|(path, _)| path).filter(move |path| counts(path))
}

/// Whether a file was changed. The time of the last change tells, for no program can choose it; the numbers of file and device
/// tell nothing, for some file systems give them anew.
fn differ(known: &Facts, now: &Facts) -> bool {
    *known != Facts { device: known.device, inode: known.inode, ..*now }
}

//! The directories of a run: checked, resolved once, opened without following links.

use std::collections::BTreeSet;
use std::os::fd::OwnedFd;
use std::path::Path;

use bailiwick_base::files::{self, Identity};
use rustix::io::Errno;

use crate::error::StoreError;
use crate::path::RelativePath;
use crate::record::{Coverage, RootRecord, RootSpec};
use crate::state::State;
use crate::tree::{Goal, Skip, Want, check_files};

/// Checks the roots of a new run; refuses before anything else happens.
pub(crate) fn resolve(state: &State, specs: Vec<RootSpec>) -> Result<Vec<RootRecord>, StoreError> {
    let (_, store) =
        files::open_root(state.directory()).map_err(|error| StoreError::state("open", state.directory(), error))?;
    let mut names = BTreeSet::new();
    let mut roots: Vec<RootRecord> = Vec::new();
    for spec in specs {
        let root = resolve_one(spec)?;
        if !names.insert(root.name.clone()) {
            return Err(bad(&root.name, &root.directory, "has the name of another root"));
        }
        // Compared by identity, because one directory may be mounted at two places.
        if store.contains(&root.chain[0]) || root.chain.contains(&store[0]) {
            return Err(StoreError::StateInsideRoot {
                state: state.directory().to_owned(),
                root: root.directory.clone(),
            });
        }
        if let Some(other) = roots.iter().find(|other| cover_the_same(other, &root)) {
            return Err(StoreError::Overlap { first: other.name.clone(), second: root.name });
        }
        roots.push(root);
    }
    Ok(roots)
}

fn bad(name: &str, directory: &Path, reason: impl Into<String>) -> StoreError {
    StoreError::BadRoot { name: name.to_owned(), directory: directory.to_owned(), reason: reason.into() }
}

fn resolve_one(spec: RootSpec) -> Result<RootRecord, StoreError> {
    let RootSpec { name, directory, coverage } = spec;
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    if name.is_empty() || !name.bytes().all(allowed) {
        return Err(bad(&name, &directory, "has a name of other than letters, digits, `-` and `_`"));
    }
    match &coverage {
        Coverage::Files(paths) => check_files(paths)?,
        Coverage::Tree { skip, skip_at_root } => {
            for path in skip.iter().chain(skip_at_root) {
                let one = RelativePath::parse(path)?.components().len() == 1;
                if !one || path.ends_with('/') {
                    return Err(StoreError::BadPath { path: path.clone(), reason: "is not a directory name" });
                }
            }
        }
    }
    let cannot = |error: std::io::Error| bad(&name, &directory, format!("cannot be opened: {error}"));
    let resolved = directory.canonicalize().map_err(cannot)?;
    if resolved.to_str().is_none() {
        return Err(bad(&name, &directory, "has a path that is not UTF-8"));
    }
    let (_, chain) = files::open_root(&resolved).map_err(|error| cannot(error.into()))?;
    Ok(RootRecord { name, directory: resolved, coverage, chain })
}

/// Whether two roots of one run could restore the same file.
fn cover_the_same(one: &RootRecord, other: &RootRecord) -> bool {
    let within = |outer: &RootRecord, inner: &RootRecord| {
        inner.chain.contains(&outer.chain[0])
            && match &outer.coverage {
                Coverage::Tree { .. } => true,
                Coverage::Files(paths) => {
                    paths.iter().any(|path| outer.directory.join(path).starts_with(&inner.directory))
                }
            }
    };
    one.chain[0] == other.chain[0] || within(one, other) || within(other, one)
}

/// Whether one of two roots lies in the other, by path or by identity. Device numbers may change
/// when a machine starts again, paths may change when it does not.
pub(crate) fn overlap(one: &RootRecord, other: &RootRecord) -> bool {
    one.directory.starts_with(&other.directory)
        || other.directory.starts_with(&one.directory)
        || one.chain.contains(&other.chain[0])
        || other.chain.contains(&one.chain[0])
}

/// Whether any root of one run lies in one of the other.
pub(crate) fn any_overlap(some: &[RootRecord], others: &[RootRecord]) -> bool {
    some.iter().any(|one| others.iter().any(|other| overlap(one, other)))
}

/// Opens a root where it was, whatever directory is there now.
pub(crate) fn open(root: &RootRecord) -> Result<(OwnedFd, Vec<Identity>), Errno> {
    files::open_root(&root.directory)
}

/// Opens a root, or creates it again where it was removed altogether.
fn open_or_create(root: &RootRecord) -> Result<(OwnedFd, Vec<Identity>), Errno> {
    match open(root) {
        Err(Errno::NOENT) => {
            let (Some(parent), Some(name)) = (root.directory.parent(), root.directory.file_name()) else {
                return Err(Errno::NOENT);
            };
            let (parent, _) = files::open_root(parent)?;
            files::make_directory(&parent, name, 0o700)?;
            open(root)
        }
        result => result,
    }
}

/// What a root has to become, with the root open.
pub(crate) fn goal(root: &RootRecord, want: Want) -> Result<Goal<'_>, StoreError> {
    let failed = |error| StoreError::io("open", root.directory.display().to_string(), error);
    let (handle, _) = open_or_create(root).map_err(failed)?;
    Ok(Goal { root: &root.name, skip: skip(root), handle, want })
}

/// The directories to skip beneath a root.
pub(crate) fn skip(root: &RootRecord) -> Skip<'_> {
    Skip::of(&root.coverage)
}

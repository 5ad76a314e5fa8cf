//! What a change is about: checked before anything is written.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::fd::OwnedFd;

use bailiwick_base::files::{self, Facts, Type};
use rustix::io::Errno;

use crate::apply::Change;
use crate::content;
use crate::digest::Digest;
use crate::error::{ApplyError, StoreError};
use crate::path::{RelativePath, shown};
use crate::record::{Coverage, RootRecord};
use crate::tree::Skip;

/// One change with everything known about the file it is made to.
pub(crate) struct Target<'a> {
    /// `root/path`.
    pub(crate) shown: String,
    pub(crate) root: &'a OwnedFd,
    pub(crate) path: RelativePath,
    pub(crate) expected: Option<Digest>,
    pub(crate) content: Option<&'a [u8]>,
    /// Facts of the file that is there.
    pub(crate) facts: Option<Facts>,
}

/// Whether a root restores `path`, so that it may be changed.
pub(crate) fn covers(root: &RootRecord, path: &RelativePath) -> bool {
    match &root.coverage {
        Coverage::Files(paths) => {
            paths.iter().any(|covered| RelativePath::parse(covered).is_ok_and(|covered| covered == *path))
        }
        Coverage::Tree { .. } => {
            let (parents, _) = path.split();
            let skip = Skip::of(&root.coverage);
            // What counts of the directory that holds a name is whether it is the root.
            !parents.iter().enumerate().any(|(depth, name)| skip.holds(if depth == 0 { "" } else { "." }, name))
        }
    }
}

/// Checks all changes against one another and against what is there. Changes that change nothing are
/// checked and left out.
pub(crate) fn targets<'a>(
    roots: &'a BTreeMap<String, (&'a RootRecord, OwnedFd)>,
    changes: &'a [Change],
) -> Result<Vec<Target<'a>>, ApplyError> {
    let mut found: Vec<Target<'_>> = Vec::new();
    for change in changes {
        let (record, root) = roots.get(&change.root).ok_or_else(|| StoreError::UnknownRoot(change.root.clone()))?;
        let path = RelativePath::parse(&change.path)?;
        let shown = shown(&change.root, &path);
        if !covers(record, &path) {
            return Err(StoreError::NotCovered { path: shown }.into());
        }
        // One path inside another would make a file a directory.
        let nested = |other: &&Target<'_>| {
            let (one, two) = (other.path.components(), path.components());
            std::ptr::eq(other.root, root) && (one.starts_with(two) || two.starts_with(one))
        };
        if found.iter().any(|other| nested(&other)) {
            return Err(ApplyError::Twice { path: shown });
        }
        let facts = check(root, &path, &shown, change.expected)?;
        found.push(Target { shown, root, path, expected: change.expected, content: change.content.as_deref(), facts });
    }
    found.retain(|target| target.content.map(Digest::of) != target.expected);
    Ok(found)
}

/// Facts of the file at `path`, which has to be what `expected` says.
fn check(
    root: &OwnedFd,
    path: &RelativePath,
    shown: &str,
    expected: Option<Digest>,
) -> Result<Option<Facts>, ApplyError> {
    let conflict = |found| ApplyError::Conflict { path: shown.to_owned(), expected, found };
    let (parents, name) = path.split();
    let parent = match files::descend(root, parents) {
        Ok(parent) => parent,
        Err(Errno::NOENT) if expected.is_none() => return Ok(None),
        Err(Errno::NOENT) => return Err(conflict(None)),
        Err(error) => return Err(StoreError::io("open the directory of", shown, error).into()),
    };
    match found(&parent, name, shown)? {
        None if expected.is_none() => Ok(None),
        Some((digest, facts)) if expected == Some(digest) => Ok(Some(facts)),
        other => Err(conflict(other.map(|(digest, _)| digest))),
    }
}

/// Digest and facts of the file `name`; anything but a regular file is refused.
pub(crate) fn found(parent: &OwnedFd, name: &OsStr, shown: &str) -> Result<Option<(Digest, Facts)>, ApplyError> {
    match files::present(parent, name).map_err(|error| StoreError::io("look at", shown, error))? {
        None => Ok(None),
        Some((Type::File, _)) => {
            let (file, facts) = files::open_file(parent, name).map_err(|error| StoreError::io("open", shown, error))?;
            let mut buffer = vec![0; 64 * 1024];
            let read = content::stream(&file, &facts, &mut buffer, |_| Ok(()))
                .map_err(|error| StoreError::io("read", shown, error))?;
            if read.torn {
                return Err(StoreError::KeepsChanging { path: shown.to_owned() }.into());
            }
            Ok(Some((read.digest, read.facts)))
        }
        Some((kind, _)) => Err(ApplyError::NotAFile { path: shown.to_owned(), found: kind.name() }),
    }
}

/// Opens the directory of `path`, creating what is missing; `made` gets what was created.
pub(crate) fn make_parents(
    root: &OwnedFd,
    parents: &[OsString],
    made: &mut Vec<(OwnedFd, OsString)>,
) -> rustix::io::Result<OwnedFd> {
    let mut handle = files::descend(root, &[])?;
    for name in parents {
        let below = match files::open_directory(&handle, name) {
            Err(Errno::NOENT) => {
                files::make_directory(&handle, name, 0o777)?;
                let below = files::open_directory(&handle, name);
                made.push((handle, name.clone()));
                below?
            }
            other => other?,
        };
        handle = below;
    }
    Ok(handle)
}

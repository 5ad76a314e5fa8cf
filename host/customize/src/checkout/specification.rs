//! The specification of a package at a commit.

use std::path::{Path, PathBuf};

use super::commit::SpecCommit;
use super::error::CheckoutError;
use super::make::{Checkout, Edits, Wanted};
use crate::typespec::{SpecLookup, Specification, head_commit, specification_of};

/// The specification of a package at a commit, in a directory that is removed with this value.
#[derive(Debug)]
pub struct SpecCopy {
    checkout: Checkout,
    directory: String,
}

impl SpecCopy {
    /// The TypeSpec project in it.
    #[must_use]
    pub fn project(&self) -> PathBuf {
        self.checkout.root().join(&self.directory)
    }

    /// The commit, in full.
    #[must_use]
    pub fn commit(&self) -> &str {
        self.checkout.commit()
    }
}

/// Checks out what `package` is generated from, beneath `place`. The clone is found as always, or by `project`.
///
/// # Errors
/// See [`CheckoutError`].
pub fn specification_at(
    package: &Path,
    project: Option<&Path>,
    commit: &SpecCommit,
    edits: Edits,
    place: &Path,
) -> Result<SpecCopy, CheckoutError> {
    let lookup = SpecLookup { project: project.map(Path::to_owned), clone: None };
    let specification = specification_of(package, &lookup)?;
    copy_of(&specification, commit, edits, place)
}

fn copy_of(
    specification: &Specification,
    commit: &SpecCommit,
    edits: Edits,
    place: &Path,
) -> Result<SpecCopy, CheckoutError> {
    let clone = &specification.clone;
    let commit = match commit {
        SpecCommit::Pinned => specification.pinned.clone(),
        SpecCommit::Head => head_commit(clone).ok_or_else(|| CheckoutError::NoHead { clone: clone.clone() })?,
        SpecCommit::Exact(commit) => commit.clone(),
    };
    let wanted = Wanted { clone, commit: &commit, directories: &specification.directories(), edits };
    Ok(SpecCopy { checkout: Checkout::make(place, wanted)?, directory: specification.directory.clone() })
}

/// Whether the working tree of the clone holds what a commit holds, in the project of `package` and in the directories that
/// it imports from. A person who edits the specification at a commit edits the working tree.
///
/// # Errors
/// [`CheckoutError::Differs`] where it holds something else, and those of [`specification_at`].
pub fn working_tree_at(
    package: &Path,
    project: Option<&Path>,
    commit: &SpecCommit,
    place: &Path,
) -> Result<(), CheckoutError> {
    let lookup = SpecLookup { project: project.map(Path::to_owned), clone: None };
    let specification = specification_of(package, &lookup)?;
    let copy = copy_of(&specification, commit, Edits::Never, place)?;
    for directory in specification.directories() {
        let (ours, theirs) = (specification.clone.join(&directory), copy.checkout.root().join(&directory));
        if let Some(first) = first_difference(&ours, &theirs)? {
            let commit = copy.commit().to_owned();
            return Err(CheckoutError::Differs { commit, directory, first });
        }
    }
    Ok(())
}

/// What compilers and package managers leave beside sources.
const NO_SOURCE: [&str; 3] = ["node_modules", "tsp-output", ".git"];

/// The first file, by name, that two directories do not have alike.
fn first_difference(one: &Path, other: &Path) -> Result<Option<String>, CheckoutError> {
    let mut waiting = vec![String::new()];
    while let Some(place) = waiting.pop() {
        let (one, other) = (one.join(&place), other.join(&place));
        let mut names = names(&one)?;
        names.extend(self::names(&other)?);
        names.sort();
        names.dedup();
        for name in names {
            let relative = if place.is_empty() { name.clone() } else { format!("{place}/{name}") };
            let facts = [one.join(&name), other.join(&name)].map(|path| (path.symlink_metadata().ok(), path));
            let [(Some(ours), our_path), (Some(theirs), their_path)] = facts else { return Ok(Some(relative)) };
            if ours.is_dir() && theirs.is_dir() {
                waiting.push(relative);
                continue;
            }
            let same = match (ours.is_file(), theirs.is_file()) {
                (true, true) => ours.len() == theirs.len() && read(&our_path)? == read(&their_path)?,
                (false, false) => std::fs::read_link(&our_path).ok() == std::fs::read_link(&their_path).ok(),
                _ => false,
            };
            if !same {
                return Ok(Some(relative));
            }
        }
    }
    Ok(None)
}

fn names(directory: &Path) -> Result<Vec<String>, CheckoutError> {
    let entries = match std::fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(CheckoutError::io(directory, "read")(error)),
    };
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    Ok(names.filter(|name| !NO_SOURCE.contains(&name.as_str())).collect())
}

fn read(path: &Path) -> Result<Vec<u8>, CheckoutError> {
    std::fs::read(path).map_err(CheckoutError::io(path, "read"))
}

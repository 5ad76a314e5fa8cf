//! Where fleets and clones are.

use super::failure;
use crate::exit::{Error, Result};
use crate::places;
use bailiwick_fleet::{Job, Queue, Source};
use std::path::{Path, PathBuf};

/// The directory of all fleets.
pub(in crate::commands) fn fleets() -> Result<PathBuf> {
    Ok(places::state()?.join("fleets"))
}

/// How long packages took.
pub(super) fn durations() -> Result<PathBuf> {
    Ok(fleets()?.join("durations.json"))
}

/// The names of all fleets, oldest first.
pub(in crate::commands) fn names() -> Result<Vec<String>> {
    let place = fleets()?;
    let entries = match std::fs::read_dir(&place) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(Error::failed(format!("`{}` cannot be read: {error}", place.display()))),
    };
    let mut names: Vec<String> = entries
        .flatten()
        .filter(|entry| entry.path().join("manifest.json").is_file())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    Ok(names)
}

/// A fleet by its name or an unambiguous beginning of it.
pub(in crate::commands) fn queue(text: &str) -> Result<Queue> {
    let names = names()?;
    let mut matching = names.iter().filter(|name| !text.is_empty() && name.starts_with(text));
    let name = match (matching.next(), matching.next()) {
        (Some(name), None) => name,
        (Some(_), Some(_)) => {
            return Err(
                Error::usage(format!("more than one fleet begins with `{text}`")).hint("write more of its name")
            );
        }
        _ => {
            return Err(
                Error::usage(format!("there is no fleet `{text}`")).hint("`bailiwick fleet status` lists the fleets")
            );
        }
    };
    Queue::open(&fleets()?.join(name)).map_err(|error| failure(&error))
}

/// Where the clones of this machine are, if not where the manifest says.
#[derive(Debug, Clone, Default)]
pub(in crate::commands) struct Clones {
    /// Clones of SDK repositories.
    pub(in crate::commands) sdk: Vec<PathBuf>,
    /// The clone of the specification.
    pub(in crate::commands) specification: Option<PathBuf>,
}

impl Clones {
    /// The clone of a job's SDK repository.
    pub(super) fn sdk<'a>(&'a self, job: &'a Job) -> &'a Path {
        let named = self.sdk.iter().find(|clone| clone.file_name().is_some_and(|name| *name == *job.sdk.repository));
        match (named, &self.sdk[..]) {
            (Some(clone), _) => clone,
            (None, [one]) => one,
            _ => &job.sdk.clone,
        }
    }

    /// Whether a person named the clones that a job needs. Those that a manifest names are on another machine.
    pub(in crate::commands) fn has(&self, job: &Job) -> bool {
        let named = |clone: &PathBuf| clone.file_name().is_some_and(|name| *name == *job.sdk.repository);
        self.sdk.iter().any(named) && (job.specification.is_none() || self.specification.is_some())
    }

    /// The clone of a specification.
    pub(super) fn specification<'a>(&'a self, source: &'a Source) -> &'a Path {
        self.specification.as_deref().unwrap_or(&source.clone)
    }
}

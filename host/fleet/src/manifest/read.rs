//! Reading a manifest, which may come from another machine or another person.

// The file is untrusted.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use std::collections::BTreeSet;
use std::path::{Component, Path};

use super::{FORMAT, Job, Key, Manifest};
use crate::error::FleetError;

impl Manifest {
    /// Reads a manifest: every key fits its job, no package stands there twice, and no path leads out of its repository.
    ///
    /// # Errors
    /// [`FleetError::Malformed`], [`FleetError::Format`], [`FleetError::Edited`], [`FleetError::Twice`],
    /// [`FleetError::Outside`].
    pub fn parse(text: &str) -> Result<Self, FleetError> {
        let malformed = |error: serde_json::Error| FleetError::Malformed { reason: error.to_string() };
        let value: serde_json::Value = serde_json::from_str(text).map_err(malformed)?;
        let format = value.get("format").and_then(serde_json::Value::as_u64).and_then(|one| u32::try_from(one).ok());
        match format {
            Some(FORMAT) => {}
            Some(found) => return Err(FleetError::Format { found, known: FORMAT }),
            None => return Err(FleetError::Malformed { reason: "it has no `format`".to_owned() }),
        }
        let manifest: Self = serde_json::from_value(value).map_err(malformed)?;
        let mut names = BTreeSet::new();
        for job in &manifest.jobs {
            check(job)?;
            if job.key != Key::of(job, &manifest.version) {
                return Err(FleetError::Edited { package: job.name() });
            }
        }
        let skipped = manifest.skipped.iter().map(|one| one.package.clone());
        for name in manifest.jobs.iter().map(Job::name).chain(skipped) {
            if !names.insert(name.clone()) {
                return Err(FleetError::Twice { package: name });
            }
        }
        Ok(manifest)
    }
}

fn check(job: &Job) -> Result<(), FleetError> {
    let directories = job.specification.iter().flat_map(|one| &one.directories);
    for path in std::iter::once(&job.package).chain(&job.beside).chain(directories) {
        let mut parts = Path::new(path).components();
        let inside = !path.is_empty()
            && !path.contains(['\n', '\0', '\\'])
            && parts.all(|part| matches!(part, Component::Normal(_)));
        if !inside {
            return Err(FleetError::Outside { path: path.clone() });
        }
    }
    let newer = job.specification.iter().filter_map(|one| one.newer.as_ref());
    let commits = std::iter::once(&job.sdk.commit).chain(job.specification.iter().map(|one| &one.source.commit));
    for commit in commits.chain(newer) {
        if !(7..=64).contains(&commit.len()) || !commit.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(FleetError::Malformed { reason: format!("`{commit}` is not a commit") });
        }
    }
    let named = |name: &str| !name.is_empty() && !name.contains(['/', '\\', '\n', '\0']) && !matches!(name, "." | "..");
    let repositories = std::iter::once(&job.sdk).chain(job.specification.iter().map(|one| &one.source));
    for source in repositories {
        if !named(&source.repository) {
            return Err(FleetError::Malformed {
                reason: format!("`{}` is not a repository's name", source.repository),
            });
        }
    }
    if job.specification.as_ref().is_some_and(|one| one.directories.is_empty()) {
        return Err(FleetError::Malformed {
            reason: format!("`{}` has a specification without a project", job.name()),
        });
    }
    if job.expected.is_some_and(|seconds| !seconds.is_finite() || seconds < 0.0) {
        return Err(FleetError::Malformed { reason: format!("`{}` has no duration", job.name()) });
    }
    Ok(())
}

#[cfg(test)]
mod tests;

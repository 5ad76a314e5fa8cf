//! What Maven fetched: compared with its digests, and made independent of where it came from.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use bailiwick_base::text::hex;
use sha2::{Digest as _, Sha256};

use super::super::cache::Failure;
use super::super::error::ToolchainError;

/// Digests of what Maven fetches for a version of the emitter. Other versions of Maven bring other plugins by default,
/// so a file may be missing from the repository or from the list; none may differ.
const LOCKS: &[(&str, &str)] = &[("0.47.1", include_str!("../../locked/java/repository.sha256"))];

/// The list for a version of the emitter.
pub(super) fn lock(version: &str) -> Option<&'static str> {
    LOCKS.iter().find(|(known, _)| *known == version).map(|(_, lock)| *lock)
}

/// The version of `azure-core` for which the newest of these emitters writes.
#[must_use]
pub fn core_version() -> Option<&'static str> {
    let (_, lock) = LOCKS.last()?;
    lock.lines().find_map(|line| line.split_once("  com/azure/azure-core/")?.1.split('/').next())
}

/// A repository that can be read without the server that it came from.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Settled {
    /// What the list does not cover, for people.
    pub(super) unlisted: Option<String>,
    /// Every library and project file with its digest, in the form of the list.
    pub(super) digests: String,
}

/// Compares a filled repository with `lock` and removes what ties it to the server it came from.
///
/// # Errors
/// A file that is not what the list says.
pub(super) fn settle(repository: &Path, lock: Option<&str>) -> Result<Settled, Failure> {
    let listed = lock.map(parse).unwrap_or_default();
    let mut files = Vec::new();
    collect(repository, &mut files).map_err(ToolchainError::io(repository, "read"))?;
    files.sort();
    let (mut unlisted, mut digests) = (0_usize, String::new());
    for path in &files {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name == "_remote.repositories" || name == "resolver-status.properties" || name.ends_with(".lastUpdated") {
            // With these Maven takes a file only from the server it was fetched from, and a mirror has another name.
            std::fs::remove_file(path).map_err(ToolchainError::io(path, "removed"))?;
        } else if name.starts_with("maven-metadata-") && name.ends_with(".xml") {
            let central = path.with_file_name("maven-metadata-central.xml");
            if !central.exists() {
                std::fs::copy(path, &central).map_err(ToolchainError::io(&central, "written"))?;
            }
        } else if name.ends_with(".jar") || name.ends_with(".pom") {
            let relative = path.strip_prefix(repository).unwrap_or(path).to_string_lossy().into_owned();
            let content = std::fs::read(path).map_err(ToolchainError::io(path, "read"))?;
            let digest = hex(&Sha256::digest(&content));
            // Writing to a string cannot fail.
            let _ = writeln!(digests, "{digest}  {relative}");
            match listed.get(relative.as_str()) {
                Some(expected) if *expected == digest => {}
                Some(_) => {
                    let reason = format!("`{relative}` is not what its digest says");
                    return Err(Failure::Lasting(ToolchainError::Java { reason }));
                }
                None => unlisted += 1,
            }
        }
    }
    let unlisted = match (lock, unlisted) {
        (Some(_), 0) => None,
        (Some(_), count) => Some(format!("{count} files that Maven fetched are not in the list of digests")),
        (None, _) => Some("there is no list of digests for this version of the emitter".to_owned()),
    };
    Ok(Settled { unlisted, digests })
}

/// Begins a repository with the content of another one. Files that Maven replaces as a whole are linked; it writes lists
/// of versions in place.
pub(super) fn begin(from: &Path, to: &Path) -> Result<(), ToolchainError> {
    let mut files = Vec::new();
    collect(from, &mut files).map_err(ToolchainError::io(from, "read"))?;
    std::fs::create_dir_all(to).map_err(ToolchainError::io(to, "created"))?;
    for file in &files {
        let target = to.join(file.strip_prefix(from).unwrap_or(file));
        let directory = target.parent().unwrap_or(to);
        std::fs::create_dir_all(directory).map_err(ToolchainError::io(directory, "created"))?;
        let whole = file.extension().is_some_and(|extension| extension == "jar" || extension == "pom");
        if !whole || std::fs::hard_link(file, &target).is_err() {
            std::fs::copy(file, &target).map_err(ToolchainError::io(&target, "written"))?;
        }
    }
    Ok(())
}

/// `<sha256>  <path>` a line, as `sha256sum` prints it.
fn parse(lock: &str) -> BTreeMap<&str, &str> {
    lock.lines().filter_map(|line| line.split_once("  ")).map(|(digest, path)| (path, digest)).collect()
}

fn collect(directory: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(directory)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), files)?;
        } else {
            files.push(entry.path());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_that_is_not_what_the_list_says_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::create_dir(directory.path().join("a")).unwrap();
        std::fs::write(directory.path().join("a/a.jar"), "content").unwrap();
        std::fs::write(directory.path().join("a/_remote.repositories"), "a.jar>mirror=").unwrap();
        std::fs::write(directory.path().join("a/maven-metadata-mirror.xml"), "<metadata/>").unwrap();
        let digest = hex(&Sha256::digest(b"content"));

        let good = format!("{digest}  a/a.jar\n{digest}  absent.jar\n");
        let settled = settle(directory.path(), Some(&good)).unwrap();
        assert_eq!(settled, Settled { unlisted: None, digests: format!("{digest}  a/a.jar\n") });
        assert!(!directory.path().join("a/_remote.repositories").exists());
        assert!(directory.path().join("a/maven-metadata-central.xml").exists());

        let other = format!("{}  a/a.jar\n", digest.replace(['0', '1', '2', '3'], "4"));
        assert!(matches!(settle(directory.path(), Some(&other)), Err(Failure::Lasting(_))));
        assert!(settle(directory.path(), Some("")).unwrap().unlisted.unwrap().starts_with("1 files"));
        assert!(settle(directory.path(), None).unwrap().unlisted.is_some());
    }

    #[test]
    fn list_of_the_pinned_emitter_is_digests_and_paths() {
        for (_, lock) in LOCKS {
            let parsed = parse(lock);
            assert_eq!(parsed.len(), lock.lines().count());
            assert!(parsed.values().all(|digest| digest.len() == 64));
        }
    }
}

//! The compiler's view of a project, kept in the cache directory for the next time.

use std::path::{Path, PathBuf};

use bailiwick_sdk::tasks::{Language, SpecIndex};
use bailiwick_toolchains::{Emitter, EmitterPackage, Node};

use super::{CustomizeError, proof};
use crate::language::open_package;
use crate::typespec::SpecProject;

/// Where the view of a project as it stands is kept.
pub(super) struct KeptIndex {
    path: PathBuf,
}

/// Names the compiler. An emitter with a lock file is what its package file and that lock file say, wherever and with
/// whatever interpreter it is installed; `emitter` is asked for only where there is no lock file.
pub(super) fn made_with(package: &EmitterPackage, node: &Node, emitter: Option<&Emitter>) -> String {
    let node = node.root.file_name().unwrap_or_default().to_string_lossy();
    let emitter = emitter.filter(|_| !package.is_locked());
    format!("{node} {}", emitter.map_or_else(|| package.digest(), |emitter| emitter.digest.clone()))
}

impl KeptIndex {
    pub(super) fn of(
        cache: &Path,
        project: &SpecProject,
        emitter: &str,
        made_with: &str,
        language: Language,
    ) -> Result<Self, CustomizeError> {
        let key = proof::index_key(project, emitter, made_with, language)?;
        Ok(Self { path: cache.join("indexes").join(format!("{key}.json")) })
    }

    /// What is kept; `None` where nothing usable is.
    pub(super) fn read(&self) -> Option<SpecIndex> {
        serde_json::from_slice(&std::fs::read(&self.path).ok()?).ok()
    }

    /// Keeps an index. A cache that cannot be written costs time, not correctness.
    pub(super) fn keep(&self, index: &SpecIndex) {
        let _ = self.write(index);
    }

    /// Whole or not at all: several runs of one process may keep theirs at once.
    fn write(&self, index: &SpecIndex) -> Result<(), CustomizeError> {
        let (Some(directory), Some(name)) = (self.path.parent(), self.path.file_name().and_then(|name| name.to_str()))
        else {
            return Ok(());
        };
        std::fs::create_dir_all(directory).map_err(CustomizeError::io(directory, "created"))?;
        open_package(directory)?.write(name, &serde_json::to_vec(index)?)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indexes_that_are_kept_at_once_do_not_take_each_others_place() {
        let directory = tempfile::tempdir().unwrap();
        let index = |number: usize| SpecIndex { imports: vec![number.to_string(); 2_000], ..SpecIndex::default() };
        std::thread::scope(|scope| {
            for number in 0..2 {
                let kept = KeptIndex { path: directory.path().join(format!("{number}.json")) };
                scope.spawn(move || {
                    for _ in 0..200 {
                        kept.write(&index(number)).unwrap();
                        assert_eq!(kept.read().unwrap().imports[0], number.to_string());
                    }
                });
            }
        });
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 2, "a partial file is left");
    }
}

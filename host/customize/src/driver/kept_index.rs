//! The compiler's view of a project, kept in the cache directory for the next time.
//!
//! The file's name is the digest of everything that the view follows from. Its first line repeats that name and has the
//! digest of the rest, so that a view which was cut off, changed, or put there for another one is not used.

use std::path::{Path, PathBuf};

use bailiwick_base::files::plain;
use bailiwick_runs::Digest;
use bailiwick_sdk::tasks::{Language, SpecIndex};
use bailiwick_toolchains::{Emitter, EmitterPackage, Node};

use super::{CustomizeError, proof};
use crate::language::open_package;
use crate::typespec::SpecProject;

/// The index of the largest specification has some megabytes.
const LARGEST: u64 = 256 * 1024 * 1024;

/// Where the view of a project as it stands is kept.
pub(super) struct KeptIndex {
    key: String,
    directory: PathBuf,
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
        Ok(Self { key, directory: cache.join("indexes") })
    }

    /// What is kept; `None` where nothing usable is.
    pub(super) fn read(&self) -> Option<SpecIndex> {
        let bytes = plain::left_by_a_child(&self.directory.join(self.name()), LARGEST).ok()?;
        let (head, index) = bytes.split_at(bytes.iter().position(|byte| *byte == b'\n')?);
        let index = &index[1..];
        (head == self.head(index).as_bytes()).then(|| serde_json::from_slice(index).ok()).flatten()
    }

    /// Keeps an index. A cache that cannot be written costs time, not correctness.
    pub(super) fn keep(&self, index: &SpecIndex) {
        let _ = self.write(index);
    }

    /// The same where the project still is what it was before the compiler was asked; `now` is its place as it stands.
    pub(super) fn keep_if_same(&self, index: &SpecIndex, now: &Self) {
        if self.key == now.key {
            self.keep(index);
        }
    }

    /// Whole or not at all: several runs of one process may keep theirs at once.
    fn write(&self, index: &SpecIndex) -> Result<(), CustomizeError> {
        std::fs::create_dir_all(&self.directory).map_err(CustomizeError::io(&self.directory, "created"))?;
        let index = serde_json::to_vec(index)?;
        let text = [self.head(&index).as_bytes(), b"\n", &index].concat();
        open_package(&self.directory)?.write(self.name(), &text)?;
        Ok(())
    }

    fn name(&self) -> String {
        format!("{}.index", self.key)
    }

    fn head(&self, index: &[u8]) -> String {
        format!("{} {}", self.key, Digest::of(index))
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
                let kept = KeptIndex { key: number.to_string(), directory: directory.path().to_owned() };
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

    #[test]
    fn index_of_a_project_that_changed_while_the_compiler_read_it_is_not_kept() {
        let directory = tempfile::tempdir().unwrap();
        let kept = |key: &str| KeptIndex { key: key.to_owned(), directory: directory.path().to_owned() };
        let (before, now) = (kept("before"), kept("now"));
        before.keep_if_same(&SpecIndex::default(), &now);
        assert!(before.read().is_none() && now.read().is_none());
        before.keep_if_same(&SpecIndex::default(), &before);
        assert!(before.read().is_some());
    }

    #[test]
    fn index_that_was_changed_or_belongs_to_another_key_is_not_used() {
        let directory = tempfile::tempdir().unwrap();
        let kept = |key: &str| KeptIndex { key: key.to_owned(), directory: directory.path().to_owned() };
        let index = SpecIndex { imports: vec!["a".to_owned()], ..SpecIndex::default() };
        let (one, other) = (kept("one"), kept("other"));
        let place = |kept: &KeptIndex| directory.path().join(kept.name());
        one.keep(&index);
        assert_eq!(one.read().unwrap().imports, index.imports);
        let good = std::fs::read(place(&one)).unwrap();

        std::fs::write(place(&other), &good).unwrap();
        assert!(other.read().is_none(), "the index of another key is used");
        let text = String::from_utf8(good.clone()).unwrap();
        for poisoned in
            [text.replace("\"a\"", "\"b\""), text[..text.len() - 1].to_owned(), format!("{text} "), String::new()]
        {
            std::fs::write(place(&one), poisoned).unwrap();
            assert!(one.read().is_none());
        }
        std::fs::remove_file(place(&one)).unwrap();
        std::fs::write(directory.path().join("elsewhere"), &good).unwrap();
        std::os::unix::fs::symlink("elsewhere", place(&one)).unwrap();
        assert!(one.read().is_none(), "a link is followed");
        std::fs::remove_file(place(&one)).unwrap();
        let made = std::process::Command::new("mkfifo").arg(place(&one)).status().unwrap();
        assert!(made.success());
        assert!(one.read().is_none(), "a pipe is waited for");
        one.keep(&index);
        assert_eq!(one.read().unwrap().imports, index.imports);
    }
}

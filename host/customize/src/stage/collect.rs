//! Collects what an agent left in a stage.

use std::collections::BTreeMap;
use std::os::fd::OwnedFd;

use rustix::fs::{AtFlags, Dir as Listing, FileType, statat};

use super::open::{open_directory, read_file};
use super::{Stage, StageError};
use crate::gate::{Candidate, Rule, Violation};

/// Directories below each other in a stage.
const DEPTH: usize = 64;

/// A file that is not as it was staged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StagedChange {
    /// The path, relative to the root of the grant.
    pub path: String,
    /// What the agent was given; `None` for a file that was not there or not editable.
    pub staged: Option<Vec<u8>>,
    /// What the agent made of it; `None` when it removed it.
    pub after: Option<Vec<u8>>,
}

impl StagedChange {
    /// The change as the gate judges it, with the content when the run began and the repository's content now.
    #[must_use]
    pub fn candidate(self, original: Option<Vec<u8>>, now: Option<Vec<u8>>) -> Candidate {
        Candidate { path: self.path, original, staged: self.staged, now, after: self.after }
    }
}

/// Everything in which a stage differs from what was put into it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StageDifference {
    /// Changed, added and removed files, by path.
    pub files: Vec<StagedChange>,
    /// What breaks a rule before any content is looked at: links, pipes, names that are not UTF-8, too much of it. The
    /// difference must not land when there is one.
    pub violations: Vec<Violation>,
}

impl Stage {
    /// Compares the stage with what was put into it. No link is followed, nothing but plain files is opened, and no
    /// more is read than the limits allow.
    ///
    /// # Errors
    /// When the stage cannot be read; what an agent can cause is a violation instead.
    pub fn collect(&self) -> Result<StageDifference, StageError> {
        let mut walk = Walk { stage: self, found: BTreeMap::new(), violations: Vec::new(), entries: 0 };
        // Opened anew, because the handle may be one that only stands for a place and cannot be listed.
        let root = open_directory(&self.upper, ".").map_err(StageError::io(".", "listed"))?;
        walk.directory(&root, "", 0)?;
        let Walk { mut found, violations, .. } = walk;
        let mut files = Vec::new();
        for staged in &self.files {
            let unreadable = violations.iter().any(|violation| violation.path == staged.path);
            let after = found.remove(&staged.path);
            if after != staged.content && !unreadable {
                files.push(StagedChange { path: staged.path.clone(), staged: staged.content.clone(), after });
            }
        }
        let added = found.into_iter().map(|(path, content)| StagedChange { path, staged: None, after: Some(content) });
        files.extend(added);
        files.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(StageDifference { files, violations })
    }
}

struct Walk<'a> {
    stage: &'a Stage,
    found: BTreeMap<String, Vec<u8>>,
    violations: Vec<Violation>,
    entries: usize,
}

impl Walk<'_> {
    fn refuse(&mut self, rule: Rule, path: &str, message: &str) {
        self.violations.push(Violation::new(rule, path, message));
    }

    fn directory(&mut self, directory: &OwnedFd, prefix: &str, depth: usize) -> Result<(), StageError> {
        if depth > DEPTH {
            self.refuse(Rule::StageTooLarge, prefix, "directories are nested too deeply");
            return Ok(());
        }
        for name in self.names(directory, prefix)? {
            let path = format!("{prefix}{name}");
            self.entries += 1;
            if self.entries > self.stage.limits.entries {
                self.refuse(Rule::StageTooLarge, &path, "the stage holds more files than a customization needs");
                return Ok(());
            }
            self.entry(directory, &name, &path, depth)?;
        }
        Ok(())
    }

    /// The names in a directory, sorted. A name that is not UTF-8 is a violation; others beside it are still seen.
    fn names(&mut self, directory: &OwnedFd, prefix: &str) -> Result<Vec<String>, StageError> {
        let listed = StageError::io(prefix, "listed");
        let listing = Listing::read_from(directory).map_err(listed)?;
        let mut names = Vec::new();
        for entry in listing {
            let entry = entry.map_err(StageError::io(prefix, "listed"))?;
            match entry.file_name().to_str() {
                Ok("." | "..") => {}
                Ok(name) => names.push(name.to_owned()),
                Err(_) => {
                    let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
                    self.refuse(Rule::NameNotText, &path, "the file name is not UTF-8");
                }
            }
            // One more than the limit is enough to see that it is passed.
            if names.len() > self.stage.limits.entries {
                break;
            }
        }
        names.sort_unstable();
        Ok(names)
    }

    fn entry(&mut self, directory: &OwnedFd, name: &str, path: &str, depth: usize) -> Result<(), StageError> {
        let stat = statat(directory, name, AtFlags::SYMLINK_NOFOLLOW).map_err(StageError::io(path, "read"))?;
        match FileType::from_raw_mode(stat.st_mode) {
            FileType::Directory => {
                let inner = open_directory(directory, name).map_err(StageError::io(path, "read"))?;
                self.directory(&inner, &format!("{path}/"), depth + 1)
            }
            // A second name of a file could make one edit land under both.
            FileType::RegularFile if stat.st_nlink == 1 => self.file(directory, name, path),
            FileType::RegularFile => {
                self.refuse(Rule::NotAPlainFile, path, "the file has a second name in the stage");
                Ok(())
            }
            FileType::Symlink => {
                self.refuse(Rule::NotAPlainFile, path, "the stage may not hold symbolic links");
                Ok(())
            }
            _ => {
                self.refuse(Rule::NotAPlainFile, path, "the stage may hold only files and directories");
                Ok(())
            }
        }
    }

    fn file(&mut self, directory: &OwnedFd, name: &str, path: &str) -> Result<(), StageError> {
        match read_file(directory, name, path, self.stage.limits.file_bytes) {
            Ok(content) => {
                self.found.insert(path.to_owned(), content);
                Ok(())
            }
            Err(StageError::TooLarge { limit, .. }) => {
                self.refuse(Rule::TooLarge, path, &format!("the file is over the limit of {limit} bytes"));
                Ok(())
            }
            Err(StageError::NotAPlainFile { .. }) => {
                self.refuse(Rule::NotAPlainFile, path, "the file was replaced by something else");
                Ok(())
            }
            Err(error) => Err(error),
        }
    }
}

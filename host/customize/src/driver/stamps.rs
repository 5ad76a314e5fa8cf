//! What files are at one time, and whether they stayed so: contents by a digest, and of each entry what no program can put
//! back. A file that somebody exchanged and brought back, as `git stash` and `git stash pop` do, has its content again and
//! another inode and another time of its last change.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use bailiwick_base::files::{Facts, Type, facts_of, present};
use bailiwick_runs::tree_digest;

use super::CustomizeError;
use super::roots::SDK;
use crate::language::open_package;
use crate::typespec::git_directories;

/// So often a build or a generation is repeated because files changed while it was at work.
pub(super) const REPEATED: usize = 2;
/// So many of the files that changed are named.
const NAMED: usize = 5;

/// Directories that are not inputs: version control, and the output of package managers and compilers.
const SKIPPED: [&str; 5] = [".git", "node_modules", "tsp-output", "__pycache__", "TempTypeSpecFiles"];

/// A digest of the contents of a directory.
pub(super) fn digest(directory: &Path) -> Result<String, CustomizeError> {
    let skip: Vec<String> = SKIPPED.iter().map(|name| (*name).to_owned()).collect();
    Ok(tree_digest(directory, &skip)?.to_string())
}

/// The facts of every entry of a directory by its path there, and of the directory itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stamps(BTreeMap<PathBuf, (bool, Facts)>);

impl Stamps {
    pub(super) fn of(directory: &Path) -> Result<Self, CustomizeError> {
        let tree = open_package(directory)?;
        let failed = |errno: rustix::io::Errno| CustomizeError::io(directory, "read")(errno.into());
        let mut all = BTreeMap::new();
        all.insert(PathBuf::new(), (true, facts_of(tree.handle()).map_err(failed)?));
        tree.entries(enters, |path, kind, parent| {
            // What cannot be looked at, or vanishes, is not there: the next look differs.
            let name = path.file_name().unwrap_or_default();
            if let Ok(Some((_, facts))) = present(parent, name)
                && !(kind == Type::Directory && is_skipped(name))
            {
                all.insert(path.to_owned(), (kind == Type::Directory, facts));
            }
            Ok(())
        })?;
        Ok(Self(all))
    }

    /// The paths that differ, sorted: the files; if no file differs, the directories in which something came and went.
    pub(super) fn moved(&self, later: &Self) -> Vec<String> {
        let paths = self.0.keys().chain(later.0.keys().filter(|path| !self.0.contains_key(*path)));
        let moved: Vec<&PathBuf> = paths.filter(|path| self.0.get(*path) != later.0.get(*path)).collect();
        let is_directory = |path: &PathBuf| self.0.get(path).or(later.0.get(path)).is_some_and(|(is, _)| *is);
        let named = |of: bool| moved.iter().filter(move |path| is_directory(path) == of).map(|path| shown(path));
        let mut files: Vec<String> = named(false).collect();
        if files.is_empty() {
            files = named(true).collect();
        }
        files.sort();
        files
    }
}

fn shown(path: &Path) -> String {
    if path.as_os_str().is_empty() { SDK.to_owned() } else { format!("{SDK}/{}", path.display()) }
}

fn enters(path: &Path, _: &[OsString]) -> bool {
    !path.file_name().is_some_and(is_skipped)
}

fn is_skipped(name: &OsStr) -> bool {
    SKIPPED.iter().any(|skipped| name == *skipped)
}

/// A package at one time.
#[derive(Debug, Clone)]
pub(super) struct Seen {
    pub(super) stamps: Stamps,
    pub(super) digest: String,
}

impl Seen {
    pub(super) fn of(package: &Path) -> Result<Self, CustomizeError> {
        // In this order a change in between shows when the stamps are compared.
        let stamps = Stamps::of(package)?;
        Ok(Self { stamps, digest: digest(package)? })
    }

    /// The package now. Contents are read only where something moved.
    pub(super) fn again(&self, package: &Path) -> Result<Self, CustomizeError> {
        let stamps = Stamps::of(package)?;
        let digest = if stamps == self.stamps { self.digest.clone() } else { digest(package)? };
        Ok(Self { stamps, digest })
    }
}

/// What git writes into a work tree's own directory whenever it writes files of the work tree: the index, which is locked
/// from before the first file until after the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Index([Option<(u64, i64, i64, u64)>; 2]);

impl Index {
    pub(super) fn of(repository: &Path) -> Self {
        let own = git_directories(repository).map(|(own, _)| own);
        Self(["index", "index.lock"].map(|name| {
            let facts = std::fs::symlink_metadata(own.as_ref()?.join(name)).ok()?;
            Some((facts.ino(), facts.ctime(), facts.ctime_nsec(), facts.size()))
        }))
    }
}

/// Why a build or tests showed nothing: these files changed, or without any, git was at work beside them.
pub(super) fn disturbed(what: &str, moved: &[String]) -> String {
    const GIT: &str = "git was at work in the repository while a check of the package ran";
    if moved.is_empty() { GIT.to_owned() } else { sentence(what, moved) }
}

/// `files of the package changed while it was built: …`. `what` is all before the colon.
pub(super) fn sentence(what: &str, moved: &[String]) -> String {
    let named: Vec<String> = moved.iter().take(NAMED).map(|path| format!("`{path}`")).collect();
    let more = match moved.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{what}: {}{more}", named.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_that_was_exchanged_and_brought_back_has_moved_and_what_tools_leave_has_not() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap();
        for path in ["src", "node_modules"] {
            std::fs::create_dir(root.join(path)).unwrap();
        }
        for path in ["src/a.go", "src/b.go", "node_modules/x"] {
            std::fs::write(root.join(path), "a").unwrap();
        }
        let seen = Seen::of(&root).unwrap();
        std::fs::write(root.join("node_modules/x"), "b").unwrap();
        assert_eq!(seen.again(&root).unwrap().stamps, seen.stamps);
        std::fs::remove_file(root.join("src/a.go")).unwrap();
        std::fs::write(root.join("src/a.go"), "a").unwrap();
        let now = seen.again(&root).unwrap();
        assert_eq!(now.digest, seen.digest);
        assert_eq!(seen.stamps.moved(&now.stamps), ["sdk/src/a.go"]);
        // A file that came and went shows at its directory.
        std::fs::write(root.join("src/c.go"), "c").unwrap();
        std::fs::remove_file(root.join("src/c.go")).unwrap();
        let later = now.again(&root).unwrap();
        assert_eq!(now.stamps.moved(&later.stamps), ["sdk/src"]);
        std::fs::write(root.join("src/b.go"), "c").unwrap();
        assert_ne!(later.again(&root).unwrap().digest, seen.digest);
    }

    #[test]
    fn command_of_git_that_writes_files_is_seen_at_the_index() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        assert_eq!(Index::of(root), Index::of(root), "no repository");
        std::fs::create_dir(root.join(".git")).unwrap();
        std::fs::write(root.join(".git/index"), "one").unwrap();
        let before = Index::of(root);
        std::fs::write(root.join(".git/index.lock"), "two").unwrap();
        let at_work = Index::of(root);
        assert_ne!(before, at_work);
        std::fs::rename(root.join(".git/index.lock"), root.join(".git/index")).unwrap();
        assert!(![before, at_work].contains(&Index::of(root)));
    }

    #[test]
    fn long_lists_are_cut() {
        let moved: Vec<String> = (0..7).map(|number| format!("sdk/{number}")).collect();
        assert_eq!(sentence("changed", &moved[..1]), "changed: `sdk/0`");
        assert!(sentence("changed", &moved).ends_with("`sdk/4` and 2 more"));
    }
}

//! What a child may not leave behind in a directory that it may write.
//!
//! A repository is looked at before a child begins and after everything that it started is dead:
//!
//! - **Repositories**: `.git`, `.hg`, `.jj` and their like at any depth, and directories that git takes for a bare repository. git and its
//!   like run programs that their configuration names, for a prompt, an editor or a person who asks `git status` there. A new one is removed;
//!   what decides which programs an existing one runs is put back.
//! - **Links and special files** that were not there before, or lead elsewhere now. What is read or written by its path
//!   would lead to another place. They are named and not removed: the run that the child worked for puts its tree back.
//! - **Programs that are started with the rights of their owner** (set-user-id), which any user of the machine could use.
//! - **Installed programs**: what lies in `node_modules` or an environment of Python that was there before. The build takes
//!   its compiler from there, and a person runs it unconfined; git ignores it, so that no review shows a change. That holds for
//!   a generation; the repository's own tools keep caches and logs there. Compiled modules of Python are the same for
//!   all: they run in place of their source. Those in `__pycache__`, which any import makes, are removed without a word.
//! - **More than the host can look at**: files without content cost a child nothing, and the host reads every byte of them.
//! - **`tsp-location.yaml`**, which decides what is generated from and with which emitter. It is put back.
//!
//! A copy that the host made for the child is looked at for repositories alone, and for more paths than the host can note: it
//! is thrown away.

mod installed;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use bailiwick_base::files::{Facts, Tree, TreeError, Type, link_target, present};

pub use installed::{is_cached, is_compiled};

/// Which emitter generates a package, and from what.
const LOCATION: &str = "tsp-location.yaml";

/// Directories of version control. Mercurial, Jujutsu, Sapling, Pijul and Darcs run what their configuration names as well, for
/// a prompt that asks them where it is.
const REPOSITORIES: [&str; 6] = [".git", ".hg", ".jj", ".sl", ".pijul", "_darcs"];

/// What makes git take a directory for a repository: `HEAD`, and either `objects` and `refs` or `commondir`, which names the
/// directory that has them.
const REPOSITORY_PARTS: [&str; 4] = ["HEAD", "objects", "refs", "commondir"];

/// Files of a repository that name programs or say where the repository lies.
const CONTROL: [&str; 8] =
    ["config", "config.worktree", "commondir", "gitdir", "HEAD", "hgrc", "config.toml", "defaults"];

/// Directories of a repository that hold contents and no configuration.
const CONTENTS: [&str; 4] = ["objects", "refs", "logs", "lfs"];

/// No configuration of a repository and no hook is larger.
const LARGEST: u64 = 1024 * 1024;

/// So many entries more than before is more than any generator writes.
const MOST_ENTRIES: u64 = 200_000;

/// So many bytes more than before, with those of holes: the host reads them, too, and keeps sources in memory. The code of the
/// largest clients has some 100 MiB.
const MOST_BYTES: u64 = 1 << 30;

/// So many bytes more than before of all paths together. Names may be long and directories deep.
const MOST_OF_PATHS: u64 = 64 << 20;

/// So many bytes more than before of all [`CONTROL`] files together are kept. What is larger is noticed when it appears.
const MOST_OF_CONTROL: u64 = 32 << 20;

/// Whose directory a child writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    /// A person's.
    Person,
    /// The host's, which throws it away.
    Host,
}

/// What a child is there for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Work {
    /// It generates a package, and has no business with what is installed there.
    Generation,
    /// Anything else, such as a script of the repository's that keeps its caches and logs where its tools are installed.
    OwnTool,
}

/// Something that a child left behind.
#[derive(Debug)]
pub(super) struct Residue {
    /// Where.
    pub(super) path: PathBuf,
    /// What, and what became of it.
    pub(super) kind: ResidueKind,
}

#[derive(Debug)]
pub(super) enum ResidueKind {
    /// A repository, or a change of what one runs; it is as before again unless that failed.
    Repository(Option<TreeError>),
    /// A change of `tsp-location.yaml`; it is as before again unless that failed.
    Location(Option<TreeError>),
    /// A link that was not there before.
    Link,
    /// A pipe, socket or device that was not there before.
    Special,
    /// A program that everybody starts with the rights of its owner or group, and that was none before.
    OfItsOwner,
    /// A change of a program that was installed before.
    Installed,
    /// So many entries or bytes more than before that the host does not read them.
    TooMuch,
    /// The directory cannot be looked at any more.
    Unreadable(TreeError),
}

/// Directories as they were before a child ran.
#[derive(Debug)]
pub(super) struct Survey {
    trees: Vec<Surveyed>,
}

#[derive(Debug)]
struct Surveyed {
    tree: Tree,
    owner: Owner,
    seen: Seen,
}

/// What counts of one directory, by path.
#[derive(Debug, Default)]
struct Seen {
    /// `.git` and its like, whatever they are.
    repositories: BTreeSet<PathBuf>,
    /// Directories outside of these, with those of [`REPOSITORY_PARTS`] that they have.
    parts: BTreeMap<PathBuf, BTreeSet<&'static str>>,
    /// Contents of files that decide what runs.
    control: BTreeMap<PathBuf, Option<Vec<u8>>>,
    links: BTreeMap<PathBuf, OsString>,
    special: BTreeSet<PathBuf>,
    /// Files that are started with the rights of their owner or group.
    of_its_owner: BTreeSet<PathBuf>,
    /// Directories of installed programs.
    places: BTreeSet<PathBuf>,
    /// What lies there, and compiled modules.
    installed: BTreeMap<PathBuf, Facts>,
    /// How many entries there are.
    entries: u64,
    /// The lengths of all files.
    bytes: u64,
    /// The lengths of all paths.
    paths: u64,
    /// The lengths of what is kept in `control`.
    kept: u64,
}

/// How much is noted of a directory.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    paths: u64,
    control: u64,
}

impl Bounds {
    /// Of what was there before a child.
    const NONE: Self = Self { paths: u64::MAX, control: u64::MAX };

    /// Of what is there after it.
    fn beyond(before: &Seen) -> Self {
        Self { paths: before.paths.saturating_add(MOST_OF_PATHS), control: before.kept.saturating_add(MOST_OF_CONTROL) }
    }
}

impl Survey {
    /// Gives every file of a person's that has other names a content of its own: a child that writes it in place would change
    /// what lies elsewhere.
    ///
    /// Looks at every directory of `roots`; what is not a directory is left out. `transient`, directly beneath a root, is
    /// left out too: the caller removes it before anything in it is used.
    pub(super) fn take<'a>(
        roots: impl Iterator<Item = (&'a Path, Owner)>,
        transient: Option<&str>,
    ) -> Result<Self, TreeError> {
        let mut trees = Vec::new();
        for (root, owner) in roots {
            if root.is_dir() {
                let tree = Tree::open(root)?;
                if owner == Owner::Person {
                    tree.set_apart()?;
                }
                let (seen, unread) = Seen::of(&tree, transient, Bounds::NONE);
                unread?;
                trees.push(Surveyed { tree, owner, seen });
            }
        }
        Ok(Self { trees })
    }

    /// What is there now and was not, most serious first. What git would run is put back before this returns, and what Python
    /// compiled for itself is removed. Only a generation has something `transient`.
    pub(super) fn compare(&self, transient: Option<&str>) -> Vec<Residue> {
        let work = if transient.is_some() { Work::Generation } else { Work::OwnTool };
        let mut found: Vec<Residue> = Vec::new();
        for surveyed in &self.trees {
            let most = Bounds::beyond(&surveyed.seen);
            let (mut now, unread) = Seen::of(&surveyed.tree, transient, most);
            if let Err(error) = unread {
                found.push(Residue { path: surveyed.tree.path().to_owned(), kind: ResidueKind::Unreadable(error) });
                // A mode may hide a repository. The run puts modes back.
                surveyed.tree.open_up();
                now = Seen::of(&surveyed.tree, transient, most).0;
            }
            surveyed.compare(&now, work, &mut found);
        }
        found.sort_by_key(|residue| residue.kind.rank());
        found
    }
}

impl ResidueKind {
    fn rank(&self) -> u8 {
        match self {
            Self::Repository(_) => 0,
            Self::Location(_) => 1,
            Self::Unreadable(_) => 2,
            Self::Link => 3,
            Self::Special => 4,
            Self::OfItsOwner => 5,
            Self::Installed => 6,
            Self::TooMuch => 7,
        }
    }
}

impl Seen {
    /// What can be seen, and whether that is all. Behind `most` bytes of paths nothing more is noted.
    fn of(tree: &Tree, transient: Option<&str>, most: Bounds) -> (Self, Result<(), TreeError>) {
        let mut seen = Self::default();
        let enter = |path: &Path, _: &[OsString]| {
            let left_out = path.to_str().is_some_and(|path| Some(path) == transient);
            let contents =
                in_repository(path) && path.file_name().is_some_and(|name| CONTENTS.iter().any(|one| name == *one));
            !left_out && !contents
        };
        let visit = |path: &Path, kind, parent: &OwnedFd| {
            seen.entries = seen.entries.saturating_add(1);
            seen.paths = seen.paths.saturating_add(path.as_os_str().len() as u64);
            if seen.paths <= most.paths {
                seen.note(tree, path, (kind, parent), most);
            }
            Ok(())
        };
        let all = tree.entries(enter, visit);
        (seen, all)
    }

    fn note(&mut self, tree: &Tree, path: &Path, (kind, parent): (Type, &OwnedFd), most: Bounds) {
        let Some(name) = path.file_name() else { return };
        if matches!(kind, Type::File | Type::Symlink)
            && let Ok(Some((kind, facts))) = present(parent, name)
        {
            self.note_facts(path, kind, facts);
        }
        if is_repository(name) {
            self.repositories.insert(path.to_owned());
        } else if !in_repository(path)
            && let Some(part) = REPOSITORY_PARTS.into_iter().find(|part| name == *part)
        {
            let directory = path.parent().unwrap_or(Path::new("")).to_owned();
            self.parts.entry(directory).or_default().insert(part);
        }
        match kind {
            Type::Symlink => {
                let target = link_target(parent, name).unwrap_or_default();
                self.links.insert(path.to_owned(), target);
            }
            Type::Special(_) => {
                self.special.insert(path.to_owned());
            }
            Type::File if decides(path) => {
                // One that is too large to keep is noticed when it appears and not when it changes.
                let most = LARGEST.min(most.control.saturating_sub(self.kept));
                let content = tree.read(path, most).unwrap_or_default();
                self.kept = self.kept.saturating_add(content.as_ref().map_or(0, |content| content.len() as u64));
                self.control.insert(path.to_owned(), content);
            }
            Type::Directory if installed::place(path) == Some(path) => {
                self.places.insert(path.to_owned());
            }
            Type::File | Type::Directory => {}
        }
    }

    fn note_facts(&mut self, path: &Path, kind: Type, facts: Facts) {
        if kind == Type::File {
            self.bytes = self.bytes.saturating_add(facts.size);
            if is_of_its_owner(facts.mode) {
                self.of_its_owner.insert(path.to_owned());
            }
        }
        if installed::place(path).is_some() || is_compiled(path) {
            self.installed.insert(path.to_owned(), facts);
        }
    }

    /// Directories that git takes for a repository.
    fn bare(&self) -> impl Iterator<Item = &PathBuf> {
        let is_one = |parts: &BTreeSet<&str>| {
            let has = |part| parts.contains(part);
            has("HEAD") && (has("commondir") || has("objects") && has("refs"))
        };
        self.parts.iter().filter(move |(_, parts)| is_one(parts)).map(|(path, _)| path)
    }
}

impl Surveyed {
    fn compare(&self, now: &Seen, work: Work, found: &mut Vec<Residue>) {
        let before = &self.seen;
        let mut add = |path: &Path, kind| found.push(Residue { path: self.tree.path().join(path), kind });
        for path in now.repositories.difference(&before.repositories) {
            add(path, ResidueKind::Repository(self.remove(path)));
        }
        for directory in now.bare().filter(|directory| !before.bare().any(|known| known == *directory)) {
            add(directory, ResidueKind::Repository(self.dissolve(directory)));
        }
        let within_new =
            |path: &Path| now.repositories.difference(&before.repositories).any(|git| path.starts_with(git));
        let is_cut = now.paths.saturating_sub(before.paths) > MOST_OF_PATHS;
        let control: BTreeSet<&PathBuf> = before.control.keys().chain(now.control.keys()).collect();
        for path in control {
            let (was, is) = (before.control.get(path), now.control.get(path));
            if was == is || within_new(path) || (self.owner == Owner::Host && !in_repository(path)) {
                continue;
            }
            if is_cut && was.is_some() && is.is_none_or(Option::is_none) {
                // It may stand there and not be noted.
                let _ = was.and_then(Option::as_ref).map(|content| self.put_back(path, content));
                continue;
            }
            let mended = match was {
                Some(Some(content)) => self.put_back(path, content),
                Some(None) => None,
                // A file that makes no repository by itself; the package may get one where it had none.
                None if !in_repository(path) => continue,
                None => self.remove(path),
            };
            let kind = if in_repository(path) { ResidueKind::Repository } else { ResidueKind::Location };
            add(path, kind(mended));
        }
        if self.owner == Owner::Host {
            if is_cut {
                add(Path::new(""), ResidueKind::TooMuch);
            }
            return;
        }
        for (path, target) in &now.links {
            if before.links.get(path) != Some(target) && !within_new(path) {
                add(path, ResidueKind::Link);
            }
        }
        for path in now.special.difference(&before.special).filter(|path| !within_new(path)) {
            add(path, ResidueKind::Special);
        }
        for path in now.of_its_owner.difference(&before.of_its_owner) {
            add(path, ResidueKind::OfItsOwner);
        }
        // What was not noted may stand there.
        let is_known = |path: &&Path| !is_cut || now.installed.contains_key(*path);
        let changed = installed::changed(&before.places, &before.installed, &now.installed, work).filter(is_known);
        let stays = |path: &&PathBuf| self.remove(path).is_some();
        let left = installed::cached(&before.installed, &now.installed, work).filter(stays).map(PathBuf::as_path);
        for path in changed.into_iter().chain(left) {
            add(path, ResidueKind::Installed);
        }
        if now.entries.saturating_sub(before.entries) > MOST_ENTRIES
            || now.bytes.saturating_sub(before.bytes) > MOST_BYTES
            || is_cut
        {
            add(Path::new(""), ResidueKind::TooMuch);
        }
    }

    fn remove(&self, path: &Path) -> Option<TreeError> {
        self.tree.remove(path).err()
    }

    fn put_back(&self, path: &Path, content: &[u8]) -> Option<TreeError> {
        self.tree.write(path, content).err()
    }

    /// Takes away what made a repository of a directory.
    fn dissolve(&self, directory: &Path) -> Option<TreeError> {
        let before = self.seen.parts.get(directory).cloned().unwrap_or_default();
        let new = REPOSITORY_PARTS.into_iter().filter(|part| !before.contains(part));
        new.map(|part| self.remove(&directory.join(part))).find(Option::is_some).flatten()
    }
}

/// Whether a mode has the set-user-id bit, or the set-group-id bit of a program.
fn is_of_its_owner(mode: u32) -> bool {
    mode & 0o4000 != 0 || mode & 0o2010 == 0o2010
}

fn is_repository(name: &std::ffi::OsStr) -> bool {
    REPOSITORIES.iter().any(|one| name.eq_ignore_ascii_case(one))
}

/// Whether a path lies in a repository.
fn in_repository(path: &Path) -> bool {
    path.components().any(|part| is_repository(part.as_os_str()))
}

/// Whether the content of a file decides which program runs.
fn decides(path: &Path) -> bool {
    if path == Path::new(LOCATION) {
        return true;
    }
    let Some(name) = path.file_name() else { return false };
    // A `.git` that is a file names the directory of the repository.
    let inside = in_repository(path) && !is_repository(name);
    let directory = |wanted: &str| path.parent().is_some_and(|parent| parent.ends_with(wanted));
    is_repository(name) || inside && (CONTROL.iter().any(|one| name == *one) || directory("hooks") || directory("info"))
}

#[cfg(test)]
mod tests;

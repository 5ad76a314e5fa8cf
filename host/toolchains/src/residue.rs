//! What a child may not leave behind in a directory that it may write.
//!
//! A repository is looked at before a child begins and after everything that it started is dead:
//!
//! - **Repositories**: `.git`, `.hg` and `.jj` at any depth, and directories that git takes for a bare repository. git and its
//!   like run programs that their configuration names, for a prompt, an editor or a person who asks `git status` there. A new one is removed;
//!   what decides which programs an existing one runs is put back.
//! - **Links and special files** that were not there before, or lead elsewhere now. What is read or written by its path
//!   would lead to another place. They are named and not removed: the run that the child worked for puts its tree back.
//! - **Programs that are started with the rights of their owner** (set-user-id), which any user of the machine could use.
//! - **`tsp-location.yaml`**, which decides what is generated from and with which emitter. It is put back.
//!
//! A copy that the host made for the child is looked at for repositories alone: it is thrown away.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use bailiwick_base::files::{Tree, TreeError, Type, link_target, present};

/// Which emitter generates a package, and from what.
const LOCATION: &str = "tsp-location.yaml";

/// Directories of version control. Mercurial and Jujutsu run what their configuration names as well, for a prompt that asks
/// them where it is.
const REPOSITORIES: [&str; 3] = [".git", ".hg", ".jj"];

/// What makes git take a directory for a repository: `HEAD`, and either `objects` and `refs` or `commondir`, which names the
/// directory that has them.
const REPOSITORY_PARTS: [&str; 4] = ["HEAD", "objects", "refs", "commondir"];

/// Files of a repository that name programs or say where the repository lies.
const CONTROL: [&str; 7] = ["config", "config.worktree", "commondir", "gitdir", "HEAD", "hgrc", "config.toml"];

/// Directories of a repository that hold contents and no configuration.
const CONTENTS: [&str; 4] = ["objects", "refs", "logs", "lfs"];

/// No configuration of a repository and no hook is larger.
const LARGEST: u64 = 1024 * 1024;

/// Whose directory a child writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    /// A person's.
    Person,
    /// The host's, which throws it away.
    Host,
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
                let (seen, unread) = Seen::of(&tree, transient);
                unread?;
                trees.push(Surveyed { tree, owner, seen });
            }
        }
        Ok(Self { trees })
    }

    /// What is there now and was not, most serious first. What git would run is put back before this returns.
    pub(super) fn compare(&self, transient: Option<&str>) -> Vec<Residue> {
        let mut found: Vec<Residue> = Vec::new();
        for surveyed in &self.trees {
            let (mut now, unread) = Seen::of(&surveyed.tree, transient);
            if let Err(error) = unread {
                found.push(Residue { path: surveyed.tree.path().to_owned(), kind: ResidueKind::Unreadable(error) });
                // A mode may hide a repository. The run puts modes back.
                surveyed.tree.open_up();
                now = Seen::of(&surveyed.tree, transient).0;
            }
            surveyed.compare(&now, &mut found);
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
        }
    }
}

impl Seen {
    /// What can be seen, and whether that is all.
    fn of(tree: &Tree, transient: Option<&str>) -> (Self, Result<(), TreeError>) {
        let mut seen = Self::default();
        let enter = |path: &Path, _: &[OsString]| {
            let left_out = path.to_str().is_some_and(|path| Some(path) == transient);
            let contents =
                in_repository(path) && path.file_name().is_some_and(|name| CONTENTS.iter().any(|one| name == *one));
            !left_out && !contents
        };
        let visit = |path: &Path, kind, parent: &OwnedFd| {
            seen.note(tree, path, kind, parent);
            Ok(())
        };
        let all = tree.entries(enter, visit);
        (seen, all)
    }

    fn note(&mut self, tree: &Tree, path: &Path, kind: Type, parent: &OwnedFd) {
        let Some(name) = path.file_name() else { return };
        if kind == Type::File
            && present(parent, name).is_ok_and(|found| found.is_some_and(|(_, facts)| is_of_its_owner(facts.mode)))
        {
            self.of_its_owner.insert(path.to_owned());
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
                self.control.insert(path.to_owned(), tree.read(path, LARGEST).unwrap_or_default());
            }
            Type::File | Type::Directory => {}
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
    fn compare(&self, now: &Seen, found: &mut Vec<Residue>) {
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
        let control: BTreeSet<&PathBuf> = before.control.keys().chain(now.control.keys()).collect();
        for path in control {
            let (was, is) = (before.control.get(path), now.control.get(path));
            if was == is || within_new(path) || (self.owner == Owner::Host && !in_repository(path)) {
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
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    /// A package that is a submodule, with a link, and another person's directory beside it.
    fn package() -> (tempfile::TempDir, PathBuf) {
        let directory = tempfile::tempdir().unwrap();
        let base = directory.path().canonicalize().unwrap();
        let package = base.join("package");
        for path in ["src/deep/er", ".git/hooks", ".git/info", ".git/objects", ".git/refs", "kept/refs"] {
            fs::create_dir_all(package.join(path)).unwrap();
        }
        for (path, content) in [
            (".git/HEAD", "ref: refs/heads/main\n"),
            (".git/config", "[core]\n"),
            (".git/hooks/pre-commit", "#!/bin/sh\n"),
            (".git/index", "1"),
            ("tsp-location.yaml", "directory: a\n"),
            ("src/a.py", "a\n"),
        ] {
            fs::write(package.join(path), content).unwrap();
        }
        symlink("src/a.py", package.join("link")).unwrap();
        fs::create_dir(base.join("outside")).unwrap();
        fs::write(base.join("outside/kept"), "kept").unwrap();
        (directory, package)
    }

    fn left(package: &Path, owner: Owner, child: impl FnOnce(&Path)) -> Vec<(String, &'static str)> {
        let survey = Survey::take([(package, owner)].into_iter(), Some("copy")).unwrap();
        child(package);
        let name = |kind: &ResidueKind| match kind {
            ResidueKind::Repository(None) => "repository",
            ResidueKind::Location(None) => "location",
            ResidueKind::Link => "link",
            ResidueKind::Special => "special",
            ResidueKind::OfItsOwner => "of its owner",
            ResidueKind::Unreadable(_) => "unreadable",
            ResidueKind::Repository(Some(_)) | ResidueKind::Location(Some(_)) => "not put back",
        };
        let shown = |path: &Path| path.strip_prefix(package).unwrap().to_str().unwrap().to_owned();
        survey.compare(Some("copy")).iter().map(|one| (shown(&one.path), name(&one.kind))).collect()
    }

    #[test]
    fn files_of_a_generator_and_of_git_itself_are_not_residue() {
        let (_directory, package) = package();
        let found = left(&package, Owner::Person, |package| {
            fs::write(package.join("src/a.py"), "b\n").unwrap();
            fs::write(package.join("src/new.py"), "c\n").unwrap();
            fs::write(package.join(".git/index"), "2").unwrap();
            fs::write(package.join(".git/objects/new"), "2").unwrap();
            fs::create_dir_all(package.join("copy/.git")).unwrap();
            symlink("/", package.join("copy/link")).unwrap();
            fs::remove_file(package.join("link")).unwrap();
        });
        assert_eq!(found, []);
    }

    type Act = fn(&Path);

    #[test]
    fn repositories_are_found_at_every_depth_and_removed() {
        let cases: [(&str, Act); 7] = [
            ("src/deep/er/.git", |package| {
                fs::create_dir(package.join("src/deep/er/.git")).unwrap();
                fs::write(package.join("src/deep/er/.git/config"), "[core]\n\tfsmonitor = x\n").unwrap();
            }),
            ("src/.git", |package| fs::write(package.join("src/.git"), "gitdir: ../../outside\n").unwrap()),
            ("src/.git", |package| symlink("../../outside", package.join("src/.git")).unwrap()),
            ("new/.hg", |package| {
                fs::create_dir_all(package.join("new/.hg")).unwrap();
                fs::write(package.join("new/.hg/hgrc"), "[extensions]\nx = x.py\n").unwrap();
            }),
            (".jj", |package| fs::create_dir_all(package.join(".jj/repo")).unwrap()),
            ("new/.GIT", |package| fs::create_dir_all(package.join("new/.GIT")).unwrap()),
            ("node_modules/x/.git", |package| fs::create_dir_all(package.join("node_modules/x/.git/hooks")).unwrap()),
        ];
        for (path, act) in cases {
            for owner in [Owner::Person, Owner::Host] {
                let (_directory, package) = package();
                assert_eq!(left(&package, owner, act), [(path.to_owned(), "repository")], "{path}");
                assert!(fs::symlink_metadata(package.join(path)).is_err(), "{path} is still there");
            }
        }
    }

    #[test]
    fn repository_below_a_name_that_is_no_text_is_removed() {
        use std::os::unix::ffi::OsStrExt as _;
        let (_directory, package) = package();
        let below = package.join(std::ffi::OsStr::from_bytes(b"\xff"));
        let survey = Survey::take([(&*package, Owner::Person)].into_iter(), None).unwrap();
        fs::create_dir_all(below.join(".git")).unwrap();
        fs::write(below.join(".git/config"), "[core]\n\tfsmonitor = x\n").unwrap();
        let found = survey.compare(None);
        assert!(matches!(found[..], [Residue { kind: ResidueKind::Repository(None), .. }]), "{found:?}");
        assert!(!below.join(".git").exists());
    }

    #[test]
    fn directory_that_became_a_bare_repository_is_one_no_more_and_keeps_what_it_had() {
        for directory in ["src", "kept", ""] {
            let (_directory, package) = package();
            let found = left(&package, Owner::Person, |package| {
                let at = package.join(directory);
                fs::write(at.join("HEAD"), "ref: refs/heads/main\n").unwrap();
                fs::write(at.join("config"), "[core]\n\tfsmonitor = x\n").unwrap();
                fs::create_dir_all(at.join("objects")).unwrap();
                fs::create_dir_all(at.join("refs")).unwrap();
            });
            assert_eq!(found, [(directory.to_owned(), "repository")]);
            assert!(!package.join(directory).join("HEAD").exists());
        }
        let (_directory, package) = package();
        assert!(package.join("kept/refs").exists());
    }

    #[test]
    fn directory_that_takes_its_objects_from_another_is_a_repository_no_more() {
        for owner in [Owner::Person, Owner::Host] {
            let (_directory, package) = package();
            let found = left(&package, owner, |package| {
                fs::create_dir_all(package.join("src/common/objects")).unwrap();
                fs::create_dir_all(package.join("src/common/refs")).unwrap();
                fs::write(package.join("src/common/config"), "[core]\n\tfsmonitor = x\n").unwrap();
                fs::write(package.join("src/HEAD"), "ref: refs/heads/main\n").unwrap();
                fs::write(package.join("src/commondir"), "common\n").unwrap();
            });
            assert_eq!(found, [("src".to_owned(), "repository")]);
            assert!(!package.join("src/HEAD").exists() && !package.join("src/commondir").exists());
        }
    }

    /// The superuser sees into such a directory, so nothing is unreadable for him.
    #[test]
    fn directory_without_permissions_hides_no_repository() {
        use std::os::unix::fs::PermissionsExt as _;
        let (_directory, package) = package();
        let close = |path: &Path| fs::set_permissions(path, fs::Permissions::from_mode(0o000)).unwrap();
        let found = left(&package, Owner::Person, |package| {
            fs::create_dir_all(package.join("new/deep/.git")).unwrap();
            close(&package.join("new/deep"));
            close(&package.join("new"));
            close(package);
        });
        let unreadable = (String::new(), "unreadable");
        let found: Vec<_> = found.into_iter().filter(|one| *one != unreadable).collect();
        assert_eq!(found, [("new/deep/.git".to_owned(), "repository")]);
        fs::set_permissions(&package, fs::Permissions::from_mode(0o755)).unwrap();
        assert!(!package.join("new/deep/.git").exists());
    }

    #[test]
    fn what_an_existing_repository_runs_is_put_back() {
        let cases: [(&str, Act); 4] = [
            (".git/config", |package| fs::write(package.join(".git/config"), "[core]\n\tfsmonitor = x\n").unwrap()),
            (".git/hooks/pre-commit", |package| fs::remove_file(package.join(".git/hooks/pre-commit")).unwrap()),
            (".git/hooks/post-checkout", |package| fs::write(package.join(".git/hooks/post-checkout"), "x").unwrap()),
            (".git/info/attributes", |package| fs::write(package.join(".git/info/attributes"), "* filter=x").unwrap()),
        ];
        for (path, act) in cases {
            let (_directory, package) = package();
            let before = fs::read(package.join(path)).ok();
            assert_eq!(left(&package, Owner::Person, act), [(path.to_owned(), "repository")]);
            assert_eq!(fs::read(package.join(path)).ok(), before, "{path}");
        }
    }

    #[test]
    fn location_of_the_specification_is_put_back_and_may_be_made_where_it_was_not() {
        let (_directory, package) = package();
        let change = |package: &Path| {
            fs::write(package.join("tsp-location.yaml"), "emitterPackageJsonPath: e.json\n").unwrap();
        };
        assert_eq!(left(&package, Owner::Person, change), [("tsp-location.yaml".to_owned(), "location")]);
        assert_eq!(fs::read(package.join("tsp-location.yaml")).unwrap(), b"directory: a\n");
        fs::remove_file(package.join("tsp-location.yaml")).unwrap();
        assert_eq!(left(&package, Owner::Person, change), []);
    }

    #[test]
    fn links_and_pipes_that_are_new_or_lead_elsewhere_are_told_in_a_persons_directory() {
        let (_directory, package) = package();
        let act = |package: &Path| {
            fs::rename(package.join("src"), package.join("moved")).unwrap();
            symlink("../outside", package.join("src")).unwrap();
            fs::remove_file(package.join("link")).unwrap();
            symlink("/etc/passwd", package.join("link")).unwrap();
            let pipe = package.join("pipe");
            rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, rustix::fs::Mode::RWXU, 0).unwrap();
        };
        let found = left(&package, Owner::Person, act);
        assert_eq!(found, [("link".to_owned(), "link"), ("src".to_owned(), "link"), ("pipe".to_owned(), "special")]);
        assert_eq!(fs::read_dir(package.parent().unwrap().join("outside")).unwrap().count(), 1);
    }

    #[test]
    fn program_with_the_rights_of_its_owner_is_told_and_other_modes_are_not() {
        use std::os::unix::fs::PermissionsExt as _;
        let (_directory, package) = package();
        let mode =
            |path: &str, mode| fs::set_permissions(package.join(path), fs::Permissions::from_mode(mode)).unwrap();
        let found = left(&package, Owner::Person, |package| {
            for name in ["user", "group", "locked", "plain"] {
                fs::write(package.join(name), "").unwrap();
            }
            mode("user", 0o4755);
            mode("group", 0o2755);
            mode("locked", 0o2644);
            mode("plain", 0o755);
            mode("src", 0o2755);
        });
        let told = |path: &str| (path.to_owned(), "of its owner");
        assert_eq!(found, [told("group"), told("user")]);
    }

    #[test]
    fn copy_of_the_hosts_may_hold_links() {
        let (_directory, package) = package();
        assert_eq!(left(&package, Owner::Host, |package| symlink("/", package.join("venv")).unwrap()), []);
    }

    #[test]
    fn nesting_that_hides_what_is_in_it_is_told() {
        let (_directory, package) = package();
        let found = left(&package, Owner::Person, |package| {
            let mut at = package.join("src");
            for _ in 0..200 {
                at.push("d");
            }
            fs::create_dir_all(at).unwrap();
            fs::create_dir(package.join("tests")).unwrap();
            fs::write(package.join("tests/.git"), "gitdir: ../../outside\n").unwrap();
        });
        // It hides nothing beside it.
        assert_eq!(found, [("tests/.git".to_owned(), "repository"), (String::new(), "unreadable")]);
        assert!(!package.join("tests/.git").exists());
    }
}

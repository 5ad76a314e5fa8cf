//! Two directories planted alike: one is granted to the guest, the oracle works on the other.

use rustix::fs::{CWD, FileType, Mode};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

/// What is granted, in the order of the guest's first descriptors, and whether it may be changed.
pub(crate) const GRANTED: [(&str, bool); 3] = [("granted", true), ("frozen", false), ("other", true)];

/// What the trees stand on.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Ground {
    /// Where temporary files go: a filesystem that gives the number of a removed file to the next one.
    Disk,
    /// A filesystem in memory, many times faster; the disk where there is none.
    Memory,
}

impl Ground {
    pub(crate) fn directory(self) -> tempfile::TempDir {
        let memory = Path::new("/dev/shm");
        match self {
            Self::Memory if memory.is_dir() => tempfile::tempdir_in(memory).unwrap(),
            Self::Memory | Self::Disk => tempfile::tempdir().unwrap(),
        }
    }
}

/// A directory with the granted trees in it and what is not granted beside them.
pub(crate) struct World {
    base: tempfile::TempDir,
}

/// A name that is not UTF-8.
const BAD: &[u8] = b"bad-\xff";

impl World {
    /// Plants it. `canary` is a directory elsewhere that absolute links point to, the same for both.
    pub(crate) fn new(ground: Ground, canary: &Path) -> Self {
        let world = Self { base: ground.directory() };
        for place in ["outside", "granted-evil"] {
            fs::create_dir(world.at(place)).unwrap();
            fs::write(world.at(place).join("secret"), "the secret\n").unwrap();
        }
        for tree in ["granted", "frozen"] {
            world.plant(tree, canary);
        }
        // What moves from one grant into another finds little there.
        for directory in ["sub", "empty", ".git"] {
            fs::create_dir_all(world.at("other").join(directory)).unwrap();
        }
        write(&world.at("other").join("file"), "other\n", 0o604);
        symlink("../outside", world.at("other").join("out")).unwrap();
        world
    }

    pub(crate) fn at(&self, place: &str) -> PathBuf {
        self.base.path().join(place)
    }

    fn plant(&self, tree: &str, canary: &Path) {
        let root = self.at(tree);
        for directory in ["sub/deeper", "empty", ".git", "sub/.vscode", "sub/.github"] {
            fs::create_dir_all(root.join(directory)).unwrap();
        }
        for (file, content, mode) in [
            ("file", "inside\n", 0o644),
            ("sub/file", "in sub\n", 0o640),
            ("sub/deeper/leaf", "leaf\n", 0o644),
            ("private", "for one alone\n", 0o600),
            ("set-id", "#!/bin/sh\n", 0o4755),
            (".git/config", "[core]\n", 0o644),
            ("sub/.vscode/tasks.json", "{}\n", 0o644),
            (".envrc", "use nix\n", 0o644),
        ] {
            write(&root.join(file), content, mode);
        }
        write(&root.join(OsStr::from_bytes(BAD)), "not UTF-8\n", 0o644);
        // One inode with two names, of which one lies outside the grant.
        let elsewhere = self.at("outside").join(format!("hard-{tree}"));
        write(&elsewhere, "has two names\n", 0o644);
        fs::hard_link(elsewhere, root.join("hard")).unwrap();
        for (kind, name) in [(FileType::Fifo, "fifo"), (FileType::Socket, "socket")] {
            rustix::fs::mknodat(CWD, root.join(name), kind, Mode::from_raw_mode(0o644), 0).unwrap();
        }
        for (target, link) in [
            ("file", "in"),
            ("sub/deeper/", "in-directory"),
            ("sub", "to-sub"),
            ("./empty/.", "to-empty"),
            ("..", "sub/up"),
            ("../..", "sub/deeper/up"),
            ("..", "back"),
            ("../outside", "out"),
            ("../../outside", "sub/out"),
            ("../outside/secret", "out-file"),
            ("../outside/new", "out-new"),
            ("../granted-evil/secret", "evil"),
            ("../outside", "hidden"),
            ("hidden/", "indirect"),
            ("/.", "root"),
            ("missing", "dangling"),
            ("missing/", "dangling-directory"),
            ("sub/missing/new", "deep-dangling"),
            ("loop", "loop"),
            ("sub/ping", "ping"),
            ("../ping", "sub/ping"),
            ("in", "chain"),
            ("sub/../to-sub/../chain", "longer-chain"),
            ("fifo", "to-fifo"),
            (".git", "git"),
            ("../.git", "sub/git"),
            ("git/config", "git-config"),
        ] {
            symlink(target, root.join(link)).unwrap();
        }
        symlink(OsStr::from_bytes(BAD), root.join("to-bad")).unwrap();
        symlink(OsStr::from_bytes(b"nowhere-\xfe/x"), root.join("bad")).unwrap();
        symlink(canary, root.join("absolute")).unwrap();
        symlink(canary.join("new"), root.join("absolute-new")).unwrap();
        symlink(root.join("file"), root.join("absolute-inside")).unwrap();
    }

    /// All that is in it, granted or not.
    pub(crate) fn picture(&self) -> Picture {
        let mut picture = Picture(BTreeMap::new());
        picture.add(self.base.path(), self.base.path());
        picture
    }
}

fn write(path: &Path, content: &str, mode: u32) {
    fs::write(path, content).unwrap();
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

/// A directory as it was at one moment: names, kinds, modes, contents, link texts.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Picture(BTreeMap<PathBuf, (u32, Vec<u8>)>);

impl Picture {
    pub(crate) fn of(directory: &Path) -> Self {
        let mut picture = Self(BTreeMap::new());
        picture.add(directory, directory);
        picture
    }

    fn add(&mut self, base: &Path, path: &Path) {
        let metadata = fs::symlink_metadata(path).unwrap();
        let kind = metadata.file_type();
        let content = if kind.is_symlink() {
            // Where a text says where its own tree is, the two differ in that and in nothing else.
            let target = fs::read_link(path).unwrap();
            let relative = target.strip_prefix(base).map(|rest| Path::new("(base)").join(rest));
            relative.unwrap_or(target).into_os_string().into_encoded_bytes()
        } else if kind.is_file() {
            fs::read(path).unwrap()
        } else {
            Vec::new()
        };
        self.0.insert(path.strip_prefix(base).unwrap().to_owned(), (metadata.mode(), content));
        if kind.is_dir() {
            for entry in fs::read_dir(path).unwrap() {
                self.add(base, &entry.unwrap().path());
            }
        }
    }

    /// What differs, one line each, of the places that `of_interest`.
    pub(crate) fn differences(&self, other: &Self, of_interest: impl Fn(&Path) -> bool) -> Vec<String> {
        let names: std::collections::BTreeSet<_> = self.0.keys().chain(other.0.keys()).collect();
        let told = |node: Option<&(u32, Vec<u8>)>| match node {
            Some((mode, content)) => format!("{mode:o}, {:?}", String::from_utf8_lossy(content)),
            None => "nothing".to_owned(),
        };
        names
            .into_iter()
            .filter(|name| of_interest(name) && self.0.get(*name) != other.0.get(*name))
            .map(|name| format!("{}: {} / {}", name.display(), told(self.0.get(name)), told(other.0.get(name))))
            .collect()
    }
}

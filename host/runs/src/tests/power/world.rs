//! Directories as values: read from a disk and laid out on one.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use bailiwick_base::time::Moment;

/// What a name leads to; the number of an inode is not used again while a world is watched (tmpfs).
pub(super) type Number = u64;

/// Mode and time of the last change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Facts {
    pub(super) mode: u32,
    pub(super) modified: (i64, i64),
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Body {
    File(Rc<Vec<u8>>),
    Directory(BTreeMap<OsString, Number>),
    Link(PathBuf),
}

/// Everything beneath one directory at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct World {
    pub(super) root: Number,
    pub(super) nodes: BTreeMap<Number, (Body, Facts)>,
}

impl World {
    /// Reads a directory. Lock files are left out: nothing depends on what a machine keeps of them.
    pub(super) fn read(directory: &Path) -> Self {
        let mut nodes = BTreeMap::new();
        let root = visit(directory, &mut nodes);
        Self { root, nodes }
    }

    /// The same for the same directories, whatever their inodes.
    pub(super) fn digest(&self) -> u64 {
        fn add(world: &World, number: Number, hasher: &mut DefaultHasher) {
            let (body, facts) = &world.nodes[&number];
            facts.hash(hasher);
            match body {
                Body::Directory(entries) => {
                    entries.len().hash(hasher);
                    for (name, number) in entries {
                        name.hash(hasher);
                        add(world, *number, hasher);
                    }
                }
                other => other.hash(hasher),
            }
        }
        let mut hasher = DefaultHasher::new();
        add(self, self.root, &mut hasher);
        hasher.finish()
    }

    /// Makes `directory` hold this world and nothing else. Directories that are there and belong there stay the same
    /// directories, as they do on a disk.
    pub(super) fn lay_out(&self, directory: &Path) {
        self.put(self.root, directory, &mut BTreeMap::new());
    }

    fn put(&self, number: Number, path: &Path, placed: &mut BTreeMap<Number, PathBuf>) {
        let (body, facts) = &self.nodes[&number];
        match body {
            Body::Directory(wanted) => {
                if !fs::symlink_metadata(path).is_ok_and(|found| found.is_dir()) {
                    let _ = fs::remove_file(path);
                    fs::create_dir(path).unwrap();
                }
                fs::set_permissions(path, fs::Permissions::from_mode(0o700)).unwrap();
                let there: BTreeSet<OsString> =
                    fs::read_dir(path).unwrap().map(|entry| entry.unwrap().file_name()).collect();
                for name in there.iter().filter(|name| !wanted.contains_key(*name)) {
                    remove(&path.join(name));
                }
                for (name, number) in wanted {
                    let path = path.join(name);
                    if !matches!(self.nodes[number].0, Body::Directory(_)) {
                        remove(&path);
                    }
                    self.put(*number, &path, placed);
                }
            }
            Body::File(content) => {
                if let Some(other) = placed.get(&number) {
                    fs::hard_link(other, path).unwrap();
                    return;
                }
                placed.insert(number, path.to_owned());
                fs::write(path, content.as_slice()).unwrap();
            }
            Body::Link(target) => symlink(target, path).unwrap(),
        }
        let modified = Moment(facts.modified.0, u32::try_from(facts.modified.1).unwrap());
        if matches!(body, Body::Link(_)) {
            let parent = fs::File::open(path.parent().unwrap()).unwrap();
            bailiwick_base::files::set_link_times(&parent, path.file_name().unwrap(), modified).unwrap();
        } else {
            let file = fs::File::open(path).unwrap();
            bailiwick_base::files::set_times(&file, modified).unwrap();
            file.set_permissions(fs::Permissions::from_mode(facts.mode)).unwrap();
        }
    }

    /// The path of something.
    pub(super) fn path(&self, number: Number) -> Option<String> {
        if number == self.root {
            return Some(String::new());
        }
        self.nodes.iter().find_map(|(parent, (body, _))| {
            let Body::Directory(entries) = body else { return None };
            let (name, _) = entries.iter().find(|(_, below)| **below == number)?;
            Some(format!("{}/{}", self.path(*parent)?, name.as_bytes().escape_ascii()))
        })
    }

    /// Every path with what is there, for messages.
    pub(super) fn describe(&self) -> String {
        let mut lines = Vec::new();
        self.lines(self.root, "", &mut lines);
        lines.join("\n")
    }

    fn lines(&self, number: Number, path: &str, lines: &mut Vec<String>) {
        match &self.nodes[&number] {
            (Body::Directory(entries), facts) => {
                lines.push(format!("{path}/ {:o}", facts.mode));
                for (name, number) in entries {
                    self.lines(*number, &format!("{path}/{}", name.as_bytes().escape_ascii()), lines);
                }
            }
            (Body::File(content), facts) => {
                let start = &content[..content.len().min(60)];
                lines.push(format!("{path} {:o} {} bytes: {}", facts.mode, content.len(), start.escape_ascii()));
            }
            (Body::Link(target), _) => lines.push(format!("{path} -> {}", target.display())),
        }
    }
}

fn visit(path: &Path, nodes: &mut BTreeMap<Number, (Body, Facts)>) -> Number {
    let found = fs::symlink_metadata(path).unwrap();
    let facts = Facts { mode: found.mode() & 0o7777, modified: (found.mtime(), found.mtime_nsec()) };
    let body = if found.is_dir() {
        let mut entries = BTreeMap::new();
        for entry in fs::read_dir(path).unwrap() {
            let name = entry.unwrap().file_name();
            if path.ends_with("state/locks") || (path.ends_with("state") && name == OsStr::new("store.lock")) {
                continue;
            }
            entries.insert(name.clone(), visit(&path.join(&name), nodes));
        }
        Body::Directory(entries)
    } else if found.is_symlink() {
        Body::Link(fs::read_link(path).unwrap())
    } else {
        Body::File(Rc::new(fs::read(path).unwrap()))
    };
    nodes.insert(found.ino(), (body, facts));
    found.ino()
}

fn remove(path: &Path) {
    if fs::symlink_metadata(path).is_ok_and(|found| found.is_dir()) {
        open_up(path);
        fs::remove_dir_all(path).unwrap();
    } else {
        let _ = fs::remove_file(path);
    }
}

/// Lets even an owner without rights remove what is in a directory.
fn open_up(path: &Path) {
    fs::set_permissions(path, fs::Permissions::from_mode(0o700)).unwrap();
    for entry in fs::read_dir(path).unwrap() {
        let path = entry.unwrap().path();
        if fs::symlink_metadata(&path).unwrap().is_dir() {
            open_up(&path);
        }
    }
}

//! The directory in the grant, the directory outside it, and what the outside looked like before.

use crate::common::World;
use bailiwick_sandbox::{Access, Grant, Grants, Reserved};
use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Stands in every file outside and in the name of one.
pub(crate) const SECRET: &str = "canary-of-the-outside";

/// Files that calls in flight use side by side.
pub(crate) const LANES: usize = 12;

// `TMPFS_MAGIC` of `linux/magic.h`.
const TMPFS: u64 = 0x0102_1994;

/// `granted` and `outside` side by side on a tmpfs, with the tools over the first.
pub(crate) struct Arena {
    pub(crate) world: Arc<World>,
    before: BTreeMap<PathBuf, Entry>,
    // One race at a time: each is meant to have the machine, and its time, to itself.
    _turn: MutexGuard<'static, ()>,
}

#[derive(Debug, PartialEq, Eq)]
struct Entry {
    inode: u64,
    mode: u32,
    links: u64,
    content: Vec<u8>,
    /// When it last changed, which shows a file made and removed again; not of a directory the attacker works in.
    changed: Option<(i64, i64)>,
}

/// Whether the attacker itself moves things into the outside and back.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outside {
    /// It does not: not even the times of the directory may change.
    LeftAlone,
    /// It does, so the times of the directory itself say nothing.
    Visited,
}

impl Arena {
    /// Both directories hold a file for each lane; `swap` in the grant is the twin of the outside.
    pub(crate) fn new() -> Self {
        static TURN: Mutex<()> = Mutex::new(());
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let base = on_tmpfs();
        let (inside, outside) = (base.path().join("granted/swap"), base.path().join("outside"));
        std::fs::create_dir_all(&inside).unwrap();
        std::fs::create_dir(&outside).unwrap();
        for lane in 0..LANES {
            std::fs::write(inside.join(lane_file(lane)), "one\n").unwrap();
            std::fs::write(outside.join(lane_file(lane)), format!("one\n{SECRET}\n")).unwrap();
        }
        std::fs::write(outside.join(format!("{SECRET}.txt")), SECRET).unwrap();
        let grant = Grant::open("box", &base.path().join("granted"), Access::ReadWrite, &Reserved::none()).unwrap();
        let world = Arc::new(World::with(base, Grants::new(vec![grant]).unwrap()));
        Self { world, before: BTreeMap::new(), _turn: turn }
    }

    pub(crate) fn granted(&self) -> PathBuf {
        self.world.granted()
    }

    pub(crate) fn outside(&self) -> PathBuf {
        self.world.base.path().join("outside")
    }

    /// Takes what is outside now as what has to stay.
    pub(crate) fn seal(&mut self, outside: Outside) {
        self.before = snapshot(&self.outside(), outside);
    }

    /// Panics unless the outside is what it was: names, contents, inodes, modes and times.
    pub(crate) fn assert_outside_untouched(&self, outside: Outside) {
        assert!(!self.before.is_empty(), "the arena was not sealed");
        assert_eq!(snapshot(&self.outside(), outside), self.before, "the outside was changed");
    }

    /// Panics when a replacement left its temporary file in the grant.
    pub(crate) fn assert_no_temporary_file(&self) {
        let found = names(&self.granted());
        assert!(!found.iter().any(|name| name.contains(".bailiwick-tmp-")), "left behind: {found:?}");
    }
}

pub(crate) fn lane_file(lane: usize) -> String {
    format!("lane-{lane}.txt")
}

/// A directory on a tmpfs, where a swap takes a microsecond and so comes between any two steps.
fn on_tmpfs() -> tempfile::TempDir {
    let candidates = [PathBuf::from("/dev/shm"), std::env::temp_dir(), PathBuf::from("/run"), PathBuf::from("/tmp")];
    for candidate in &candidates {
        let is_tmpfs = rustix::fs::statfs(candidate).is_ok_and(|found| u64::try_from(found.f_type) == Ok(TMPFS));
        if is_tmpfs && let Ok(directory) = tempfile::tempdir_in(candidate) {
            return directory;
        }
    }
    panic!("races need a tmpfs that can be written to, and none of {candidates:?} is one; set TMPDIR to one");
}

fn snapshot(directory: &Path, outside: Outside) -> BTreeMap<PathBuf, Entry> {
    let mut found = BTreeMap::new();
    let mut pending = vec![directory.to_owned()];
    while let Some(path) = pending.pop() {
        let metadata = std::fs::symlink_metadata(&path).unwrap();
        let mut content = Vec::new();
        if metadata.is_dir() {
            pending.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if metadata.is_file() {
            content = std::fs::read(&path).unwrap();
        }
        let visited = metadata.is_dir() && outside == Outside::Visited;
        let entry = Entry {
            inode: metadata.ino(),
            mode: metadata.mode(),
            links: metadata.nlink(),
            content,
            changed: (!visited).then(|| (metadata.ctime(), metadata.ctime_nsec())),
        };
        found.insert(path, entry);
    }
    found
}

/// Every name in the tree, links not followed.
fn names(directory: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut pending = vec![directory.to_owned()];
    while let Some(path) = pending.pop() {
        if std::fs::symlink_metadata(&path).unwrap().is_dir() {
            pending.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        }
        found.push(path.to_str().unwrap().to_owned());
    }
    found
}

//! Directories that are never granted: the host's own state, and the trees the kernel makes.
//!
//! Compared by inode along the way up to the root, never as a string, so a link, a bind mount or another spelling is
//! the same directory. The directories that links on the way lie in count as much as those that they lead to: a program
//! that can rename a link decides what is found behind it the next time.

use rustix::fd::{AsFd, AsRawFd, OwnedFd};
use rustix::fs::{CWD, FileType, FsWord, Mode, OFlags};
use rustix::io::Errno;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Component, Path, PathBuf};

/// Directories of the host's own that no grant may be, lie in, or contain: a process that can write there could change what
/// is on record, or put code into the cache of compiled components.
#[derive(Debug, Clone, Default)]
pub struct Reserved(Vec<PathBuf>);

/// Why a directory is not granted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// It is, lies in or contains this directory of the host's own.
    Own(PathBuf),
    /// It is or contains a tree that the kernel makes, such as `/proc`.
    Kernel(PathBuf),
}

impl Reserved {
    /// Nothing but the kernel's trees: for a host that keeps no state.
    #[must_use]
    pub fn none() -> Self {
        Self(Vec::new())
    }

    /// These directories, which need not exist yet.
    #[must_use]
    pub fn new(directories: impl IntoIterator<Item = PathBuf>) -> Self {
        Self(directories.into_iter().collect())
    }

    /// Whether `granted` may be granted.
    pub(crate) fn check(&self, granted: &OwnedFd) -> Result<(), Refusal> {
        let Ok(above) = way_up(granted) else {
            // A directory whose place cannot be found out is not known to be outside.
            return Err(Refusal::Kernel(PathBuf::from("/")));
        };
        let own = above.first().copied();
        for directory in &self.0 {
            let refused = || Refusal::Own(directory.clone());
            let way = Way::to(directory).map_err(|_| refused())?;
            if way.passes(own) || way.lies_partly_in(granted) || way.ends_above(granted, &above) {
                return Err(refused());
            }
        }
        if is_kernels(granted) {
            return Err(Refusal::Kernel(PathBuf::from("/proc")));
        }
        for tree in kernel_trees() {
            if let Ok(way) = Way::to(&tree)
                && way.exists
                && way.passes(own)
            {
                return Err(Refusal::Kernel(tree));
            }
        }
        Ok(())
    }
}

type Inode = (u64, u64);

// Deeper than any path the kernel takes.
const DEEPEST: usize = 4096;

/// The inodes from a directory up to the root, itself first.
fn way_up(directory: impl AsFd) -> Result<Vec<Inode>, Errno> {
    let mut here = rustix::fs::openat(&directory, c".", OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?;
    let mut way = Vec::new();
    while way.len() < DEEPEST {
        let inode = inode(&here)?;
        if way.last() == Some(&inode) {
            return Ok(way);
        }
        way.push(inode);
        here = rustix::fs::openat(&here, c"..", OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    }
    Err(Errno::NAMETOOLONG)
}

// What Linux itself allows (`MAXSYMLINKS`).
const MAX_LINKS: usize = 40;

/// How often a way is walked that changes meanwhile.
const WALKS: usize = 5;

/// The way that a path leads, as far as there is something.
struct Way {
    /// Every directory that a name of the path, or of a link on it, was looked up in, and the last one that was found. Never
    /// empty.
    passed: Vec<OwnedFd>,
    /// Whether the path leads to a directory: the last one.
    exists: bool,
}

impl Way {
    /// Walks a path, once more where another program made or moved a part of it meanwhile.
    fn to(path: &Path) -> Result<Self, Errno> {
        let mut way = Self::walked(path);
        for _ in 1..WALKS {
            if !matches!(way, Err(Errno::AGAIN)) {
                break;
            }
            way = Self::walked(path);
        }
        way
    }

    /// Walks a path one name at a time, reading links itself.
    fn walked(path: &Path) -> Result<Self, Errno> {
        let mut pending = names(path);
        let mut way = Self { passed: vec![directory(if path.is_absolute() { "/" } else { "." })?], exists: true };
        let mut links = 0;
        while let Some(name) = pending.pop() {
            let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            let next = match rustix::fs::openat(way.end()?, Path::new(&name), flags, Mode::empty()) {
                Ok(next) => next,
                Err(Errno::NOENT) => {
                    way.exists = false;
                    break;
                }
                Err(other) => return Err(other),
            };
            match FileType::from_raw_mode(rustix::fs::fstat(&next)?.st_mode) {
                FileType::Directory => way.passed.push(next),
                FileType::Symlink => {
                    links += 1;
                    let target = rustix::fs::readlinkat(&next, c"", Vec::new())?;
                    let target = PathBuf::from(OsString::from_vec(target.into_bytes()));
                    if links > MAX_LINKS || pending.len() > DEEPEST {
                        return Err(Errno::LOOP);
                    }
                    if target.is_absolute() {
                        way.passed.push(directory("/")?);
                    }
                    pending.extend(names(&target));
                }
                _ => {
                    way.exists = false;
                    break;
                }
            }
        }
        way.agreed(path)
    }

    /// The way, if the kernel finds the same at its end. It does not where a name changed meanwhile, nor where a link is
    /// one of the kernel's own, which leads elsewhere than it reads.
    fn agreed(self, path: &Path) -> Result<Self, Errno> {
        let found = match directory(path) {
            Ok(found) => Some(inode(&found)?),
            Err(Errno::NOENT | Errno::NOTDIR) => None,
            Err(other) => return Err(other),
        };
        let walked = if self.exists { Some(inode(self.end()?)?) } else { None };
        if found == walked { Ok(self) } else { Err(Errno::AGAIN) }
    }

    fn end(&self) -> Result<&OwnedFd, Errno> {
        self.passed.last().ok_or(Errno::NOENT)
    }

    /// Whether a directory of the way is this one or lies in it: then the way can be changed there. What cannot be found out
    /// counts as so.
    fn passes(&self, granted: Option<Inode>) -> bool {
        let leads =
            |passed| granted.is_none_or(|granted| way_up(passed).map_or(true, |above| above.contains(&granted)));
        self.passed.iter().any(leads)
    }

    /// The same in the filesystem that `granted` lies on, wherever parts of it are mounted.
    fn lies_partly_in(&self, granted: &OwnedFd) -> bool {
        let Some((device, place)) = within_device(granted) else { return false };
        let inside = |passed| within_device(passed).is_some_and(|(on, at)| on == device && at.starts_with(&place));
        self.passed.iter().any(inside)
    }

    /// Whether `granted`, with this way up, is the directory at the end or lies in it.
    fn ends_above(&self, granted: &OwnedFd, above: &[Inode]) -> bool {
        let end = self.passed.last().filter(|_| self.exists);
        end.is_some_and(|end| inode(end).map_or(true, |end| above.contains(&end)) || same_files(granted, end))
    }
}

/// The names of a path, the first one last.
fn names(path: &Path) -> Vec<OsString> {
    let name = |component: Component<'_>| match component {
        Component::Normal(_) | Component::ParentDir => Some(component.as_os_str().to_owned()),
        Component::Prefix(_) | Component::RootDir | Component::CurDir => None,
    };
    path.components().rev().filter_map(name).collect()
}

fn directory(path: impl AsRef<Path>) -> Result<OwnedFd, Errno> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    rustix::fs::openat(CWD, path.as_ref(), flags, Mode::empty())
}

/// Whether a directory is another one or lies in it, wherever either is mounted. What cannot be found out counts as so.
pub(crate) fn lies_in(inner: &OwnedFd, outer: &OwnedFd) -> bool {
    match (way_up(inner), inode(outer)) {
        (Ok(way), Ok(outer_inode)) => way.contains(&outer_inode) || same_files(inner, outer),
        _ => true,
    }
}

/// Whether a directory is another one or lies in it in the filesystem they lie on, wherever parts of it are mounted: a bind
/// mount of a directory inside another one has another way up.
fn same_files(inner: &OwnedFd, outer: &OwnedFd) -> bool {
    match (within_device(inner), within_device(outer)) {
        (Some((device, inner)), Some((other, outer))) => device == other && inner.starts_with(outer),
        _ => false,
    }
}

/// The device of a directory and its path from the root of that device, by the kernel's account of its mount.
fn within_device(directory: &OwnedFd) -> Option<(u64, PathBuf)> {
    let number = directory.as_raw_fd();
    let information = std::fs::read_to_string(format!("/proc/self/fdinfo/{number}")).ok()?;
    let mount = information.lines().find_map(|line| line.strip_prefix("mnt_id:"))?.trim().to_owned();
    let mounts = std::fs::read_to_string("/proc/self/mountinfo").ok()?;
    let mut fields = mounts.lines().map(|line| line.split(' ')).find(|fields| fields.clone().next() == Some(&mount))?;
    // proc(5): the fourth field is the mounted part of the device, the fifth where it is mounted.
    let (root, point) = (unescaped(fields.nth(3)?), unescaped(fields.next()?));
    let place = std::fs::read_link(format!("/proc/self/fd/{number}")).ok()?;
    let device = rustix::fs::fstat(directory).ok()?.st_dev;
    Some((device, root.join(place.strip_prefix(point).ok()?)))
}

/// A path as mountinfo has it: blanks, tabs, line feeds and backslashes are three octal digits.
fn unescaped(text: &str) -> PathBuf {
    let mut path = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        let octal = (*first == b'\\').then(|| behind.get(..3)).flatten();
        let byte = octal.and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 8).ok());
        path.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &behind[3..] } else { behind };
    }
    PathBuf::from(OsString::from_vec(path))
}

fn inode(handle: &OwnedFd) -> Result<Inode, Errno> {
    let stat = rustix::fs::fstat(handle)?;
    Ok((stat.st_dev, stat.st_ino))
}

/// Types of filesystem whose files are doors into the kernel and not data. From `linux/magic.h`.
const KERNEL: [FsWord; 13] = [
    0x9fa0,      // proc
    0x6265_6572, // sysfs
    0x1cd1,      // devpts
    0x0027_e0eb, // cgroup
    0x6367_7270, // cgroup2
    0x7363_6673, // securityfs
    0x6462_6720, // debugfs
    0x7472_6163, // tracefs
    0xcafe_4a11, // bpf
    0x6265_6570, // configfs
    0x1980_0202, // mqueue
    0xde5e_81e4, // efivarfs
    0x6e73_6673, // nsfs
];

/// Whether a handle lies in one of the kernel's own filesystems, whatever it is mounted on.
pub(crate) fn is_kernels(handle: impl AsFd) -> bool {
    rustix::fs::fstatfs(handle).map_or(true, |status| KERNEL.contains(&status.f_type))
}

/// Where the kernel's trees are: by name, and wherever else they are mounted.
fn kernel_trees() -> Vec<PathBuf> {
    let mut trees: Vec<PathBuf> = ["/proc", "/sys", "/dev"].map(PathBuf::from).into();
    let mounts = std::fs::read_to_string("/proc/self/mountinfo").unwrap_or_default();
    for line in mounts.lines() {
        // proc(5): the mount point is the fifth field, the type the first after ` - `.
        let Some((before, after)) = line.split_once(" - ") else { continue };
        let kernels = matches!(
            after.split(' ').next(),
            Some(
                "proc"
                    | "sysfs"
                    | "devtmpfs"
                    | "devpts"
                    | "cgroup"
                    | "cgroup2"
                    | "securityfs"
                    | "debugfs"
                    | "tracefs"
                    | "bpf"
                    | "configfs"
                    | "mqueue"
                    | "efivarfs"
                    | "nsfs"
            )
        );
        if let Some(point) = before.split(' ').nth(4).filter(|_| kernels) {
            trees.push(unescaped(point));
        }
    }
    trees
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_of_a_mount_point_are_read() {
        assert_eq!(unescaped(r"/a\040b\134c\011"), PathBuf::from("/a b\\c\t"));
        assert_eq!(unescaped(r"/plain\9"), PathBuf::from(r"/plain\9"));
    }

    #[test]
    fn directory_has_the_same_place_on_its_device_by_any_handle() {
        let base = tempfile::tempdir().unwrap();
        std::fs::create_dir(base.path().join("inner")).unwrap();
        let open = |path: &Path| rustix::fs::openat(CWD, path, OFlags::PATH, Mode::empty()).unwrap();
        let (outer, inner) = (open(base.path()), open(&base.path().join("inner")));
        let (outer, inner) = (within_device(&outer).unwrap(), within_device(&inner).unwrap());
        assert_eq!(outer.0, inner.0);
        assert_eq!(inner.1, outer.1.join("inner"));
    }
}

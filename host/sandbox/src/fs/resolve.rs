//! Resolution of a path beneath an open directory.
//!
//! The kernel does it (`openat2` with `RESOLVE_BENEATH`), atomically against everything else that renames and
//! links in the tree. Where a kernel or a seccomp filter refuses `openat2`, the path is walked one component at a
//! time over directory handles, never following a link the walk did not read itself.

use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{CWD, Mode, OFlags, ResolveFlags};
use rustix::io::Errno;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;

/// How paths are resolved on this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resolution {
    /// By the kernel, in one call.
    Openat2,
    /// Component by component, because `openat2` is missing or filtered.
    Walk,
}

/// What a symbolic link in last place means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LastLink {
    /// The thing it points at, if that lies beneath the same directory.
    Follow,
    /// The link itself.
    Keep,
}

// A rename anywhere on the machine while the kernel walks `..` makes it give up with EAGAIN. A few tries ride most of
// that out; against who renames for ever there is the walk, which holds on to where it came from.
const TRIES: usize = 8;

// What Linux itself allows (`MAXSYMLINKS`).
const MAX_LINKS: usize = 40;

// `PATH_MAX` of Linux, with the NUL that a path here does not have.
pub(crate) const LONGEST: usize = 4096;

/// Which of the two this machine offers, found out once.
#[must_use]
pub fn available() -> Resolution {
    static FOUND: OnceLock<Resolution> = OnceLock::new();
    if let Some(found) = FOUND.get() {
        return *found;
    }
    let probe = rustix::fs::openat2(CWD, ".", OFlags::PATH | OFlags::CLOEXEC, Mode::empty(), ResolveFlags::BENEATH);
    match probe {
        // Says nothing about the kernel, so it is asked again the next time.
        Err(Errno::MFILE | Errno::NFILE | Errno::NOMEM | Errno::AGAIN | Errno::INTR) => Resolution::Openat2,
        Ok(_) => *FOUND.get_or_init(|| Resolution::Openat2),
        Err(_) => *FOUND.get_or_init(|| Resolution::Walk),
    }
}

/// Opens an `O_PATH` handle on what `path` names beneath `directory`.
///
/// # Errors
/// `XDEV` when the path would leave the directory (also when it is absolute), otherwise what the kernel says.
pub fn beneath(directory: impl AsFd, path: &Path, last: LastLink) -> Result<OwnedFd, Errno> {
    beneath_with(available(), directory, path, last)
}

/// Opens an `O_PATH` handle on what `path` names beneath `directory`, if there is no link on the way to it. So the handle
/// lies where the path says. A link in last place is opened itself with [`LastLink::Keep`].
///
/// # Errors
/// `LOOP` when there is a link; otherwise as [`beneath`].
pub(super) fn without_links(directory: impl AsFd, path: &Path, last: LastLink) -> Result<OwnedFd, Errno> {
    if available() == Resolution::Walk {
        return by_walk(directory.as_fd(), path, last, 0);
    }
    let rules = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS | ResolveFlags::NO_SYMLINKS;
    match rustix::fs::openat2(directory, path, handle_flags(last), Mode::empty(), rules) {
        // What is to be done about it is the business of the other way.
        Err(Errno::AGAIN | Errno::INTR) => Err(Errno::LOOP),
        done => done,
    }
}

fn handle_flags(last: LastLink) -> OFlags {
    let flags = OFlags::PATH | OFlags::CLOEXEC;
    if last == LastLink::Keep { flags | OFlags::NOFOLLOW } else { flags }
}

/// [`beneath`] by a chosen mechanism, so that both can be tested on one machine.
///
/// # Errors
/// As [`beneath`].
pub fn beneath_with(
    resolution: Resolution,
    directory: impl AsFd,
    path: &Path,
    last: LastLink,
) -> Result<OwnedFd, Errno> {
    match resolution {
        Resolution::Openat2 => by_kernel(directory, path, last),
        Resolution::Walk => by_walk(directory.as_fd(), path, last, MAX_LINKS),
    }
}

fn by_kernel(directory: impl AsFd, path: &Path, last: LastLink) -> Result<OwnedFd, Errno> {
    let rules = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
    for _ in 0..TRIES {
        match rustix::fs::openat2(&directory, path, handle_flags(last), Mode::empty(), rules) {
            Err(Errno::AGAIN | Errno::INTR) => {}
            done => return done,
        }
    }
    by_walk(directory.as_fd(), path, last, MAX_LINKS)
}

fn by_walk(
    start: rustix::fd::BorrowedFd<'_>,
    path: &Path,
    last: LastLink,
    most_links: usize,
) -> Result<OwnedFd, Errno> {
    // Before any of it is looked at, as where the kernel does it: it is never handed a part of a path with a NUL.
    if path.as_os_str().as_bytes().contains(&0) {
        return Err(Errno::INVAL);
    }
    if path.as_os_str().is_empty() {
        return Err(Errno::NOENT);
    }
    // The kernel's own limit, and so how many handles one path can make this hold.
    if path.as_os_str().len() >= LONGEST {
        return Err(Errno::NAMETOOLONG);
    }
    // The handles from the start to here; `..` pops one, so it can never leave the start.
    let mut stack: Vec<OwnedFd> = Vec::new();
    let mut pending = steps(path)?;
    let mut links = 0;
    let mut leaf: Option<OwnedFd> = None;
    while let Some(step) = pending.pop() {
        if leaf.is_some() {
            return Err(Errno::NOTDIR);
        }
        let here = stack.last().map_or(start, AsFd::as_fd);
        let name = match step {
            Step::Stay => continue,
            Step::Up => {
                stack.pop().ok_or(Errno::XDEV)?;
                continue;
            }
            Step::Into(name) => name,
        };
        let next = rustix::fs::openat(
            here,
            Path::new(&name),
            OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC,
            Mode::empty(),
        )?;
        let kind = rustix::fs::FileType::from_raw_mode(rustix::fs::fstat(&next)?.st_mode);
        if kind == rustix::fs::FileType::Symlink && (!pending.is_empty() || last == LastLink::Follow) {
            links += 1;
            if links > most_links {
                return Err(Errno::LOOP);
            }
            let target = rustix::fs::readlinkat(&next, c"", Vec::new())?;
            let target = PathBuf::from(OsString::from_vec(target.into_bytes()));
            pending.extend(steps(&target)?);
        } else if kind == rustix::fs::FileType::Directory {
            stack.push(next);
        } else {
            leaf = Some(next);
        }
    }
    match leaf.or_else(|| stack.pop()) {
        Some(found) => Ok(found),
        None => rustix::fs::openat(start, c".", OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty()),
    }
}

enum Step {
    Stay,
    Up,
    Into(OsString),
}

/// The components of a path in reverse, ready to be popped. A trailing slash asks for a directory, which a final
/// [`Step::Stay`] does: it fails on anything else.
fn steps(path: &Path) -> Result<Vec<Step>, Errno> {
    // The kernel's own bound (`PATH_MAX`), and so one on the handles that a walk holds.
    if path.as_os_str().len() >= LONGEST {
        return Err(Errno::NAMETOOLONG);
    }
    let mut found = Vec::new();
    for component in path.components() {
        match component {
            Component::Prefix(_) | Component::RootDir => return Err(Errno::XDEV),
            Component::CurDir => found.push(Step::Stay),
            Component::ParentDir => found.push(Step::Up),
            Component::Normal(name) => found.push(Step::Into(name.to_owned())),
        }
    }
    let text = path.as_os_str().as_bytes();
    if text.ends_with(b"/") || text.ends_with(b"/.") {
        found.push(Step::Stay);
    }
    found.reverse();
    Ok(found)
}

/// Splits a path into an open handle on its parent directory, resolved beneath `directory`, and its last name.
///
/// # Errors
/// `INVAL` when the path has no last name (`.`, `..`, empty), otherwise as [`beneath`].
pub fn parent(directory: impl AsFd, path: &Path) -> Result<(OwnedFd, OsString), Errno> {
    let text = path.as_os_str().as_bytes();
    let end = text.iter().rposition(|byte| *byte != b'/').map_or(0, |last| last + 1);
    if end == 0 {
        // All slashes is the root of the filesystem; nothing at all names nothing.
        return Err(if text.is_empty() { Errno::NOENT } else { Errno::XDEV });
    }
    let trimmed = &text[..end];
    let (before, name) = match trimmed.iter().rposition(|byte| *byte == b'/') {
        Some(slash) => (&trimmed[..=slash], &trimmed[slash + 1..]),
        None => (&b"."[..], trimmed),
    };
    if name == b"." || name == b".." {
        return Err(if name == b".." { Errno::XDEV } else { Errno::INVAL });
    }
    let handle = beneath(directory, Path::new(OsStr::from_bytes(before)), LastLink::Follow)?;
    Ok((handle, OsStr::from_bytes(name).to_owned()))
}

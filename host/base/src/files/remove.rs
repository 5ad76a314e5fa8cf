//! Removing whatever has a name, in bounded memory and handles.

use std::ffi::{OsStr, OsString};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::io::{Errno, Result};

use super::access::{make_accessible, relax};
use super::change::{remove_directory, remove_file};
use super::facts::Type;
use super::failpoint;
use super::list::names;
use super::open::{open_directory, present};

/// Handles held at once. A deeper directory is moved up first, so that a build that nests a
/// directory ten thousand times costs time and neither handles nor stack.
const DEPTH: usize = 32;

/// Removes the file, link, special file or whole directory `name`; nothing there is fine.
pub fn remove_any(parent: impl AsFd, name: &OsStr) -> Result<()> {
    let parent = parent.as_fd();
    match present(parent, name)? {
        None => Ok(()),
        Some((Type::Directory, _)) => remove_tree(parent, name),
        Some(_) => gone(remove_file(parent, name)),
    }
}

fn remove_tree(parent: BorrowedFd<'_>, name: &OsStr) -> Result<()> {
    let top = enter(parent, name)?;
    let (mut moved, mut stuck) = (0, 0);
    // What a round moves up the next one finds. A round that moves nothing leaves nothing, unless
    // another process keeps adding entries; then the caller decides how often to begin again.
    while stuck < 3 {
        let before = moved;
        empty(&top, &top, 1, &mut moved)?;
        match remove_directory(parent, name) {
            Err(Errno::NOTEMPTY | Errno::EXIST) => stuck = if moved > before { 0 } else { stuck + 1 },
            result => return gone(result),
        }
    }
    Err(Errno::NOTEMPTY)
}

/// Removes what is in `directory`; directories at the deepest level go up into `top` instead.
fn empty(top: &OwnedFd, directory: &OwnedFd, depth: usize, moved: &mut u64) -> Result<()> {
    for name in names(directory)? {
        match present(directory, &name)? {
            None => {}
            Some((Type::Directory, _)) if depth >= DEPTH => {
                let higher = OsString::from(format!(".bailiwick-deep-{moved}"));
                *moved += 1;
                // Moving a directory rewrites its `..`, which needs the right to write to it.
                make_accessible(directory, &name)?;
                failpoint::hit()?;
                match rustix::fs::renameat(directory, &name, top, &higher) {
                    // The tree has something of that name: the next round tries the next number.
                    Ok(()) | Err(Errno::EXIST | Errno::NOTEMPTY | Errno::NOTDIR) => {}
                    Err(error) => return Err(error),
                }
            }
            Some((Type::Directory, _)) => {
                let below = enter(directory.as_fd(), &name)?;
                empty(top, &below, depth + 1, moved)?;
                match remove_directory(directory, &name) {
                    Err(Errno::NOTEMPTY | Errno::EXIST) => {}
                    result => gone(result)?,
                }
            }
            Some(_) => gone(remove_file(directory, &name))?,
        }
    }
    Ok(())
}

fn enter(parent: BorrowedFd<'_>, name: &OsStr) -> Result<OwnedFd> {
    let handle = match open_directory(parent, name) {
        Err(Errno::ACCESS) => {
            make_accessible(parent, name)?;
            open_directory(parent, name)?
        }
        other => other?,
    };
    relax(&handle)?;
    Ok(handle)
}

fn gone(result: Result<()>) -> Result<()> {
    match result {
        Err(Errno::NOENT) => Ok(()),
        other => other,
    }
}

//! Where a path leads, by looking at one name after the other from the outside. No handle is held on the way and the
//! kernel is asked for no confinement, so whatever is wrong with either cannot be wrong here, too. It is right only as
//! long as nothing else changes the tree, which nothing does.

use rustix::fd::{AsFd, AsRawFd};
use rustix::io::Errno;
use std::collections::VecDeque;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Where a path leads from a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Way {
    /// To something beneath it, at this place without links and detours.
    Inside(PathBuf),
    /// Out of it, at least for a step.
    Outside,
    /// Nowhere.
    Fails(Errno),
}

const LONGEST_PATH: usize = 4096;
const LONGEST_NAME: usize = 255;
const MOST_LINKS: usize = 40;

/// Where an open directory is now. The text says so if it was removed.
pub(crate) fn place(directory: impl AsFd) -> PathBuf {
    fs::read_link(own(&directory)).unwrap()
}

fn own(directory: impl AsFd) -> PathBuf {
    PathBuf::from(format!("/proc/self/fd/{}", directory.as_fd().as_raw_fd()))
}

/// Follows `path` from `directory`, the last name too if it is a link and that is asked for.
pub(crate) fn way(directory: impl AsFd, path: &[u8], follow: bool) -> Way {
    if path.contains(&0) {
        return Way::Fails(Errno::INVAL);
    }
    if path.is_empty() {
        return Way::Fails(Errno::NOENT);
    }
    if path.len() >= LONGEST_PATH {
        return Way::Fails(Errno::NAMETOOLONG);
    }
    if path.starts_with(b"/") {
        return Way::Outside;
    }
    let start = own(&directory);
    let mut here = PathBuf::new();
    let mut is_directory = true;
    let mut links = 0;
    let mut names: VecDeque<Vec<u8>> = path.split(|byte| *byte == b'/').map(<[u8]>::to_vec).collect();
    while let Some(name) = names.pop_front() {
        if !is_directory {
            return Way::Fails(Errno::NOTDIR);
        }
        match name.as_slice() {
            b"" | b"." => continue,
            b".." if here.pop() => continue,
            b".." => return Way::Outside,
            long if long.len() > LONGEST_NAME => {
                // A directory that was removed is asked for nothing any more, however long its name.
                let gone = fs::metadata(start.join(&here)).is_ok_and(|metadata| metadata.nlink() == 0);
                return Way::Fails(if gone { Errno::NOENT } else { Errno::NAMETOOLONG });
            }
            _ => {}
        }
        let next = here.join(OsStr::from_bytes(&name));
        let metadata = match fs::symlink_metadata(start.join(&next)) {
            Ok(metadata) => metadata,
            Err(error) => return Way::Fails(Errno::from_io_error(&error).unwrap()),
        };
        if metadata.is_symlink() && (follow || !names.is_empty()) {
            links += 1;
            if links > MOST_LINKS {
                return Way::Fails(Errno::LOOP);
            }
            let target = fs::read_link(start.join(&next)).unwrap();
            let target = target.as_os_str().as_bytes();
            if target.starts_with(b"/") {
                return Way::Outside;
            }
            for name in target.rsplit(|byte| *byte == b'/') {
                names.push_front(name.to_vec());
            }
        } else {
            is_directory = metadata.is_dir();
            here = next;
        }
    }
    if follow {
        confirm(&start, path, &here);
    }
    Way::Inside(here)
}

/// The C library's notion of a path is a third opinion.
fn confirm(start: &Path, path: &[u8], found: &Path) {
    if let (Ok(root), Ok(there)) = (fs::canonicalize(start), fs::canonicalize(start.join(OsStr::from_bytes(path)))) {
        let expected = if found.as_os_str().is_empty() { root } else { root.join(found) };
        assert_eq!(there, expected, "the oracle itself is wrong about {:?}", String::from_utf8_lossy(path));
    }
}

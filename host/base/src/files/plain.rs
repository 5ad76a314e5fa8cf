//! Reading configuration that others wrote: a plain file of a bounded size, and nothing that is waited for.

use std::ffi::{OsStr, OsString};
use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

use crate::files;

/// No configuration is larger.
const LARGEST: u64 = 4 * 1024 * 1024;

/// Said of pipes, devices and directories.
const NOT_PLAIN: &str = "it is not a plain file";

/// The bytes of a plain file.
///
/// # Errors
/// Those of the system; a pipe, a device, a directory and a file of more than 4 MiB are errors, and none is waited for.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let nonblocking = i32::try_from(OFlags::NONBLOCK.bits()).unwrap_or_default();
    let file: File = OpenOptions::new().read(true).custom_flags(nonblocking).open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other(NOT_PLAIN));
    }
    files::read_bounded(file, LARGEST)
}

/// Opens a plain file with these options.
///
/// # Errors
/// Those of the system; a link, a pipe and a device are errors, and none is waited for.
pub fn open(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    let flags = i32::try_from((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits()).unwrap_or_default();
    let file = options.custom_flags(flags).open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other(NOT_PLAIN)) }
}

/// The bytes of a plain file that a child was to write, in a directory that it may write: it may have put anything there.
///
/// # Errors
/// As for [`read`] with another bound; a link is one of them.
pub fn left_by_a_child(path: &Path, largest: u64) -> io::Result<Vec<u8>> {
    let parent = rustix::fs::open(
        path.parent().unwrap_or(Path::new("/")),
        OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC,
        Mode::empty(),
    )?;
    in_directory(&parent, path.file_name().unwrap_or_default(), largest)
}

/// The bytes of a plain file at `relative` (names with slashes) beneath `root`, an absolute path without links, and the
/// directory that it was found in. No component may be a link, so that a writer of one directory of a repository
/// cannot put a file of another place where this one is looked for.
///
/// # Errors
/// As for [`read`] with another bound; a link anywhere beneath `root` is one of them.
pub fn beneath(root: &Path, relative: &str, largest: u64) -> io::Result<(Vec<u8>, OwnedFd)> {
    let named = |error: Errno| match error {
        Errno::LOOP => io::Error::other("a link stands in its path"),
        Errno::INVAL => io::Error::other(NOT_PLAIN),
        other => other.into(),
    };
    let mut names: Vec<OsString> = relative.split('/').map(OsString::from).collect();
    let own = |name: &OsString| !name.is_empty() && name != "." && name != "..";
    let Some(name) = names.pop().filter(|name| own(name) && names.iter().all(own)) else {
        return Err(io::Error::other("it does not lie beneath the repository"));
    };
    let (root, _) = files::open_root(root).map_err(named)?;
    let directory = files::descend(&root, &names).map_err(|error| match error {
        // A symbolic link to a directory is refused as well.
        Errno::NOTDIR => io::Error::other("a link or a file stands in its path"),
        other => named(other),
    })?;
    Ok((in_directory(&directory, &name, largest)?, directory))
}

/// The bytes of a plain file of a directory.
///
/// # Errors
/// As for [`beneath`].
pub fn in_directory(directory: &OwnedFd, name: &OsStr, largest: u64) -> io::Result<Vec<u8>> {
    let (file, _) = files::open_file(directory, name).map_err(|error| match error {
        Errno::LOOP => io::Error::other("it is a link"),
        Errno::INVAL => io::Error::other(NOT_PLAIN),
        other => other.into(),
    })?;
    files::read_bounded(file, largest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_directories_and_what_is_too_large_are_errors_and_pipes_are_not_waited_for() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        std::os::unix::fs::symlink("/dev/zero", path("zero")).unwrap();
        let made = std::process::Command::new("mkfifo").arg(path("pipe")).status().unwrap();
        assert!(made.success());
        File::create(path("large")).unwrap().set_len(LARGEST + 1).unwrap();
        for name in ["zero", "pipe", "large", ""] {
            assert!(read(&path(name)).is_err(), "{name:?}");
        }
        assert_eq!(read(&path("none")).unwrap_err().kind(), io::ErrorKind::NotFound);
        std::fs::write(path("plain"), "text").unwrap();
        assert_eq!(read(&path("plain")).unwrap(), b"text");
        std::os::unix::fs::symlink("plain", path("link")).unwrap();
        for name in ["zero", "pipe", "large", "link"] {
            assert!(left_by_a_child(&path(name), LARGEST).is_err(), "{name:?}");
        }
        assert_eq!(left_by_a_child(&path("plain"), 4).unwrap(), b"text");
        assert!(left_by_a_child(&path("plain"), 3).is_err());
    }

    #[test]
    fn file_whose_length_says_too_little_is_an_error_and_not_cut_off() {
        // The length of files of the kernel is zero, as that of a file is that grows before it is read.
        let directory = rustix::fs::open("/proc/self/", OFlags::DIRECTORY, Mode::empty());
        let directory = directory.unwrap();
        let read = |largest| in_directory(&directory, OsStr::new("status"), largest);
        assert_eq!(read(10).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        assert!(read(LARGEST).unwrap().starts_with(b"Name:"));
    }

    #[test]
    fn links_are_errors_wherever_they_stand_beneath_the_root() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap();
        std::fs::create_dir_all(root.join("eng/inner")).unwrap();
        std::fs::write(root.join("eng/inner/file"), "text").unwrap();
        std::os::unix::fs::symlink("inner", root.join("eng/link")).unwrap();
        std::os::unix::fs::symlink("inner/file", root.join("eng/linked")).unwrap();
        let bytes = |path: &str| beneath(&root, path, 10).map(|(bytes, _)| bytes);
        assert_eq!(bytes("eng/inner/file").unwrap(), b"text");
        for path in
            ["eng/link/file", "eng/linked", "eng/inner", "eng/../eng/inner/file", "", "eng/inner/", "/etc/passwd"]
        {
            let error = bytes(path).unwrap_err();
            assert_ne!(error.kind(), io::ErrorKind::NotFound, "{path}: {error}");
        }
        assert!(beneath(&root, "eng/inner/file", 3).is_err());
        assert_eq!(bytes("eng/none").unwrap_err().kind(), io::ErrorKind::NotFound);
    }
}

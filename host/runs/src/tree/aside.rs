//! Copies of what a restore overwrites or removes.

use std::ffi::{OsStr, OsString};
use std::fs::{DirBuilder, File};
use std::io::{Error, ErrorKind, Result, Seek as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use bailiwick_base::files;
use rustix::fs::{AtFlags, Mode, OFlags};
use rustix::io::Errno;

use crate::content;
use crate::digest::Digest;

/// Where a copy is kept of all that a restore overwrites or removes, but for what is known to be as the run left it. Which
/// of it the run wrote, and which a person beside the run, nothing tells for certain: times of files say when they were
/// changed and not by whom, and those of a directory that was moved in are old.
#[derive(Debug, Clone)]
pub(crate) struct Aside {
    directory: PathBuf,
    /// How many copies have a number in place of their name.
    numbered: u64,
}

/// What is kept.
enum Kept {
    File(File),
    /// The target of a link: a real link there would lead what is kept later out of the store.
    Target(OsString),
}

impl Aside {
    /// Copies go into this directory, which is made when there is something to keep.
    pub(crate) fn in_directory(directory: PathBuf) -> Self {
        Self { directory, numbered: 0 }
    }

    /// Where the copies are.
    pub(super) fn directory(&self) -> &Path {
        &self.directory
    }

    /// Keeps a copy of the file or link `name` of `parent` at `path`, in a directory of its own for each pass but the first.
    ///
    /// A hostile build chooses names and depth. The directories are therefore entered one at a time, as no path of the
    /// kernel is longer than 4,096 bytes, and a name that cannot be had is replaced by a number.
    pub(super) fn keep(&mut self, (parent, name): (&OwnedFd, &OsStr), pass: u32, path: &Path) -> Result<()> {
        let kept = match files::link_target(parent, name) {
            Ok(target) => Kept::Target(target),
            Err(_) => match files::open_file(parent, name) {
                // Not even its owner may read it.
                Err(Errno::ACCESS) => return Ok(()),
                opened => Kept::File(opened?.0),
            },
        };
        let again = (pass > 0).then(|| OsString::from(format!("again-{pass}")));
        let place = self.enter(again.into_iter().chain(path.parent().into_iter().flatten().map(inert)))?;
        let own = match kept {
            Kept::File(_) => inert(name),
            Kept::Target(_) => with_ending(name, ".link"),
        };
        match kept.put(&place, &own) {
            Err(error) if is_taken(&error) && kept.is_at(&place, &own) => return Ok(()),
            Err(error) if is_taken(&error) || error.kind() == ErrorKind::InvalidFilename => {}
            result => return result,
        }
        loop {
            self.numbered += 1;
            let name = OsString::from(format!("{}.{}", self.numbered, kept.kind()));
            match kept.put(&place, &name) {
                Err(error) if is_taken(&error) => {}
                result => return result,
            }
        }
    }

    /// Opens a directory beneath this one, and makes what is missing of it.
    fn enter(&self, names: impl Iterator<Item = OsString>) -> Result<OwnedFd> {
        DirBuilder::new().recursive(true).mode(0o700).create(&self.directory)?;
        let (mut directory, _) = files::open_root(&self.directory)?;
        for name in names {
            match rustix::fs::mkdirat(&directory, &name, Mode::RWXU) {
                Ok(()) | Err(Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
            directory = files::open_directory(&directory, &name)?;
        }
        Ok(directory)
    }
}

impl Kept {
    fn kind(&self) -> &'static str {
        match self {
            Self::File(_) => "file",
            Self::Target(_) => "link",
        }
    }

    /// Writes it to a new file.
    fn put(&self, place: &OwnedFd, name: &OsStr) -> Result<()> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mut to = File::from(rustix::fs::openat(place, name, flags, Mode::RUSR | Mode::WUSR)?);
        let written = match self {
            Self::File(from) => files::copy_with_holes(from, &to),
            Self::Target(target) => to.write_all(target.as_encoded_bytes()),
        };
        if written.is_err() {
            // Half a copy would pass for the whole.
            let _ = rustix::fs::unlinkat(place, name, AtFlags::empty());
        }
        written
    }

    /// Whether the file of this name holds it already, from an earlier attempt.
    fn is_at(&self, place: &OwnedFd, name: &OsStr) -> bool {
        let Ok((there, facts)) = files::open_file(place, name) else { return false };
        match self {
            Self::File(from) => digest(from).is_some_and(|own| digest(&there) == Some(own)),
            Self::Target(target) => {
                files::read_bounded(there, facts.size).is_ok_and(|text| text == target.as_encoded_bytes())
            }
        }
    }
}

/// Without these names no copy is taken for a repository. A hostile build may plant one, and git and its like would run what
/// its configuration names for the person who looks at the copies.
const OF_REPOSITORIES: [&str; 4] = [".git", ".hg", ".jj", "HEAD"];

/// What a file or directory of this name is called here.
fn inert(name: &OsStr) -> OsString {
    if OF_REPOSITORIES.iter().any(|one| name.eq_ignore_ascii_case(one)) {
        with_ending(name, ".kept")
    } else {
        name.to_owned()
    }
}

fn with_ending(name: &OsStr, ending: &str) -> OsString {
    let mut name = name.to_owned();
    name.push(ending);
    name
}

/// Of everything in a file, unless it changes meanwhile.
fn digest(mut file: &File) -> Option<Digest> {
    file.rewind().ok()?;
    let facts = files::facts_of(file).ok()?;
    let read = content::stream(file, &facts, &mut vec![0; 64 * 1024], |_| Ok(())).ok()?;
    (!read.torn).then_some(read.digest)
}

fn is_taken(error: &Error) -> bool {
    error.kind() == ErrorKind::AlreadyExists
}

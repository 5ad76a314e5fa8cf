//! Files of a directory tree by their path relative to it, reached beneath its handle and never through a link.
//!
//! A generator or a build may exchange any directory that it may write for a link. A path that is joined and opened by its
//! name would then lead outside, so whatever reads or writes such a tree after a child ran does it here.

mod error;

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Read as _;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::io::Errno;

use self::error::wrong_kind;
use super::access::{make_accessible, relax};
use super::attributes::Attributes;
use super::looks::{Looks, own_like};
use super::{Facts, FileError, Type, change, names, open_directory, open_file, open_root, present, remove_any};

pub use self::error::TreeError;

/// Deepest nesting that is listed. Sources of a package are not deeper than some dozens of directories.
pub const DEPTH: usize = 128;

/// Whether a file had to be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// It was there with this content.
    Already,
    /// It is there now.
    Now,
}

/// A directory that is held open.
#[derive(Debug)]
pub struct Tree {
    root: OwnedFd,
    path: PathBuf,
}

/// The directory that holds a file, and the file's name there.
struct Found<'a> {
    parent: OwnedFd,
    name: &'a OsStr,
}

impl Tree {
    /// Opens the directory at an absolute path in which no part is a link.
    ///
    /// # Errors
    /// [`TreeError::Io`].
    pub fn open(path: &Path) -> Result<Self, TreeError> {
        let (root, _) = open_root(path).map_err(|errno| FileError::at(path, "opened")(errno.into()))?;
        Ok(Self { root, path: path.to_owned() })
    }

    /// The path by which it was opened.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The handle of the directory itself.
    #[must_use]
    pub fn handle(&self) -> &OwnedFd {
        &self.root
    }

    /// The content of the regular file at `relative`; `None` where there is nothing.
    ///
    /// # Errors
    /// [`TreeError`]; a file of more than `limit` bytes is an error and is not cut.
    pub fn read(&self, relative: impl AsRef<Path>, limit: u64) -> Result<Option<Vec<u8>>, TreeError> {
        let relative = relative.as_ref();
        let Some(found) = self.find(relative)? else { return Ok(None) };
        let (file, facts) = match open_file(&found.parent, found.name) {
            Ok(opened) => opened,
            Err(Errno::NOENT) => return Ok(None),
            Err(errno) => return Err(self.unlike_a_file(&found, relative, "read", errno)),
        };
        let too_large = || TreeError::TooLarge { path: self.path.join(relative), limit };
        if facts.size > limit {
            return Err(too_large());
        }
        // With room for all of it and a little more it is read at once, and the end is seen without the room growing.
        let mut content = Vec::with_capacity(usize::try_from(facts.size).unwrap_or(0).saturating_add(64));
        // It may grow while it is read.
        file.take(limit.saturating_add(1)).read_to_end(&mut content).map_err(self.failed(relative, "read"))?;
        if content.len() as u64 > limit { Err(too_large()) } else { Ok(Some(content)) }
    }

    /// What stands at `relative`, a link itself rather than its target; `None` where there is nothing.
    ///
    /// # Errors
    /// [`TreeError`].
    pub fn kind(&self, relative: impl AsRef<Path>) -> Result<Option<Type>, TreeError> {
        let relative = relative.as_ref();
        let Some(found) = self.find(relative)? else { return Ok(None) };
        let present = present(&found.parent, found.name).map_err(|errno| self.io(relative, "read", errno))?;
        Ok(present.map(|(kind, _)| kind))
    }

    /// The facts of the regular file at `relative`; `None` where none stands there.
    ///
    /// # Errors
    /// [`TreeError`].
    pub fn facts(&self, relative: impl AsRef<Path>) -> Result<Option<Facts>, TreeError> {
        let relative = relative.as_ref();
        let Some(found) = self.find(relative)? else { return Ok(None) };
        let present = present(&found.parent, found.name).map_err(|errno| self.io(relative, "read", errno))?;
        Ok(present.filter(|(kind, _)| *kind == Type::File).map(|(_, facts)| facts))
    }

    /// Puts a file with `content` at `relative`, whole or not at all, and makes the directories on its path. A link, a
    /// special file or another file in its place is replaced; a file keeps its mode.
    ///
    /// # Errors
    /// [`TreeError`].
    pub fn write(&self, relative: impl AsRef<Path>, content: &[u8]) -> Result<Written, TreeError> {
        self.put(relative.as_ref(), content, None)
    }

    /// The same for a file that is to have these looks, whatever stands there now.
    ///
    /// # Errors
    /// [`TreeError`].
    pub fn write_as(&self, relative: impl AsRef<Path>, content: &[u8], looks: &Looks) -> Result<Written, TreeError> {
        self.put(relative.as_ref(), content, Some(looks))
    }

    /// Owner, mode and attributes of a file or directory; `None` for anything else, and for what cannot be opened.
    #[must_use]
    pub fn looks(&self, relative: impl AsRef<Path>) -> Option<Looks> {
        let found = self.find(relative.as_ref()).ok()??;
        match present(&found.parent, found.name).ok()?? {
            (Type::File, _) => open_file(&found.parent, found.name).ok().map(|(file, facts)| Looks::of(file, facts)),
            (Type::Directory, facts) => {
                let directory = open_directory(&found.parent, found.name).ok()?;
                // Files are put into it again.
                Some(Looks::of(directory, Facts { mode: facts.mode | 0o700, ..facts }))
            }
            _ => None,
        }
    }

    /// Makes a directory with these looks where none stands, and gives them to another one that stands there.
    ///
    /// # Errors
    /// [`TreeError`].
    pub fn make_directory_as(&self, relative: impl AsRef<Path>, looks: &Looks) -> Result<(), TreeError> {
        let relative = relative.as_ref();
        let failed = |errno| self.io(relative, "created", errno);
        let found = self.find_or_make(relative)?;
        let is_new = match change::make_directory(&found.parent, found.name, 0o700) {
            Ok(()) => true,
            Err(Errno::EXIST) => false,
            Err(errno) => return Err(failed(errno)),
        };
        let stands = open_directory(&found.parent, found.name)
            .map_err(|errno| self.unlike_a_directory(&found.parent, found.name, relative, errno))?;
        match !is_new && looks.are_of(&stands).map_err(failed)? {
            true => Ok(()),
            false => looks.put_on(stands).map_err(failed),
        }
    }

    fn put(&self, relative: &Path, content: &[u8], looks: Option<&Looks>) -> Result<Written, TreeError> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let found = self.find_or_make(relative)?;
        let failed = |errno| self.io(relative, "written", errno);
        let stood = match present(&found.parent, found.name).map_err(failed)? {
            Some((Type::Directory, _)) => {
                return Err(TreeError::WrongKind { path: self.path.join(relative), found: Type::Directory.name() });
            }
            Some((Type::File, facts)) => {
                let same = facts.size == content.len() as u64
                    && self.read(relative, facts.size)?.is_some_and(|present| present == content);
                let alike = match looks {
                    Some(looks) if same => {
                        let (file, _) = open_file(&found.parent, found.name).map_err(failed)?;
                        looks.are_of(file).map_err(failed)?
                    }
                    _ => same,
                };
                if alike {
                    return Ok(Written::Already);
                }
                Some(facts)
            }
            Some(_) | None => None,
        };
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let temporary = OsString::from(format!(".bailiwick-{}-{number}", std::process::id()));
        let put = || -> std::io::Result<()> {
            let mode = if stood.is_some() || looks.is_some() { 0o600 } else { 0o666 };
            let file = change::create(&found.parent, &temporary, mode)?;
            change::write(&file, content)?;
            match (looks, stood) {
                (Some(looks), _) => looks.put_on(&file)?,
                (None, Some(stood)) => make_alike(&found, &stood, &file)?,
                (None, None) => {}
            }
            Ok(change::rename(&found.parent, &temporary, found.name)?)
        };
        put().map(|()| Written::Now).map_err(|source| {
            let _ = change::remove_file(&found.parent, &temporary);
            self.failed(relative, "written")(source)
        })
    }

    /// Removes whatever stands at `relative`, a directory with all that is in it. Nothing there is fine.
    ///
    /// # Errors
    /// [`TreeError`].
    pub fn remove(&self, relative: impl AsRef<Path>) -> Result<(), TreeError> {
        let relative = relative.as_ref();
        let Some(found) = self.find(relative)? else { return Ok(()) };
        remove_any(&found.parent, found.name).map_err(|errno| self.io(relative, "removed", errno))
    }

    /// Removes the directories above `relative` that are empty, nearest first, and never the tree itself.
    pub fn remove_empty_above(&self, relative: &str) {
        let above = Path::new(relative).ancestors().skip(1).take_while(|path| !path.as_os_str().is_empty());
        for path in above {
            let Ok(Some(found)) = self.find(path) else { return };
            if change::remove_directory(&found.parent, found.name).is_err() {
                return;
            }
        }
    }

    /// Makes a symbolic link at `relative`, where nothing may stand yet, and the directories on its path.
    ///
    /// # Errors
    /// [`TreeError`].
    pub fn link(&self, relative: impl AsRef<Path>, target: &Path) -> Result<(), TreeError> {
        let relative = relative.as_ref();
        let found = self.find_or_make(relative)?;
        change::make_link(&found.parent, found.name, target.as_os_str())
            .map_err(|errno| self.io(relative, "created", errno))
    }

    /// Every entry beneath the tree, directories before what is in them and each directory in order of its names.
    /// `enter` says of a directory, by its path and the names in its parent, whether to look into it.
    ///
    /// A directory that cannot be read, or is nested too deeply, keeps nothing beside it from being visited.
    ///
    /// # Errors
    /// The first error of `visit`, at once; else the first directory that cannot be read, after everything else was visited.
    /// An entry that vanishes meanwhile is left out.
    pub fn entries(
        &self,
        mut enter: impl FnMut(&Path, &[OsString]) -> bool,
        mut visit: impl FnMut(&Path, Type, &OwnedFd) -> Result<(), TreeError>,
    ) -> Result<(), TreeError> {
        let top = open_directory(&self.root, OsStr::new(".")).map_err(|errno| self.io("", "read", errno))?;
        let mut unread = None;
        self.below(&top, Path::new(""), 1, &mut Visit { enter: &mut enter, visit: &mut visit, unread: &mut unread })?;
        unread.map_or(Ok(()), Err)
    }

    /// Lets the owner into every directory of the tree whose mode keeps even its owner out.
    pub fn open_up(&self) {
        let _ = relax(&self.root);
        if let Ok(top) = open_directory(&self.root, OsStr::new(".")) {
            open_up(&top, 1);
        }
    }

    fn below(&self, directory: &OwnedFd, path: &Path, depth: usize, to: &mut Visit<'_>) -> Result<(), TreeError> {
        let failed = |path: &Path, errno| self.io(path, "read", errno);
        if depth > DEPTH {
            to.unread.get_or_insert(TreeError::TooDeep { path: self.path.clone() });
            return Ok(());
        }
        let mut all = match names(directory) {
            Ok(all) => all,
            Err(errno) => {
                to.unread.get_or_insert(failed(path, errno));
                return Ok(());
            }
        };
        all.sort();
        for name in &all {
            let path = path.join(name);
            let kind = match present(directory, name) {
                Ok(Some((kind, _))) => kind,
                Ok(None) => continue,
                Err(errno) => {
                    to.unread.get_or_insert(failed(&path, errno));
                    continue;
                }
            };
            (to.visit)(&path, kind, directory)?;
            if kind == Type::Directory && (to.enter)(&path, &all) {
                match open_directory(directory, name) {
                    Ok(handle) => self.below(&handle, &path, depth + 1, to)?,
                    Err(Errno::NOENT) => {}
                    Err(errno) => {
                        to.unread.get_or_insert(failed(&path, errno));
                    }
                }
            }
        }
        Ok(())
    }

    /// The directory that holds `relative`; `None` where one on the way is missing.
    fn find<'a>(&self, relative: &'a Path) -> Result<Option<Found<'a>>, TreeError> {
        match self.walk(relative, false) {
            Err(TreeError::Io(error)) if error.source.kind() == std::io::ErrorKind::NotFound => Ok(None),
            other => other.map(Some),
        }
    }

    fn find_or_make<'a>(&self, relative: &'a Path) -> Result<Found<'a>, TreeError> {
        self.walk(relative, true)
    }

    /// The directory that holds `relative`, by one call of the kernel that follows no link on the way. `None` where it is
    /// not there, or where the kernel has no such call or refuses it: going step by step tells which.
    #[cfg(target_os = "linux")]
    fn parent_at_once(&self, parents: &[&OsStr]) -> Option<OwnedFd> {
        use rustix::fs::{Mode, OFlags, ResolveFlags, openat2};
        let parents: PathBuf = (!parents.is_empty()).then(|| parents.iter().collect())?;
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
        openat2(&self.root, parents, flags, Mode::empty(), resolve).ok()
    }

    #[cfg(not(target_os = "linux"))]
    fn parent_at_once(&self, _: &[&OsStr]) -> Option<OwnedFd> {
        None
    }

    fn walk<'a>(&self, relative: &'a Path, make: bool) -> Result<Found<'a>, TreeError> {
        let bad = || TreeError::BadPath { path: relative.into() };
        let bytes = relative.as_os_str().as_bytes();
        let parts: Vec<&OsStr> = bytes.split(|byte| *byte == b'/').map(OsStr::from_bytes).collect();
        if parts.iter().any(|part| matches!(part.as_bytes(), b"" | b"." | b"..") || part.as_bytes().contains(&0)) {
            return Err(bad());
        }
        let (name, parents) = parts.split_last().ok_or_else(bad)?;
        if let Some(parent) = self.parent_at_once(parents) {
            return Ok(Found { parent, name });
        }
        let mut parent = self.root.as_fd().try_clone_to_owned().map_err(self.failed(relative, "read"))?;
        let mut way = PathBuf::new();
        for part in parents {
            way.push(part);
            if make {
                match change::make_directory(&parent, part, 0o777) {
                    Ok(()) | Err(Errno::EXIST) => {}
                    Err(errno) => return Err(self.io(&way, "created", errno)),
                }
            }
            parent = match open_directory(&parent, part) {
                Ok(next) => next,
                Err(errno) => return Err(self.unlike_a_directory(&parent, part, &way, errno)),
            };
        }
        Ok(Found { parent, name })
    }

    fn unlike_a_directory(&self, parent: &OwnedFd, name: &OsStr, way: &Path, errno: Errno) -> TreeError {
        match present(parent, name) {
            Ok(Some((kind, _))) if kind != Type::Directory => wrong_kind(self.path.join(way), kind),
            _ => self.io(way, "opened", errno),
        }
    }

    fn unlike_a_file(&self, found: &Found<'_>, relative: &Path, action: &'static str, errno: Errno) -> TreeError {
        match present(&found.parent, found.name) {
            Ok(Some((kind, _))) if kind != Type::File => wrong_kind(self.path.join(relative), kind),
            _ => self.io(relative, action, errno),
        }
    }

    fn io(&self, relative: impl AsRef<Path>, action: &'static str, errno: Errno) -> TreeError {
        FileError::at(&self.path.join(relative), action)(errno.into()).into()
    }

    fn failed(&self, relative: &Path, action: &'static str) -> impl FnOnce(std::io::Error) -> TreeError + use<> {
        let path = self.path.join(relative);
        move |source| FileError { path, action, source }.into()
    }
}

/// What [`Tree::entries`] carries through the tree.
struct Visit<'a> {
    enter: &'a mut dyn FnMut(&Path, &[OsString]) -> bool,
    visit: &'a mut dyn FnMut(&Path, Type, &OwnedFd) -> Result<(), TreeError>,
    /// The first directory that could not be read.
    unread: &'a mut Option<TreeError>,
}

/// Gives `file` owner, attributes and mode of the one that it is about to replace.
fn make_alike(found: &Found<'_>, stood: &Facts, file: &File) -> rustix::io::Result<()> {
    own_like(stood, file)?;
    let mode = Attributes::carry_named((&found.parent, found.name), file, stood.mode)?;
    change::set_mode(file, mode)
}

fn open_up(directory: &OwnedFd, depth: usize) {
    let all = names(directory).unwrap_or_default();
    for name in all.iter().filter(|name| matches!(present(directory, name), Ok(Some((Type::Directory, _))))) {
        let entered = match open_directory(directory, name) {
            Err(Errno::ACCESS) => make_accessible(directory, name).and_then(|()| open_directory(directory, name)),
            entered => entered,
        };
        if let Ok(entered) = entered
            && relax(&entered).is_ok()
            && depth < DEPTH
        {
            open_up(&entered, depth + 1);
        }
    }
}

#[cfg(test)]
mod tests;

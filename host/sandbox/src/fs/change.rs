//! What changes a tree: creating, replacing, renaming, removing. All of it in the writable layer alone.

use super::open::{self, Kind};
use super::resolve::{self, LastLink};
use super::table::{Created, Files, Open};
use crate::grant::Layers;
use rustix::fd::OwnedFd;
use rustix::fs::{AtFlags, Mode, OFlags};
use rustix::io::Errno;
use std::path::Path;
use std::sync::Arc;
use wasmtime::component::Resource;
use wasmtime_wasi::p2::FsResult;
use wasmtime_wasi::p2::bindings::filesystem::types::ErrorCode;
use wasmtime_wasi::p2::bindings::sync::filesystem::types::Descriptor;

/// How a file is opened for writing.
#[derive(Clone, Copy)]
pub(super) struct Writing {
    pub(super) last: LastLink,
    pub(super) create: bool,
    pub(super) exclusive: bool,
    pub(super) truncate: bool,
    pub(super) readable: bool,
}

// Between "there is nothing" and "make it exclusively" somebody else can make it; that is looked at again a few times.
const TRIES: usize = 4;

impl Files {
    pub(super) fn open_for_writing(&mut self, layers: &Layers, path: &str, how: Writing) -> FsResult<Open> {
        let Some(upper) = layers.upper.clone() else { return Err(self.denied()) };
        for _ in 0..TRIES {
            match resolve::beneath(&upper, Path::new(path), how.last) {
                Ok(_) if how.create && how.exclusive => return Err(ErrorCode::Exist.into()),
                Ok(handle) => return self.existing(&handle, how),
                Err(Errno::NOENT) => {}
                Err(errno) => return Err(self.failed(errno)),
            }
            // Nothing in the writable layer. If the read-only one has it, it is not to be changed.
            if let Some(lower) = &layers.lower
                && resolve::beneath(lower, Path::new(path), how.last).is_ok()
            {
                return if how.create && how.exclusive { Err(ErrorCode::Exist.into()) } else { Err(self.denied()) };
            }
            if !how.create {
                return Err(ErrorCode::NoEntry.into());
            }
            match self.fresh(&upper, path, how) {
                Err(Errno::EXIST) => {}
                Ok(open) => return Ok(open),
                Err(errno) => return Err(self.failed(errno)),
            }
        }
        // Still there and still not resolvable: a link that dangles. Creating through it is how CVE-2025-53109 wrote.
        Err(self.denied())
    }

    fn existing(&mut self, handle: &OwnedFd, how: Writing) -> FsResult<Open> {
        let (kind, stat) = open::kind(handle).map_err(|errno| self.failed(errno))?;
        match kind {
            Kind::File => {}
            Kind::Directory => return Err(ErrorCode::IsDirectory.into()),
            Kind::Link => return Err(self.denied()),
            Kind::Special => return Err(self.special()),
        }
        // A second name of the same inode may lie outside the grant; replacing the file is possible, writing into
        // it is not.
        if stat.st_nlink > 1 {
            return Err(self.denied());
        }
        let access = if how.readable { OFlags::RDWR } else { OFlags::WRONLY };
        let handle = open::reopen(handle, access).map_err(|errno| self.failed(errno))?;
        if how.truncate {
            rustix::fs::ftruncate(&handle, 0).map_err(|errno| self.failed(errno))?;
        }
        Ok(Open::File { handle, readable: how.readable, writable: true })
    }

    fn fresh(&mut self, upper: &OwnedFd, path: &str, how: Writing) -> Result<Open, Errno> {
        if path.ends_with('/') {
            return Err(Errno::ISDIR);
        }
        let (parent, name) = resolve::parent(upper, Path::new(path))?;
        let access = if how.readable { OFlags::RDWR } else { OFlags::WRONLY };
        let flags = access | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NOCTTY;
        let handle = rustix::fs::openat(&parent, Path::new(&name), flags, Mode::from_raw_mode(0o666))?;
        let stat = rustix::fs::fstat(&handle)?;
        self.created.push(Created { parent, name, inode: (stat.st_dev, stat.st_ino) });
        Ok(Open::File { handle, readable: how.readable, writable: true })
    }

    pub(super) fn make_directory(&mut self, directory: &Resource<Descriptor>, path: &str) -> FsResult<()> {
        let layers = self.directory(directory)?;
        let upper = self.upper(directory)?;
        if let Some(lower) = &layers.lower
            && resolve::beneath(lower, Path::new(path), LastLink::Keep).is_ok()
        {
            return Err(ErrorCode::Exist.into());
        }
        let (parent, name) = resolve::parent(&upper, Path::new(path)).map_err(|errno| self.failed(errno))?;
        rustix::fs::mkdirat(&parent, Path::new(&name), Mode::from_raw_mode(0o777)).map_err(|errno| self.failed(errno))
    }

    pub(super) fn remove(&mut self, directory: &Resource<Descriptor>, path: &str, flags: AtFlags) -> FsResult<()> {
        let layers = self.directory(directory)?;
        let upper = self.upper(directory)?;
        let (parent, name) = resolve::parent(&upper, Path::new(path)).map_err(|errno| self.failed(errno))?;
        let inode = inode(&parent, Path::new(&name)).map_err(|errno| self.failed(errno))?;
        let own = self.created.iter().position(|created| Some(created.inode) == inode);
        // Removing a staged file would uncover the one below it instead of removing anything.
        if layers.lower.is_some() && own.is_none() {
            return Err(self.denied());
        }
        rustix::fs::unlinkat(&parent, Path::new(&name), flags).map_err(|errno| self.failed(errno))?;
        if let Some(own) = own {
            self.created.swap_remove(own);
        }
        Ok(())
    }

    pub(super) fn rename(
        &mut self,
        from: &Resource<Descriptor>,
        old: &str,
        to: &Resource<Descriptor>,
        new: &str,
    ) -> FsResult<()> {
        let (source, target) = (self.upper(from)?, self.upper(to)?);
        let staged = self.directory(from)?.lower.is_some() || self.directory(to)?.lower.is_some();
        let (old_parent, old_name) = resolve::parent(&source, Path::new(old)).map_err(|errno| self.failed(errno))?;
        let (new_parent, new_name) = resolve::parent(&target, Path::new(new)).map_err(|errno| self.failed(errno))?;
        let moving = inode(&old_parent, Path::new(&old_name)).map_err(|errno| self.failed(errno))?;
        let own = self.created.iter().position(|created| Some(created.inode) == moving);
        if staged && own.is_none() {
            return Err(self.denied());
        }
        self.keep_mode(own.is_some(), (&old_parent, Path::new(&old_name)), (&new_parent, Path::new(&new_name)))?;
        rustix::fs::renameat(&old_parent, Path::new(&old_name), &new_parent, Path::new(&new_name))
            .map_err(|errno| self.failed(errno))?;
        if let Some(own) = own {
            self.created.swap_remove(own);
        }
        Ok(())
    }

    /// An atomic replacement is a new file renamed over an old one; the mode is the old one's, without set-id bits,
    /// since the content is no longer what somebody gave those bits to.
    fn keep_mode(&mut self, own: bool, from: (&OwnedFd, &Path), to: (&OwnedFd, &Path)) -> FsResult<()> {
        let Ok(old) = resolve::beneath(to.0, to.1, LastLink::Keep) else { return Ok(()) };
        let (kind, stat) = open::kind(&old).map_err(|errno| self.failed(errno))?;
        if kind == Kind::Special {
            return Err(self.special());
        }
        if !own || kind != Kind::File {
            return Ok(());
        }
        let new = resolve::beneath(from.0, from.1, LastLink::Keep).map_err(|errno| self.failed(errno))?;
        if open::kind(&new).map_err(|errno| self.failed(errno))?.0 != Kind::File {
            return Err(self.denied());
        }
        let new = open::reopen(&new, OFlags::RDONLY).map_err(|errno| self.failed(errno))?;
        rustix::fs::fchmod(&new, Mode::from_raw_mode(stat.st_mode & 0o777)).map_err(|errno| self.failed(errno))
    }

    /// Opens a directory for further use, in every layer that has it.
    pub(super) fn open_directory(&mut self, layers: &Layers, path: &str, last: LastLink) -> FsResult<Open> {
        let mut found = Layers { upper: None, lower: None };
        let mut problem = Errno::NOENT;
        for (layer, place) in [(&layers.upper, &mut found.upper), (&layers.lower, &mut found.lower)] {
            let Some(layer) = layer else { continue };
            match resolve::beneath(layer, Path::new(path), last) {
                Ok(handle) if matches!(open::kind(&handle), Ok((Kind::Directory, _))) => {
                    *place = Some(Arc::new(handle));
                }
                Ok(_) => problem = Errno::NOTDIR,
                Err(errno) => problem = errno,
            }
        }
        if found.upper.is_none() && found.lower.is_none() {
            return Err(self.failed(problem));
        }
        Ok(Open::Directory { layers: found })
    }
}

fn inode(parent: &OwnedFd, name: &Path) -> Result<Option<(u64, u64)>, Errno> {
    let stat = rustix::fs::statat(parent, name, AtFlags::SYMLINK_NOFOLLOW)?;
    Ok(Some((stat.st_dev, stat.st_ino)))
}

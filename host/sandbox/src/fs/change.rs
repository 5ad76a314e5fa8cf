//! What changes a tree: creating, replacing, renaming, removing. All of it in the writable layer alone.

use super::found::{Entry, Found};
use super::open::{self, Kind};
use super::resolve::{self, LastLink};
use super::table::{Files, Open};
use crate::denial::DenialReason;
use crate::grant::{HardLinks, Layers, Terms};
use crate::sensitive::Act;
use rustix::fs::{AtFlags, Mode, OFlags};
use rustix::io::Errno;
use std::path::{Path, PathBuf};
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
        let Some(upper) = layers.upper.clone() else { return Err(self.denied(path, DenialReason::ReadOnly)) };
        for _ in 0..TRIES {
            match resolve::beneath(&upper, Path::new(path), how.last) {
                Ok(_) if how.create && how.exclusive => return Err(ErrorCode::Exist.into()),
                Ok(handle) => {
                    let found = self.inspect(&layers.terms, handle, path)?;
                    return self.existing(&layers.terms, &found, path, how);
                }
                Err(Errno::NOENT) => {}
                Err(errno) => return Err(self.failed(errno, path)),
            }
            // Nothing in the writable layer. If the read-only one has it, it is not to be changed.
            if let Some(lower) = &layers.lower
                && resolve::beneath(lower, Path::new(path), how.last).is_ok()
            {
                return if how.create && how.exclusive {
                    Err(ErrorCode::Exist.into())
                } else {
                    Err(self.denied(path, DenialReason::ReadOnly))
                };
            }
            if !how.create {
                return Err(ErrorCode::NoEntry.into());
            }
            if path.ends_with('/') {
                return Err(ErrorCode::IsDirectory.into());
            }
            let entry = self.entry(layers, path, Act::Change)?;
            match self.fresh(entry, how) {
                Err(Errno::EXIST) => {}
                Ok(open) => return Ok(open),
                Err(errno) => return Err(self.failed(errno, path)),
            }
        }
        // Still there and still not resolvable: a link that dangles. Creating through it is how CVE-2025-53109 wrote.
        Err(self.denied(path, DenialReason::Link))
    }

    fn existing(&mut self, terms: &Terms, found: &Found, path: &str, how: Writing) -> FsResult<Open> {
        match found.kind {
            Kind::File => {}
            Kind::Directory => return Err(ErrorCode::IsDirectory.into()),
            Kind::Link => return Err(self.denied(path, DenialReason::Link)),
            Kind::Special => return Err(self.denied(path, DenialReason::Special)),
        }
        self.guard(terms, &found.handle, None, Act::Change, path)?;
        // A second name of the same inode may lie outside the grant; replacing the file is possible, writing into
        // it is not.
        if found.stat.st_nlink > 1 && terms.hard_links == HardLinks::Refused {
            return Err(self.denied(path, DenialReason::HardLink));
        }
        let access = if how.readable { OFlags::RDWR } else { OFlags::WRONLY };
        let handle = open::reopen(&found.handle, access).map_err(|errno| self.failed(errno, path))?;
        if how.truncate {
            rustix::fs::ftruncate(&handle, 0).map_err(|errno| self.failed(errno, path))?;
        }
        let size = u64::try_from(found.stat.st_size).unwrap_or(0);
        Ok(Open::File { handle, readable: how.readable, writable: true, size })
    }

    fn fresh(&mut self, entry: Entry, how: Writing) -> Result<Open, Errno> {
        self.charge_entry(&entry.name)?;
        let access = if how.readable { OFlags::RDWR } else { OFlags::WRONLY };
        let flags = access | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NOCTTY;
        let handle = rustix::fs::openat(&entry.parent, entry.name(), flags, Mode::from_raw_mode(0o666))?;
        let stat = rustix::fs::fstat(&handle)?;
        self.created(entry.parent, entry.name, (stat.st_dev, stat.st_ino));
        Ok(Open::File { handle, readable: how.readable, writable: true, size: 0 })
    }

    pub(super) fn make_directory(&mut self, directory: &Resource<Descriptor>, path: &str) -> FsResult<()> {
        let layers = self.directory(directory)?;
        if layers.upper.is_some()
            && let Some(lower) = &layers.lower
            && resolve::beneath(lower, Path::new(path), LastLink::Keep).is_ok()
        {
            return Err(ErrorCode::Exist.into());
        }
        let entry = self.entry(&layers, path, Act::MakeDirectory)?;
        self.charge_entry(&entry.name).map_err(|errno| self.failed(errno, path))?;
        rustix::fs::mkdirat(&entry.parent, entry.name(), Mode::from_raw_mode(0o777))
            .map_err(|errno| self.failed(errno, path))
    }

    pub(super) fn remove(&mut self, directory: &Resource<Descriptor>, path: &str, flags: AtFlags) -> FsResult<()> {
        let layers = self.directory(directory)?;
        let entry = self.entry(&layers, path, Act::Change)?;
        let inode = inode(&entry).map_err(|errno| self.failed(errno, path))?;
        let own = self.created.iter().position(|created| created.inode == inode);
        // Removing a staged file would uncover the one below it instead of removing anything.
        if layers.lower.is_some() && own.is_none() {
            return Err(self.denied(path, DenialReason::ReadOnly));
        }
        rustix::fs::unlinkat(&entry.parent, entry.name(), flags).map_err(|errno| self.failed(errno, path))?;
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
        let (source, target) = (self.directory(from)?, self.directory(to)?);
        let staged = source.lower.is_some() || target.lower.is_some();
        let old_entry = self.entry(&source, old, Act::Change)?;
        let new_entry = self.entry(&target, new, Act::Change)?;
        let moving = inode(&old_entry).map_err(|errno| self.failed(errno, old))?;
        let own = self.created.iter().position(|created| created.inode == moving);
        if staged && own.is_none() {
            return Err(self.denied(old, DenialReason::ReadOnly));
        }
        self.keep_mode(own.is_some(), &old_entry, (&new_entry, new))?;
        rustix::fs::renameat(&old_entry.parent, slashed(&old_entry, old), &new_entry.parent, slashed(&new_entry, new))
            .map_err(|errno| self.failed(errno, old))?;
        if let Some(own) = own {
            self.created.swap_remove(own);
        }
        Ok(())
    }

    /// An atomic replacement is a new file renamed over an old one; the mode is the old one's, without set-id bits,
    /// since the content is no longer what somebody gave those bits to.
    fn keep_mode(&mut self, own: bool, from: &Entry, (to, path): (&Entry, &str)) -> FsResult<()> {
        let Ok(old) = resolve::beneath(&to.parent, to.name(), LastLink::Keep) else { return Ok(()) };
        let (kind, stat) = open::kind(&old).map_err(|errno| self.failed(errno, path))?;
        if kind == Kind::Special {
            return Err(self.denied(path, DenialReason::Special));
        }
        if !own || kind != Kind::File {
            return Ok(());
        }
        let new =
            resolve::beneath(&from.parent, from.name(), LastLink::Keep).map_err(|errno| self.failed(errno, path))?;
        if open::kind(&new).map_err(|errno| self.failed(errno, path))?.0 != Kind::File {
            return Err(self.denied(path, DenialReason::Link));
        }
        let new = open::reopen(&new, OFlags::RDONLY).map_err(|errno| self.failed(errno, path))?;
        rustix::fs::fchmod(&new, Mode::from_raw_mode(stat.st_mode & 0o777)).map_err(|errno| self.failed(errno, path))
    }

    /// Opens a directory for further use, in every layer that has it.
    pub(super) fn open_directory(&mut self, layers: &Layers, path: &str, last: LastLink) -> FsResult<Open> {
        let mut found = Layers { upper: None, lower: None, terms: layers.terms.clone() };
        let mut problem = Errno::NOENT;
        for (layer, place) in [(&layers.upper, &mut found.upper), (&layers.lower, &mut found.lower)] {
            let Some(layer) = layer else { continue };
            match resolve::beneath(layer, Path::new(path), last) {
                Ok(handle) => match self.inspect(&layers.terms, handle, path)? {
                    Found { kind: Kind::Directory, handle, .. } => *place = Some(Arc::new(handle)),
                    _ => problem = Errno::NOTDIR,
                },
                Err(errno) => problem = errno,
            }
        }
        if found.upper.is_none() && found.lower.is_none() {
            return Err(self.failed(problem, path));
        }
        Ok(Open::Directory { layers: found })
    }
}

fn inode(entry: &Entry) -> Result<(u64, u64), Errno> {
    let stat = rustix::fs::statat(&entry.parent, entry.name(), AtFlags::SYMLINK_NOFOLLOW)?;
    Ok((stat.st_dev, stat.st_ino))
}

/// The last name as the guest wrote it: a trailing slash asks the kernel for a directory, and a link is none.
fn slashed(entry: &Entry, path: &str) -> PathBuf {
    let mut name = entry.name.clone();
    if path.ends_with('/') {
        name.push("/");
    }
    PathBuf::from(name)
}

//! What changes a tree: creating, replacing, renaming, removing. All of it in the writable layer alone.

use super::leftover;
use super::open::{self, Kind};
use super::preserve_metadata;
use super::read_set;
use super::resolve::{self, LastLink};
use super::resolved::{Entry, Resolved};
use super::table::{Files, Open, is_temporary};
use crate::denial::DenialReason;
use crate::grant::{HardLinks, Layers, Side, Terms};
use crate::hidden::Rule;
use crate::sensitive::{Act, Places};
use rustix::fd::OwnedFd;
use rustix::fs::{AtFlags, FileType, Mode, OFlags, RenameFlags};
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

// Between "there is nothing" and "create exclusively" another process can create it; that is looked at again a few times.
const TRIES: usize = 4;

impl Files {
    pub(super) fn open_for_writing(&mut self, layers: &Layers, path: &str, how: Writing) -> FsResult<Open> {
        if layers.upper.is_none() {
            return Err(self.denied(path, DenialReason::ReadOnly));
        }
        for _ in 0..TRIES {
            match self.find_upper(layers, path, how.last)? {
                Ok(there) if how.create && how.exclusive => {
                    if self.cleared(layers, path, &there)? {
                        continue;
                    }
                    return Err(ErrorCode::Exist.into());
                }
                Ok(handle) => {
                    let found = self.inspect(&layers.terms, handle, path)?;
                    return self.existing(&layers.terms, &found, path, how);
                }
                Err(Errno::NOENT) => {}
                Err(errno) => return Err(self.failed(errno, path)),
            }
            // Nothing in the writable layer. If the read-only one has it, it is not to be changed.
            if in_lower(layers, path) {
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
            self.charge_entry(&entry.name)?;
            match self.fresh(entry, how) {
                Err(Errno::EXIST) => {}
                Ok(open) => return Ok(open),
                Err(errno) => return Err(self.failed(errno, path)),
            }
        }
        // Other calls that write the same file make and rename such a name all the time.
        if how.create && how.exclusive && Path::new(path).file_name().is_some_and(is_temporary) {
            return Err(ErrorCode::Exist.into());
        }
        // Still there and still not resolvable: a link that dangles. Creating through it is how CVE-2025-53109 wrote.
        Err(self.denied(path, DenialReason::Link))
    }

    fn existing(&mut self, terms: &Terms, found: &Resolved, path: &str, how: Writing) -> FsResult<Open> {
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
        // The bits were given to another content. The kernel takes them away at a write, but not from root's; where it
        // is not ours to do, the kernel does.
        if found.stat.st_mode & 0o6000 != 0 {
            let _ = rustix::fs::fchmod(&handle, Mode::from_raw_mode(found.stat.st_mode & 0o777));
        }
        if how.truncate {
            rustix::fs::ftruncate(&handle, 0).map_err(|errno| self.failed(errno, path))?;
        }
        let size = u64::try_from(found.stat.st_size).unwrap_or(0);
        Ok(Open::File { handle, readable: how.readable, writable: true, size, seen: None })
    }

    fn fresh(&mut self, entry: Entry, how: Writing) -> Result<Open, Errno> {
        let access = if how.readable { OFlags::RDWR } else { OFlags::WRONLY };
        let flags = access | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NOCTTY;
        // What is being written may take the place of a file that only its owner may read.
        let mode = if is_temporary(&entry.name) { 0o600 } else { 0o666 };
        if is_temporary(&entry.name) {
            leftover::clear(&entry.parent);
        }
        let handle = rustix::fs::openat(&entry.parent, entry.name(), flags, Mode::from_raw_mode(mode))?;
        let stat = rustix::fs::fstat(&handle)?;
        let lock = if is_temporary(&entry.name) {
            if !read_set::claim(&handle) {
                return Err(Errno::EXIST);
            }
            Some(rustix::io::fcntl_dupfd_cloexec(&handle, 0)?)
        } else {
            None
        };
        self.created(entry.parent, entry.name, lock, (stat.st_dev, stat.st_ino));
        Ok(Open::File { handle, readable: how.readable, writable: true, size: 0, seen: None })
    }

    /// Removes a temporary file that a process left when it was killed, so that its name can be used again.
    fn cleared(&mut self, layers: &Layers, path: &str, there: &OwnedFd) -> FsResult<bool> {
        // The name exists and is another kind of file; the guest learns no more.
        let (kind, stat) = open::kind(there).map_err(|errno| self.failed(errno, path))?;
        if kind != Kind::File || !Path::new(path).file_name().is_some_and(is_temporary) {
            return Ok(false);
        }
        let entry = self.entry(layers, path, Act::Change)?;
        let Ok(leftover) = open::reopen(there, OFlags::RDONLY) else { return Ok(false) };
        // The lock is held until this returns, so that no other process takes it while its name is removed.
        if !read_set::abandoned(&leftover) || inode(&entry) != Ok((stat.st_dev, stat.st_ino)) {
            return Ok(false);
        }
        Ok(rustix::fs::unlinkat(&entry.parent, entry.name(), AtFlags::empty()).is_ok())
    }

    pub(super) fn make_directory(&mut self, directory: &Resource<Descriptor>, path: &str) -> FsResult<()> {
        let layers = self.directory(directory)?;
        self.judge_words(&layers, Side::Upper, path)?;
        if layers.upper.is_some() && in_lower(&layers, path) {
            return Err(ErrorCode::Exist.into());
        }
        let entry = self.entry(&layers, path, Act::MakeDirectory)?;
        self.charge_entry(&entry.name)?;
        rustix::fs::mkdirat(&entry.parent, entry.name(), Mode::from_raw_mode(0o777))
            .map_err(|errno| self.failed(errno, path))
    }

    pub(super) fn remove(&mut self, directory: &Resource<Descriptor>, path: &str, flags: AtFlags) -> FsResult<()> {
        let layers = self.directory(directory)?;
        // A directory that is removed is empty, so what may be made may be taken back.
        let act = if flags.contains(AtFlags::REMOVEDIR) { Act::MakeDirectory } else { Act::Change };
        let entry = self.entry(&layers, path, act)?;
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
        // Under such a name a file would be swept up, or stay behind where only a replacement in progress is allowed.
        if is_temporary(&new_entry.name) {
            return Err(ErrorCode::Invalid.into());
        }
        let moving = inode(&old_entry).map_err(|errno| self.failed(errno, old))?;
        let own = self.created.iter().position(|created| created.inode == moving);
        if staged && own.is_none() {
            return Err(self.denied(old, DenialReason::ReadOnly));
        }
        // A new file renamed to a name that only the read-only layer has would stand in front of that file.
        let replaced = inode(&new_entry);
        if replaced == Err(Errno::NOENT) && in_lower(&target, new) {
            return Err(self.denied(new, DenialReason::ReadOnly));
        }
        self.stays(&source.terms, &target.terms, &old_entry, (&new_entry, old))?;
        // A file is never renamed by a name with a slash; the kernel says so below, and until then nothing may change.
        let slash = old.ends_with('/') || new.ends_with('/');
        // Between looking and renaming no other call may change it, or two edits of the same file would end as one.
        let _alone = read_set::alone_in(&new_entry.parent).map_err(|errno| self.failed(errno, new))?;
        if own.is_some() && !self.still_as_read(&target, new, &new_entry.parent, new_entry.name()) {
            return Err(ErrorCode::Busy.into());
        }
        self.keep_mode(own.is_some() && !slash, &old_entry, (&new_entry, new))?;
        let (from, to) = (slashed(&old_entry, old), slashed(&new_entry, new));
        let renamed = match own {
            Some(_) => rustix::fs::renameat(&old_entry.parent, from, &new_entry.parent, to),
            None => rename_to_nothing((&old_entry.parent, &from), (&new_entry.parent, &to), replaced),
        };
        renamed.map_err(|errno| self.failed(errno, old))?;
        match own {
            Some(own) => {
                self.created.swap_remove(own);
            }
            // What a call made and remembers is a file. This may be a directory.
            None => self.rearranged = true,
        }
        // The number of what is gone soon belongs to something else, which is not the guest's own.
        self.created.retain(|created| Ok(created.inode) != replaced);
        Ok(())
    }

    /// A directory takes along what is in it, and its content is not checked when it moves. What is hidden or sensitive in it by
    /// its name stays so. It does not move where that is not enough: a place that one grant shows or allows would come to
    /// lie in another one that does not, or the other way round; a rule of several components is about where the
    /// directory lies; and where a place is shown or allowed, what is in the directory would be shown with it.
    fn stays(
        &mut self,
        source: &Arc<Terms>,
        target: &Arc<Terms>,
        moving: &Entry,
        (to, path): (&Entry, &str),
    ) -> FsResult<()> {
        let stat = rustix::fs::statat(&moving.parent, moving.name(), AtFlags::SYMLINK_NOFOLLOW)
            .map_err(|errno| self.failed(errno, path))?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::Directory {
            return Ok(());
        }
        if !Arc::ptr_eq(source, target) && (!source.allowed.is_empty() || source.hidden != target.hidden) {
            return Err(self.denied(path, DenialReason::Sensitive));
        }
        let allowed = (&source.allowed, &target.allowed);
        if source.hidden.leads_to_hidden(&moving.place) || target.hidden.shows_more(&moving.place, &to.place, allowed) {
            return Err(self.hidden(path, &Rule::Leads));
        }
        match Places::permit_moving(&moving.place).and_then(|()| Places::permit_moving(&to.place)) {
            Ok(()) => Ok(()),
            Err(refused) => Err(self.sensitive(path, &refused)),
        }
    }

    /// An atomic replacement is a new file renamed over an old one, and keeps what the old one was beside its content.
    fn keep_mode(&mut self, own: bool, from: &Entry, (to, path): (&Entry, &str)) -> FsResult<()> {
        let old = match resolve::beneath(&to.parent, to.name(), LastLink::Keep) {
            Ok(old) => Some((open::kind(&old).map_err(|errno| self.failed(errno, path))?, old)),
            Err(_) => None,
        };
        if let Some(((Kind::Special, _), _)) = old {
            return Err(self.denied(path, DenialReason::Special));
        }
        // That rename fails, too, and must not have changed anything.
        let own = own && !matches!(old, Some(((Kind::Directory, _), _)));
        let old = old.filter(|((kind, _), _)| *kind == Kind::File);
        if !own || (old.is_none() && !is_temporary(&from.name)) {
            return Ok(());
        }
        let new =
            resolve::beneath(&from.parent, from.name(), LastLink::Keep).map_err(|errno| self.failed(errno, path))?;
        if open::kind(&new).map_err(|errno| self.failed(errno, path))?.0 != Kind::File {
            return Err(self.denied(path, DenialReason::Link));
        }
        let new = open::reopen(&new, OFlags::RDONLY).map_err(|errno| self.failed(errno, path))?;
        let kept = match old {
            Some(((_, stat), old)) => preserve_metadata::copy(&old, &stat, &new),
            None => preserve_metadata::as_new(&to.parent, &new),
        };
        kept.map_err(|errno| self.failed(errno, path))
    }

    /// Opens a directory for further use, in every layer that has it.
    pub(super) fn open_directory(&mut self, layers: &Layers, path: &str, last: LastLink) -> FsResult<Open> {
        Ok(Open::Directory { layers: self.find_directory(layers, path, last)? })
    }
}

/// A file that was there before the call may not replace another: only a file that the call made itself, with a new content, may
/// replace. So a move never loses what lay at its end.
fn rename_to_nothing(
    (from, old): (&OwnedFd, &Path),
    (to, new): (&OwnedFd, &Path),
    there: Result<(u64, u64), Errno>,
) -> Result<(), Errno> {
    match rustix::fs::renameat_with(from, old, to, new, RenameFlags::NOREPLACE) {
        // A filesystem that cannot promise it: what was there was looked for while no other call could rename.
        Err(Errno::INVAL | Errno::NOSYS) if there == Err(Errno::NOENT) => rustix::fs::renameat(from, old, to, new),
        Err(Errno::INVAL | Errno::NOSYS) if there.is_ok() => Err(Errno::EXIST),
        renamed => renamed,
    }
}

/// Whether the read-only layer has something at `path`, be it a link that leads nowhere. A name that cannot be looked at,
/// such as one below a link that leads out, counts as taken.
fn in_lower(layers: &Layers, path: &str) -> bool {
    let Some(lower) = &layers.lower else { return false };
    let taken = resolve::parent(lower, Path::new(path))
        .and_then(|(parent, name)| rustix::fs::statat(&parent, Path::new(&name), AtFlags::SYMLINK_NOFOLLOW));
    !matches!(taken, Err(Errno::NOENT | Errno::NOTDIR))
}

fn inode(entry: &Entry) -> Result<(u64, u64), Errno> {
    let stat = rustix::fs::statat(&entry.parent, entry.name(), AtFlags::SYMLINK_NOFOLLOW)?;
    Ok((stat.st_dev, stat.st_ino))
}

/// The last name as the guest wrote it: a trailing slash asks the kernel for a directory, which a link is not.
fn slashed(entry: &Entry, path: &str) -> PathBuf {
    let mut name = entry.name.clone();
    if path.ends_with('/') {
        name.push("/");
    }
    PathBuf::from(name)
}

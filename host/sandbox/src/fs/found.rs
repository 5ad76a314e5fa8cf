//! What a path names: resolved beneath a layer, its type known, and nothing of the kernel's own.

use super::open::{self, Kind};
use super::resolve::{self, LastLink};
use super::table::{Files, is_temporary};
use crate::denial::DenialReason;
use crate::grant::{Layers, Terms};
use crate::reserved;
use crate::sensitive::Act;
use rustix::fd::{AsRawFd, OwnedFd};
use rustix::fs::Stat;
use rustix::io::Errno;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use wasmtime_wasi::p2::FsResult;

/// An `O_PATH` handle on something beneath a grant.
pub(super) struct Found {
    pub(super) handle: OwnedFd,
    pub(super) kind: Kind,
    pub(super) stat: Stat,
}

/// An open directory and a name in it, which may or may not stand for something.
pub(super) struct Entry {
    pub(super) parent: OwnedFd,
    pub(super) name: OsString,
}

impl Entry {
    pub(super) fn name(&self) -> &Path {
        Path::new(&self.name)
    }
}

// The root and the place are asked for one after the other; a rename in between makes them disagree.
const TRIES: usize = 4;

impl Files {
    /// What a path names, in the first layer that has it.
    pub(super) fn find(&mut self, layers: &Layers, path: &str, last: LastLink) -> FsResult<Found> {
        for layer in [&layers.upper, &layers.lower].into_iter().flatten() {
            match resolve::beneath(layer, Path::new(path), last) {
                Err(Errno::NOENT) => {}
                Ok(handle) => return self.inspect(&layers.terms, handle, path),
                Err(errno) => return Err(self.failed(errno, path)),
            }
        }
        Err(self.failed(Errno::NOENT, path))
    }

    /// The type and metadata of a handle, refused when a filesystem of the kernel's was mounted there.
    pub(super) fn inspect(&mut self, terms: &Terms, handle: OwnedFd, path: &str) -> FsResult<Found> {
        let (kind, stat) = open::kind(&handle).map_err(|errno| self.failed(errno, path))?;
        if !terms.devices.contains(&stat.st_dev) && reserved::is_kernels(&handle) {
            return Err(self.denied(path, DenialReason::Kernel));
        }
        Ok(Found { handle, kind, stat })
    }

    /// The parent and the last name of a path in the writable layer, where something is about to be changed.
    pub(super) fn entry(&mut self, layers: &Layers, path: &str, act: Act) -> FsResult<Entry> {
        let Some(upper) = layers.upper.clone() else { return Err(self.denied(path, DenialReason::ReadOnly)) };
        let (parent, name) = resolve::parent(upper, Path::new(path)).map_err(|errno| self.failed(errno, path))?;
        let Found { handle: parent, .. } = self.inspect(&layers.terms, parent, path)?;
        self.guard(&layers.terms, &parent, Some(&name), act, path)?;
        Ok(Entry { parent, name })
    }

    /// Refuses a change in a sensitive place. `handle` is a directory with the `name` in it that is about to change,
    /// or without a name what is itself about to change.
    pub(super) fn guard(
        &mut self,
        terms: &Terms,
        handle: &OwnedFd,
        name: Option<&OsStr>,
        act: Act,
        path: &str,
    ) -> FsResult<()> {
        let permitted = terms.root.as_ref().is_some_and(|root| {
            place(root, handle).is_some_and(|mut place| {
                place.extend(name);
                terms.allowed.permit(&place, act, is_temporary)
            })
        });
        if permitted { Ok(()) } else { Err(self.denied(path, DenialReason::Sensitive)) }
    }
}

/// Where `handle` lies relative to `root`, by the kernel's own account of both at this moment. `None` where they do not
/// lie one in the other (one was moved or removed), which permits nothing.
fn place(root: &OwnedFd, handle: &OwnedFd) -> Option<PathBuf> {
    for _ in 0..TRIES {
        let (root, here) = (name_of(root)?, name_of(handle)?);
        if let Ok(relative) = here.strip_prefix(&root) {
            return Some(relative.to_owned());
        }
    }
    None
}

/// The path of a handle on the host now, for people to read and for nothing else.
pub(crate) fn path_of(handle: &OwnedFd) -> Option<String> {
    name_of(handle).map(|path| path.to_string_lossy().into_owned())
}

/// [`path_of`] as a path.
pub(crate) fn place_of(handle: &OwnedFd) -> Option<PathBuf> {
    name_of(handle)
}

/// A directory beneath another, links followed as far as they stay beneath it.
pub(crate) fn directory_beneath(directory: &OwnedFd, path: &Path) -> Result<OwnedFd, Errno> {
    let handle = resolve::beneath(directory, path, LastLink::Follow)?;
    match open::kind(&handle)? {
        (Kind::Directory, _) if reserved::is_kernels(&handle) => Err(Errno::XDEV),
        (Kind::Directory, _) => Ok(handle),
        _ => Err(Errno::NOTDIR),
    }
}

fn name_of(handle: &OwnedFd) -> Option<PathBuf> {
    let link = open::descriptor_name(handle.as_raw_fd());
    let link = std::ffi::CStr::from_bytes_until_nul(&link).ok()?;
    let name = rustix::fs::readlinkat(open::own_handles().ok()?, link, Vec::with_capacity(256)).ok()?;
    Some(PathBuf::from(OsString::from_vec(name.into_bytes())))
}

//! What a path names: resolved beneath a layer, its type known, and nothing of the kernel's own.

use super::open::{self, Kind};
use super::resolve::{self, LastLink};
use super::table::{Files, is_temporary};
use crate::denial::DenialReason;
use crate::grant::{Layers, Side, Terms};
use crate::hidden::Rule;
use crate::reserved;
use crate::sensitive::Act;
use rustix::fd::{AsRawFd, OwnedFd};
use rustix::fs::Stat;
use rustix::io::Errno;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use wasmtime_wasi::p2::FsResult;

/// An `O_PATH` handle on something beneath a grant.
pub(super) struct Resolved {
    pub(super) handle: OwnedFd,
    pub(super) kind: Kind,
    pub(super) stat: Stat,
}

/// An open directory and a name in it, which may or may not stand for something.
pub(super) struct Entry {
    pub(super) parent: OwnedFd,
    pub(super) name: OsString,
    /// Where that is, beneath the root of the writable layer.
    pub(super) place: PathBuf,
}

impl Entry {
    pub(super) fn name(&self) -> &Path {
        Path::new(&self.name)
    }
}

// The root and the place are asked for one after the other; a rename in between makes them disagree.
const TRIES: usize = 4;

/// Something beneath one layer, and where it lies.
struct Reached {
    handle: OwnedFd,
    place: Place,
}

/// Where something lies.
enum Place {
    /// Where the path says, since there is no link on the way.
    AsNamed,
    /// Here, beneath the root of its layer, as the kernel says.
    Here(PathBuf),
}

impl Files {
    /// What a path names, in the first layer that has it.
    pub(super) fn find(&mut self, layers: &Layers, path: &str, last: LastLink) -> FsResult<Resolved> {
        for side in Side::BOTH {
            match self.reach(layers, side, path, last)? {
                None | Some(Err(Errno::NOENT)) => {}
                Some(Ok(Reached { handle, .. })) => return self.inspect(&layers.terms, handle, path),
                Some(Err(errno)) => return Err(self.failed(errno, path)),
            }
        }
        Err(self.failed(Errno::NOENT, path))
    }

    /// What a path names in the upper layer alone, where it may be changed.
    pub(super) fn find_upper(
        &mut self,
        layers: &Layers,
        path: &str,
        last: LastLink,
    ) -> FsResult<Result<OwnedFd, Errno>> {
        let reached = self.reach(layers, Side::Upper, path, last)?;
        Ok(reached.unwrap_or(Err(Errno::NOENT)).map(|reached| reached.handle))
    }

    /// The directory that a path names, in every layer that has it.
    pub(super) fn find_directory(&mut self, layers: &Layers, path: &str, last: LastLink) -> FsResult<Layers> {
        let mut found = Layers { upper: None, lower: None, at: layers.at.clone(), terms: layers.terms.clone() };
        let mut problem = Errno::NOENT;
        for side in Side::BOTH {
            let Reached { handle, place } = match self.reach(layers, side, path, last)? {
                None => continue,
                Some(Ok(reached)) => reached,
                Some(Err(errno)) => {
                    problem = errno;
                    continue;
                }
            };
            let Resolved { kind: Kind::Directory, handle, .. } = self.inspect(&layers.terms, handle, path)? else {
                problem = Errno::NOTDIR;
                continue;
            };
            match side {
                Side::Upper => found.upper = Some(Arc::new(handle)),
                Side::Lower => found.lower = Some(Arc::new(handle)),
            }
            let here = match place {
                Place::AsNamed => below(layers.at.of(side), path),
                Place::Here(place) => Some(place),
            };
            if let Some(here) = here {
                let Some(here) = layers.terms.hidden.remembered(here, &layers.terms.allowed) else {
                    return Err(self.failed(Errno::NAMETOOLONG, path));
                };
                *Arc::make_mut(&mut found.at).of_mut(side) = here;
            }
        }
        if found.upper.is_none() && found.lower.is_none() { Err(self.failed(problem, path)) } else { Ok(found) }
    }

    /// Resolves a path in one layer, and refuses what the grant hides. `None` where there is no such layer.
    ///
    /// A path without links and steps up is judged by its words, and opened only if that is where it leads. Every other
    /// one is opened, and judged by where the kernel says that the handle lies.
    fn reach(
        &mut self,
        layers: &Layers,
        side: Side,
        path: &str,
        last: LastLink,
    ) -> FsResult<Option<Result<Reached, Errno>>> {
        let Some(layer) = layers.of(side) else { return Ok(None) };
        if self.judge_words(layers, side, path)? {
            match resolve::without_links(layer, Path::new(path), last) {
                Err(Errno::LOOP) => {}
                done => return Ok(Some(done.map(|handle| Reached { handle, place: Place::AsNamed }))),
            }
        }
        let handle = match resolve::beneath(layer, Path::new(path), last) {
            Ok(handle) => handle,
            Err(errno) => return Ok(Some(Err(errno))),
        };
        let within = layers.terms.roots.of(side).as_ref().and_then(|root| place(root, &handle));
        // A directory that was moved out of its grant is used on by its handle, as what it was found as.
        let place = within.or_else(|| Some(layers.at.of(side).join(place(layer, &handle)?)));
        let Some(place) = place else { return Err(self.hidden(path, &Rule::Unknown)) };
        self.judge_hidden(&layers.terms, Path::new(""), &place, path)?;
        Ok(Some(Ok(Reached { handle, place: Place::Here(place) })))
    }

    /// Refuses a path whose words alone say that it is hidden, so that a refusal does not tell whether it is there. Returns
    /// whether the words say where it leads as long as there are no links.
    pub(super) fn judge_words(&mut self, layers: &Layers, side: Side, path: &str) -> FsResult<bool> {
        // A directory that this call moved takes along those that it has open.
        // What is longer than the system takes is for the system to refuse.
        if self.rearranged || path.len() >= resolve::LONGEST || path.starts_with('/') || path.contains("..") {
            return Ok(false);
        }
        self.judge_hidden(&layers.terms, layers.at.of(side), Path::new(path), path)?;
        Ok(true)
    }

    fn judge_hidden(&mut self, terms: &Terms, directory: &Path, place: &Path, path: &str) -> FsResult<()> {
        match terms.hidden.rule(directory, place, &terms.allowed, is_temporary) {
            Some(rule) => Err(self.hidden(path, &rule)),
            None => Ok(()),
        }
    }

    /// The type and metadata of a handle, refused when a filesystem of the kernel's was mounted there.
    pub(super) fn inspect(&mut self, terms: &Terms, handle: OwnedFd, path: &str) -> FsResult<Resolved> {
        let (kind, stat) = open::kind(&handle).map_err(|errno| self.failed(errno, path))?;
        if !terms.devices.contains(&stat.st_dev) && reserved::is_kernels(&handle) {
            return Err(self.denied(path, DenialReason::Kernel));
        }
        Ok(Resolved { handle, kind, stat })
    }

    /// The parent and the last name of a path in the writable layer, where something is about to be changed.
    pub(super) fn entry(&mut self, layers: &Layers, path: &str, act: Act) -> FsResult<Entry> {
        let Some(upper) = layers.upper.clone() else { return Err(self.denied(path, DenialReason::ReadOnly)) };
        self.judge_words(layers, Side::Upper, path)?;
        let (parent, name) = resolve::parent(upper, Path::new(path)).map_err(|errno| self.failed(errno, path))?;
        let Resolved { handle: parent, .. } = self.inspect(&layers.terms, parent, path)?;
        let place = self.guard(&layers.terms, &parent, Some(&name), act, path)?;
        Ok(Entry { parent, name, place })
    }

    /// Refuses a change in a hidden or a sensitive place. `handle` is a directory with the `name` in it that is about to
    /// change, or without a name what is itself about to change. Returns where it is.
    pub(super) fn guard(
        &mut self,
        terms: &Terms,
        handle: &OwnedFd,
        name: Option<&OsStr>,
        act: Act,
        path: &str,
    ) -> FsResult<PathBuf> {
        let place = terms.roots.upper.as_ref().and_then(|root| place(root, handle));
        let Some(mut place) = place else { return Err(self.denied(path, DenialReason::Sensitive)) };
        place.extend(name);
        self.judge_hidden(terms, Path::new(""), &place, path)?;
        match terms.allowed.permit(&place, act, is_temporary) {
            Ok(()) => Ok(place),
            Err(refused) => Err(self.sensitive(path, &refused)),
        }
    }
}

/// The place of something beneath the root of its layer, if the grant does not hide it.
pub(crate) fn unhidden_place(terms: &Terms, side: Side, handle: &OwnedFd) -> Option<PathBuf> {
    let place = place(terms.roots.of(side).as_ref()?, handle)?;
    match terms.hidden.rule(Path::new(""), &place, &terms.allowed, is_temporary) {
        Some(_) => None,
        None => Some(place),
    }
}

/// Where `path`, which has no links and no steps up, leads from `directory`; `None` where that is the same.
fn below(directory: &Path, path: &str) -> Option<PathBuf> {
    let mut names = Path::new(path).components().filter(|component| *component != Component::CurDir).peekable();
    names.peek()?;
    let mut place = directory.to_owned();
    place.extend(names);
    Some(place)
}

/// Where `handle` lies relative to `root`, by the kernel's own account of both at this moment. `None` where they do not
/// lie one in the other (one was moved or removed), which permits nothing.
fn place(root: &OwnedFd, handle: &OwnedFd) -> Option<PathBuf> {
    for _ in 0..TRIES {
        let (root, here) = (name_of(root)?, name_of(handle)?);
        if let Ok(relative) = here.strip_prefix(&root) {
            return Some(alive(relative.to_owned()));
        }
    }
    None
}

/// A place as it was called before what lies there was removed, which the kernel says behind its name. A file that was
/// replaced in between is as hidden as the one that replaced it.
fn alive(place: PathBuf) -> PathBuf {
    match place.as_os_str().as_bytes().strip_suffix(b" (deleted)") {
        Some(before) => PathBuf::from(OsStr::from_bytes(before)),
        None => place,
    }
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

//! Grants: a name, open directory handles and an access.
//!
//! Only [`Grant::open`] takes a path, for the code that turns a person's words into a grant. From there on authority is
//! the open handle: renaming or replacing the directory on disk does not move it.

use crate::fs;
use crate::hidden::Hidden;
use crate::pattern::PatternError;
use crate::reserved::{Refusal, Reserved, lies_in};
use crate::sensitive::Places;
use bailiwick_audit::{GrantAccess, GrantEntry};
use rustix::fd::OwnedFd;
use rustix::fs::{CWD, Mode, OFlags};
use rustix::io::Errno;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use thiserror::Error;

/// What may be done beneath a grant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Reading and listing.
    ReadOnly,
    /// Reading, listing, creating, replacing and removing.
    ReadWrite,
}

/// Whether a file that has other names may be written in place. Another name of the same inode may lie outside the
/// grant, where no check of a path can see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HardLinks {
    /// A file with more than one name is read, and replaced as a whole, but never written in place.
    Refused,
    /// It is written like any other.
    Allowed,
}

/// What holds for everything beneath a grant.
#[derive(Debug, Clone)]
pub(crate) struct Terms {
    /// The roots of the layers, against which sensitive and hidden places are judged.
    pub(crate) roots: Sides<Option<Arc<OwnedFd>>>,
    /// Sensitive places that may be written all the same.
    pub(crate) allowed: Places,
    pub(crate) hidden: Hidden,
    pub(crate) hard_links: HardLinks,
    /// The devices that the layers' roots lie on. What lies on another one was mounted, and is looked at more closely.
    pub(crate) devices: [u64; 2],
}

/// One of something for each layer.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sides<T> {
    pub(crate) upper: T,
    pub(crate) lower: T,
}

/// One of the layers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Upper,
    Lower,
}

impl Side {
    /// In the order in which a path is looked for.
    pub(crate) const BOTH: [Self; 2] = [Self::Upper, Self::Lower];
}

impl<T> Sides<T> {
    pub(crate) fn of(&self, side: Side) -> &T {
        match side {
            Side::Upper => &self.upper,
            Side::Lower => &self.lower,
        }
    }

    pub(crate) fn of_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::Upper => &mut self.upper,
            Side::Lower => &mut self.lower,
        }
    }
}

/// A directory in layers. Reads take the first layer that has the path; writes go to the upper one alone.
#[derive(Debug, Clone)]
pub(crate) struct Layers {
    /// The writable layer. `None` in a read-only grant.
    pub(crate) upper: Option<Arc<OwnedFd>>,
    /// The read-only layer. `None` in a plain writable grant.
    pub(crate) lower: Option<Arc<OwnedFd>>,
    /// Where the directory was found beneath the root of each layer, without links.
    pub(crate) at: Arc<Sides<PathBuf>>,
    pub(crate) terms: Arc<Terms>,
}

impl Layers {
    pub(crate) fn of(&self, side: Side) -> Option<&Arc<OwnedFd>> {
        match side {
            Side::Upper => self.upper.as_ref(),
            Side::Lower => self.lower.as_ref(),
        }
    }
}

/// One directory a tool may use, as `/<name>` inside it.
#[derive(Debug, Clone)]
pub struct Grant {
    name: String,
    called: Vec<String>,
    layers: Layers,
}

/// Why a grant could not be made.
#[derive(Debug, Error)]
pub enum GrantError {
    /// The name cannot stand as one path component.
    #[error("`{}` cannot name a grant: use letters, digits, `-`, `_` and `.`", .0.escape_debug())]
    Name(String),
    /// Two grants of one call share a name.
    #[error("two grants are called `{0}`")]
    Duplicate(String),
    /// One is read-only and lies in another, by which it could be written to all the same.
    #[error("the grant `{inner}` is read-only and lies in `{outer}`, by which it could be written to")]
    Within {
        /// The read-only one.
        inner: String,
        /// The writable one.
        outer: String,
    },
    /// The directory is, lies in or contains one that the host keeps to itself.
    #[error("`{}` is where this program keeps its own records and is never granted", .0.display())]
    Reserved(PathBuf),
    /// The directory is, or contains, a tree that the kernel makes.
    #[error("`{}` is the kernel's own and is never granted, nor is a directory that contains it", .0.display())]
    Kernel(PathBuf),
    /// What was to be allowed needs no allowing.
    #[error("`{}` is not a sensitive place: a writable grant is enough to write there", .0.escape_debug())]
    NotSensitive(String),
    /// The pattern of what is to be hidden or shown is not valid.
    #[error("`{}` cannot be a pattern of a grant: {reason}", pattern.escape_debug())]
    Pattern {
        /// As it was given.
        pattern: String,
        /// Why.
        reason: PatternError,
    },
    /// The directory cannot be opened.
    #[error("cannot open `{}` as a directory: {reason}", path.display())]
    Open {
        /// The path as given.
        path: PathBuf,
        /// The system's reason.
        reason: String,
    },
}

impl Grant {
    /// Opens `path` once and grants it under `name`.
    ///
    /// # Errors
    /// The name is not one plain component, `path` is not a directory that can be opened, or it is not to be granted:
    /// see [`Reserved`].
    pub fn open(name: &str, path: &Path, access: Access, reserved: &Reserved) -> Result<Self, GrantError> {
        let directory = open_directory(path)?;
        Self::from_handle(name, directory, access, reserved)
    }

    /// Grants an already open directory.
    ///
    /// # Errors
    /// The name is not one plain component, or the directory is not to be granted.
    pub fn from_handle(
        name: &str,
        directory: OwnedFd,
        access: Access,
        reserved: &Reserved,
    ) -> Result<Self, GrantError> {
        match access {
            Access::ReadOnly => Self::layered(name, None, Some(directory), reserved),
            Access::ReadWrite => Self::layered(name, Some(directory), None, reserved),
        }
    }

    /// Grants `lower` for reading with `stage` over it: what the stage holds is read from there and may be
    /// written there; everything else is read from `lower` and cannot be changed. The stage is the host's own, so
    /// only `lower` is held against `reserved`.
    ///
    /// # Errors
    /// The name is not one plain component, or `lower` is not to be granted.
    pub fn staged(name: &str, lower: OwnedFd, stage: OwnedFd, reserved: &Reserved) -> Result<Self, GrantError> {
        Self::layered(name, Some(stage), Some(lower), reserved)
    }

    fn layered(
        name: &str,
        upper: Option<OwnedFd>,
        lower: Option<OwnedFd>,
        reserved: &Reserved,
    ) -> Result<Self, GrantError> {
        let name = checked(name)?;
        if let Some(from_outside) = lower.as_ref().or(upper.as_ref()) {
            reserved.check(from_outside).map_err(|refusal| match refusal {
                Refusal::Own(directory) => GrantError::Reserved(directory),
                Refusal::Kernel(tree) => GrantError::Kernel(tree),
            })?;
        }
        let device = |layer: &Option<OwnedFd>| match layer {
            Some(handle) => rustix::fs::fstat(handle).map(|stat| Some(stat.st_dev)).map_err(|errno| unusable(&errno)),
            None => Ok(None),
        };
        let (upper_device, lower_device) = (device(&upper)?, device(&lower)?);
        let any = upper_device.or(lower_device).unwrap_or(0);
        let devices = [upper_device.unwrap_or(any), lower_device.unwrap_or(any)];
        let (upper, lower) = (upper.map(Arc::new), lower.map(Arc::new));
        let terms = Arc::new(Terms {
            roots: Sides { upper: upper.clone(), lower: lower.clone() },
            allowed: Places::none(),
            hidden: Hidden::by_default(),
            hard_links: HardLinks::Refused,
            devices,
        });
        Ok(Self { name, called: Vec::new(), layers: Layers { upper, lower, at: Arc::default(), terms } })
    }

    /// Lets callers name the directory by an absolute path of theirs, too. The guest learns it, and nothing is ever opened
    /// by it: a path that begins with it means what follows, beneath the handle. Where no such path leads to the handle
    /// any more, a call that uses the directory fails: see [`HostFailure::Moved`](crate::HostFailure::Moved).
    #[must_use]
    pub fn called(mut self, path: &str) -> Self {
        let path = path.trim_end_matches('/');
        if !self.called.iter().any(|known| known == path) {
            self.called.push(path.to_owned());
        }
        self
    }

    /// The absolute paths by which callers name the directory, without a slash at the end.
    #[must_use]
    pub fn names_of_callers(&self) -> &[String] {
        &self.called
    }

    /// Those of [`names_of_callers`](Self::names_of_callers) that lead to another directory than the one that was opened, or
    /// to none: it was moved, removed or replaced. An answer that speaks of such a path would not be true. A path that
    /// cannot be looked at for another reason counts as before.
    pub(crate) fn led_astray(&self) -> Vec<&str> {
        if self.called.is_empty() {
            return Vec::new();
        }
        let Layers { upper, lower, .. } = &self.layers;
        let Some(Ok(own)) = lower.as_ref().or(upper.as_ref()).map(rustix::fs::fstat) else { return Vec::new() };
        // A slash at the end asks for a directory, and makes `/` of the root.
        let astray = |path: &&str| match rustix::fs::stat(format!("{path}/")) {
            Ok(there) => (there.st_dev, there.st_ino) != (own.st_dev, own.st_ino),
            Err(errno) => matches!(errno, Errno::NOENT | Errno::NOTDIR | Errno::LOOP),
        };
        self.called.iter().map(String::as_str).filter(astray).collect()
    }

    /// Where the directory lies on this machine now, for people to read and to be [`called`](Self::called) by.
    #[must_use]
    pub fn place(&self) -> Option<PathBuf> {
        let Layers { upper, lower, .. } = &self.layers;
        lower.as_ref().or(upper.as_ref()).and_then(|handle| fs::place_of(handle))
    }

    /// Another handle on the directory, for what the host itself looks for in it.
    #[must_use]
    pub fn handle(&self) -> Option<OwnedFd> {
        let Layers { upper, lower, .. } = &self.layers;
        lower.as_ref().or(upper.as_ref())?.try_clone().ok()
    }

    /// Device and inode of the directory.
    #[must_use]
    pub fn identity(&self) -> Option<(u64, u64)> {
        let Layers { upper, lower, .. } = &self.layers;
        let handle = lower.as_ref().or(upper.as_ref())?;
        rustix::fs::fstat(handle).ok().map(|stat| (stat.st_dev, stat.st_ino))
    }

    /// The same grant for one directory in it alone, resolved beneath the handle and named by the path to it. Everything
    /// else stays as it is: what is sensitive or hidden is judged from the whole grant, and callers call it nothing yet.
    ///
    /// # Errors
    /// There is no such directory beneath the handle, or the grant hides it.
    pub fn narrowed(&self, relative: &str) -> Result<Self, GrantError> {
        let open = |layer: &Option<Arc<OwnedFd>>| match layer {
            Some(layer) => fs::directory_beneath(layer, Path::new(relative)).map(|handle| Some(Arc::new(handle))),
            None => Ok(None),
        };
        let refused = |reason: Errno| GrantError::Open { path: relative.into(), reason: reason.to_string() };
        let (upper, lower) = match (open(&self.layers.upper), open(&self.layers.lower)) {
            (Ok(upper), Ok(lower)) => (upper, lower),
            // In layers one may lack what the other has.
            (Ok(upper @ Some(_)), Err(_)) => (upper, None),
            (Err(_), Ok(lower @ Some(_))) => (None, lower),
            (Err(reason), _) | (_, Err(reason)) => return Err(refused(reason)),
        };
        let mut at = Sides::<PathBuf>::default();
        for (side, handle) in [(Side::Upper, &upper), (Side::Lower, &lower)] {
            let Some(handle) = handle else { continue };
            let hidden = || GrantError::Open { path: relative.into(), reason: "the grant hides it".into() };
            *at.of_mut(side) = fs::unhidden_place(&self.layers.terms, side, handle).ok_or_else(hidden)?;
        }
        let parts: Vec<&str> = relative.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
        let name = std::iter::once(self.name.as_str()).chain(parts).collect::<Vec<_>>().join("/");
        let terms = self.layers.terms.clone();
        Ok(Self { name, called: Vec::new(), layers: Layers { upper, lower, at: Arc::new(at), terms } })
    }

    /// Lets one sensitive place be written: a name such as `.git` wherever it stands, with all that is in it, or a
    /// path that begins with one, such as `.vscode/cspell.json`, and nothing beside it.
    ///
    /// # Errors
    /// The place is not sensitive, so that a person does not believe to have allowed what was never refused.
    pub fn allowing(mut self, place: &str) -> Result<Self, GrantError> {
        let terms = Arc::make_mut(&mut self.layers.terms);
        if terms.allowed.add(place) { Ok(self) } else { Err(GrantError::NotSensitive(place.to_owned())) }
    }

    /// Hides what `pattern` is about, beyond what is [hidden by default](crate::HIDDEN): it is neither read nor changed,
    /// and listings leave it out. A glob, in any letter case: a name at any depth, or with a `/` in it a path from the root
    /// of the grant, where `**` stands for any number of directories. Nothing [shown](Self::showing) takes it back.
    ///
    /// # Errors
    /// It is not a pattern, or there are too many.
    pub fn hiding(mut self, pattern: &str) -> Result<Self, GrantError> {
        let hidden = &mut Arc::make_mut(&mut self.layers.terms).hidden;
        hidden.hide(pattern).map_err(|reason| GrantError::Pattern { pattern: pattern.to_owned(), reason })?;
        Ok(self)
    }

    /// Shows what `pattern` is about although it is [hidden by default](crate::HIDDEN). What a sensitive place is
    /// [allowed](Self::allowing) for is shown without it.
    ///
    /// # Errors
    /// It is not a pattern, there are too many, or the name is not hidden: a person would believe to have shown what was never
    /// hidden.
    pub fn showing(mut self, pattern: &str) -> Result<Self, GrantError> {
        let hidden = &mut Arc::make_mut(&mut self.layers.terms).hidden;
        hidden.show(pattern).map_err(|reason| GrantError::Pattern { pattern: pattern.to_owned(), reason })?;
        Ok(self)
    }

    /// Says what holds for files with more than one name. Without it they are [`HardLinks::Refused`].
    #[must_use]
    pub fn with_hard_links(mut self, hard_links: HardLinks) -> Self {
        Arc::make_mut(&mut self.layers.terms).hard_links = hard_links;
        self
    }

    /// The name, and the first component of every path inside the tool.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether anything beneath it can be changed.
    #[must_use]
    pub fn access(&self) -> Access {
        if self.layers.upper.is_some() { Access::ReadWrite } else { Access::ReadOnly }
    }

    pub(crate) fn layers(&self) -> &Layers {
        &self.layers
    }

    /// Whether what this read-only grant shows can be changed by `outer`: it lies in what is written there.
    fn is_written_by(&self, outer: &Self) -> bool {
        match (&self.layers.lower, &outer.layers.upper) {
            (Some(inner), Some(outer)) => lies_in(inner, outer),
            _ => false,
        }
    }
}

/// The grants of one call. Cheap to clone: the handles are shared.
#[derive(Debug, Clone)]
pub struct Grants(Arc<Held>);

#[derive(Debug)]
struct Held {
    grants: Vec<Grant>,
    /// As the audit log has them, made at the first call.
    entries: OnceLock<Vec<GrantEntry>>,
}

impl Grants {
    /// Grants with different names, in the order the tool will see them.
    ///
    /// # Errors
    /// Two of them share a name.
    pub fn new(grants: Vec<Grant>) -> Result<Self, GrantError> {
        for (index, grant) in grants.iter().enumerate() {
            if grants[..index].iter().any(|other| other.name == grant.name) {
                return Err(GrantError::Duplicate(grant.name.clone()));
            }
        }
        Ok(Self(Arc::new(Held { grants, entries: OnceLock::new() })))
    }

    /// The same, if what is read-only by one of them is not written by another. A grant is a way in and not a lock; a person
    /// who grants both means that nothing changes there.
    ///
    /// # Errors
    /// One that is read-only lies in one that is writable, by whatever way either was opened.
    pub fn apart(self) -> Result<Self, GrantError> {
        for inner in self.iter().filter(|grant| grant.access() == Access::ReadOnly) {
            if let Some(outer) = self.iter().find(|outer| inner.is_written_by(outer)) {
                return Err(GrantError::Within { inner: inner.name.clone(), outer: outer.name.clone() });
            }
        }
        Ok(self)
    }

    /// No directory at all: what `describe` runs with.
    #[must_use]
    pub fn none() -> Self {
        Self(Arc::new(Held { grants: Vec::new(), entries: OnceLock::new() }))
    }

    /// Whether these are the very same grants, as clones are.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The same without the paths by which callers name them, for guests that are to learn no path of this machine.
    #[must_use]
    pub fn uncalled(&self) -> Self {
        let grants = self.iter().map(|grant| Grant { called: Vec::new(), ..grant.clone() }).collect();
        Self(Arc::new(Held { grants, entries: OnceLock::new() }))
    }

    /// Each grant.
    pub fn iter(&self) -> impl Iterator<Item = &Grant> {
        self.0.grants.iter()
    }

    /// The grants as the audit log has them.
    pub(crate) fn entries(&self) -> &[GrantEntry] {
        self.0.entries.get_or_init(|| self.0.grants.iter().map(entry).collect())
    }
}

fn entry(grant: &Grant) -> GrantEntry {
    let Layers { upper, lower, .. } = &grant.layers;
    let stat = lower.as_ref().or(upper.as_ref()).and_then(|handle| rustix::fs::fstat(handle).ok());
    GrantEntry {
        name: grant.name.clone(),
        access: match (upper, lower) {
            (None, _) => GrantAccess::ReadOnly,
            (Some(_), None) => GrantAccess::ReadWrite,
            (Some(_), Some(_)) => GrantAccess::Staged,
        },
        path: lower.as_ref().or(upper.as_ref()).and_then(|handle| fs::path_of(handle)),
        device: stat.map_or(0, |stat| stat.st_dev),
        inode: stat.map_or(0, |stat| stat.st_ino),
    }
}

fn unusable(errno: &Errno) -> GrantError {
    GrantError::Open { path: PathBuf::new(), reason: errno.to_string() }
}

fn checked(name: &str) -> Result<String, GrantError> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if name.is_empty() || name.len() > 64 || name.starts_with('.') || !name.chars().all(plain) {
        return Err(GrantError::Name(name.to_owned()));
    }
    Ok(name.to_owned())
}

fn open_directory(path: &Path) -> Result<OwnedFd, GrantError> {
    rustix::fs::openat(CWD, path, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())
        .map_err(|error| GrantError::Open { path: path.to_owned(), reason: error.to_string() })
}

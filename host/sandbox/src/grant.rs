//! Grants: a name, open directory handles and an access.
//!
//! Only [`Grant::open`] takes a path, for whoever turns a person's words into a grant. From there on authority is
//! the open handle: renaming or replacing the directory on disk does not move it.

use rustix::fd::OwnedFd;
use rustix::fs::{CWD, Mode, OFlags};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use thiserror::Error;

/// What may be done beneath a grant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Reading and listing.
    ReadOnly,
    /// Reading, listing, creating, replacing and removing.
    ReadWrite,
}

/// A directory in layers. Reads take the first layer that has the path; writes go to the upper one alone.
#[derive(Debug, Clone)]
pub(crate) struct Layers {
    /// The writable layer. `None` in a read-only grant.
    pub(crate) upper: Option<Arc<OwnedFd>>,
    /// The read-only layer. `None` in a plain writable grant.
    pub(crate) lower: Option<Arc<OwnedFd>>,
}

/// One directory a tool may use, as `/<name>` inside it.
#[derive(Debug, Clone)]
pub struct Grant {
    name: String,
    layers: Layers,
}

/// Why a grant could not be made.
#[derive(Debug, Error)]
pub enum GrantError {
    /// The name cannot stand as one path component.
    #[error("`{0}` cannot name a grant: use letters, digits, `-`, `_` and `.`")]
    Name(String),
    /// Two grants of one call share a name.
    #[error("two grants are called `{0}`")]
    Duplicate(String),
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
    /// The name is not one plain component, or `path` is not a directory that can be opened.
    pub fn open(name: &str, path: &Path, access: Access) -> Result<Self, GrantError> {
        let directory = open_directory(path)?;
        Self::from_handle(name, directory, access)
    }

    /// Grants an already open directory.
    ///
    /// # Errors
    /// The name is not one plain component.
    pub fn from_handle(name: &str, directory: OwnedFd, access: Access) -> Result<Self, GrantError> {
        let directory = Some(Arc::new(directory));
        let layers = match access {
            Access::ReadOnly => Layers { upper: None, lower: directory },
            Access::ReadWrite => Layers { upper: directory, lower: None },
        };
        Ok(Self { name: checked(name)?, layers })
    }

    /// Grants `lower` for reading with `stage` over it: what the stage holds is read from there and may be
    /// written there; everything else is read from `lower` and cannot be changed.
    ///
    /// # Errors
    /// The name is not one plain component.
    pub fn staged(name: &str, lower: OwnedFd, stage: OwnedFd) -> Result<Self, GrantError> {
        let layers = Layers { upper: Some(Arc::new(stage)), lower: Some(Arc::new(lower)) };
        Ok(Self { name: checked(name)?, layers })
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
}

/// The grants of one call. Cheap to clone: the handles are shared.
#[derive(Debug, Clone)]
pub struct Grants(Arc<Vec<Grant>>);

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
        Ok(Self(Arc::new(grants)))
    }

    /// No directory at all: what `describe` runs with.
    #[must_use]
    pub fn none() -> Self {
        Self(Arc::new(Vec::new()))
    }

    /// Each grant.
    pub fn iter(&self) -> impl Iterator<Item = &Grant> {
        self.0.iter()
    }
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

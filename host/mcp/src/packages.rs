//! The directories in which packages may be worked on: those that a person named when the server was started.
//!
//! A path of a client only selects one of them. What follows is resolved beneath its open handle, so that neither `..` nor
//! a link leads out, and everything after that works with what was found. Where the directory that a run begins on is
//! another one by then, the store refuses it: it compares directories by identity.

use crate::failure::Failure;
use crate::roots::{Directories, beneath};
use bailiwick_customize::driver::CustomizeError;
use bailiwick_customize::typespec::{TspLocation, TypespecError, git_root};
use bailiwick_runs::Identity;
use bailiwick_sandbox::{Access, Grant, Grants};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Entries that are looked at beside an SDK repository for a clone of the specifications.
const SIBLINGS: usize = 1_000;

/// What a person has to do about a directory that was not named.
const NAME_IT: &str =
    "the person who starts this server names it: `bailiwick mcp --packages DIRECTORY`, or a writable `--grant`";

/// The directories that a person named, each with the paths that callers know it by.
#[derive(Debug, Clone)]
pub struct PackageDirectories {
    /// What file tools have, too. The roots of a client narrow them.
    granted: Grants,
    /// Those for packages alone.
    named: Vec<Grant>,
}

/// A package and its TypeSpec project, both found beneath directories that were named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    /// The package directory, without links.
    pub package: PathBuf,
    /// The TypeSpec project, without links.
    pub project: PathBuf,
}

impl PackageDirectories {
    /// The grants of the operator, and what is named for packages alone. In those that are granted read-only nothing is
    /// regenerated, built or repaired.
    #[must_use]
    pub fn new(granted: Grants, named: Vec<Grant>) -> Self {
        Self { granted, named }
    }

    /// What of them the client of a call may use: of the grants what its roots leave.
    ///
    /// # Errors
    /// The client has roots and does not say which, and no directory was named for packages alone.
    pub(crate) async fn for_client(self, directories: &Directories) -> Result<Self, Failure> {
        if self.granted.iter().next().is_none() {
            return Ok(self);
        }
        match directories.scope(&self.granted).await {
            Ok(scope) => Ok(Self { granted: scope.grants.clone(), named: self.named }),
            // Without an answer no grant is open; what a person named for packages is.
            Err(_) if !self.named.is_empty() => Ok(Self { granted: Grants::none(), named: self.named }),
            Err(failure) => Err(failure),
        }
    }

    /// Each of them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Grant> {
        self.granted.iter().chain(&self.named)
    }

    /// Which directories they are, for the store that begins runs.
    #[must_use]
    pub fn identities(&self) -> Vec<Identity> {
        let identities = self.writable().filter_map(Grant::identity);
        identities.map(|(device, inode)| Identity { device, inode }).collect()
    }

    /// A package with its TypeSpec project: the one that was given, or the one that `tsp-location.yaml` names, in a clone
    /// that lies in a directory that was named. Nothing outside of these is looked at.
    ///
    /// # Errors
    /// One of them is in no such directory, or is not there. What lies outside is told alike, be it there or not.
    pub fn places(&self, package: &Path, project: Option<&Path>) -> Result<Places, Failure> {
        let package = self.package(package)?;
        let project = match project {
            Some(project) => self.given_project(project)?,
            None => self.found_project(&package)?,
        };
        Ok(Places { package, project })
    }

    /// A TypeSpec project alone.
    ///
    /// # Errors
    /// As for [`Self::places`].
    pub fn project(&self, path: &Path) -> Result<PathBuf, Failure> {
        self.given_project(path)
    }

    /// A package alone.
    ///
    /// # Errors
    /// As for [`Self::places`].
    pub fn package(&self, path: &Path) -> Result<PathBuf, Failure> {
        self.find(path, path, || TypespecError::NoPackage { path: path.to_owned() })
    }

    fn given_project(&self, path: &Path) -> Result<PathBuf, Failure> {
        // People point at the file as well as at the directory.
        let directory = match path.file_name() {
            Some(name) if name == "tspconfig.yaml" => path.parent().unwrap_or(path),
            _ => path,
        };
        self.find(path, directory, || TypespecError::NoProject { path: path.to_owned() })
    }

    /// The directory at `path`, or the sentence for one that is in no directory that was named, or that is not there. The
    /// caller said `given`.
    fn find(&self, given: &Path, path: &Path, missing: impl FnOnce() -> TypespecError) -> Result<PathBuf, Failure> {
        match self.resolved(path) {
            Some(Resolved::Directory(directory)) => Ok(directory),
            Some(Resolved::Nothing) => Err(Failure::from(&CustomizeError::from(missing()))),
            Some(Resolved::ReadOnly(name)) => {
                Err(Failure::new(format!("`{name}` is granted read-only, and packages in it cannot be worked on"))
                    .hint("the person who starts this server grants it with `:rw`, or names it with `--packages`"))
            }
            None => {
                Err(Failure::new(format!("`{}` lies in no directory that was named for packages", given.display()))
                    .hint(NAME_IT))
            }
        }
    }

    /// The project that a package is generated from.
    fn found_project(&self, package: &Path) -> Result<PathBuf, Failure> {
        let unusable = |error: TypespecError| Failure::from(&CustomizeError::from(error));
        let location = TspLocation::read(package).map_err(unusable)?;
        let repository = git_root(package).map_err(unusable)?;
        let beside = repository.parent();
        let name = location.repo.rsplit(['/', '\\']).next().unwrap_or_default();
        let project = |clone: &Path| self.directory(&clone.join(&location.directory));
        if let Some(project) = beside.filter(|_| !name.is_empty()).and_then(|beside| project(&beside.join(name))) {
            return Ok(project);
        }
        // A clone by another name: one of the directories that were named, or one beside the SDK repository in them.
        let mut found: BTreeSet<PathBuf> =
            self.writable().filter_map(Grant::place).filter_map(|place| project(&place)).collect();
        if let Some(entries) =
            beside.and_then(|beside| self.directory(beside)).and_then(|beside| beside.read_dir().ok())
        {
            let clones = entries.take(SIBLINGS).flatten().map(|entry| entry.path());
            let clones = clones.filter(|clone| *clone != repository && clone.join(".git").exists());
            found.extend(clones.filter_map(|clone| project(&clone)));
        }
        match (found.pop_first(), found.is_empty()) {
            (Some(project), true) => Ok(project),
            (Some(_), false) => Err(Failure::new(format!(
                "several directories that were named for packages have `{}`",
                location.directory
            ))
            .hint("give `typespecProjectPath`")),
            (None, _) => Err(Failure::new(format!(
                "no directory that was named for packages is a clone of `{}` with `{}`",
                location.repo, location.directory
            ))
            .hint(format!(
                "the person who starts this server names the clone of `{name}` as well: `bailiwick mcp --packages DIRECTORY`"
            ))),
        }
    }

    fn directory(&self, path: &Path) -> Option<PathBuf> {
        match self.resolved(path) {
            Some(Resolved::Directory(directory)) => Some(directory),
            Some(Resolved::Nothing | Resolved::ReadOnly(_)) | None => None,
        }
    }

    /// What an absolute path leads to beneath the directories; `None` where it begins with none of them.
    fn resolved(&self, path: &Path) -> Option<Resolved> {
        let path = path.to_str()?;
        let mut read_only = None;
        for grant in self.iter() {
            for called in grant.names_of_callers() {
                let Some(rest) = beneath(path, called) else { continue };
                if grant.access() == Access::ReadOnly {
                    read_only = Some(Resolved::ReadOnly(grant.name().to_owned()));
                    continue;
                }
                let place = match rest.is_empty() {
                    true => grant.place(),
                    false => grant.narrowed(&rest.join("/")).ok().and_then(|inner| inner.place()),
                };
                return Some(place.map_or(Resolved::Nothing, Resolved::Directory));
            }
        }
        read_only
    }

    fn writable(&self) -> impl Iterator<Item = &Grant> {
        self.iter().filter(|grant| grant.access() == Access::ReadWrite)
    }
}

/// What a path beneath a directory that was named leads to.
enum Resolved {
    /// A directory beneath it.
    Directory(PathBuf),
    /// Nothing, or something that is not beneath it.
    Nothing,
    /// Something in the grant of this name, which is read-only.
    ReadOnly(String),
}

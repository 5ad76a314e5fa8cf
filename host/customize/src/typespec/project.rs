//! A package together with the local copy of the specification it is generated from.

use std::path::{Path, PathBuf};

use super::error::TypespecError;
use super::location::TspLocation;
use super::remote::git_directories;
use crate::checkout::READ_ONLY;
use crate::shown::is_kept_back;
use bailiwick_toolchains::{EmitterPackage, refuse_shell_characters};

/// Entries looked at beside the SDK repository when a specification clone is searched.
const SIBLING_LIMIT: usize = 1_000;

/// Where a specification may be found besides the SDK repository's siblings.
#[derive(Debug, Clone, Default)]
pub struct SpecLookup {
    /// The project directory itself, as a person named it (`--typespec-project-path`). Nothing else is looked at then.
    pub project: Option<PathBuf>,
    /// The root of a specification clone, from the configuration or the environment.
    pub clone: Option<PathBuf>,
}

/// A package, its SDK repository, its TypeSpec project, and that project's repository. All paths are canonical.
#[derive(Debug, Clone)]
pub struct Project {
    /// The package directory.
    pub package: PathBuf,
    /// The root of the SDK repository.
    pub sdk_root: PathBuf,
    /// What the package says about its specification.
    pub location: TspLocation,
    /// The emitter of the SDK repository.
    pub emitter: EmitterPackage,
    /// The TypeSpec project directory.
    pub directory: PathBuf,
    /// The root of the specification repository.
    pub spec_root: PathBuf,
    /// The file that generation starts from, relative to the project: `client.tsp` where there is one.
    pub entry: String,
    /// The service's own file, relative to the project: `main.tsp` where there is one.
    pub main: String,
    /// The directories of `location.additional_directories`, in that order.
    pub additional: Vec<PathBuf>,
    /// In work trees: the files that say where git keeps the repositories, and those places.
    pub git_directories: Vec<PathBuf>,
    /// Whether the specification is a commit in a directory of its own ([`crate::checkout`]), which is only read and does
    /// not last.
    pub detached: bool,
}

impl Project {
    /// Finds everything that belongs to `package`, without starting a process.
    ///
    /// # Errors
    /// Every way in which a package or project can be wrong, see [`TypespecError`].
    pub fn discover(package: &Path, lookup: &SpecLookup) -> Result<Self, TypespecError> {
        let package = directory(package).ok_or_else(|| TypespecError::NoPackage { path: package.to_owned() })?;
        refuse_shell_characters(&package)?;
        let location = TspLocation::read(&package)?;
        Self::at(package, location, lookup)
    }

    /// The same for a directory in which no `tsp-location.yaml` has to stand yet. `package` is canonical.
    ///
    /// # Errors
    /// As for [`Self::discover`].
    pub(crate) fn at(package: PathBuf, location: TspLocation, lookup: &SpecLookup) -> Result<Self, TypespecError> {
        let sdk_root = git_root(&package)?;
        let (directory, spec_root) = find_project(&location, &sdk_root, lookup)?;
        let (entry, main) = entries(&directory, location.entrypoint_file.as_deref())?;
        // Looked for here so that a missing one is named before anything is started.
        let additional =
            location.additional_directories.iter().map(|one| beneath(&spec_root, one)).collect::<Result<_, _>>()?;
        let emitter_path = location.emitter_package_json_path.as_deref();
        let emitter = EmitterPackage::read(&sdk_root, emitter_path)?;
        Ok(Self {
            git_directories: [&sdk_root, &spec_root]
                .into_iter()
                .flat_map(|root| outside_git_directories(root))
                .collect(),
            package,
            sdk_root,
            location,
            emitter,
            directory,
            detached: is_detached(&spec_root),
            spec_root,
            entry,
            main,
            additional,
        })
    }

    /// `client.tsp` of the project, which need not exist.
    #[must_use]
    pub fn client_file(&self) -> PathBuf {
        self.directory.join("client.tsp")
    }

    /// The package's name, which is its directory's.
    #[must_use]
    pub fn package_name(&self) -> String {
        self.package.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
    }
}

/// Whether the repository is a commit in a directory of its own.
pub(super) fn is_detached(spec_root: &Path) -> bool {
    spec_root.join(".git").join(READ_ONLY).is_file()
}

fn directory(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok().filter(|path| path.is_dir())
}

/// The root of the git repository around `start`: the nearest directory upwards with a `.git`.
///
/// # Errors
/// [`TypespecError::NotInGit`].
pub fn git_root(start: &Path) -> Result<PathBuf, TypespecError> {
    start
        .ancestors()
        .find(|directory| directory.join(".git").exists())
        .map(Path::to_owned)
        .ok_or_else(|| TypespecError::NotInGit { path: start.to_owned() })
}

/// In a work tree: the file that says where git keeps the repository, and those places.
fn outside_git_directories(root: &Path) -> Vec<PathBuf> {
    let pointer = root.join(".git");
    match git_directories(root) {
        Some((own, common)) if own != pointer => {
            let common = (common != own).then_some(common);
            [pointer, own].into_iter().chain(common).collect()
        }
        _ => Vec::new(),
    }
}

/// What a package is generated from, in a clone that need not have it checked out.
#[derive(Debug, Clone)]
pub struct Specification {
    /// The root of the clone.
    pub clone: PathBuf,
    /// The project, from the root of the clone.
    pub directory: String,
    /// The commit that `tsp-location.yaml` names.
    pub pinned: String,
    additional: Vec<String>,
}

impl Specification {
    /// The project and every directory that it imports from, from the root of the clone.
    #[must_use]
    pub fn directories(&self) -> Vec<String> {
        std::iter::once(&self.directory).chain(&self.additional).cloned().collect()
    }
}

/// Finds the clone of a package's specification. Unlike [`Project::discover`] it does without the project's files, which
/// another commit may have elsewhere.
///
/// # Errors
/// As for [`Project::discover`].
pub fn specification_of(package: &Path, lookup: &SpecLookup) -> Result<Specification, TypespecError> {
    let package = directory(package).ok_or_else(|| TypespecError::NoPackage { path: package.to_owned() })?;
    let location = TspLocation::read(&package)?;
    let sdk_root = git_root(&package)?;
    let beside = || {
        let name = location.repo.rsplit(['/', '\\']).next().filter(|name| !name.is_empty() && *name != "..")?;
        directory(&sdk_root.parent()?.join(name)).filter(|clone| clone.join(".git").exists())
    };
    let (directory, clone) = match (find_project(&location, &sdk_root, lookup), beside()) {
        (Ok((project, clone)), _) => {
            let within = project.strip_prefix(&clone).ok().and_then(Path::to_str).unwrap_or_default();
            (within.to_owned(), clone)
        }
        (Err(TypespecError::NoSpecClone { .. } | TypespecError::NoConfig { .. }), Some(clone))
            if lookup.project.is_none() =>
        {
            (location.directory.clone(), clone)
        }
        (Err(error), _) => return Err(error),
    };
    Ok(Specification { clone, directory, pinned: location.commit, additional: location.additional_directories })
}

fn find_project(
    location: &TspLocation,
    sdk_root: &Path,
    lookup: &SpecLookup,
) -> Result<(PathBuf, PathBuf), TypespecError> {
    if let Some(given) = &lookup.project {
        return explicit_project(location, given);
    }
    let mut clones = candidates(location, sdk_root, lookup);
    clones.retain(|clone| clone.join(&location.directory).is_dir());
    let clone = match clones.as_slice() {
        [] => {
            return Err(TypespecError::NoSpecClone {
                repo: location.repo.clone(),
                directory: location.directory.clone(),
                sdk_root: sdk_root.to_owned(),
            });
        }
        [one] => one,
        _ => {
            return Err(TypespecError::ManySpecClones { directory: location.directory.clone(), clones });
        }
    };
    let project = beneath(clone, &location.directory)?;
    require_config(&project, location)?;
    let root = git_root(&project)?;
    Ok((project, root))
}

/// The directory of a project that a person named, canonical; it has a `tspconfig.yaml`.
///
/// # Errors
/// [`TypespecError::NoProject`], [`TypespecError::NoConfig`].
pub fn project_directory(given: &Path) -> Result<PathBuf, TypespecError> {
    let project = named_directory(given)?;
    if project.join("tspconfig.yaml").is_file() {
        Ok(project)
    } else {
        Err(TypespecError::NoConfig { path: project, instead: None })
    }
}

fn explicit_project(location: &TspLocation, given: &Path) -> Result<(PathBuf, PathBuf), TypespecError> {
    let project = named_directory(given)?;
    require_config(&project, location)?;
    let root = git_root(&project)?;
    Ok((project, root))
}

fn named_directory(given: &Path) -> Result<PathBuf, TypespecError> {
    // People point at the file as well as at the directory.
    let given = match given.file_name() {
        Some(name) if name == "tspconfig.yaml" => given.parent().unwrap_or(given),
        _ => given,
    };
    directory(given).ok_or_else(|| TypespecError::NoProject { path: given.to_owned() })
}

fn require_config(project: &Path, location: &TspLocation) -> Result<(), TypespecError> {
    if project.join("tspconfig.yaml").is_file() {
        return Ok(());
    }
    // `tsp-client` hangs when it is given the repository (Azure/azure-sdk-tools#14347).
    let instead = project.join(&location.directory);
    Err(TypespecError::NoConfig {
        path: project.to_owned(),
        instead: instead.join("tspconfig.yaml").is_file().then_some(instead),
    })
}

/// Clones to look into: the configured one alone, else the sibling named like the repository, else every sibling.
fn candidates(location: &TspLocation, sdk_root: &Path, lookup: &SpecLookup) -> Vec<PathBuf> {
    if let Some(clone) = &lookup.clone {
        return directory(clone).into_iter().collect();
    }
    let Some(parent) = sdk_root.parent() else {
        return Vec::new();
    };
    let name = location.repo.rsplit(['/', '\\']).next().unwrap_or_default();
    let named = parent.join(name);
    if !name.is_empty() && name != ".." && named.join(&location.directory).is_dir() {
        return directory(&named).into_iter().collect();
    }
    let Ok(entries) = std::fs::read_dir(parent) else {
        return Vec::new();
    };
    let mut siblings: Vec<_> = entries
        .take(SIBLING_LIMIT)
        .flatten()
        .filter_map(|entry| directory(&entry.path()))
        .filter(|sibling| sibling != sdk_root && sibling.join(".git").exists())
        .collect();
    siblings.sort();
    siblings.dedup();
    siblings
}

/// `relative` below `root`, with links resolved, still below it and nothing that is kept back from every child.
pub(super) fn beneath(root: &Path, relative: &str) -> Result<PathBuf, TypespecError> {
    let joined = root.join(relative);
    let found = directory(&joined).ok_or(TypespecError::NoProject { path: joined })?;
    match found.strip_prefix(root) {
        Err(_) => Err(TypespecError::OutsideRepository { path: relative.to_owned() }),
        Ok(below) if is_kept_back(below) => Err(TypespecError::KeptBack { path: relative.to_owned() }),
        Ok(_) => Ok(found),
    }
}

/// The file to generate from and the service's own file.
pub(super) fn entries(project: &Path, wanted: Option<&str>) -> Result<(String, String), TypespecError> {
    let there = |name: &str| project.join(name).is_file();
    let missing = |wanted: &str| TypespecError::NoEntry { project: project.to_owned(), wanted: wanted.to_owned() };
    let entry = match wanted {
        Some(name) if there(name) => name,
        Some(name) => return Err(missing(&format!("`{name}`, which `tsp-location.yaml` names"))),
        None => ["client.tsp", "main.tsp"]
            .into_iter()
            .find(|name| there(name))
            .ok_or_else(|| missing("`client.tsp` or `main.tsp`"))?,
    };
    let main = if there("main.tsp") { "main.tsp" } else { entry };
    Ok((entry.to_owned(), main.to_owned()))
}

#[cfg(test)]
mod tests;

//! Why a project cannot be found, looked into or generated from.

use std::path::PathBuf;

use bailiwick_base::files::{FileError, TreeError};
use bailiwick_process::ProcessError;

use crate::language::LanguageError;
use bailiwick_toolchains::ToolchainError;

/// What is wrong with a package or its TypeSpec project. A specification that does not compile is not an error of this
/// kind: it has an answer, which is its diagnostics.
#[derive(Debug, thiserror::Error)]
pub enum TypespecError {
    /// The package directory does not exist or is not a directory.
    #[error("the package directory `{}` does not exist", path.display())]
    NoPackage {
        /// As it was given.
        path: PathBuf,
    },
    /// A directory is not inside a git repository.
    #[error("`{}` is not inside a git repository", path.display())]
    NotInGit {
        /// The directory.
        path: PathBuf,
    },
    /// The package has no `tsp-location.yaml`.
    #[error("there is no `tsp-location.yaml` in `{}`", package.display())]
    NoLocation {
        /// The package directory.
        package: PathBuf,
    },
    /// `tsp-location.yaml` is not YAML, or a field of it has the wrong form.
    #[error("`tsp-location.yaml` cannot be read: {reason}")]
    MalformedLocation {
        /// What is wrong, with the line where it is known.
        reason: String,
    },
    /// A mandatory field of `tsp-location.yaml` is missing or empty.
    #[error("`tsp-location.yaml` has no `{field}`")]
    IncompleteLocation {
        /// The field.
        field: &'static str,
    },
    /// `tsp-location.yaml` lists other packages instead of describing one.
    #[error("`tsp-location.yaml` is a batch file for {}", packages.join(", "))]
    Batch {
        /// The directories it lists.
        packages: Vec<String>,
    },
    /// A path leads out of the directory it has to stay in.
    #[error("`{path}` in `tsp-location.yaml` leads out of the repository")]
    OutsideRepository {
        /// The path as written.
        path: String,
    },
    /// A directory to read is or lies in `.git`, or has a name that is hidden from every generator and build.
    #[error("`{path}` is a directory of the repository that no generator reads")]
    KeptBack {
        /// The path as written.
        path: String,
    },
    /// `tspconfig.yaml` names a directory to import from that does not lie in the repository.
    #[error("`{path}` in `tspconfig.yaml` is not a directory inside the repository")]
    ConfigurationOutside {
        /// The path as written.
        path: String,
    },
    /// `tspconfig.yaml` names a customization class that the package does not have.
    #[error(
        "`{}:{line}` names the customization class `{class}`, and there is no such file in `{}`",
        file.display(),
        package.display()
    )]
    NoCustomizationClass {
        /// `tspconfig.yaml`.
        file: PathBuf,
        /// Where it names the class, from 1.
        line: usize,
        /// As written: relative to the package.
        class: String,
        /// The package directory.
        package: PathBuf,
    },
    /// The package names an emitter's package file where those that write packages could put one.
    #[error("`emitterPackageJsonPath` in `tsp-location.yaml` is `{path}`, which does not lie beneath `eng/`")]
    EmitterOutsideEng {
        /// The path as written.
        path: String,
    },
    /// The TypeSpec project directory that was given does not exist.
    #[error("the TypeSpec project directory `{}` does not exist", path.display())]
    NoProject {
        /// As it was given.
        path: PathBuf,
    },
    /// The TypeSpec project directory has no `tspconfig.yaml`.
    #[error("there is no `tspconfig.yaml` in `{}`", path.display())]
    NoConfig {
        /// The directory.
        path: PathBuf,
        /// A directory below it that would do: the repository was given in place of the project.
        instead: Option<PathBuf>,
    },
    /// No local clone holds the project.
    #[error("no local clone of `{repo}` with `{directory}` was found beside `{}`", sdk_root.display())]
    NoSpecClone {
        /// The repository that `tsp-location.yaml` names.
        repo: String,
        /// The project inside it.
        directory: String,
        /// The SDK repository.
        sdk_root: PathBuf,
    },
    /// More than one local clone holds the project.
    #[error("more than one directory holds `{directory}`: {}", clones.iter().map(|one| one.display().to_string()).collect::<Vec<_>>().join(", "))]
    ManySpecClones {
        /// The project.
        directory: String,
        /// The clones.
        clones: Vec<PathBuf>,
    },
    /// The project has no file to start from.
    #[error("the TypeSpec project `{}` has no {wanted}", project.display())]
    NoEntry {
        /// The project.
        project: PathBuf,
        /// Which file or files were looked for.
        wanted: String,
    },
    /// The package is generated from a file that does not read `client.tsp`, which is where customizations are written.
    #[error(
        "`tsp-location.yaml` has the package generated from `{entry}`, which does not import `./client.tsp`, so no edit of `client.tsp` would change it"
    )]
    OtherEntry {
        /// The file, as written.
        entry: String,
    },
    /// The file that customizations are written into is a link, and links are not followed.
    #[error("`{}` is a symbolic link, and links are not edited", path.display())]
    ClientLink {
        /// `client.tsp`.
        path: PathBuf,
    },
    /// The probe ended without an answer.
    #[error("the TypeSpec compiler could not be asked about the project: {reason}")]
    Probe {
        /// Its last words.
        reason: String,
    },
    /// A file cannot be read or written.
    #[error(transparent)]
    Io(#[from] FileError),
    /// A file of the package cannot be reached beneath its directory.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// A tool cannot be used.
    #[error(transparent)]
    Toolchain(#[from] ToolchainError),
    /// A child process has no result.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// A file of the package cannot be read or written.
    #[error(transparent)]
    Language(#[from] LanguageError),
}

impl TypespecError {
    /// What a person can do about it, where there is something.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        let text = match self {
            Self::NoPackage { .. } => "give the package's own directory, for example `sdk/widget/azure-widget`",
            Self::NotInGit { .. } => "use a clone made with git; `tsp-client` finds repository roots through it",
            Self::NoLocation { .. } => {
                "only packages generated from TypeSpec can be customized; check the package directory"
            }
            Self::MalformedLocation { .. } | Self::IncompleteLocation { .. } => {
                "it needs `directory`, `commit` and `repo`; `tsp-client init` writes it"
            }
            Self::Batch { .. } => "run the command for one of these packages",
            Self::OutsideRepository { .. } => "paths in it count from the root of the repository and stay inside it",
            Self::KeptBack { .. } => {
                "name another directory in `tsp-location.yaml` or `tspconfig.yaml`: `.git` and names that hold secrets stay hidden"
            }
            Self::ConfigurationOutside { .. } => {
                "`additionalDirectories` count from the root of the repository, stay inside it and end with an ordinary name"
            }
            Self::NoCustomizationClass { .. } => {
                "put the class there, or take `customization-class` out of the options of the emitter; the generator cannot go on without it"
            }
            Self::EmitterOutsideEng { .. } => {
                "put the package file beneath `eng/` of the SDK repository, or leave `emitterPackageJsonPath` out"
            }
            Self::NoProject { .. } => "check `--typespec-project-path`",
            Self::NoConfig { instead: Some(instead), .. } => {
                return Some(format!("give the project itself: `{}`", instead.display()));
            }
            Self::NoConfig { .. } => "give the directory that holds `tspconfig.yaml`",
            Self::NoSpecClone { .. } => "clone it there, or name the project with `--typespec-project-path`",
            Self::ManySpecClones { .. } => "name the one you mean with `--typespec-project-path`",
            Self::NoEntry { .. } => "a project starts from `client.tsp` or `main.tsp`",
            Self::OtherEntry { entry } => {
                return Some(format!(
                    "write the customization into `{entry}` by hand and run `bailiwick package generate`, or let `{entry}` import `./client.tsp`"
                ));
            }
            Self::ClientLink { .. } => {
                "put a file of the project's own in its place, or edit the file that it leads to by hand"
            }
            Self::Toolchain(error) => return error.hint(),
            Self::Process(error) => return error.hint().map(str::to_owned),
            Self::Language(error) => return error.hint().map(str::to_owned),
            Self::Tree(error) => return error.hint().map(str::to_owned),
            Self::Probe { .. } | Self::Io { .. } => return None,
        };
        Some(text.to_owned())
    }

    /// For `map_err` at a file operation.
    pub(super) fn io(path: &std::path::Path, action: &'static str) -> impl FnOnce(std::io::Error) -> Self {
        let at = FileError::at(path, action);
        move |source| at(source).into()
    }
}

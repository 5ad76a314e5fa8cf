//! Why a tool is not there.

use std::path::PathBuf;

use bailiwick_base::files::FileError;
use bailiwick_process::ProcessError;

use super::registries::HOSTS;

/// Why a set of tools could not be provided.
#[derive(Debug, thiserror::Error)]
pub enum ToolchainError {
    /// A program that has to be on this machine is not.
    #[error("there is no `{program}` on this machine")]
    Missing {
        /// Its name.
        program: &'static str,
        /// How to get it.
        hint: &'static str,
    },
    /// No interpreter is new enough or complete.
    #[error("no usable Python 3 was found: {reason}")]
    Python {
        /// What was found and what it lacks.
        reason: String,
    },
    /// There is no JDK and Maven that will do, or what Maven fetched is not what was expected.
    #[error("the Java tools cannot be used: {reason}")]
    Java {
        /// What was found.
        reason: String,
    },
    /// A package asks for something that does not exist.
    #[error("no repository has `{artifact}`, which `{}` asks for", path.display())]
    NoArtifact {
        /// `group:name:version`, as Maven's commands take it.
        artifact: String,
        /// The package's `pom.xml`.
        path: PathBuf,
    },
    /// A package's own project file cannot be understood.
    #[error("`{}` cannot be used: {reason}", path.display())]
    ProjectFile {
        /// The file.
        path: PathBuf,
        /// Its reader's words.
        reason: String,
    },
    /// There is no Go that will do.
    #[error("the Go tools cannot be used: {reason}")]
    Go {
        /// What was found.
        reason: String,
    },
    /// There is no .NET SDK that will do.
    #[error("the .NET SDK cannot be used: {reason}")]
    Dotnet {
        /// What was found.
        reason: String,
    },
    /// The package manager failed in every attempt.
    #[error("{set} could not be installed in {attempts} attempts: {reason}")]
    Install {
        /// The set, for people.
        set: String,
        /// How often it was tried.
        attempts: u32,
        /// The last words of the package manager.
        reason: String,
    },
    /// An installation failed that asked for hosts which belong to no configured registry.
    #[error("an installation was refused connections to {}: {reason}", hosts.join(", "))]
    OtherHosts {
        /// Hosts with their ports.
        hosts: Vec<String>,
        /// The last words of the package manager.
        reason: String,
    },
    /// What a package asks for cannot be had.
    #[error("the package asks for {requirements}, which cannot be had: {reason}")]
    Requirements {
        /// What it asks for, with commas.
        requirements: String,
        /// The words of the package manager.
        reason: String,
    },
    /// Another process has been installing the same set for too long.
    #[error("another process has been installing {set} for {minutes} minutes")]
    Busy {
        /// The set, for people.
        set: String,
        /// How long this process waited.
        minutes: u64,
    },
    /// There is no Node for this system.
    #[error("there is no Node 22 package for this system ({system})")]
    UnsupportedSystem {
        /// Operating system and processor.
        system: String,
    },
    /// `eng/emitter-package.json` or what stands in its place cannot be used.
    #[error("`{}` cannot be used: {reason}", path.display())]
    EmitterPackage {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The installation of this emitter is not approved, and no person can be asked or the answer was no.
    #[error("the emitter {emitter} {version} that `{}` names was never approved, and nothing of it is installed", path.display())]
    Unapproved {
        /// The emitter's package name.
        emitter: String,
        /// Its version.
        version: String,
        /// The package file that names it.
        path: PathBuf,
    },
    /// A directory cannot be used, because emitters put its path into a shell command without quoting it.
    #[error("the path `{}` has characters that an emitter cannot handle", path.display())]
    UnusablePath {
        /// The path.
        path: PathBuf,
    },
    /// A file of the cache cannot be read or written.
    #[error(transparent)]
    Io(#[from] FileError),
    /// A child process has no result.
    #[error(transparent)]
    Process(#[from] ProcessError),
}

impl ToolchainError {
    /// What a person can do about it, where there is something.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        if let Self::Unapproved { path, .. } = self {
            return Some(format!(
                "a person decides: look at that file and what it names, then run `bailiwick setup --emitter-package {}`, which \
                 approves and installs it",
                path.display()
            ));
        }
        if let Self::NoArtifact { artifact, .. } = self {
            return Some(format!(
                "correct its version, or name the repository that has it in `~/.m2/settings.xml`; \
                 `mvn dependency:get -Dartifact={artifact}` shows whether Maven finds it"
            ));
        }
        if let Self::OtherHosts { hosts, .. } = self {
            return Some(format!(
                "an installation reaches configured registries alone; if these are hosts of yours, run the command again with \
                 `{HOSTS}={}`",
                hosts.join(",")
            ));
        }
        self.fixed_hint().map(str::to_owned)
    }

    fn fixed_hint(&self) -> Option<&'static str> {
        match self {
            Self::Missing { hint, .. } => Some(hint),
            Self::Python { .. } => {
                Some("install Python 3.10 or newer with `venv` and `pip` (on Debian `apt install python3-venv`)")
            }
            Self::Java { .. } => Some("install a JDK, 17 or newer, and Maven 3.8 or newer"),
            Self::Go { .. } => Some("install Go 1.23 or newer, and see that the package has a `go.mod`"),
            Self::Dotnet { .. } => Some(super::dotnet::HINT),
            Self::Install { .. } => Some(
                "check that the npm and PyPI registries, for Java Maven Central and for Go its module proxy, are reachable, then run the command again",
            ),
            Self::Requirements { .. } => Some(
                "see that the registry has them for this Python, for example with `python3 -m pip download --only-binary=:all:`, or correct what `pyproject.toml` or `setup.py` asks for",
            ),
            Self::Busy { .. } => Some("wait for it, or end it if it hangs"),
            Self::UnsupportedSystem { .. } => Some("Linux on x86-64 or arm64 is supported"),
            Self::EmitterPackage { .. } => Some(
                "see that the SDK repository is complete: its `eng/emitter-package.json` names the emitter under `dependencies`",
            ),
            Self::UnusablePath { .. } => Some("use a directory without spaces and shell characters"),
            Self::Io { .. }
            | Self::Unapproved { .. }
            | Self::NoArtifact { .. }
            | Self::ProjectFile { .. }
            | Self::OtherHosts { .. } => None,
            Self::Process(error) => error.hint(),
        }
    }

    /// For `map_err` at a file operation.
    pub(super) fn io(path: &std::path::Path, action: &'static str) -> impl FnOnce(std::io::Error) -> Self {
        let at = FileError::at(path, action);
        move |source| at(source).into()
    }
}

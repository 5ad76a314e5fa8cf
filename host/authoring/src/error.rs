//! Why a tool could not be begun, built or tested.

use bailiwick_guests::{ComponentError, Target};
use bailiwick_process::ProcessError;
use bailiwick_toolchains::ToolchainError;
use bailiwick_tools::ManifestError;
use std::path::{Path, PathBuf};

use bailiwick_base::files::FileError;
/// Why a tool could not be begun, built or tested.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AuthoringError {
    /// A name that a project cannot have.
    #[error("`{}` is not a name for a tool", .0.escape_debug())]
    Name(String),
    /// Something is where the project would be.
    #[error("`{}` is there already and is not empty", .0.display())]
    Occupied(PathBuf),
    /// There is no project in the directory.
    #[error("`{}` has no `tool.toml`", .0.display())]
    NoProject(PathBuf),
    /// Its manifest cannot be used.
    #[error("`{}`: {source}", path.display())]
    Manifest {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: ManifestError,
    },
    /// The manifest does not say what the tool is written in.
    #[error("`tool.toml` has no `language`, so nothing tells how the tool is built")]
    NoLanguage,
    /// A file of the project that building it takes is not there or not as it has to be.
    #[error("`{}`: {reason}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// No Rust compiler here can build for WebAssembly.
    #[error("no Rust compiler here has the target `{}`", .0.unwrap_or(Target::Unknown).name())]
    NoCompiler(Option<Target>),
    /// The compiler ended without a component; what it said was passed on.
    #[error("{program} ended with {ended} and made no component")]
    Failed {
        /// What was run.
        program: &'static str,
        /// How it ended.
        ended: String,
    },
    /// The core module does not make a component.
    #[error(transparent)]
    Component(#[from] ComponentError),
    /// What builds it cannot be installed.
    #[error(transparent)]
    Toolchain(#[from] ToolchainError),
    /// What builds it could not be run to its end.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// A case that cannot be used.
    #[error("`{}`{}: {reason}", path.display(), case.as_ref().map(|case| format!(", case `{}`", case.escape_debug())).unwrap_or_default())]
    Case {
        /// The file.
        path: PathBuf,
        /// The case, where it has a name.
        case: Option<String>,
        /// What is wrong.
        reason: String,
    },
    /// There are no cases.
    #[error("`{}` has no cases: there is no file `*.toml` in it", .0.display())]
    NoCases(PathBuf),
    /// A file cannot be read or written.
    #[error(transparent)]
    Io(#[from] FileError),
}

impl AuthoringError {
    /// What a person can do about it, where there is something.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Name(_) => {
                "use up to 64 small letters, digits and `-`, beginning with a letter, such as `word-count`".to_owned()
            }
            Self::Occupied(_) => "name another directory with `--path DIR`; nothing is ever written over".to_owned(),
            Self::NoProject(_) => "`bailiwick tool new NAME --lang rust|python|js` makes a project".to_owned(),
            Self::NoLanguage => "write `language = \"rust\"`, `\"python\"` or `\"js\"` beside `component`".to_owned(),
            Self::NoCompiler(Some(Target::Wasip2)) => "run `rustup target add wasm32-wasip2`".to_owned(),
            Self::NoCompiler(_) => {
                let target = bailiwick_guests::TARGET;
                let packages = bailiwick_guests::PACKAGED_COMMANDS;
                format!("run `rustup target add {target}`; on Debian, as root, `{packages}` does as well")
            }
            Self::NoCases(_) => {
                "write a file such as `tests/first.toml`; docs/guides/write-a-tool.md shows how".to_owned()
            }
            Self::Toolchain(error) => return error.hint(),
            Self::Process(error) => return error.hint().map(str::to_owned),
            Self::Manifest { .. } => "docs/guides/write-a-tool.md lists the keys of `tool.toml`".to_owned(),
            Self::Case { .. } => "docs/guides/write-a-tool.md lists the keys of a case".to_owned(),
            _ => return None,
        })
    }

    pub(crate) fn io(path: &Path, action: &'static str) -> impl FnOnce(std::io::Error) -> Self {
        let at = FileError::at(path, action);
        move |source| at(source).into()
    }

    pub(crate) fn file(path: &Path, reason: impl Into<String>) -> Self {
        Self::File { path: path.to_owned(), reason: reason.into() }
    }
}

//! Why a configured script cannot be used.

use bailiwick_base::files::{FileError, TreeError};
use bailiwick_process::ProcessError;

/// What is wrong with `eng/swagger_to_sdk_config.json` or with what it names. A script that ran and failed is not an error.
#[derive(Debug, thiserror::Error)]
pub enum ScriptError {
    /// The file cannot be read, or is not JSON of the expected form.
    #[error("`eng/swagger_to_sdk_config.json` cannot be used: {reason}")]
    Malformed {
        /// What is wrong.
        reason: String,
    },
    /// One entry has the wrong form.
    #[error("`packageOptions/{key}` in `eng/swagger_to_sdk_config.json` cannot be used: {reason}")]
    Entry {
        /// The entry, for example `buildScript/command`.
        key: String,
        /// What is wrong.
        reason: String,
    },
    /// Nothing is configured for the purpose.
    #[error("the SDK repository configures no `{key}`")]
    NotConfigured {
        /// The key under `packageOptions`.
        key: &'static str,
    },
    /// The program is not on this machine.
    #[error("there is no `{program}` on this machine, which `{key}` of the SDK repository needs")]
    NoProgram {
        /// Its name.
        program: String,
        /// The key under `packageOptions`, or the step that needs it.
        key: &'static str,
    },
    /// A file cannot be read or written.
    #[error(transparent)]
    Io(#[from] FileError),
    /// A file of the package cannot be reached beneath its directory.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// The child has no result.
    #[error(transparent)]
    Process(#[from] ProcessError),
}

impl ScriptError {
    /// What a person can do about it, where there is something.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        let text = match self {
            Self::Malformed { .. } => "compare it with the file of the SDK repository's main branch",
            Self::Entry { .. } => {
                "give `command` as one command line without a shell, or `path` as a PowerShell script of the repository"
            }
            Self::NotConfigured { key } => {
                return Some(format!(
                    "add `packageOptions/{key}` with `command` or `path` to `eng/swagger_to_sdk_config.json`, or do it by hand"
                ));
            }
            Self::NoProgram { program, .. } if program == "pwsh" => {
                "install PowerShell 7 so that `pwsh` is on the `PATH`; scripts of SDK repositories are written for it"
            }
            Self::NoProgram { .. } => "install it so that it is on the `PATH`, then run the command again",
            Self::Io { .. } => return None,
            Self::Tree(error) => return error.hint().map(str::to_owned),
            Self::Process(error) => return error.hint().map(str::to_owned),
        };
        Some(text.to_owned())
    }

    pub(crate) fn io(path: &std::path::Path, action: &'static str) -> impl FnOnce(std::io::Error) -> Self {
        let at = FileError::at(path, action);
        move |source| at(source).into()
    }
}

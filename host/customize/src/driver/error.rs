//! Why a customization did not come to a response.

use bailiwick_agent::AgentError;
use bailiwick_agent::templates::RenderError;
use bailiwick_base::files::{FileError, TreeError};
use bailiwick_process::ProcessError;
use bailiwick_runs::{ApplyError, StoreError};
use bailiwick_sandbox::GrantError;
use bailiwick_sdk::tasks::DirectiveError;
use thiserror::Error;

use super::convert::ConvertError;
use super::init::InitError;
use crate::language::LanguageError;
use crate::scripts::ScriptError;
use crate::stage::StageError;
use crate::testing::TestError;
use crate::typespec::TypespecError;
use bailiwick_toolchains::ToolchainError;

/// An error with everything that caused it, in one sentence that repeats nothing.
#[must_use]
pub fn with_sources(error: &dyn std::error::Error) -> String {
    let mut message = error.to_string();
    let mut source = error.source();
    while let Some(inner) = source {
        let text = inner.to_string();
        if !message.contains(&text) {
            message.push_str(": ");
            message.push_str(&text);
        }
        source = inner.source();
    }
    message
}

/// A failure outside the workflow's outcomes. Both repositories are as before.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CustomizeError {
    /// There is nothing to do.
    #[error("the customization request is empty")]
    EmptyRequest,
    /// Directives that cannot be carried out. Nothing was begun.
    #[error(transparent)]
    Directive(#[from] DirectiveError),
    /// The caller cancelled it.
    #[error("the customization was cancelled; both repositories are as before")]
    Cancelled,
    /// A specification without a package has no language of its own.
    #[error("no language is named whose client may change")]
    NoLanguage,
    /// An edit belongs into a checkout that lasts.
    #[error("the specification is a commit in a directory of its own, which is only read")]
    Detached,
    /// The package or its TypeSpec project cannot be used.
    #[error(transparent)]
    Typespec(#[from] TypespecError),
    /// No language service, or a build that could not be run.
    #[error(transparent)]
    Language(#[from] LanguageError),
    /// What the SDK repository configures cannot be used.
    #[error(transparent)]
    Script(#[from] ScriptError),
    /// A description that cannot be converted.
    #[error(transparent)]
    Convert(#[from] ConvertError),
    /// A package that cannot be made.
    #[error(transparent)]
    Init(#[from] InitError),
    /// Tests that cannot be run.
    #[error(transparent)]
    Test(#[from] TestError),
    /// A toolchain cannot be had.
    #[error(transparent)]
    Toolchain(#[from] ToolchainError),
    /// The run store refused.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A change could not be applied.
    #[error(transparent)]
    Apply(#[from] ApplyError),
    /// A stage could not be made or read.
    #[error(transparent)]
    Stage(#[from] StageError),
    /// A directory could not be granted.
    #[error(transparent)]
    Grant(#[from] GrantError),
    /// An agent's backend failed, or its transcript cannot be written.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// The instructions of an agent cannot be put together.
    #[error("the instructions of an agent cannot be put together: {0}")]
    Instructions(#[from] RenderError),
    /// A file cannot be read or written.
    #[error(transparent)]
    Io(#[from] FileError),
    /// A file of the package cannot be reached beneath its directory.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// A value of our own does not serialise.
    #[error("a record cannot be written: {0}")]
    Record(#[from] serde_json::Error),
}

/// Who can do something about an error; the exit code of the command line follows from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blame {
    /// The input: paths, files, request. Nothing was started.
    Input,
    /// A policy: what this platform or this store does not allow.
    Policy,
    /// Something that went wrong on the way.
    Accident,
}

impl CustomizeError {
    /// What a person can do about it, where there is something.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::EmptyRequest => {
                Some("say what to do, for example `hide operation deleteWidget from the Python SDK`".into())
            }
            Self::Directive(error) => error.hint(),
            Self::NoLanguage => Some("name them with `--scope`, for example `--scope python,csharp`".into()),
            Self::Typespec(error) => error.hint(),
            Self::Language(error) => error.hint().map(str::to_owned),
            Self::Script(error) | Self::Test(TestError::Script(error)) => error.hint(),
            Self::Convert(error) => Some(error.hint().to_owned()),
            Self::Init(error) => Some(error.hint()),
            Self::Test(TestError::NoTests { .. }) => {
                Some("add tests where the language expects them; nothing was run, so nothing is known".into())
            }
            Self::Toolchain(error) => error.hint(),
            Self::Store(error) => error.hint(),
            Self::Apply(error) => error.hint(),
            Self::Agent(error) => error.hint().map(str::to_owned),
            Self::Grant(GrantError::Reserved(_)) => {
                Some("set `BAILIWICK_STATE_DIR` and `BAILIWICK_CACHE_DIR` to directories outside the package".into())
            }
            Self::Tree(error) => error.hint().map(str::to_owned),
            Self::Detached => Some("edit the specification in your own checkout".into()),
            Self::Cancelled
            | Self::Stage(_)
            | Self::Grant(_)
            | Self::Io { .. }
            | Self::Record(_)
            | Self::Instructions(_) => None,
        }
    }

    /// Who can do something about it.
    #[must_use]
    pub fn blame(&self) -> Blame {
        match self {
            Self::EmptyRequest
            | Self::NoLanguage
            | Self::Detached
            | Self::Directive(_)
            | Self::Test(TestError::NoTests { .. })
            | Self::Script(
                ScriptError::Malformed { .. } | ScriptError::Entry { .. } | ScriptError::NotConfigured { .. },
            )
            | Self::Language(
                LanguageError::Unsupported { .. }
                | LanguageError::Rust
                | LanguageError::Unknown { .. }
                | LanguageError::NothingToBuild { .. },
            ) => Blame::Input,
            Self::Typespec(TypespecError::Toolchain(error)) => toolchain(error),
            Self::Toolchain(error) => toolchain(error),
            Self::Typespec(TypespecError::Probe { .. } | TypespecError::Io { .. } | TypespecError::Tree(_)) => {
                Blame::Accident
            }
            Self::Store(StoreError::UnknownRun(_) | StoreError::BadRunId(_) | StoreError::UnsupportedFile { .. }) => {
                Blame::Input
            }
            Self::Store(
                StoreError::Busy { .. }
                | StoreError::Suspended { .. }
                | StoreError::StateDirectory { .. }
                | StoreError::StateInsideRoot { .. },
            )
            | Self::Grant(GrantError::Reserved(_) | GrantError::Kernel(_)) => Blame::Policy,
            Self::Language(LanguageError::Process(error))
            | Self::Typespec(TypespecError::Process(error) | TypespecError::Language(LanguageError::Process(error))) => {
                process(error)
            }
            Self::Typespec(TypespecError::Language(_)) => Blame::Accident,
            Self::Script(ScriptError::Process(error)) | Self::Test(TestError::Script(ScriptError::Process(error))) => {
                process(error)
            }
            Self::Init(InitError::Failed { .. }) => Blame::Accident,
            Self::Init(_) | Self::Convert(_) => Blame::Input,
            // What is left of discovery is about paths and files that the caller named.
            Self::Typespec(_) => Blame::Input,
            _ => Blame::Accident,
        }
    }

    pub(super) fn io(path: &std::path::Path, action: &'static str) -> impl FnOnce(std::io::Error) -> Self {
        let at = FileError::at(path, action);
        move |source| at(source).into()
    }
}

fn toolchain(error: &ToolchainError) -> Blame {
    match error {
        ToolchainError::EmitterPackage { .. }
        | ToolchainError::UnusablePath { .. }
        | ToolchainError::NoArtifact { .. }
        | ToolchainError::ProjectFile { .. } => Blame::Input,
        ToolchainError::Unapproved { .. } => Blame::Policy,
        ToolchainError::Process(error) => process(error),
        _ => Blame::Accident,
    }
}

fn process(error: &ProcessError) -> Blame {
    if matches!(error, ProcessError::CannotConfine { .. }) { Blame::Policy } else { Blame::Accident }
}

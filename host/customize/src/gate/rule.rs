//! The rules by name, and what a verdict is.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A rule of the gate. Names are stable: they stand in transcripts, reports and an agent's validation reasons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// Only the editable files of the phase may change.
    OutsideEditable,
    /// A file may not be removed.
    FileRemoved,
    /// The stage holds a link, a pipe or another file that is not a plain file.
    NotAPlainFile,
    /// A file name is not text.
    NameNotText,
    /// The stage holds more, or larger, files than a customization needs.
    StageTooLarge,
    /// The content is UTF-8 without control characters.
    NotText,
    /// The content gained characters that a reader does not see.
    HiddenCharacters,
    /// The file is over the size limit.
    TooLarge,
    /// The repository's file is no longer what the agent was given.
    ChangedSinceStaged,
    /// `client.tsp` cannot be read as TypeSpec.
    UnreadableTypespec,
    /// What `client.tsp` holds is not nested more deeply than any specification's is.
    NestedTooDeeply,
    /// Only decorators of `Azure.ClientGenerator.Core` that customize a client may be applied.
    DecoratorNotAllowed,
    /// A scope is a plain string of known languages.
    UnknownScope,
    /// Nothing may change for another language.
    OtherLanguage,
    /// `@client` and `@operationGroup` are written in front of a declaration, never as `@@`.
    ClientAugmented,
    /// `@clientLocation` moves an operation beside `@client` or `@operationGroup` only where the compiler shows that it does.
    ClientWithLocation,
    /// Clients that are declared anew leave no operation without a client.
    OperationLost,
    /// An import is one that was there, `./main.tsp`, or a TypeSpec or Azure library.
    ImportNotAllowed,
    /// An import or a `using` may not be removed.
    ImportRemoved,
    /// A `using` opens a namespace of the service, of TypeSpec or of Azure.
    UsingNotAllowed,
    /// Only decorators, client interfaces, client namespaces and option models may be added.
    StatementNotAllowed,
    /// A declaration that another language may use may not change.
    DeclarationChanged,
    /// Client declarations stand outside the service's namespaces.
    DeclarationInService,
    /// Warnings may not be suppressed.
    SuppressionAdded,
    /// A text that emitters write into generated code holds nothing that could end the comment, string or name that it
    /// becomes there.
    UnsafeText,
    /// Generated code is never edited by hand.
    GeneratedCode,
    /// A repair changes at most so many lines in all its attempts.
    TooManyLines,
    /// A repair changes at most so many files in all its attempts.
    TooManyFiles,
    /// A line is not used to hold what should be many.
    LineTooLong,
    /// Checks may not be switched off.
    CheckSilenced,
    /// A repair ends and starts no process, reaches nothing around the library, and runs no text as code.
    ForbiddenCall,
}

impl Rule {
    /// The stable name, for example `outside-editable`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::OutsideEditable => "outside-editable",
            Self::FileRemoved => "file-removed",
            Self::NotAPlainFile => "not-a-plain-file",
            Self::NameNotText => "name-not-text",
            Self::StageTooLarge => "stage-too-large",
            Self::NotText => "not-text",
            Self::HiddenCharacters => "hidden-characters",
            Self::TooLarge => "too-large",
            Self::ChangedSinceStaged => "changed-since-staged",
            Self::UnreadableTypespec => "unreadable-typespec",
            Self::NestedTooDeeply => "nested-too-deeply",
            Self::DecoratorNotAllowed => "decorator-not-allowed",
            Self::UnknownScope => "unknown-scope",
            Self::OtherLanguage => "other-language",
            Self::ClientAugmented => "client-augmented",
            Self::ClientWithLocation => "client-with-location",
            Self::OperationLost => "operation-lost",
            Self::ImportNotAllowed => "import-not-allowed",
            Self::ImportRemoved => "import-removed",
            Self::UsingNotAllowed => "using-not-allowed",
            Self::StatementNotAllowed => "statement-not-allowed",
            Self::DeclarationChanged => "declaration-changed",
            Self::DeclarationInService => "declaration-in-service",
            Self::SuppressionAdded => "suppression-added",
            Self::UnsafeText => "unsafe-text",
            Self::GeneratedCode => "generated-code",
            Self::TooManyLines => "too-many-lines",
            Self::TooManyFiles => "too-many-files",
            Self::LineTooLong => "line-too-long",
            Self::CheckSilenced => "check-silenced",
            Self::ForbiddenCall => "forbidden-call",
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// A rule that a difference breaks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Violation {
    /// The rule.
    pub rule: Rule,
    /// The file, relative to the root of its grant.
    pub path: String,
    /// What breaks the rule and what would not: a lower-case sentence without a full stop, fit for the agent.
    pub message: String,
}

impl Violation {
    pub(crate) fn new(rule: Rule, path: &str, message: impl Into<String>) -> Self {
        Self { rule, path: path.to_owned(), message: message.into() }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} ({}): {}", self.path, self.rule, self.message)
    }
}

/// One file of a difference in its four states. Contents are bytes as they are on disk; `None` means no such file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The path, relative to the root of the grant.
    pub path: String,
    /// When the run began.
    pub original: Option<Vec<u8>>,
    /// When the stage of this attempt was built: what the agent was given.
    pub staged: Option<Vec<u8>>,
    /// In the repository now.
    pub now: Option<Vec<u8>>,
    /// In the stage now: what the agent made of it.
    pub after: Option<Vec<u8>>,
}

/// One file to write into the repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Landing {
    /// The path, relative to the root of the grant.
    pub path: String,
    /// What must be there still; `None` means nothing may be there.
    pub expected: Option<Vec<u8>>,
    /// What to write.
    pub content: Vec<u8>,
}

/// What the gate decided about a whole difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Every rule holds. Empty when the agent changed nothing.
    Lands(Vec<Landing>),
    /// At least one rule is broken; nothing may be written.
    Refused(Vec<Violation>),
}

impl Verdict {
    /// Lands exactly when there is no violation.
    pub(super) fn of(candidates: &[Candidate], mut violations: Vec<Violation>) -> Self {
        if !violations.is_empty() {
            violations.dedup();
            return Self::Refused(violations);
        }
        let landings = candidates
            .iter()
            .filter(|candidate| candidate.after != candidate.staged)
            .filter_map(|candidate| {
                candidate.after.clone().map(|content| Landing {
                    path: candidate.path.clone(),
                    expected: candidate.staged.clone(),
                    content,
                })
            })
            .collect();
        Self::Lands(landings)
    }
}

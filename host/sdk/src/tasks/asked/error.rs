//! Why directives cannot be used.

use thiserror::Error;

/// Why directives cannot be used. Each is one sentence; nothing was started.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DirectiveError {
    /// The file is not a list of directives.
    #[error("the directives cannot be read: {reason}")]
    NotAList {
        /// What is wrong.
        reason: String,
    },
    /// More than a person writes.
    #[error("there are {count} directives, and at most {most} are taken at once")]
    TooMany {
        /// How many there are.
        count: usize,
        /// How many are taken.
        most: usize,
    },
    /// Not of the form that the option takes.
    #[error("`{written}` is not a directive: {expected}")]
    Malformed {
        /// As written.
        written: String,
        /// What is expected.
        expected: String,
    },
    /// The scope names no language.
    #[error("`{text}` names no languages")]
    Scope {
        /// As written.
        text: String,
    },
    /// Languages beside the package's that were not allowed.
    #[error("`{written}` changes {languages}, which was not allowed")]
    NotAllowed {
        /// As written.
        written: String,
        /// The languages beside those that are allowed.
        languages: String,
        /// What `--scope` has to be.
        scope: String,
    },
    /// Nothing has the name.
    #[error("the specification has nothing called `{target}`{}", near_words(near))]
    Unknown {
        /// As written.
        target: String,
        /// Names that are close to it.
        near: Vec<String>,
    },
    /// Several things have the name.
    #[error("`{target}` can be {}", or_words(candidates))]
    Ambiguous {
        /// As written.
        target: String,
        /// What it can be: full TypeSpec names with what they are.
        candidates: Vec<String>,
    },
    /// The specification does not allow it.
    #[error("`{written}` cannot be done: {reason}")]
    Refused {
        /// As written.
        written: String,
        /// Why.
        reason: String,
        /// What to do instead.
        approach: String,
    },
    /// The specification does not compile.
    #[error("the specification does not compile: {message}")]
    Broken {
        /// The first error.
        message: String,
    },
}

impl DirectiveError {
    /// What a person can do about it.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::NotAList { .. } => Some(
                "write a JSON list, such as `[{\"action\": \"hide\", \"target\": \"Widgets.deleteWidget\"}]`".into(),
            ),
            Self::Scope { .. } => {
                Some("write languages with commas (`python, csharp`), `!java` for all but one, or `all`".into())
            }
            Self::NotAllowed { scope, .. } => Some(format!("allow it with `--scope {scope}`")),
            Self::Ambiguous { .. } => Some("write the full TypeSpec name".into()),
            Self::Refused { approach, .. } => Some(approach.clone()),
            Self::TooMany { .. } => Some("carry them out in several runs".into()),
            Self::Broken { .. } => Some("correct the specification first".into()),
            Self::Malformed { .. } | Self::Unknown { .. } => None,
        }
    }
}

fn near_words(near: &[String]) -> String {
    if near.is_empty() { String::new() } else { format!("; close to it: {}", or_words(near)) }
}

/// `a`, `b` or `c`, each as it stands.
fn or_words(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [all @ .., last] => format!("{} or {last}", all.join(", ")),
    }
}

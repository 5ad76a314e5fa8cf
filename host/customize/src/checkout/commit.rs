//! Which commit of a specification is meant.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Which commit of a specification a package is generated from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum SpecCommit {
    /// The one that `tsp-location.yaml` names.
    Pinned,
    /// The one that the clone stands at, without what is not committed.
    Head,
    /// This one: 7 to 64 hexadecimal digits.
    Exact(String),
}

/// The text names no commit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not `pinned`, `head` or a commit of 7 to 64 hexadecimal digits")]
pub struct BadSpecCommit(String);

impl FromStr for SpecCommit {
    type Err = BadSpecCommit;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "pinned" => Ok(Self::Pinned),
            "head" => Ok(Self::Head),
            sha if is_commit(sha) => Ok(Self::Exact(sha.to_ascii_lowercase())),
            other => Err(BadSpecCommit(other.to_owned())),
        }
    }
}

/// Whether a text has the form of a commit's name, so that git takes it for nothing else.
pub(super) fn is_commit(text: &str) -> bool {
    (7..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

impl fmt::Display for SpecCommit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Pinned => "pinned",
            Self::Head => "head",
            Self::Exact(commit) => commit,
        })
    }
}

impl TryFrom<String> for SpecCommit {
    type Error = BadSpecCommit;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<SpecCommit> for String {
    fn from(commit: SpecCommit) -> Self {
        commit.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_hexadecimal_digits_are_taken_and_nothing_that_git_could_read_otherwise() {
        for (text, expected) in [
            ("pinned", SpecCommit::Pinned),
            ("head", SpecCommit::Head),
            ("ABCDEF1", SpecCommit::Exact("abcdef1".into())),
        ] {
            assert_eq!(text.parse(), Ok(expected));
        }
        for text in ["", "HEAD", "main", "abc", "--upload-pack=x", "HEAD~1", "abcdef1^{tree}", "abcdefg1"] {
            assert!(text.parse::<SpecCommit>().is_err(), "{text}");
        }
    }
}

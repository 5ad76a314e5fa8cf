//! One `--grant`: `NAME=PATH[:ro|:rw]`.

use crate::exit::{Error, Result};
use bailiwick_sandbox::Access;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// A directory that a person grants, as the command line names it and as sessions of agents keep it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct GrantArgument {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    access: Option<Suffix>,
}

/// What follows the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Suffix {
    Ro,
    Rw,
}

impl GrantArgument {
    /// Reads all values of a command's `--grant`.
    pub(crate) fn all(texts: &[String]) -> Result<Vec<Self>> {
        texts.iter().map(|text| text.parse()).collect()
    }

    /// The access that the suffix names; `None` without a suffix.
    pub(crate) fn access(&self) -> Option<Access> {
        self.access.map(|suffix| match suffix {
            Suffix::Ro => Access::ReadOnly,
            Suffix::Rw => Access::ReadWrite,
        })
    }
}

impl FromStr for GrantArgument {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let parts = text.split_once('=').map(|(name, rest)| match rest.rsplit_once(':') {
            Some((path, "rw")) => (name, path, Some(Suffix::Rw)),
            Some((path, "ro")) => (name, path, Some(Suffix::Ro)),
            _ => (name, rest, None),
        });
        let Some((name, path, access)) = parts.filter(|(_, path, _)| !path.is_empty()) else {
            return Err(Error::usage(format!("`{}` is not a grant", text.escape_debug()))
                .hint("write `--grant NAME=PATH`, for example `--grant sdk=.:rw`"));
        };
        Ok(Self { name: name.to_owned(), path: path.into(), access })
    }
}

impl fmt::Display for GrantArgument {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suffix = match self.access {
            Some(Suffix::Ro) => ":ro",
            Some(Suffix::Rw) => ":rw",
            None => "",
        };
        write!(formatter, "{}={}{suffix}", self.name, self.path.display())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_path_and_suffix_are_read_and_written_alike() {
        use Access::{ReadOnly, ReadWrite};
        for (text, name, path, access) in [
            ("sdk=.", "sdk", ".", None),
            ("sdk=/a/b:ro", "sdk", "/a/b", Some(ReadOnly)),
            ("sdk=/a/b:rw", "sdk", "/a/b", Some(ReadWrite)),
            // Anything else behind a colon belongs to the path, as does a second `=`.
            ("sdk=/a:b", "sdk", "/a:b", None),
            ("sdk=/a:RW", "sdk", "/a:RW", None),
            ("sdk=/a:rw:ro", "sdk", "/a:rw", Some(ReadOnly)),
            ("sdk=/a=b:rw", "sdk", "/a=b", Some(ReadWrite)),
            ("sdk=rw", "sdk", "rw", None),
            ("sdk= ", "sdk", " ", None),
            // The sandbox refuses a name that is empty.
            ("=/a", "", "/a", None),
        ] {
            let argument: GrantArgument = text.parse().unwrap();
            assert_eq!((&*argument.name, argument.path.to_str(), argument.access()), (name, Some(path), access));
            assert_eq!(argument.to_string(), text);
        }
    }

    #[test]
    fn text_without_a_name_or_a_path_is_refused() {
        for text in ["", "sdk", "/a:rw", "sdk=", "sdk=:rw", "sdk=:ro", "="] {
            let error = text.parse::<GrantArgument>().unwrap_err();
            assert!(error.message.ends_with("is not a grant"), "{text:?}: {}", error.message);
        }
    }

    #[test]
    fn sessions_keep_it_as_they_always_did() {
        let kept = r#"{"name":"sdk","path":"/a","access":"rw"}"#;
        let argument: GrantArgument = serde_json::from_str(kept).unwrap();
        assert_eq!(argument, "sdk=/a:rw".parse().unwrap());
        assert_eq!(serde_json::to_string(&argument).unwrap(), kept);
        let without = serde_json::to_string(&"sdk=/a".parse::<GrantArgument>().unwrap()).unwrap();
        assert_eq!(without, r#"{"name":"sdk","path":"/a","access":null}"#);
    }
}

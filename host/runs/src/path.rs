//! Relative paths as callers write them, checked before anything is opened.

use std::ffi::{OsStr, OsString};

use crate::error::StoreError;

/// Components of a path beneath a root: at least one, none empty, `.`, `..` or with a NUL.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RelativePath(Vec<OsString>);

impl RelativePath {
    /// Trailing slashes are stripped, because a kernel follows a link that is written `link/`.
    pub(crate) fn parse(text: &str) -> Result<Self, StoreError> {
        let refuse = |reason| StoreError::BadPath { path: text.to_owned(), reason };
        if text.starts_with('/') {
            return Err(refuse("is absolute"));
        }
        let trimmed = text.trim_end_matches('/');
        if trimmed.is_empty() {
            return Err(refuse("is empty"));
        }
        let mut components = Vec::new();
        for component in trimmed.split('/') {
            match component {
                "" => return Err(refuse("has an empty component")),
                "." | ".." => return Err(refuse("has a `.` or `..` component")),
                _ if component.contains('\0') => return Err(refuse("has a NUL")),
                _ => components.push(OsString::from(component)),
            }
        }
        Ok(Self(components))
    }

    pub(crate) fn components(&self) -> &[OsString] {
        &self.0
    }

    /// The directories on the way, and the name in the last of them.
    pub(crate) fn split(&self) -> (&[OsString], &OsStr) {
        match self.0.split_last() {
            Some((name, parents)) => (parents, name),
            None => (&[], OsStr::new("")),
        }
    }
}

/// `parent/name` for messages and reports; bytes that are not UTF-8 are shown as U+FFFD.
pub(crate) fn join(parent: &str, name: &OsStr) -> String {
    if parent.is_empty() { name.to_string_lossy().into_owned() } else { format!("{parent}/{}", name.to_string_lossy()) }
}

/// `root/path` for messages.
pub(crate) fn shown(root: &str, path: &RelativePath) -> String {
    path.components().iter().fold(root.to_owned(), |parent, name| join(&parent, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_could_lead_out_are_refused() {
        for text in ["", "/", "///", "/etc", "..", "a/../b", "a/./b", "./a", "a//b", "a\0b"] {
            assert!(RelativePath::parse(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn trailing_slashes_are_stripped() {
        assert_eq!(RelativePath::parse("a/b//").unwrap(), RelativePath::parse("a/b").unwrap());
    }
}

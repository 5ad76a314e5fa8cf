//! How strictly the configuration of a package has its code checked, in a language in which a build reads it from the package.

use std::collections::{BTreeMap, BTreeSet};

/// What a configuration says of one check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Said {
    /// The check is not made.
    Off,
    /// Nothing is said: the version of the tool decides.
    Nothing,
    /// The check is made.
    On,
}

/// What the configuration says with which a package is built.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Strictness {
    /// The checks of which something is said.
    pub(super) said: BTreeMap<String, Said>,
    /// What says more and cannot be read here. It may say anything, so that one more of them may say less.
    pub(super) unread: BTreeSet<String>,
    /// The files of the package that say it, relative to it.
    pub(super) files: BTreeMap<String, Vec<u8>>,
}

impl Strictness {
    fn of(&self, check: &str) -> Said {
        self.said.get(check).copied().unwrap_or(Said::Nothing)
    }

    /// The checks that are less strict in `now`, and what cannot be read in one of both alone.
    pub(crate) fn loosened<'a>(&'a self, now: &'a Self) -> Vec<&'a str> {
        let checks = self.said.keys().chain(now.said.keys().filter(|check| !self.said.contains_key(*check)));
        let less = checks.map(String::as_str).filter(|check| now.of(check) < self.of(check));
        less.chain(self.unread.symmetric_difference(&now.unread).map(String::as_str)).collect()
    }

    /// The files of the package that say it.
    pub(crate) fn files(&self) -> &BTreeMap<String, Vec<u8>> {
        &self.files
    }
}

//! Whether an update is a downgrade: to an older version, or to a component that was used before.
//!
//! The signature of an old release stays valid, and everyone who may push can move a tag back to it. So a downgrade needs
//! the person's consent.
//!
//! `semver` is not used: it reads exactly three numbers, and tools have versions such as `1.2` and `v2`, which six of the ten pairs in the
//! test below have.

use crate::digest::Digest;
use crate::store::{Entry, Release};
use std::cmp::Ordering;
use std::fmt;

/// What an update would go back to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Downgrade {
    /// Its manifest has an older version.
    Version {
        /// The version that is used.
        used: String,
        /// The older one.
        offered: String,
    },
    /// The component was used before, and another one took its place.
    Component(Digest),
}

impl Downgrade {
    /// What is told of it when `release` is to take the place of what is used; `None` where it goes forward, as far as
    /// versions can be compared.
    #[must_use]
    pub fn of(entry: &Entry, release: &Release) -> Option<Self> {
        let version = |release: &Release| release.manifest.as_ref().map(|manifest| manifest.version.clone());
        if let (Some(used), Some(offered)) = (version(&entry.current), version(release))
            && compare(&offered, &used) == Some(Ordering::Less)
        {
            return Some(Self::Version { used, offered });
        }
        let before = release.digest != entry.current.digest && entry.previous.contains(&release.digest);
        before.then(|| Self::Component(release.digest.clone()))
    }
}

impl fmt::Display for Downgrade {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Version { used, offered } => {
                write!(formatter, "it is older than what is used: version {offered} after {used}")
            }
            Self::Component(digest) => {
                write!(formatter, "its component was used before, and replaced: sha256 {}", digest.hex())
            }
        }
    }
}

/// Compares versions as semantic versioning does, with any number of numbers; `None` where one has another form.
fn compare(one: &str, other: &str) -> Option<Ordering> {
    let ((one, early), (other, other_early)) = (parts(one)?, parts(other)?);
    let longest = one.len().max(other.len());
    let filled = |numbers: &[u64]| (0..longest).map(|at| numbers.get(at).copied().unwrap_or(0)).collect::<Vec<_>>();
    let order = filled(&one).cmp(&filled(&other));
    Some(order.then_with(|| match (early, other_early) {
        (None, None) => Ordering::Equal,
        (None, Some(_)) => Ordering::Greater,
        (Some(_), None) => Ordering::Less,
        (Some(early), Some(other)) => early.split('.').map(Identifier::of).cmp(other.split('.').map(Identifier::of)),
    }))
}

/// The numbers of a version and what stands behind `-`, without what stands behind `+`.
fn parts(version: &str) -> Option<(Vec<u64>, Option<&str>)> {
    let version = version.trim().trim_start_matches(['v', 'V']);
    let version = version.split_once('+').map_or(version, |(before, _)| before);
    let (numbers, early) = version.split_once('-').map_or((version, None), |(numbers, early)| (numbers, Some(early)));
    let numbers = numbers.split('.').map(|number| number.parse().ok()).collect::<Option<_>>()?;
    Some((numbers, early))
}

/// A part of what stands behind `-`: numbers before words.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Identifier<'a> {
    Number(u64),
    Word(&'a str),
}

impl<'a> Identifier<'a> {
    fn of(text: &'a str) -> Self {
        text.parse().map_or(Self::Word(text), Self::Number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::Manifest;
    use crate::store::{Consent, Source};

    #[test]
    fn versions_are_compared_by_their_numbers_and_others_not_at_all() {
        let cases = [
            ("1.9", "1.10", Some(Ordering::Less)),
            ("1.2", "1.2.0", Some(Ordering::Equal)),
            ("v2", "1.9.9", Some(Ordering::Greater)),
            ("1.0.0-rc.2", "1.0.0-rc.10", Some(Ordering::Less)),
            ("1.0.0-rc.1", "1.0.0", Some(Ordering::Less)),
            ("1.0.0-1", "1.0.0-a", Some(Ordering::Less)),
            ("1.0.0+a", "1.0.0+b", Some(Ordering::Equal)),
            ("1.x", "1.0", None),
            ("", "1", None),
            ("99999999999999999999", "1", None),
        ];
        for (one, other, expected) in cases {
            assert_eq!(compare(one, other), expected, "{one} {other}");
            assert_eq!(compare(other, one), expected.map(Ordering::reverse), "{other} {one}");
        }
    }

    #[test]
    fn older_version_and_component_that_was_used_before_are_steps_back() {
        let release = |version: &str, component: &[u8]| {
            let text = format!(
                "schema = 1\nname = \"t\"\nversion = \"{version}\"\ndescription = \"d\"\ncomponent = \"t.wasm\"\n"
            );
            Release {
                digest: Digest::of(component),
                tools: Vec::new(),
                manifest: Some(Manifest::parse(&text).unwrap()),
                words: None,
                source: Source::Unknown,
            }
        };
        let entry = Entry {
            current: release("1.2", b"now"),
            consent: Consent::Unasked,
            update: None,
            previous: vec![Digest::of(b"before"), Digest::of(b"now")],
        };
        let back = |release: &Release| Downgrade::of(&entry, release);
        assert_eq!(
            back(&release("1.1", b"other")),
            Some(Downgrade::Version { used: "1.2".into(), offered: "1.1".into() })
        );
        for version in ["1.2", "1.3", "odd"] {
            assert_eq!(back(&release(version, b"before")), Some(Downgrade::Component(Digest::of(b"before"))));
            assert_eq!(back(&release(version, b"other")), None);
            // The version in use is not a step back, whatever was used before.
            assert_eq!(back(&release(version, b"now")), None);
        }
        assert_eq!(back(&Release { manifest: None, ..release("1", b"other") }), None);
    }
}

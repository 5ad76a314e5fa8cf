//! `tests/services.toml`.

use anyhow::{Context, Result};
use serde::Deserialize;
use std::path::Path;

/// All services.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    #[serde(rename = "service")]
    pub(super) services: Vec<Service>,
}

/// One package of a service.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Service {
    pub(super) language: Language,
    /// The name of the published package; of a Java one the artifact in the group `com.azure`.
    pub(super) package: String,
    pub(super) version: String,
    /// The directory in the SDK repository that holds the package's.
    pub(super) directory: String,
    /// The TypeSpec project in the specification repository.
    pub(super) specification: String,
    #[serde(default, rename = "request")]
    pub(super) requests: Vec<Request>,
}

/// A request, and what has to come of it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    pub(super) text: String,
    /// What the code of the package holds after a success.
    #[serde(default)]
    pub(super) shows: Vec<String>,
    /// What it no longer holds.
    #[serde(default)]
    pub(super) gone: Vec<String>,
    /// What a careful colleague would do.
    #[serde(default)]
    pub(super) expect: Expect,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Expect {
    /// It is carried out.
    #[default]
    Success,
    /// It is left to a person, with the reason.
    Guidance,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Language {
    Python,
    Java,
}

impl Language {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Python => "Python",
            Self::Java => "Java",
        }
    }

    /// The name of the SDK repository.
    pub(super) fn repository(self) -> &'static str {
        match self {
            Self::Python => "azure-sdk-for-python",
            Self::Java => "azure-sdk-for-java",
        }
    }

    /// How the names of its source files end.
    pub(super) fn extension(self) -> &'static str {
        match self {
            Self::Python => "py",
            Self::Java => "java",
        }
    }
}

impl Manifest {
    pub(super) fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read `{}`", path.display()))?;
        toml::from_str(&text).with_context(|| format!("`{}` is not as expected", path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_service_of_the_manifest_is_whole_and_every_request_of_success_says_what_shows_it() {
        let manifest = Manifest::read(&crate::repository::root().join(super::super::MANIFEST)).unwrap();
        assert!(manifest.services.len() >= 15, "{}", manifest.services.len());
        for service in &manifest.services {
            assert!(service.directory.starts_with("sdk/") && service.specification.starts_with("specification/"));
            for request in &service.requests {
                let shown = !request.shows.is_empty() || !request.gone.is_empty();
                assert_eq!(shown, request.expect == Expect::Success, "{}: {}", service.package, request.text);
            }
        }
    }
}

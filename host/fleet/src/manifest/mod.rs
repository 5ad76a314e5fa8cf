//! What there is to do: which packages, at which commits, and what with them.

mod key;
mod read;

use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;

use bailiwick_base::time::Moment;
use bailiwick_base::{random, text};
use serde::{Deserialize, Serialize};

pub use key::Key;

/// The format of manifests that this version writes and reads.
const FORMAT: u32 = 1;

/// The name of a fleet: its time and 32 random bits, `20261124-130405-678-1f0a93bc`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct FleetId(String);

impl FleetId {
    /// A new name.
    ///
    /// # Errors
    /// The system has no source of random bytes.
    pub fn new() -> std::io::Result<Self> {
        Ok(Self(format!("{}-{}", Moment::now().compact(), text::hex(&random::bytes::<4>()?))))
    }

    /// The name as text. It is the name of a directory, and no path.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for FleetId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl TryFrom<String> for FleetId {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let harmless = |byte: u8| byte.is_ascii_digit() || byte == b'-' || (b'a'..=b'f').contains(&byte);
        if (8..=40).contains(&text.len()) && text.bytes().all(harmless) {
            Ok(Self(text))
        } else {
            Err(format!("`{text}` is not the name of a fleet"))
        }
    }
}

impl From<FleetId> for String {
    fn from(id: FleetId) -> Self {
        id.0
    }
}

/// What is done with each package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// It is generated anew.
    Generate,
    /// It is built.
    Build,
    /// Its tests are run.
    Test,
    /// It is generated anew and built, and its customization code is repaired where that fails.
    Fix,
    /// A request is carried out.
    Customize,
}

impl Action {
    /// The command that does it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Generate => "generate",
            Self::Build => "build",
            Self::Test => "test",
            Self::Fix => "fix",
            Self::Customize => "customize",
        }
    }

    /// Whether it takes the specification of the package.
    #[must_use]
    pub fn reads_specification(self) -> bool {
        matches!(self, Self::Generate | Self::Fix | Self::Customize)
    }
}

/// A commit of a repository, and where a clone of it is on this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Source {
    /// The repository's name: `azure-sdk-for-python`.
    pub repository: String,
    /// The root of a clone. It differs from machine to machine, so it is not part of the key.
    pub clone: PathBuf,
    /// The commit, in full.
    pub commit: String,
}

/// The specification of a package.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Specification {
    /// Its repository, and the commit to work with.
    pub source: Source,
    /// The project and the directories that it imports from, from the root of the repository; the project first.
    pub directories: Vec<String>,
    /// A newer commit with which the package is generated once more, to tell its changes apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub newer: Option<String>,
}

/// The work on one package.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Job {
    /// Names the job: see [`Key`].
    pub key: Key,
    /// The package from the root of its repository: `sdk/widget/azure-widget`.
    pub package: String,
    /// The SDK repository.
    pub sdk: Source,
    /// Directories of the SDK repository that are checked out beside the package: `eng`.
    #[serde(default)]
    pub beside: Vec<String>,
    /// Its specification, where the action reads it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub specification: Option<Specification>,
    /// The language's token: `python`.
    pub language: String,
    /// What is done.
    pub action: Action,
    /// The request of a customization.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<String>,
    /// Which model works.
    pub model: String,
    /// Digest of the emitter's package file and lock file.
    pub emitter: String,
    /// How long it took last time, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<f64>,
}

impl Job {
    /// The package with its repository in front, which no other package has.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}/{}", self.sdk.repository, self.package)
    }
}

/// A package that is not worked on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Skipped {
    /// The package with its repository in front.
    pub package: String,
    /// Why.
    pub reason: String,
}

/// All packages of a fleet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Manifest {
    /// The format of this file.
    pub format: u32,
    /// The fleet.
    pub fleet: FleetId,
    /// When it was planned, RFC 3339 in UTC.
    pub planned: String,
    /// The version of bailiwick, which is a part of every key.
    pub version: String,
    /// What is worked on.
    pub jobs: Vec<Job>,
    /// What is not.
    pub skipped: Vec<Skipped>,
}

impl Manifest {
    /// A manifest of these packages.
    ///
    /// # Errors
    /// The system has no source of random bytes.
    pub fn new(version: &str, jobs: Vec<Job>, skipped: Vec<Skipped>) -> std::io::Result<Self> {
        let planned = Moment::now().rfc3339();
        let version = version.to_owned();
        let mut manifest = Self { format: FORMAT, fleet: FleetId::new()?, planned, version, jobs, skipped };
        for job in &mut manifest.jobs {
            job.key = Key::of(job, &manifest.version);
        }
        Ok(manifest)
    }

    /// The job with this key.
    #[must_use]
    pub fn job(&self, key: &Key) -> Option<&Job> {
        self.jobs.iter().find(|job| job.key == *key)
    }

    /// Whether a result for one of the two is one for the other: it has the same jobs, wherever its clones are, and skips
    /// the same packages.
    #[must_use]
    pub(crate) fn is_same_work(&self, other: &Self) -> bool {
        let keys = |manifest: &Self| manifest.jobs.iter().map(|job| job.key.clone()).collect::<BTreeSet<_>>();
        keys(self) == keys(other) && self.skipped == other.skipped
    }

    /// How many packages there are, those included that are skipped.
    #[must_use]
    pub fn packages(&self) -> usize {
        self.jobs.len().saturating_add(self.skipped.len())
    }
}

#[cfg(test)]
pub(crate) mod testing;

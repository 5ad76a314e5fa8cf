//! What stands in messages and entries. All of it may have been written by somebody else.

// Another machine wrote it.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use serde::{Deserialize, Serialize};

use crate::judge::Ended;
use crate::manifest::{Job, Manifest};
use crate::verdict::JobResult;

/// The largest message with a job, in bytes.
pub(super) const MESSAGE_BYTES: usize = 256 << 10;
/// The largest entry of a job, in bytes.
pub(super) const ENTRY_BYTES: usize = 4 << 10;
/// The largest result, in bytes.
pub(super) const RESULT_BYTES: usize = 4 << 20;
/// The largest artifact, in bytes, and all artifacts of a job together.
pub(super) const ARTIFACT_BYTES: usize = 64 << 20;
pub(super) const ARTIFACTS_BYTES: usize = 256 << 20;
/// The most artifacts of a job.
pub(super) const ARTIFACTS: usize = 64;

/// The entry of a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum Entry {
    /// No worker has it; so many attempts were begun.
    Waiting { attempts: u32 },
    /// A worker has it.
    AtWork { attempt: u32, worker: String },
    /// It was done, and this is its result.
    Done { attempt: u32, result: Object },
}

impl Entry {
    /// How many attempts were begun.
    pub(super) fn attempts(&self) -> u32 {
        match self {
            Self::Waiting { attempts } => *attempts,
            Self::AtWork { attempt, .. } | Self::Done { attempt, .. } => *attempt,
        }
    }

    /// Reads one; `None` if the bytes are something else.
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        (bytes.len() <= ENTRY_BYTES).then(|| serde_json::from_slice(bytes).ok()).flatten()
    }
}

/// An object of the store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Object {
    /// Its name in the store.
    pub(super) object: String,
    /// SHA-256 of its bytes, in hexadecimal digits.
    pub(super) digest: String,
    /// How many bytes it has.
    pub(super) bytes: usize,
}

/// An artifact of a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Artifact {
    /// Its name beside the result.
    pub(super) name: String,
    /// Where it is.
    pub(super) at: Object,
}

/// What a worker leaves of a job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Envelope {
    pub(super) result: JobResult,
    pub(super) ended: Option<Ended>,
    pub(super) artifacts: Vec<Artifact>,
}

impl Envelope {
    /// Reads one whose artifacts can be kept beneath their names.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, String> {
        let envelope: Self = serde_json::from_slice(bytes).map_err(|error| format!("it cannot be read: {error}"))?;
        let mut names: Vec<&str> = envelope.artifacts.iter().map(|one| one.name.as_str()).collect();
        if names.len() > ARTIFACTS || !names.iter().all(|name| is_plain(name)) {
            return Err("it has artifacts that cannot be kept".to_owned());
        }
        names.sort_unstable();
        names.dedup();
        if names.len() != envelope.artifacts.len() {
            return Err("it has two artifacts of one name".to_owned());
        }
        let all = envelope.artifacts.iter().try_fold(0_usize, |sum, one| sum.checked_add(one.at.bytes));
        if all.is_none_or(|all| all > ARTIFACTS_BYTES) {
            return Err("its artifacts are too large".to_owned());
        }
        Ok(envelope)
    }
}

/// Whether a name is that of a file and no path: `package.patch`.
pub(super) fn is_plain(name: &str) -> bool {
    let harmless = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    (1..=100).contains(&name.len()) && name.bytes().all(harmless) && !name.starts_with('.') && !name.ends_with(".tmp")
}

/// The job of a message with this subject, and the fleet that it is of.
pub(super) fn job(subject: &str, payload: &[u8]) -> Option<(Manifest, Job)> {
    if payload.len() > MESSAGE_BYTES {
        return None;
    }
    let manifest = Manifest::parse(std::str::from_utf8(payload).ok()?).ok()?;
    let [job] = &manifest.jobs[..] else { return None };
    let job = job.clone();
    (subject == self::subject(&manifest, &job)).then_some((manifest, job))
}

/// The subject of a job's message.
pub(super) fn subject(manifest: &Manifest, job: &Job) -> String {
    format!("fleet.{}.{}.{}", manifest.fleet, token(&job.language), job.key)
}

/// The subjects of a language.
pub(super) fn subjects(language: &str) -> String {
    format!("fleet.*.{}.*", token(language))
}

/// A language as a part of a subject.
pub(super) fn token(language: &str) -> String {
    let plain = !language.is_empty() && language.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if plain && language.len() <= 32 { language.to_owned() } else { "other".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::testing;

    #[test]
    fn names_of_artifacts_are_files_and_no_paths() {
        for name in ["answer.json", "package.patch", "audit-0001.jsonl"] {
            assert!(is_plain(name), "{name}");
        }
        for name in ["", ".", "..", "../x", "a/b", "/etc/passwd", "a\0b", ".hidden", "a\nb", "x.tmp", &"a".repeat(101)]
        {
            assert!(!is_plain(name), "{name}");
        }
    }

    #[test]
    fn message_is_taken_where_its_subject_and_its_key_are_those_of_its_one_job() {
        let mut manifest = testing::manifest(2);
        manifest.skipped.clear();
        let two = serde_json::to_vec(&manifest).unwrap();
        manifest.jobs.truncate(1);
        let subject = subject(&manifest, &manifest.jobs[0]);
        let one = serde_json::to_vec(&manifest).unwrap();
        assert!(job(&subject, &one).is_some());
        assert!(job(&subject, &two).is_none());
        assert!(job(&subject.replace("fleet.2", "fleet.3"), &one).is_none() || !subject.contains("fleet.2"));
        let mut edited = manifest.clone();
        edited.jobs[0].package = "../../etc".to_owned();
        assert!(job(&subject, &serde_json::to_vec(&edited).unwrap()).is_none());
        for payload in [&b""[..], b"{}", &vec![b' '; MESSAGE_BYTES + 1]] {
            assert!(job(&subject, payload).is_none());
        }
    }
}

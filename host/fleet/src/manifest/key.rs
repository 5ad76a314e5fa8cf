//! The name of a job, which says everything that its result depends on.

use std::fmt;

use bailiwick_base::text;
use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::{Digest as _, Sha256};

use super::Job;

/// SHA-256 over package, commits, action, request, model, emitter lock and version: the same work has the same key, and any
/// other work another one. The places of clones and the time that something took are not part of it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Key(String);

impl Key {
    /// The key of a job, whatever key it says it has.
    #[must_use]
    pub fn of(job: &Job, version: &str) -> Self {
        let specification = job.specification.as_ref().map(|one| {
            json!({
                "repository": one.source.repository, "commit": one.source.commit,
                "directories": one.directories, "newer": one.newer,
            })
        });
        let said = json!([
            "bailiwick job 1",
            { "repository": job.sdk.repository, "package": job.package, "commit": job.sdk.commit, "beside": job.beside },
            specification,
            { "action": job.action, "request": job.request, "model": job.model },
            { "language": job.language, "emitter": job.emitter, "version": version },
        ]);
        Self(text::hex(&Sha256::digest(said.to_string().as_bytes())))
    }

    /// Stands in a job until [`super::Manifest::new`] makes the key.
    #[must_use]
    pub fn unset() -> Self {
        Self("0".repeat(64))
    }

    /// The 64 digits. They are the name of a file, and no path.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl TryFrom<String> for Key {
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        if text.len() == 64 && text.bytes().all(digit) { Ok(Self(text)) } else { Err(format!("`{text}` is not a key")) }
    }
}

impl From<Key> for String {
    fn from(key: Key) -> Self {
        key.0
    }
}

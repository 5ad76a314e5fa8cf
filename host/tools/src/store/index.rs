//! The index on disk, in all forms that were ever written.

// What stands here is decided by others: nothing of it is an index or a number that is taken on trust.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use super::{Consent, Entry, Release, Source};
use crate::digest::Digest;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The form that is written.
pub(super) const VERSION: u32 = 2;

/// All tools by name.
pub(super) type Entries = BTreeMap<String, Entry>;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Index {
    version: u32,
    components: Entries,
}

/// The first form: a digest without its prefix, and the tools' names.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct First {
    #[expect(dead_code, reason = "it was read before")]
    version: u32,
    components: BTreeMap<String, FirstEntry>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct FirstEntry {
    digest: String,
    tools: Vec<String>,
}

/// Why an index is not read.
pub(super) enum Unread {
    Version(u64),
    Broken(String),
}

pub(super) fn read(text: &[u8]) -> Result<Entries, Unread> {
    #[derive(Deserialize)]
    struct Form {
        version: u64,
    }
    let broken = |error: serde_json::Error| Unread::Broken(error.to_string());
    match serde_json::from_slice::<Form>(text).map_err(broken)?.version {
        1 => first(serde_json::from_slice(text).map_err(broken)?),
        2 => Ok(serde_json::from_slice::<Index>(text).map_err(broken)?.components),
        other => Err(Unread::Version(other)),
    }
}

fn first(index: First) -> Result<Entries, Unread> {
    let entries = index.components.into_iter().map(|(name, entry)| {
        // A digest names a file.
        let digest = Digest::from_hex(&entry.digest)
            .map_err(|_| Unread::Broken(format!("`{}` has no digest", name.escape_debug())))?;
        let release = Release { digest, tools: entry.tools, manifest: None, words: None, source: Source::Unknown };
        Ok((name, Entry { current: release, consent: Consent::Unasked, update: None, previous: Vec::new() }))
    });
    entries.collect()
}

pub(super) fn write(components: &Entries) -> Result<Vec<u8>, serde_json::Error> {
    #[derive(Serialize)]
    struct Written<'a> {
        version: u32,
        components: &'a Entries,
    }
    serde_json::to_vec_pretty(&Written { version: VERSION, components })
}

#[cfg(test)]
mod fuzzing {
    use bailiwick_fuzz::Target;

    #[test]
    fn tool_indexes() {
        const WORDS: &[&str] =
            &["{\"version\":1,", "{\"version\":2,", "\"components\":{", "\"digest\":\"", "\"tools\":[", "null", "}"];
        Target { name: "tool_indexes", words: WORDS }.run(|bytes| {
            let _ = super::read(bytes);
        });
    }
}

//! What a worker leaves, and whether its verdict is the one that follows from it.
//!
//! A worker of this machine is this program. What comes from another machine may have been written by anybody who may
//! write there, so a verdict is taken for what the command said and for nothing more: it is made again from the exit code
//! and the answer, and what it says about patches is counted again in the patches. Who makes all of that up consistently
//! says that a package is done; the patch is there to be looked at, and building it again shows it.

// Another machine wrote it.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use bailiwick_base::text;
use sha2::{Digest as _, Sha256};

use crate::judge::{Ended, judge};
use crate::manifest::{Action, Job};
use crate::patch;
use crate::verdict::{JobResult, Patch, Verdict};

/// The artifact that holds what the command printed.
pub(crate) const ANSWER: &str = "answer.json";

/// What a worker leaves of a job, beside its artifacts.
#[derive(Debug, Clone, PartialEq)]
pub struct Left {
    /// The result.
    pub result: JobResult,
    /// How the command ended; nothing where it was not begun or was stopped.
    pub ended: Option<Ended>,
}

impl From<JobResult> for Left {
    /// A result that no command stands behind.
    fn from(result: JobResult) -> Self {
        Self { result, ended: None }
    }
}

/// What is wrong with a result in the light of what was left with it; nothing where it is what has to be.
#[must_use]
pub fn contradiction(job: &Job, left: &Left, artifacts: &[(String, Vec<u8>)]) -> Option<String> {
    let Left { result, ended } = left;
    if result.key != job.key || result.package != job.name() {
        return Some("it is about another job".to_owned());
    }
    if !result.seconds.is_finite() || result.seconds < 0.0 {
        return Some("it has no duration".to_owned());
    }
    if result.onto.is_some() || matches!(result.verdict, Verdict::Conflict | Verdict::Skipped) {
        return Some(format!("a worker does not say `{}`", result.verdict.name()));
    }
    of_verdict(result, *ended, artifacts).or_else(|| of_patches(job, result, artifacts))
}

/// The verdict is the one that the command's answer and exit code come to.
fn of_verdict(result: &JobResult, ended: Option<Ended>, artifacts: &[(String, Vec<u8>)]) -> Option<String> {
    let Some(ended) = ended else {
        let stopped = matches!(result.verdict, Verdict::Failed | Verdict::Cancelled | Verdict::KilledItsWorker);
        return (!stopped).then(|| format!("it says `{}` of a command that did not end", result.verdict.name()));
    };
    let answer = artifact(artifacts, ANSWER).unwrap_or_default();
    let judged = judge(ended, &String::from_utf8_lossy(answer));
    if judged.verdict != result.verdict {
        return Some(format!("it says `{}`, and the command said `{}`", result.verdict.name(), judged.verdict.name()));
    }
    if judged.message != result.message || judged.causes != result.causes {
        return Some("it gives other reasons than the command".to_owned());
    }
    // A comparison with a newer specification may add to what the command asks a person to do.
    (!result.guidance.starts_with(&judged.guidance)).then(|| "it asks for other things than the command".to_owned())
}

/// Every patch is there, is of this job, and is as large as it is said to be.
fn of_patches(job: &Job, result: &JobResult, artifacts: &[(String, Vec<u8>)]) -> Option<String> {
    let changes = !matches!(job.action, Action::Build | Action::Test);
    let may = changes && (result.verdict.is_done() || result.verdict == Verdict::Guidance);
    if !may && !result.patches.is_empty() {
        return Some("it has a patch and is not done".to_owned());
    }
    if may && result.patch(Patch::PACKAGE).is_none() {
        return Some("it has no patch of its package".to_owned());
    }
    let mut seen = Vec::new();
    for one in &result.patches {
        let directory = match one.of.as_str() {
            Patch::PACKAGE | Patch::NEWER_SPECIFICATION => Some(job.package.as_str()),
            Patch::SPECIFICATION => {
                job.specification.as_ref().and_then(|one| one.directories.first()).map(String::as_str)
            }
            _ => None,
        };
        let Some(directory) = directory.filter(|_| !seen.contains(&one.of)) else {
            return Some("it has a patch of something else".to_owned());
        };
        seen.push(one.of.clone());
        let Some(content) = artifact(artifacts, &format!("{}.patch", one.of)) else {
            return Some(format!("the patch of its {} is missing", one.of));
        };
        if text::hex(&Sha256::digest(content)) != one.digest {
            return Some(format!("the patch of its {} is another one", one.of));
        }
        if one.of == Patch::PACKAGE && one.base != job.sdk.commit {
            return Some("its patch is for another commit".to_owned());
        }
        match patch::size(content, directory) {
            Ok(size) if size == (one.files, one.lines) => {}
            Ok((files, lines)) => {
                return Some(format!("its patch changes {files} files and {lines} lines, and not what it says"));
            }
            Err(reason) => return Some(reason),
        }
    }
    None
}

fn artifact<'a>(artifacts: &'a [(String, Vec<u8>)], name: &str) -> Option<&'a [u8]> {
    artifacts.iter().find(|(known, _)| known == name).map(|(_, content)| &content[..])
}

#[cfg(test)]
mod tests;

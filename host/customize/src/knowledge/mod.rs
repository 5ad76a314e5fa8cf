//! What agents read about client customizations: the repository's own page where there is one, else the embedded one.

use std::path::Path;

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use serde::{Deserialize, Serialize};

use crate::stage::read_plain;
use crate::typespec::SpecProject;

/// The page that comes with the program.
pub const EMBEDDED: &str = include_str!("../../knowledge/customizing-client-tsp.md");
/// Where a repository keeps its own page.
pub const IN_REPOSITORY: &str = "eng/common/knowledge/customizing-client-tsp.md";
/// Where an MCP client reads [`EMBEDDED`].
pub const RESOURCE: &str = "bailiwick://knowledge/customizing-client-tsp";
/// A longer page does not fit into a prompt.
const LIMIT: usize = 60_000;

/// Whose page it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Owner {
    /// The specification repository's.
    Specification,
    /// The SDK repository's.
    Sdk,
}

/// A page and where it is from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reference {
    text: String,
    /// Where it is from.
    pub(crate) origin: Origin,
}

/// Where a page is from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    /// It came with the program.
    Embedded,
    /// The specification repository, or else the SDK repository, has it.
    Repository(Owner),
    /// A repository has one that cannot be used, so it is the embedded one.
    PassedOver {
        /// Why not, as a phrase.
        reason: String,
    },
}

impl Reference {
    /// The page for a project. A repository's page that cannot be used does not stop the run.
    pub(crate) fn of(project: &SpecProject) -> Self {
        let sdk = project.sdk.as_ref().map(|(_, root)| (root, Owner::Sdk));
        std::iter::once((&project.root, Owner::Specification))
            .chain(sdk)
            .find_map(|(root, owner)| Some((read(root).transpose()?, owner)))
            .map_or_else(Self::embedded, |(found, owner)| match found {
                Ok(text) => Self { text: without_comments(&text), origin: Origin::Repository(owner) },
                Err(reason) => Self { origin: Origin::PassedOver { reason }, ..Self::embedded() },
            })
    }

    /// The page that comes with the program.
    pub(crate) fn embedded() -> Self {
        Self { text: without_comments(EMBEDDED), origin: Origin::Embedded }
    }

    /// All of it, for who edits.
    pub(crate) fn whole(&self) -> &str {
        &self.text
    }

    /// Without its examples, for who only judges.
    pub(crate) fn words(&self) -> String {
        without_examples(&self.text)
    }
}

/// The page beneath the root of a repository, if it has one; an error says why it cannot be used. No link is followed.
fn read(root: &Path) -> Result<Option<String>, String> {
    let root = Dir::open_ambient_dir(root, ambient_authority()).map_err(|error| error.to_string())?;
    let Some(bytes) = read_plain(&root, IN_REPOSITORY, LIMIT).map_err(|error| error.to_string())? else {
        return Ok(None);
    };
    match String::from_utf8(bytes) {
        Ok(text) if text.trim().is_empty() => Err(format!("`{IN_REPOSITORY}` is empty")),
        Ok(text) => Ok(Some(text)),
        Err(_) => Err(format!("`{IN_REPOSITORY}` is not text")),
    }
}

/// What a reader of the rendered page does not see, a model need not read either.
fn without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut inside = false;
    for line in text.lines() {
        inside |= line.trim_start().starts_with("<!--");
        if !inside {
            kept.push_str(line);
            kept.push('\n');
        }
        inside &= !line.trim_end().ends_with("-->");
    }
    kept
}

/// Leaves out what stands between fences.
fn without_examples(text: &str) -> String {
    let mut fence: Option<&str> = None;
    let mut kept = String::with_capacity(text.len());
    for line in text.lines() {
        let ticks = &line[..line.len() - line.trim_start_matches('`').len()];
        match fence {
            Some(open) if ticks.len() >= open.len() => fence = None,
            Some(_) => {}
            None if ticks.len() >= 3 => fence = Some(ticks),
            None => {
                kept.push_str(line);
                kept.push('\n');
            }
        }
    }
    kept
}

#[cfg(test)]
mod tests;

//! What a person may mean who has begun to fill in an argument: package paths, runs, languages.
//!
//! An argument that is known and takes any text has no suggestions; one that is not known is an error.

mod packages;

use crate::caller::Caller;
use crate::failure::Failure;
use crate::refusal::Refusal;
use crate::resources::{Document, template};
use crate::roots::Directories;
use crate::tools::Shared;
use rmcp::model::CompletionInfo;
use std::sync::Arc;

/// The languages that libraries are generated for, as people write them.
const LANGUAGES: [&str; 5] = [".NET", "Go", "Java", "JavaScript", "Python"];

/// What can be suggested for an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The directory of a package.
    Package,
    /// The name of a run.
    Run,
    /// A language that libraries are generated for.
    Language,
    /// Any text.
    Words,
}

impl Kind {
    /// The kind of an argument of the templates and prompts of this server.
    #[must_use]
    pub fn of(argument: &str) -> Self {
        match argument {
            "packagePath" => Self::Package,
            "runId" => Self::Run,
            "language" => Self::Language,
            _ => Self::Words,
        }
    }
}

/// Whether a form of addresses of this server has an argument; `None` if there is no such form.
#[must_use]
pub fn has_argument(uri: &str, argument: &str) -> Option<bool> {
    Document::ALL.into_iter().any(|document| template(document) == uri).then_some(argument == "runId")
}

/// Suggestions for an argument of which `value` was typed, sorted, as many as the protocol allows.
///
/// # Errors
/// The runs or directories cannot be read.
pub(crate) async fn suggest(
    shared: &Arc<Shared>,
    (caller, directories): (&Caller, &Directories),
    kind: Kind,
    value: &str,
) -> Result<CompletionInfo, Refusal> {
    let value = value.to_owned();
    match kind {
        Kind::Words => return Ok(bounded(Vec::new())),
        Kind::Language => return Ok(bounded(matching(LANGUAGES.into_iter(), &value))),
        Kind::Run | Kind::Package => {}
    }
    let named = shared.packages(directories).await?;
    let store = shared.store(caller, directories).await?;
    let suggested = tokio::task::spawn_blocking(move || match kind {
        // The latest first, as in every list of runs.
        Kind::Run => {
            let runs = store.list()?;
            Ok(runs.into_iter().map(|run| run.id.to_string()).filter(|id| id.starts_with(&value)).collect())
        }
        Kind::Package => {
            let known = store.list()?;
            let roots = known.into_iter().flat_map(|run| run.roots);
            let packages = roots.filter(|(name, _)| name == "sdk").map(|(_, directory)| directory);
            Ok(packages::suggest(packages, &named, &value))
        }
        Kind::Words | Kind::Language => Ok(Vec::new()),
    });
    let suggested: Vec<String> = suggested
        .await
        .unwrap_or_else(|error| Err(Failure::new(format!("the suggestions cannot be read: {error}"))))?;
    Ok(bounded(suggested))
}

/// What begins with what was typed, in any case of letters.
fn matching(words: impl Iterator<Item = &'static str>, value: &str) -> Vec<String> {
    let value = value.to_lowercase();
    words.filter(|word| word.to_lowercase().starts_with(&value)).map(str::to_owned).collect()
}

/// As many as the protocol allows, and how many there are.
pub(crate) fn bounded(mut values: Vec<String>) -> CompletionInfo {
    let total = values.len();
    values.truncate(CompletionInfo::MAX_VALUES);
    let more = total > values.len();
    CompletionInfo::with_pagination(values, u32::try_from(total).ok(), more).unwrap_or_default()
}

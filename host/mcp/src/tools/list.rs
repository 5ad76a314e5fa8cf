//! `azsdk_run_list`: the runs, latest first.

use super::{Shared, arguments, schema, structured};
use crate::call::Call;
use crate::failure::Failure;
use crate::tool::{Answer, Definition, Effect, Reach, Tool};
use async_trait::async_trait;
use bailiwick_runs::RunSummary;
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;

/// So many runs where the caller does not say.
const USUAL: u32 = 20;
/// So many characters of a request.
const REQUEST: usize = 200;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Arguments {
    /// The most runs to list, 1 to 200; 20 without it.
    #[serde(default)]
    #[schemars(with = "u32", range(min = 1, max = 200))]
    limit: Option<u32>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Listed {
    /// Latest first.
    runs: Vec<Line>,
    /// How many there are in all.
    total: usize,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Line {
    /// The run.
    run_id: String,
    /// How far it is: `running`, `pending` (it waits for approve or revert), `approved`, `reverted`, `unchanged`, `failed`…
    status: String,
    /// What kind of work: `customize`, `generate` or `build`.
    kind: String,
    /// The directory name of the package.
    package: String,
    /// The beginning of what was asked.
    request: String,
    /// When it began, RFC 3339 in UTC.
    started: String,
    /// How many files differed when it ended.
    changed: usize,
}

impl Line {
    fn new(run: &RunSummary) -> Self {
        let package = run.roots.iter().find(|(name, _)| name == "sdk").and_then(|(_, path)| last_name(path));
        Self {
            run_id: run.id.to_string(),
            status: run.status.to_string(),
            kind: run.kind.clone(),
            package: package.unwrap_or_default(),
            request: run.request.chars().take(REQUEST).collect(),
            started: run.started.clone(),
            changed: run.changed,
        }
    }
}

pub(super) fn last_name(path: &Path) -> Option<String> {
    Some(path.file_name()?.to_string_lossy().into_owned())
}

pub(super) struct List {
    definition: Definition,
    shared: Arc<Shared>,
}

impl List {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        let definition = Definition {
            name: "azsdk_run_list".into(),
            title: "List runs".into(),
            description: "Lists customizations, regenerations and builds, latest first, with their status.".into(),
            input_schema: schema::of::<Arguments>(),
            output_schema: Some(schema::answer::<Listed>()),
            effect: Effect::ReadOnly,
            reach: Reach::Local,
        };
        Self { definition, shared }
    }
}

#[async_trait]
impl Tool for List {
    fn definition(&self) -> &Definition {
        &self.definition
    }

    async fn call(&self, given: JsonObject, call: &Call) -> Result<Answer, Failure> {
        let given: Arguments = arguments(given)?;
        let runs = self.shared.store(&call.caller, &call.directories).await?.list()?;
        let limit = given.limit.unwrap_or(USUAL) as usize;
        let listed = Listed { total: runs.len(), runs: runs.iter().take(limit).map(Line::new).collect() };
        let lines: Vec<_> = listed
            .runs
            .iter()
            .map(|run| {
                let request = run.request.lines().next().unwrap_or_default();
                format!("{}  {:<12} {}  {request}", run.run_id, run.status, run.package)
            })
            .collect();
        let text = if lines.is_empty() { "there are no runs yet".to_owned() } else { lines.join("\n") };
        structured(&listed, text)
    }
}

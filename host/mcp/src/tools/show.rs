//! `azsdk_run_show`: what was asked, what happened, what changed.

use super::answer::without_places;
use super::list::last_name;
use super::{Shared, arguments, recorded_run, schema, structured};
use crate::call::Call;
use crate::failure::Failure;
use crate::tool::{Answer, Definition, Effect, Reach, Tool};
use async_trait::async_trait;
use bailiwick_customize::response::{Response, SpecificationResponse};
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Arguments {
    /// The run.
    run_id: String,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Shown {
    /// The run.
    run_id: String,
    /// How far it is.
    status: String,
    /// What kind of work: `customize`, `generate` or `build`.
    kind: String,
    /// The directory name of the package.
    package: String,
    /// What was asked.
    request: String,
    /// When it began, RFC 3339 in UTC.
    started: String,
    /// When it ended or was last decided about.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    finished: Option<String>,
    /// What differed when it ended, each as `sdk/<path>` or `spec/<path>`.
    changed: Vec<String>,
    /// The response as it was answered; left out where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "JsonObject")]
    response: Option<Value>,
}

pub(super) struct Show {
    definition: Definition,
    shared: Arc<Shared>,
}

impl Show {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        let definition = Definition {
            name: "azsdk_run_show".into(),
            title: "Show a run".into(),
            description: "Shows what a run was asked, how it ended, what it changed and what is to be done by hand."
                .into(),
            input_schema: schema::of::<Arguments>(),
            output_schema: Some(schema::answer::<Shown>()),
            effect: Effect::ReadOnly,
            reach: Reach::Local,
        };
        Self { definition, shared }
    }
}

#[async_trait]
impl Tool for Show {
    fn definition(&self) -> &Definition {
        &self.definition
    }

    fn about(&self) -> Option<&'static str> {
        Some("runId")
    }

    async fn call(&self, given: JsonObject, call: &Call) -> Result<Answer, Failure> {
        let given: Arguments = arguments(given)?;
        let id = recorded_run(&self.shared, call, &given.run_id).await?;
        let conceal = self.shared.conceal();
        let record = self.shared.store(&call.caller, &call.directories).await?.show(&id)?;
        let package = record.roots.iter().find(|root| root.name == "sdk").and_then(|root| last_name(&root.directory));
        let formatted = Response::deserialize(&record.response)
            .map(|response| response.format())
            .or_else(|_| SpecificationResponse::deserialize(&record.response).map(|response| response.format()))
            .ok();
        let shown = Shown {
            run_id: record.id.to_string(),
            status: record.status.to_string(),
            kind: record.kind,
            package: package.unwrap_or_default(),
            request: record.request,
            started: record.started,
            finished: record.finished,
            changed: record.changed.iter().map(|file| format!("{}/{}", file.root, file.path)).collect(),
            response: record.response.is_object().then(|| without_places(record.response, &conceal)),
        };
        let mut text = format!("run: {}\nstatus: {}\nrequest: {}", shown.run_id, shown.status, shown.request.trim());
        if let Some(response) = formatted {
            text.push_str(&format!("\n\n{}", conceal.places(&response)));
        }
        structured(&shown, text)
    }
}

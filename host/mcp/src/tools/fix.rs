//! `azsdk_sdk_fix`: the repair of customization code, as a step of a workflow or on its own.

use super::workflow::same_place;
use super::{Shared, absolute, answer, arguments, schema, structured};
use crate::call::Call;
use crate::failure::Failure;
use crate::packages::Places;
use crate::path_redaction::PathRedaction;
use crate::runs::JobRequest;
use crate::sampling::Waited;
use crate::tool::{Answer, Definition, Effect, Reach, Tasks, Tool};
use crate::work::{Ended, Role};
use crate::workflows::Step;
use async_trait::async_trait;
use bailiwick_customize::checkout::SpecCommit;
use bailiwick_customize::driver::{self, Request, Stepped, WorkflowStep};
use bailiwick_customize::machine::{EditScope, Keep};
use bailiwick_customize::response::Response;
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::path::PathBuf;
use std::sync::Arc;

/// What stands for the errors where a caller names none.
const REPAIR: &str = "repair the customization code";

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Arguments {
    /// Absolute path of the package directory; in a workflow, as that was started with.
    package_path: PathBuf,
    /// The errors, for the record: what is repaired is what the host's own build reports.
    #[serde(default)]
    #[schemars(with = "String")]
    errors: Option<String>,
    /// Absolute path of the TypeSpec project. A workflow knows it; otherwise it is found through `tsp-location.yaml` and
    /// a local clone of the specifications.
    #[serde(default)]
    #[schemars(with = "PathBuf")]
    typespec_project_path: Option<PathBuf>,
    /// The commit of the specification: `pinned` (the one that `tsp-location.yaml` names), `head` (the one that the clone
    /// stands at, without what is not committed) or a commit. Without it, and in a workflow, the clone is taken as it stands.
    #[serde(default)]
    #[schemars(with = "String")]
    spec_commit: Option<SpecCommit>,
    /// The workflow whose step this is. Without it the package is regenerated and built first, and again afterwards.
    #[serde(default)]
    #[schemars(with = "String")]
    workflow_id: Option<String>,
}

/// What a repair in a workflow came to.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Fixed {
    /// In a workflow: `applied`, `failed`, or `running`: then call again with the same arguments.
    result: Outcome,
    /// The workflow.
    workflow_id: String,
    /// What was patched, a line for each file.
    patches: Vec<String>,
    /// Why nothing was changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    reason: Option<String>,
}

#[derive(Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum Outcome {
    Running,
    Applied,
    Failed,
}

/// The fields of an answer in a workflow, or those of a run: neither kind has what the other requires.
fn output_schema() -> Arc<JsonObject> {
    let mut schema = answer::with_status(&[schema::answer::<Fixed>(), schema::answer::<Response>()]).as_ref().clone();
    schema.insert("required".into(), json!([]));
    Arc::new(schema)
}

pub(super) struct Fix {
    definition: Definition,
    shared: Arc<Shared>,
}

impl Fix {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        let definition = Definition {
            name: "azsdk_sdk_fix".into(),
            title: "Repair customization code".into(),
            description: "Repairs hand-written customization code of a package: mechanical repairs of at most 19 lines in \
                at most 4 files, never generated code, never the specification. In a workflow that asks for it, with \
                `workflowId`: afterwards report `sdk_fix_applied` or `sdk_fix_failed` to \
                `azsdk_sdk_customization_workflow`, which regenerates and builds. Without `workflowId` it regenerates and \
                builds the package, repairs what fails, regenerates and builds again, and leaves a run for a person to \
                decide; long work then answers `running` with a `runId` for `azsdk_run_wait`."
                .into(),
            input_schema: schema::of::<Arguments>(),
            output_schema: Some(output_schema()),
            effect: Effect::Destructive { idempotent: false },
            reach: Reach::World,
        };
        Self { definition, shared }
    }

    /// Phase B as a run of its own.
    async fn alone(&self, given: Arguments, call: &Call) -> Result<Answer, Failure> {
        let paths = [Some(given.package_path.as_path()), given.typespec_project_path.as_deref()];
        let conceal = PathRedaction::new(paths.into_iter().flatten(), &self.shared.host.private_places());
        let packages = self.shared.packages(&call.directories).await?;
        let Places { package, project } =
            packages.places(&given.package_path, given.typespec_project_path.as_deref())?;
        let request = Request {
            package,
            text: given.errors.filter(|errors| !errors.trim().is_empty()).unwrap_or_else(|| REPAIR.to_owned()),
            project: Some(project),
            scope: EditScope::CustomCode,
            directives: Vec::new(),
            classified: None,
            languages: Vec::new(),
            keep: Keep::WhatBuilds,
        };
        // What cannot be used starts nothing.
        driver::prepare(&request).map_err(|error| Failure::from(&error))?;
        self.shared.model_in_reach(call)?;
        let job = self.shared.runs.begin(
            &call.owner,
            &call.caller,
            JobRequest::Repair { request, commit: given.spec_commit },
        );
        let job = job.await?;
        answer::wait(&self.shared, &job, self.shared.limits.answer_within, Role::Began, call, &conceal).await
    }

    fn ended(&self, step: &Arc<Step>, ended: &Ended<Stepped>) -> Result<Answer, Failure> {
        self.shared.workflows.told(step);
        let id = step.meanwhile.workflow_id.clone();
        let (result, patches, reason) = match ended {
            Ended::Finished(Stepped::Fix(driver::Fix::Applied { patches })) => {
                (Outcome::Applied, patches.clone(), None)
            }
            Ended::Finished(Stepped::Fix(driver::Fix::Failed { reason })) => {
                (Outcome::Failed, Vec::new(), Some(reason.clone()))
            }
            Ended::Finished(Stepped::Answer(_)) => {
                return Err(Failure::new(format!("workflow `{id}` took another step meanwhile"))
                    .hint("call `azsdk_sdk_customization_workflow` with `workflowId` alone"));
            }
            Ended::Cancelled => {
                return Ok(Answer::TakenBack(format!(
                    "the repair of workflow `{id}` was taken back; nothing is changed"
                )));
            }
            Ended::Failed(failure) => return Err(failure.clone()),
        };
        let text = match &reason {
            Some(reason) => format!(
                "failed: {reason}\n\nhint: report {{\"type\":\"sdk_fix_failed\",\"reason\":…}} to \
                 `azsdk_sdk_customization_workflow`, or repair the customization files yourself and report `sdk_fix_applied`"
            ),
            None => format!(
                "applied:\n{}\n\nhint: report {{\"type\":\"sdk_fix_applied\",\"description\":…}} to \
                 `azsdk_sdk_customization_workflow`",
                patches.join("\n")
            ),
        };
        structured(&Fixed { result, workflow_id: id, patches, reason }, text)
    }
}

#[async_trait]
impl Tool for Fix {
    fn definition(&self) -> &Definition {
        &self.definition
    }

    fn tasks(&self) -> Tasks {
        Tasks::WhenLong
    }

    fn about(&self) -> Option<&'static str> {
        Some("workflowId")
    }

    async fn call(&self, given: JsonObject, call: &Call) -> Result<Answer, Failure> {
        let given: Arguments = arguments(given)?;
        absolute("packagePath", Some(&given.package_path))?;
        absolute("typespecProjectPath", given.typespec_project_path.as_deref())?;
        let Some(id) = given.workflow_id else { return self.alone(given, call).await };
        self.shared.model_in_reach(call)?;
        let sight = self.shared.sight(&call.caller, &call.directories).await?;
        let (step, role) = match self.shared.workflows.find(&id, &sight) {
            Some(step) => (step, Role::Waits),
            None => {
                let standing = self.shared.store(&call.caller, &call.directories).await?.standing(&id)?;
                let package = self.shared.packages(&call.directories).await?.package(&given.package_path)?;
                if !same_place(&package, &standing.package) {
                    return Err(Failure::new(format!("`packagePath` is not the package of workflow `{id}`"))
                        .hint("`run_tool` of the workflow's answer has the arguments"));
                }
                let meanwhile = standing.answer.meanwhile("The customization code is being repaired.");
                let step = WorkflowStep::Fix { id: id.clone() };
                let places = [standing.package, standing.project];
                let who = (&call.caller, &standing.owner);
                (self.shared.workflows.begin(who, step, meanwhile, places).await?, Role::Began)
            }
        };
        let conceal = PathRedaction::new(step.places.iter().map(PathBuf::as_path), &self.shared.host.private_places());
        let within = call.patience.or(self.shared.limits.answer_within);
        let work = (&step.work, &step.sampling);
        match self.shared.sampler.wait(work, None, (within, role), call, &conceal).await? {
            Waited::Ended(ended) => self.ended(&step, &ended),
            Waited::Ask(ask) => Ok(Answer::Ask(ask)),
            Waited::Late => structured(
                &Fixed { result: Outcome::Running, workflow_id: id, patches: Vec::new(), reason: None },
                "running\n\nhint: call again with the same arguments".into(),
            ),
        }
    }
}

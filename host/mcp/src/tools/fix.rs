//! `azsdk_sdk_fix`: the repair of customization code, as a step of a workflow.

use super::workflow::same_place;
use super::{Shared, absolute, arguments, schema, structured};
use crate::call::Call;
use crate::conceal::Conceal;
use crate::failure::Failure;
use crate::tool::{Answer, Definition, Effect, Reach, Tasks, Tool};
use crate::work::{Ended, Role};
use crate::workflows::Step;
use async_trait::async_trait;
use bailiwick_customize::driver::{self, Stepped, WorkflowStep};
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::Arc;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Arguments {
    /// Absolute path of the package directory, as the workflow was started with.
    package_path: PathBuf,
    /// The errors, for the record: what is repaired is what the host's own build reports.
    #[serde(default)]
    #[schemars(with = "String")]
    #[expect(dead_code, reason = "callers send it as the workflow told them to; the build's own words count")]
    errors: Option<String>,
    /// Absolute path of the TypeSpec project, which the workflow knows.
    #[serde(default)]
    #[schemars(with = "PathBuf")]
    typespec_project_path: Option<PathBuf>,
    /// The workflow whose step this is.
    workflow_id: String,
}

/// What a repair came to.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Fixed {
    /// `applied`, `failed`, or `running`: then call again with the same arguments.
    result: Outcome,
    /// The workflow.
    workflow_id: String,
    /// What was patched, a line for each file.
    patches: Vec<String>,
    /// Why nothing was changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

#[derive(Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum Outcome {
    Running,
    Applied,
    Failed,
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
            description: "Repairs hand-written customization code of a package whose workflow asks for it: mechanical \
                repairs of at most 19 lines in at most 4 files, never generated code. Afterwards report \
                `sdk_fix_applied` or `sdk_fix_failed` to `azsdk_sdk_customization_workflow`, which regenerates and builds."
                .into(),
            input_schema: schema::of::<Arguments>(),
            output_schema: Some(schema::of::<Fixed>()),
            effect: Effect::Changes,
            reach: Reach::World,
        };
        Self { definition, shared }
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

    async fn call(&self, given: JsonObject, call: &Call) -> Result<Answer, Failure> {
        let given: Arguments = arguments(given)?;
        absolute("packagePath", Some(&given.package_path))?;
        absolute("typespecProjectPath", given.typespec_project_path.as_deref())?;
        let id = given.workflow_id;
        let (step, role) = match self.shared.workflows.find(&id) {
            Some(step) => (step, Role::Waits),
            None => {
                let standing = driver::standing(&self.shared.workshop.store()?, &id)?;
                if !same_place(&given.package_path, &standing.package) {
                    return Err(Failure::new(format!("`packagePath` is not the package of workflow `{id}`"))
                        .hint("`run_tool` of the workflow's answer has the arguments"));
                }
                let meanwhile = standing.answer.meanwhile("The customization code is being repaired.");
                let step = WorkflowStep::Fix { id: id.clone() };
                let places = [standing.package, standing.project];
                (self.shared.workflows.begin(step, meanwhile, places)?, Role::Began)
            }
        };
        let conceal = Conceal::new(step.places.iter().map(PathBuf::as_path), &self.shared.workshop.private_places());
        let within = call.patience.or(self.shared.limits.answer_within);
        match step.work.wait(within, role, call, &conceal).await {
            Some(ended) => self.ended(&step, &ended),
            None => structured(
                &Fixed { result: Outcome::Running, workflow_id: id, patches: Vec::new(), reason: None },
                "running\n\nhint: call again with the same arguments".into(),
            ),
        }
    }
}

//! `azsdk_run_cancel`: ends a run that goes on.

use super::{Shared, arguments, run_id, schema, structured};
use crate::call::Call;
use crate::failure::Failure;
use crate::tool::{Answer, Definition, Effect, Reach, Tool};
use crate::work::Ended;
use crate::workflows::Step;
use async_trait::async_trait;
use bailiwick_runs::RunId;
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Arguments {
    /// The run that is at work.
    run_id: String,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Cancelled {
    /// The run.
    run_id: String,
    /// `cancelled`, or `finished` when it had ended before.
    status: String,
}

pub(super) struct Cancel {
    definition: Definition,
    shared: Arc<Shared>,
}

impl Cancel {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        let definition = Definition {
            name: "azsdk_run_cancel".into(),
            title: "Cancel a run".into(),
            description:
                "Ends a run that this server works on: its child processes are killed and both repositories are \
                put back before this answers. Of a workflow it ends the step at work, and leaves what you edited. A run that has ended is undone with `azsdk_run_revert` instead."
                    .into(),
            input_schema: schema::of::<Arguments>(),
            output_schema: Some(schema::answer::<Cancelled>()),
            effect: Effect::Destructive { idempotent: true },
            reach: Reach::Local,
        };
        Self { definition, shared }
    }
}

impl Cancel {
    /// The step of a workflow: the workflow goes on from where it stood.
    async fn take_back(&self, id: &RunId, step: &Arc<Step>) -> Result<Answer, Failure> {
        let workflow = &step.meanwhile.workflow_id;
        let (status, text) = match step.work.end().await.as_ref() {
            Ended::Cancelled => {
                let text = format!(
                    "cancelled the step; the workflow `{workflow}` and both repositories are as before it\n\nhint: call \
                     `azsdk_sdk_customization_workflow` with `workflowId` alone to go on, or `azsdk_run_revert` to undo all of it"
                );
                ("cancelled", text)
            }
            Ended::Finished(_) => (
                "finished",
                format!("the step had finished already; ask for it with `workflowId` \"{workflow}\" alone"),
            ),
            Ended::Failed(failure) => return Err(failure.clone()),
        };
        if status == "cancelled" {
            self.shared.workflows.told(step);
        }
        structured(&Cancelled { run_id: id.to_string(), status: status.into() }, text)
    }
}

#[async_trait]
impl Tool for Cancel {
    fn definition(&self) -> &Definition {
        &self.definition
    }

    fn about(&self) -> Option<&'static str> {
        Some("runId")
    }

    async fn call(&self, given: JsonObject, call: &Call) -> Result<Answer, Failure> {
        let given: Arguments = arguments(given)?;
        let id = run_id(&given.run_id)?;
        let sight = self.shared.sight(&call.caller, &call.directories).await?;
        if let Some(step) = self.shared.workflows.at_work(&id, &sight) {
            return self.take_back(&id, &step).await;
        }
        let job = self.shared.runs.find(&id, &sight).ok_or_else(|| {
            Failure::new(format!("the run `{id}` is not at work in this server"))
                .hint("`azsdk_run_list` shows the runs; one that has ended is undone with `azsdk_run_revert`")
        })?;
        let status = match job.work.end().await.as_ref() {
            Ended::Cancelled => "cancelled",
            Ended::Finished(_) => "finished",
            Ended::Failed(failure) => return Err(failure.clone()),
        };
        let text = match status {
            "cancelled" => format!("cancelled {id}; both repositories are as before"),
            _ => format!("{id} had finished already; `azsdk_run_revert` undoes it"),
        };
        structured(&Cancelled { run_id: job.id().to_string(), status: status.into() }, text)
    }
}

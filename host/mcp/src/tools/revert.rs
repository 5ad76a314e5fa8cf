//! `azsdk_run_revert`: puts both repositories back to what they were before a run.

use super::{Shared, arguments, recorded_run, schema, structured};
use crate::call::Call;
use crate::failure::Failure;
use crate::tool::{Answer, Definition, Effect, Reach, Tool};
use async_trait::async_trait;
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Arguments {
    /// The run.
    run_id: String,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Done {
    /// The run.
    run_id: String,
    /// `reverted`.
    status: String,
    /// Files brought back to what they were, each as `sdk/<path>` or `spec/<path>`.
    restored: Vec<String>,
    /// Files removed because they were not there before.
    removed: Vec<String>,
}

pub(super) struct Revert {
    definition: Definition,
    shared: Arc<Shared>,
}

impl Revert {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        let definition = Definition {
            name: "azsdk_run_revert".into(),
            title: "Revert a run".into(),
            description: "Puts both repositories back, byte for byte, to what they were before a run. Refuses, and \
                changes nothing, when somebody edited since or a later run on the same package is open."
                .into(),
            input_schema: schema::of::<Arguments>(),
            output_schema: Some(schema::answer::<Done>()),
            effect: Effect::Destructive { idempotent: false },
            reach: Reach::Local,
        };
        Self { definition, shared }
    }
}

#[async_trait]
impl Tool for Revert {
    fn definition(&self) -> &Definition {
        &self.definition
    }

    fn about(&self) -> Option<&'static str> {
        Some("runId")
    }

    async fn call(&self, given: JsonObject, call: &Call) -> Result<Answer, Failure> {
        let given: Arguments = arguments(given)?;
        let id = recorded_run(&self.shared, call, &given.run_id).await?;
        if self.shared.job(&id, call).await?.is_some_and(|job| job.work.ended().is_none()) {
            return Err(Failure::new(format!("the run `{id}` is at work")).hint("`azsdk_run_cancel` ends it"));
        }
        let store = self.shared.store(&call.caller, &call.directories).await?;
        // Files are compared and written for as long as it takes.
        let reverted = tokio::task::spawn_blocking({
            let id = id.clone();
            move || store.of(&id)?.revert(&id)
        });
        let reverted =
            reverted.await.map_err(|error| Failure::new(format!("the revert stopped unexpectedly: {error}")))??;
        let counts = (reverted.restored.len(), reverted.removed.len());
        let mut text = format!("reverted {id}: {} restored, {} removed", counts.0, counts.1);
        if reverted.set_aside.is_some() {
            text.push_str("; a copy of what stood in the repositories is in the run's directory");
        }
        let done = Done {
            run_id: id.to_string(),
            status: "reverted".into(),
            restored: reverted.restored,
            removed: reverted.removed,
        };
        structured(&done, text)
    }
}

//! `azsdk_run_wait`: waits for a run that goes on.

use super::answer;
use super::{Shared, arguments, run_id, schema};
use crate::call::Call;
use crate::failure::Failure;
use crate::runs::JobOutcome;
use crate::tool::{Answer, Definition, Effect, Reach, Tool};
use crate::work::Role;
use async_trait::async_trait;
use bailiwick_runs::Status;
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// How often a run of another process is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(250);

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Arguments {
    /// The run, as the tool that began it named it.
    run_id: String,
    /// The longest to wait, in seconds; the server may answer sooner. Without it as long as the server allows.
    #[serde(default)]
    #[schemars(with = "u32")]
    seconds: Option<u32>,
}

pub(super) struct Wait {
    definition: Definition,
    shared: Arc<Shared>,
}

impl Wait {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        let definition = Definition {
            name: "azsdk_run_wait".into(),
            title: "Wait for a run".into(),
            description:
                "Waits until a run has finished and answers like the tool that began it, or `running` when the time is over. Taking this call back does not end the run; `azsdk_run_cancel` does."
                    .into(),
            input_schema: schema::of::<Arguments>(),
            output_schema: Some(answer::any_schema()),
            effect: Effect::ReadOnly,
            reach: Reach::Local,
        };
        Self { definition, shared }
    }
}

#[async_trait]
impl Tool for Wait {
    fn definition(&self) -> &Definition {
        &self.definition
    }

    fn about(&self) -> Option<&'static str> {
        Some("runId")
    }

    async fn call(&self, given: JsonObject, call: &Call) -> Result<Answer, Failure> {
        let given: Arguments = arguments(given)?;
        let id = run_id(&given.run_id)?;
        let longest = self.shared.limits.longest_wait;
        let within = given.seconds.map_or(longest, |seconds| Duration::from_secs(seconds.into()).min(longest));
        let conceal = self.shared.conceal();
        if let Some(job) = self.shared.job(&id, call).await? {
            return answer::wait(&self.shared, &job, within, Role::Waits, call, &conceal).await;
        }
        // One that ended long ago, or that another process works on.
        let store = self.shared.store(&call.caller, &call.directories).await?;
        let ends = Instant::now() + within;
        loop {
            let record = store.show(&id)?;
            if record.status != Status::Running {
                let came = came(record.response).ok_or_else(|| {
                    Failure::new(format!("the run `{id}` is {} and left no response", record.status))
                        .hint("`azsdk_run_show` has what is known of it")
                })?;
                return answer::finished(&came, id.as_str(), &conceal);
            }
            if Instant::now() + LOOK_EVERY > ends {
                return Ok(answer::running(id.as_str(), None, &self.shared));
            }
            tokio::select! {
                () = tokio::time::sleep(LOOK_EVERY) => {}
                () = call.unheard.cancelled() => return Ok(answer::running(id.as_str(), None, &self.shared)),
                () = call.taken_back() => return Ok(answer::running(id.as_str(), None, &self.shared)),
            }
        }
    }
}

/// What a run left in the store.
fn came(response: Value) -> Option<JobOutcome> {
    match response.get("step") {
        Some(_) => serde_json::from_value(response).ok().map(JobOutcome::Step),
        None => serde_json::from_value(response).ok().map(JobOutcome::Response),
    }
}

//! The mechanic as a backend: the kind of the task chooses the planner.

use async_trait::async_trait;

use super::{classify, repair, typespec_plan};
use bailiwick_agent::backend::{Backend, BackendError, TurnRequest, TurnResponse};
use bailiwick_agent::prices::Prices;
use bailiwick_sdk::tasks::AgentTask;

/// The embedded backend. It is deterministic, works offline and keeps nothing between turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mechanic;

#[async_trait]
impl Backend for Mechanic {
    fn name(&self) -> &str {
        "mechanic"
    }

    fn prices(&self) -> Option<Prices> {
        Some(Prices::FREE)
    }

    async fn turn(&self, request: &TurnRequest) -> Result<TurnResponse, BackendError> {
        let task = AgentTask::from_value(&request.task).map_err(|error| BackendError::Refused {
            message: format!("the mechanic does not know this task: {error}"),
        })?;
        let turn = match &task {
            AgentTask::Classify(task) => classify::plan(task),
            AgentTask::CustomizeTypespec(task) => typespec_plan::plan(task, &request.messages),
            AgentTask::PatchCode(task) => repair::plan(task, &request.messages),
        }?;
        Ok(turn.into_response(&request.messages))
    }
}

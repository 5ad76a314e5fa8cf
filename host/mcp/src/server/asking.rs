//! What a tool asks while its call is a task.

use crate::call::Again;
use futures_util::future::join_all;
use rmcp::model::{InputRequiredResult, InputResponses};
use rmcp::task_manager::TaskContext;

/// Puts the questions of `ask` into the state of `task` and waits until the client has answered all of them, with
/// `tasks/update`. `None` when the task is cancelled meanwhile; it is for the task to bound how long that can take.
///
/// A task knows each key once, and a tool may use one again in a later round, so the client sees them numbered by round.
pub(super) async fn asked(task: &TaskContext, ask: InputRequiredResult, rounds: &mut u32) -> Option<Again> {
    *rounds += 1;
    let round = *rounds;
    let questions = ask.input_requests.unwrap_or_default().into_iter().map(|(key, request)| async move {
        let answer = task.request_input(format!("{round}-{key}"), request).await.ok()?;
        Some((key, answer))
    });
    let responses: Option<InputResponses> = join_all(questions).await.into_iter().collect();
    Some(Again { responses: Some(responses?), state: ask.request_state })
}

//! Dropping the future of a run.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use bailiwick_agent::{Backend, BackendError, ToolReply, ToolSpec, Toolbox, Transcript, TurnRequest, TurnResponse};
use serde_json::{Value, json};
use tokio::time::timeout;

use super::support::{Desk, Page, Scripted, agent, call, look, turn};

#[tokio::test(start_paused = true)]
async fn dropped_run_drops_its_calls_at_once_and_the_transcript_says_so() {
    let slow = |id: &str| call("Look", json!({"id": id, "ms": 5000}));
    let (desk, page) = (Desk::default(), Page::default());
    let model = Scripted::new([turn([look("a")]), turn([slow("b"), slow("c")])]);
    let (agent, mut transcript) = (agent(9), Transcript::new(page.clone(), 1000));
    let run = bailiwick_agent::run(&agent, &desk, &model, &mut transcript);
    assert!(timeout(Duration::from_secs(1), run).await.is_err());
    assert_eq!(desk.log(), ["+a", "-a", "+b", "+c", "!b", "!c"]);
    let last = page.lines().pop().unwrap();
    assert_eq!((&last["entry"], &last["outcome"]), (&json!("end"), &json!("interrupted")));
    assert_eq!(last["totals"]["toolCalls"], 3);
}

#[tokio::test(start_paused = true)]
async fn dropped_run_that_waits_for_the_model_runs_nothing_more() {
    let desk = Desk::default();
    let model = Scripted::new([turn([look("a")])]).slow(Duration::from_secs(5));
    let (agent, mut transcript) = (agent(9), Transcript::discarded());
    let run = bailiwick_agent::run(&agent, &desk, &model, &mut transcript);
    assert!(timeout(Duration::from_secs(1), run).await.is_err());
    tokio::time::sleep(Duration::from_secs(10)).await;
    assert!(desk.log().is_empty());
}

#[test]
fn run_is_a_future_that_may_move_between_threads() {
    fn is_send<T: Send>(_: &T) {}
    let (agent, desk, model) = (agent(9), Desk::default(), Scripted::new([]));
    let mut transcript = Transcript::discarded();
    is_send(&bailiwick_agent::run(&agent, &desk, &model, &mut transcript));
}

/// Says when what holds it is dropped.
struct Flag(Arc<AtomicBool>);

impl Drop for Flag {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// A model that never answers, or a tool that never returns.
struct Never(Arc<AtomicBool>);

#[async_trait]
impl Backend for Never {
    fn name(&self) -> &str {
        "never"
    }

    async fn turn(&self, _: &TurnRequest) -> Result<TurnResponse, BackendError> {
        let _flag = Flag(self.0.clone());
        std::future::pending().await
    }
}

#[async_trait]
impl Toolbox for Never {
    fn specs(&self) -> Vec<ToolSpec> {
        Desk::default().specs()
    }

    async fn call(&self, _: &str, _: &Value) -> ToolReply {
        let _flag = Flag(self.0.clone());
        std::future::pending().await
    }
}

/// Cancels a run that is stuck, in real time.
async fn cancel(toolbox: &dyn Toolbox, backend: &dyn Backend) {
    let (agent, mut transcript) = (agent(9), Transcript::discarded());
    let mut run = Box::pin(bailiwick_agent::run(&agent, toolbox, backend, &mut transcript));
    assert!(timeout(Duration::from_millis(50), &mut run).await.is_err(), "it is not stuck");
    drop(run);
}

#[tokio::test]
async fn run_is_cancelled_at_once_when_the_model_never_answers() {
    let dropped = Arc::new(AtomicBool::new(false));
    cancel(&Desk::default(), &Never(dropped.clone())).await;
    assert!(dropped.load(Ordering::SeqCst), "the request goes on");
}

#[tokio::test]
async fn run_is_cancelled_at_once_when_a_tool_never_returns() {
    let dropped = Arc::new(AtomicBool::new(false));
    let model = Scripted::new([turn([look("a"), look("b")])]);
    cancel(&Never(dropped.clone()), &model).await;
    assert!(dropped.load(Ordering::SeqCst), "the call goes on");
}

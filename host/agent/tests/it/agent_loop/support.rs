//! The scripted model and the tools of these tests.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use async_trait::async_trait;
use bailiwick_agent::{
    AgentError, Backend, BackendError, Budget, Completed, Message, Microagent, Prices, ToolCall, ToolEffect,
    ToolFailure, ToolReply, ToolResult, ToolSpec, Toolbox, Transcript, TurnRequest, TurnResponse, Usage,
};
use serde_json::{Value, json};

/// A lock that does not care about a test that failed while holding it.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Answers from a list, after an optional delay, and keeps what it was asked.
pub(crate) struct Scripted {
    pub(crate) answers: Mutex<VecDeque<Result<TurnResponse, BackendError>>>,
    pub(crate) delay: Duration,
    pub(crate) window: Option<u64>,
    pub(crate) prices: Option<Prices>,
    pub(crate) asked: Mutex<Vec<TurnRequest>>,
}

impl Scripted {
    pub(crate) fn new(answers: impl IntoIterator<Item = TurnResponse>) -> Self {
        Self::failing(answers.into_iter().map(Ok))
    }

    pub(crate) fn failing(answers: impl IntoIterator<Item = Result<TurnResponse, BackendError>>) -> Self {
        let answers = Mutex::new(answers.into_iter().collect());
        Self { answers, delay: Duration::ZERO, window: None, prices: None, asked: Mutex::default() }
    }

    pub(crate) fn slow(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    pub(crate) fn turns(&self) -> usize {
        lock(&self.asked).len()
    }

    /// The results that the model saw in the last request.
    pub(crate) fn last_results(&self) -> Vec<ToolResult> {
        match lock(&self.asked).last().and_then(|request| request.messages.last().cloned()) {
            Some(Message::ToolResults(results)) => results,
            other => panic!("no results but {other:?}"),
        }
    }
}

#[async_trait]
impl Backend for Scripted {
    fn name(&self) -> &str {
        "scripted"
    }

    fn window(&self) -> Option<u64> {
        self.window
    }

    fn prices(&self) -> Option<Prices> {
        self.prices
    }

    async fn turn(&self, request: &TurnRequest) -> Result<TurnResponse, BackendError> {
        lock(&self.asked).push(request.clone());
        if !self.delay.is_zero() {
            tokio::time::sleep(self.delay).await;
        }
        let over = || Err(BackendError::Refused { message: "the script is over".into() });
        lock(&self.answers).pop_front().unwrap_or_else(over)
    }
}

/// `Look` reads, `Put` writes. Both take `{"id", "ms"?, "fail"?}`, last `ms`, and log `+id` and `-id`.
#[derive(Default)]
pub(crate) struct Desk {
    pub(crate) log: Arc<Mutex<Vec<String>>>,
}

impl Desk {
    pub(crate) fn log(&self) -> Vec<String> {
        lock(&self.log).clone()
    }
}

/// Logs `!id` when a call is dropped before its end.
struct Dropped(Option<String>, Arc<Mutex<Vec<String>>>);

impl Drop for Dropped {
    fn drop(&mut self) {
        if let Some(id) = self.0.take() {
            lock(&self.1).push(format!("!{id}"));
        }
    }
}

pub(crate) fn spec(name: &str, effect: ToolEffect) -> ToolSpec {
    let input_schema = json!({
        "type": "object",
        "properties": {"id": {"type": "string"}, "ms": {"type": "integer"}, "fail": {"type": "boolean"}},
        "required": ["id"],
        "additionalProperties": false
    });
    ToolSpec { name: name.into(), description: "A tool.".into(), input_schema, effect }
}

#[async_trait]
impl Toolbox for Desk {
    fn specs(&self) -> Vec<ToolSpec> {
        vec![spec("Look", ToolEffect::Reads), spec("Put", ToolEffect::Writes)]
    }

    async fn call(&self, name: &str, arguments: &Value) -> ToolReply {
        let id = arguments["id"].as_str().unwrap_or("?").to_string();
        lock(&self.log).push(format!("+{id}"));
        let mut dropped = Dropped(Some(id.clone()), Arc::clone(&self.log));
        if let Some(ms) = arguments["ms"].as_u64() {
            tokio::time::sleep(Duration::from_millis(ms)).await;
        }
        dropped.0 = None;
        lock(&self.log).push(format!("-{id}"));
        let outcome = if arguments["fail"] == true {
            Err(ToolFailure::new("not-found", format!("there is no `{id}`")))
        } else {
            Ok(json!({"did": format!("{name} {id}")}))
        };
        ToolReply { outcome, cost: json!({"bytes": 1}) }
    }
}

pub(crate) fn call(name: &str, arguments: Value) -> ToolCall {
    ToolCall { id: String::new(), name: name.into(), arguments }
}

pub(crate) fn look(id: &str) -> ToolCall {
    call("Look", json!({"id": id}))
}

pub(crate) fn put(id: &str) -> ToolCall {
    call("Put", json!({"id": id}))
}

pub(crate) fn exit(result: impl Into<Value>) -> ToolCall {
    call("Exit", json!({"result": result.into()}))
}

/// A turn that costs 10 tokens in and 1 out.
pub(crate) fn turn(calls: impl IntoIterator<Item = ToolCall>) -> TurnResponse {
    let usage = Usage { input_tokens: 10, cached_input_tokens: 4, output_tokens: 1 };
    TurnResponse { text: String::new(), calls: calls.into_iter().collect(), usage }
}

pub(crate) fn say(text: &str) -> TurnResponse {
    TurnResponse { text: text.into(), ..turn([]) }
}

pub(crate) fn budget(max_tool_calls: u32) -> Budget {
    Budget { max_tool_calls, tokens: None, wall: Duration::from_secs(60) }
}

pub(crate) fn agent(max_tool_calls: u32) -> Microagent<String> {
    Microagent::new("Do it.", json!({"kind": "test"}), budget(max_tool_calls))
}

pub(crate) async fn run(
    agent: &Microagent<String>,
    desk: &Desk,
    model: &Scripted,
) -> Result<Completed<String>, AgentError> {
    bailiwick_agent::run(agent, desk, model, &mut Transcript::discarded()).await
}

/// Runs to a result in silence.
pub(crate) async fn result(model: &Scripted) -> String {
    match run(&agent(20), &Desk::default(), model).await {
        Ok(completed) => completed.result,
        Err(error) => panic!("no result: {error}"),
    }
}

/// The kinds of the error results among these, `ok` for the others.
pub(crate) fn kinds(results: &[ToolResult]) -> Vec<String> {
    let kind = |result: &ToolResult| match result.is_error {
        true => result.content["kind"].as_str().unwrap_or("?").to_string(),
        false => "ok".into(),
    };
    results.iter().map(kind).collect()
}

/// A writer whose content can be looked at afterwards.
#[derive(Clone, Default)]
pub(crate) struct Page(Arc<Mutex<Vec<u8>>>);

impl Page {
    pub(crate) fn lines(&self) -> Vec<Value> {
        let text = String::from_utf8_lossy(&lock(&self.0)).into_owned();
        text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
    }

    pub(crate) fn entries(&self) -> Vec<String> {
        self.lines().iter().map(|line| line["entry"].as_str().unwrap_or("?").to_string()).collect()
    }
}

impl Write for Page {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        lock(&self.0).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

//! Whole agents against `llama-server`, which `cargo xtask llama` builds, with a model whose weights are random numbers.
//! Its answers make no sense, and every one of them is a call that its grammar holds to the schemas that were sent: so
//! this tests how a foreign engine answers requests, and how conversations end.

#![expect(clippy::unwrap_used, reason = "helpers of tests stop at the first surprise")]

#[expect(dead_code, reason = "each test file uses its own part")]
#[path = "it/common/mod.rs"]
mod common;
#[path = "it/common/desk.rs"]
mod desk;

use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use bailiwick_agent::{
    AgentError, Backend, BackendError, Budget, Exceeded, Message, Microagent, ToolReply, ToolSpec, Toolbox, Transcript,
    TurnRequest, TurnResponse, Validation,
};
use bailiwick_models::{Provider, Retries};
use common::{provider, quick, turn};
use desk::{Desk, Report, agent};
use serde_json::{Value, json};

/// What the server speaks, each of them below `/v1`.
const CHOICES: [&str; 3] = ["openai-compatible:tiny", "openai-responses:tiny", "anthropic:tiny"];

/// Tokens of its context; a token is a byte.
const CONTEXT: usize = 65_536;

struct Server {
    child: Child,
    address: String,
}

impl Server {
    async fn start() -> Self {
        Self::with_seed(2026).await
    }

    /// A server whose answers are chosen by this seed, each of them anew.
    async fn with_seed(seed: u32) -> Self {
        let variable = |name: &str| {
            std::env::var_os(name).unwrap_or_else(|| panic!("`{name}` is not set; `cargo xtask llama` sets it"))
        };
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string();
        let context = CONTEXT.to_string();
        let child = Command::new(variable("BAILIWICK_LLAMA_SERVER"))
            .arg("--model")
            .arg(variable("BAILIWICK_LLAMA_MODEL"))
            .arg("--chat-template-file")
            .arg(variable("BAILIWICK_LLAMA_TEMPLATE"))
            .args(["--jinja", "--alias", "tiny", "--host", "127.0.0.1", "--port", &port])
            .args(["--ctx-size", &context, "--parallel", "1", "--threads", "1", "--seed", &seed.to_string()])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let server = Self { child, address: format!("http://127.0.0.1:{port}/v1") };
        // The first provider chooses this process's cryptography, without which there is no client.
        drop(server.provider(CHOICES[0]));
        let begun = Instant::now();
        let health = format!("http://127.0.0.1:{port}/health");
        while !reqwest::get(&health).await.is_ok_and(|response| response.status().is_success()) {
            assert!(begun.elapsed() < Duration::from_secs(60), "llama-server does not answer");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        server
    }

    fn provider(&self, choice: &str) -> Provider {
        // On a busy machine an answer takes its time.
        let retries = Retries { deadline: Duration::from_secs(120), ..quick() };
        provider(&format!("{choice}@{}", self.address), retries).0
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Keeps what was answered.
struct Watched<B> {
    backend: B,
    answers: Mutex<Vec<TurnResponse>>,
}

impl<B> Watched<B> {
    fn new(backend: B) -> Self {
        Self { backend, answers: Mutex::default() }
    }
}

#[async_trait]
impl<B: Backend> Backend for Watched<B> {
    fn name(&self) -> &str {
        self.backend.name()
    }

    async fn turn(&self, request: &TurnRequest) -> Result<TurnResponse, BackendError> {
        let response = self.backend.turn(request).await?;
        self.answers.lock().unwrap().push(response.clone());
        Ok(response)
    }
}

/// No tools, so that nothing but the result can be handed in.
struct Nothing;

#[async_trait]
impl Toolbox for Nothing {
    fn specs(&self) -> Vec<ToolSpec> {
        Vec::new()
    }

    async fn call(&self, name: &str, _: &Value) -> ToolReply {
        panic!("`{name}` was called");
    }
}

/// The tools of the desk alone, for turns without a loop.
fn request() -> TurnRequest {
    TurnRequest { messages: Vec::new(), tools: Desk::default().specs(), ..turn() }
}

#[tokio::test]
async fn calls_fit_their_schemas_and_the_budget_ends_the_loop_in_every_form() {
    for seed in 1..=4 {
        let server = Server::with_seed(seed).await;
        for choice in CHOICES {
            let backend = Watched::new(server.provider(choice));
            let desk = Desk::default();
            let endless = agent(12).validated_by(|_: &Report| Validation::refused("never"));
            let outcome = bailiwick_agent::run(&endless, &desk, &backend, &mut Transcript::discarded()).await;
            match outcome.map(|completed| completed.result) {
                Err(AgentError::Exceeded(Exceeded::ToolCalls { .. })) => {}
                other => panic!("{choice}, {seed}: {other:?}"),
            }
            let answers = backend.answers.lock().unwrap();
            let calls: Vec<_> = answers.iter().flat_map(|answer| &answer.calls).collect();
            assert!(calls.len() >= 12, "{choice}, {seed}: {calls:?}");
            let specs = endless.define(&desk).unwrap().begin().request().tools.clone();
            for call in calls {
                let spec = specs.iter().find(|spec| spec.name == call.name);
                let spec = spec.unwrap_or_else(|| panic!("{choice}, {seed}: {call:?}"));
                let schema = jsonschema::validator_for(&spec.input_schema).unwrap();
                assert!(schema.is_valid(&call.arguments), "{choice}, {seed}: {call:?}");
            }
            let counted = |answer: &TurnResponse| answer.usage.input_tokens > 1_000 && answer.usage.output_tokens > 10;
            assert!(answers.iter().all(counted), "{choice}, {seed}: {answers:?}");
        }
    }
}

#[tokio::test]
async fn agent_ends_with_a_typed_result_in_every_form() {
    let server = Server::start().await;
    for choice in CHOICES {
        let backend = Watched::new(server.provider(choice));
        let outcome = bailiwick_agent::run(&agent(3), &Nothing, &backend, &mut Transcript::discarded()).await;
        let completed = outcome.unwrap_or_else(|error| panic!("{choice}: {error} after {:?}", backend.answers));
        assert_eq!(completed.totals.tool_calls, 1, "{choice}: {:?}", completed.result);
    }
}

#[tokio::test]
async fn history_with_failures_and_unseen_characters_is_taken_in_every_form() {
    let server = Server::start().await;
    for choice in CHOICES {
        let mut request = TurnRequest { tools: Desk::default().specs(), ..turn() };
        request.messages.push(Message::Assistant { text: "é 😀".into(), calls: Vec::new() });
        request.messages.push(Message::User("\u{202e}\u{0}".into()));
        let response = server.provider(choice).turn(&request).await;
        let response = response.unwrap_or_else(|error| panic!("{choice}: {error}"));
        assert!(!response.calls.is_empty(), "{choice}: {response:?}");
    }
}

#[tokio::test]
async fn answer_that_is_cut_in_the_middle_of_a_call_is_truncated_and_never_a_call() {
    let server = Server::start().await;
    for choice in CHOICES {
        let outcome = server.provider(choice).with_output_limit(8).turn(&request()).await;
        let limited = server.provider(choice).with_output_limit(8);
        let ended = bailiwick_agent::run(&agent(3), &Desk::default(), &limited, &mut Transcript::discarded()).await;
        let ended = ended.map(|_| ()).unwrap_err();
        // This server calls a cut response `completed` and leaves the call out, so there is nothing to tell it by.
        if choice.starts_with("openai-responses") {
            assert!(outcome.unwrap().calls.is_empty(), "{choice}");
            assert!(matches!(ended, AgentError::NoToolCall), "{choice}: {ended}");
            continue;
        }
        match outcome.unwrap_err() {
            // Both that of the first limit and that of the second, which is higher.
            BackendError::Truncated { usage } => assert!(usage.output_tokens >= 16, "{choice}: {usage:?}"),
            other => panic!("{choice}: {other:?}"),
        }
        assert!(ended.hint().is_some_and(|hint| hint.contains("output limit")), "{choice}: {ended}");
    }
}

#[tokio::test]
async fn request_that_the_server_does_not_take_is_refused_in_every_form() {
    let server = Server::start().await;
    for choice in CHOICES {
        let long = TurnRequest { instructions: "too long ".repeat(CONTEXT / 8), ..request() };
        let error = server.provider(choice).turn(&long).await.unwrap_err();
        assert!(matches!(error, BackendError::Refused { .. }), "{choice}: {error:?}");
    }
    let schema = json!({"type": "object", "properties": {"a": {"type": "wizard"}}, "required": ["a"]});
    let mut tools = Desk::default().specs();
    tools[0].input_schema = schema;
    let error = server.provider(CHOICES[0]).turn(&TurnRequest { tools, ..request() }).await.unwrap_err();
    assert!(matches!(error, BackendError::Refused { .. }), "{error:?}");
}

#[tokio::test]
async fn agent_without_time_ends_while_the_server_works() {
    let server = Server::start().await;
    let budget = Budget { max_tool_calls: 3, tokens: None, wall: Duration::from_millis(1) };
    let agent = Microagent::<Report>::new("x".repeat(50_000), json!({"kind": "sample"}), budget);
    let outcome =
        bailiwick_agent::run(&agent, &Nothing, &server.provider(CHOICES[0]), &mut Transcript::discarded()).await;
    let error = outcome.map(|_| ()).unwrap_err();
    assert!(matches!(error, AgentError::Exceeded(Exceeded::WallClock { .. })), "{error:?}");
}

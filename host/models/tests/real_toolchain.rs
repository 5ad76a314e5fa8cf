//! Every dialect against a mock server of providers that nobody here wrote, installed from its lock file with npm, with
//! the faults it injects. The server takes any request, so this is about its answers and about paths and headers alone.

#![expect(clippy::unwrap_used, reason = "helpers of tests stop at the first surprise")]

#[expect(dead_code, reason = "each test file uses its own part")]
mod common;

use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, OnceLock};

use bailiwick_agent::{Backend, BackendError, Message, ToolResult, TurnRequest};
use bailiwick_models::{Provider, Retries, Settings};
use common::{KEY, turn};
use serde_json::json;

/// The dialects, each with what stands behind the address of the server, and with what Azure wants from its environment.
const CHOICES: [(&str, &str, &str); 7] = [
    ("openai:m", "/v1", ""),
    ("openai-responses:m", "/v1", ""),
    ("openai-compatible:m", "/v1", ""),
    ("azure:m", "", "2024-10-21"),
    ("anthropic:m", "/v1", ""),
    ("gemini:m", "/v1beta", ""),
    ("ollama:m", "", ""),
];

/// The server's program, installed once.
fn program() -> &'static Path {
    static INSTALLED: OnceLock<(tempfile::TempDir, PathBuf)> = OnceLock::new();
    let (_, program) = INSTALLED.get_or_init(|| {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mock-server");
        let directory = tempfile::tempdir().unwrap();
        for name in ["package.json", "package-lock.json"] {
            std::fs::copy(source.join(name), directory.path().join(name)).unwrap();
        }
        let arguments = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
        let status = Command::new("npm").args(arguments).current_dir(directory.path()).status().unwrap();
        assert!(status.success(), "the mock server cannot be installed: `npm ci` failed with {status}");
        let program = directory.path().join("node_modules/@copilotkit/aimock/dist/cli.js");
        (directory, program)
    });
    program
}

struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start() -> Self {
        let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mock-server/fixtures.json");
        let mut child = Command::new("node")
            .arg(program())
            .args(["-p", "0", "--strict", "-f"])
            .arg(fixtures)
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let address = lines.find_map(|line| Some(line.unwrap().split_once("listening on ")?.1.trim().to_owned()));
        // What it says later must not block it.
        std::thread::spawn(move || lines.count());
        Self { child, address: address.unwrap() }
    }

    /// Makes every request meet a fault, or none.
    async fn chaos(&self, rate: Option<&str>) {
        chaos(&self.address, rate).await;
    }
}

async fn chaos(address: &str, rate: Option<&str>) {
    let url = format!("{address}/__aimock/chaos");
    let client = reqwest::Client::new();
    let request = match rate {
        Some(rate) => client.post(url).header("content-type", "application/json").body(json!({rate: 1}).to_string()),
        None => client.delete(url),
    };
    assert!(request.send().await.unwrap().status().is_success());
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn provider(choice: &str, version: &str, heal: Option<String>) -> (Provider, common::Lines) {
    let environment = |name: &str| match name {
        "AZURE_OPENAI_API_VERSION" => Some(OsString::from(version)),
        name => name.ends_with("_API_KEY").then(|| OsString::from(KEY)),
    };
    let settings = Settings::resolve(choice.parse().unwrap(), &environment).unwrap();
    let lines = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&lines);
    let progress = Arc::new(move |line: &str| {
        kept.lock().unwrap().push(line.to_owned());
        if let Some(address) = heal.clone() {
            tokio::spawn(async move { chaos(&address, None).await });
        }
    });
    let retries = Retries { first_wait: std::time::Duration::from_millis(400), ..Retries::usual() };
    (Provider::new(settings, retries, progress).unwrap(), lines)
}

/// Two turns as the loop makes them.
async fn converse(provider: &Provider) -> Result<String, BackendError> {
    let mut request = TurnRequest { messages: Vec::new(), ..turn() };
    let response = provider.turn(&request).await?;
    let calls: Vec<_> = response.calls.iter().map(|call| call.arguments.clone()).collect();
    assert_eq!(calls, [json!({"path": "c"}), json!({"path": "d", "line": 2})], "{}", provider.name());
    let mut calls = response.calls;
    for (number, call) in calls.iter_mut().enumerate().filter(|(_, call)| call.id.is_empty()) {
        call.id = format!("call-{number}");
    }
    let results = calls.iter().map(|call| ToolResult {
        call_id: call.id.clone(),
        name: call.name.clone(),
        content: json!({"content": "text"}),
        is_error: false,
    });
    let results = results.collect();
    request.messages = vec![Message::Assistant { text: response.text, calls }, Message::ToolResults(results)];
    let response = provider.turn(&request).await?;
    // For most dialects the server counts no tokens.
    assert!(response.usage.total() > 0 || !provider.name().starts_with("openai:"), "{}", provider.name());
    Ok(response.calls[0].arguments["result"].as_str().unwrap_or_default().to_owned())
}

#[tokio::test]
async fn conversation_ends_with_its_result_in_every_dialect() {
    let server = Server::start();
    for (choice, path, version) in CHOICES {
        let (provider, lines) = provider(&format!("{choice}@{}{path}", server.address), version, None);
        assert_eq!(converse(&provider).await.unwrap_or_else(|error| panic!("{choice}: {error}")), "done");
        assert!(lines.lock().unwrap().is_empty(), "{choice}");
    }
}

#[tokio::test]
async fn faults_that_pass_are_survived_in_every_dialect() {
    let server = Server::start();
    for (choice, path, version) in CHOICES {
        for fault in ["dropRate", "disconnectRate", "rateLimitRate"] {
            let heal = Some(server.address.clone());
            let (provider, lines) = provider(&format!("{choice}@{}{path}", server.address), version, heal);
            server.chaos(Some(fault)).await;
            let outcome = converse(&provider).await;
            assert_eq!(outcome.unwrap_or_else(|error| panic!("{choice}, {fault}: {error}")), "done");
            let lines = lines.lock().unwrap();
            assert!(!lines.is_empty(), "{choice}, {fault}");
            assert!(!lines.join("").contains("canary"), "{lines:?}");
        }
    }
}

#[tokio::test]
async fn answer_that_is_not_json_is_malformed_in_every_dialect() {
    let server = Server::start();
    for (choice, path, version) in CHOICES {
        let (provider, _) = provider(&format!("{choice}@{}{path}", server.address), version, None);
        server.chaos(Some("malformedRate")).await;
        let error = converse(&provider).await.unwrap_err();
        assert!(matches!(error, BackendError::Malformed { .. }), "{choice}: {error:?}");
    }
}

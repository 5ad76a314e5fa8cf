//! Whole agents in every dialect against a mock server of providers, installed from its lock file with npm, with the
//! faults it injects. The server takes any request, so this is about its answers and about paths and headers alone.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

use bailiwick_agent::{AgentError, BackendError, Completed, Transcript};
use bailiwick_models::{Provider, Retries};
use serde_json::json;

use super::desk::{Desk, End, Finding, Report, agent};
use super::{CHOICES, common, provider};

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
        Self::with_fixtures(&["fixtures.json"])
    }

    /// A server that answers by the first fixture that fits.
    fn with_fixtures(names: &[&str]) -> Self {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mock-server");
        let mut child = Command::new("node")
            .arg(program())
            // Small pieces, so that calls come in several.
            .args(["-p", "0", "--strict", "--chunk-size", "5"])
            .args(names.iter().flat_map(|name| ["-f".into(), directory.join(name)]))
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
}

/// Makes every request meet a fault, or none.
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

fn retries() -> Retries {
    Retries { first_wait: Duration::from_millis(200), ..Retries::usual() }
}

/// A provider that has the server healed as soon as it says that something is wrong.
fn healing(choice: &str, version: &str, server: &str) -> (Provider, common::Lines) {
    let server = server.to_owned();
    provider(choice, version, retries(), move |_| {
        let server = server.clone();
        tokio::spawn(async move { chaos(&server, None).await });
    })
}

async fn run(desk: &Desk, provider: &Provider) -> Result<Completed<Report>, AgentError> {
    bailiwick_agent::run(&agent(20), desk, provider, &mut Transcript::discarded()).await
}

/// Holds what an agent did against what the fixtures make it do: two reads at once, an answer without a call and the
/// reminder, a read that fails, a call beside an unknown tool, a result that does not fit, and one that does.
fn assert_whole(what: &str, desk: &Desk, completed: &Completed<Report>) {
    let mut calls = desk.calls.lock().unwrap().clone();
    // Reads of one turn run at the same time.
    calls[..2].sort_by_key(|(_, arguments)| arguments.to_string());
    let expected = [
        ("Read", json!({"path": "c"})),
        ("Read", json!({"path": "d", "line": 2})),
        ("Read", json!({"path": "missing"})),
        // The null for what may be left out is gone.
        ("Put", json!({"path": "e", "content": "é\n😀 \"quoted\""})),
    ];
    assert_eq!(calls, expected.map(|(name, arguments)| (name.to_owned(), arguments)), "{what}");
    assert_eq!(desk.put.lock().unwrap()["e"], "é\n😀 \"quoted\"", "{what}");
    let finding = |path: &str, line| Finding { path: path.into(), line };
    let expected = Report {
        findings: vec![finding("d", Some(2)), finding("c", None)],
        end: End::Part { missing: vec!["missing".into()] },
        left: None,
    };
    assert_eq!(completed.result, expected, "{what}");
    assert_eq!((completed.totals.turns, completed.totals.tool_calls), (6, 7), "{what}");
}

#[tokio::test]
async fn whole_agent_ends_with_its_result_in_every_dialect() {
    let server = Server::start();
    for (choice, path, version) in CHOICES {
        let (provider, lines) = provider(&format!("{choice}@{}{path}", server.address), version, retries(), |_| ());
        let desk = Desk::default();
        let completed = run(&desk, &provider).await.unwrap_or_else(|error| panic!("{choice} {version}: {error}"));
        assert_whole(choice, &desk, &completed);
        assert!(!lines.lock().unwrap().iter().any(|line| line.contains("again")), "{choice}: {lines:?}");
        // For most dialects the server counts no tokens.
        assert!(completed.totals.usage.total() > 0 || choice != "openai:m", "{choice}");
    }
}

#[tokio::test]
async fn faults_that_pass_are_survived_in_the_middle_of_a_conversation_in_every_dialect() {
    let server = Server::start();
    for (choice, path, version) in CHOICES {
        for fault in ["dropRate", "disconnectRate", "rateLimitRate"] {
            let (provider, lines) = healing(&format!("{choice}@{}{path}", server.address), version, &server.address);
            let address = server.address.clone();
            let at_put = move || {
                let address = address.clone();
                Box::pin(async move { chaos(&address, Some(fault)).await }) as std::pin::Pin<Box<_>>
            };
            let desk = Desk { at_put: Some(Box::new(at_put)), ..Desk::default() };
            let outcome = run(&desk, &provider).await;
            let completed = outcome.unwrap_or_else(|error| panic!("{choice} {version}, {fault}: {error}"));
            assert_whole(&format!("{choice} {version}, {fault}"), &desk, &completed);
            let lines = lines.lock().unwrap();
            assert!(lines.iter().any(|line| line.contains("again")), "{choice}, {fault}: {lines:?}");
            assert!(!lines.join("").contains("canary"), "{lines:?}");
        }
    }
}

#[tokio::test]
async fn answer_that_is_not_json_is_malformed_in_every_dialect() {
    let server = Server::start();
    for (choice, path, version) in CHOICES {
        let (provider, _) = provider(&format!("{choice}@{}{path}", server.address), version, retries(), |_| ());
        chaos(&server.address, Some("malformedRate")).await;
        let error = run(&Desk::default(), &provider).await.map(|_| ()).unwrap_err();
        let malformed = matches!(&error, AgentError::Backend { source: BackendError::Malformed { .. }, .. });
        assert!(malformed, "{choice} {version}: {error:?}");
    }
}

/// Three of the streams break off once: between text and calls, within the text, and within the arguments of a call,
/// which Gemini and Ollama have in one piece with the end of the answer.
#[tokio::test]
async fn stream_that_is_cut_in_the_middle_is_never_an_answer_and_is_asked_for_again_in_every_dialect() {
    for (choice, path, version) in CHOICES {
        let server = Server::with_fixtures(&["cuts.json", "fixtures.json"]);
        let (provider, lines) = provider(&format!("{choice}@{}{path}", server.address), version, retries(), |_| ());
        let desk = Desk::default();
        let completed = run(&desk, &provider).await.unwrap_or_else(|error| panic!("{choice} {version}: {error}"));
        assert_whole(&format!("{choice} {version}"), &desk, &completed);
        let lines = lines.lock().unwrap();
        let again = lines.iter().filter(|line| line.contains("again")).count();
        let in_one_piece = choice.starts_with("gemini") || choice.starts_with("ollama");
        assert_eq!(again, if in_one_piece { 2 } else { 3 }, "{choice} {version}: {lines:?}");
    }
}

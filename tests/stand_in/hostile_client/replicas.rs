//! Two servers that clients reach as one: whose runs they tell of, and what becomes of a run whose replica is killed.

mod on_server;

use super::ownership::{NO_TOKEN, Subject, UNKNOWN_WORKFLOW, exist_for_nobody_like};
use bailiwick_tests::{HttpServer, Issuer, Snapshot, World, request, server};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

const AUDIENCE: &str = "http://mcp.example/mcp";
const REQUEST: &str = "rename the model AnalyzeResult to WidgetAnalysis in the Python SDK";

/// How long a run may take to come as far as a test needs it.
const PATIENCE: Duration = Duration::from_secs(300);
/// How long to wait before asking again.
const BETWEEN: Duration = Duration::from_millis(50);

/// What replicas have in common.
struct Common {
    world: World,
    issuer: Issuer,
    key: PathBuf,
    registry: String,
}

impl Common {
    fn new() -> Self {
        Self::over(None)
    }

    /// Those with their registry at this address, or in a directory.
    fn over(server: Option<String>) -> Self {
        let (world, issuer) = (World::standing_in(), Issuer::start());
        let key = world.base().join("key");
        let registry = server.unwrap_or_else(|| world.base().join("registry").to_str().unwrap().to_owned());
        std::fs::write(&key, "a-key-of-replicas-of-more-than-32-characters\n").unwrap();
        std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o600)).unwrap();
        Self { world, issuer, key, registry }
    }

    /// A replica with this state directory.
    fn replica(&self, state: &str) -> HttpServer {
        let (issuer, key) = (self.issuer.url("good"), self.key.to_str().unwrap());
        let arguments = [
            ["--oauth-issuer", &issuer],
            ["--oauth-audience", AUDIENCE],
            ["--oauth-operator", "carol"],
            ["--answer-within", "0"],
            ["--state-key", key],
            ["--replicas", &self.registry],
        ];
        let arguments = [&["--http"], arguments.as_flattened()].concat();
        let mut command = server(self.world.base(), &self.world.serving(&arguments));
        command.env("BAILIWICK_STATE_DIR", self.world.base().join(state));
        HttpServer::over(command, Some(NO_TOKEN))
    }

    fn subject<'a>(&self, server: &'a HttpServer, subject: &str) -> Subject<'a> {
        let claims = json!({ "aud": AUDIENCE, "sub": subject });
        Subject { server, token: self.issuer.mint(&json!({ "issuer": "good", "claims": claims })) }
    }

    /// Begins a customization whose build hangs; returns what was there before, and the names of its run: the one that was told first, and the one on
    /// record. When this returns, something of it has landed in the repositories.
    fn begin(&self, subject: &Subject<'_>) -> (Snapshot, [String; 2]) {
        self.world.stand_in_fails(&json!({ "hangs": "build" }));
        let before = self.world.snapshot();
        let arguments = json!({ "packagePath": self.world.package(), "customizationRequest": REQUEST });
        let begun = subject.call("azsdk_package_customize_code", arguments);
        let first = begun["structuredContent"]["runId"].as_str().unwrap_or_else(|| panic!("{begun:#}")).to_owned();
        let patience = Instant::now() + PATIENCE;
        while Instant::now() < patience {
            let told = status(subject, "azsdk_run_wait", &first);
            assert_eq!(told["status"], "running", "{told:#}");
            let run = told["runId"].as_str().unwrap().to_owned();
            if run != first && self.world.snapshot() != before {
                return (before, [first, run]);
            }
            std::thread::sleep(BETWEEN);
        }
        panic!("nothing of `{first}` has landed in the repositories");
    }
}

fn status(subject: &Subject<'_>, tool: &str, run: &str) -> Value {
    let mut arguments = json!({ "runId": run });
    if tool == "azsdk_run_wait" {
        arguments["seconds"] = json!(0);
    }
    let told = subject.call(tool, arguments);
    match told["structuredContent"].is_object() {
        true => told["structuredContent"].clone(),
        false => told,
    }
}

#[test]
fn run_of_one_replica_is_asked_about_and_cancelled_at_another_by_its_subject_alone() {
    let common = Common::new();
    let (one, other) = (common.replica("state"), common.replica("state-2"));
    let beside = common.replica("state");
    let [here, there] = [&one, &other].map(|server| common.subject(server, "alice"));
    // Begun at one, waited for at the other.
    let (before, names) = common.begin(&here);
    for run in &names {
        for server in [&other, &beside] {
            exist_for_nobody_like(&common.subject(server, "bob"), &common.world, run, UNKNOWN_WORKFLOW);
            let told = status(&common.subject(server, "alice"), "azsdk_run_wait", run);
            assert_eq!(told["status"], "running", "{told:#}");
            let reverted = status(&common.subject(server, "alice"), "azsdk_run_revert", run).to_string();
            assert!(reverted.contains("is at work"), "{reverted}");
        }
    }
    assert_eq!(status(&common.subject(&other, "carol"), "azsdk_run_show", &names[1])["status"], "running");
    let cancelled = status(&there, "azsdk_run_cancel", &names[1]);
    assert_eq!(cancelled["status"], "cancelled", "{cancelled:#}");
    before.assert_same(&common.world.snapshot());
    assert_eq!(status(&there, "azsdk_run_show", &names[1])["status"], "reverted");
}

#[test]
fn run_whose_replica_is_killed_is_put_back_by_the_next_one_on_its_machine_and_no_token_is_sent_on() {
    let common = Common::new();
    let (one, other) = (common.replica("state"), common.replica("state-2"));
    let (before, [_, run]) = common.begin(&common.subject(&one, "alice"));
    let address = one.address().to_owned();
    // `kill -9`
    drop(one);
    let [alice, bob] = ["alice", "bob"].map(|name| common.subject(&other, name));
    let told = status(&alice, "azsdk_run_show", &run).to_string();
    assert!(told.contains("which does not answer") && told.contains("puts back what was at work"), "{told}");
    exist_for_nobody_like(&bob, &common.world, &run, UNKNOWN_WORKFLOW);

    // Another program has the address now.
    let listener = TcpListener::bind(&address).unwrap();
    let hearing = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut heard = vec![0; 64 * 1024];
        let count = stream.read(&mut heard).unwrap();
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\nfine");
        String::from_utf8_lossy(&heard[..count]).to_lowercase()
    });
    let told = status(&alice, "azsdk_run_revert", &run).to_string();
    assert!(told.contains("which does not answer"), "{told}");
    let heard = hearing.join().unwrap();
    assert!(heard.starts_with("post /replica"), "{heard}");
    for secret in [alice.token.to_lowercase().as_str(), "bearer", "alice", run.as_str()] {
        assert!(!heard.contains(secret), "`{secret}` in {heard}");
    }

    let next = common.replica("state");
    for server in [&next, &other] {
        assert_eq!(status(&common.subject(server, "alice"), "azsdk_run_show", &run)["status"], "reverted");
        before.assert_same(&common.world.snapshot());
        exist_for_nobody_like(&common.subject(server, "bob"), &common.world, &run, UNKNOWN_WORKFLOW);
    }
}

/// A client up to 2025-11-25 of a subject, with a session.
struct OldClient<'a> {
    subject: Subject<'a>,
    session: String,
}

impl<'a> OldClient<'a> {
    fn begin(subject: Subject<'a>) -> Self {
        let params = json!({
            "protocolVersion": "2025-11-25", "capabilities": { "elicitation": {} }, "clientInfo": { "name": "t", "version": "1" },
        });
        let mut client = Self { subject, session: String::new() };
        let hello = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params });
        let reply = client.subject.server.post(&client.headers(), &hello.to_string());
        client.session = reply.header("Mcp-Session-Id").unwrap_or_else(|| panic!("{reply:?}")).to_owned();
        let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        assert_eq!(client.subject.server.post(&client.headers(), &ready.to_string()).status, 202);
        client
    }

    fn headers(&self) -> Vec<(&'static str, String)> {
        let mut headers = self.subject.server.usual();
        headers.retain(|(name, _)| *name != "Authorization");
        headers.push(("Authorization", format!("Bearer {}", self.subject.token)));
        if !self.session.is_empty() {
            headers.push(("Mcp-Session-Id", self.session.clone()));
        }
        headers
    }

    /// Calls a tool, and answers what the server asks meanwhile.
    fn call(&self, tool: &str, arguments: &Value, answer: &Value) -> (Value, Option<Value>) {
        let params = json!({ "name": tool, "arguments": arguments });
        let call = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params }).to_string();
        let mut stream = TcpStream::connect(self.subject.server.address()).unwrap();
        stream.write_all(request("POST", "/mcp", &self.headers(), &call).as_bytes()).unwrap();
        let mut asked = None;
        for line in BufReader::new(stream).lines() {
            let line = line.unwrap();
            let Some(message) = line.strip_prefix("data: ").and_then(|text| serde_json::from_str::<Value>(text).ok())
            else {
                continue;
            };
            if message["id"] == 2 && message["result"].is_object() {
                return (message["result"].clone(), asked);
            }
            if message["method"] == "elicitation/create" {
                let answer = json!({ "jsonrpc": "2.0", "id": message["id"], "result": answer });
                assert_eq!(self.subject.server.post(&self.headers(), &answer.to_string()).status, 202);
                asked = Some(message["params"]["message"].clone());
            }
        }
        panic!("there is no answer");
    }
}

#[test]
fn person_at_an_old_client_is_asked_by_the_replica_that_it_is_connected_to() {
    let common = Common::new();
    let client = common.world.client() + "\n@@clientName(AnalyzeResult, \"WidgetAnalysis\", \"python\");\n";
    std::fs::write(common.world.project().join("client.tsp"), client).unwrap();
    let (one, other) = (common.replica("state"), common.replica("state-2"));
    let alice = common.subject(&one, "alice");
    let begun = alice.call("azsdk_package_generate_code", json!({ "packagePath": common.world.package() }));
    let mut run = begun["structuredContent"]["runId"].as_str().unwrap_or_else(|| panic!("{begun:#}")).to_owned();
    let patience = Instant::now() + PATIENCE;
    loop {
        assert!(Instant::now() < patience, "`{run}` does not finish");
        let told = status(&common.subject(&other, "alice"), "azsdk_run_wait", &run);
        run = told["runId"].as_str().unwrap_or_else(|| panic!("{told:#}")).to_owned();
        if told["status"] == "finished" {
            break;
        }
        std::thread::sleep(BETWEEN);
    }
    let (approve, run) = ("azsdk_run_approve", json!({ "runId": run }));
    let yes = json!({ "action": "accept", "content": { "approve": true } });
    let bob = OldClient::begin(common.subject(&other, "bob"));
    let (refused, asked) = bob.call(approve, &run, &yes);
    assert!(refused["isError"] == true && asked.is_none(), "{refused:#} {asked:?}");
    let alice = OldClient::begin(common.subject(&other, "alice"));
    let (declined, asked) = alice.call(approve, &run, &json!({ "action": "decline" }));
    assert_eq!(declined["structuredContent"]["approved"], json!(false), "{declined:#}");
    assert!(asked.is_some_and(|asked| asked.to_string().contains("Approve the run")));
    let (approved, _) = alice.call(approve, &run, &yes);
    assert_eq!(approved["structuredContent"]["status"], "approved", "{approved:#}");
}

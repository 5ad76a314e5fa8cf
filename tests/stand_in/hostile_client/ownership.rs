//! Runs and workflows belong to the subject that began them: to another one they do not exist, whatever is asked of them.

use bailiwick_tests::{HttpServer, Issuer, Mcp, World, server};
use serde_json::{Value, json};

/// The name of a run that does not exist.
pub(super) const UNKNOWN_RUN: &str = "20200101-000000-000-aaaaaaaa";
pub(super) const UNKNOWN_WORKFLOW: &str = "workflow-00000000000000000000000000000000";
const WORKFLOW: &str = "azsdk_sdk_customization_workflow";
const PROTOCOL: &str = "2026-07-28";
/// Stands where a token of ours would be printed; it is never accepted.
pub(super) const NO_TOKEN: &str = "no-token-of-anybody";

/// A server that takes tokens of this issuer; carol is its operator.
fn serving(world: &World, issuer: &str, answer_within: &str) -> HttpServer {
    let further = ["--http", "--oauth-issuer", issuer, "--oauth-operator", "carol", "--answer-within", answer_within];
    HttpServer::over(server(world.base(), &world.serving(&further)), Some(NO_TOKEN))
}

/// A client with a token.
pub(super) struct Subject<'a> {
    pub(super) server: &'a HttpServer,
    pub(super) token: String,
}

impl<'a> Subject<'a> {
    fn of(server: &'a HttpServer, issuer: &Issuer, name: &str, subject: &str) -> Self {
        let claims = json!({ "aud": server.url(), "sub": subject });
        Self { server, token: issuer.mint(&json!({ "issuer": name, "claims": claims })) }
    }

    /// One request of 2026-07-28, which needs no session.
    fn request(&self, method: &str, name: Option<&str>, mut params: Value) -> Value {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": PROTOCOL,
            "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} },
            "io.modelcontextprotocol/clientInfo": { "name": "tests", "version": "1" },
        });
        let mut headers = self.server.usual();
        headers.retain(|(name, _)| *name != "Authorization");
        headers.push(("Authorization", format!("Bearer {}", self.token)));
        headers.push(("Mcp-Protocol-Version", PROTOCOL.into()));
        headers.push(("Mcp-Method", method.into()));
        headers.extend(name.map(|name| ("Mcp-Name", name.to_owned())));
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let reply = self.server.post(&headers, &message.to_string());
        assert!(matches!(reply.status, 200 | 400 | 404), "{method}: {reply:?}\n{}", self.server.said());
        reply.message()
    }

    pub(super) fn call(&self, tool: &str, arguments: Value) -> Value {
        let mut params = json!({ "name": tool });
        params["arguments"] = arguments;
        let answer = self.request("tools/call", Some(tool), params);
        assert!(answer["result"].is_object(), "{tool}: {answer:#}");
        answer["result"].clone()
    }

    fn runs(&self) -> u64 {
        self.call("azsdk_run_list", json!({}))["structuredContent"]["total"].as_u64().unwrap()
    }

    /// Everything that can be asked about a run and a workflow, with what comes of it.
    fn asks_for_everything(&self, world: &World, run: &str, workflow: &str) -> Vec<(String, Value)> {
        let mut told = Vec::new();
        for (tool, arguments) in [
            ("azsdk_run_show", json!({ "runId": run })),
            ("azsdk_run_wait", json!({ "runId": run, "seconds": 0 })),
            ("azsdk_run_cancel", json!({ "runId": run })),
            ("azsdk_run_revert", json!({ "runId": run })),
            ("azsdk_run_approve", json!({ "runId": run })),
            (WORKFLOW, json!({ "workflowId": workflow })),
            (
                WORKFLOW,
                json!({ "workflowId": workflow, "result": { "type": "classification", "tspApplicable": false } }),
            ),
            ("azsdk_sdk_fix", json!({ "packagePath": world.package(), "workflowId": workflow })),
        ] {
            told.push((format!("{tool} {arguments}"), self.call(tool, arguments)));
        }
        for document in ["report", "diff"] {
            let uri = format!("bailiwick://runs/{run}/{document}");
            told.push((uri.clone(), self.request("resources/read", Some(&uri), json!({ "uri": uri }))));
        }
        let explain = json!({ "name": "explain_run", "arguments": { "runId": run } });
        told.push(("explain_run".into(), self.request("prompts/get", Some("explain_run"), explain)));
        let reference = json!({ "type": "ref/prompt", "name": "explain_run" });
        let complete = json!({ "ref": reference, "argument": { "name": "runId", "value": run } });
        told.push(("completion".into(), self.request("completion/complete", None, complete)));
        told
    }
}

/// An answer without what a replica adds for a time after it started: between two questions that time may end.
fn without_doubt(told: &Value) -> String {
    let told = told.to_string();
    let doubt = ", as far as this replica knows; the registry of replicas may lack entries of others for now";
    match told.contains(doubt) {
        true => told.replace(doubt, "").replace(r"\n\nhint: try again a little later", ""),
        false => told,
    }
}

/// What is said about this run and this workflow is said about any that never were.
#[track_caller]
pub(super) fn exist_for_nobody_like(subject: &Subject<'_>, world: &World, run: &str, workflow: &str) {
    let told = subject.asks_for_everything(world, run, workflow);
    let unknown = subject.asks_for_everything(world, UNKNOWN_RUN, UNKNOWN_WORKFLOW);
    for ((asked, told), (_, unknown)) in told.iter().zip(&unknown) {
        let as_unknown = without_doubt(told).replace(run, UNKNOWN_RUN).replace(workflow, UNKNOWN_WORKFLOW);
        assert_eq!(as_unknown, without_doubt(unknown), "{asked}");
    }
    let listed = subject.request("resources/list", None, json!({})).to_string();
    assert!(!listed.contains(run) && !listed.contains("bailiwick://runs/"), "{listed}");
    assert_eq!(subject.runs(), 0);
}

fn rename_in_specification(world: &World) {
    let client = world.client() + "\n@@clientName(AnalyzeResult, \"WidgetAnalysis\", \"python\");\n";
    std::fs::write(world.project().join("client.tsp"), client).unwrap();
}

#[test]
fn run_and_workflow_of_one_subject_exist_for_that_subject_and_operators_alone() {
    let (world, issuer) = (World::standing_in(), Issuer::start());
    rename_in_specification(&world);
    let before = world.snapshot();
    let package = json!({ "packagePath": world.package() });
    let first = serving(&world, &issuer.url("good"), "600");
    let alice = Subject::of(&first, &issuer, "good", "alice");
    let generated = alice.call("azsdk_package_generate_code", package.clone());
    let run = generated["structuredContent"]["runId"].as_str().unwrap_or_else(|| panic!("{generated:#}")).to_owned();
    let start = json!({ "request": "secret plans", "requestType": "user_request", "packagePath": world.package() });
    let begun = alice.call(WORKFLOW, start);
    let workflow = begun["structuredContent"]["workflow_id"].as_str().unwrap_or_else(|| panic!("{begun:#}")).to_owned();
    let workflows_run = begun["structuredContent"]["run_id"].as_str().unwrap().to_owned();
    assert_eq!(alice.runs(), 2);

    let bob = Subject::of(&first, &issuer, "good", "bob");
    let standing = world.snapshot();
    for run in [&run, &workflows_run] {
        exist_for_nobody_like(&bob, &world, run, &workflow);
    }
    // What keeps bob from the package has no name that is not his to know.
    let kept = bob.call("azsdk_package_generate_code", package);
    assert_eq!(kept["isError"], json!(true), "{kept:#}");
    let said = kept.to_string();
    assert!(said.contains("in use by another run"), "{said}");
    assert!(!said.contains(&run) && !said.contains(&workflows_run) && !said.contains("secret plans"), "{said}");
    standing.assert_same(&world.snapshot());
    drop(first);

    // A restarted server remembers the owners; a subject of another issuer is another owner.
    let elsewhere = serving(&world, &issuer.url("oidc"), "600");
    exist_for_nobody_like(&Subject::of(&elsewhere, &issuer, "oidc", "alice"), &world, &run, &workflow);
    drop(elsewhere);
    let second = serving(&world, &issuer.url("good"), "600");
    let [alice, bob, carol] = ["alice", "bob", "carol"].map(|name| Subject::of(&second, &issuer, "good", name));
    exist_for_nobody_like(&bob, &world, &workflows_run, &workflow);
    assert_eq!((alice.runs(), carol.runs()), (2, 2));
    let shown = alice.call("azsdk_run_show", json!({ "runId": workflows_run }));
    assert_eq!(shown["structuredContent"]["request"], "secret plans", "{shown:#}");
    let report = format!("bailiwick://runs/{run}/report");
    for sees in [&alice, &carol] {
        let read = sees.request("resources/read", Some(&report), json!({ "uri": report }));
        assert!(read["result"]["contents"][0]["text"].as_str().unwrap().contains(&run), "{read:#}");
        let told = sees.call(WORKFLOW, json!({ "workflowId": workflow }));
        assert_eq!(told["structuredContent"]["workflow_id"], json!(workflow), "{told:#}");
    }
    // The model of the machine's own person does not see them, the person at the command line does.
    let mut local = Mcp::legacy(world.base(), &world.serving(&[]), json!({}));
    assert_eq!(local.call("azsdk_run_list", json!({}))["structuredContent"]["total"], 0);
    let refused = local.call("azsdk_run_revert", json!({ "runId": run }));
    assert!(refused["isError"] == true && refused.to_string().contains("there is no run"), "{refused:#}");
    let listed = world.bailiwick(&["--json", "run", "list"]).exits(0).json();
    assert_eq!(listed.as_array().unwrap().len(), 2, "{listed:#}");
    assert_eq!(listed[0]["owner"]["subject"]["subject"], "alice", "{listed:#}");
    assert_eq!(listed[0]["owner"]["subject"]["issuer"], json!(issuer.url("good")), "{listed:#}");
    let shown = world.bailiwick(&["run", "show", &run]).exits(0).stdout;
    assert!(shown.contains(&format!("owner      alice of {}", issuer.url("good"))), "{shown}");

    // The operator undoes the later one, alice her own.
    for (subject, run) in [(&carol, &workflows_run), (&alice, &run)] {
        let reverted = subject.call("azsdk_run_revert", json!({ "runId": run }));
        assert_eq!(reverted["structuredContent"]["status"], "reverted", "{reverted:#}");
    }
    before.assert_same(&world.snapshot());
}

#[test]
fn run_at_work_is_waited_for_and_cancelled_by_its_subject_alone() {
    let (world, issuer) = (World::standing_in(), Issuer::start());
    world.stand_in_fails(&json!({ "hangs": "build" }));
    let before = world.snapshot();
    let server = serving(&world, &issuer.url("good"), "0");
    let [alice, bob] = ["alice", "bob"].map(|name| Subject::of(&server, &issuer, "good", name));
    let begun = alice.call("azsdk_package_build_code", json!({ "packagePath": world.package() }));
    assert_eq!(begun["structuredContent"]["status"], "running", "{begun:#}");
    let provisional = begun["structuredContent"]["runId"].as_str().unwrap().to_owned();
    // It is begun when it is on record.
    let run = loop {
        let listed = alice.call("azsdk_run_list", json!({}));
        if let Some(run) = listed["structuredContent"]["runs"][0]["runId"].as_str() {
            break run.to_owned();
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    };
    for run in [&provisional, &run] {
        exist_for_nobody_like(&bob, &world, run, UNKNOWN_WORKFLOW);
    }
    let waited = alice.call("azsdk_run_wait", json!({ "runId": run, "seconds": 0 }));
    assert_eq!(waited["structuredContent"]["status"], "running", "bob ended it: {waited:#}");
    let cancelled = alice.call("azsdk_run_cancel", json!({ "runId": run }));
    assert_eq!(cancelled["structuredContent"]["status"], "cancelled", "{cancelled:#}");
    before.assert_same(&world.snapshot());
}

#[test]
fn run_on_record_without_an_owner_is_the_local_persons_and_no_subjects() {
    let (world, issuer) = (World::standing_in(), Issuer::start());
    rename_in_specification(&world);
    let generated = world.package_command("generate", &[]).exits(0).json();
    let run = generated["runId"].as_str().unwrap();
    let record = std::fs::read_to_string(world.state().join("runs").join(run).join("run.json")).unwrap();
    assert!(!record.contains("\"owner\""), "as records were before there were owners: {record}");
    let server = serving(&world, &issuer.url("good"), "600");
    let bob = Subject::of(&server, &issuer, "good", "bob");
    exist_for_nobody_like(&bob, &world, run, UNKNOWN_WORKFLOW);
    let mut local = Mcp::legacy(world.base(), &world.serving(&[]), json!({}));
    let reverted = local.call("azsdk_run_revert", json!({ "runId": run }));
    assert_eq!(reverted["structuredContent"]["status"], "reverted", "{reverted:#}");
}

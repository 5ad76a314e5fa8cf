//! Clients of other projects: the Python SDK's and both TypeScript SDKs' in both protocols over both transports, and
//! the Inspector.

use bailiwick_tests::{HttpServer, World, binary, cache, cache_of, inspector, python_client, typescript_client};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

const REQUEST: &str = "rename the model AnalyzeResult to WidgetAnalysis in the Python SDK";
/// The Python client's names for 2025-11-25 and 2026-07-28.
const MODES: [&str; 2] = ["legacy", "auto"];

/// Plays a scenario against a server over stdio.
fn play(base: &Path, arguments: &[&str], mode: &str, scenario: Value) -> Value {
    played(python_client(), &over_stdio(base, arguments, mode, scenario))
}

fn over_stdio(base: &Path, arguments: &[&str], mode: &str, scenario: Value) -> Value {
    let mut given = scenario;
    given["mode"] = json!(mode);
    given["command"] = json!(binary());
    // An official client starts its server in a directory of its own.
    let placed = |argument: &&str| match base.join(argument) {
        place if place.is_dir() => place.to_str().unwrap().to_owned(),
        _ => (*argument).to_owned(),
    };
    given["args"] = json!(["mcp"].iter().chain(arguments).map(placed).collect::<Vec<_>>());
    let path = std::env::var("PATH").unwrap();
    given["env"] =
        json!({ "BAILIWICK_STATE_DIR": base.join("state"), "BAILIWICK_CACHE_DIR": cache_of(base), "PATH": path });
    given
}

/// The same over HTTP.
fn play_http(server: &HttpServer, mode: &str, scenario: Value) -> Value {
    played(python_client(), &over_http(server, mode, scenario))
}

fn over_http(server: &HttpServer, mode: &str, scenario: Value) -> Value {
    let mut given = scenario;
    given["mode"] = json!(mode);
    given["url"] = json!(server.url());
    given["token"] = json!(server.token);
    given
}

fn played(mut client: Command, given: &Value) -> Value {
    let output = client.arg(given.to_string()).output().unwrap();
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{given:#}\n{stdout}\n{stderr}");
    if stdout.trim().is_empty() {
        return Value::Null;
    }
    serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stdout}\n{stderr}"))
}

fn docs() -> tempfile::TempDir {
    let base = tempfile::Builder::new().prefix("bailiwick-mcp-").tempdir().unwrap();
    std::fs::create_dir(base.path().join("docs")).unwrap();
    std::fs::write(base.path().join("docs/a.txt"), "one\n").unwrap();
    base
}

fn customize(world: &World) -> Value {
    json!({ "packagePath": world.package(), "customizationRequest": REQUEST })
}

#[test]
fn python_client_lists_and_reads_in_both_protocols_over_both_transports() {
    let base = docs();
    let grant = format!("docs={}", base.path().join("docs").display());
    let server = HttpServer::start(base.path(), &["--grant", &grant]);
    for mode in MODES {
        let calls = json!([["read_text_file", { "path": "docs/a.txt" }], ["read_text_file", { "path": "b" }], ["azsdk_run_list", {}]]);
        for http in [false, true] {
            let play = |scenario: Value| match http {
                true => play_http(&server, mode, scenario),
                false => play(base.path(), &["--grant", &grant], mode, scenario),
            };
            let listed = play(json!({ "scenario": "listed" }));
            let expected = if mode == "legacy" { "2025-11-25" } else { "2026-07-28" };
            assert_eq!(listed["outcome"]["protocol"], expected, "{listed:#}");
            assert_eq!(listed["outcome"]["server"]["name"], "bailiwick", "{listed:#}");
            let tools = listed["outcome"]["tools"].as_array().unwrap();
            assert!(tools.iter().any(|tool| tool["name"] == "azsdk_package_build_code"), "{listed:#}");
            let called = play(json!({ "scenario": "called", "calls": calls }));
            assert_eq!(called["outcome"][0]["isError"], false, "{called:#}");
            assert!(called["outcome"][0]["text"].as_str().unwrap().contains("one"), "{called:#}");
            assert_eq!(called["outcome"][1]["isError"], true, "{called:#}");
            assert_eq!(called["outcome"][2]["structured"]["total"], 0, "{called:#}");
        }
    }
}

#[test]
fn python_client_has_roots_that_narrow_what_was_granted_and_never_widen_it() {
    let base = docs();
    std::fs::create_dir_all(base.path().join("docs/part")).unwrap();
    std::fs::write(base.path().join("docs/part/b.txt"), "two\n").unwrap();
    std::fs::write(base.path().join("outside.txt"), "secret\n").unwrap();
    let base_path = base.path().canonicalize().unwrap();
    let at = |path: &str| base_path.join(path).to_str().unwrap().to_owned();
    let grant = format!("docs={}", at("docs"));
    let read = |path: &str| json!(["read_text_file", { "path": at(path) }]);
    let calls = [read("docs/part/b.txt"), read("docs/a.txt"), read("outside.txt")];
    let server = HttpServer::start(base.path(), &["--grant", &grant]);
    // Up to 2025-11-25 a server asks; afterwards roots are no more than a name.
    for (mode, roots, expected) in [
        ("legacy", vec!["docs/part"], [true, false, false]),
        ("legacy", vec![""], [true, true, false]),
        ("legacy", vec!["outside.txt", "elsewhere"], [false, false, false]),
        ("auto", vec!["docs/part"], [true, true, false]),
    ] {
        let uris: Vec<_> = roots.iter().map(|root| format!("file://{}", at(root).trim_end_matches('/'))).collect();
        let scenario = json!({ "scenario": "called", "calls": calls, "roots": uris });
        for http in [false, true] {
            let played = match http {
                true => play_http(&server, mode, scenario.clone()),
                false => play(base.path(), &["--grant", &grant], mode, scenario.clone()),
            };
            for (answer, expected) in played["outcome"].as_array().unwrap().iter().zip(expected) {
                assert_eq!(answer["isError"], json!(!expected), "{mode} {roots:?} http {http}: {played:#}");
            }
            let asked = played["asked"].as_array().unwrap().len();
            assert_eq!(asked, usize::from(mode == "legacy"), "{mode} {roots:?} http {http}: {played:#}");
        }
    }
}

#[test]
fn python_client_customizes_with_progress_and_a_person_approves() {
    for (mode, http) in [("legacy", false), ("auto", false), ("legacy", true), ("auto", true)] {
        let world = World::standing_in();
        let server = http.then(|| HttpServer::start(world.base(), &world.serving(&["--answer-within", "0"])));
        let play = |scenario: Value| match &server {
            Some(server) => play_http(server, mode, scenario),
            None => play(world.base(), &world.serving(&["--answer-within", "0"]), mode, scenario),
        };
        // The client checks every structured answer against the schema of its tool.
        let played = play(json!({ "scenario": "customized", "arguments": customize(&world), "seconds": 2 }));
        let answers = played["outcome"]["answers"].as_array().unwrap();
        assert!(answers.len() > 1 && answers[0]["structured"]["status"] == "running", "{played:#}");
        let last = &answers[answers.len() - 1]["structured"];
        assert_eq!(last["outcome"], "success", "{played:#}");
        told_apart(&played["outcome"]["progress"]);

        let run = last["runId"].as_str().unwrap();
        let calls = json!([["azsdk_run_approve", { "runId": run }], ["azsdk_run_show", { "runId": run }]]);
        for (answer, approved, status) in [
            (None, None, "pending"),
            (Some(json!(["decline", false])), Some(false), "pending"),
            (Some(json!(["accept", false])), Some(false), "pending"),
            (Some(json!(["accept", true])), Some(true), "approved"),
        ] {
            let mut scenario = json!({ "scenario": "called", "calls": calls });
            if let Some(answer) = &answer {
                scenario["answer"] = answer.clone();
            }
            let played = play(scenario);
            assert_eq!(played["asked"].as_array().unwrap().len(), usize::from(answer.is_some()), "{played:#}");
            assert_eq!(played["outcome"][0]["structured"]["approved"], json!(approved), "{played:#}");
            assert_eq!(played["outcome"][1]["structured"]["status"], status, "{played:#}");
        }
    }
}

#[test]
fn python_client_takes_a_call_back_in_the_middle_of_a_build_and_nothing_is_left_of_it() {
    for (mode, http) in [("legacy", false), ("auto", false), ("legacy", true), ("auto", true)] {
        let world = World::standing_in();
        world.stand_in_fails(&json!({ "hangs": "build" }));
        let before = world.snapshot();
        let server =
            http.then(|| HttpServer::start(world.base(), &world.serving(&["--answer-within", "600", "--no-resident"])));
        let scenario = json!({ "scenario": "cancelled", "arguments": customize(&world), "at": "building" });
        let played = match &server {
            Some(server) => play_http(server, mode, scenario),
            None => play(world.base(), &world.serving(&["--answer-within", "600", "--no-resident"]), mode, scenario),
        };
        nothing_is_left(&world, &played);
        // Over HTTP the client is not the parent of the processes that work for it.
        assert_eq!(world.processes(), server.iter().map(HttpServer::process).collect::<Vec<_>>(), "{mode}");
        before.assert_same(&world.snapshot());
    }
}

/// After a call that was taken back: the run is reverted, nothing of it is alive, and git sees nothing.
fn nothing_is_left(world: &World, played: &Value) {
    assert_eq!(played["outcome"]["runs"][0]["status"], "reverted", "{played:#}");
    assert_eq!(played["outcome"]["left"], json!([]), "{played:#}");
    for repository in ["azure-rest-api-specs", "azure-sdk-for-python"] {
        assert_eq!(world.git(repository, &["status", "--porcelain"]), "", "{repository}");
    }
}

/// What a caller was told over all its calls: regeneration and build are told apart and come in order, attempts have
/// numbers, and nothing goes backwards or is told twice.
fn told_apart(progress: &Value) {
    let told: Vec<_> = progress.as_array().unwrap().iter().map(|told| (told[0].as_f64().unwrap(), &told[1])).collect();
    assert!(told.windows(2).all(|pair| pair[0].0 <= pair[1].0), "{progress:#}");
    let steps = [
        "classifying",
        "editing `client.tsp` (phase A, attempt 1)",
        "regenerating azure-widget (tsp-client, @typespec/http-client-python); phase A, attempt 1",
        "regenerated after",
        "building azure-widget: import, mypy; phase A, attempt 1",
        "the build failed with",
        "repairing customization code (phase B, attempt 1)",
        "building azure-widget: import, mypy; phase B, attempt 1",
        "built after",
    ];
    let mut rest = told.iter().map(|(_, said)| said.as_str().unwrap());
    for step in steps {
        assert!(rest.any(|said| said.starts_with(step)), "`{step}` in its place: {progress:#}");
    }
}

/// The edit that the agent of a scenario makes where it is told to edit `client.tsp`.
const RENAME: &str = "\n@@clientName(AnalyzeResult, \"WidgetAnalysis\", \"python\");\n";

#[test]
fn python_client_goes_through_a_whole_workflow_over_the_real_toolchain_by_what_each_answer_says() {
    let world = World::new();
    let before = world.snapshot();
    let scenario = json!({
        "scenario": "coordinated",
        "start": {
            "request": "AnalyzeResult is to be called WidgetAnalysis in Python",
            "requestType": "user_request",
            "packagePath": world.package(),
        },
        "classifications": [true, false],
        "client": world.project().join("client.tsp"),
        "edit": RENAME,
    });
    let played = play(world.base(), &world.serving(&["--answer-within", "5"]), "auto", scenario);
    let outcome = &played["outcome"];
    let answers = outcome["answers"].as_array().unwrap();
    let phases: Vec<_> = answers.iter().map(|answer| answer["phase"].as_str().unwrap()).collect();
    assert_eq!(phases, ["Classify", "AttemptTspFix", "Classify", "AttemptSdkFix", "Success"], "{played:#}");
    let (end, others) = answers.split_last().unwrap();
    assert_eq!((&end["status"], &end["is_complete"]), (&json!("success"), &json!(true)), "{end:#}");
    assert!(end["summary"].as_str().unwrap().contains("renamed it as asked"), "{end:#}");
    for answer in others {
        assert_eq!(answer["continuation_required"], true, "{answer:#}");
        let continuation = answer["continuation_instruction"].as_str().unwrap();
        assert!(continuation.contains(answer["workflow_id"].as_str().unwrap()), "{answer:#}");
    }
    // The repository has no page of its own, so the answer names none.
    let asked = answers[0]["instruction"].as_str().unwrap();
    assert!(asked.contains("bailiwick://knowledge/customizing-client-tsp") && !asked.contains("eng/common"), "{asked}");
    assert!(outcome["fixes"][0]["patches"].to_string().contains("_patch.py"), "{played:#}");
    assert_eq!(outcome["run"], "pending", "{played:#}");
    assert!(world.read("azure/widget/models/_patch.py").contains("WidgetAnalysis"));
    let said = outcome["progress"].to_string();
    assert!(said.contains("regenerating azure-widget") && said.contains("building azure-widget"), "{said}");

    let run = end["run_id"].as_str().unwrap();
    let _ = world.bailiwick(&["run", "revert", run]).exits(0);
    before.assert_same(&world.snapshot());
}

/// The TypeScript SDKs by their scenario's names, with the mode of negotiation and the protocol that comes of it.
const TYPESCRIPT: [(&str, &str, &str); 3] =
    [("second", "legacy", "2025-11-25"), ("second", "auto", "2026-07-28"), ("first", "legacy", "2025-11-25")];

#[test]
fn typescript_clients_customize_and_approve_in_both_protocols_over_both_transports() {
    let world = World::standing_in();
    let before = world.snapshot();
    let server = HttpServer::start(world.base(), &world.serving(&["--answer-within", "0"]));
    for (sdk, mode, protocol) in TYPESCRIPT {
        for http in [false, true] {
            let scenario = json!({ "scenario": "customized", "sdk": sdk, "arguments": customize(&world), "answer": ["accept", true] });
            let given = match http {
                true => over_http(&server, mode, scenario),
                false => over_stdio(world.base(), &world.serving(&["--answer-within", "0"]), mode, scenario),
            };
            let played = played(typescript_client(), &given);
            let outcome = &played["outcome"];
            // The first SDK does not say over stdio which protocol it came to.
            assert!(outcome["protocol"] == protocol || (sdk == "first" && outcome["protocol"].is_null()), "{played:#}");
            assert!(outcome["tools"].to_string().contains("azsdk_sdk_customization_workflow"), "{played:#}");
            assert_eq!(outcome["wrong"]["isError"], true, "{played:#}");
            let answers = outcome["answers"].as_array().unwrap();
            assert!(answers.len() > 1 && answers[0]["structured"]["status"] == "running", "{played:#}");
            assert_eq!(answers.last().unwrap()["structured"]["outcome"], "success", "{played:#}");
            told_apart(&outcome["progress"]);
            assert_eq!(played["asked"].as_array().unwrap().len(), 1, "{played:#}");
            assert_eq!(outcome["approved"]["structured"]["status"], "approved", "{played:#}");
            // An approved run stays; what it changed is undone as a person would.
            for repository in ["azure-rest-api-specs", "azure-sdk-for-python"] {
                world.git(repository, &["checkout", "-q", "--", "."]);
                world.git(repository, &["clean", "-q", "-f", "-d"]);
            }
            before.assert_same(&world.snapshot());
        }
    }
}

#[test]
fn typescript_clients_take_a_call_back_in_the_middle_of_a_build_and_nothing_is_left_of_it() {
    let world = World::standing_in();
    world.stand_in_fails(&json!({ "hangs": "build" }));
    let before = world.snapshot();
    for (sdk, mode, _) in TYPESCRIPT {
        let scenario = json!({ "scenario": "cancelled", "sdk": sdk, "arguments": customize(&world), "at": "building" });
        let given =
            over_stdio(world.base(), &world.serving(&["--answer-within", "600", "--no-resident"]), mode, scenario);
        let played = played(typescript_client(), &given);
        assert!(played["outcome"]["failed"].is_string(), "{played:#}");
        nothing_is_left(&world, &played);
        before.assert_same(&world.snapshot());
    }
}

#[test]
fn python_client_that_vanishes_takes_its_customization_with_it() {
    let world = World::standing_in();
    world.stand_in_fails(&json!({ "hangs": "build" }));
    let before = world.snapshot();
    let scenario = json!({ "scenario": "abandoned", "arguments": customize(&world), "at": "building" });
    let played = play(world.base(), &world.serving(&["--answer-within", "600"]), "auto", scenario);
    assert_eq!(played, Value::Null);
    // The server ends by itself; a run that is being put back is still at work.
    loop {
        let listed = world.bailiwick(&["--json", "run", "list"]).exits(0).json();
        if listed[0]["status"] != "running" {
            assert_eq!(listed[0]["status"], "reverted", "{listed:#}");
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    before.assert_same(&world.snapshot());
}

/// A client customizes and is gone when it is told `at`. What `azsdk_run_wait` says of the run when it has ended.
fn left_alone(world: &World, server: &HttpServer, mode: &str, at: &str) -> Value {
    let scenario = json!({ "scenario": "abandoned", "arguments": customize(world), "at": at });
    assert_eq!(play_http(server, mode, scenario), Value::Null);
    let call = |name: &str, arguments: Value| {
        let played = play_http(server, "legacy", json!({ "scenario": "called", "calls": [[name, arguments]] }));
        played["outcome"][0]["structured"].clone()
    };
    let run = call("azsdk_run_list", json!({}))["runs"][0]["runId"].clone();
    loop {
        let waited = call("azsdk_run_wait", json!({ "runId": run }));
        if waited["status"] != "running" {
            return call("azsdk_run_show", json!({ "runId": run }));
        }
    }
}

#[test]
fn lost_http_connection_takes_nothing_back_up_to_2025_11_25() {
    let world = World::standing_in();
    let server = HttpServer::start(world.base(), &world.serving(&["--answer-within", "600"]));
    let shown = left_alone(&world, &server, "legacy", "classifying");
    assert_eq!((&shown["response"]["success"], &shown["status"]), (&json!(true), &json!("pending")), "{shown:#}");
}

#[test]
fn lost_http_connection_takes_the_call_back_from_2026_07_28_on() {
    let world = World::standing_in();
    world.stand_in_fails(&json!({ "hangs": "build" }));
    let before = world.snapshot();
    let server = HttpServer::start(world.base(), &world.serving(&["--answer-within", "600"]));
    let shown = left_alone(&world, &server, "auto", "building");
    assert_eq!(shown["status"], "reverted", "{shown:#}");
    assert_eq!(world.processes(), [server.process()]);
    before.assert_same(&world.snapshot());
}

#[test]
fn inspector_lists_and_calls_and_finds_no_fault_with_the_schemas() {
    let base = docs();
    // Writable, so that every tool is listed.
    let grant = format!("docs={}:rw", base.path().join("docs").display());
    let server = HttpServer::start(base.path(), &["--grant", &grant]);
    let inspect = |over_http: bool, arguments: &[&str]| {
        let mut command = inspector();
        command.env("BAILIWICK_STATE_DIR", base.path().join("state")).env("BAILIWICK_CACHE_DIR", cache());
        if over_http {
            command.args(["--cli", "--server-url", &server.url(), "--transport", "http"]);
            command.args(["--header", &format!("Authorization: Bearer {}", server.token)]);
        } else {
            command.arg("--cli").arg(binary()).args(["mcp", "--grant", &grant]);
        }
        let output = command.args(arguments).output().unwrap();
        let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{arguments:?}\n{stdout}\n{stderr}");
        (stdout.into_owned(), stderr.into_owned())
    };
    for over_http in [false, true] {
        // An error ends it, a warning is told on stderr.
        let (listed, found) = inspect(over_http, &["--method", "tools/list", "--strict"]);
        for tool in ["azsdk_package_build_code", "azsdk_package_customize_code", "azsdk_sdk_fix"] {
            assert!(listed.contains(tool), "{listed}");
        }
        assert!(!found.contains("Warning: tool"), "{found}");
        let read = ["--method", "tools/call", "--tool-name", "read_text_file", "--tool-arg", "path=docs/a.txt"];
        let (called, _) = inspect(over_http, &read);
        assert!(called.contains("one"), "{called}");
    }
}

#[test]
fn python_client_reads_what_runs_left_and_is_told_of_a_decision() {
    let world = World::standing_in();
    let response = world.customize(REQUEST).exits(0).json();
    let run = response["runId"].as_str().unwrap();
    let report = format!("bailiwick://runs/{run}/report");
    for mode in MODES {
        let decide = json!([binary(), "run", "approve", run]);
        let scenario = json!({ "scenario": "looked", "run": run, "watched": report, "decide": decide });
        let looked = play(world.base(), &world.serving(&[]), mode, scenario)["outcome"].clone();
        let resources = looked["resources"].as_array().unwrap();
        let uris: Vec<_> = resources.iter().map(|resource| resource["uri"].as_str().unwrap()).collect();
        assert_eq!(uris[1..], [report.as_str(), &format!("bailiwick://runs/{run}/diff")], "{looked:#}");
        assert!(looked["contents"][0].as_str().unwrap().contains("client.tsp"), "{looked:#}");
        assert_eq!(looked["explained"], looked["contents"][1], "{looked:#}");
        assert_eq!(looked["templates"].as_array().unwrap().len(), 2, "{looked:#}");
        assert_eq!(looked["prompts"].as_array().unwrap().len(), 5, "{looked:#}");
        assert_eq!(looked["completed"], json!([run]), "{looked:#}");
        // The last mode waits for it.
        let told = if mode == "auto" { json!(report) } else { Value::Null };
        assert_eq!(looked["told"], told, "{looked:#}");
    }
}

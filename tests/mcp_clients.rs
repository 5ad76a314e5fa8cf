//! Clients that nobody here wrote: the Python SDK's in both protocols over both transports, and the Inspector.

#![expect(clippy::unwrap_used, reason = "helpers of tests stop at the first surprise")]

use bailiwick_tests::{HttpServer, World, binary, cache, cache_of, inspector, python_client};
use serde_json::{Value, json};
use std::path::Path;

const REQUEST: &str = "rename the model AnalyzeResult to WidgetAnalysis in the Python SDK";
/// The Python client's names for 2025-11-25 and 2026-07-28.
const MODES: [&str; 2] = ["legacy", "auto"];

/// Plays a scenario against a server over stdio.
fn play(base: &Path, arguments: &[&str], mode: &str, scenario: Value) -> Value {
    let mut given = scenario;
    given["mode"] = json!(mode);
    given["command"] = json!(binary());
    given["args"] = json!([&["mcp"], arguments].concat());
    let path = std::env::var("PATH").unwrap();
    given["env"] =
        json!({ "BAILIWICK_STATE_DIR": base.join("state"), "BAILIWICK_CACHE_DIR": cache_of(base), "PATH": path });
    played(&given)
}

/// The same over HTTP.
fn play_http(server: &HttpServer, mode: &str, scenario: Value) -> Value {
    let mut given = scenario;
    given["mode"] = json!(mode);
    given["url"] = json!(server.url());
    given["token"] = json!(server.token);
    played(&given)
}

fn played(given: &Value) -> Value {
    let output = python_client().arg(given.to_string()).output().unwrap();
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
            assert_eq!(listed["outcome"]["tools"].as_array().unwrap().len(), 17, "{listed:#}");
            let called = play(json!({ "scenario": "called", "calls": calls }));
            assert_eq!(called["outcome"][0]["isError"], false, "{called:#}");
            assert!(called["outcome"][0]["text"].as_str().unwrap().contains("one"), "{called:#}");
            assert_eq!(called["outcome"][1]["isError"], true, "{called:#}");
            assert_eq!(called["outcome"][2]["structured"]["total"], 0, "{called:#}");
        }
    }
}

#[test]
fn python_client_customizes_with_progress_and_a_person_approves() {
    for mode in MODES {
        let world = World::standing_in();
        // The client checks every structured answer against the schema of its tool.
        let scenario = json!({ "scenario": "customized", "arguments": customize(&world), "seconds": 2 });
        let played = play(world.base(), &["--answer-within", "0"], mode, scenario);
        let answers = played["outcome"]["answers"].as_array().unwrap();
        assert!(answers.len() > 1 && answers[0]["structured"]["status"] == "running", "{played:#}");
        let last = &answers[answers.len() - 1]["structured"];
        assert_eq!(last["outcome"], "success", "{played:#}");
        assert!(played["outcome"]["progress"].to_string().contains("building"), "{played:#}");

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
            let played = play(world.base(), &[], mode, scenario);
            assert_eq!(played["asked"].as_array().unwrap().len(), usize::from(answer.is_some()), "{played:#}");
            assert_eq!(played["outcome"][0]["structured"]["approved"], json!(approved), "{played:#}");
            assert_eq!(played["outcome"][1]["structured"]["status"], status, "{played:#}");
        }
    }
}

#[test]
fn python_client_takes_a_call_back_in_the_middle_of_a_build_and_nothing_is_left_of_it() {
    for mode in MODES {
        let world = World::standing_in();
        world.stand_in_fails(&json!({ "hangs": "build" }));
        let before = world.snapshot();
        let scenario = json!({ "scenario": "cancelled", "arguments": customize(&world), "at": "building" });
        let played = play(world.base(), &["--answer-within", "600"], mode, scenario);
        assert_eq!(played["outcome"]["runs"][0]["status"], "reverted", "{played:#}");
        before.assert_same(&world.snapshot());
    }
}

#[test]
fn python_client_that_vanishes_takes_its_customization_with_it() {
    let world = World::standing_in();
    world.stand_in_fails(&json!({ "hangs": "build" }));
    let before = world.snapshot();
    let scenario = json!({ "scenario": "abandoned", "arguments": customize(&world), "at": "building" });
    let played = play(world.base(), &["--answer-within", "600"], "auto", scenario);
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

#[test]
fn lost_http_connection_takes_nothing_back() {
    let world = World::standing_in();
    let server = HttpServer::start(world.base(), &["--answer-within", "600"]);
    let scenario = json!({ "scenario": "abandoned", "arguments": customize(&world), "at": "classifying" });
    assert_eq!(play_http(&server, "auto", scenario), Value::Null);
    let listed = play_http(&server, "auto", json!({ "scenario": "called", "calls": [["azsdk_run_list", {}]] }));
    let run = listed["outcome"][0]["structured"]["runs"][0]["runId"].clone();
    let mut waited = Value::Null;
    while waited.is_null() || waited["outcome"][0]["structured"]["status"] == "running" {
        waited = play_http(
            &server,
            "legacy",
            json!({ "scenario": "called", "calls": [["azsdk_run_wait", { "runId": run }]] }),
        );
    }
    assert_eq!(waited["outcome"][0]["structured"]["outcome"], "success", "{waited:#}");
}

#[test]
fn inspector_lists_and_calls_and_finds_no_fault_with_the_schemas() {
    let base = docs();
    let grant = format!("docs={}", base.path().join("docs").display());
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
        stdout.into_owned()
    };
    for over_http in [false, true] {
        let listed = inspect(over_http, &["--method", "tools/list", "--strict"]);
        assert!(listed.contains("azsdk_package_customize_code"), "{listed}");
        assert!(listed.contains("no problems") || !listed.contains("Warning"), "{listed}");
        let read = ["--method", "tools/call", "--tool-name", "read_text_file", "--tool-arg", "path=docs/a.txt"];
        let called = inspect(over_http, &read);
        assert!(called.contains("one"), "{called}");
    }
}

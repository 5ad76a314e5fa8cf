//! The protocol by hand, over stdio, with the sandboxed tools: no toolchain is needed.

use bailiwick_tests::{Mcp, binary, cache, server, text};
use serde_json::{Value, json};
use std::path::Path;

const RUN_TOOLS: [&str; 12] = [
    "azsdk_package_build_code",
    "azsdk_package_customize_code",
    "azsdk_package_generate_code",
    "azsdk_package_run_tests",
    "azsdk_run_approve",
    "azsdk_run_cancel",
    "azsdk_run_list",
    "azsdk_run_revert",
    "azsdk_run_show",
    "azsdk_run_wait",
    "azsdk_sdk_customization_workflow",
    "azsdk_sdk_fix",
];
/// The file tools of a read-only grant, and those that a writable one adds.
const READING: [&str; 9] = [
    "directory_tree",
    "get_file_info",
    "list_allowed_directories",
    "list_directory",
    "list_directory_with_sizes",
    "read_media_file",
    "read_multiple_files",
    "read_text_file",
    "search_files",
];
const WRITING: [&str; 4] = ["create_directory", "edit_file", "move_file", "write_file"];
const METHOD_NOT_FOUND: i64 = -32601;
const INVALID_PARAMS: i64 = -32602;
const UNKNOWN_RUN: &str = "20261120-130405-678-k3m9x2qa";

fn base() -> tempfile::TempDir {
    let base = tempfile::Builder::new().prefix("bailiwick-mcp-").tempdir().unwrap();
    std::fs::create_dir(base.path().join("docs")).unwrap();
    std::fs::write(base.path().join("docs/a.txt"), "one\ntwo\n").unwrap();
    std::fs::write(base.path().join("secret.txt"), "secret").unwrap();
    base
}

fn both(base: &Path, arguments: &[&str]) -> [Mcp; 2] {
    [Mcp::legacy(base, arguments, json!({})), Mcp::modern(base, arguments, json!({}))]
}

fn is_error(result: &Value) -> bool {
    result["isError"] == json!(true)
}

#[test]
fn tools_are_listed_in_one_order_in_both_protocols_and_each_says_what_it_does() {
    let base = base();
    for mut client in both(base.path(), &["--grant", "docs=docs:rw"]) {
        let answer = client.request("tools/list", json!({}));
        let names = client.tools();
        let mut sorted = names.clone();
        sorted.sort();
        assert_eq!(names, sorted);
        assert_eq!(names, client.tools());
        for tool in answer["result"]["tools"].as_array().unwrap() {
            let name = tool["name"].as_str().unwrap();
            assert_eq!(tool["inputSchema"]["type"], "object", "{name}");
            assert!(tool["title"].is_string() && tool["description"].is_string(), "{name}");
            for hint in ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] {
                assert!(tool["annotations"][hint].is_boolean(), "{name}: {hint}");
            }
            // Text of files is sent once; everything else is structured.
            assert_eq!(tool["outputSchema"]["type"] == "object", name.starts_with("azsdk_"), "{name}");
        }
    }
}

#[test]
fn discovery_names_the_server_and_both_protocols() {
    let base = base();
    let mut client = Mcp::modern(base.path(), &[], json!({}));
    let answer = client.request("server/discover", json!({}));
    let result = &answer["result"];
    for version in ["2025-11-25", "2026-07-28"] {
        assert!(result["supportedVersions"].as_array().unwrap().contains(&json!(version)), "{answer:#}");
    }
    assert!(result.to_string().contains("\"name\":\"bailiwick\""), "{answer:#}");
    assert!(!result.to_string().contains("rmcp"), "{answer:#}");
    assert!(result["capabilities"]["tools"].is_object(), "{answer:#}");
}

#[test]
fn what_is_not_declared_answers_method_not_found() {
    let base = base();
    for mut client in both(base.path(), &[]) {
        for (method, params) in
            [("logging/setLevel", json!({ "level": "info" })), ("tasks/list", json!({})), ("no/such/method", json!({}))]
        {
            let answer = client.request(method, params);
            assert_eq!(answer["error"]["code"], METHOD_NOT_FOUND, "{method}: {answer:#}");
        }
        // And the server goes on.
        assert!(!client.tools().is_empty());
    }
}

#[test]
fn file_tools_are_offered_as_far_as_grants_go() {
    let base = base();
    let without: Vec<_> = Mcp::legacy(base.path(), &[], json!({})).tools();
    assert_eq!(without, RUN_TOOLS);
    let reading = Mcp::legacy(base.path(), &["--grant", "docs=docs"], json!({})).tools();
    let mut some = [&READING[..], &RUN_TOOLS[..]].concat();
    some.sort_unstable();
    assert_eq!(reading, some);
    let writing = Mcp::legacy(base.path(), &["--grant", "docs=docs:rw"], json!({})).tools();
    let mut all = [&WRITING[..], &READING[..], &RUN_TOOLS[..]].concat();
    all.sort_unstable();
    assert_eq!(writing, all);
    let native = Mcp::legacy(base.path(), &["--grant", "docs=docs:rw", "--file-tools", "native"], json!({})).tools();
    let all = ["CodePatch", "ListFiles", "ReadFile", "UpdateCspellWords", "WriteFile"];
    assert_eq!(native, [&all, &RUN_TOOLS[..]].concat());
}

#[test]
fn file_tools_reach_what_was_granted_and_every_call_is_on_record() {
    let base = base();
    for mut client in both(base.path(), &["--grant", "docs=docs"]) {
        let read = client.call("read_text_file", json!({ "path": "docs/a.txt" }));
        assert!(text(&read).contains("one\ntwo"), "{read:#}");
        assert!(read.get("structuredContent").is_none(), "the text is sent once: {read:#}");
        for path in ["docs/../secret.txt", "secret.txt", "/etc/passwd", "docs/../../secret.txt"] {
            let refused = client.call("read_text_file", json!({ "path": path }));
            assert!(is_error(&refused), "{path}: {refused:#}");
        }
        let unknown = client
            .request("tools/call", json!({ "name": "write_file", "arguments": { "path": "docs/b", "content": "" } }));
        assert_eq!(unknown["error"]["code"], INVALID_PARAMS, "{unknown:#}");
        assert!(!base.path().join("docs/b").exists());
    }
    let shown = std::process::Command::new(binary())
        .args(["--json", "audit", "show"])
        .env("BAILIWICK_STATE_DIR", base.path().join("state"))
        .env("BAILIWICK_CACHE_DIR", cache())
        .output()
        .unwrap();
    let shown = String::from_utf8(shown.stdout).unwrap();
    assert_eq!(shown.matches("\"read_text_file\"").count(), 10, "{shown}");
}

#[test]
fn arguments_that_do_not_fit_are_an_error_to_read_and_start_nothing() {
    let base = base();
    for mut client in both(base.path(), &["--grant", "docs=docs"]) {
        for (tool, arguments) in [
            ("read_text_file", json!({})),
            ("read_text_file", json!({ "path": 3 })),
            ("azsdk_package_customize_code", json!({ "packagePath": "/tmp" })),
            ("azsdk_package_customize_code", json!({ "packagePath": "/tmp", "customizationRequest": "" })),
            (
                "azsdk_package_customize_code",
                json!({ "packagePath": "/tmp", "customizationRequest": "a", "editScope": "Most" }),
            ),
            (
                "azsdk_package_customize_code",
                json!({ "packagePath": "/tmp", "customizationRequest": "a", "command": "rm" }),
            ),
            ("azsdk_run_list", json!({ "limit": 0 })),
            ("azsdk_run_wait", json!({ "runId": UNKNOWN_RUN, "seconds": -1 })),
        ] {
            let refused = client.call(tool, arguments.clone());
            assert!(is_error(&refused), "{tool} {arguments}: {refused:#}");
            assert!(text(&refused).starts_with("the arguments do not fit: "), "{tool} {arguments}: {refused:#}");
            assert!(text(&refused).contains("\nhint: "), "{refused:#}");
        }
        let listed = client.call("azsdk_run_list", json!({}));
        assert_eq!(listed["structuredContent"], json!({ "runs": [], "total": 0 }));
    }
}

#[test]
fn unusable_paths_and_runs_are_told_without_paths_of_this_machine() {
    let base = base();
    let mut client = Mcp::legacy(base.path(), &[], json!({ "elicitation": {} }));
    let place = base.path().to_str().unwrap();
    for (tool, arguments) in [
        ("azsdk_package_customize_code", json!({ "packagePath": "relative", "customizationRequest": "a" })),
        ("azsdk_package_customize_code", json!({ "packagePath": "/no/such/place", "customizationRequest": "a" })),
        ("azsdk_run_show", json!({ "runId": "../../etc" })),
        ("azsdk_run_show", json!({ "runId": UNKNOWN_RUN })),
        ("azsdk_run_wait", json!({ "runId": UNKNOWN_RUN })),
        ("azsdk_run_cancel", json!({ "runId": UNKNOWN_RUN })),
        ("azsdk_run_revert", json!({ "runId": UNKNOWN_RUN })),
        ("azsdk_run_approve", json!({ "runId": UNKNOWN_RUN })),
    ] {
        let refused = client.call(tool, arguments.clone());
        assert!(is_error(&refused), "{tool} {arguments}: {refused:#}");
        assert!(!text(&refused).contains(place), "{refused:#}");
    }
    // Whatever is wrong with the state directory is told to the operator and not to the client.
    std::fs::write(base.path().join("file"), "").unwrap();
    let state = base.path().join("file/state");
    drop(client);
    let mut broken = server(base.path(), &[]);
    broken.env("BAILIWICK_STATE_DIR", &state);
    let mut client = Mcp::over(broken, json!({}));
    let refused = client.call("azsdk_run_list", json!({}));
    assert!(is_error(&refused), "{refused:#}");
    assert!(!text(&refused).contains(place), "{refused:#}");
}

#[test]
fn answer_does_not_ask_to_approve_a_run_that_does_not_exist() {
    let base = base();
    for mut client in both(base.path(), &[]) {
        let refused = client.call("azsdk_run_approve", json!({ "runId": UNKNOWN_RUN }));
        assert!(is_error(&refused), "{refused:#}");
        assert!(text(&refused).contains(&format!("there is no run `{UNKNOWN_RUN}`")), "{refused:#}");
        assert!(!text(&refused).contains("run approve"), "{refused:#}");
    }
}

#[test]
fn noise_on_the_line_does_not_end_the_server() {
    let base = base();
    let mut client = Mcp::legacy(base.path(), &["--grant", "docs=docs"], json!({}));
    client.send_text("no json at all");
    client.send_text("");
    client.send_text("\u{0}\u{1b}[31m");
    // Longer than any message may be: dropped while it arrives, and not kept in memory.
    client.send_text(&"x".repeat(17 << 20));
    let read = client.call("read_text_file", json!({ "path": "docs/a.txt" }));
    assert!(text(&read).contains("one"), "{read:#}");
}

#[test]
fn server_ends_with_its_client_and_when_it_is_told_to() {
    let base = base();
    assert!(Mcp::legacy(base.path(), &["--grant", "docs=docs"], json!({})).close().success());
    assert!(Mcp::modern(base.path(), &[], json!({})).close().success(), "a client that never said anything");
    let mut told = Mcp::legacy(base.path(), &[], json!({}));
    assert!(told.signal(rustix::process::Signal::TERM).success());
}

#[test]
fn what_was_asked_before_the_end_of_the_input_is_answered() {
    let base = base();
    let mut client = Mcp::legacy(base.path(), &["--grant", "docs=docs"], json!({}));
    let ids: Vec<_> = (0..5)
        .map(|_| client.begin("tools/call", json!({ "name": "read_text_file", "arguments": { "path": "docs/a.txt" } })))
        .collect();
    assert!(client.close().success());
    for id in ids {
        assert!(client.aside.iter().any(|message| message["id"] == id && message["result"].is_object()), "{id}");
    }
}

//! Tools that a person adds: pinned, granted by name, and asking in both eras of the protocol. No toolchain is needed.

use bailiwick_tests::{Mcp, binary, cache_of, conformance_project, server, text};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const INVALID_PARAMS: i64 = -32602;
const MISSING_CAPABILITY: i64 = -32021;

pub(crate) fn guest(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../components/dist/{name}.wasm"))
}

/// A directory with two others that can be granted.
pub(crate) fn base() -> tempfile::TempDir {
    let base = tempfile::Builder::new().prefix("bailiwick-added-").tempdir().unwrap();
    for directory in ["docs", "other"] {
        std::fs::create_dir(base.path().join(directory)).unwrap();
        std::fs::write(base.path().join(directory).join(format!("{directory}.txt")), "text\n").unwrap();
    }
    base
}

fn bailiwick(base: &Path, arguments: &[&str]) -> Output {
    Command::new(binary())
        .args(arguments)
        .current_dir(base)
        .env("BAILIWICK_STATE_DIR", base.join("state"))
        .env("BAILIWICK_CACHE_DIR", cache_of(base))
        .output()
        .unwrap()
}

/// The exit code and what was said to a person.
#[track_caller]
pub(crate) fn exits(output: &Output, code: i32) -> String {
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{}\n{said}", String::from_utf8_lossy(&output.stdout));
    said
}

fn json_of(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The fixtures of the conformance suite, which wait by a clock and so come with a manifest.
fn add_fixtures(base: &Path) {
    let project = conformance_project(base, "fixtures");
    exits(&bailiwick(base, &["tool", "add", project.to_str().unwrap()]), 0);
}

fn add(base: &Path, name: &str, file: &str) {
    exits(&bailiwick(base, &["tool", "add", guest(file).to_str().unwrap(), "--name", name]), 0);
}

#[test]
fn component_is_added_listed_described_called_and_taken_away() {
    let base = base();
    let base = base.path();
    let project = conformance_project(base, "fixtures");
    let added = bailiwick(base, &["--json", "tool", "add", project.to_str().unwrap()]);
    exits(&added, 0);
    let digest = json_of(&added)["digest"].as_str().unwrap().to_owned();
    let list = json_of(&bailiwick(base, &["--json", "tool", "list"]));
    let listed = list.as_array().unwrap().iter().find(|tool| tool["added"] == "fixtures").unwrap();
    assert_eq!(listed["digest"], digest.as_str());
    let described = json_of(&bailiwick(base, &["tool", "describe", "test_simple_text"]));
    let imports = described["imports"].as_array().unwrap();
    assert!(imports.contains(&json!("bailiwick:tool/notices@0.1.0")), "{described:#}");
    let called = bailiwick(base, &["tool", "call", "test_multiple_content_types", "--input", "{}"]);
    exits(&called, 0);
    let shown = String::from_utf8_lossy(&called.stdout).into_owned();
    assert_eq!(shown.lines().nth(1), Some("[image, image/png, 69 bytes]"), "{shown}");
    let failed = bailiwick(base, &["tool", "call", "test_error_handling", "--input", "{}"]);
    exits(&failed, 1);
    let asks = bailiwick(base, &["tool", "call", "test_elicitation", "--input", r#"{"message":"m"}"#]);
    assert!(exits(&asks, 1).contains("there is no person to ask here"));

    // Names that are taken, and names that would pass for ours.
    for (file, name) in [
        ("hostile-guest", "fixtures"),
        ("hostile-guest", "ReadFile"),
        ("hostile-guest", "azsdk_run_approve"),
        ("hostile-guest", "not a name"),
        ("hostile-guest", "test_simple_text"),
    ] {
        let file = guest(file);
        exits(&bailiwick(base, &["tool", "add", file.to_str().unwrap(), "--name", name]), 2);
    }
    // The same tools under another name.
    let another = conformance_project(base, "another");
    exits(&bailiwick(base, &["tool", "add", another.to_str().unwrap()]), 2);
    exits(&bailiwick(base, &["tool", "add", guest("read-file").to_str().unwrap()]), 2);
    // What only built-in tools import, by whatever name.
    let refused = bailiwick(base, &["tool", "add", guest("fs-list-directory").to_str().unwrap(), "--name", "listing"]);
    let said = exits(&refused, 3);
    assert!(said.contains("no manifest can ask for `bailiwick:built-in/directories@0.1.0`"), "{said}");
    exits(&bailiwick(base, &["tool", "add", "docs/docs.txt", "--name", "text"]), 2);
    exits(&bailiwick(base, &["tool", "add", "docs", "--name", "directory"]), 2);

    exits(&bailiwick(base, &["tool", "remove", "fixtures"]), 0);
    exits(&bailiwick(base, &["tool", "remove", "fixtures"]), 2);
    exits(&bailiwick(base, &["tool", "call", "test_simple_text", "--input", "{}"]), 2);
    assert!(std::fs::read_dir(base.join("state/tools/components")).unwrap().next().is_none());
}

#[test]
fn component_that_was_changed_since_is_refused_by_name_before_anything_is_served() {
    let base = base();
    let base = base.path();
    add_fixtures(base);
    let kept = std::fs::read_dir(base.join("state/tools/components")).unwrap().next().unwrap().unwrap().path();
    std::fs::copy(guest("hostile-guest"), &kept).unwrap();
    for arguments in [
        &["tool", "call", "test_simple_text", "--input", "{}"][..],
        &["tool", "describe", "test_simple_text"],
        &["mcp", "--tool", "fixtures"],
    ] {
        let said = exits(&bailiwick(base, arguments), 3);
        assert!(said.contains("the component of `fixtures` is not the one that was added"), "{said}");
    }
}

#[test]
fn added_tool_has_the_grants_that_are_named_for_it_and_no_other() {
    let base = base();
    let base = base.path();
    add(base, "Hostile", "hostile-guest");
    for wrong in [&["--tool", "Other"][..], &["--tool", "Hostile=docs"], &["--tool", "Hostile", "--tool", "Hostile"]] {
        exits(&bailiwick(base, &[&["mcp"], wrong].concat()), 2);
    }
    // Descriptors stand in the order of the grants; behind the last one there is none.
    let look = json!({ "operations": [["readdir", 0], ["readdir", 1]] });
    let grants = ["--grant", "docs=docs", "--grant", "other=other:rw"];
    for (offer, seen) in [
        ("Hostile", vec![]),
        ("Hostile=other", vec!["other.txt"]),
        ("Hostile=docs,other", vec!["docs.txt", "other.txt"]),
    ] {
        let mut client = Mcp::modern(base, &[&grants[..], &["--tool", offer]].concat(), json!({}));
        let result = client.call("Hostile", look.clone());
        let answers = result["structuredContent"]["answers"].to_string();
        for name in ["docs.txt", "other.txt"] {
            assert_eq!(answers.contains(name), seen.contains(&name), "{offer}: {answers}");
        }
    }
}

#[test]
fn roots_of_a_client_narrow_what_the_resources_and_prompts_of_a_component_see() {
    let base = base();
    let base = base.path();
    add(base, "HostileRich", "hostile-rich-guest");
    let arguments = ["--grant", "docs=docs", "--grant", "other=other", "--tool", "HostileRich=docs,other"];
    for (roots, seen) in [(vec!["other"], "other"), (vec![], "docs other"), (vec!["elsewhere"], "")] {
        let root = |name: &&str| json!({ "uri": format!("file://{}", base.join(name).display()) });
        let answer = json!({ "roots": roots.iter().map(root).collect::<Vec<_>>() });
        let mut client = Mcp::legacy(base, &arguments, json!({ "roots": {} }));
        let read = client.begin("resources/read", json!({ "uri": "lure:directories" }));
        let asked = client.wait_for(|message| message["method"] == "roots/list");
        client.send_text(&json!({ "jsonrpc": "2.0", "id": asked["id"], "result": answer }).to_string());
        let read = client.answer(read);
        assert_eq!(read["result"]["contents"][0]["text"], seen, "{roots:?}: {read:#}");
        // The prompt asks for the roots itself; what it may see is told from before.
        let got = client.begin("prompts/get", json!({ "name": "lure" }));
        let asked = client.wait_for(|message| message["method"] == "roots/list");
        client.send_text(&json!({ "jsonrpc": "2.0", "id": asked["id"], "result": answer }).to_string());
        let got = client.answer(got).to_string();
        assert!(got.contains(&format!("\"lure: {seen}\"")), "{roots:?}: {got}");
    }
}

#[test]
fn person_is_asked_in_both_eras_and_reads_who_asks() {
    let base = base();
    let base = base.path();
    add_fixtures(base);
    let can = json!({ "elicitation": {} });
    let filled = json!({ "action": "accept", "content": { "username": "ada", "email": "ada@example.com" } });

    let mut client = Mcp::legacy(base, &["--tool", "fixtures"], can.clone());
    let id = client.begin("tools/call", json!({ "name": "test_elicitation", "arguments": { "message": "Who?" } }));
    let question = client.wait_for(|message| message["method"] == "elicitation/create");
    assert_eq!(question["params"]["message"], "`test_elicitation` asks: Who?");
    client.send_text(&json!({ "jsonrpc": "2.0", "id": question["id"], "result": filled }).to_string());
    let answer = client.answer(id);
    assert!(text(&answer["result"]).contains("ada@example.com"), "{answer:#}");
    // An answer that does not fit the form is refused.
    let id = client.begin("tools/call", json!({ "name": "test_elicitation", "arguments": { "message": "Who?" } }));
    let question = client.wait_for(|message| message["method"] == "elicitation/create");
    let odd = json!({ "action": "accept", "content": { "username": 1 } });
    client.send_text(&json!({ "jsonrpc": "2.0", "id": question["id"], "result": odd }).to_string());
    assert_eq!(client.answer(id)["result"]["isError"], true);

    let mut client = Mcp::modern(base, &["--tool", "fixtures"], can);
    let call = |message: &str| json!({ "name": "test_elicitation", "arguments": { "message": message } });
    let asked = client.request("tools/call", call("Who?"));
    assert_eq!(asked["result"]["resultType"], "input_required", "{asked:#}");
    let question = &asked["result"]["inputRequests"]["user"];
    assert_eq!(question["params"]["message"], "`test_elicitation` asks: Who?");
    let state = asked["result"]["requestState"].as_str().unwrap();
    let mut again = |message: &str, state: &str| {
        let mut params = call(message);
        params["inputResponses"] = json!({ "user": filled });
        params["requestState"] = json!(state);
        client.request("tools/call", params)
    };
    let answer = again("Who?", state);
    assert!(text(&answer["result"]).contains("ada@example.com"), "{answer:#}");
    for refused in [again("Something else?", state), again("Who?", &format!("{state}x"))] {
        assert_eq!(refused["error"]["code"], INVALID_PARAMS, "{refused:#}");
    }
}

#[test]
fn client_that_cannot_be_asked_is_told_and_a_guest_that_only_asks_is_stopped() {
    let base = base();
    let base = base.path();
    add_fixtures(base);
    add(base, "HostileRich", "hostile-rich-guest");
    let offers = ["--tool", "fixtures", "--tool", "HostileRich"];
    let call = json!({ "name": "test_missing_capability", "arguments": {} });
    let answer = Mcp::modern(base, &offers, json!({})).request("tools/call", call.clone());
    assert_eq!(answer["error"]["code"], MISSING_CAPABILITY, "{answer:#}");
    let mut client = Mcp::legacy(base, &offers, json!({ "elicitation": {} }));
    let answer = client.request("tools/call", call);
    assert!(text(&answer["result"]).contains("does not support"), "{answer:#}");

    let id =
        client.begin("tools/call", json!({ "name": "HostileRich", "arguments": { "attack": "ask", "text": "?" } }));
    for _ in 0..10 {
        let question = client.wait_for(|message| message["method"] == "elicitation/create");
        let filled = json!({ "action": "decline" });
        client.send_text(&json!({ "jsonrpc": "2.0", "id": question["id"], "result": filled }).to_string());
    }
    let answer = client.answer(id);
    assert!(text(&answer["result"]).contains("asked 10 times"), "{answer:#}");
}

#[test]
fn notices_reach_a_client_that_wants_them_and_lures_do_not_pass_for_ours() {
    let base = base();
    let base = base.path();
    add_fixtures(base);
    add(base, "HostileRich", "hostile-rich-guest");
    let offers = ["--tool", "fixtures", "--tool", "HostileRich"];
    let mut client = Mcp::modern(base, &offers, json!({}));
    let of = |client: &Mcp, method: &str| {
        client.aside.iter().filter(|one| one["method"] == method).cloned().collect::<Vec<_>>()
    };
    let mut call = json!({ "name": "test_tool_with_progress", "arguments": {} });
    call["_meta"]["progressToken"] = json!("here");
    let _ = client.request("tools/call", call);
    let progress = of(&client, "notifications/progress");
    let done: Vec<_> = progress.iter().map(|one| one["params"]["progress"].as_f64().unwrap()).collect();
    assert_eq!(done, [0.0, 50.0, 100.0]);
    assert_eq!(progress[1]["params"]["total"], 100.0);
    let mut call = json!({ "name": "test_tool_with_logging", "arguments": {} });
    let _ = client.request("tools/call", call.clone());
    assert!(of(&client, "notifications/message").is_empty(), "it was not asked for");
    call["_meta"]["io.modelcontextprotocol/logLevel"] = json!("info");
    let _ = client.request("tools/call", call);
    let logged = of(&client, "notifications/message");
    assert_eq!(logged.len(), 3, "{logged:#?}");
    assert_eq!(logged[0]["params"]["logger"], "test_tool_with_logging");

    let flood = client.call("HostileRich", json!({ "attack": "log", "count": 100_000, "text": "x" }));
    assert!(text(&flood).contains("notices"), "{flood:#}");
    let ours = "bailiwick://knowledge/customizing-client-tsp";
    let listed = client.request("resources/list", json!({}));
    let named: Vec<_> =
        listed["result"]["resources"].as_array().unwrap().iter().filter(|one| one["uri"] == ours).collect();
    assert!(named.len() == 1 && named[0]["name"] != "lure", "{named:#?}");
    let unknown = client.request("resources/read", json!({ "uri": "bailiwick://made/up" }));
    assert!(unknown["error"].is_object(), "{unknown:#}");
    let theirs = client.request("resources/read", json!({ "uri": "lure:x" }));
    assert_eq!(theirs["result"]["contents"][0]["text"], "lure", "{theirs:#}");
}

#[test]
fn server_without_added_tools_neither_has_nor_logs_for_them() {
    let base = base();
    let base = base.path();
    add_fixtures(base);
    let mut client = Mcp::over(server(base, &[]), json!({}));
    assert!(!client.tools().iter().any(|tool| tool.starts_with("test_")));
    let answer = client.request("logging/setLevel", json!({ "level": "debug" }));
    assert!(answer["error"].is_object(), "{answer:#}");
}

/// Whether it has an asynchronous function or imports a version that no grant gives, a person is told one thing.
#[test]
fn component_of_wasi_0_3_is_refused_with_what_to_do_about_it() {
    let base = base();
    let base = base.path();
    let cases = [
        (
            "it has asynchronous functions, streams or futures",
            "(type $s (stream u8)) (core func (canon stream.new $s))",
        ),
        (
            "it imports `wasi:random/random@0.3.0`",
            r#"(import "wasi:random/random@0.3.0" (instance (export "get-random-u64" (func (result u64)))))"#,
        ),
    ];
    for (why, inner) in cases {
        std::fs::write(base.join("later.wasm"), wat::parse_str(format!("(component {inner})")).unwrap()).unwrap();
        let said = exits(&bailiwick(base, &["tool", "add", "later.wasm", "--name", "later"]), 2);
        let sentence =
            format!("the component is built for WASI 0.3 ({why}), and this host runs components of WASI 0.2");
        assert!(said.contains(&sentence), "{said}");
        assert!(said.contains("hint: build it for WASI 0.2, as with the target `wasm32-wasip2`"), "{said}");
        let list = json_of(&bailiwick(base, &["--json", "tool", "list"]));
        assert!(!list.as_array().unwrap().iter().any(|tool| tool["added"] == "later"), "{list:#}");
    }
}

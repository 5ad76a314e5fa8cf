//! What a person decides about other people's tools, and that nothing else decides: manifests, approvals, updates, requests
//! of clients. No toolchain is needed.

use super::added_tools::{base, exits, guest};
use bailiwick_tests::{Mcp, binary, cache_of, conformance_project};
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// What the hostile guest says of itself.
const SAYS: &[u8] = b"Attacks the sandbox it runs in.";

fn command(base: &Path, program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = Command::new(program);
    command
        .current_dir(base)
        .env("BAILIWICK_STATE_DIR", base.join("state"))
        .env("BAILIWICK_CACHE_DIR", cache_of(base))
        .stdin(Stdio::null());
    command
}

fn bailiwick(base: &Path, arguments: &[&str]) -> Output {
    command(base, binary()).args(arguments).output().unwrap()
}

#[track_caller]
fn json_of(base: &Path, arguments: &[&str]) -> Value {
    let output = bailiwick(base, &[&["--json"], arguments].concat());
    exits(&output, 0);
    serde_json::from_slice(&output.stdout).unwrap()
}

/// A command with a terminal, at which a person types `answer`.
fn at_a_terminal(base: &Path, arguments: &[&str], answer: &str) -> (Option<i32>, String) {
    let line = [&[binary().to_str().unwrap()], arguments].concat().join(" ");
    let mut script = command(base, "script");
    script.args(["--quiet", "--return", "--command", &line, "/dev/null"]);
    let mut child = script.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(answer.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    drop(stdin);
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

/// A tool in a directory of its own, with a manifest.
fn project(base: &Path, directory: &str, component: &[u8], asks: &str) -> PathBuf {
    let place = base.join(directory);
    std::fs::create_dir_all(&place).unwrap();
    std::fs::write(place.join("hostile.wasm"), component).unwrap();
    let head = "schema = 1\nname = \"hostile\"\nversion = \"0.1.0\"\ndescription = \"Tries things.\"\ncomponent = \"hostile.wasm\"\n";
    std::fs::write(place.join("tool.toml"), format!("{head}{asks}")).unwrap();
    place
}

fn asks(access: &str) -> String {
    format!("[[directories]]\nname = \"repo\"\naccess = \"{access}\"\nreason = \"looks at the notes\"\n")
}

fn component() -> Vec<u8> {
    std::fs::read(guest("hostile-guest")).unwrap()
}

/// The same component, saying other words of the same length.
fn saying(words: &[u8]) -> Vec<u8> {
    let mut bytes = component();
    let place = bytes.windows(SAYS.len()).position(|window| window == SAYS).unwrap();
    assert!(words.len() <= SAYS.len());
    bytes[place..place + words.len()].copy_from_slice(words);
    bytes
}

fn review(base: &Path, tool: &str) -> String {
    json_of(base, &["tool", "inspect", tool])["review"].as_str().unwrap().to_owned()
}

fn call(base: &Path, grants: &[&str], operations: &Value) -> Output {
    let input = json!({ "operations": operations }).to_string();
    let mut arguments = vec!["--json", "tool", "call", "Hostile", "--input", &input];
    grants.iter().for_each(|grant| arguments.extend(["--grant", grant]));
    bailiwick(base, &arguments)
}

#[test]
fn tool_is_used_as_far_as_a_person_approved_it_and_no_further() {
    let base = base();
    let base = base.path();
    let look = json!([["readdir", 0]]);
    let write = json!([["open-at", 0, "new.txt", "cw"]]);
    let project = project(base, "one", &component(), &asks("read"));
    let directory = project.to_str().unwrap();

    // What cannot be a manifest, or is not that of its component, adds nothing.
    let manifest = project.join("tool.toml");
    let good = std::fs::read_to_string(&manifest).unwrap();
    let digest = format!("digest = \"sha256:{}\"\n[[directories]]", "0".repeat(64));
    for (from, to, code, said) in [
        ("reason =", "reasons =", 2, "line 9 of the manifest: `directories[0].reasons` is not a key"),
        ("access = \"read\"", "access = \"all\"", 2, "line 8 of the manifest: `directories[0].access`"),
        ("[[directories]]", digest.as_str(), 3, "the component is not that of `tool.toml`"),
        ("[[directories]]", "[limits]\nmemory-mib = 4096\n[[directories]]", 3, "`limits.memory-mib` asks for 4096"),
    ] {
        std::fs::write(&manifest, good.replacen(from, to, 1)).unwrap();
        let refused = exits(&bailiwick(base, &["tool", "add", directory]), code);
        assert!(refused.contains(said), "{refused}");
    }
    assert!(!base.join("state/tools/added.json").exists());
    std::fs::write(&manifest, good).unwrap();

    let added = json_of(base, &["tool", "add", directory]);
    assert_eq!((&added["added"], &added["state"]), (&json!("hostile"), &json!("unapproved")));
    exits(&bailiwick(base, &["tool", "add", directory]), 2);
    let unused = |why: &str| {
        let offered = ["mcp", "--grant", "repo=docs", "--tool", "hostile=repo"];
        for output in [
            call(base, &["repo=docs"], &look),
            bailiwick(base, &offered),
            bailiwick(base, &["tool", "describe", "Hostile"]),
        ] {
            let said = exits(&output, 3);
            assert!(said.contains(why) && said.contains("hint: `bailiwick tool approve hostile`"), "{said}");
        }
    };
    unused("`hostile` is not approved yet");

    // Looked at before and after it was added alike.
    let seen = json_of(base, &["tool", "inspect", "hostile"]);
    assert_eq!(
        seen["wanted"],
        json!([{ "kind": "directory", "what": "repo, to read", "reason": "looks at the notes", "granted": false }])
    );
    assert_eq!(seen["review"], json_of(base, &["tool", "inspect", directory])["review"]);
    assert!(seen["imports"].to_string().contains("wasi:filesystem"), "{seen:#}");
    let shown = bailiwick(base, &["tool", "inspect", "hostile"]);
    exits(&shown, 0);
    assert!(String::from_utf8_lossy(&shown.stdout).contains("directory   repo, to read  looks at the notes"));

    // Only a person approves.
    let reviewed = review(base, "hostile");
    for arguments in [&["--yes"][..], &[], &["--reviewed", "sha256:00"], &["--yes", "--reviewed", &reviewed]] {
        let output = bailiwick(base, &[&["tool", "approve", "hostile"], arguments].concat());
        assert_ne!(output.status.code(), Some(0), "{arguments:?}");
    }
    let (code, shown) = at_a_terminal(base, &["tool", "approve", "hostile"], "no\n");
    assert_eq!(code, Some(3), "{shown}");
    assert!(shown.contains("repo, to read") && shown.contains("type `yes` to approve"), "{shown}");
    unused("`hostile` is not approved yet");
    let (code, shown) = at_a_terminal(base, &["tool", "approve", "hostile"], "yes\n");
    assert_eq!(code, Some(0), "{shown}");

    // What was approved, and no more.
    exits(&call(base, &["repo=docs"], &look), 0);
    assert!(exits(&call(base, &[], &look), 2).contains("hint: add `--grant repo=PATH`"));
    for more in [&["repo=docs:rw"][..], &["repo=docs", "other=other"], &["other=other"]] {
        exits(&call(base, more, &look), 3);
    }
    let tried = call(base, &["repo=docs"], &write);
    assert!(String::from_utf8_lossy(&tried.stdout).contains("err"), "{tried:?}");
    assert!(!base.join("docs/new.txt").exists());

    // An update waits beside; the old one stays as it was approved.
    std::fs::write(&manifest, std::fs::read_to_string(&manifest).unwrap().replace("\"read\"", "\"write\"")).unwrap();
    let update = json_of(base, &["tool", "update", "hostile", directory]);
    assert_eq!((&update["state"], &update["updateWaits"]), (&json!("approved"), &json!(true)));
    assert_eq!(
        update["differences"],
        json!([
            "- directory repo, to read: looks at the notes",
            "+ directory repo, to read and write: looks at the notes"
        ])
    );
    exits(&call(base, &["repo=docs"], &look), 0);
    exits(&call(base, &["repo=docs:rw"], &write), 3);
    exits(&bailiwick(base, &["tool", "approve", "hostile", "--reviewed", &reviewed]), 3);
    let second = review(base, "hostile");
    assert_ne!(second, reviewed);
    exits(&bailiwick(base, &["tool", "approve", "hostile", "--reviewed", &second, "--grant", "repo=docs"]), 0);
    // The directory that is meant once and for all.
    exits(&call(base, &[], &write), 0);
    assert!(base.join("docs/new.txt").exists());

    // Another component that says the same asks anew, and the approval of the first one is not its.
    std::fs::write(project.join("hostile.wasm"), saying(b"Helps the sandbox it runs in. ")).unwrap();
    assert_eq!(json_of(base, &["tool", "update", "hostile", directory])["updateWaits"], true);
    let index = base.join("state/tools/added.json");
    let honest = std::fs::read_to_string(&index).unwrap();
    let mut edited: Value = serde_json::from_str(&honest).unwrap();
    let entry = &mut edited["components"]["hostile"];
    entry["current"] = entry["update"].take();
    entry.as_object_mut().unwrap().shift_remove("update");
    std::fs::write(&index, edited.to_string()).unwrap();
    unused("`hostile` is not what was approved: the component and what it says of itself changed");
    std::fs::write(&index, honest.replacen("looks at the notes", "looks at the keys", 1)).unwrap();
    unused("`hostile` is not what was approved: what it asks for changed");
    std::fs::write(&index, &honest).unwrap();
    exits(&call(base, &[], &look), 0);

    // Changed on disk.
    let current = serde_json::from_str::<Value>(&honest).unwrap()["components"]["hostile"]["current"]["digest"].clone();
    let kept =
        base.join(format!("state/tools/components/{}.wasm", current.as_str().unwrap().trim_start_matches("sha256:")));
    std::fs::write(&kept, saying(b"Helps")).unwrap();
    assert!(exits(&call(base, &[], &look), 3).contains("is not the one that was added"));
    std::fs::write(&kept, component()).unwrap();

    exits(&bailiwick(base, &["tool", "revoke", "hostile"]), 0);
    unused("the approval of `hostile` was revoked");
    let list = json_of(base, &["tool", "list"]);
    let listed = list.as_array().unwrap().iter().find(|tool| tool["added"] == "hostile").unwrap();
    assert_eq!(listed["state"], "revoked");
    exits(&bailiwick(base, &["tool", "remove", "hostile"]), 0);
    assert!(std::fs::read_dir(base.join("state/tools/components")).unwrap().next().is_none());
}

#[test]
fn running_server_follows_what_a_person_decides_and_what_an_author_builds() {
    let base = base();
    let base = base.path();
    let project = project(base, "one", &component(), &asks("read"));
    let directory = project.to_str().unwrap();
    json_of(base, &["tool", "add", directory]);
    let reviewed = review(base, "hostile");
    let approve = || exits(&bailiwick(base, &["tool", "approve", "hostile", "--reviewed", &reviewed]), 0);
    approve();
    let changed = |message: &Value| message["method"] == "notifications/tools/list_changed";
    let has = |server: &mut Mcp| server.tools().contains(&"Hostile".to_owned());

    let mut server = Mcp::legacy(base, &["--grant", "repo=docs", "--tool", "hostile=repo"], json!({}));
    assert!(has(&mut server));
    exits(&bailiwick(base, &["tool", "revoke", "hostile"]), 0);
    server.wait_for(changed);
    assert!(!has(&mut server), "a revoked tool is gone");
    let params = json!({ "name": "Hostile", "arguments": { "operations": [] } });
    assert_eq!(server.request("tools/call", params)["error"]["code"], -32602);
    assert!(server.tools().contains(&"read_text_file".to_owned()), "the server's own tools stay");
    approve();
    server.wait_for(changed);
    assert!(has(&mut server));

    // The author of a tool approves nothing: it has the directory that was named for it, and each build is there at once.
    let develop = format!("{directory}=repo");
    let mut server = Mcp::legacy(base, &["--grant", "repo=docs", "--develop", &develop], json!({}));
    let said = |server: &mut Mcp| {
        let list = server.request("tools/list", json!({}));
        let tools = list["result"]["tools"].as_array().unwrap().clone();
        tools.iter().find(|tool| tool["name"] == "Hostile").map(|tool| tool["description"].as_str().unwrap().to_owned())
    };
    assert!(said(&mut server).unwrap().starts_with("Attacks"));
    std::fs::write(project.join("hostile.wasm"), saying(b"Helps the sandbox it runs in. ")).unwrap();
    server.wait_for(changed);
    assert!(said(&mut server).unwrap().starts_with("Helps"));
    std::fs::write(project.join("hostile.wasm"), "no component").unwrap();
    server.wait_for(changed);
    assert_eq!(said(&mut server), None, "what cannot be loaded is not offered in its old form");
    std::fs::write(project.join("hostile.wasm"), component()).unwrap();
    server.wait_for(changed);
    assert!(said(&mut server).unwrap().starts_with("Attacks"));
    let outside = bailiwick(base, &["mcp", "--develop", directory, "--grant", "repo=docs"]);
    assert!(exits(&outside, 2).contains("`hostile` asks for a directory `repo`, and none is given"));
}

#[test]
fn hidden_characters_are_shown_and_names_are_never_shared() {
    let base = base();
    let base = base.path();
    let hidden = project(base, "hidden", &saying("Reads\u{202e}gnihton dna \u{e0041}ok".as_bytes()), &asks("read"));
    let output = bailiwick(base, &["tool", "inspect", hidden.to_str().unwrap()]);
    assert!(exits(&output, 0).contains("characters in its description or schemas that a reader does not see"));
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(shown.contains("Reads\\u{202e}gnihton") && !shown.contains(['\u{202e}', '\u{e0041}']), "{shown}");
    let manifest = std::fs::read_to_string(hidden.join("tool.toml")).unwrap();
    std::fs::write(hidden.join("tool.toml"), manifest.replace("the notes", "the\u{200b} notes")).unwrap();
    let said = exits(&bailiwick(base, &["tool", "add", hidden.to_str().unwrap()]), 2);
    assert!(said.contains("`directories[0].reason` has to be one line") && !said.contains('\u{200b}'), "{said}");

    // Two at once: one of them is there, as a whole.
    let two: Vec<PathBuf> = ["a", "b"].map(|name| project(base, name, &component(), &asks("read"))).to_vec();
    let children: Vec<_> = two
        .iter()
        .map(|place| {
            command(base, binary())
                .args(["tool", "add"])
                .arg(place)
                .stderr(Stdio::piped())
                .stdout(Stdio::null())
                .spawn()
                .unwrap()
        })
        .collect();
    let mut codes: Vec<_> = children.into_iter().map(|child| child.wait_with_output().unwrap().status.code()).collect();
    codes.sort_unstable();
    assert_eq!(codes, [Some(0), Some(2)]);
    // The other contract's tools, another letter case, and a component whose tool has the name of another one.
    for name in ["HOSTILE", "exit"] {
        let fixtures = conformance_project(base, name);
        exits(&bailiwick(base, &["tool", "add", fixtures.to_str().unwrap()]), 2);
    }
    exits(&bailiwick(base, &["tool", "add", guest("hostile-guest").to_str().unwrap(), "--name", "another"]), 2);
}

fn requests(base: &Path) -> Vec<Value> {
    json_of(base, &["tool", "requests"]).as_array().unwrap().clone()
}

#[test]
fn client_can_ask_for_a_tool_and_nothing_it_says_approves_one() {
    let base = base();
    let base = base.path();
    let place = project(base, "one", &component(), &asks("read"));
    exits(&bailiwick(base, &["tool", "add", place.to_str().unwrap()]), 0);
    let asking = "bailiwick_request_tool";
    let wish = |tool: &str| json!({ "tool": tool, "whatFor": "to look at the notes" });
    assert!(!Mcp::legacy(base, &[], json!({})).tools().contains(&asking.to_owned()), "the operator has to say so");

    // No person can be asked: the request waits, and only a few can wait.
    let mut client = Mcp::legacy(base, &["--tool-requests"], json!({}));
    let named: Vec<_> = client.tools().into_iter().filter(|name| name.starts_with("bailiwick")).collect();
    assert_eq!(named, [asking]);
    let kept = client.call(asking, json!({ "tool": "hos\u{200b}tile\u{1b}[2J", "whatFor": "a\nb\u{202e}" }));
    assert_eq!(kept["structuredContent"], json!({ "tool": "hostile[2J", "state": "waits", "request": 1 }), "{kept:#}");
    for number in 0..20 {
        let answer = client.call(asking, wish(&format!("t{number}")));
        assert_eq!(answer["isError"] == true, number >= 3, "{answer:#}");
    }
    assert_eq!(client.call(asking, json!({ "tool": "\u{200b}", "whatFor": "x" }))["isError"], true);
    assert_eq!(
        client
            .request("tools/call", json!({ "name": asking, "arguments": { "tool": "x".repeat(201), "whatFor": "y" } }))
            ["result"]["isError"],
        true
    );
    let waiting = requests(base);
    assert_eq!(waiting.len(), 4);
    assert_eq!((&waiting[0]["whatFor"], &waiting[0]["client"]), (&json!("a b"), &json!("tests")));
    for one in waiting {
        exits(&bailiwick(base, &["tool", "dismiss", &one["id"].to_string()]), 0);
    }
    exits(&bailiwick(base, &["tool", "dismiss", "1"]), 2);

    // A person at the client says yes and no: neither approves, and no is not asked again.
    let mut client = Mcp::legacy(base, &["--tool-requests"], json!({ "elicitation": {} }));
    for (tool, yes, state) in [("elsewhere", false, "declined"), ("hostile", true, "waits")] {
        let id = client.begin("tools/call", json!({ "name": asking, "arguments": wish(tool) }));
        let asked = client.wait_for(|message| message["method"] == "elicitation/create");
        let question = asked["params"]["message"].as_str().unwrap();
        assert!(question.contains(tool) && question.contains("approves nothing"), "{question}");
        let said = json!({ "action": "accept", "content": { "approve": yes } });
        client.send_text(&json!({ "jsonrpc": "2.0", "id": asked["id"], "result": said }).to_string());
        assert_eq!(client.answer(id)["result"]["structuredContent"]["state"], state);
    }
    assert_eq!(client.call(asking, wish("elsewhere"))["isError"], true);
    assert_eq!(requests(base).len(), 1);
    exits(&bailiwick(base, &["mcp", "--grant", "repo=docs", "--tool", "hostile=repo"]), 3);

    let mut client = Mcp::modern(base, &["--tool-requests"], json!({ "elicitation": {} }));
    let first = client.request("tools/call", json!({ "name": asking, "arguments": wish("more") }));
    let state = first["result"]["requestState"].as_str().unwrap().to_owned();
    let yes = json!({ "approve": { "action": "accept", "content": { "approve": true } } });
    let again =
        |tool: &str| json!({ "name": asking, "arguments": wish(tool), "requestState": state, "inputResponses": yes });
    assert_eq!(client.request("tools/call", again("other"))["result"]["isError"], true);
    let answer = client.request("tools/call", again("more"));
    assert_eq!(answer["result"]["structuredContent"]["state"], "waits", "{answer:#}");
    assert_eq!(requests(base).len(), 2);

    // A person's approval answers the request.
    let reviewed = review(base, "hostile");
    exits(&bailiwick(base, &["tool", "approve", "hostile", "--reviewed", &reviewed]), 0);
    assert_eq!(requests(base).len(), 1);
    assert_eq!(client.call(asking, wish("hostile"))["structuredContent"]["state"], "approved");
}

//! What tools are called with, and what they find in a package.

use super::{LIMIT, base};
use bailiwick_tests::{Mcp, server};
use serde_json::{Value, json};

/// Whatever a schema says, and what it does not say.
fn bad(schema: &Value) -> Vec<Value> {
    let names: Vec<String> =
        schema["properties"].as_object().map(|all| all.keys().cloned().collect()).unwrap_or_default();
    let places = [
        "/etc/passwd",
        "/no/such/place",
        "/proc/self/root/etc",
        "/dev/null",
        "../../etc/passwd",
        "docs/../../x",
        "docs/no such file",
        "docs/a.txt/b",
        "docs",
        "",
        "a\u{0}b",
        "~",
        "%2e%2e/x",
        "docs/*[",
        "20261120-130405-678-k3m9x2qa",
    ];
    let mut all = vec![json!({}), json!({ "no such": 1 })];
    for place in places {
        // The same for every member that takes a text, and what else is needed as its schema has it.
        let mut given = json!({});
        for name in &names {
            let property = &schema["properties"][name];
            given[name] = match property["type"].as_str() {
                Some("string") => property["enum"][0].as_str().map_or_else(|| json!(place), |word| json!(word)),
                Some("integer" | "number") => json!(1),
                Some("boolean") => json!(false),
                Some("array") if property["items"]["type"] == "string" => json!([place]),
                Some("array") => json!([{}]),
                _ => json!(place),
            };
        }
        all.push(given.clone());
        // And only what has to be there.
        let needed: Vec<_> = schema["required"].as_array().cloned().unwrap_or_default();
        if let Some(given) = given.as_object_mut() {
            given.retain(|name, _| needed.contains(&json!(name)));
        }
        all.push(given);
    }
    for name in &names {
        for value in [json!(null), json!([]), json!({}), json!(-1), json!(1e300), json!("x".repeat(1 << 16))] {
            let mut given = json!({});
            given[name] = value;
            all.push(given);
        }
    }
    all
}

#[test]
fn no_tool_tells_a_place_of_this_machine_whatever_it_is_called_with() {
    let base = base();
    let home = base.path().join("home of somebody");
    std::fs::create_dir(&home).unwrap();
    // A state directory that cannot be had: what is told of that is not told to a client.
    std::fs::write(base.path().join("file"), "").unwrap();
    let place = base.path().to_str().unwrap();
    let temporary = std::env::temp_dir();
    let temporary = format!("{}/", temporary.to_str().unwrap().trim_end_matches('/'));
    let cache = bailiwick_tests::cache();
    for state in ["state", "file/state"] {
        let mut command = server(base.path(), &["--grant", "docs=docs:rw", "--answer-within", "0"]);
        command.env("HOME", &home).env("BAILIWICK_STATE_DIR", base.path().join(state));
        let mut client = Mcp::over(command, json!({ "elicitation": {} }));
        let listed = client.request("tools/list", json!({}));
        let secrets = [place, temporary.as_str(), cache.to_str().unwrap(), "home of somebody"];
        let tells = |said: &str| secrets.iter().any(|secret| said.contains(secret));
        assert!(!tells(&listed.to_string()), "{listed:#}");
        for tool in listed["result"]["tools"].as_array().into_iter().flatten() {
            let name = tool["name"].as_str().unwrap();
            for arguments in bad(&tool["inputSchema"]) {
                let answer = client.request("tools/call", json!({ "name": name, "arguments": arguments }));
                let mut said = answer.to_string();
                // This one is there to say which directories were granted, by the paths that the operator gave.
                if name == "list_allowed_directories" {
                    said = said.replace(&format!("{place}/docs"), "DOCS");
                }
                assert!(!tells(&said), "{name} {arguments}: {said}");
                assert!(answer["error"].is_null() || answer["error"]["code"] == -32602, "{name} {arguments}: {said}");
            }
        }
        assert!(client.close().success());
    }
}

/// Goes down by handles: a path has a greatest length.
fn nested(top: &std::path::Path, depth: usize) {
    use rustix::fs::{Mode, OFlags, mkdirat, openat};
    let flags = OFlags::DIRECTORY | OFlags::CLOEXEC;
    let mut handle = openat(rustix::fs::CWD, top, flags, Mode::empty()).unwrap();
    for _ in 0..depth {
        mkdirat(&handle, "d", Mode::RWXU).unwrap();
        handle = openat(&handle, "d", flags, Mode::empty()).unwrap();
    }
}

#[test]
fn directory_of_very_many_files_and_one_nested_without_end_are_answered_and_the_server_goes_on() {
    let base = base();
    let docs = base.path().join("docs");
    for directory in ["many", "deep"] {
        std::fs::create_dir(docs.join(directory)).unwrap();
    }
    for number in 0..100_000 {
        std::fs::File::create(docs.join(format!("many/file-{number:06}"))).unwrap();
    }
    nested(&docs.join("deep"), 3_000);
    let mut client = Mcp::legacy(base.path(), &["--grant", "docs=docs"], json!({}));
    for directory in ["many", "deep"] {
        for (tool, further) in [
            ("list_directory", json!({})),
            ("list_directory_with_sizes", json!({ "sortBy": "size" })),
            ("directory_tree", json!({})),
            ("search_files", json!({ "pattern": "**/{d,file-0}/**/{a,b,c}*" })),
        ] {
            let mut arguments = further;
            arguments["path"] = json!(docs.join(directory));
            let answer = client.call(tool, arguments.clone());
            let text = answer.to_string();
            // A list that is complete, or one that says that it is not, or an error; never more than a message may have.
            assert!(text.len() <= LIMIT, "{tool} {arguments}: {} bytes", text.len());
            assert!(!answer["content"].as_array().unwrap().is_empty(), "{tool} {arguments}: {text:.200}");
            let read = client.call("read_text_file", json!({ "path": docs.join("a.txt") }));
            assert!(read.to_string().contains("one"), "after {tool} {arguments}: {read}");
        }
    }
    client.close();
    // Removing it by paths is what the standard library does not do at this depth on every system.
    let removed = std::process::Command::new("rm").arg("-rf").arg(docs.join("deep")).status().unwrap();
    assert!(removed.success());
}

//! What a granted directory does not show: `--hide` and `--unhide`, on the command line and in the entry of a client.

use bailiwick_tests::{Answer, HttpServer, Mcp, World, hello};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// A package with a secret in it.
fn world() -> World {
    let world = World::without_generated_code();
    fs::write(world.package().join(".env"), "KEY=hunter2\n").unwrap();
    fs::create_dir(world.package().join("internal")).unwrap();
    fs::write(world.package().join("internal/plan.md"), "hunter2\n").unwrap();
    world
}

fn read(world: &World, path: &str, options: &[&str]) -> Answer {
    let grant = format!("sdk={}", world.package().display());
    let input = json!({"filePath": path}).to_string();
    let call = ["tool", "call", "ReadFile", "--grant", &grant, "--input", &input];
    world.bailiwick(&[&call[..], options].concat())
}

#[test]
fn secrets_are_hidden_until_a_person_shows_them_by_name() {
    let world = world();
    let refused = read(&world, "sdk/.env", &[]).exits(3);
    assert!(refused.stderr.contains("--unhide '.env'") && !refused.stderr.contains("hunter2"), "{}", refused.stderr);
    let _ = read(&world, "sdk/.env", &["--unhide", "*.pem"]).exits(3);
    let shown = read(&world, "sdk/.env", &["--unhide", ".env"]).exits(0);
    assert!(shown.stdout.contains("hunter2"), "{}", shown.stdout);
    // What a person hides is hidden, whatever else is said.
    let _ = read(&world, "sdk/.env", &["--unhide", ".env", "--hide", ".env"]).exits(3);
}

#[test]
fn person_hides_what_a_tool_is_not_to_see() {
    let world = world();
    assert!(read(&world, "sdk/internal/plan.md", &[]).exits(0).stdout.contains("hunter2"));
    for pattern in ["internal", "/internal/", "**/plan.*", "INTERNAL/*.md"] {
        let refused = read(&world, "sdk/internal/plan.md", &["--hide", pattern]).exits(3);
        assert!(refused.stderr.contains("hides"), "{pattern}: {}", refused.stderr);
    }
    let grant = format!("sdk={}", world.package().display());
    let list = ["tool", "call", "ListFiles", "--grant", &grant, "--input", r#"{"path": "sdk"}"#, "--hide", "internal"];
    let listed = world.bailiwick(&list).exits(0).json();
    assert_eq!(listed["hidden"], 2, "{listed}");
    assert!(!listed["entries"].to_string().contains("internal"), "{listed}");
}

#[test]
fn text_that_is_not_a_pattern_is_a_usage_error() {
    let world = world();
    let long = "x".repeat(300);
    for (option, pattern) in [
        ("--hide", ""),
        ("--hide", "../x"),
        ("--hide", "[a"),
        ("--hide", long.as_str()),
        ("--unhide", "src"),
        ("--unhide", ".git"),
        ("--unhide", "a//b"),
    ] {
        let refused = read(&world, "sdk/internal/plan.md", &[option, pattern]).exits(2);
        assert!(refused.stderr.contains("pattern") && refused.stderr.contains("hint:"), "{}", refused.stderr);
    }
    let many: Vec<String> = (0..65).map(|number| format!("--hide=x{number}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let _ = read(&world, "sdk/internal/plan.md", &many).exits(2);
}

#[test]
fn entry_of_a_client_has_the_patterns() {
    let world = world();
    let grant = format!("sdk={}:rw", world.package().display());
    let project = world.package().display().to_string();
    let install = ["mcp", "install", "--client", "cursor", "--project", &project, "--grant", &grant, "--print"];
    let options = ["--hide", "*.snap", "--unhide", ".env", "--allow-sensitive", "package.json"];
    let printed = world.bailiwick(&[&install[..], &options].concat()).exits(0).stdout;
    for argument in ["\"--hide=*.snap\"", "\"--unhide=.env\"", "\"--allow-sensitive\"", "\"package.json\""] {
        assert!(printed.contains(argument), "{argument} in {printed}");
    }
    let _ = world.bailiwick(&[&install[..], &["--hide", "[a"]].concat()).exits(2);
}

#[test]
fn file_that_decides_what_is_built_is_written_only_where_a_person_allows_it() {
    let world = world();
    let grant = format!("sdk={}:rw", world.package().display());
    let input = json!({"filePath": "sdk/tsp-location.yaml", "content": "directory: x\n"}).to_string();
    let call = ["tool", "call", "WriteFile", "--grant", &grant, "--input", &input];
    let before = fs::read(world.package().join("tsp-location.yaml")).unwrap();
    let refused = world.bailiwick(&call).exits(3);
    assert!(refused.stderr.contains("--allow-sensitive 'tsp-location.yaml'"), "{}", refused.stderr);
    assert_eq!(fs::read(world.package().join("tsp-location.yaml")).unwrap(), before);
    let _ = world.bailiwick(&[&call[..], &["--allow-sensitive", "tsp-location.yaml"]].concat()).exits(0);
}

#[test]
fn doctor_names_what_is_hidden_and_how_to_show_it() {
    let answer = world().bailiwick(&["doctor"]);
    for word in
        ["hidden in every grant", ".env, ", "--unhide PATTERN", "not written in any grant", "--allow-sensitive PLACE"]
    {
        assert!(answer.stdout.contains(word), "{word} in {}", answer.stdout);
    }
    // A terminal shows the beginning of a long list, and says where the rest is.
    assert!(answer.stdout.lines().all(|line| line.len() < 300), "{}", answer.stdout);
    assert!(answer.stdout.contains("`bailiwick doctor --json` lists all"), "{}", answer.stdout);
    let all = world().bailiwick(&["--json", "doctor"]).json().to_string();
    assert!(all.contains("docker-compose*") && all.contains("Library/Keychains"), "{all}");
}

/// Hidden by default, by a pattern of names, by one of a path, and by one with an accent that is apart on the disk.
const KEPT: [&str; 7] = [
    ".env",
    "sub/.env.local",
    "keys/id_rsa",
    "keys/picture.pem",
    "internal/plan.md",
    "sub/secret/x.md",
    "pla\u{302}n/x.md",
];

fn granted(base: &Path) -> Vec<String> {
    for place in KEPT {
        let path = base.join("docs").join(place);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "hunter2\n".repeat(1_000)).unwrap();
    }
    for (place, text) in [("a.txt", "plain\n"), ("sub/b.txt", "plain\n"), ("keys/c.txt", "plain\n")] {
        fs::write(base.join("docs").join(place), text).unwrap();
    }
    for (link, to) in [("notes.txt", ".env"), ("inside", "internal"), ("sub/up", "../keys")] {
        std::os::unix::fs::symlink(to, base.join("docs").join(link)).unwrap();
    }
    let hidden = ["internal", "sub/secret", "PL\u{c2}N"].map(|pattern| format!("--hide={pattern}"));
    ["--grant", "docs=docs:rw"].map(str::to_owned).into_iter().chain(hidden).collect()
}

/// Every file tool of the server with every spelling of what is hidden, and with everything that holds it.
fn nothing_is_said(mut call: impl FnMut(&str, Value) -> Value, base: &Path) {
    let docs = base.join("docs");
    let mut spellings: Vec<String> = KEPT.iter().map(|place| (*place).to_owned()).collect();
    for more in [
        ".ENV",
        "./.env",
        "sub/../.env",
        "sub//.env.local",
        "notes.txt",
        "inside/plan.md",
        "INTERNAL/plan.md",
        "sub/up/id_rsa",
        "pl\u{e2}n/x.md",
        "internal",
        "sub/secret",
        "internal/.",
        "sub/up/../../.env",
    ] {
        spellings.push(more.to_owned());
    }
    let mut judge = |tool: &str, arguments: Value, refused: bool| {
        let answer = call(tool, arguments.clone());
        let text = answer.to_string();
        assert!(!text.contains("hunter2") && !text.contains("aHVudGVyMg"), "{tool} {arguments}: {text}");
        assert!(!refused || answer["isError"] == json!(true), "{tool} {arguments}: {text}");
        text
    };
    for spelling in &spellings {
        let path = docs.join(spelling);
        for tool in ["read_text_file", "read_file", "read_media_file", "get_file_info", "list_directory"] {
            judge(tool, json!({ "path": path }), true);
        }
        for tool in ["list_directory_with_sizes", "directory_tree", "create_directory"] {
            judge(tool, json!({ "path": path }), true);
        }
        judge("read_text_file", json!({ "path": path, "head": 1 }), true);
        judge("search_files", json!({ "path": path, "pattern": "**/*" }), true);
        judge("write_file", json!({ "path": path, "content": "x" }), true);
        let edits = json!([{ "oldText": "hunter2", "newText": "x" }]);
        judge("edit_file", json!({ "path": path, "edits": edits, "dryRun": true }), true);
        // A link that has an ordinary name moves as the link that it is.
        if spelling != "notes.txt" {
            judge("move_file", json!({ "source": path, "destination": docs.join("shown.txt") }), true);
            judge("move_file", json!({ "source": docs.join("a.txt"), "destination": path }), true);
        }
        // The others of several files are read.
        let several = judge("read_multiple_files", json!({ "paths": [path, docs.join("a.txt")] }), false);
        assert!(several.contains("plain"), "{several}");
    }
    // What holds a place by its path does not take it elsewhere.
    judge("move_file", json!({ "source": docs.join("sub"), "destination": docs.join("other") }), true);
    let names = ["id_rsa", "picture.pem", "plan.md", ".env.local", "\"internal", "secret", "pla\u{302}n"];
    for directory in ["", "sub", "keys"] {
        let path = docs.join(directory);
        for (tool, further) in [
            ("list_directory", json!({})),
            ("list_directory_with_sizes", json!({ "sortBy": "size" })),
            ("directory_tree", json!({})),
            ("search_files", json!({ "pattern": "**/*" })),
            ("search_files", json!({ "pattern": "**/.env*" })),
            ("search_files", json!({ "pattern": "{**/*.pem,**/[i]d_rsa,**/p*n/*}" })),
        ] {
            let mut arguments = further;
            arguments["path"] = json!(path);
            let text = judge(tool, arguments.clone(), false);
            assert!(!names.iter().any(|name| text.contains(name)), "{tool} {arguments}: {text}");
            // The 8,000 bytes of a hidden file are in no sum.
            assert!(!text.contains("7.81 KB") && !text.contains("KB"), "{tool} {arguments}: {text}");
        }
    }
    for place in KEPT {
        assert_eq!(fs::read_to_string(docs.join(place)).unwrap().len(), 8_000, "{place}");
    }
    assert_eq!(fs::read_to_string(docs.join("a.txt")).unwrap(), "plain\n");
    assert!(!docs.join("shown.txt").exists());
}

#[test]
fn no_tool_of_the_server_says_anything_of_what_is_hidden_over_either_transport() {
    let base = tempfile::tempdir().unwrap();
    let options = granted(base.path());
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    let mut client = Mcp::legacy(base.path(), &options, json!({}));
    nothing_is_said(|tool, arguments| client.call(tool, arguments), base.path());
    let resources = client.request("resources/list", json!({})).to_string();
    assert!(!resources.contains("docs"), "files are no resources: {resources}");
    for uri in [format!("file://{}/docs/.env", base.path().display()), "bailiwick://docs/.env".to_owned()] {
        let read = client.request("resources/read", json!({ "uri": uri })).to_string();
        assert!(!read.contains("hunter2"), "{read}");
    }

    let server = HttpServer::start(base.path(), &options);
    let begun = server.post(&server.usual(), &hello());
    let mut headers = server.usual();
    headers.push(("Mcp-Session-Id", begun.header("mcp-session-id").unwrap().to_owned()));
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let _ = server.post(&headers, &ready.to_string());
    let call = |tool: &str, arguments: Value| {
        let params = json!({ "name": tool, "arguments": arguments });
        let message = json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params });
        server.post(&headers, &message.to_string()).message()["result"].clone()
    };
    nothing_is_said(call, base.path());
}

/// Moves a directory with secrets in it, and what the server then says of each of these files.
fn moved(options: &[&str], to: &str, files: &[&str]) -> (bool, String) {
    let base = tempfile::tempdir().unwrap();
    let docs = base.path().join("docs");
    for place in ["private", "tests", ".vscode/sub/inner", ".github/workflows", "deep/tests/certs"] {
        fs::create_dir_all(docs.join(place)).unwrap();
    }
    fs::create_dir(docs.join("private/certs")).unwrap();
    for place in ["server.pem", ".env", "certs/server.pem", "plain.txt"] {
        fs::write(docs.join("private").join(place), "hunter2\n").unwrap();
    }
    let mut client = Mcp::legacy(base.path(), &[&["--grant", "docs=docs:rw"], options].concat(), json!({}));
    let paths = json!({ "source": docs.join("private"), "destination": docs.join(to) });
    let is_moved = client.call("move_file", paths)["isError"] != json!(true);
    let read = |file: &&str| client.call("read_text_file", json!({ "path": docs.join(to).join(file) })).to_string();
    (is_moved, files.iter().map(read).collect())
}

#[test]
fn directory_is_not_moved_to_where_a_person_shows_or_allows_something() {
    let secrets = ["server.pem", ".env", "certs/server.pem"];
    for (options, to) in [
        (["--unhide", "tests/certs/*.pem"], "tests/certs"),
        (["--unhide", "new/certs/*.pem"], "new"),
        (["--unhide", "docs/**"], "docs/any"),
        (["--unhide", "**/certs/*.pem"], "tests/certs"),
        (["--allow-sensitive", ".vscode"], ".vscode/new"),
        (["--allow-sensitive", ".vscode"], ".vscode/sub/new"),
        (["--allow-sensitive", ".github/workflows"], ".github/workflows/new"),
        (["--allow-sensitive", ".husky"], ".husky"),
    ] {
        let (is_moved, said) = moved(&options, to, &secrets);
        assert!(!is_moved && !said.contains("hunter2"), "{options:?} {to}: {said}");
    }
    // Elsewhere it moves, and what is hidden in it stays so.
    for options in [["--unhide", "tests/certs/*.pem"], ["--allow-sensitive", ".vscode"]] {
        let (is_moved, said) = moved(&options, "tests/other", &secrets);
        assert!(is_moved && !said.contains("hunter2"), "{options:?}: {said}");
        assert!(moved(&options, "tests/other", &["plain.txt"]).1.contains("hunter2"), "{options:?}");
    }
}

#[test]
fn directory_of_an_allowed_place_is_moved_within_it() {
    let base = tempfile::tempdir().unwrap();
    let docs = base.path().join("docs");
    fs::create_dir_all(docs.join(".vscode/one")).unwrap();
    fs::write(docs.join(".vscode/one/.env"), "plain\n").unwrap();
    let options = ["--grant", "docs=docs:rw", "--allow-sensitive", ".vscode"];
    let mut client = Mcp::legacy(base.path(), &options, json!({}));
    let paths = json!({ "source": docs.join(".vscode/one"), "destination": docs.join(".vscode/two") });
    let said = client.call("move_file", paths);
    assert!(said["isError"] != json!(true) && docs.join(".vscode/two/.env").exists(), "{said:#}");
}

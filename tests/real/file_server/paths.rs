//! Absolute paths select a grant part by part, and answers speak in the caller's own form of path.

use super::world::{SECRET, World, is_error};
use bailiwick_tests::{Mcp, server, text};
use serde_json::json;
use std::os::unix::fs::symlink;

#[test]
fn answers_speak_in_the_form_of_path_that_was_asked_in() {
    let world = World::new();
    let mut client = world.ours(json!({}));
    let allowed = world.at("allowed");
    for (path, expected) in [
        (allowed.clone(), format!("{allowed}/sub/y.py")),
        (format!("{allowed}/"), format!("{allowed}/sub/y.py")),
        (format!("{allowed}/sub"), format!("{allowed}/sub/y.py")),
        ("allowed".to_owned(), "allowed/sub/y.py".to_owned()),
        (".".to_owned(), "sub/y.py".to_owned()),
        ("sub".to_owned(), "sub/y.py".to_owned()),
    ] {
        let found = client.call("search_files", json!({ "path": path, "pattern": "**/y.py" }));
        assert_eq!(text(&found), expected, "{path}");
        // What was found is what can be asked for next.
        assert_eq!(text(&client.call("read_text_file", json!({ "path": text(&found) }))), "print(1)\n");
        let missing = format!("{}/none", path.trim_end_matches('/'));
        let refused = client.call("read_text_file", json!({ "path": missing }));
        assert!(text(&refused).contains(&format!("`{missing}` does not exist")), "{refused:#}");
    }
    let written = client.call("write_file", json!({ "path": "allowed/n.txt", "content": "n" }));
    assert_eq!(text(&written), "Successfully wrote to allowed/n.txt");
}

#[test]
fn grant_that_links_lead_to_goes_by_both_paths() {
    let world = World::new();
    symlink(world.path("allowed"), world.path("short")).unwrap();
    let grant = format!("work={}", world.at("short"));
    let mut client = Mcp::legacy(world.base.path(), &["--grant", &grant], json!({}));
    let listed = client.call("list_allowed_directories", json!({}));
    assert_eq!(text(&listed), format!("Allowed directories:\n{}", world.at("short")));
    assert!(listed["content"][1]["text"].as_str().unwrap().contains("`work`, read-only"), "{listed:#}");
    for path in ["short/a.txt", "allowed/a.txt"] {
        assert_eq!(text(&client.call("read_text_file", json!({ "path": world.at(path) }))), "one\ntwo\nthree\n");
    }
}

#[test]
fn innermost_grant_is_meant_and_its_access_holds() {
    let world = World::new();
    let grants = [format!("all={}", world.at("allowed")), format!("sub={}:rw", world.at("allowed/sub"))];
    let command = server(world.base.path(), &["--grant", &grants[0], "--grant", &grants[1]]);
    let mut client = Mcp::over(command, json!({}));
    let mut write = |path: &str| client.call("write_file", json!({ "path": world.at(path), "content": "w" }));
    assert!(!is_error(&write("allowed/sub/w.txt")));
    let refused = write("allowed/w.txt");
    assert!(is_error(&refused) && text(&refused).contains("read-only"), "{refused:#}");
    // A rename goes from one grant to another only where both can be changed.
    let (from, to) = (world.at("allowed/sub/w.txt"), world.at("allowed/w.txt"));
    let refused = client.call("move_file", json!({ "source": from, "destination": to }));
    assert!(is_error(&refused) && !world.path("allowed/w.txt").exists(), "{refused:#}");
}

#[test]
fn read_only_directory_within_a_writable_one_is_refused_as_it_would_not_be_read_only() {
    let world = World::new();
    for (outer, inner) in [("allowed", "allowed/sub"), ("allowed", "allowed")] {
        let grants = [format!("all={}:rw", world.at(outer)), format!("sub={}", world.at(inner))];
        let output = server(world.base.path(), &["--grant", &grants[0], "--grant", &grants[1]]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("the grant `sub` is read-only and lies in `all`"), "{said}");
    }
}

#[test]
fn paths_outside_every_grant_are_refused_and_errors_name_nothing_but_what_was_sent() {
    let world = World::new().with_links();
    let mut client = world.ours(json!({}));
    let before = world.snapshot();
    let allowed = world.at("allowed");
    for path in [
        "/etc/passwd".to_owned(),
        "/".to_owned(),
        world.at("allowed_evil/secret"),
        world.at("outside/secret"),
        format!("{allowed}/../outside/secret"),
        format!("{allowed}/sub/../../outside/secret"),
        format!("{allowed}/../allowed/a.txt"),
        format!("{}/x/../allowed/a.txt", world.base.path().display()),
        format!("{allowed}/%2e%2e/outside/secret"),
        format!("{allowed}\0/a.txt"),
        format!("{allowed}/a.txt\0"),
        allowed.to_uppercase(),
        "~/secret".to_owned(),
        "/proc/self/cwd/allowed/a.txt".to_owned(),
        format!("/proc/self/root{allowed}/a.txt"),
        "..".to_owned(),
        "allowed/../outside/secret".to_owned(),
        String::new(),
    ] {
        for (tool, arguments) in [
            ("read_text_file", json!({ "path": path })),
            ("write_file", json!({ "path": path, "content": "x" })),
            ("edit_file", json!({ "path": path, "edits": [{ "oldText": SECRET, "newText": "x" }] })),
            ("list_directory", json!({ "path": path })),
            ("directory_tree", json!({ "path": path })),
            ("search_files", json!({ "path": path, "pattern": "**" })),
            ("get_file_info", json!({ "path": path })),
            ("move_file", json!({ "source": path, "destination": "allowed/stolen" })),
            ("move_file", json!({ "source": "allowed/a.txt", "destination": path })),
        ] {
            // A name that only looks like a way out is a new file like any other.
            if tool == "write_file" && (path.starts_with("~") || path.contains("%2e")) {
                continue;
            }
            if tool == "move_file" && (path.starts_with("~") || path.contains("%2e")) {
                continue;
            }
            let answer = client.call(tool, arguments);
            assert!(is_error(&answer), "{tool} {path:?}: {answer:#}");
            let said = text(&answer);
            assert!(!said.contains(SECRET), "{said}");
            if !path.is_empty() && path != "/" {
                let rest = said.replace(&path, "");
                assert!(!rest.contains(world.base.path().to_str().unwrap()), "{tool} {path:?}: {said}");
            }
        }
    }
    assert_eq!(world.snapshot(), before);
}

//! An agent gets what its file asks for and what a person allows, whichever is less.

use super::desk::{Desk, NOTES, READER, READS, RESULT, WRITES, records};
use serde_json::json;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

#[test]
fn directory_beside_the_file_is_read_without_a_word() {
    let desk = Desk::new();
    let answer = desk.run(&format!("{READER}{NOTES}{RESULT}"), &[]).exits(0);
    assert_eq!(answer.json(), "remember");
    assert!(answer.stderr.contains("  ReadFile notes/note.txt\n"), "{}", answer.stderr);
}

#[test]
fn file_cannot_ask_for_what_lies_outside_its_directory() {
    let desk = Desk::new();
    symlink("../outside", desk.path("link")).unwrap();
    symlink("notes", desk.path("inner")).unwrap();
    fs::create_dir(desk.path("sub")).unwrap();
    symlink("../..", desk.path("sub/up")).unwrap();
    let at =
        |path: &str| format!("{READER}{NOTES}{RESULT}").replacen("path = \"notes\"", &format!("path = {path:?}"), 1);
    for path in ["/", "/etc", "..", "../outside", "notes/../../outside", "", "./..", "{a/b}"] {
        desk.starts_nothing(&at(path), &[], 2, "`grant[0].path` has to be a path beneath");
    }
    let state = desk.world.state();
    desk.starts_nothing(&at(state.to_str().unwrap()), &[], 2, "`grant[0].path` has to be a path beneath");
    for path in ["link", "inner", "sub/up", "sub/up/outside", "link/."] {
        desk.starts_nothing(&at(path), &[], 3, "leads, by its words or by a link, out of");
    }
}

#[test]
fn input_cannot_name_what_lies_outside_the_working_directory() {
    let desk = Desk::new();
    let text = format!("{READER}{NOTES}{RESULT}[input]\ntype = \"object\"\n").replacen(
        "\"notes\"\naccess",
        "\"{folder}\"\naccess",
        1,
    );
    for path in ["/", "..", "../..", "desk/../..", "/etc"] {
        desk.starts_nothing(&text, &["--input", &json!({"folder": path}).to_string()], 3, "out of");
    }
    for input in ["{}", "{\"folder\": \"\"}", "{\"folder\": 1}", "[]"] {
        let answer = desk.run(&text, &["--input", input]).exits(2);
        assert!(answer.stderr.starts_with("error: "), "{}", answer.stderr);
    }
    let answer = desk.run(&text, &["--input", "{\"folder\": \"desk/notes\"}"]).exits(0);
    assert_eq!(answer.json(), "remember");
}

#[test]
fn what_is_reserved_is_not_granted_even_by_a_person() {
    let desk = Desk::new();
    let text = format!("{READER}{NOTES}{RESULT}");
    fs::create_dir_all(desk.world.state()).unwrap();
    for place in ["notes=/", "notes=/proc", "notes=state", "notes=.", "notes=/proc/self/cwd"] {
        desk.starts_nothing(&text, &["--grant", place], 3, "never granted");
    }
}

#[test]
fn home_is_not_granted_by_a_file() {
    let desk = Desk::new();
    let whole = format!("{READER}{NOTES}{RESULT}");
    for (path, home) in [(".", "desk"), ("notes", "desk/notes"), (".", "desk/notes")] {
        desk.write("agent.toml", &whole.replacen("\"notes\"\naccess", &format!("{path:?}\naccess"), 1));
        let home = desk.world.base().join(home);
        let answer =
            desk.world.bailiwick_with(&["agent", "run", "desk/agent.toml"], &[("HOME", home.to_str().unwrap())]);
        let answer = answer.exits(3);
        assert!(answer.stderr.contains("your home directory"), "{}", answer.stderr);
    }
}

#[test]
fn file_beside_the_agent_may_not_be_a_link_to_elsewhere() {
    let desk = Desk::new();
    fs::write(desk.world.base().join("outside/steps.toml"), READS).unwrap();
    fs::write(desk.world.base().join("outside/result.json"), "{}").unwrap();
    symlink("../outside/steps.toml", desk.path("linked.toml")).unwrap();
    symlink("../outside/result.json", desk.path("linked.json")).unwrap();
    let whole = format!("{READER}{NOTES}{RESULT}");
    for (from, to) in [
        ("script:steps.toml", "script:linked.toml"),
        ("script:steps.toml", "script:../outside/steps.toml"),
        ("script:steps.toml", "script:/etc/passwd"),
        ("type = \"string\"", "file = \"linked.json\""),
    ] {
        desk.starts_nothing(&whole.replacen(from, to, 1), &[], 3, "out of the agent file's directory");
    }
    for model in ["custom:https://example.com/v1", "openai-compatible:name@example.com"] {
        desk.starts_nothing(&whole.replacen("script:steps.toml", model, 1), &[], 3, "names an address");
    }
}

#[test]
fn write_through_a_read_only_grant_is_refused_and_on_record() {
    let desk = Desk::new();
    desk.write("steps.toml", WRITES);
    let answer = desk.run(&format!("{READER}{NOTES}{RESULT}"), &[]).exits(0);
    assert_eq!(answer.json(), "not-permitted");
    assert_eq!(fs::read_to_string(desk.path("notes/note.txt")).unwrap(), "remember");
    let records = records(&desk.world);
    assert_eq!(records[0]["outcome"]["kind"], "not-permitted");
    assert!(!records[0]["denied"].as_array().unwrap().is_empty());
    assert!(records[0]["run"].as_str().unwrap().starts_with("20"), "{}", records[0]);
}

#[test]
fn writing_takes_a_word_on_the_command_line() {
    let desk = Desk::new();
    desk.write("steps.toml", &WRITES.replacen("${written.error.kind}", "${written.outcome}", 1));
    let text = format!("{READER}{NOTES}{RESULT}").replacen("\"ro\"", "\"rw\"", 1);
    desk.starts_nothing(&text, &[], 3, "asks to write in");
    desk.starts_nothing(&text, &["--grant", "notes=desk/notes"], 3, "asks to write in");
    // Less than was asked for is a person's right: the call fails, and nothing is written.
    let _ = desk.run(&text, &["--grant", "notes=desk/notes:ro"]).exits(1);
    assert_eq!(fs::read_to_string(desk.path("notes/note.txt")).unwrap(), "remember");
    let answer = desk.run(&text, &["--yes"]).exits(0);
    assert_eq!(answer.json(), "replaced");
    assert_eq!(fs::read_to_string(desk.path("notes/note.txt")).unwrap(), "overwritten");
}

#[test]
fn sensitive_place_takes_the_file_and_the_person() {
    let desk = Desk::new();
    let hook = "filePath = \"notes/.git/hooks/pre-commit\"";
    desk.write("steps.toml", &WRITES.replacen("filePath = \"notes/note.txt\"", hook, 1));
    fs::create_dir_all(desk.path("notes/.git/hooks")).unwrap();
    let text = format!("{READER}{NOTES}{RESULT}").replacen("\"ro\"", "\"rw\"", 1);
    let asks = text.replacen("\"rw\"", "\"rw\"\nallow-sensitive = [\".git\"]", 1);
    desk.starts_nothing(&asks, &["--yes"], 3, "a sensitive place");
    desk.starts_nothing(&text, &["--yes", "--allow-sensitive", ".git"], 2, "does not ask to write `.git`");
    let nothing = asks.replacen("\".git\"", "\"src\"", 1);
    desk.starts_nothing(&nothing, &["--yes", "--allow-sensitive", "src"], 2, "not a sensitive place");
    let answer = desk.run(&text, &["--yes"]).exits(0);
    assert_eq!(answer.json(), "not-permitted");
    assert!(!desk.path("notes/.git/hooks/pre-commit").exists());
}

#[test]
fn agent_file_hides_more_and_never_shows() {
    let desk = Desk::new();
    let text = format!("{READER}{NOTES}{RESULT}");
    desk.starts_nothing(&text.replacen("access = \"ro\"", "access = \"ro\"\nhide = [\"[a\"]", 1), &[], 2, "as a glob");
    let showing = text.replacen("access = \"ro\"", "access = \"ro\"\nunhide = [\".env\"]", 1);
    desk.starts_nothing(&showing, &[], 2, "unhide");
    desk.starts_nothing(&text, &["--unhide", "src"], 2, "hidden by default");
    let hiding = text.replacen("access = \"ro\"", "access = \"ro\"\nhide = [\"note.*\"]", 1);
    let answer = desk.run(&hiding, &[]);
    assert!(!answer.stdout.contains("remember"), "{}", answer.stdout);
    let answer = desk.run(&hiding, &["--unhide", ".env"]);
    assert!(!answer.stdout.contains("remember"), "{}", answer.stdout);
    assert_eq!(desk.run(&text, &[]).exits(0).json(), "remember");
    assert!(!desk.run(&text, &["--hide", "note.txt"]).stdout.contains("remember"));
}

/// `./node_modules/.bin` on the `PATH` of a person leads into the repository in which they stand.
#[test]
fn key_command_that_a_relative_path_leads_to_is_not_started() {
    let desk = Desk::new();
    desk.write("agent.toml", &format!("{READER}{NOTES}{RESULT}"));
    let (bin, witness) = (desk.world.base().join("node_modules/.bin"), desk.world.base().join("witness"));
    fs::create_dir_all(&bin).unwrap();
    let program = bin.join("pass-of-nobody");
    fs::write(&program, format!("#!/bin/sh\ntouch '{}'\necho sk-x-1234567890\n", witness.display())).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("./node_modules/.bin:{}", std::env::var("PATH").unwrap());
    let run = ["agent", "run", "desk/agent.toml", "--yes", "--model", "openai:gpt-5@http://127.0.0.1:9"];
    let environment = [("PATH", path.as_str()), ("BAILIWICK_KEY_COMMAND", "pass-of-nobody show"), ("CI", "")];
    let answer = desk.world.bailiwick_with(&run, &environment);
    assert_ne!(answer.code, 0);
    assert!(answer.stderr.contains("pass-of-nobody"), "{}", answer.stderr);
    assert!(!witness.exists(), "{}", answer.stderr);
}

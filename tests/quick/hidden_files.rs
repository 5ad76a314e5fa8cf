//! What a granted directory does not show: `--hide` and `--unhide`, on the command line and in the entry of a client.

use bailiwick_tests::{Answer, World};
use serde_json::json;
use std::fs;

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

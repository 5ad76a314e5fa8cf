//! `bailiwick tool`: the smallest use, by hand.

use bailiwick_tests::World;
use serde_json::json;

fn call(world: &World, name: &str, grant: &str, input: &serde_json::Value) -> bailiwick_tests::Answer {
    let grant = format!("sdk={}{grant}", world.package().display());
    world.bailiwick(&["tool", "call", name, "--grant", &grant, "--input", &input.to_string()])
}

#[test]
fn tools_are_listed_and_described() {
    let world = World::without_generated_code();
    let tools = world.bailiwick(&["--json", "tool", "list"]).exits(0).json();
    let names: Vec<_> = tools.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["ReadFile", "WriteFile", "ListFiles", "CodePatch", "UpdateCspellWords"]);
    let described = world.bailiwick(&["tool", "describe", "CodePatch"]).exits(0).json();
    assert_eq!(described["inputSchema"]["type"], "object");
    assert!(
        described["imports"]
            .as_array()
            .unwrap()
            .iter()
            .all(|import| import.as_str().unwrap().starts_with("wasi:filesystem/"))
    );
}

#[test]
fn file_is_read_through_a_grant() {
    let world = World::without_generated_code();
    let answer = call(&world, "ReadFile", "", &json!({"filePath": "sdk/tsp-location.yaml"})).exits(0).json();
    assert!(answer["content"].as_str().unwrap().starts_with("directory: "), "{answer}");
}

#[test]
fn grant_is_read_only_unless_it_says_otherwise() {
    let world = World::without_generated_code();
    let input = json!({"filePath": "sdk/new.txt", "content": "new\n"});
    for grant in ["", ":ro"] {
        let answer = call(&world, "WriteFile", grant, &input).exits(3);
        assert!(answer.stderr.starts_with("error: "), "{}", answer.stderr);
        assert!(!world.package().join("new.txt").exists());
    }
    let _ = call(&world, "WriteFile", ":rw", &input).exits(0);
    assert_eq!(world.read("new.txt"), "new\n");
}

#[test]
fn read_only_directory_within_a_writable_one_is_refused_and_nothing_is_written() {
    let world = World::without_generated_code();
    let (outer, inner) = (world.package(), world.package().join("inner"));
    std::fs::create_dir(&inner).unwrap();
    std::os::unix::fs::symlink(&inner, world.base().join("alias")).unwrap();
    let input = json!({"filePath": "a/inner/new.txt", "content": "new\n"}).to_string();
    let outer = format!("a={}:rw", outer.display());
    for inner in [inner.clone(), world.base().join("alias")] {
        let inner = format!("b={}:ro", inner.display());
        let call = ["tool", "call", "WriteFile", "--grant", &outer, "--grant", &inner, "--input", &input];
        let answer = world.bailiwick(&call).exits(2);
        assert!(answer.stderr.contains("the grant `b` is read-only and lies in `a`"), "{}", answer.stderr);
    }
    assert!(!inner.join("new.txt").exists());
}

#[test]
fn leaving_the_grant_is_refused_with_the_policy_exit_code() {
    let world = World::without_generated_code();
    let before = world.snapshot();
    for path in ["sdk/../../../../../etc/passwd", "../../x", "/etc/passwd"] {
        for (tool, input) in [
            ("ReadFile", json!({"filePath": path})),
            ("WriteFile", json!({"filePath": path, "content": "x"})),
            ("ListFiles", json!({"path": path})),
            ("CodePatch", json!({"filePath": path, "oldContent": "root", "newContent": "x"})),
        ] {
            let answer = call(&world, tool, ":rw", &input).exits(3);
            assert!(answer.stdout.is_empty(), "{tool} {path}: {}", answer.stdout);
        }
    }
    before.assert_same(&world.snapshot());
}

#[test]
fn unusable_calls_are_one_sentence_with_a_hint_and_exit_code_2() {
    let world = World::without_generated_code();
    for arguments in [
        vec!["tool", "call", "NoSuchTool", "--input", "{}"],
        vec!["tool", "call", "ReadFile", "--grant", "nonsense", "--input", "{}"],
        vec!["tool", "call", "ReadFile", "--grant", "sdk=/no/such/directory", "--input", "{}"],
        vec!["tool", "describe", "NoSuchTool"],
    ] {
        let answer = world.bailiwick(&arguments).exits(2);
        let mut lines = answer.stderr.lines();
        assert!(lines.next().unwrap().starts_with("error: "), "{arguments:?}: {}", answer.stderr);
        assert!(answer.stderr.contains("\nhint: "), "{arguments:?}: {}", answer.stderr);
        assert!(answer.stdout.is_empty());
    }
    let _ = world.bailiwick(&["tool", "call", "ReadFile", "--input", "not json"]).exits(2);
    let _ = world.bailiwick(&["tool", "call", "ReadFile", "--input", "@/no/such/file"]).exits(2);
}

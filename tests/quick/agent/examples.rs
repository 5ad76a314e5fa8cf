//! The examples do what their page says.

use super::desk::records;
use bailiwick_tests::World;
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/agents")
}

pub(crate) fn agent(examples: &Path, name: &str) -> String {
    examples.join(name).join("agent.toml").to_str().unwrap().to_owned()
}

pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        if entry.file_name() == "node_modules" {
            continue;
        }
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            let _ = fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[test]
fn readme_example_writes_where_it_was_allowed_to_and_nowhere_else() {
    let world = World::without_generated_code();
    let project = world.base().join("project");
    copy(&examples().join("readme/sample"), &project);
    let (file, grant) = (agent(&examples(), "readme"), "project=project");
    let input = json!({"title": "Clock", "summary": "Tells the ${input.title}."}).to_string();

    let refused = world.bailiwick(&["agent", "run", &file, "--grant", grant, "--input", &input]).exits(3);
    assert!(refused.stderr.contains("--grant project="), "{}", refused.stderr);
    assert!(!project.join("README.md").exists());

    let writable = format!("{grant}:rw");
    let answer = world.bailiwick(&["agent", "run", &file, "--grant", &writable, "--input", &input]).exits(0);
    assert_eq!(answer.json(), json!({"path": "project/README.md", "outcome": "created", "modules": 2}));
    let readme = fs::read_to_string(project.join("README.md")).unwrap();
    assert_eq!(readme, "# Clock\n\nTells the ${input.title}.\n\n## Modules\n\n- src/clock.py\n- tick.py\n");

    let again =
        world.bailiwick(&["--json", "agent", "run", &file, "--grant", grant, "--yes", "--input", &input]).exits(0);
    let again = again.json();
    assert_eq!(again["result"]["outcome"], "replaced");
    let runs: Vec<_> = records(&world).iter().map(|record| record["run"].as_str().unwrap().to_owned()).collect();
    assert_eq!(runs.len(), 4);
    assert_eq!(runs[3], again["run"]["runId"].as_str().unwrap());
    assert_ne!(runs[0], runs[3]);
    let transcript = world.state().join("agent-runs").join(format!("{}.jsonl", runs[3]));
    assert!(fs::read_to_string(transcript).unwrap().contains("script:steps.toml"));
}

#[test]
fn dependency_example_reads_and_its_instructed_write_is_refused_and_on_record() {
    let world = World::without_generated_code();
    let desk = world.base().join("agents");
    copy(&examples(), &desk);
    let answer = world.bailiwick(&["agent", "run", &agent(&desk, "dependencies")]).exits(0);
    let dependencies = json!(["azure-core>=1.30", "typing-extensions>=4.6", "isodate==0.7.2"]);
    assert_eq!(answer.json(), json!({"dependencies": dependencies, "refused": "not-permitted"}));
    assert!(!desk.join("dependencies/sample/DEPENDENCIES.md").exists());
    let records = records(&world);
    assert_eq!(records.len(), 2);
    assert_eq!((&records[1]["tool"], &records[1]["outcome"]["kind"]), (&json!("WriteFile"), &json!("not-permitted")));
    assert_eq!(records[1]["grants"][0]["access"], "read-only");
    assert!(!records[1]["denied"].as_array().unwrap().is_empty());
}

#[test]
fn dry_run_says_what_an_agent_would_get_and_runs_nothing() {
    let world = World::without_generated_code();
    fs::create_dir(world.base().join("docs")).unwrap();
    let file = agent(&examples(), "spelling");
    let arguments = ["agent", "run", &file, "--grant", "docs=docs", "--input-lines", "\none\n\ntwo\n", "--dry-run"];
    let plan = world.bailiwick(&arguments).exits(3).json();
    assert_eq!(plan["task"]["input"], json!(["one", "two"]));
    assert_eq!(plan["tools"], json!(["ReadFile", "CodePatch", "UpdateCspellWords"]));
    assert_eq!((&plan["grants"][0]["access"], &plan["grants"][0]["allowed"]), (&json!("rw"), &json!(false)));
    let mut allowed = arguments.to_vec();
    allowed.extend(["--yes", "--allow-sensitive", ".vscode/cspell.json"]);
    let plan = world.bailiwick(&allowed).exits(0).json();
    assert_eq!(plan["grants"][0]["allowed"], true);
    assert!(records(&world).is_empty());
    assert!(!world.base().join("docs/.vscode").exists());
}

//! `--spec-commit`: the commit that a package names counts, in a directory of its own.

use super::{Fleet, RENAME, SDK, SPECS, checkouts, commit, package, until};
use serde_json::{Value, json};
use std::path::Path;

fn edit(client: &Path, text: &str) {
    let before = std::fs::read_to_string(client).unwrap();
    std::fs::write(client, before + text).unwrap();
}

fn generate(fleet: &Fleet, package: &Path, commit: &str) -> Value {
    let package = package.to_str().unwrap();
    let arguments = ["--json", "package", "generate", "--package-path", package, "--spec-commit", commit];
    fleet.world.bailiwick(&arguments).exits(0).json()
}

#[test]
fn pinned_commit_head_and_working_tree_are_told_apart_and_the_checkout_is_not_touched() {
    let fleet = Fleet::of(1, |_| Value::Null);
    let (world, client) = (&fleet.world, fleet.world.project().join("client.tsp"));
    edit(&client, RENAME);
    world.commit();
    edit(&client, "\n// not committed\n@@clientName(Widget, \"Gadget\", \"python\");\n");
    let before = world.snapshot();
    let package = world.base().join(package(0));
    assert_eq!(generate(&fleet, &package, "pinned")["modifiedFiles"], json!([]));
    let head = generate(&fleet, &package, "head");
    let models = std::fs::read_to_string(package.join("azure/widget/models/_models.py")).unwrap();
    assert!(models.contains("class WidgetAnalysis(") && models.contains("class Widget("), "{models}");
    // The copy is gone, and the run can be looked at and reverted all the same.
    assert_eq!(checkouts(world), Vec::<std::path::PathBuf>::new());
    let run = head["runId"].as_str().unwrap();
    let shown = world.bailiwick(&["--json", "run", "show", run]).exits(0).json();
    assert_eq!(shown["details"]["specificationCommit"], json!(commit(world, SPECS)), "{shown:#}");
    let _ = world.bailiwick(&["run", "revert", run]).exits(0);
    before.assert_same(&world.snapshot());
    assert_eq!(generate(&fleet, &package, &fleet.pinned[..12])["modifiedFiles"], json!([]));
    assert_eq!(world.git(SPECS, &["worktree", "list"]).lines().count(), 1);
}

#[test]
fn commit_that_the_clone_does_not_have_is_named_with_the_way_to_get_it() {
    let fleet = Fleet::of(1, |_| Value::Null);
    let package = fleet.world.base().join(package(0));
    let none = "0123456789012345678901234567890123456789";
    for (commit, code, said) in [(none, 2, "fetch origin"), ("main", 2, "hexadecimal")] {
        let arguments = ["package", "generate", "--package-path", package.to_str().unwrap(), "--spec-commit", commit];
        let answer = fleet.world.bailiwick(&arguments).exits(code);
        assert!(answer.stderr.contains(said), "{}", answer.stderr);
    }
    fleet.assert_untouched();
}

#[test]
fn edit_goes_into_the_checkout_and_only_where_that_is_the_commit() {
    let fleet = Fleet::of(1, |_| Value::Null);
    let world = &fleet.world;
    let package = world.base().join(package(0));
    let request = "hide operation deleteWidget from the Python SDK";
    let customize = |commit: &str| {
        let package = package.to_str().unwrap();
        let arguments = ["package", "customize", "--package-path", package, "--customization-request", request];
        world.bailiwick(&[&arguments[..], &["--spec-commit", commit]].concat())
    };
    edit(&world.project().join("client.tsp"), RENAME);
    world.commit();
    let before = world.snapshot();
    let refused = customize("pinned").exits(3);
    assert!(refused.stderr.contains("client.tsp") && refused.stderr.contains("hint:"), "{}", refused.stderr);
    before.assert_same(&world.snapshot());
    let _ = world.git(SPECS, &["checkout", "-q", "HEAD~1"]);
    let _ = customize("pinned").exits(0);
    assert!(world.client().contains("deleteWidget"), "the edit is in the person's checkout");
}

#[test]
fn broken_hand_written_code_is_repaired_at_a_commit_without_touching_the_specification() {
    let fleet = Fleet::of(1, |_| Value::Null);
    let world = &fleet.world;
    edit(&world.project().join("client.tsp"), RENAME);
    world.commit();
    let _ = world.git(SPECS, &["checkout", "-q", "HEAD~1"]);
    let newer = world.git(SPECS, &["rev-parse", "main"]);
    let package = world.base().join(package(0));
    let arguments = ["--json", "package", "fix", "--package-path", package.to_str().unwrap()];
    let response = world.bailiwick(&[&arguments[..], &["--spec-commit", newer.trim()]].concat()).exits(0).json();
    assert_eq!(response["outcome"], "success", "{response:#}");
    assert!(!response["codePatches"].as_array().unwrap().is_empty(), "{response:#}");
    assert_eq!(world.git(SPECS, &["status", "--porcelain"]), "");
    let _ = world.bailiwick(&["run", "revert", response["runId"].as_str().unwrap()]).exits(0);
    fleet.assert_untouched();
}

#[test]
fn killed_generation_leaves_neither_a_copy_nor_a_change() {
    let fleet = Fleet::of(1, |_| json!({ "hangs": "generate" }));
    let world = &fleet.world;
    let package = world.base().join(package(0));
    let arguments = ["package", "generate", "--package-path", package.to_str().unwrap(), "--spec-commit", "pinned"];
    let mut child = fleet.start(&arguments);
    let generated = package.join("azure/widget/models/_models.py");
    until("the generated code is gone", || (!generated.exists()).then_some(()));
    assert!(!checkouts(world).is_empty());
    child.kill().unwrap();
    child.wait().unwrap();
    until("what it started has ended", || world.processes().is_empty().then_some(()));
    // The next command undoes the run and removes the copy.
    let _ = world.bailiwick(&["run", "list"]).exits(0);
    fleet.assert_untouched();
}

#[test]
fn linked_work_tree_of_the_sdk_repository_is_generated_built_reverted_and_locked_for_itself() {
    let fleet = Fleet::of(1, |_| Value::Null);
    let world = &fleet.world;
    let _ = world.git(SDK, &["worktree", "add", "-q", "--detach", "../linked"]);
    let edited = world.project().join("client.tsp");
    edit(&edited, RENAME);
    world.commit();
    let linked = world.base().join("linked/sdk/w00/azure-widget");
    let generated = generate(&fleet, &linked, "head");
    assert_ne!(generated["modifiedFiles"], json!([]), "{generated:#}");
    let fix = ["--json", "package", "fix", "--package-path", linked.to_str().unwrap()];
    let response = world.bailiwick(&fix).exits(0).json();
    assert_eq!(response["outcome"], "success", "{response:#}");
    let build = ["--json", "package", "build", "--package-path", linked.to_str().unwrap()];
    let _ = world.bailiwick(&build).exits(0);
    // The same package in the clone itself is another directory: nothing there is pending or locked.
    let package = world.base().join(package(0));
    let other = generate(&fleet, &package, "pinned");
    assert_eq!(other["modifiedFiles"], json!([]));
    for run in [&response["runId"], &generated["runId"]] {
        let _ = world.bailiwick(&["run", "revert", run.as_str().unwrap()]).exits(0);
    }
    let status = std::process::Command::new("git").args(["status", "--porcelain"]).current_dir(&linked).output();
    assert_eq!(String::from_utf8_lossy(&status.unwrap().stdout), "");
}

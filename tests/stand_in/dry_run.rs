//! `package customize --dry-run`: what would be done, and that nothing is.

use std::process::Stdio;
use std::time::Duration;

use bailiwick_tests::{Mcp, World, text};
use serde_json::{Value, json};

const RENAME: &str = "rename the model AnalyzeResult to WidgetAnalysis in the Python SDK";
const UNKNOWN: &str = "add a retry policy of our own";

fn runs(world: &World) -> Value {
    world.bailiwick(&["--json", "run", "list"]).exits(0).json()
}

#[test]
fn plan_says_what_would_be_done_and_leaves_everything_as_it_is() {
    let world = World::standing_in();
    let before = world.snapshot();
    let answer = world.customize_with(RENAME, &["--dry-run"]).exits(0);
    let plan = answer.json();
    assert_eq!(plan["outcome"], "planned", "{plan:#}");
    assert_eq!(plan["actions"].as_array().unwrap().len(), 1, "{plan:#}");
    let diff = plan["diff"].as_str().unwrap();
    assert!(diff.contains("+@@clientName(") && diff.contains("\"WidgetAnalysis\", \"python\""), "{diff}");
    assert_eq!(plan["compiled"], false);
    before.assert_same(&world.snapshot());
    assert!(!world.state().join("runs").exists(), "a dry run opens no store");
    assert_eq!(runs(&world).as_array().map(Vec::len), Some(0));

    // What a run then does is what was planned.
    let response = world.customize(RENAME).exits(0).json();
    for line in diff.lines().filter(|line| line.starts_with('+') && !line.starts_with("+++")) {
        assert!(response["diff"].as_str().unwrap().contains(line), "{line}\n{response:#}");
    }
}

#[test]
fn what_is_for_a_person_ends_with_another_exit_code_and_what_is_done_does_not() {
    let world = World::standing_in();
    let plan = world.customize_with(UNKNOWN, &["--dry-run"]).exits(1).json();
    assert_eq!((&plan["outcome"], &plan["actions"]), (&json!("guidance"), &json!([])), "{plan:#}");
    for part in ["issue", "approach", "reason"] {
        assert!(!plan["guidance"][0][part].as_str().unwrap().is_empty(), "{part}: {plan:#}");
    }
    // Names that are common words, and names of nothing.
    for order in ["rename the model Foo to Bar", "hide operation Fresh", "Please rename Cold to Warm"] {
        let plan = world.customize_with(order, &["--dry-run"]).exits(1).json();
        assert_eq!(plan["outcome"], "guidance", "{order}: {plan:#}");
    }
    let plan = world.customize_with("LGTM", &["--dry-run"]).exits(0).json();
    assert_eq!(plan["outcome"], "nothing", "{plan:#}");
}

/// A script learns from the plan's code what the command itself would end with.
#[test]
fn plan_that_needs_a_scope_ends_as_the_command_without_it_does() {
    let world = World::standing_in();
    let request = "rename the model AnalyzeResult to WidgetAnalysis in Python and Java";
    let plan = world.customize_with(request, &["--dry-run"]).exits(1).json();
    assert_eq!((&plan["outcome"], &plan["needsScope"]), (&json!("planned"), &json!("python,java")), "{plan:#}");
    let refused = world.customize(request).exits(1).json();
    assert_eq!(refused["success"], false, "{refused:#}");
    let plan = world.customize_with(request, &["--dry-run", "--scope", "python,java"]).exits(0).json();
    assert_eq!((&plan["outcome"], plan.get("needsScope")), (&json!("planned"), None), "{plan:#}");
}

#[test]
fn people_read_the_plan_as_text() {
    let world = World::standing_in();
    let package = world.package();
    let arguments = ["package", "customize", "--package-path", package.to_str().unwrap(), "--dry-run"];
    let answer = world.bailiwick(&[&arguments[..], &["--customization-request", RENAME]].concat()).exits(0);
    assert!(answer.stdout.starts_with("planned: 1 action to do\n"), "{}", answer.stdout);
    assert!(answer.stdout.contains("which the compiler has not read yet"), "{}", answer.stdout);
}

#[test]
fn plan_that_keeps_something_is_refused() {
    let world = World::standing_in();
    let answer = world.customize_with(RENAME, &["--dry-run", "--keep-on-failure"]).exits(2);
    assert!(answer.stderr.contains("--keep-on-failure"), "{}", answer.stderr);
}

#[test]
fn clients_of_the_server_get_the_same_plan() {
    let world = World::standing_in();
    let (before, package) = (world.snapshot(), world.package());
    let shown = world.customize_with(RENAME, &["--dry-run"]).exits(0).json();
    let mut client = Mcp::modern(world.base(), &world.serving(&[]), json!({}));
    let arguments = json!({ "packagePath": package, "customizationRequest": RENAME, "dryRun": true });
    let answer = client.call("azsdk_package_customize_code", arguments);
    let plan = &answer["structuredContent"];
    assert_eq!(plan["status"], "finished", "{answer:#}");
    for (name, value) in shown.as_object().unwrap() {
        assert_eq!(&plan[name], value, "{name}");
    }
    assert!(text(&answer).starts_with("planned: 1 action to do"), "{answer:#}");
    assert_eq!(runs(&world).as_array().map(Vec::len), Some(0));
    before.assert_same(&world.snapshot());
}

/// A subclass that has the name which the specification gives to its base is how packages are written: no build log of such a
/// package is about it.
#[test]
fn hand_written_type_of_a_name_that_stands_already_refuses_no_repair() {
    let world = World::standing_in();
    let client = world.project().join("client.tsp");
    let text = std::fs::read_to_string(&client).unwrap();
    let rename = "@@clientName(Contoso.WidgetManager.Manufacturer, \"WidgetMaker\", \"python\");";
    std::fs::write(&client, format!("{text}\n{rename}\n")).unwrap();
    let patch = world.package().join("azure/widget/models/_patch.py");
    let code = std::fs::read_to_string(&patch).unwrap();
    std::fs::write(&patch, format!("{code}\n\nclass WidgetMaker:\n    \"\"\"Made by hand.\"\"\"\n")).unwrap();
    world.commit();
    let log = "azure/widget/models/_patch.py:9: error: Module \"azure.widget.models\" has no attribute \"Gone\"  [attr-defined]";
    let plan = world.customize_with(log, &["--dry-run"]).exits(0).json();
    assert_eq!((&plan["outcome"], &plan["actions"][0]["action"]), (&json!("planned"), &json!("repair")), "{plan:#}");
}

/// What a run left half done, whose process died, is undone before anything is read, as by every other command.
#[test]
fn plan_after_a_run_that_was_killed_is_made_from_what_the_run_found() {
    let world = World::standing_in();
    let before = world.snapshot();
    let plan = world.customize_with(RENAME, &["--dry-run"]).exits(0).json();
    let (package, client) = (world.package(), world.client());
    let package = package.to_str().unwrap();
    let arguments = ["package", "customize", "--package-path", package, "--customization-request", RENAME];
    let mut command = world.command(&arguments);
    let mut run = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while world.client() == client {
        assert_eq!(run.try_wait().unwrap(), None, "the run ended before it was killed");
        std::thread::sleep(Duration::from_millis(1));
    }
    run.kill().unwrap();
    let _ = run.wait().unwrap();
    assert_ne!(world.client(), client, "the edit stands");

    let again = world.customize_with(RENAME, &["--dry-run"]).exits(0).json();
    assert_eq!((&again["outcome"], &again["diff"]), (&plan["outcome"], &plan["diff"]), "{again:#}");
    before.assert_same(&world.snapshot());
}

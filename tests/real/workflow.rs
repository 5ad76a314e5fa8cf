//! The coordinator by hand: the caller edits both repositories itself, and the host checks what it did.

use bailiwick_tests::{Answer, World};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

/// A package whose model is renamed in `client.tsp`, so that hand-written code breaks.
const RENAME: &str = "\n@@clientName(AnalyzeResult, \"WidgetAnalysis\", \"python\");\n";

fn start(world: &World) -> Value {
    let package = world.package();
    let arguments = [
        "package",
        "workflow",
        "--request",
        "AnalyzeResult is to be called WidgetAnalysis in Python",
        "--request-type",
        "user_request",
        "--package-path",
        package.to_str().unwrap(),
        "--json",
    ];
    world.bailiwick(&arguments).exits(0).json()
}

fn call(world: &World, id: &str, further: &[&str]) -> Answer {
    let mut arguments = vec!["package", "workflow", "--workflow-id", id, "--json"];
    arguments.extend(further);
    world.bailiwick(&arguments)
}

fn report(world: &World, id: &str, result: &Value) -> Answer {
    call(world, id, &["--result", &result.to_string()])
}

fn append(path: &Path, text: &str) {
    let old = fs::read_to_string(path).unwrap();
    fs::write(path, old + text).unwrap();
}

fn tsp_applied() -> Value {
    json!({ "type": "tsp_fix_applied", "description": "renamed it with @@clientName" })
}

#[test]
fn killed_check_leaves_what_the_caller_edited_and_takes_the_report_again() {
    let world = World::standing_in();
    world.stand_in_fails(&json!({ "hangs": "generate" }));
    let id = start(&world)["workflow_id"].as_str().unwrap().to_owned();
    let _ = report(&world, &id, &json!({ "type": "classification", "tspApplicable": true })).exits(0);
    append(&world.project().join("client.tsp"), RENAME);
    let edited = world.snapshot();
    let mut child = std::process::Command::new(bailiwick_tests::binary())
        .args(["package", "workflow", "--workflow-id", &id, "--result", &tsp_applied().to_string()])
        .env_remove("XDG_RUNTIME_DIR")
        .env("BAILIWICK_STATE_DIR", world.state())
        .env("BAILIWICK_CACHE_DIR", bailiwick_tests::cache_of(world.base()))
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let told = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
    assert!(told.into_iter().any(|line| line.contains("regenerating")), "it came to regenerate");
    // It dies while the package has no generated code.
    let generated = world.package().join("azure/widget/models/_models.py");
    let started = std::time::Instant::now();
    while generated.exists() {
        assert!(started.elapsed().as_secs() < 120, "nothing was regenerated");
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    // What the dead process had started dies with it; the next start takes back what it did.
    std::thread::sleep(Duration::from_millis(500));
    let _ = world.bailiwick(&["run", "list"]).exits(0);
    edited.assert_same(&world.snapshot());
    let answer = call(&world, &id, &[]).exits(0).json();
    assert_eq!((&answer["phase"], &answer["is_complete"]), (&"AttemptTspFix".into(), &false.into()), "{answer:#}");
    let answer = call(&world, &id, &["--abandon"]).exits(1).json();
    assert_eq!(answer["status"], "failure", "{answer:#}");
    edited.assert_same(&world.snapshot());
}

/// Makes the only workflow look as if its last step had been this many hours ago.
fn age(world: &World, hours: u64) {
    let run = fs::read_dir(world.state().join("runs")).unwrap().next().unwrap().unwrap().path().join("workflow.json");
    let mut kept: Value = serde_json::from_slice(&fs::read(&run).unwrap()).unwrap();
    kept["lastStep"] = json!(kept["lastStep"].as_u64().unwrap() - hours * 3600);
    fs::write(run, kept.to_string()).unwrap();
}

#[test]
fn workflow_that_is_not_continued_expires_with_both_repositories_as_before_and_nothing_lost() {
    let world = World::standing_in();
    let configuration = world.base().join("configuration/bailiwick");
    fs::create_dir_all(&configuration).unwrap();
    fs::write(configuration.join("bailiwick.toml"), "[limits]\nworkflow-hours = 24\n").unwrap();
    let before = world.snapshot();
    let id = start(&world)["workflow_id"].as_str().unwrap().to_owned();
    let _ = report(&world, &id, &json!({ "type": "classification", "tspApplicable": true })).exits(0);
    append(&world.project().join("client.tsp"), RENAME);
    let edited = world.snapshot();

    // A long night is not too long.
    age(&world, 23);
    let listed = world.bailiwick(&["run", "list", "--json"]).exits(0);
    assert_eq!(listed.json()[0]["status"], "suspended", "{}", listed.stdout);
    edited.assert_same(&world.snapshot());
    age(&world, 2);
    let listed = world.bailiwick(&["run", "list", "--json"]).exits(0);
    assert!(listed.stderr.contains(&format!("the abandoned workflow `{id}` expired")), "{}", listed.stderr);
    assert_eq!(listed.json()[0]["status"], "reverted", "{}", listed.stdout);
    before.assert_same(&world.snapshot());
    let (_, aside) = listed.stderr.split_once("what stood there is kept in `").unwrap();
    let aside = Path::new(aside.split_once('`').unwrap().0);
    let kept = fs::read_to_string(aside.join("spec/client.tsp")).unwrap();
    assert!(kept.ends_with(RENAME), "{kept}");

    // A later call says so, the package is free, and it expires once.
    let answer = call(&world, &id, &[]).exits(1).json();
    assert_eq!((&answer["phase"], &answer["is_complete"]), (&"Failure".into(), &true.into()), "{answer:#}");
    assert!(answer["message"].as_str().unwrap().contains("it was not continued for 24 hours"), "{answer:#}");
    for further in [&["--result", "{\"type\": \"tsp_fix_applied\", \"description\": \"d\"}"][..], &["--fix"]] {
        let refused = call(&world, &id, further).exits(2);
        assert!(refused.stderr.contains("expired") && !refused.stderr.contains("the abandoned"), "{}", refused.stderr);
    }
    let other = start(&world)["workflow_id"].as_str().unwrap().to_owned();
    let answer = call(&world, &other, &["--abandon"]).exits(1).json();
    assert_eq!(answer["phase"], "Failure", "{answer:#}");
    before.assert_same(&world.snapshot());
}

#[test]
fn repositorys_own_page_is_named_where_it_has_one_and_the_program_prints_its_own() {
    let world = World::standing_in();
    let page = world.base().join("azure-rest-api-specs/eng/common/knowledge");
    fs::create_dir_all(&page).unwrap();
    fs::write(page.join("customizing-client-tsp.md"), "# Our own page\n").unwrap();
    world.commit();
    let instruction = start(&world)["instruction"].as_str().unwrap().to_owned();
    let named = "`eng/common/knowledge/customizing-client-tsp.md` of the specification repository";
    assert!(instruction.contains(named) && !instruction.contains("bailiwick://"), "{instruction}");
    let printed = world.bailiwick(&["knowledge"]).exits(0);
    assert!(printed.stdout.contains("@@clientName"), "{}", printed.stdout);
    let printed = world.bailiwick(&["--json", "knowledge"]).exits(0).json();
    assert_eq!(printed["uri"], "bailiwick://knowledge/customizing-client-tsp");
}

#[test]
fn whole_workflow_refuses_foreign_edits_repairs_succeeds_and_is_reverted_byte_for_byte() {
    let world = World::new();
    let before = world.snapshot();
    let answer = start(&world);
    assert_eq!(answer["phase"], "Classify", "{answer:#}");
    assert_eq!(answer["continuation_required"], true);
    let id = answer["workflow_id"].as_str().unwrap().to_owned();

    // What does not fit the phase changes nothing and says what does.
    let wrong = report(&world, &id, &tsp_applied()).exits(2);
    assert!(wrong.stderr.contains("takes a result of type `classification`"), "{}", wrong.stderr);
    let _ = report(&world, "workflow-unknown", &tsp_applied()).exits(2);
    // While the caller is at work no other run begins on the package.
    let other = world.customize("hide operation deleteWidget from the Python SDK").exits(3);
    assert!(other.stderr.contains("waits to be resumed"), "{}", other.stderr);

    let answer = report(&world, &id, &json!({ "type": "classification", "tspApplicable": true })).exits(0).json();
    assert_eq!(answer["phase"], "AttemptTspFix", "{answer:#}");

    // Nothing edited, then too much.
    let answer = report(&world, &id, &tsp_applied()).exits(0).json();
    assert!(answer["message"].as_str().unwrap().contains("no edit is there"), "{answer:#}");
    append(&world.project().join("client.tsp"), RENAME);
    append(&world.project().join("main.tsp"), "// mine\n");
    append(&world.package().join("azure/widget/models/_models.py"), "# mine too\n");
    let answer = report(&world, &id, &tsp_applied()).exits(0).json();
    assert_eq!(answer["phase"], "AttemptTspFix");
    let refused = answer["refused_changes"].to_string();
    assert!(refused.contains("spec/main.tsp") && refused.contains("_models.py"), "{refused}");
    assert!(refused.contains("generated-code"), "{refused}");

    // Undone, the rest regenerates; the hand-written code does not know the new name.
    world.git("azure-rest-api-specs", &["checkout", "-q", "--", "specification/widget/WidgetManager/main.tsp"]);
    world.git(
        "azure-sdk-for-python",
        &["checkout", "-q", "--", "sdk/widget/azure-widget/azure/widget/models/_models.py"],
    );
    let answer = report(&world, &id, &tsp_applied()).exits(0).json();
    assert_eq!(answer["phase"], "Classify", "{answer:#}");
    assert!(answer["instruction"].as_str().unwrap().contains("AnalyzeResult"), "{answer:#}");
    assert!(world.read("azure/widget/models/_models.py").contains("class WidgetAnalysis("));

    let answer = report(&world, &id, &json!({ "type": "classification", "tspApplicable": false })).exits(0).json();
    assert_eq!(answer["run_tool"]["name"], "azsdk_sdk_fix", "{answer:#}");
    let fix = call(&world, &id, &["--fix"]).exits(0).json();
    assert_eq!(fix["result"], "applied", "{fix:#}");
    let applied = json!({ "type": "sdk_fix_applied", "description": "followed the rename" });
    let answer = report(&world, &id, &applied).exits(0).json();
    assert_eq!((&answer["phase"], &answer["status"]), (&"Success".into(), &"success".into()), "{answer:#}");
    assert!(answer["summary"].as_str().unwrap().contains("followed the rename"));
    assert!(world.read("azure/widget/models/_patch.py").contains("WidgetAnalysis"));
    let _ = report(&world, &id, &applied).exits(2);

    let runs = world.bailiwick(&["run", "list", "--json"]).exits(0).json();
    let run = runs.as_array().unwrap().iter().find(|run| run["kind"] == "workflow").unwrap();
    assert_eq!(run["status"], "pending", "{run:#}");
    let _ = world.bailiwick(&["run", "revert", run["id"].as_str().unwrap()]).exits(0);
    before.assert_same(&world.snapshot());
}

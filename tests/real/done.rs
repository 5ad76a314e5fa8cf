//! The same request again: the recorded proof answers while it holds, and only while it holds.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::Stdio;

use bailiwick_tests::{Sdk, World};
use serde_json::Value;

const REQUEST: &str = "hide operation deleteWidget from the Python SDK";

#[test]
fn same_request_again_succeeds_from_the_proof_and_regenerates_nothing() {
    let world = World::new();
    let first = world.customize(REQUEST).exits(0).json();
    assert_eq!(first["phaseAAttempts"], 1);
    let before = world.snapshot();
    let second = world.customize(REQUEST).exits(0);
    assert!(!second.stderr.contains("regenerat"), "{}", second.stderr);
    let second = second.json();
    assert_eq!(second["outcome"], "success", "{second:#}");
    assert_eq!((&second["phaseAAttempts"], &second["phaseBAttempts"]), (&0.into(), &0.into()));
    assert_eq!(second["modifiedFiles"].as_array().unwrap().len(), 0, "{second:#}");
    before.assert_same(&world.snapshot());
}

#[test]
fn altered_generated_file_is_regenerated_before_success_is_claimed() {
    let world = World::standing_in();
    let _ = world.customize(REQUEST).exits(0);
    let path = world.package().join("azure/widget/operations/_operations.py");
    let good = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, good.replace("def _delete_widget(", "def delete_widget(")).unwrap();
    let again = world.customize(REQUEST).exits(0);
    assert!(again.stderr.contains("regenerat"), "{}", again.stderr);
    assert_eq!(again.json()["outcome"], "success");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), good);
}

#[test]
fn changed_spec_is_regenerated_before_success_is_claimed() {
    let world = World::standing_in();
    let _ = world.customize(REQUEST).exits(0);
    let path = world.project().join("models.tsp");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, format!("{text}\n// a remark\n")).unwrap();
    let again = world.customize(REQUEST).exits(0);
    assert!(again.stderr.contains("regenerat"), "{}", again.stderr);
    assert_eq!(again.json()["outcome"], "success");
}

/// The request, with an edit made as soon as the run says this.
fn edited_beside(world: &World, said: &str, edit: impl FnOnce()) -> Value {
    let package = world.package();
    let arguments = ["--json", "package", "customize", "--package-path", package.to_str().unwrap()];
    let mut command = world.command(&[&arguments[..], &["--customization-request", REQUEST]].concat());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let (mut line, mut edit) = (String::new(), Some(edit));
    while stderr.read_line(&mut line).unwrap() > 0 {
        if line.starts_with(said)
            && let Some(edit) = edit.take()
        {
            edit();
        }
        line.clear();
    }
    let mut stdout = String::new();
    child.stdout.take().unwrap().read_to_string(&mut stdout).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1), "{stdout}");
    assert!(edit.is_none(), "the run never said `{said}`");
    serde_json::from_str(&stdout).unwrap()
}

fn assert_nothing_is_proved(world: &World, first: &Value) {
    assert_eq!((&first["outcome"], &first["errorCode"]), (&"partial".into(), &"ChangedMeanwhile".into()), "{first:#}");
    let again = world.customize(REQUEST);
    assert!(
        again.stderr.contains("regenerating"),
        "what was never generated and built is taken for done: {}",
        again.stderr
    );
}

#[test]
fn specification_that_is_edited_while_a_package_is_generated_from_it_is_not_done() {
    let world = World::standing_in();
    let models = world.project().join("models.tsp");
    // The generator waits for the edit, which comes after the specification was copied for it.
    let waits = format!(
        "const {{ readFileSync }} = require('node:fs');\nwhile (!readFileSync({:?}, 'utf8').includes('// later')) ;\n",
        models.to_str().unwrap()
    );
    std::fs::write(world.package().join("waits.js"), waits).unwrap();
    world.stand_in_fails(&serde_json::json!({ "runs": "waits.js" }));
    let first = edited_beside(&world, "regenerating", || {
        let text = std::fs::read_to_string(&models).unwrap();
        std::fs::write(&models, format!("{text}// later\n")).unwrap();
    });
    assert_nothing_is_proved(&world, &first);
}

#[test]
fn package_that_is_edited_while_it_is_built_is_not_done() {
    let world = World::new();
    let patch = world.package().join("azure/widget/_patch.py");
    // The type checker takes seconds.
    let first = edited_beside(&world, "building", || {
        let text = std::fs::read_to_string(&patch).unwrap();
        std::fs::write(&patch, format!("{text}\n# later\n")).unwrap();
    });
    assert_nothing_is_proved(&world, &first);
}

#[test]
fn file_that_a_link_of_the_specification_leads_to_is_a_part_of_it() {
    let world = World::new();
    let (models, shared) = (world.project().join("models.tsp"), world.project().with_file_name("shared.tsp"));
    let text = std::fs::read_to_string(&models).unwrap();
    std::fs::rename(&models, &shared).unwrap();
    std::os::unix::fs::symlink("../shared.tsp", &models).unwrap();
    world.commit();
    let package = world.package();
    let planned = || {
        let arguments = ["package", "customize", "--package-path", package.to_str().unwrap(), "--dry-run"];
        world.bailiwick(&[&arguments[..], &["--rename", "FreshPart=FresherPart"]].concat()).stderr
    };
    let before = planned();
    assert!(before.contains("nothing called `FreshPart`"), "{before}");
    std::fs::write(&shared, format!("{text}\nmodel FreshPart {{\n  name: string;\n}}\n")).unwrap();
    let after = planned();
    assert!(!after.contains("nothing called"), "the view from before the change is used: {after}");
}

/// What stands above the package is no part of the record: the same request builds again before it is called done.
#[test]
fn package_that_does_not_build_any_more_is_not_done_and_one_that_builds_is_without_a_regeneration() {
    const REQUEST: &str = "hide operation deletePart from the JavaScript SDK";
    let world = World::of(Sdk::Javascript);
    let _ = world.customize(REQUEST).exits(0);
    let shared = world.base().join(Sdk::Javascript.repository()).join("tsconfig.json");
    let good = std::fs::read_to_string(&shared).unwrap();
    let broken = good.replacen('{', "{ \"extends\": \"./no-such-file.json\",", 1);
    std::fs::write(&shared, broken).unwrap();
    let before = world.snapshot();
    let answer = world.customize(REQUEST).exits(1);
    assert_ne!(answer.json()["outcome"], "success", "{}", answer.stdout);
    before.assert_same(&world.snapshot());
    std::fs::write(&shared, good).unwrap();
    let answer = world.customize(REQUEST).exits(0);
    assert!(answer.stderr.contains("building") && !answer.stderr.contains("regenerat"), "{}", answer.stderr);
    let message = answer.json()["message"].as_str().unwrap().to_owned();
    assert!(message.ends_with("and the package builds now"), "{message}");
}

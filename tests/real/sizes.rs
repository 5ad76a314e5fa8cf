//! A package of 2,000 generated files and a specification of 200 operations.

use bailiwick_tests::World;
use bailiwick_tests::sizes::{BULK, large_package, large_specification};
use serde_json::Value;
use std::fs;

const FILES: usize = 2_000;
/// Each with two operations.
const MODELS: usize = 100;
/// What GitHub takes for a description.
const PULL_REQUEST_CHARACTERS: usize = 65_536;

fn reports(world: &World, run: &str) -> (String, String) {
    let path = world.base().join("report.html");
    let _ = world.bailiwick(&["run", "report", run, "--output", path.to_str().unwrap()]).exits(0);
    let markdown = world.bailiwick(&["run", "report", &run[..20], "--format", "markdown"]).exits(0).stdout;
    assert!(markdown.chars().count() < PULL_REQUEST_CHARACTERS);
    (fs::read_to_string(path).unwrap(), markdown)
}

fn own_ms(world: &World, run: &str) -> u64 {
    let report = world.bailiwick(&["--json", "run", "report", run]).exits(0).json();
    assert_eq!(report["run"], run);
    let events = fs::read_to_string(world.state().join("runs").join(run).join("events.jsonl")).unwrap();
    let timing = events.lines().rfind(|line| line.contains("ownMs")).unwrap();
    serde_json::from_str::<Value>(timing).unwrap()["data"]["ownMs"].as_u64().unwrap()
}

/// Over the stand-in toolchain: what is tried here is the host's own work.
#[test]
fn two_thousand_changed_files_are_kept_counted_reported_and_brought_back() {
    let world = World::standing_in();
    large_package(&world, FILES);
    let before = world.snapshot();
    let response =
        world.customize("rename the model AnalyzeResult to WidgetAnalysis in the Python SDK").exits(0).json();
    assert_eq!(response["outcome"], "success", "{response:#}");
    let run = response["runId"].as_str().unwrap();
    let modified = response["modifiedFiles"].as_array().unwrap();
    let bulk = modified.iter().filter(|path| path.as_str().unwrap().starts_with(&format!("sdk/{BULK}/"))).count();
    assert_eq!(bulk, FILES);
    assert_eq!(before.difference(&world.snapshot()).beneath("azure-sdk-for-python").len(), modified.len() - 1);
    // Hand-written files in full, generated ones as a bounded list.
    let diff = response["diff"].as_str().unwrap();
    assert!(
        diff.contains("+@@clientName(") && diff.contains("more generated files") && diff.len() < 64 * 1024,
        "{diff}"
    );
    assert!(own_ms(&world, run) > 0);

    let (html, markdown) = reports(&world, run);
    // All but `client.tsp` and the three `_patch.py` that name the model.
    let generated = modified.len() - 4;
    let generated = format!("{},{:03} generated files", generated / 1000, generated % 1000);
    for text in [&html, &markdown] {
        assert!(text.contains("Success") && text.contains("WidgetAnalysis"), "{text}");
        assert!(text.contains(&generated), "{generated} in {text}");
    }
    let _ = world.bailiwick(&["run", "revert", run]).exits(0);
    before.assert_same(&world.snapshot());
    let (html, markdown) = reports(&world, run);
    assert!(html.contains("Reverted") && markdown.starts_with("## ○ Reverted"), "{markdown}");
}

/// Over the real compiler, emitter and type checker.
#[test]
fn specification_of_two_hundred_operations_is_customized() {
    let world = World::new();
    large_specification(&world, MODELS);
    let before = world.snapshot();
    let last = format!("Gadget{:03}", MODELS - 1);
    let request = format!("rename the model {last} to LastGadget in the Python SDK");
    let response = world.customize(&request).exits(0).json();
    assert_eq!(response["outcome"], "success", "{response:#}");
    let run = response["runId"].as_str().unwrap();
    let models = world.read("azure/widget/models/_models.py");
    assert_eq!(models.matches("\nclass Gadget").count(), MODELS - 1);
    assert!(models.contains("\nclass LastGadget("));
    let operations = world.read("azure/widget/operations/_operations.py");
    for number in 0..MODELS {
        for name in ["read", "keep"] {
            assert!(operations.contains(&format!("    def {name}_gadget{number:03}(")), "{name} {number}");
        }
    }
    assert!(own_ms(&world, run) > 0);
    let (html, markdown) = reports(&world, run);
    for text in [&html, &markdown] {
        assert!(
            text.contains(&last) && text.contains("LastGadget") && text.contains("Phase A, attempt 1 of 2"),
            "{text}"
        );
    }
    let _ = world.bailiwick(&["run", "revert", run]).exits(0);
    before.assert_same(&world.snapshot());
}

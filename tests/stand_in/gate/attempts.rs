//! Limits and stalls with the real driver: what `machine/tests` shows of the machine holds of the binary, with its counters in
//! the response and both repositories as they were (seed 000, 9.3 to 9.5).

use super::{REQUEST, build_error, client_with, good, patch, write_client};
use bailiwick_tests::World;
use bailiwick_tests::played::{Turn, calls, classified, edited, exit, guidance, no_edit, patched};
use serde_json::{Value, json};

const FILE: &str = "azure/widget/models/_patch.py";

/// An attempt of Phase A that lands an edit which says nothing.
fn remarks(world: &World, remark: &str) -> Turn<'static> {
    let text = client_with(world, &format!("// {remark}"));
    calls(vec![write_client(&text), edited()])
}

/// An attempt of Phase B that changes one line.
fn repairs(from: &str, to: &str) -> Turn<'static> {
    calls(vec![patch(FILE, from, to), patched()])
}

fn first_repair() -> Turn<'static> {
    repairs("from typing import List, Optional", "from typing import List, Optional  # 1")
}

fn second_repair() -> Turn<'static> {
    repairs("Optional  # 1", "Optional  # 2")
}

/// Plays, and asserts a failure with this code and these attempts that leaves nothing behind.
#[track_caller]
fn fails(world: &World, script: &Value, turns: Vec<Turn<'_>>, code: &str, attempts: (u8, u8)) -> Value {
    world.stand_in_fails(script);
    let before = world.snapshot();
    let response = world.customize_played(REQUEST, &[], turns).exits(1).json();
    assert_eq!((&response["outcome"], &response["errorCode"]), (&"failure".into(), &code.into()), "{response:#}");
    assert_eq!(
        (&response["phaseAAttempts"], &response["phaseBAttempts"]),
        (&attempts.0.into(), &attempts.1.into()),
        "{response:#}"
    );
    assert!(!response["manualGuidance"].as_array().unwrap().is_empty(), "{response:#}");
    assert!(response["nextSteps"].to_string().contains("Manual intervention required, see error details"));
    before.assert_same(&world.snapshot());
    response
}

/// Lines of a generation that fails.
fn generator(message: &str) -> Value {
    json!([format!("error stand-in: {message}")])
}

#[test]
fn phase_a_has_two_attempts_and_phase_b_is_not_entered_when_the_regeneration_fails() {
    let world = World::standing_in();
    let script = json!({ "generate": [generator("one thing"), generator("another thing")] });
    let turns = vec![
        classified("PHASE_A"),
        remarks(&world, "first"),
        classified("PHASE_A"),
        remarks(&world, "second"),
        classified("PHASE_A"),
    ];
    let response = fails(&world, &script, turns, "PhaseALimit", (2, 0));
    assert!(response["manualGuidance"].to_string().contains("another thing"), "{response:#}");
    assert!(response["buildResult"].is_null(), "nothing was built: {response:#}");
}

#[test]
fn phase_b_has_two_attempts_of_its_own() {
    let world = World::standing_in();
    let script = json!({ "build": [build_error("one"), build_error("two"), build_error("three")] });
    let turns = vec![
        classified("PHASE_A"),
        no_edit(),
        first_repair(),
        second_repair(),
        classified("PHASE_A"),
        // The first phase has an attempt left, which does not help either.
        remarks(&world, "second"),
        classified("FAILURE"),
    ];
    let script = json!({ "build": [script["build"][0], script["build"][1], script["build"][2], build_error("four")] });
    fails(&world, &script, turns, "PhaseALimit", (2, 2));
}

#[test]
fn both_phases_together_have_four_attempts_and_no_fifth() {
    let world = World::standing_in();
    let script = json!({
        "generate": [generator("the emitter fails")],
        "build": [build_error("one"), build_error("two"), build_error("three")],
    });
    let turns = vec![
        classified("PHASE_A"),
        remarks(&world, "first"),
        classified("PHASE_A"),
        remarks(&world, "second"),
        first_repair(),
        second_repair(),
        classified("PHASE_A"),
    ];
    fails(&world, &script, turns, "PhaseBLimit", (2, 2));
}

#[test]
fn same_error_twice_in_a_phase_is_a_stall_before_it_is_a_limit() {
    let world = World::standing_in();
    let script = json!({ "generate": [generator("the same thing"), generator("the same thing")] });
    let turns = vec![
        classified("PHASE_A"),
        remarks(&world, "first"),
        classified("PHASE_A"),
        remarks(&world, "second"),
        classified("PHASE_A"),
    ];
    fails(&world, &script, turns, "StallDetected", (2, 0));
}

#[test]
fn same_error_across_the_phases_is_not_a_stall_and_twice_in_phase_b_is_one() {
    let world = World::standing_in();
    let script = json!({ "build": [build_error("same"), build_error("same"), build_error("same")] });
    let turns = vec![classified("PHASE_A"), no_edit(), first_repair(), second_repair(), classified("FAILURE")];
    fails(&world, &script, turns, "StallDetected", (1, 2));
}

#[test]
fn build_that_fails_without_customization_files_never_enters_phase_b() {
    let world = World::standing_in();
    let stub = world.read("azure/widget/_patch.py");
    for file in [FILE, "azure/widget/operations/_patch.py", "azure/widget/aio/operations/_patch.py"] {
        std::fs::write(world.package().join(file), &stub).unwrap();
    }
    let turns = vec![classified("PHASE_A"), no_edit(), classified("FAILURE")];
    let script = json!({ "build": [build_error("broken")] });
    let response = fails(&world, &script, turns, "BuildNoCustomizationsFailed", (1, 0));
    assert_eq!(response["buildResult"]["success"], false, "{response:#}");
}

#[test]
fn guidance_of_the_repair_agent_keeps_what_phase_a_did_and_patches_nothing() {
    let world = World::standing_in();
    world.stand_in_fails(&json!({ "build": [build_error("the pipeline changed its shape")] }));
    let mut result = guidance();
    result["outcome"] = json!("guidance");
    let turns =
        || vec![classified("PHASE_A"), calls(vec![write_client(&good(&world)), edited()]), calls(vec![exit(&result)])];
    let before = world.snapshot();
    // The package does not build, and `--keep-partial` is not given.
    let response = world.customize_played(REQUEST, &[], turns()).exits(1).json();
    assert_eq!((&response["outcome"], &response["errorCode"]), (&"failure".into(), &"ManualGuidance".into()));
    before.assert_same(&world.snapshot());
    let steps = response["nextSteps"].to_string();
    let patch = steps.split('`').find(|part| part.ends_with("put-back.patch")).expect("a patch is named");
    assert!(std::fs::read_to_string(patch).unwrap().contains("+@@access(Widgets.deleteWidget"), "{steps}");

    let response = world.customize_played(REQUEST, &["--keep-partial"], turns()).exits(1).json();
    assert_eq!((&response["outcome"], &response["errorCode"]), (&"partial".into(), &"ManualGuidance".into()));
    assert_eq!(response["codePatches"].as_array().unwrap().len(), 0, "{response:#}");
    assert_eq!(response["typeSpecChanges"][0]["decoratorName"], "access", "{response:#}");
    assert!(response["nextSteps"].to_string().contains("Some issues remain, review and fix manually"));
    assert!(world.client().contains("@@access(Widgets.deleteWidget"));
}

#[test]
fn diagnostics_that_would_fill_the_context_end_the_run_with_a_clear_message() {
    let world = World::standing_in();
    // One repair that cannot help, and errors of 26,000 characters before and after it.
    let script = json!({
        "build": [build_error(&"a very long error ".repeat(1_450)), build_error(&"another long error ".repeat(1_450))],
    });
    let turns = vec![classified("PHASE_A"), no_edit(), first_repair()];
    let response = fails(&world, &script, turns, "ContextLimitExceeded", (1, 1));
    assert!(response["message"].as_str().unwrap().contains("50000"), "{response:#}");
    assert!(response["manualGuidance"].to_string().contains("split the request"), "{response:#}");
}

#[test]
fn refusals_that_use_up_the_attempts_are_named() {
    let world = World::standing_in();
    let bad = |more: &str| calls(vec![write_client(&client_with(&world, more)), edited()]);
    let turns = vec![
        classified("PHASE_A"),
        bad("@@doc(Widgets.deleteWidget, \"gone\");"),
        calls(Vec::new()),
        calls(Vec::new()),
        classified("PHASE_A"),
        bad("@@access(Widgets.deleteWidget, Access.internal, \"java\");"),
        calls(Vec::new()),
        calls(Vec::new()),
        classified("PHASE_A"),
    ];
    fails(&world, &json!({}), turns, "RefusedByGate", (2, 0));
}

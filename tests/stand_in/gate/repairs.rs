//! Phase B: what an agent may not do to the package.

use super::{REQUEST, build_error, patch, refused_one_by_one};
use bailiwick_tests::played::{call, calls, classified, exit, guidance, no_edit, patched, turn};
use bailiwick_tests::{World, assert_success};
use serde_json::{Value, json};

const FILE: &str = "azure/widget/models/_patch.py";
const LINE: &str = "from typing import List, Optional";

#[test]
fn every_rule_of_phase_b_is_told_by_name_and_the_agent_may_correct_itself() {
    let world = World::standing_in();
    world.stand_in_fails(&json!({ "build": [build_error("no such member"), []] }));
    let generated = "azure/widget/models/_models.py";
    let stub = "azure/widget/_patch.py";
    // A replacement, taken back by the attack after it.
    let with = |undo: Vec<Value>, calls: Vec<Value>| [undo, calls, vec![patched()]].concat();
    let same = |new: &str| vec![patch(FILE, LINE, new)];
    let back = |old: &str| vec![patch(FILE, old, LINE)];
    let lines = (0..20).map(|n| format!("# line {n}\n")).collect::<String>() + LINE;
    let silent = format!("{LINE}  # type: ignore");
    let leaves = format!("{LINE}; import os; os._exit(0)");
    let hidden = format!("{LINE}  # \u{200b}");
    let long = format!("{LINE}  # {}", "x".repeat(300));
    let bell = format!("{LINE}  # \u{7}");
    let attacks = vec![
        // Neither generated code nor a stub that customizes nothing can even be written in the stage,
        ("not-permitted", vec![patch(generated, "class AnalyzeResult", "class AnalysedResult")]),
        ("not-permitted", vec![patch(stub, "Customize generated code here.", "Mine.")]),
        ("not-permitted", vec![patch("README.md", "#", "##")]),
        // and what can be written is judged.
        ("check-silenced", with(Vec::new(), same(&silent))),
        ("forbidden-call", with(back(&silent), same(&leaves))),
        ("hidden-characters", with(back(&leaves), same(&hidden))),
        ("line-too-long", with(back(&hidden), same(&long))),
        ("not-text", with(back(&long), same(&bell))),
        ("too-many-lines", with(back(&bell), same(&lines))),
        ("no file was changed", with(back(&lines), Vec::new())),
    ];
    let good = format!("{LINE}  # repaired");
    let mut turns = vec![classified("PHASE_A"), no_edit()];
    // The regeneration of Phase A came before; what the agent does afterwards leaves no trace until it is accepted.
    let before = world.snapshot();
    turns.extend(refused_one_by_one(&world, attacks, vec![patch(FILE, LINE, &good), patched()]));
    turns.push(classified("SUCCESS"));
    let response = world.customize_played(REQUEST, &[], turns).exits(0).json();
    assert_success(&response, (1, 1));
    let changed = before.difference(&world.snapshot());
    assert_eq!(changed.beneath("azure-sdk-for-python"), [format!("sdk/widget/azure-widget/{FILE}")], "{changed:?}");
    assert!(world.read(FILE).contains(&good));
}

#[test]
fn repair_agent_can_neither_write_files_nor_reach_the_specification() {
    let world = World::standing_in();
    world.stand_in_fails(&json!({ "build": [build_error("no such member")] }));
    let before = world.snapshot();
    let turns = vec![
        classified("PHASE_A"),
        no_edit(),
        calls(vec![call("WriteFile", json!({ "filePath": "sdk/azure/widget/_evil.py", "content": "import os\n" }))]),
        turn(|back| {
            assert!(back.contains("unknown-tool"), "{back}");
            vec![call("ReadFile", json!({ "filePath": "spec/client.tsp" }))]
        }),
        turn(|back| {
            assert!(back.contains("\"error\"") && !back.contains("clientName"), "{back}");
            vec![patch("../../../eng/emitter-package.json", "{", "{ ")]
        }),
        turn(|back| {
            assert!(back.contains("not-permitted"), "{back}");
            let mut result = guidance();
            result["outcome"] = json!("guidance");
            vec![exit(&result)]
        }),
    ];
    let response = world.customize_played(REQUEST, &[], turns).exits(1).json();
    assert_eq!(response["errorCode"], "ManualGuidance", "{response:#}");
    assert_eq!(response["codePatches"].as_array().unwrap().len(), 0, "{response:#}");
    let guided = &response["manualGuidance"][0];
    for part in ["issue", "files", "approach", "reason"] {
        assert!(!guided[part].is_null(), "{part}: {response:#}");
    }
    before.assert_same(&world.snapshot());
}

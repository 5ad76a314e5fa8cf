//! Every rule of the gate is attacked by a hostile agent: a model that a test plays, through the real binary with its real
//! driver, stage, sandbox, tools, locks and runs. The toolchain is the stand-in of `tests/stand-in-toolchain`, because
//! nothing that the gate refuses reaches a toolchain.
//!
//! | design 7.1 | tests |
//! |---|---|
//! | Phase A: `client.tsp`, the decorator rules, imports; told by name, corrected | `typespec` |
//! | Phase B: customization files, never generated code; 19 lines in 4 files over all attempts | `repairs`, `limits` |
//! | the repository's file is still what was staged; links and pipes | `races` |
//! | limits and stalls per phase, combined, and none across phases (seed 000, 9.3 to 9.5) | `attempts` |

mod attempts;
mod limits;
mod races;
mod repairs;
mod table;
mod typespec;

use bailiwick_tests::World;
use bailiwick_tests::played::{Turn, call, turn};
use serde_json::{Value, json};

const REQUEST: &str = "hide operation deleteWidget from the Python SDK";

/// Writes `client.tsp` in the stage.
fn write_client(text: &str) -> Value {
    call("WriteFile", json!({ "filePath": "spec/client.tsp", "content": text }))
}

/// `client.tsp` as the fixture has it, with more at its end.
fn client_with(world: &World, more: &str) -> String {
    format!("{}\n{more}\n", world.client().trim_end())
}

/// The edit that the request asks for.
fn good(world: &World) -> String {
    client_with(world, "@@access(Widgets.deleteWidget, Access.internal, \"python\");")
}

/// Replaces text of a file of the package in the stage.
fn patch(file: &str, old: &str, new: &str) -> Value {
    call("CodePatch", json!({ "filePath": format!("sdk/{file}"), "oldContent": old, "newContent": new }))
}

/// Attempts in order: each is refused by the rule beside it, and nothing of it is in the repositories when the agent is
/// told so. The last turns follow the last refusal.
fn refused_one_by_one<'a>(
    world: &'a World,
    attacks: Vec<(&'static str, Vec<Value>)>,
    last: Vec<Value>,
) -> Vec<Turn<'a>> {
    let before = world.snapshot();
    let mut expected: Option<&'static str> = None;
    let mut turns: Vec<Turn<'a>> = Vec::new();
    for (rule, calls) in attacks.into_iter().map(|(rule, calls)| (Some(rule), calls)).chain([(None, last)]) {
        let told = expected;
        let before = before.clone();
        turns.push(turn(move |back| {
            if let Some(rule) = told {
                assert!(back.contains(rule), "`{rule}` was not named: {back}");
            }
            before.assert_same(&world.snapshot());
            calls
        }));
        expected = rule;
    }
    turns
}

/// An error of the type checker in a customization file.
fn build_error(message: &str) -> Value {
    json!([{ "file": "azure/widget/models/_patch.py", "line": 14, "message": message, "code": "attr-defined" }])
}

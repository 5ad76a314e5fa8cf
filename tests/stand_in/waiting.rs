//! A step that takes long says at a terminal how long it has taken, in a line of its own that is gone afterwards; elsewhere its
//! name is all that is printed.

use bailiwick_tests::World;
use std::fs;

/// A world whose generator first waits, for longer than a person should without a word.
fn slow() -> World {
    let world = World::standing_in();
    let script = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 6000);\n";
    fs::write(world.package().join("slow.js"), script).unwrap();
    world.stand_in_fails(&serde_json::json!({ "runs": "slow.js" }));
    world
}

#[test]
fn step_that_takes_long_counts_its_seconds_at_a_terminal_alone() {
    let world = slow();
    let package = world.package();
    let arguments = ["package", "generate", "--package-path", package.to_str().unwrap()];
    let (shown, succeeded) = world.at_terminal(&arguments, "");
    assert!(succeeded, "{shown}");
    let (_, after) = shown.split_once("regenerating azure-widget").unwrap();
    let (while_waiting, _) = after.split_once("regenerated").unwrap();
    assert!(while_waiting.contains("\r\u{1b}[K  … 3 s"), "{shown:?}");
    assert!(while_waiting.ends_with("\r\u{1b}[K"), "the line is taken away: {shown:?}");

    let answer = world.bailiwick(&arguments).exits(0);
    assert!(!answer.stderr.contains('…') && !answer.stderr.contains('\u{1b}'), "{}", answer.stderr);
}

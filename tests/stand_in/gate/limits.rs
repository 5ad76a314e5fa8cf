//! At most 19 lines in 4 files, counted over all attempts of a run.

use super::{REQUEST, build_error, patch};
use bailiwick_tests::World;
use bailiwick_tests::played::{calls, classified, exit, guidance, no_edit, patched, turn};
use serde_json::{Value, json};

/// Five customization files, the last two of which the fixture leaves as stubs.
const FILES: [&str; 5] = [
    "azure/widget/models/_patch.py",
    "azure/widget/operations/_patch.py",
    "azure/widget/aio/operations/_patch.py",
    "azure/widget/_patch.py",
    "azure/widget/aio/_patch.py",
];

/// The fixture with forty lines to change in each of the five files.
fn world() -> World {
    let world = World::standing_in();
    for file in FILES {
        let lines: String = (0..40).map(|n| format!("VALUE_{n} = {n}\n")).collect();
        std::fs::write(world.package().join(file), format!("{}\n{lines}", world.read(file))).unwrap();
    }
    world
}

/// Changes this many lines of a file, from this one.
fn change(file: usize, from: usize, count: usize) -> Value {
    let text = |what: &str| (from..from + count).map(|n| format!("VALUE_{n} = {what}{n}\n")).collect::<String>();
    patch(FILES[file], &text(""), &text("-"))
}

fn three_failures() -> Value {
    json!({ "build": [build_error("one"), build_error("two"), []] })
}

#[test]
fn nineteen_lines_in_four_files_over_two_attempts_land_and_nothing_more_does() {
    let world = world();
    world.stand_in_fails(&three_failures());
    let before = world.snapshot();
    let after_first = std::sync::Mutex::new(None);
    let turns = vec![
        classified("PHASE_A"),
        no_edit(),
        calls(vec![change(0, 0, 5), change(1, 0, 4), change(2, 0, 1), patched()]),
        // Ten lines in three files are in. Ten more in the fourth are one too many,
        turn(|_| {
            *after_first.lock().unwrap() = Some(world.snapshot());
            vec![change(3, 0, 10), patched()]
        }),
        // and a fifth file is one too many, whatever its size.
        turn(|back| {
            assert!(back.contains("too-many-lines") && !back.contains("too-many-files"), "{back}");
            after_first.lock().unwrap().as_ref().unwrap().assert_same(&world.snapshot());
            let undo = patch(FILES[3], "VALUE_9 = -9\n", "VALUE_9 = 9\n");
            vec![undo, change(4, 0, 1), patched()]
        }),
        turn(|back| {
            assert!(back.contains("too-many-files"), "{back}");
            after_first.lock().unwrap().as_ref().unwrap().assert_same(&world.snapshot());
            vec![patch(FILES[4], "VALUE_0 = -0\n", "VALUE_0 = 0\n"), patched()]
        }),
        classified("SUCCESS"),
    ];
    let response = world.customize_played(REQUEST, &[], turns).exits(0).json();
    assert_eq!(response["outcome"], "success", "{response:#}");
    assert_eq!(response["phaseBAttempts"], 2, "{response:#}");
    let changed = before.difference(&world.snapshot());
    assert_eq!(changed.beneath("azure-sdk-for-python").len(), 4, "{changed:?}");
    let lines: usize = FILES.iter().map(|file| world.read(file).matches("= -").count()).sum();
    assert_eq!(lines, 19);
    // All of it goes back.
    world.assert_reverts(&response, &before);
}

#[test]
fn lines_that_a_second_attempt_needs_beyond_the_limit_leave_nothing_of_the_first_either() {
    let world = world();
    world.stand_in_fails(&three_failures());
    let before = world.snapshot();
    let turns = vec![
        classified("PHASE_A"),
        no_edit(),
        calls(vec![change(0, 0, 19), patched()]),
        calls(vec![change(0, 30, 1), patched()]),
        turn(|back| {
            assert!(back.contains("too-many-lines"), "{back}");
            let mut result = guidance();
            result["outcome"] = json!("guidance");
            vec![exit(&result)]
        }),
    ];
    let response = world.customize_played(REQUEST, &[], turns).exits(1).json();
    assert_eq!((&response["outcome"], &response["errorCode"]), (&"failure".into(), &"ManualGuidance".into()));
    before.assert_same(&world.snapshot());
}

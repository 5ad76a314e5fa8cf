//! The same wish in many words, with typos and pasted logs, to the end of a run; over the stand-in toolchain, which adds
//! nothing to what a word means. `hide` and `rename` do both with the real one.

use bailiwick_tests::World;

const LOG: &str = "```\nazure/widget/operations/_operations.py:412: error: Something about delete_widget  [misc]\nFound 1 error in 1 file (checked 34 source files)\n```";

#[test]
fn hiding_is_understood_in_many_wordings() {
    for request in [
        "Please make the deleteWidget operation internal in the Python SDK.",
        "hdie the opertion `delete_widget` from the pyhton sdk",
        "Widgets.deleteWidget should not be public in Python",
        "remove delete widget from the public API of the python library",
        "Can you mark the method delete_widget as internal for Python, thanks!",
        &format!("hide operation deleteWidget\n\n{LOG}"),
    ] {
        let world = World::standing_in();
        let response = world.customize(request).exits(0).json();
        assert_eq!(response["outcome"], "success", "{request}: {response:#}");
        assert!(world.read("azure/widget/operations/_operations.py").contains("def _delete_widget("), "{request}");
    }
}

#[test]
fn renaming_is_understood_in_many_wordings() {
    for request in [
        "Rename AnalyzeResult to WidgetAnalysis.",
        "In the Python SDK, the model AnalyzeResult should be called WidgetAnalysis",
        "plese renmae the model `AnalyzeResult` to `WidgetAnalysis` for pyhton",
        "change the name of AnalyzeResult to WidgetAnalysis in python",
        "use the name WidgetAnalysis for the AnalyzeResult model in the Python library",
        &format!("rename model AnalyzeResult to WidgetAnalysis\n\n{LOG}"),
    ] {
        let world = World::standing_in();
        let response = world.customize(request).exits(0).json();
        assert_eq!(response["outcome"], "success", "{request}: {response:#}");
        assert_eq!((&response["phaseAAttempts"], &response["phaseBAttempts"]), (&1.into(), &1.into()), "{request}");
    }
}

#[test]
fn what_is_done_already_is_recognised_in_many_wordings() {
    let world = World::standing_in();
    let _ = world.customize("hide operation deleteWidget from the Python SDK").exits(0);
    let before = world.snapshot();
    for request in [
        "hide deleteWidget",
        "make sure delete_widget is hidden in Python",
        "Widgets.deleteWidget should be internal in the python sdk",
        "please hdie the operation deleteWidget from the pyhton sdk",
        "don't expose deleteWidget in Python",
        &format!("hide operation deleteWidget\n\n{LOG}"),
    ] {
        let response = world.customize(request).exits(0).json();
        assert_eq!(response["outcome"], "success", "{request}: {response:#}");
        assert_eq!(response["phaseAAttempts"], 0, "{request}");
        before.assert_same(&world.snapshot());
    }
}

/// Each line is a request of its own, and what was carried out is not reported as left to a person.
#[test]
fn several_lines_that_are_all_carried_out_end_in_one_success() {
    let world = World::standing_in();
    let request = "hide the operation deleteWidget from the Python SDK\nhide the operation deletePart from the Python SDK\n\
        rename the model AnalyzeResult to WidgetAnalysis in the Python SDK";
    let response = world.customize(request).exits(0).json();
    assert_eq!(response["outcome"], "success", "{response:#}");
    assert!(response["manualGuidance"].as_array().is_none_or(Vec::is_empty), "{response:#}");
    assert_eq!(response["typeSpecChanges"].as_array().map(Vec::len), Some(3), "{response:#}");
    let operations = world.read("azure/widget/operations/_operations.py");
    assert!(operations.contains("def _delete_widget(") && operations.contains("def _delete_part("));
}

/// A command behind another one in the same sentence is done too, or named: it is never passed over.
#[test]
fn every_command_of_a_sentence_is_planned_or_left_to_a_person() {
    let world = World::standing_in();
    for (request, planned, guided) in [
        ("hide deleteWidget, rename Part to Piece, hide deletePart", 3, 0),
        ("hide deleteWidget in Python - hide deletePart in Python", 2, 0),
        ("hide deleteWidget\nhide deletePart", 2, 0),
        ("hide the operation deleteWidget from the Python SDK hide the operation deletePart from the Python SDK", 1, 1),
        ("hide deleteWidget, do not hide deletePart", 1, 0),
    ] {
        let plan = world.customize_with(request, &["--dry-run"]).json();
        let count = |field: &str| plan[field].as_array().map_or(0, Vec::len);
        assert_eq!((count("actions"), count("guidance")), (planned, guided), "{request}: {plan:#}");
    }
}

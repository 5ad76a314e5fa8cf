//! What is not done automatically: guidance with its four parts, exit code 1, and nothing edited.

use bailiwick_tests::World;

#[track_caller]
fn assert_guided(world: &World, request: &str) -> serde_json::Value {
    let before = world.snapshot();
    let response = world.customize(request).exits(1).json();
    assert_eq!(response["success"], false, "{response:#}");
    assert_ne!(response["outcome"], "success");
    let guidance = response["manualGuidance"].as_array().unwrap();
    assert!(!guidance.is_empty(), "{request}: {response:#}");
    for part in ["issue", "approach", "reason"] {
        assert!(guidance[0][part].as_str().is_some_and(|text| text.len() > 10), "{request}: `{part}` of {response:#}");
    }
    assert!(guidance[0]["files"].as_array().is_some_and(|files| !files.is_empty()), "{request}: {response:#}");
    assert_eq!((&response["phaseAAttempts"], &response["phaseBAttempts"]), (&0.into(), &0.into()), "{request}");
    before.assert_same(&world.snapshot());
    response
}

#[test]
fn out_of_scope_request_is_for_a_person() {
    let response = assert_guided(&World::new(), "add retry with circuit breaker to the client");
    assert_eq!(response["errorCode"], "ManualGuidance");
    assert!(response["nextSteps"].to_string().contains("Manual intervention required, see error details"));
}

#[test]
fn negations_conditions_and_second_meanings_are_never_guessed() {
    let world = World::new();
    for request in [
        "hide all operations except deleteWidget",
        "hide deleteWidget only if it is unused",
        "hide deleteWidget in the Java SDK",
        "hide the documentation of deleteWidget",
    ] {
        let _ = assert_guided(&world, request);
    }
}

#[test]
fn request_that_leaves_all_as_it_is_edits_nothing() {
    let world = World::standing_in();
    let client = std::fs::read_to_string(world.project().join("client.tsp")).unwrap();
    for request in [
        "do not hide deleteWidget",
        "please don't hide operation deleteWidget from the Python SDK",
        "never rename AnalyzeResult to WidgetAnalysis",
        "~~hide deleteWidget~~",
        "LGTM",
    ] {
        let answer = world.customize(request).exits(0).json();
        assert_eq!(answer["phaseAAttempts"], 0, "{request}: {answer:#}");
        assert_eq!(std::fs::read_to_string(world.project().join("client.tsp")).unwrap(), client, "{request}");
    }
}

#[test]
fn name_with_two_targets_or_none_is_asked_about() {
    let world = World::new();
    let two = assert_guided(&world, "rename the property displayName to title");
    assert!(two["manualGuidance"].to_string().contains("Widget"), "the candidates are named: {two:#}");
    let _ = assert_guided(&world, "hide operation frobnicateWidget from the Python SDK");
    let near = assert_guided(&world, "hide operation deleteWidgets from the Python SDK");
    assert!(near["manualGuidance"].to_string().contains("deleteWidget"), "{near:#}");
}

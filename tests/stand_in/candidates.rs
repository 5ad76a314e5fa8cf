//! What a request may ask for: shown, asked about at a terminal, and never done without a word.

use bailiwick_tests::World;
use serde_json::json;

#[test]
fn candidate_is_not_done_and_is_a_directive_that_does_it() {
    let world = World::standing_in();
    let before = world.snapshot();
    let question = "Should we rename AnalyzeResult to HealthReport?";
    let plan = world.customize_with(question, &["--dry-run"]).exits(1).json();
    assert_eq!((&plan["outcome"], &plan["actions"]), (&json!("guidance"), &json!([])), "{plan:#}");
    assert_eq!(plan["candidates"][0]["name"], "HealthReport", "{plan:#}");
    let response = world.customize(question).exits(1).json();
    assert_eq!((&response["success"], &response["candidates"]), (&json!(false), &plan["candidates"]), "{response:#}");
    before.assert_same(&world.snapshot());

    let directives = plan["candidates"].to_string();
    let confirmed = world.package_command("customize", &["--dry-run", "--directives", &directives]).exits(0).json();
    assert_eq!(confirmed["outcome"], "planned", "{confirmed:#}");
    assert_eq!(confirmed["actions"][0]["target"], plan["candidates"][0]["target"], "{confirmed:#}");
}

/// The wish that is certain is done in any case; the one that is not only where a person says so.
#[test]
fn candidate_is_done_at_a_terminal_where_a_person_confirms_it() {
    const REQUEST: &str = "Please hide deleteWidget. Should we rename AnalyzeResult to HealthReport?";
    for (typed, renamed) in [("y\n", true), ("n\n", false), ("\n", false)] {
        let world = World::standing_in();
        let package = world.package();
        let arguments = ["package", "customize", "--package-path", package.to_str().unwrap()];
        let (shown, succeeded) =
            world.at_terminal(&[&arguments[..], &["--customization-request", REQUEST]].concat(), typed);
        assert!(shown.contains("is it meant?"), "{shown}");
        let client = std::fs::read_to_string(world.project().join("client.tsp")).unwrap();
        assert_eq!(client.contains("\"HealthReport\""), renamed, "{typed:?}: {shown}");
        assert_eq!(succeeded, renamed, "a wish that is left open is no success: {shown}");
    }
}

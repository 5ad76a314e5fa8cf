//! An exported review in, a row for each comment out.

use bailiwick_tests::{Answer, World};
use serde_json::json;

fn reviewed(world: &World, review: &str, further: &[&str]) -> Answer {
    world.package_command("customize", &[&["--comments", review], further].concat())
}

#[test]
fn every_comment_has_a_row_and_a_dry_run_changes_nothing() {
    let world = World::standing_in();
    let before = world.snapshot();
    let review = json!([
        { "id": 1, "body": "Rename the model AnalyzeResult to WidgetAnalysis.", "path": "azure/widget/models/_models.py" },
        { "id": 2, "body": "Please do.", "in_reply_to_id": 9 },
        { "id": 3, "commentText": "add a retry policy of our own", "elementId": "azure.widget.WidgetClient" },
        { "id": 4, "commentText": "hide it", "elementId": "azure.widget.models.Part", "isResolved": true },
    ]);
    let answer = reviewed(&world, &review.to_string(), &["--dry-run"]).exits(0).json();
    let outcomes: Vec<_> = answer["comments"].as_array().unwrap().iter().map(|row| row["outcome"].clone()).collect();
    assert_eq!((&outcomes[0], &outcomes[2], &outcomes[3]), (&json!("planned"), &json!("guidance"), &json!("resolved")));
    assert_eq!(answer["comments"][0]["place"], "azure/widget/models/_models.py", "{answer:#}");
    assert!(answer["comments"][2]["reply"].as_str().unwrap().starts_with("Left for a person: "), "{answer:#}");
    assert!(answer["plan"]["diff"].as_str().unwrap().contains("\"WidgetAnalysis\", \"python\""), "{answer:#}");
    before.assert_same(&world.snapshot());
    assert!(!world.state().join("runs").exists(), "a dry run opens no store");
}

#[test]
fn file_that_is_not_a_review_begins_nothing() {
    let world = World::standing_in();
    for (review, said) in [
        ("{", "is not JSON"),
        ("{}", "not a list of comments"),
        ("[{\"id\": 1}]", "comment 1 is neither"),
        ("@missing.json", "cannot read the review"),
    ] {
        let answer = reviewed(&world, review, &[]).exits(2);
        assert!(answer.stderr.contains(said), "{review}: {}", answer.stderr);
    }
    let answer = reviewed(&world, "[]", &["--hide", "deleteWidget"]).exits(2);
    assert!(answer.stderr.contains("cannot be used with"), "{}", answer.stderr);
    assert_eq!(reviewed(&world, "[]", &[]).exits(0).json()["comments"], json!([]));
}

fn rows(answer: &serde_json::Value) -> Vec<(String, String)> {
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    answer["comments"].as_array().unwrap().iter().map(|row| (text(&row["outcome"]), text(&row["reply"]))).collect()
}

#[test]
fn comment_of_which_a_part_is_left_for_a_person_is_not_told_as_done() {
    let world = World::standing_in();
    let review = json!([{ "id": 1, "body": "rename Part to Component, and rename Frobnicator to Foo", "path": "a" }]);
    let answer = reviewed(&world, &review.to_string(), &[]).exits(1).json();
    let (outcome, reply) = &rows(&answer)[0];
    assert_eq!(outcome, "guidance", "{answer:#}");
    assert!(reply.starts_with("Done: rename the model ") && reply.contains(" Left for a person: "), "{reply}");
    assert!(reply.contains("Frobnicator"), "{reply}");
    assert!(world.client().contains("\"Component\""), "{}", world.client());
}

#[test]
fn row_of_a_partial_run_says_of_its_own_comment_what_was_done() {
    let world = World::standing_in();
    let review = json!([
        { "id": 1, "body": "rename Part to Component for Java", "path": "a" },
        { "id": 2, "body": "hide deleteWidget for Python", "path": "a" },
    ]);
    let answer = reviewed(&world, &review.to_string(), &[]).exits(1).json();
    let rows = rows(&answer);
    assert_eq!((rows[0].0.as_str(), rows[1].0.as_str()), ("notDone", "done"), "{answer:#}");
    assert!(rows[0].1.starts_with("Not done: rename the model ") && rows[1].1.starts_with("Done: hide "), "{rows:?}");
    assert!(world.client().contains("@@access(") && !world.client().contains("\"Component\""), "{}", world.client());
}

#[test]
fn comments_with_one_id_are_two_comments() {
    let world = World::standing_in();
    let review = json!([
        { "id": 3, "body": "hide deleteWidget", "path": "a" },
        { "id": 3, "body": "rename Part to Component", "path": "a" },
    ]);
    let answer = reviewed(&world, &review.to_string(), &[]).exits(0).json();
    assert_eq!(rows(&answer).iter().map(|row| row.0.as_str()).collect::<Vec<_>>(), ["done", "done"], "{answer:#}");
    let client = world.client();
    assert!(client.contains("\"Component\"") && client.contains("@@access("), "{client}");
}

#[test]
fn rows_of_a_specification_without_a_package_say_what_was_done() {
    let world = World::standing_in();
    let project = world.project();
    let review = json!([{ "id": 1, "body": "rename Part to Component", "path": "a" }]).to_string();
    let customize = ["--json", "package", "customize", "--typespec-project-path", project.to_str().unwrap()];
    let options = ["--edit-scope", "SpecInputs", "--scope", "python", "--comments", &review];
    let answer = world.bailiwick(&[&customize[..], &options].concat()).exits(0).json();
    let (outcome, reply) = &rows(&answer)[0];
    assert!(outcome == "done" && reply.starts_with("Done: rename the model "), "{answer:#}");
}

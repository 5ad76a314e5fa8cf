//! An exported review in, a row for each comment out.

use bailiwick_tests::{Answer, World};
use serde_json::json;

fn reviewed(world: &World, review: &str, further: &[&str]) -> Answer {
    let package = world.package();
    let arguments =
        ["--json", "package", "customize", "--package-path", package.to_str().unwrap(), "--comments", review];
    world.bailiwick(&[&arguments[..], further].concat())
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

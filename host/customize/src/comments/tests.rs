use bailiwick_sdk::tasks::{Change, Classification, Directive, EntityKind, ItemVerdict, Language, Route};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::read::words;
use super::{CommentsError, Ledger, RowOutcome, Standing, read};
use crate::machine::EditScope;
use crate::plan::{Plan, PlannedEdit};

fn github() -> Value {
    json!([
        {
            "id": 101, "path": "azure/widget/models/_models.py", "line": 12, "user": { "login": "ada", "id": 5 },
            "diff_hunk": "@@ -0,0 +1,3 @@\n+class Part:\n+    display_name: str", "body": "call it title", "side": "RIGHT"
        },
        { "id": 102, "path": "azure/widget/models/_models.py", "line": 12, "body": "sounds good", "in_reply_to_id": 101 },
        { "id": 103, "path": "README.md", "line": null, "original_line": 4, "body": " " },
    ])
}

fn apiview() -> Value {
    json!({ "comments": [
        { "id": "a", "elementId": "azure.widget.models.Part", "commentText": "too generic: WidgetPart", "createdBy": "bob",
          "isResolved": false, "upvotes": ["x"] },
        { "id": "b", "elementId": "azure.widget.models.Part", "commentText": "agreed", "isResolved": false },
        { "id": "c", "elementId": "azure.widget.models.Part.id", "commentText": "why?", "isResolved": true },
    ] })
}

#[test]
fn threads_of_github_are_read_with_their_answers() {
    let review = read(&github().to_string()).unwrap();
    let standings: Vec<_> = review.comments.iter().map(|one| one.standing.clone()).collect();
    assert_eq!(standings, [Standing::Open, Standing::Answers("101".into()), Standing::Empty]);
    assert_eq!(review.comments[0].request, "Line 12: display_name: str\nComment: call it title\nReply: sounds good");
    assert_eq!(review.comments[0].author.as_deref(), Some("ada"));
    assert_eq!(review.comments[2].place.as_deref(), Some("README.md:4"));
    assert_eq!(read(&json!([github()]).to_string()).unwrap(), review, "pages");
}

#[test]
fn comments_of_apiview_on_one_element_are_one_thread_and_resolved_ones_are_not_read() {
    let review = read(&apiview().to_string()).unwrap();
    let standings: Vec<_> = review.comments.iter().map(|one| one.standing.clone()).collect();
    assert_eq!(standings, [Standing::Open, Standing::Answers("a".into()), Standing::Resolved]);
    assert_eq!(
        review.comments[0].request,
        "ElementId: azure.widget.models.Part\nComment: too generic: WidgetPart\nReply: agreed"
    );
}

#[test]
fn conversation_of_apiview_is_resolved_as_a_whole_and_deleted_comments_are_not_read() {
    let comment = |id: &str, element: &str, resolved: Value, deleted: bool| {
        json!({
            "id": id, "reviewId": "r", "apiRevisionId": "v", "elementId": element, "commentText": "rename it to B",
            "changeHistory": [], "isResolved": resolved, "upvotes": [], "taggedUsers": [], "createdBy": "bob",
            "createdOn": "2025-01-01T00:00:00Z", "lastEditedOn": null, "isDeleted": deleted, "resolutionLocked": false,
        })
    };
    let list = json!([
        comment("a", "w.A", json!(false), false),
        comment("b", "w.A", json!(true), false),
        comment("c", "w.C", json!(null), true),
        comment("d", "w.C", json!(null), false),
    ]);
    let review = read(&list.to_string()).unwrap();
    let standings: Vec<_> = review.comments.iter().map(|one| one.standing.clone()).collect();
    assert_eq!(standings, [Standing::Resolved, Standing::Resolved, Standing::Empty, Standing::Open]);
    assert_eq!(review.comments[3].request, "ElementId: w.C\nComment: rename it to B");
}

#[test]
fn what_the_command_line_of_github_prints_is_read_with_its_author() {
    let printed = json!({ "comments": [
        { "id": "IC_1", "author": { "login": "ada" }, "body": "rename A to B", "isMinimized": false, "url": "u" },
    ] });
    let review = read(&printed.to_string()).unwrap();
    assert_eq!(review.comments[0].author.as_deref(), Some("ada"));
    assert_eq!(review.comments[0].request, "rename A to B");
}

#[test]
fn text_that_is_not_a_review_is_named() {
    let error = |value: Value| read(&value.to_string()).unwrap_err();
    assert!(matches!(read("{"), Err(CommentsError::NotJson { .. })));
    assert_eq!(error(json!({ "a": 1 })), CommentsError::NotAList);
    assert!(matches!(error(json!([{ "id": 1 }])), CommentsError::Malformed { number: 1, .. }));
    assert!(matches!(
        error(json!([{ "id": 1, "body": "a" }, { "body": "a" }])),
        CommentsError::Malformed { number: 2, .. }
    ));
    assert!(matches!(error(json!([{ "id": [], "body": "a" }])), CommentsError::Malformed { .. }));
    assert_eq!(error(json!([{ "id": 1, "body": "a".repeat(20_001) }])), CommentsError::TooLong { number: 1 });
    assert_eq!(error(json!(vec![json!({ "id": 1, "body": "a" }); 501])), CommentsError::TooMany { count: 501 });
    assert_eq!(read(&" ".repeat((8 << 20) + 1)), Err(CommentsError::TooLarge));
    assert_eq!(read("[]").unwrap().comments, []);
}

#[test]
fn every_comment_has_a_row_and_words_for_its_answer() {
    let review = read(&apiview().to_string()).unwrap();
    let plan = |route| {
        let change =
            Change::Rename { kind: EntityKind::Model, target: "Service.Part".into(), name: "WidgetPart".into() };
        let directives = vec![Directive { change, scope: None, basis: "WidgetPart".into() }];
        let item = ItemVerdict {
            id: "a/1".into(),
            text: "too generic".into(),
            route,
            reason: "it is so already".into(),
            directives,
            guidance: None,
        };
        let classification = Classification { items: vec![item], ..Classification::default() };
        Plan::new(Language::Python, EditScope::All, &classification, &PlannedEdit::default())
    };
    let rows = |route| Ledger::new(&review, &[plan(route)]).comments;
    let planned = rows(Route::PhaseA);
    let outcomes: Vec<_> = planned.iter().map(|row| row.outcome).collect();
    assert_eq!(outcomes, [RowOutcome::Planned, RowOutcome::Answered, RowOutcome::Resolved]);
    assert_eq!(planned[0].reply, "To be done: rename the model `Service.Part` to `WidgetPart`.");
    assert_eq!(rows(Route::Success)[0].reply, "No change: it is so already.");
    let guided = &rows(Route::Failure)[0];
    assert_eq!(guided.outcome, RowOutcome::Guidance);
    assert!(guided.reply.starts_with("Left for a person: too generic: "), "{}", guided.reply);
    let text = Ledger { comments: planned }.format();
    assert!(text.starts_with("planned: comment a at azure.widget.models.Part\n  To be done: "), "{text}");
}

#[test]
fn answers_in_a_circle_are_a_conversation_that_the_first_of_them_begins() {
    let review = read(
        &json!([
            { "id": 8, "body": "rename Part to Piece", "in_reply_to_id": 9 },
            { "id": 9, "body": "sounds good", "in_reply_to_id": 8 },
            { "id": 10, "body": "to one of them", "in_reply_to_id": 9 },
        ])
        .to_string(),
    )
    .unwrap();
    let standings: Vec<&Standing> = review.comments.iter().map(|comment| &comment.standing).collect();
    assert_eq!(standings, [&Standing::Open, &Standing::Answers("8".into()), &Standing::Answers("9".into())]);
}

#[test]
fn chain_of_answers_as_long_as_a_review_may_be_is_read_in_the_time_of_its_length() {
    let long = "x".repeat(1_000);
    let chained = |number: usize| {
        let answers = (number > 0).then(|| format!("{long}{}", number - 1));
        json!({ "id": format!("{long}{number}"), "body": "a", "in_reply_to_id": answers })
    };
    let open = |number: usize| json!({ "id": format!("{long}{number}"), "body": "a" });
    let list: Vec<Value> = (0..250).map(chained).chain((250..500).map(open)).collect();
    words::taken();
    let review = read(&Value::Array(list).to_string()).unwrap();
    // Each has an id, and perhaps another one that it answers; it was each with each of the others, at each step.
    let read = words::taken();
    assert!(read <= 4 * review.comments.len(), "{read} ids were read of {} comments", review.comments.len());
    assert_eq!(review.comments[0].request, "a\nReply: a");
    assert_eq!(review.comments[249].standing, Standing::Answers(format!("{long}248")));
    assert_eq!(review.comments.iter().filter(|one| one.standing == Standing::Open).count(), 251);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(bailiwick_fuzz::cases(256)))]

    /// Whatever a file holds, it is read or refused, and a review that is read has a row for each comment.
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,200}") {
        let _ = read(&text);
    }

    #[test]
    fn any_list_of_comments_has_a_row_each(
        comments in prop::collection::vec(
            (0_u8..5, "\\PC{0,40}", prop::option::of(0_u8..5), prop::option::of("[a-c.]{0,3}"), any::<bool>()),
            0..8,
        ),
    ) {
        let list: Vec<Value> = comments
            .iter()
            .map(|(id, text, answers, element, resolved)| match element {
                Some(element) => json!({ "id": id, "commentText": text, "elementId": element, "isResolved": resolved }),
                None => json!({ "id": id, "body": text, "in_reply_to_id": answers, "diff_hunk": text }),
            })
            .collect();
        let review = read(&Value::Array(list).to_string()).unwrap();
        prop_assert_eq!(review.comments.len(), comments.len());
        prop_assert_eq!(Ledger::new(&review, &[]).comments.len(), comments.len());
        let open = review.comments.iter().filter(|one| one.standing == Standing::Open);
        for comment in open {
            prop_assert!(!comment.request.trim().is_empty());
        }
    }
}

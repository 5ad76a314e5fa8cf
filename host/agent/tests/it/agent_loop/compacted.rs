//! A conversation that nears the model's window.

use bailiwick_agent::{Message, ToolCall, Transcript, TurnResponse, Usage};
use serde_json::Value;

use super::support::{Desk, Page, Scripted, agent, call, exit, lock, look, put, turn};

/// A call whose answer repeats so many bytes.
fn long(bytes: usize) -> ToolCall {
    put(&"x".repeat(bytes))
}

/// What the model counted in a request of this many tokens.
fn counted(response: TurnResponse, input_tokens: u64) -> TurnResponse {
    TurnResponse { usage: Usage { input_tokens, ..Usage::default() }, ..response }
}

async fn asked(window: Option<u64>, answers: Vec<TurnResponse>) -> (Vec<Vec<Message>>, Vec<Value>) {
    let (model, page) = (Scripted { window, ..Scripted::new(answers) }, Page::default());
    let mut transcript = Transcript::new(page.clone(), 200);
    bailiwick_agent::run(&agent(20), &Desk::default(), &model, &mut transcript).await.unwrap();
    let asked = lock(&model.asked).iter().map(|request| request.messages.clone()).collect();
    (asked, page.lines().into_iter().filter(|line| line["entry"] == "compacted").collect())
}

/// `kept` and `left out` for each result of the messages.
fn results(messages: &[Message]) -> Vec<&'static str> {
    let results = messages.iter().filter_map(|message| match message {
        Message::ToolResults(results) => Some(results),
        _ => None,
    });
    results.flatten().map(|result| if result.content.get("leftOut").is_some() { "left out" } else { "kept" }).collect()
}

#[tokio::test]
async fn oldest_output_is_left_out_first_with_a_remark_and_an_entry() {
    // Each call takes about 4,000 bytes twice, as an argument and as output; nothing is counted by the model.
    let silent = |calls| TurnResponse { usage: Usage::default(), ..turn([calls]) };
    let mut answers: Vec<_> = (0..4).map(|_| silent(long(4_000))).collect();
    answers.push(silent(exit("done")));
    let (asked, entries) = asked(Some(12_000), answers).await;
    assert_eq!(results(&asked[3]), ["kept", "kept", "kept"]);
    assert_eq!(results(&asked[4]), ["left out", "left out", "left out", "kept"]);
    let text = serde_json::to_string(&asked[4]).unwrap();
    assert!(text.contains("bytes of output were left out") && text.contains("call `Put` again"), "{text}");
    assert_eq!(entries.len(), 1, "{entries:?}");
    assert_eq!((&entries[0]["results"], &entries[0]["window"]), (&3.into(), &12_000.into()));
    assert!(entries[0]["bytes"].as_u64().unwrap() > 12_000, "{entries:?}");
}

#[tokio::test]
async fn nothing_is_left_out_where_the_window_is_wide_or_not_known() {
    let answers = || vec![turn([long(4_000)]), turn([long(4_000)]), turn([exit("done")])];
    for window in [None, Some(1_000_000)] {
        let (asked, entries) = asked(window, answers()).await;
        assert_eq!(results(&asked[2]), ["kept", "kept"]);
        assert!(entries.is_empty());
    }
}

#[tokio::test]
async fn what_the_model_counted_goes_before_the_estimate() {
    let answers = |tokens| {
        vec![
            counted(turn([long(4_000)]), 500),
            counted(turn([look("a")]), tokens),
            counted(turn([exit("done")]), tokens),
        ]
    };
    let (dense, _) = asked(Some(10_000), answers(9_000)).await;
    assert_eq!(results(&dense[2]), ["left out", "kept"]);
    let (sparse, _) = asked(Some(10_000), answers(600)).await;
    assert_eq!(results(&sparse[2]), ["kept", "kept"]);
}

#[tokio::test]
async fn last_output_and_errors_stay_however_narrow_the_window_is() {
    let failing = call("Put", serde_json::json!({"id": "y".repeat(400), "fail": true}));
    let (asked, _) = asked(Some(10), vec![turn([failing, long(400)]), turn([long(4_000)]), turn([exit("done")])]).await;
    assert_eq!(results(&asked[1]), ["kept", "kept"]);
    assert_eq!(results(&asked[2]), ["kept", "left out", "kept"]);
}

//! What is on record of a run.

use std::io::{self, Write};

use bailiwick_agent::{AgentError, Entry, KnownSecrets, Transcript, Validation};
use serde_json::json;

use super::support::{Desk, Page, Scripted, agent, call, exit, look, put, say, turn};

async fn recorded(model: Scripted, configure: impl FnOnce(Transcript) -> Transcript) -> Page {
    let page = Page::default();
    let mut transcript = configure(Transcript::new(page.clone(), 200));
    let judge = |text: &String| if text == "no" { Validation::refused("not no") } else { Validation::Accepted };
    // How the run ends is the transcript's to tell.
    let _ = bailiwick_agent::run(&agent(9).validated_by(judge), &Desk::default(), &model, &mut transcript).await;
    page
}

#[tokio::test]
async fn every_turn_call_result_verdict_and_the_end_are_on_record_in_order() {
    let model = Scripted::new([
        say("hm"),
        turn([look("a"), call("Fetch", json!({}))]),
        turn([exit("no")]),
        turn([exit("yes")]),
    ]);
    let page = recorded(model, |transcript| transcript).await;
    let expected = "begin turn reminder turn call call result result turn call validation turn call validation end";
    assert_eq!(page.entries().join(" "), expected);
    let lines = page.lines();
    let seqs: Vec<_> = lines.iter().map(|line| line["seq"].as_u64().unwrap()).collect();
    assert_eq!(seqs, (0..15).collect::<Vec<_>>());
    assert_eq!(lines[0]["tools"], json!(["Look", "Put", "Exit"]));
    assert_eq!(lines[3]["usage"], json!({"inputTokens": 10, "cachedInputTokens": 4, "outputTokens": 1}));
    assert_eq!((&lines[6]["isError"], &lines[6]["content"]["kind"]), (&json!(true), &json!("unknown-tool")));
    assert_eq!((&lines[7]["content"]["did"], &lines[7]["cost"]), (&json!("Look a"), &json!({"bytes": 1})));
    assert_eq!((&lines[10]["verdict"], &lines[10]["reason"]), (&json!("refused"), &json!("not no")));
    assert_eq!(lines[13]["verdict"], "accepted");
    assert_eq!((&lines[14]["outcome"], &lines[14]["totals"]["turns"]), (&json!("completed"), &json!(4)));
}

#[tokio::test]
async fn failure_of_the_model_is_the_last_thing_on_record() {
    let page = recorded(Scripted::new([]), |transcript| transcript).await;
    assert_eq!(page.entries(), ["begin", "backendFailed"]);
}

#[tokio::test]
async fn long_text_is_bounded_in_the_transcript_and_whole_for_the_model() {
    let long = "x".repeat(50_000);
    let model = Scripted::new([turn([put(&long)]), turn([exit("yes")])]);
    let (page, desk) = (Page::default(), Desk::default());
    let mut transcript = Transcript::new(page.clone(), 200);
    bailiwick_agent::run(&agent(9), &desk, &model, &mut transcript).await.unwrap();
    assert!(model.last_results()[0].content["did"].as_str().unwrap().contains(&long));
    for line in page.lines() {
        assert!(line.to_string().len() < 1000, "{} bytes", line.to_string().len());
    }
}

#[tokio::test]
async fn secret_is_nowhere_in_the_transcript_even_where_the_text_is_cut() {
    // The cut at 200 bytes goes through the secret.
    let id = format!("{}s3cr3t-k3y", "x".repeat(195));
    let page = recorded(Scripted::new([turn([look(&id)]), turn([exit("s3cr3t-k3y")])]), |transcript| {
        transcript.scrubbed_by(KnownSecrets::new(["s3cr3t-k3y".to_string()]))
    })
    .await;
    let text = format!("{:?}", page.lines());
    assert!(text.contains("[redacted]") && !text.contains("s3cr3"), "{text}");
}

/// Takes so many lines and no more.
struct Full(usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.checked_sub(1).ok_or_else(|| io::Error::other("the disk is full"))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn run_whose_transcript_cannot_be_written_stops_before_its_next_call() {
    let desk = Desk::default();
    let model = Scripted::new([turn([put("a")]), turn([exit("done")])]);
    // There is room for the beginning and for the turn, not for the call.
    let outcome = bailiwick_agent::run(&agent(9), &desk, &model, &mut Transcript::new(Full(2), 1000)).await;
    assert!(matches!(outcome, Err(AgentError::Transcript(_))), "{outcome:?}");
    assert!(desk.log().is_empty());
}

#[test]
fn entry_is_handed_on_at_once_by_a_writer_that_buffers() {
    let page = Page::default();
    let mut transcript = Transcript::new(io::BufWriter::new(page.clone()), 1000);
    transcript.record(&Entry::Reminder).unwrap();
    assert_eq!(page.entries(), ["reminder"]);
}

//! A tool written in Rust, a typed result, and an agent that uses both. Runs without a key:
//!
//! ```sh
//! cargo run --example typed_tool
//! ```
//!
//! A script stands in for the model. Any other [`Backend`] goes in its place.

#![expect(clippy::print_stdout, reason = "the example shows its result")]

use std::time::Duration;

use bailiwick_agent::script::Script;
use bailiwick_agent::{
    AgentError, Backend, Budget, Completed, Microagent, ToolEffect, ToolFailure, Transcript, TypedTool, TypedTools,
    Validation, run,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// What the tool takes. Its JSON Schema is what the model is told.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Text {
    /// The text to count in.
    text: String,
}

/// What the tool answers.
#[derive(Serialize)]
struct Count {
    words: usize,
}

/// What the agent comes to. Its JSON Schema is what `Exit` takes.
#[derive(Debug, Deserialize, JsonSchema, PartialEq)]
struct Report {
    title: String,
    words: usize,
}

async fn count(input: Text) -> Result<Count, ToolFailure> {
    match input.text.split_whitespace().count() {
        0 => Err(ToolFailure::new("empty", "there is no word in the text")),
        words => Ok(Count { words }),
    }
}

const STEPS: &str = r#"
[[step]]
id = "count"
tool = "CountWords"
arguments = { text = "${input.text}" }

[exit]
result = { title = "${input.title}", words = "${count.words}" }
"#;

async fn report(text: &str, backend: &dyn Backend) -> Result<Completed<Report>, AgentError> {
    let tools = TypedTools::new(vec![TypedTool::new("CountWords", "Counts words.", ToolEffect::Reads, count)]);
    let task = json!({ "kind": "report", "input": { "title": "A report", "text": text } });
    let budget = Budget { max_tool_calls: 10, tokens: Some(10_000), wall: Duration::from_secs(60) };
    let agent = Microagent::<Report>::new("Count the words of the text and report them.", task, budget).validated_by(
        |report: &Report| match report.title.is_empty() {
            true => Validation::refused("the title is empty"),
            false => Validation::Accepted,
        },
    );
    run(&agent, &tools, backend, &mut Transcript::discarded()).await
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let script = Script::parse("script", STEPS)?;
    let completed = report("the sphere in which one has authority", &script).await?;
    println!("{:?} after {} tool calls", completed.result, completed.totals.tool_calls);
    Ok(())
}

#[tokio::test]
async fn report_has_what_the_tool_counted() {
    let script = Script::parse("script", STEPS).unwrap();
    let completed = report("one two three", &script).await.unwrap();
    assert_eq!(completed.result, Report { title: "A report".into(), words: 3 });
}

#[tokio::test]
async fn failure_of_the_tool_reaches_the_model() {
    let script = Script::parse("script", STEPS).unwrap();
    let error = report(" ", &script).await.unwrap_err();
    assert!(error.to_string().contains("there is no word in the text"), "{error}");
}

//! A turn as every form of provider knows it. What comes from outside (the task, what tools return) is fenced as data.

use bailiwick_agent::templates::fence;
use bailiwick_agent::{Message, ToolCall, ToolResult, ToolSpec, TurnRequest};
use serde_json::{Value, json};

use crate::choice::Dialect;
use crate::{schema, task};

/// Stands for a message without text and without calls, which some providers refuse.
const NOTHING_SAID: &str = "(nothing was said)";

/// The request for one turn.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Chat {
    /// The instructions, with the rule for fences.
    pub(crate) system: String,
    /// In their order; the first one is the task.
    pub(crate) messages: Vec<Said>,
    /// The tools that may be called.
    pub(crate) tools: Vec<Tool>,
}

/// One message.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Said {
    /// The loop, on behalf of a person.
    User(String),
    /// The model: a text, calls, or both.
    Assistant { text: Option<String>, calls: Vec<ToolCall> },
    /// The results of the calls before.
    Results(Vec<Outcome>),
}

/// What came of a call.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Outcome {
    /// The id of the call.
    pub(crate) call_id: String,
    /// The tool that was called.
    pub(crate) name: String,
    /// The result, fenced.
    pub(crate) content: String,
}

/// A tool as it is offered.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Tool {
    pub(crate) name: String,
    pub(crate) description: String,
    /// The schema of its input, in the form that `strictness` asks for.
    pub(crate) schema: Value,
    pub(crate) strictness: Strictness,
}

/// Whether a provider promises arguments that fit the schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Strictness {
    /// The dialect has no strict mode.
    Unknown,
    /// The schema cannot be written in strict mode.
    Off,
    /// The schema is in strict mode.
    On,
}

/// The request for one turn.
pub(crate) fn build(request: &TurnRequest, dialect: Dialect) -> Chat {
    let value = task::without_what_is_held(&request.task, &request.instructions);
    let task = format!("The task value, as JSON:\n{}", fence::json("task", &value));
    let mut messages = vec![Said::User(task)];
    messages.extend(request.messages.iter().map(said));
    Chat {
        system: format!("{}\n\n{}", request.instructions.trim_end(), fence::RULE_FOR_EACH),
        messages,
        tools: request.tools.iter().map(|spec| tool(spec, dialect)).collect(),
    }
}

fn said(message: &Message) -> Said {
    match message {
        Message::User(text) => Said::User(text.clone()),
        Message::Assistant { text, calls } => {
            let text = match text.trim() {
                "" if calls.is_empty() => Some(NOTHING_SAID.to_owned()),
                "" => None,
                _ => Some(text.clone()),
            };
            Said::Assistant { text, calls: calls.clone() }
        }
        Message::ToolResults(results) => Said::Results(results.iter().map(outcome).collect()),
    }
}

fn outcome(result: &ToolResult) -> Outcome {
    // The fence has no name of the tool: an unknown tool has any name the model gave it.
    let content = match (&result.content, result.is_error) {
        // Some providers have no field for a failure, so the text says it.
        (content, true) => fence::json("result", &json!({ "error": content })),
        (Value::String(text), false) => fence::text("result", text),
        (content, false) => fence::json("result", content),
    };
    Outcome { call_id: result.call_id.clone(), name: result.name.clone(), content }
}

/// Whether a dialect has a strict mode that every one of its models takes.
fn has_strict_mode(dialect: Dialect) -> bool {
    matches!(dialect, Dialect::OpenAi | Dialect::OpenAiResponses | Dialect::Azure)
}

fn tool(spec: &ToolSpec, dialect: Dialect) -> Tool {
    let (schema, strictness) = match has_strict_mode(dialect).then(|| schema::strict(&spec.input_schema)) {
        Some(Some(strict)) => (strict, Strictness::On),
        Some(None) => (schema::loose(&spec.input_schema), Strictness::Off),
        None => (schema::loose(&spec.input_schema), Strictness::Unknown),
    };
    Tool { name: spec.name.clone(), description: spec.description.clone(), schema, strictness }
}

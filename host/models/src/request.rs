//! A turn as genai wants it. What comes from outside (the task, what tools return) is fenced as data.

use bailiwick_agent::templates::fence;
use bailiwick_agent::{Message, ToolResult, ToolSpec, TurnRequest};
use genai::chat::{ChatMessage, ChatRequest, ContentPart, MessageContent, Tool, ToolCall, ToolResponse};
use serde_json::{Value, json};

use crate::choice::Dialect;
use crate::{schema, task};

/// What stands for a message without text and without calls, which some providers do not take.
const NOTHING_SAID: &str = "(nothing was said)";

/// The request for one turn.
pub(crate) fn build(request: &TurnRequest, dialect: Dialect) -> ChatRequest {
    let value = task::without_what_is_held(&request.task, &request.instructions);
    let task = format!("The task value, as JSON:\n{}", fence::json("task", &value));
    let mut messages = vec![ChatMessage::user(task)];
    messages.extend(request.messages.iter().flat_map(|one| message(one, dialect)));
    let system = format!("{}\n\n{}", request.instructions.trim_end(), fence::RULE_FOR_EACH);
    let chat = ChatRequest::new(messages).with_system(system).with_store(false);
    if request.tools.is_empty() { chat } else { chat.with_tools(request.tools.iter().map(|spec| tool(spec, dialect))) }
}

fn message(message: &Message, dialect: Dialect) -> Vec<ChatMessage> {
    match message {
        Message::User(text) => vec![ChatMessage::user(text.as_str())],
        Message::Assistant { text, calls } => {
            let mut parts = Vec::new();
            if !text.trim().is_empty() || calls.is_empty() {
                let text = if text.trim().is_empty() { NOTHING_SAID } else { text };
                parts.push(ContentPart::Text(text.to_owned()));
            }
            parts.extend(calls.iter().map(|call| {
                ContentPart::ToolCall(ToolCall {
                    call_id: call.id.clone(),
                    fn_name: call.name.clone(),
                    fn_arguments: call.arguments.clone(),
                    thought_signatures: None,
                })
            }));
            vec![ChatMessage::assistant(MessageContent::from_parts(parts))]
        }
        // Of several results in one message genai sends Ollama the last alone.
        Message::ToolResults(results) if dialect == Dialect::Ollama => {
            results.iter().map(|result| ChatMessage::from(response(result))).collect()
        }
        Message::ToolResults(results) => vec![ChatMessage::from(results.iter().map(response).collect::<Vec<_>>())],
    }
}

fn response(result: &ToolResult) -> ToolResponse {
    // The fence has no name of the tool: an unknown tool has whatever name the model gave it.
    let content = match (&result.content, result.is_error) {
        // genai has no field for a failure, so the text says it.
        (content, true) => fence::json("result", &json!({ "error": content })),
        (Value::String(text), false) => fence::text("result", text),
        (content, false) => fence::json("result", content),
    };
    ToolResponse::new(&result.call_id, content).with_fn_name(&result.name)
}

/// Whether a dialect has a strict mode that every one of its models takes.
fn is_strict(dialect: Dialect) -> bool {
    matches!(dialect, Dialect::OpenAi | Dialect::OpenAiResponses | Dialect::Azure)
}

fn tool(spec: &ToolSpec, dialect: Dialect) -> Tool {
    let tool = Tool::new(spec.name.as_str()).with_description(&spec.description);
    match is_strict(dialect).then(|| schema::strict(&spec.input_schema)).flatten() {
        Some(strict) => tool.with_schema(strict).with_strict(true),
        // Left out, the strictness of OpenAI Responses is not off.
        None if is_strict(dialect) => tool.with_schema(schema::loose(&spec.input_schema)).with_strict(false),
        None => tool.with_schema(schema::loose(&spec.input_schema)),
    }
}

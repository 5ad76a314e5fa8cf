//! What the loop tells of itself: spans after the conventions of OpenTelemetry for generative AI
//! (github.com/open-telemetry/semantic-conventions-genai, in development there), and events within them.
//!
//! Nothing here holds what was said, read or written: only names, counts, times and kinds of failure. A tool's name is
//! the model's text where the model made it up, so it is cut.

use std::time::Duration;

use tracing::field::Empty;
use tracing::{Span, info, info_span};

use crate::backend::{BackendError, TurnResponse};
use crate::budget::{Exceeded, Totals};
use crate::error::AgentError;
use crate::message::{ToolCall, Usage};
use crate::toolbox::ToolReply;
use crate::transcript::Entry;
use crate::validation::Validation;

/// No tool has a longer name.
const NAME_BYTES: usize = 64;

/// `invoke_agent`: one stretch of work on a conversation.
pub(super) fn agent(name: Option<&str>, backend: &str) -> Span {
    let Model { provider, model } = Model::of(backend);
    info_span!(
        "invoke_agent",
        gen_ai.operation.name = "invoke_agent",
        gen_ai.agent.name = name,
        gen_ai.provider.name = provider,
        gen_ai.request.model = model,
        gen_ai.usage.input_tokens = Empty,
        gen_ai.usage.cache_read.input_tokens = Empty,
        gen_ai.usage.output_tokens = Empty,
        turns = Empty,
        tool_calls = Empty,
        "error.type" = Empty,
    )
}

/// Ends [`agent`], with what the stretch took.
pub(super) fn agent_ended(span: &Span, before: Totals, after: Totals, error: Option<&AgentError>) {
    usage(span, after.usage.since(before.usage));
    span.record("turns", after.turns.saturating_sub(before.turns));
    span.record("tool_calls", after.tool_calls.saturating_sub(before.tool_calls));
    if let Some(error) = error {
        span.record("error.type", error_type(error));
    }
}

/// `chat`: one turn of the model, its retries included.
pub(super) fn turn(backend: &str) -> Span {
    let Model { provider, model } = Model::of(backend);
    info_span!(
        "chat",
        gen_ai.operation.name = "chat",
        gen_ai.provider.name = provider,
        gen_ai.request.model = model,
        gen_ai.usage.input_tokens = Empty,
        gen_ai.usage.cache_read.input_tokens = Empty,
        gen_ai.usage.output_tokens = Empty,
        "error.type" = Empty,
    )
}

/// Ends [`turn`]; `None` for one that was stopped at the end of the agent's time.
pub(super) fn answered(span: &Span, answer: Option<&Result<TurnResponse, BackendError>>) {
    match answer {
        Some(Ok(response)) => usage(span, response.usage),
        Some(Err(error)) => {
            usage(span, error.usage());
            span.record("error.type", kind(error));
        }
        None => {
            span.record("error.type", "timeout");
        }
    }
}

/// `execute_tool`: one call of a tool that the agent has.
pub(super) fn tool(call: &ToolCall) -> Span {
    info_span!(
        "execute_tool",
        gen_ai.operation.name = "execute_tool",
        gen_ai.tool.name = cut(&call.name),
        gen_ai.tool.call.id = cut(&call.id),
        gen_ai.tool.type = "function",
        "error.type" = Empty,
    )
}

/// Ends [`tool`].
pub(super) fn called(span: &Span, reply: &ToolReply) {
    if let Err(failure) = &reply.outcome {
        span.record("error.type", failure.kind.as_str());
    }
}

/// What stands in the transcript, without what was said. `call` is how long the call took whose result is the first.
pub(super) fn told(entries: &[Entry], call: Option<Duration>) {
    let mut call = call.map(|took| u64::try_from(took.as_micros()).unwrap_or(u64::MAX));
    for entry in entries {
        match entry {
            Entry::Turn { turn, calls, usage, took, .. } => {
                let Usage { input_tokens, cached_input_tokens, output_tokens } = *usage;
                let took_us = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
                info!(turn, calls, input_tokens, cached_input_tokens, output_tokens, took_us, "turn");
            }
            Entry::Result { result, .. } => {
                let outcome = match (result.is_error, result.content["kind"].as_str()) {
                    (false, _) => "done",
                    (true, kind) => kind.unwrap_or("failed"),
                };
                let (tool, call_id) = (cut(&result.name), cut(&result.call_id));
                info!(tool, call_id, outcome, took_us = call.take(), "tool call");
            }
            Entry::Validation { verdict, .. } => {
                let verdict = match verdict {
                    Validation::Accepted => "accepted",
                    Validation::Refused { .. } => "refused",
                };
                info!(verdict, "validation");
            }
            Entry::Reminder => info!("reminded to call a tool"),
            Entry::Compacted { results, bytes, window } => info!(results, bytes, window, "compacted"),
            Entry::BackendFailed { .. } => info!("the model did not answer"),
            Entry::End { outcome, totals, .. } => {
                info!(?outcome, turns = totals.turns, tool_calls = totals.tool_calls, "conversation ended");
            }
            Entry::Begin { .. } | Entry::Call(_) => {}
        }
    }
}

fn usage(span: &Span, usage: Usage) {
    span.record("gen_ai.usage.input_tokens", usage.input_tokens);
    span.record("gen_ai.usage.cache_read.input_tokens", usage.cached_input_tokens);
    span.record("gen_ai.usage.output_tokens", usage.output_tokens);
}

fn cut(name: &str) -> &str {
    &name[..name.floor_char_boundary(NAME_BYTES)]
}

/// The values of `error.type` for a turn.
fn kind(error: &BackendError) -> &'static str {
    match error {
        BackendError::Unavailable { .. } => "unavailable",
        BackendError::Truncated { .. } => "truncated",
        BackendError::Malformed { .. } => "malformed",
        BackendError::Refused { .. } => "refused",
        BackendError::Replay(_) => "replay",
        BackendError::Unrecorded { .. } => "unrecorded",
    }
}

/// The values of `error.type` for an agent.
fn error_type(error: &AgentError) -> &'static str {
    match error {
        AgentError::Definition(_) => "definition",
        AgentError::Resume(_) => "resume",
        AgentError::Exceeded(Exceeded::ToolCalls { .. }) => "exceeded_tool_calls",
        AgentError::Exceeded(Exceeded::Tokens { .. }) => "exceeded_tokens",
        AgentError::Exceeded(Exceeded::Money { .. }) => "exceeded_money",
        AgentError::Exceeded(Exceeded::WallClock { .. }) => "timeout",
        AgentError::NoToolCall => "no_tool_call",
        AgentError::Backend { source, .. } => kind(source),
        AgentError::Transcript(_) => "transcript",
        AgentError::Save(_) => "save",
        AgentError::Result(_) => "result",
        AgentError::Misplaced(_) => "fault",
    }
}

/// A backend's name in the terms of the conventions.
#[derive(Debug, PartialEq, Eq)]
struct Model<'a> {
    provider: &'a str,
    model: &'a str,
}

impl<'a> Model<'a> {
    /// `openai:gpt-5`, `openai-compatible:qwen@http://localhost/v1`, `mechanic`, `replay of openai:gpt-5`.
    fn of(backend: &'a str) -> Self {
        let name = backend.strip_prefix("replay of ").unwrap_or(backend);
        let Some((dialect, model)) = name.split_once(':') else {
            return Self { provider: "bailiwick", model: name };
        };
        // An address may hold what is not for everyone.
        let model = model.split_once('@').map_or(model, |(model, _)| model);
        let provider = match dialect {
            "openai" | "openai-responses" | "openai-compatible" => "openai",
            "azure" => "azure.ai.openai",
            "gemini" => "gcp.gemini",
            other => other,
        };
        Self { provider, model }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backends_have_the_names_of_the_conventions_and_no_address() {
        for (backend, provider, model) in [
            ("mechanic", "bailiwick", "mechanic"),
            ("openai:gpt-5", "openai", "gpt-5"),
            ("openai-responses:gpt-5", "openai", "gpt-5"),
            ("azure:my-deployment", "azure.ai.openai", "my-deployment"),
            ("anthropic:claude", "anthropic", "claude"),
            ("gemini:pro", "gcp.gemini", "pro"),
            ("ollama:qwen3:8b", "ollama", "qwen3:8b"),
            ("openai-compatible:qwen@http://user:word@host/v1", "openai", "qwen"),
            ("script:steps.toml", "script", "steps.toml"),
            ("replay of openai:gpt-5", "openai", "gpt-5"),
        ] {
            assert_eq!(Model::of(backend), Model { provider, model }, "{backend}");
        }
    }

    #[test]
    fn name_that_a_model_made_up_is_cut_between_characters() {
        assert_eq!(cut("ReadFile"), "ReadFile");
        assert_eq!(cut(&"ä".repeat(100)).len(), 64);
        assert_eq!(cut(&format!("x{}", "ä".repeat(100))).len(), 63);
    }
}

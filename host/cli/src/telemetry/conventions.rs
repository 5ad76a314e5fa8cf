//! From the spans of this program to those of OpenTelemetry's conventions for generative AI
//! (github.com/open-telemetry/semantic-conventions-genai, in development there): their names, kinds and status follow
//! from their attributes, so that the code that makes them only sets attributes.

use opentelemetry::trace::{SpanKind, Status};
use opentelemetry_sdk::trace::SpanData;

/// Providers that answer within this process.
const HERE: [&str; 2] = ["bailiwick", "script"];

/// Gives a span its name, its kind and its status.
pub(super) fn shape(span: &mut SpanData) {
    let attribute = |key: &str| {
        let found = span.attributes.iter().find(|attribute| attribute.key.as_str() == key);
        found.map(|attribute| attribute.value.as_str().into_owned())
    };
    let operation = attribute("gen_ai.operation.name");
    let about = match operation.as_deref() {
        Some("invoke_agent") => attribute("gen_ai.agent.name"),
        Some("invoke_workflow") => attribute("gen_ai.workflow.name"),
        Some("chat") => attribute("gen_ai.request.model"),
        Some("execute_tool") => attribute("gen_ai.tool.name"),
        _ => attribute("command"),
    };
    let elsewhere = operation.as_deref() == Some("chat")
        && attribute("gen_ai.provider.name").is_none_or(|provider| !HERE.contains(&provider.as_str()));
    let failed = attribute("error.type").is_some();
    if let Some(about) = about {
        span.name = format!("{} {about}", span.name).into();
    }
    if elsewhere {
        span.span_kind = SpanKind::Client;
    }
    if failed {
        // What kind of failure stands in the attribute; a description could repeat contents.
        span.status = Status::error("");
    }
}

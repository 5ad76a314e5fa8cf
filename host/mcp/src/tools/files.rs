//! The sandboxed tools over the operator's grants. Whatever they may touch is in the grants; nothing here looks at a path.

use super::schema;
use crate::call::Call;
use crate::failure::Failure;
use crate::tool::{Answer, Definition, Effect, Reach, Tool};
use crate::workshop::Toolbox;
use async_trait::async_trait;
use bailiwick_sandbox::{Access, CallError, Effects};
use rmcp::model::JsonObject;
use serde_json::Value;
use std::sync::Arc;

/// One of the sandbox's tools.
pub(super) struct FileTool {
    definition: Definition,
    tool: bailiwick_sandbox::Tool,
    toolbox: Toolbox,
}

/// The tools that the grants allow: those that write only where something can be written to.
pub(super) fn offered(toolbox: &Toolbox) -> Vec<FileTool> {
    let writable = toolbox.grants.iter().any(|grant| grant.access() == Access::ReadWrite);
    let directories = directories(toolbox);
    toolbox
        .tools
        .iter()
        .filter(|tool| writable || !tool.descriptor().effects.writes)
        .map(|tool| FileTool::new(tool, &directories, toolbox))
        .collect()
}

/// A model learns here by which names it can reach what.
fn directories(toolbox: &Toolbox) -> String {
    let named = toolbox.grants.iter().map(|grant| match grant.access() {
        Access::ReadOnly => format!("`{}` (read-only)", grant.name()),
        Access::ReadWrite => format!("`{}`", grant.name()),
    });
    named.collect::<Vec<_>>().join(", ")
}

impl FileTool {
    fn new(tool: &bailiwick_sandbox::Tool, directories: &str, toolbox: &Toolbox) -> Self {
        let descriptor = tool.descriptor();
        let input_schema = match schema::portable(descriptor.input_schema.clone()) {
            Value::Object(schema) => Arc::new(schema),
            _ => Arc::new(JsonObject::new()),
        };
        let definition = Definition {
            name: descriptor.name.clone(),
            title: title(&descriptor.name),
            description: format!("{} Paths begin with the name of a directory: {directories}.", descriptor.description),
            input_schema,
            // The text is sent once, and a result that is declared to be structured would need it twice.
            output_schema: None,
            effect: effect(descriptor.effects),
            reach: Reach::Local,
        };
        Self { definition, tool: tool.clone(), toolbox: toolbox.clone() }
    }
}

fn effect(effects: Effects) -> Effect {
    match (effects.writes, effects.destructive, effects.idempotent) {
        (false, _, _) => Effect::Reads,
        (true, false, _) => Effect::Adds,
        (true, true, false) => Effect::Changes,
        (true, true, true) => Effect::Settles,
    }
}

/// `ReadFile` is "Read file".
fn title(name: &str) -> String {
    let mut title = String::new();
    for (index, letter) in name.chars().enumerate() {
        if index > 0 && letter.is_uppercase() {
            title.push(' ');
            title.extend(letter.to_lowercase());
        } else {
            title.push(letter);
        }
    }
    title
}

#[async_trait]
impl Tool for FileTool {
    fn definition(&self) -> &Definition {
        &self.definition
    }

    async fn call(&self, given: JsonObject, call: &Call) -> Result<Answer, Failure> {
        let input = Value::Object(given).to_string();
        let Toolbox { sandbox, grants, limits, .. } = &self.toolbox;
        let report = tokio::select! {
            report = sandbox.call(&self.tool, grants, &input, limits) => report,
            // A caller that is gone stops the guest.
            () = call.cancelled.cancelled() => return Err(Failure::new("the call was cancelled")),
        };
        match report.outcome {
            Ok(output) => Ok(Answer::Text(output)),
            // The tool's own words know no path but the caller's.
            Err(CallError::Tool(error)) => Err(Failure::new(error.message)),
            Err(CallError::Host(failure)) => Err(Failure::new(failure.to_string())),
        }
    }
}

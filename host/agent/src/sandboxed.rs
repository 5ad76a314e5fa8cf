//! A toolbox whose every tool is a sandboxed component: over the agent's grants, or over grants of its own.

use async_trait::async_trait;
use bailiwick_sandbox::{CallError, Grants, Limits, Sandbox, Tool};
use serde_json::{Value, json};
use std::sync::Arc;

use crate::toolbox::{ToolEffect, ToolFailure, ToolReply, ToolSpec, Toolbox};

/// What an agent's tools may touch is in here: the grants of its calls, and nothing else.
pub struct SandboxedTools {
    sandbox: Arc<Sandbox>,
    tools: Vec<Equipped>,
    run: Option<String>,
}

/// A tool with what its calls get.
pub struct Equipped {
    /// The tool.
    pub tool: Tool,
    /// What it may touch.
    pub grants: Grants,
    /// What one call may spend.
    pub limits: Limits,
}

impl SandboxedTools {
    /// A toolbox of these tools over these grants, each call within `limits`.
    #[must_use]
    pub fn new(sandbox: Arc<Sandbox>, tools: Vec<Tool>, grants: &Grants, limits: &Limits) -> Self {
        let equip = |tool| Equipped { tool, grants: grants.clone(), limits: limits.clone() };
        Self::equipped(sandbox, tools.into_iter().map(equip).collect())
    }

    /// A toolbox of tools that each have grants and limits of their own.
    #[must_use]
    pub fn equipped(sandbox: Arc<Sandbox>, tools: Vec<Equipped>) -> Self {
        Self { sandbox, tools, run: None }
    }

    /// Puts the calls on record as part of this run.
    #[must_use]
    pub fn of_run(mut self, run: &str) -> Self {
        self.run = Some(run.to_owned());
        self
    }
}

#[async_trait]
impl Toolbox for SandboxedTools {
    fn specs(&self) -> Vec<ToolSpec> {
        self.tools
            .iter()
            .map(|equipped| equipped.tool.descriptor())
            .map(|descriptor| ToolSpec {
                name: descriptor.name.clone(),
                description: descriptor.description.clone(),
                input_schema: descriptor.input_schema.clone(),
                effect: if descriptor.effects.writes { ToolEffect::Writes } else { ToolEffect::Reads },
            })
            .collect()
    }

    async fn call(&self, name: &str, arguments: &Value) -> ToolReply {
        let Some(Equipped { tool, grants, limits }) =
            self.tools.iter().find(|equipped| equipped.tool.descriptor().name == name)
        else {
            let failure = ToolFailure::new(crate::toolbox::kind::UNKNOWN_TOOL, format!("there is no tool `{name}`"));
            return ToolReply { outcome: Err(failure), cost: Value::Null };
        };
        let (run, arguments) = (self.run.as_deref(), arguments.to_string());
        let report = self.sandbox.call_for_run(run, tool, grants, &arguments, limits).await;
        let outcome = match report.outcome {
            Ok(output) => serde_json::from_str(&output)
                .map_err(|error| ToolFailure::new("failed", format!("the tool's answer is not JSON: {error}"))),
            Err(CallError::Tool(error)) => {
                let kind = serde_json::to_value(error.kind).ok();
                let kind = kind.as_ref().and_then(Value::as_str).unwrap_or("failed").to_owned();
                Err(ToolFailure::new(kind, error.message))
            }
            Err(CallError::Host(failure)) => Err(ToolFailure::new("host", failure.to_string())),
        };
        let cost = serde_json::to_value(&report.cost).unwrap_or_else(|_| json!({}));
        ToolReply { outcome, cost }
    }
}

//! What the three agents have in common: budgets, toolboxes, and how a failed agent is reported.

use std::time::Duration;

use async_trait::async_trait;
use bailiwick_agent::sandboxed::SandboxedTools;
use bailiwick_agent::{Budget, Microagent, ToolFailure, ToolReply, ToolSpec, Toolbox};
use bailiwick_sandbox::{Grant, Grants};
use bailiwick_sdk::tasks::{Diagnostic, Severity};
use serde_json::Value;

use super::{CustomizeError, Customizer};

/// The agent with a limit on what it may cost, if there is one.
pub(super) fn with_cost_limit<T>(agent: Microagent<T>, money: Option<u64>) -> Microagent<T> {
    match money {
        Some(millionths) => agent.with_cost_limit(millionths),
        None => agent,
    }
}

/// A classifier hands in one answer and may correct it.
pub(super) fn classifier_budget() -> Budget {
    Budget { max_tool_calls: 5, tokens: Some(200_000), wall: Duration::from_secs(300) }
}

/// Reading, editing and correcting what the gate refused.
pub(super) fn editor_budget() -> Budget {
    Budget { max_tool_calls: 60, tokens: Some(1_000_000), wall: Duration::from_secs(1_200) }
}

/// The tools of this customizer that an editing agent gets, over one staged tree.
pub(super) fn toolbox(customizer: &Customizer, names: &[&str], grant: Grant) -> Result<SandboxedTools, CustomizeError> {
    let tools =
        customizer.tools.iter().filter(|tool| names.contains(&tool.descriptor().name.as_str())).cloned().collect();
    let grants = Grants::new(vec![grant])?;
    Ok(SandboxedTools::new(customizer.sandbox.clone(), tools, &grants, &customizer.call_limits))
}

/// An error that no tool reported but the workflow itself.
pub(super) fn diagnostic(tool: &str, code: Option<&str>, file: Option<String>, message: String) -> Diagnostic {
    Diagnostic {
        severity: Severity::Error,
        file,
        line: None,
        column: None,
        code: code.map(str::to_owned),
        message,
        symbol: None,
        tool: tool.to_owned(),
    }
}

/// The toolbox of an agent that only answers.
pub(super) struct NoTools;

#[async_trait]
impl Toolbox for NoTools {
    fn specs(&self) -> Vec<ToolSpec> {
        Vec::new()
    }

    async fn call(&self, name: &str, _: &Value) -> ToolReply {
        let failure = ToolFailure::new("unknown-tool", format!("there is no tool `{name}`"));
        ToolReply { outcome: Err(failure), cost: Value::Null }
    }
}

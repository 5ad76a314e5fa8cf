//! A loaded component, by the contract that it has.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::rich::Component;
use crate::tool::Tool;

/// A loaded component, by the contract that it has.
#[derive(Debug, Clone)]
pub enum Program {
    /// One tool, JSON in and JSON out.
    Plain(Tool),
    /// Tools that answer in parts or ask, resources, prompts.
    Rich(Component),
    /// Functions with WIT types and no contract of bailiwick's, each a tool.
    Typed(Arc<[Tool]>),
}

impl Program {
    /// The names of its tools.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        match self {
            Self::Plain(tool) => vec![tool.descriptor().name.clone()],
            Self::Typed(tools) => tools.iter().map(|tool| tool.descriptor().name.clone()).collect(),
            Self::Rich(component) => component.tools().iter().map(|tool| tool.descriptor().name.clone()).collect(),
        }
    }

    /// The descriptors of its tools, in one order: a JSON list.
    #[must_use]
    pub fn descriptors(&self) -> Value {
        match self {
            Self::Plain(tool) => json!([tool.descriptor()]),
            Self::Typed(tools) => tools.iter().map(|tool| json!(tool.descriptor())).collect(),
            Self::Rich(component) => component.tools().iter().map(|tool| json!(tool.descriptor())).collect(),
        }
    }

    /// The descriptor of one of its tools, with the component's digest and imports; `None` if it has no such tool.
    #[must_use]
    pub fn described(&self, tool: &str) -> Option<Value> {
        let (digest, imports) = match self {
            Self::Plain(plain) => (plain.digest(), plain.imports()),
            Self::Typed(tools) => tools.first().map(|tool| (tool.digest(), tool.imports()))?,
            Self::Rich(component) => (component.digest(), component.imports()),
        };
        let Value::Array(all) = self.descriptors() else { return None };
        let mut value = all.into_iter().find(|one| one["name"] == tool)?;
        value["digest"] = json!(digest);
        value["imports"] = json!(imports);
        Some(value)
    }
}

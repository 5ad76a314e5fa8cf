//! A rich component: what it may import was checked, what its tools are is known.

use crate::engine::Program;
use crate::record::Recorded;
use crate::schema::Schema;
use crate::tool::Effects;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

/// A rich component ready to be called. Cheap to clone.
#[derive(Clone)]
pub struct Component(pub(crate) Arc<Loaded>);

pub(crate) struct Loaded {
    pub(crate) program: Program,
    pub(crate) offers: Offers,
    pub(crate) tools: Vec<RichTool>,
    pub(crate) digest: String,
    pub(crate) imports: Vec<String>,
}

/// Which of the interfaces a component exports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Offers {
    /// `rich-tools`.
    pub tools: bool,
    /// `resources`.
    pub resources: bool,
    /// `prompts`.
    pub prompts: bool,
}

/// One tool of a component. Cheap to clone.
#[derive(Clone)]
pub struct RichTool(pub(crate) Arc<Described>);

pub(crate) struct Described {
    pub(crate) descriptor: ToolDescriptor,
    pub(crate) input: Schema,
    pub(crate) output: Option<Schema>,
    pub(crate) digest: String,
}

/// What a tool of a rich component says of itself.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolDescriptor {
    /// The name a model calls it by.
    pub name: String,
    /// Its name for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// One paragraph for a model.
    pub description: String,
    /// JSON Schema 2020-12 of the input.
    pub input_schema: Value,
    /// JSON Schema 2020-12 of the structured answer, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<Value>,
    /// What a call can do.
    pub effects: Effects,
}

impl Component {
    /// Its tools, in the order it gives them.
    #[must_use]
    pub fn tools(&self) -> &[RichTool] {
        &self.0.tools
    }

    /// The tool of this name.
    #[must_use]
    pub fn tool(&self, name: &str) -> Option<&RichTool> {
        self.tools().iter().find(|tool| tool.descriptor().name == name)
    }

    /// What it offers.
    #[must_use]
    pub fn offers(&self) -> Offers {
        self.0.offers
    }

    /// SHA-256 of the component, in hexadecimal.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.0.digest
    }

    /// The interfaces it imports, sorted.
    #[must_use]
    pub fn imports(&self) -> &[String] {
        &self.0.imports
    }
}

impl RichTool {
    /// What it says of itself.
    #[must_use]
    pub fn descriptor(&self) -> &ToolDescriptor {
        &self.0.descriptor
    }
}

impl Recorded for Described {
    fn name(&self) -> &str {
        &self.descriptor.name
    }

    fn digest(&self) -> &str {
        &self.digest
    }
}

impl Recorded for Loaded {
    /// What is not a call of one of its tools.
    fn name(&self) -> &str {
        "(component)"
    }

    fn digest(&self) -> &str {
        &self.digest
    }
}

impl std::fmt::Debug for Component {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Component").field("tools", &self.0.tools).field("digest", &self.0.digest).finish()
    }
}

impl std::fmt::Debug for RichTool {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0.descriptor.name)
    }
}

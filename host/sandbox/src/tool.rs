//! A tool: what it may import was checked, what it says of itself is known.

use crate::bindings::exports::bailiwick::tool::tool::{self as wit};
use crate::engine::Program;
use crate::error::{ErrorKind, LoadError, Part};
use crate::limits::LoadLimits;
use crate::record::Recorded;
use crate::sanitize::{sanitized_json, sanitized_lines};
use crate::schema::Schema;
use serde::Serialize;
use serde_json::Value;
use std::sync::Arc;

/// What calling a tool can do, as the tool says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "four independent flags of the contract, not one state")]
pub struct Effects {
    /// Reads what was granted.
    pub reads: bool,
    /// Changes what was granted.
    pub writes: bool,
    /// Can remove or overwrite what was there.
    pub destructive: bool,
    /// The same call again changes nothing more.
    pub idempotent: bool,
}

/// What a tool says of itself.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Descriptor {
    /// The name a model calls it by.
    pub name: String,
    /// One paragraph for a model.
    pub description: String,
    /// JSON Schema 2020-12 of the input.
    pub input_schema: Value,
    /// JSON Schema 2020-12 of the output.
    pub output_schema: Value,
    /// What a call can do.
    pub effects: Effects,
}

/// A component that can be called. Cheap to clone.
#[derive(Clone)]
pub struct Tool(pub(crate) Arc<Loaded>);

pub(crate) struct Loaded {
    pub(crate) program: Program,
    pub(crate) descriptor: Descriptor,
    pub(crate) input: Schema,
    pub(crate) output: Schema,
    pub(crate) digest: String,
    pub(crate) imports: Vec<String>,
}

impl Tool {
    /// What it says of itself.
    #[must_use]
    pub fn descriptor(&self) -> &Descriptor {
        &self.0.descriptor
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

impl Recorded for Loaded {
    fn name(&self) -> &str {
        &self.descriptor.name
    }

    fn digest(&self) -> &str {
        &self.digest
    }
}

impl std::fmt::Debug for Tool {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Tool").field("name", &self.0.descriptor.name).field("digest", &self.0.digest).finish()
    }
}

/// Reads a descriptor, refusing what a model or a client could not use.
pub(crate) fn descriptor(raw: wit::Descriptor, limits: &LoadLimits) -> Result<Descriptor, LoadError> {
    within(Part::Description, &raw.description, limits.description_bytes)?;
    within(Part::Schema, &raw.input_schema, limits.schema_bytes)?;
    within(Part::Schema, &raw.output_schema, limits.schema_bytes)?;
    tool_name(&raw.name)?;
    Ok(Descriptor {
        input_schema: object_schema("input", &raw.input_schema)?,
        output_schema: object_schema("output", &raw.output_schema)?,
        name: raw.name,
        description: sanitized_lines(raw.description),
        effects: Effects {
            reads: raw.effects.contains(wit::Effects::READS),
            writes: raw.effects.contains(wit::Effects::WRITES),
            destructive: raw.effects.contains(wit::Effects::DESTRUCTIVE),
            idempotent: raw.effects.contains(wit::Effects::IDEMPOTENT),
        },
    })
}

/// Refuses a name that some client could not call.
pub(crate) fn tool_name(name: &str) -> Result<(), LoadError> {
    let named = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if name.is_empty() || name.len() > 64 || !name.chars().all(named) {
        let start: String = name.chars().take(64).collect();
        return Err(LoadError::Undescribed(format!("`{}` is not a tool name", start.escape_debug())));
    }
    Ok(())
}

pub(crate) fn within(part: Part, text: &str, limit: usize) -> Result<(), LoadError> {
    if text.len() > limit {
        return Err(LoadError::TooLarge { part, found: text.len() as u64, limit: limit as u64 });
    }
    Ok(())
}

pub(crate) fn object_schema(which: &str, text: &str) -> Result<Value, LoadError> {
    let schema: Value = serde_json::from_str(text)
        .map_err(|error| LoadError::Undescribed(format!("its {which} schema is not JSON: {error}")))?;
    if schema.get("type").and_then(Value::as_str) != Some("object") {
        return Err(LoadError::Undescribed(format!("its {which} schema is not that of an object")));
    }
    Ok(sanitized_json(schema))
}

pub(crate) fn kind(kind: wit::ErrorKind) -> ErrorKind {
    match kind {
        wit::ErrorKind::InvalidInput => ErrorKind::InvalidInput,
        wit::ErrorKind::NotPermitted => ErrorKind::NotPermitted,
        wit::ErrorKind::NotFound => ErrorKind::NotFound,
        wit::ErrorKind::WrongKind => ErrorKind::WrongKind,
        wit::ErrorKind::TooLarge => ErrorKind::TooLarge,
        wit::ErrorKind::NotText => ErrorKind::NotText,
        wit::ErrorKind::Ambiguous => ErrorKind::Ambiguous,
        wit::ErrorKind::NoMatch => ErrorKind::NoMatch,
        wit::ErrorKind::Failed => ErrorKind::Failed,
    }
}

//! Reads what a component says of its tools, refusing what a model or a client could not use.

use super::clean::{line, lines};
use super::component::{Described, RichTool, ToolDescriptor};
use super::exports::rich_tools;
use crate::engine::MakeSchema;
use crate::error::{LoadError, Part};
use crate::limits::LoadLimits;
use crate::schema::SchemaError;
use crate::tool::{Effects, object_schema, tool_name, within};
use std::sync::Arc;

/// So many tools a component may have.
pub(crate) const MOST_TOOLS: usize = 64;

pub(crate) fn described(
    raw: Vec<rich_tools::Descriptor>,
    digest: &str,
    limits: &LoadLimits,
    schema: MakeSchema,
) -> Result<Vec<RichTool>, LoadError> {
    if raw.len() > MOST_TOOLS {
        return Err(LoadError::Undescribed(format!("it has {} tools, more than {MOST_TOOLS}", raw.len())));
    }
    let mut tools: Vec<RichTool> = Vec::with_capacity(raw.len());
    for one in raw {
        let tool = RichTool(Arc::new(read(one, digest, limits, schema)?));
        let name = &tool.descriptor().name;
        if tools.iter().any(|other| other.descriptor().name == *name) {
            return Err(LoadError::Undescribed(format!("two of its tools are called `{name}`")));
        }
        tools.push(tool);
    }
    Ok(tools)
}

fn read(
    raw: rich_tools::Descriptor,
    digest: &str,
    limits: &LoadLimits,
    schema: MakeSchema,
) -> Result<Described, LoadError> {
    within(Part::Description, &raw.description, limits.description_bytes)?;
    within(Part::Description, raw.title.as_deref().unwrap_or_default(), limits.description_bytes)?;
    within(Part::Schema, &raw.input_schema, limits.schema_bytes)?;
    within(Part::Schema, raw.output_schema.as_deref().unwrap_or_default(), limits.schema_bytes)?;
    tool_name(&raw.name)?;
    let invalid = |error: SchemaError| LoadError::Undescribed(error.to_string());
    let input_schema = object_schema("input", &raw.input_schema)?;
    let output_schema = raw.output_schema.as_deref().map(|schema| object_schema("output", schema)).transpose()?;
    Ok(Described {
        input: schema(&input_schema).map_err(invalid)?,
        output: output_schema.as_ref().map(schema).transpose().map_err(invalid)?,
        descriptor: ToolDescriptor {
            name: raw.name,
            title: lines(raw.title),
            description: line(&raw.description),
            input_schema,
            output_schema,
            effects: Effects {
                reads: raw.effects.contains(rich_tools::Effects::READS),
                writes: raw.effects.contains(rich_tools::Effects::WRITES),
                destructive: raw.effects.contains(rich_tools::Effects::DESTRUCTIVE),
                idempotent: raw.effects.contains(rich_tools::Effects::IDEMPOTENT),
            },
        },
        digest: digest.to_owned(),
    })
}

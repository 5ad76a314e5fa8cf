//! JSON Schema of `tool.toml`, from the types that read it.

use super::Manifest;
use schemars::generate::SchemaSettings;

/// The schema, in draft 2020-12, as `docs/tool.schema.json` has it.
#[must_use]
pub fn schema() -> schemars::Schema {
    SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<Manifest>()
}

//! JSON Schema of `tool.toml`, from the types that read it.

use super::Manifest;
use schemars::generate::SchemaSettings;

/// The schema, in draft 2020-12, as `docs/reference/tool.schema.json` has it.
#[must_use]
pub fn schema() -> schemars::Schema {
    SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<Manifest>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn schema_in_the_documentation_is_current() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/tool.schema.json");
        let text = serde_json::to_string_pretty(&schema()).unwrap() + "\n";
        if std::env::var_os("BAILIWICK_REWRITE_SNAPSHOTS").is_some() {
            std::fs::write(&file, &text).unwrap();
        }
        let written = std::fs::read_to_string(&file).unwrap_or_default();
        assert!(text == written, "write it anew with BAILIWICK_REWRITE_SNAPSHOTS=1");
    }
}

//! Schemas from types, in the form that clients can use: an object at the root, nothing referred to.

use rmcp::model::JsonObject;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;
use std::sync::Arc;

/// The schema of a type that is an object.
pub(super) fn of<T: JsonSchema>() -> Arc<JsonObject> {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let schema = settings.into_generator().into_root_schema_for::<T>();
    let mut object = match schema.to_value() {
        Value::Object(object) => object,
        _ => JsonObject::new(),
    };
    // The name and the description of a type of ours say nothing to a model.
    object.remove("title");
    object.remove("description");
    Arc::new(object)
}

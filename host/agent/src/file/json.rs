//! JSON Schemas that stand in a TOML file.

use serde_json::{Map, Value};

use super::FileError;
use super::reader::Reader;
use crate::schema::Schema;

/// Where a schema is.
#[derive(Debug, Clone, PartialEq)]
pub enum SchemaSource {
    /// In the agent file.
    Inline(Value),
    /// In this file, beneath the directory of the agent file.
    File(String),
}

/// Reads a table that is a schema, or that names the file of one.
pub(super) fn schema(reader: &mut Reader, key: &str) -> Result<Option<SchemaSource>, FileError> {
    let Some(value) = reader.value(key) else { return Ok(None) };
    let Value::Object(schema) = from_toml(key, value)? else {
        return Err(FileError::wrong(key, "a JSON Schema as a table, or `file = \"…\"`"));
    };
    if let Some(file) = schema.get("file") {
        return match file.as_str() {
            Some(file) if schema.len() == 1 && super::grant::stays_beneath(file) => {
                Ok(Some(SchemaSource::File(file.to_owned())))
            }
            _ => Err(FileError::wrong(
                &format!("{key}.file"),
                "the only key, and a path beneath the agent file's directory",
            )),
        };
    }
    let schema = Value::Object(schema);
    usable_schema(key, &schema)?;
    Ok(Some(SchemaSource::Inline(schema)))
}

/// Checks a schema of an agent file: it is one, and refers to nothing but its own `$defs`.
///
/// # Errors
/// With what is wrong.
pub fn usable_schema(key: &str, schema: &Value) -> Result<(), FileError> {
    let unusable = |reason: String| FileError::Schema { key: key.into(), reason };
    if !schema.is_object() {
        return Err(unusable("it is no object".into()));
    }
    if let Some(reference) = foreign_reference(schema) {
        return Err(unusable(format!("`{}` does not refer to its own `#/$defs/`", reference.escape_debug())));
    }
    let _ = Schema::compile(schema).map_err(unusable)?;
    Ok(())
}

/// A reference that would mean something else, or nothing, once the schema stands inside another.
fn foreign_reference(value: &Value) -> Option<String> {
    match value {
        Value::Object(fields) => fields.iter().find_map(|(name, field)| match (name.as_str(), field) {
            ("$ref" | "$dynamicRef", Value::String(to)) if !to.starts_with("#/$defs/") => Some(to.clone()),
            ("$id", Value::String(id)) => Some(id.clone()),
            _ => foreign_reference(field),
        }),
        Value::Array(elements) => elements.iter().find_map(foreign_reference),
        _ => None,
    }
}

/// TOML as JSON.
pub(crate) fn from_toml(key: &str, value: toml::Value) -> Result<Value, FileError> {
    Ok(match value {
        toml::Value::String(text) => Value::String(text),
        toml::Value::Integer(number) => number.into(),
        toml::Value::Boolean(flag) => Value::Bool(flag),
        toml::Value::Float(number) => serde_json::Number::from_f64(number)
            .map(Value::Number)
            .ok_or_else(|| FileError::wrong(key, "a number that JSON has"))?,
        toml::Value::Datetime(_) => return Err(FileError::wrong(key, "what JSON has: write a date in quotes")),
        toml::Value::Array(elements) => {
            let elements = elements.into_iter().enumerate();
            elements.map(|(index, element)| from_toml(&format!("{key}[{index}]"), element)).collect::<Result<_, _>>()?
        }
        toml::Value::Table(table) => {
            let mut fields = Map::new();
            for (name, field) in table {
                let field = from_toml(&format!("{key}.{name}"), field)?;
                fields.insert(name, field);
            }
            Value::Object(fields)
        }
    })
}

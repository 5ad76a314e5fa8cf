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

/// Checks a schema of an agent file: it is one, refers to nothing but its own `$defs`, and is checked in bounded time,
/// which is the sandbox's rule.
///
/// # Errors
/// With what is wrong.
pub fn usable_schema(key: &str, schema: &Value) -> Result<(), FileError> {
    let unusable = |reason: String| FileError::Schema { key: key.into(), reason };
    if !schema.is_object() {
        return Err(unusable("it is not an object".into()));
    }
    refers_to_its_own(schema, schema).map_err(unusable)?;
    Schema::compile(schema).map(drop).map_err(unusable)
}

/// Whether every reference is to one of a schema's own definitions. What refers to anything else would mean something
/// else, or nothing, once the schema stands inside another.
fn refers_to_its_own(root: &Value, part: &Value) -> Result<(), String> {
    match part {
        Value::Object(fields) => {
            for (name, field) in fields {
                match (name.as_str(), field) {
                    ("$ref" | "$dynamicRef", Value::String(to)) => {
                        let own = to.strip_prefix('#').filter(|pointer| pointer.starts_with("/$defs/"));
                        if own.and_then(|pointer| root.pointer(pointer)).is_none() {
                            return Err(format!("`{}` does not refer to one of its own `#/$defs/`", to.escape_debug()));
                        }
                    }
                    ("$id", Value::String(_)) => return Err("it has an `$id`".into()),
                    _ => refers_to_its_own(root, field)?,
                }
            }
            Ok(())
        }
        Value::Array(elements) => elements.iter().try_for_each(|element| refers_to_its_own(root, element)),
        _ => Ok(()),
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn schemas_that_cannot_be_checked_in_bounded_time_are_refused() {
        let mut definitions = Map::new();
        for index in 0..40 {
            let next = json!({ "$ref": format!("#/$defs/d{}", index + 1) });
            definitions.insert(format!("d{index}"), json!({ "allOf": [next, next] }));
        }
        definitions.insert("d40".into(), json!({ "type": "string" }));
        for (schema, said) in [
            (json!({ "$ref": "#/$defs/d0", "$defs": definitions }), "multiply"),
            (json!({ "$ref": "#/$defs/a", "$defs": { "a": { "$ref": "#/$defs/a" } } }), "refers to itself"),
            (json!({ "$ref": "#" }), "does not refer"),
            (json!({ "$ref": "#/$defs/none" }), "does not refer"),
            (json!({ "properties": { "a": { "$ref": "file:///etc/passwd" } } }), "does not refer"),
            (json!({ "properties": { "$defs": { "$ref": "#" } } }), "does not refer"),
            (json!({ "$id": "https://example.com/x" }), "`$id`"),
            (json!({ "type": "string", "pattern": "(a+)+\\1" }), "a schema is invalid"),
            (json!({ "type": "sting" }), "`result` is not a usable JSON Schema"),
            (json!([]), "not an object"),
        ] {
            let error = usable_schema("result", &schema).unwrap_err().to_string();
            assert!(error.contains(said), "{said}: {error}");
        }
    }

    #[test]
    fn schema_with_definitions_and_a_property_called_like_a_keyword_is_usable() {
        let schema = json!({
            "type": "object",
            "properties": { "$ref": { "type": "string" }, "words": { "type": "array", "items": { "$ref": "#/$defs/word" } } },
            "$defs": { "word": { "type": "string", "pattern": "^[a-z]+$" } }
        });
        assert_eq!(usable_schema("result", &schema), Ok(()));
    }
}

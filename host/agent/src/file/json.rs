//! JSON Schemas that stand in a TOML file.

use std::collections::HashMap;

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

/// Checks a schema of an agent file: it is one, refers to nothing but its own `$defs`, and is checked in bounded time. A
/// few definitions that each name the next one twice would otherwise take years, and so would some patterns.
///
/// # Errors
/// With what is wrong.
pub fn usable_schema(key: &str, schema: &Value) -> Result<(), FileError> {
    let unusable = |reason: String| FileError::Schema { key: key.into(), reason };
    if !schema.is_object() {
        return Err(unusable("it is no object".into()));
    }
    let weight = Weigher { root: schema, known: HashMap::new() }.weigh(schema).map_err(unusable)?;
    if weight > HEAVIEST {
        return Err(unusable("its references multiply".into()));
    }
    let _ = Schema::compile(schema).map_err(unusable)?;
    let linear = jsonschema::PatternOptions::regex();
    let patterns = jsonschema::draft202012::options().with_pattern_options(linear).build(schema);
    patterns.map(drop).map_err(|_| unusable("a pattern in it looks around or back".into()))
}

/// Parts of a schema with its references followed. Those of real results have a few hundred.
const HEAVIEST: u64 = 20_000;

/// Counts the parts of a schema, and follows its references.
struct Weigher<'a> {
    root: &'a Value,
    /// By reference; `None` while it is being weighed.
    known: HashMap<&'a str, Option<u64>>,
}

impl<'a> Weigher<'a> {
    fn weigh(&mut self, value: &'a Value) -> Result<u64, String> {
        let mut weight: u64 = 1;
        match value {
            Value::Object(fields) => {
                for (name, field) in fields {
                    weight = weight.saturating_add(match (name.as_str(), field) {
                        ("$ref" | "$dynamicRef", Value::String(to)) => self.follow(to)?,
                        ("$id", Value::String(_)) => return Err("it has an `$id`".into()),
                        // Counted where they are referred to.
                        ("$defs", _) if std::ptr::eq(value, self.root) => 0,
                        _ => self.weigh(field)?,
                    });
                }
            }
            Value::Array(elements) => {
                for element in elements {
                    weight = weight.saturating_add(self.weigh(element)?);
                }
            }
            _ => {}
        }
        Ok(weight)
    }

    fn follow(&mut self, to: &'a str) -> Result<u64, String> {
        let shown = to.escape_debug();
        match self.known.get(to) {
            Some(Some(weight)) => return Ok(*weight),
            Some(None) => return Err(format!("`{shown}` refers to itself")),
            None => {}
        }
        // What refers to anything else would mean something else, or nothing, once the schema stands inside another.
        let found = to.strip_prefix('#').filter(|pointer| pointer.starts_with("/$defs/"));
        let found = found.and_then(|pointer| self.root.pointer(pointer));
        let found = found.ok_or_else(|| format!("`{shown}` does not refer to one of its own `#/$defs/`"))?;
        self.known.insert(to, None);
        let weight = self.weigh(found)?;
        self.known.insert(to, Some(weight));
        Ok(weight)
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
            (json!({ "type": "string", "pattern": "(a+)+\\1" }), "pattern"),
            (json!({ "type": "sting" }), "`result` is no usable JSON Schema"),
            (json!([]), "no object"),
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

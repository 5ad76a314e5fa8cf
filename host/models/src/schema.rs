//! JSON Schemas as the dialects want them.
//!
//! OpenAI's strict mode promises arguments that fit, and wants every object closed and every property required. An
//! optional property becomes one that may be null, and [`restore`] takes such nulls out of the arguments again. A schema
//! that cannot be said that way is sent as it is, without the promise.

use serde_json::{Map, Value, json};

/// What is not looked into any deeper.
const MAX_DEPTH: usize = 64;

/// What strict mode does not know, or knows in another sense.
const NOT_STRICT: [&str; 17] = [
    "allOf",
    "not",
    "if",
    "then",
    "else",
    "patternProperties",
    "propertyNames",
    "unevaluatedProperties",
    "unevaluatedItems",
    "dependentRequired",
    "dependentSchemas",
    "prefixItems",
    "contains",
    "minProperties",
    "maxProperties",
    "uniqueItems",
    "$dynamicRef",
];

/// The only values of `format` that strict mode knows; schemas made of Rust types have others (`uint32`).
const FORMATS: [&str; 9] = ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];

/// The schema for a dialect without strict mode.
pub(crate) fn loose(schema: &Value) -> Value {
    let mut schema = schema.clone();
    if let Value::Object(fields) = &mut schema {
        fields.remove("$schema");
    }
    schema
}

/// The schema for strict mode, if it can be said in it.
pub(crate) fn strict(schema: &Value) -> Option<Value> {
    let schema = loose(schema);
    let is_object = schema.get("type").and_then(Value::as_str) == Some("object");
    if is_object { close(&schema, 0) } else { None }
}

fn close(schema: &Value, depth: usize) -> Option<Value> {
    let fields = schema.as_object()?;
    if depth > MAX_DEPTH || NOT_STRICT.iter().any(|keyword| fields.contains_key(*keyword)) {
        return None;
    }
    let says_something =
        ["type", "$ref", "anyOf", "oneOf", "enum", "const"].iter().any(|keyword| fields.contains_key(*keyword));
    if !says_something {
        return None;
    }
    let each =
        |value: &Value| -> Option<Vec<Value>> { value.as_array()?.iter().map(|one| close(one, depth + 1)).collect() };
    let named = |value: &Value| -> Option<Map<String, Value>> {
        value.as_object()?.iter().map(|(name, one)| Some((name.clone(), close(one, depth + 1)?))).collect()
    };
    let mut out = Map::new();
    for (keyword, value) in fields {
        let value = match keyword.as_str() {
            "default" | "examples" => continue,
            "format" if !value.as_str().is_some_and(|format| FORMATS.contains(&format)) => continue,
            "properties" | "required" | "additionalProperties" => continue,
            "$defs" | "definitions" => Value::Object(named(value)?),
            "items" => close(value, depth + 1)?,
            "anyOf" | "oneOf" => {
                out.insert("anyOf".into(), Value::Array(each(value)?));
                continue;
            }
            _ => value.clone(),
        };
        out.insert(keyword.clone(), value);
    }
    if accepts_type(fields, "array") && !fields.contains_key("items") {
        return None;
    }
    if accepts_type(fields, "object") {
        // A map with free names cannot be closed.
        let open = matches!(fields.get("additionalProperties"), Some(value) if *value != json!(false));
        let properties = fields.get("properties").and_then(Value::as_object);
        let closed = fields.get("additionalProperties") == Some(&json!(false));
        if open || (properties.is_none() && !closed) {
            return None;
        }
        let required = required(fields);
        let mut closed = Map::new();
        for (name, property) in properties.into_iter().flatten() {
            let property = close(property, depth + 1)?;
            let property = if required.contains(&name.as_str()) { property } else { or_null(property) };
            closed.insert(name.clone(), property);
        }
        out.insert("required".into(), closed.keys().map(String::as_str).collect());
        out.insert("properties".into(), Value::Object(closed));
        out.insert("additionalProperties".into(), json!(false));
    }
    Some(Value::Object(out))
}

fn required(fields: &Map<String, Value>) -> Vec<&str> {
    fields.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

fn accepts_type(fields: &Map<String, Value>, name: &str) -> bool {
    match fields.get("type") {
        Some(Value::String(one)) => one == name,
        Some(Value::Array(several)) => several.iter().any(|one| one == name),
        _ => false,
    }
}

fn or_null(mut schema: Value) -> Value {
    let Some(fields) = schema.as_object_mut() else { return schema };
    if accepts_type(fields, "null") {
        return schema;
    }
    let simple = fields.keys().all(|keyword| !matches!(keyword.as_str(), "enum" | "const" | "$ref" | "anyOf"));
    match fields.get_mut("type") {
        Some(Value::String(one)) if simple => {
            let types = json!([one, "null"]);
            fields.insert("type".into(), types);
            schema
        }
        Some(Value::Array(several)) if simple => {
            several.push(json!("null"));
            schema
        }
        _ => json!({ "anyOf": [schema, { "type": "null" }] }),
    }
}

/// Takes out the nulls that stand where strict mode made an optional property required; other dialects' models write
/// them, too. `schema` is the tool's own.
pub(crate) fn restore(arguments: &mut Value, schema: &Value) {
    walk(arguments, schema, schema, 0);
}

fn walk(value: &mut Value, schema: &Value, root: &Value, depth: usize) {
    let Some(schema) = resolve(schema, root) else { return };
    if depth > MAX_DEPTH {
        return;
    }
    match value {
        Value::Object(object) => {
            if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
                let required = schema.as_object().map(required).unwrap_or_default();
                object.retain(|name, value| {
                    let optional = !required.contains(&name.as_str());
                    let own = properties.get(name);
                    !(value.is_null() && optional && own.is_some_and(|own| !accepts_null(own, root, 0)))
                });
                for (name, value) in object.iter_mut() {
                    if let Some(property) = properties.get(name) {
                        walk(value, property, root, depth + 1);
                    }
                }
            }
        }
        Value::Array(elements) => {
            if let Some(items) = schema.get("items") {
                elements.iter_mut().for_each(|element| walk(element, items, root, depth + 1));
            }
        }
        _ => return,
    }
    // Of several forms, the one that knows every name that is there.
    let forms = ["anyOf", "oneOf"].iter().filter_map(|keyword| schema.get(*keyword)?.as_array()).flatten();
    for form in forms {
        if knows(form, value, root) {
            walk(value, form, root, depth + 1);
            return;
        }
    }
}

/// Whether a form is one that a value could be of, going by names and constants.
fn knows(form: &Value, value: &Value, root: &Value) -> bool {
    let Some(form) = resolve(form, root) else { return false };
    let Some(object) = value.as_object() else { return form.get("items").is_some() == value.is_array() };
    let Some(properties) = form.get("properties").and_then(Value::as_object) else { return false };
    object.iter().all(|(name, value)| match properties.get(name) {
        Some(property) => property.get("const").is_none_or(|constant| constant == value),
        None => false,
    })
}

fn accepts_null(schema: &Value, root: &Value, depth: usize) -> bool {
    let Some(schema) = resolve(schema, root) else { return true };
    let Some(fields) = schema.as_object() else { return true };
    if depth > MAX_DEPTH || accepts_type(fields, "null") {
        return true;
    }
    let forms: Vec<&Value> =
        ["anyOf", "oneOf"].iter().filter_map(|keyword| fields.get(*keyword)?.as_array()).flatten().collect();
    if !forms.is_empty() {
        return forms.iter().any(|form| accepts_null(form, root, depth + 1));
    }
    match (fields.get("type"), fields.get("enum"), fields.get("const")) {
        (Some(_), _, _) => false,
        (None, Some(values), _) => values.as_array().is_some_and(|values| values.contains(&Value::Null)),
        (None, None, Some(constant)) => constant.is_null(),
        (None, None, None) => true,
    }
}

/// Follows references within the document.
fn resolve<'a>(mut schema: &'a Value, root: &'a Value) -> Option<&'a Value> {
    for _ in 0..MAX_DEPTH {
        match schema.get("$ref").and_then(Value::as_str) {
            Some(reference) => schema = root.pointer(reference.strip_prefix('#')?)?,
            None => return Some(schema),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_object_is_closed_and_every_property_required() {
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "properties": {
                "path": {"type": "string", "description": "a path"},
                "line": {"type": "integer", "format": "uint32", "minimum": 1, "default": 1},
                "kind": {"type": "string", "enum": ["a", "b"]},
                "edits": {"type": "array", "items": {"$ref": "#/$defs/Edit"}},
                "one": {"$ref": "#/$defs/Edit"}
            },
            "required": ["path", "edits"],
            "$defs": {"Edit": {"type": "object", "properties": {"old": {"type": "string"}, "new": {"type": ["string", "null"]}}, "required": ["old"]}}
        });
        let expected = json!({
            "type": "object",
            "$defs": {"Edit": {
                "type": "object",
                "required": ["old", "new"],
                "properties": {"old": {"type": "string"}, "new": {"type": ["string", "null"]}},
                "additionalProperties": false
            }},
            "required": ["path", "line", "kind", "edits", "one"],
            "properties": {
                "path": {"type": "string", "description": "a path"},
                "line": {"type": ["integer", "null"], "minimum": 1},
                "kind": {"anyOf": [{"type": "string", "enum": ["a", "b"]}, {"type": "null"}]},
                "edits": {"type": "array", "items": {"$ref": "#/$defs/Edit"}},
                "one": {"anyOf": [{"$ref": "#/$defs/Edit"}, {"type": "null"}]}
            },
            "additionalProperties": false
        });
        assert_eq!(strict(&schema).unwrap(), expected);
    }

    #[test]
    fn schema_that_strict_mode_cannot_say_is_left_alone() {
        let bodies = [
            json!({"type": "string"}),
            json!({"type": "object"}),
            json!({"type": "object", "properties": {}, "additionalProperties": true}),
            json!({"type": "object", "properties": {"map": {"type": "object", "additionalProperties": {"type": "string"}}}}),
            json!({"type": "object", "properties": {"any": {}}}),
            json!({"type": "object", "properties": {"any": true}}),
            json!({"type": "object", "properties": {"list": {"type": "array"}}}),
            json!({"type": "object", "properties": {"both": {"allOf": [{"type": "string"}]}}}),
        ];
        for schema in bodies {
            assert_eq!(strict(&schema), None, "{schema}");
        }
    }

    #[test]
    fn null_for_an_optional_property_is_taken_out_again_and_a_meant_one_stays() {
        let schema = json!({
            "type": "object",
            "properties": {
                "path": {"type": "string"},
                "line": {"type": "integer"},
                "meant": {"type": ["string", "null"]},
                "wanted": {"type": "string"},
                "edits": {"type": "array", "items": {"$ref": "#/$defs/Edit"}},
                "shape": {"oneOf": [
                    {"type": "object", "properties": {"kind": {"const": "a"}, "x": {"type": "integer"}}, "required": ["kind"]},
                    {"type": "object", "properties": {"kind": {"const": "b"}, "x": {"type": ["integer", "null"]}}, "required": ["kind"]}
                ]}
            },
            "required": ["path", "wanted"],
            "$defs": {"Edit": {"type": "object", "properties": {"old": {"type": "string"}, "new": {"type": "string"}}}}
        });
        let mut arguments = json!({
            "path": "p", "line": null, "meant": null, "wanted": null, "unknown": null,
            "edits": [{"old": "o", "new": null}], "shape": {"kind": "a", "x": null}
        });
        restore(&mut arguments, &schema);
        let expected = json!({
            "path": "p", "meant": null, "wanted": null, "unknown": null,
            "edits": [{"old": "o"}], "shape": {"kind": "a"}
        });
        assert_eq!(arguments, expected);
        let mut other = json!({"path": "p", "wanted": "w", "shape": {"kind": "b", "x": null}});
        let before = other.clone();
        restore(&mut other, &schema);
        assert_eq!(other, before);
    }

    #[test]
    fn schema_that_refers_to_itself_ends() {
        let schema = json!({"type": "object", "properties": {"a": {"$ref": "#/properties/a"}}, "required": []});
        assert!(strict(&schema).is_some());
        restore(&mut json!({"a": null}), &schema);
    }
}

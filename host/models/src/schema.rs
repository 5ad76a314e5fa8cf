//! JSON Schemas as the dialects want them.
//!
//! OpenAI's strict mode promises arguments that fit, and wants every object closed and every property required. An
//! optional property becomes one that may be null, and [`restore`] takes such nulls out of the arguments again. A schema
//! that cannot be said that way is sent as it is, without the promise.

use serde_json::{Map, Value, json};

/// What is not looked into any deeper.
const MAX_DEPTH: usize = 64;

/// How many objects and lists may stand within each other in strict mode.
const MAX_NESTING: usize = 10;

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

/// What says nothing about values.
const NOTES: [&str; 5] = ["title", "description", "default", "examples", "$comment"];

/// What says something about values beside `anyOf` and `oneOf`.
const CONSTRAINTS: [&str; 8] =
    ["type", "properties", "required", "additionalProperties", "items", "enum", "const", "$ref"];

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
    if depth > MAX_NESTING || NOT_STRICT.iter().any(|keyword| fields.contains_key(*keyword)) {
        return None;
    }
    if fields.contains_key("$ref") {
        return reference(fields);
    }
    let forms = ["anyOf", "oneOf"].iter().filter(|keyword| fields.contains_key(**keyword)).count();
    // What stands beside the forms would be closed to the names that the forms have, and they to its own.
    if forms > 1 || (forms == 1 && CONSTRAINTS.iter().any(|keyword| fields.contains_key(*keyword))) {
        return None;
    }
    if forms == 0 && !["type", "enum", "const"].iter().any(|keyword| fields.contains_key(*keyword)) {
        return None;
    }
    let each =
        |value: &Value| -> Option<Vec<Value>> { value.as_array()?.iter().map(|one| close(one, depth)).collect() };
    let named = |value: &Value| -> Option<Map<String, Value>> {
        value.as_object()?.iter().map(|(name, one)| Some((name.clone(), close(one, 0)?))).collect()
    };
    let mut out = Map::new();
    if forms == 0 && !fields.contains_key("type") {
        out.insert("type".into(), type_of_values(fields)?);
    }
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

/// Strict mode takes nothing beside a reference.
fn reference(fields: &Map<String, Value>) -> Option<Value> {
    let only_notes = fields.keys().all(|keyword| keyword == "$ref" || NOTES.contains(&keyword.as_str()));
    only_notes.then(|| json!({ "$ref": fields["$ref"] }))
}

/// Strict mode wants a type, which values that are listed have.
fn type_of_values(fields: &Map<String, Value>) -> Option<Value> {
    let mut types: Vec<&str> = Vec::new();
    let listed = fields.get("enum").and_then(Value::as_array).into_iter().flatten();
    for value in listed.chain(fields.get("const")) {
        let name = match value {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::String(_) => "string",
            Value::Number(number) if number.is_f64() => "number",
            Value::Number(_) => "integer",
            Value::Array(_) | Value::Object(_) => return None,
        };
        if !types.contains(&name) {
            types.push(name);
        }
    }
    match types.as_slice() {
        [] => None,
        [one] => Some(json!(one)),
        several => Some(json!(several)),
    }
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
    if let Some(form) = forms(schema).find(|form| knows(form, value, root, 0)) {
        walk(value, form, root, depth + 1);
    }
}

fn forms(schema: &Value) -> impl Iterator<Item = &Value> {
    ["anyOf", "oneOf"].into_iter().filter_map(|keyword| schema.get(keyword)?.as_array()).flatten()
}

/// Whether a form is one that a value could be of, going by types, names and listed values. Nulls may stand for what
/// was left out.
fn knows(form: &Value, value: &Value, root: &Value, depth: usize) -> bool {
    let Some(form) = resolve(form, root).filter(|_| depth <= MAX_DEPTH) else { return false };
    if forms(form).next().is_some() {
        return forms(form).any(|form| knows(form, value, root, depth + 1));
    }
    let Some(object) = value.as_object() else { return form.get("items").is_some() == value.is_array() };
    let Some(properties) = form.get("properties").and_then(Value::as_object) else { return false };
    let required = form.as_object().map(required).unwrap_or_default();
    required.iter().all(|name| object.contains_key(*name))
        && object.iter().all(|(name, value)| match properties.get(name) {
            Some(_) if value.is_null() && !required.contains(&name.as_str()) => true,
            Some(property) => could_be(property, value, root),
            None => false,
        })
}

/// Whether a value is of the type, and among the values, that a property says. Forms and what is deeper are not looked
/// at.
fn could_be(property: &Value, value: &Value, root: &Value) -> bool {
    let Some(fields) = resolve(property, root).and_then(Value::as_object) else { return true };
    let named = match value {
        Value::Null => ["null", ""],
        Value::Bool(_) => ["boolean", ""],
        Value::Number(number) if number.is_f64() => ["number", ""],
        Value::Number(_) => ["integer", "number"],
        Value::String(_) => ["string", ""],
        Value::Array(_) => ["array", ""],
        Value::Object(_) => ["object", ""],
    };
    let is_type = !fields.contains_key("type") || named.iter().any(|name| accepts_type(fields, name));
    let is_const = fields.get("const").is_none_or(|constant| constant == value);
    let is_listed = fields.get("enum").and_then(Value::as_array).is_none_or(|values| values.contains(value));
    is_type && is_const && is_listed
}

fn accepts_null(schema: &Value, root: &Value, depth: usize) -> bool {
    let Some(schema) = resolve(schema, root) else { return true };
    let Some(fields) = schema.as_object() else { return true };
    if depth > MAX_DEPTH || accepts_type(fields, "null") {
        return true;
    }
    if forms(schema).next().is_some() {
        return forms(schema).any(|form| accepts_null(form, root, depth + 1));
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
#[path = "schema/random.rs"]
mod random;
#[cfg(test)]
#[path = "schema/tests.rs"]
mod tests;

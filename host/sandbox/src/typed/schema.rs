//! The JSON Schema of a shape, as a model reads it: no references, no lists of types, names as WIT has them.

use super::EXACT;
use super::shape::{Shape, Width};
use serde_json::{Map, Value, json};

/// The schema of a value.
pub(crate) fn of(shape: &Shape) -> Value {
    match shape {
        Shape::Bool => json!({ "type": "boolean" }),
        Shape::Integer(width) => integer(*width),
        Shape::Float32 | Shape::Float64 => {
            json!({ "anyOf": [{ "type": "number" }, { "type": "string", "enum": ["NaN", "Infinity", "-Infinity"] }] })
        }
        Shape::Char => json!({ "type": "string", "minLength": 1, "maxLength": 1 }),
        Shape::Text => json!({ "type": "string" }),
        Shape::Bytes => json!({ "type": "string", "contentEncoding": "base64", "description": "Bytes in base64." }),
        Shape::List(item) => json!({ "type": "array", "items": of(item) }),
        Shape::Array(item, length) => {
            json!({ "type": "array", "items": of(item), "minItems": length, "maxItems": length })
        }
        Shape::Map(key, value) if **key == Shape::Text => {
            json!({ "type": "object", "additionalProperties": of(value) })
        }
        Shape::Map(key, value) => json!({ "type": "array", "items": tuple(&[of(key), of(value)]) }),
        Shape::Record(fields) => object(fields),
        Shape::Tuple(items) => tuple(&items.iter().map(of).collect::<Vec<_>>()),
        Shape::Variant(cases) => {
            let cases = cases.iter().map(|(name, payload)| {
                let mut properties = json!({ "kind": { "type": "string", "const": name } });
                let mut required = vec!["kind"];
                if let Some(payload) = payload {
                    properties["value"] = of(payload);
                    required.push("value");
                }
                closed(&properties, &required)
            });
            json!({ "oneOf": cases.collect::<Vec<_>>() })
        }
        Shape::Enum(names) => json!({ "type": "string", "enum": names }),
        Shape::Flags(names) => {
            json!({ "type": "array", "items": { "type": "string", "enum": names }, "uniqueItems": true })
        }
        Shape::Option(inner) => {
            let some = match **inner {
                // Null would be either nothing: what is there is told apart by being wrapped.
                Shape::Option(_) => closed(&json!({ "value": of(inner) }), &["value"]),
                _ => of(inner),
            };
            json!({ "anyOf": [some, { "type": "null" }] })
        }
        Shape::Result(ok, error) => {
            let one = |name: &str, payload: &Option<Box<Shape>>| {
                let payload = payload.as_ref().map_or(json!({ "type": "null" }), |shape| of(shape));
                closed(&json!({ name: payload }), &[name])
            };
            json!({ "oneOf": [one("ok", ok), one("error", error)] })
        }
    }
}

/// The schema of an object with these members, of which options may be left out.
pub(crate) fn object(fields: &[(String, Shape)]) -> Value {
    let properties: Map<String, Value> = fields.iter().map(|(name, shape)| (name.clone(), of(shape))).collect();
    let required = fields.iter().filter(|(_, shape)| !matches!(shape, Shape::Option(_)));
    let required: Vec<_> = required.map(|(name, _)| name.as_str()).collect();
    closed(&Value::Object(properties), &required)
}

fn closed(properties: &Value, required: &[&str]) -> Value {
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

fn tuple(items: &[Value]) -> Value {
    let length = items.len();
    json!({ "type": "array", "prefixItems": items, "minItems": length, "maxItems": length })
}

fn integer(width: Width) -> Value {
    let (least, greatest) = width.bounds();
    if !width.is_wide() {
        return json!({ "type": "integer", "minimum": least as i64, "maximum": greatest as i64 });
    }
    let exact = EXACT as i64;
    let least = if least < 0 { -exact } else { 0 };
    let digits = if least < 0 { "^-?[0-9]{1,19}$" } else { "^[0-9]{1,20}$" };
    json!({ "anyOf": [
        { "type": "integer", "minimum": least, "maximum": exact },
        { "type": "string", "pattern": digits, "description": "A number beyond 2^53, in digits." },
    ] })
}

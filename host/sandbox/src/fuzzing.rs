//! Schemas and values as the author of a component may write them.

use bailiwick_fuzz::Target;
use serde_json::{Map, Value, json};

use crate::Schema;

#[test]
fn schemas() {
    const WORDS: &[&str] = &[
        "\"$ref\":\"#",
        "\"$defs\":{",
        "\"allOf\":[",
        "\"pattern\":\"",
        "\"type\":\"object\"",
        "\"items\":",
        "\"properties\":{",
        "(a+)+",
        "{1,100}",
        "\"minimum\":",
        "\"multipleOf\":0",
        "\"format\":\"",
        "\"if\":",
        "\"not\":",
        "{\"not\":",
        "[[[[",
    ];
    Target { name: "schemas", words: WORDS }.run(|bytes| {
        let Ok(value) = serde_json::from_slice::<Value>(bytes) else { return };
        if let Ok(schema) = Schema::new(&value) {
            let _ = schema.complaints(&value, 5);
        }
        crate::legible::legible_json(value);
    });
}

#[test]
fn schema_whose_references_are_as_deep_as_may_be_is_checked_on_the_stack_of_a_worker() {
    for inside in ["allOf", "anyOf", "not", "items"] {
        for levels in [50, 120, 240, 490] {
            let mut definitions = Map::new();
            for level in 0..levels {
                let next = json!({ "$ref": format!("#/$defs/d{}", level + 1) });
                let next = if matches!(inside, "not" | "items") { next } else { json!([next]) };
                definitions.insert(format!("d{level}"), json!({ inside: next }));
            }
            definitions.insert(format!("d{levels}"), json!({ "type": "object" }));
            let schema = json!({ "$ref": "#/$defs/d0", "$defs": definitions });
            // A worker of tokio has this much.
            let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(move || {
                if let Ok(schema) = Schema::new(&schema) {
                    let _ = schema.complaints(&json!({}), 5);
                }
            });
            thread.unwrap().join().unwrap();
        }
    }
}

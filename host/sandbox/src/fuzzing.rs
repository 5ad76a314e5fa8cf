//! Schemas and values as the author of a component may write them.

use std::path::Path;

use bailiwick_fuzz::Target;
use serde_json::{Map, Value, json};

use crate::Schema;
use crate::names;
use crate::pattern::{LONGEST_PATTERN, Pattern};

#[test]
fn patterns() {
    const WORDS: &[&str] =
        &["*", "**", "**/", "/**", "?", "[a-z]", "[!a]", "[", "{a,b}", "{a,", "\\*", ".env", "../", "//", "A", "a/b"];
    Target { name: "patterns", words: WORDS }.run_text(|text| {
        // The first line is the pattern; the others are paths.
        let mut lines = text.lines();
        let pattern_text = lines.next().unwrap_or_default();
        let Ok(pattern) = Pattern::new(pattern_text) else { return };
        assert!(pattern_text.len() <= LONGEST_PATTERN && pattern.text() == pattern_text);
        let plain = !pattern_text.contains(['*', '?', '[', ']', '{', '}', '\\']);
        if plain {
            let own: Vec<_> = names::of(Path::new(pattern_text)).collect();
            let last = own.len().saturating_sub(1);
            assert!(pattern.is_about(&own, last), "`{pattern_text}` is not about itself");
            (1..own.len()).for_each(|count| assert!(pattern.leads_from(&own[..count]), "{count} of {pattern_text}"));
        }
        for path in lines.filter(|path| path.len() <= 4096) {
            let (all, upper) = (path.to_owned(), path.to_ascii_uppercase());
            let [all, upper]: [Vec<_>; 2] = [&all, &upper].map(|path| names::of(Path::new(path)).collect());
            for last in 0..all.len() {
                // Letter case tells nothing apart.
                assert_eq!(pattern.is_about(&all, last), pattern.is_about(&upper, last), "{path}");
            }
            pattern.leads_from(&all);
            assert!(!pattern.is_about(&all, all.len()), "there is nothing at that place");
        }
    });
}

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
        crate::sanitize::sanitized_json(value);
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

//! JSON checked against a tool's schemas, in bounded time.
//!
//! A schema is the tool author's and is run on the caller's thread, where no deadline interrupts it. Forty definitions
//! that each name the next one twice are two kilobytes and take years, and so is a schema that names itself twice for
//! a value that is nested. What a check can cost is therefore counted before it is made.

use crate::error::LoadError;
use serde_json::Value;
use std::collections::HashMap;

/// A JSON Schema 2020-12 that was found to be one, and whose cost is bounded.
pub struct Schema {
    validator: jsonschema::Validator,
    /// Its parts, with every reference followed: at most so many are applied to one part of a value.
    weight: u64,
}

/// Why a value was turned down: one sentence of bounded length.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unfit(pub String);

// Parts of a schema with its references followed. Large ones of real tools have a few thousand.
const HEAVIEST: u64 = 50_000;

// Parts of the schema times parts of the value, some seconds at most.
const MOST_STEPS: u64 = 1 << 28;

// A message names the part that is off, which may be as long as the whole.
const LONGEST_REASON: usize = 1000;

impl Schema {
    /// Compiles a schema, refusing one whose cost cannot be bounded.
    ///
    /// # Errors
    /// [`LoadError::Undescribed`]: no schema, or one that refers to itself or to something outside of it.
    pub fn new(schema: &Value) -> Result<Self, LoadError> {
        let refused = |reason: &str| LoadError::Undescribed(format!("a schema is refused: {reason}"));
        let weight = Weigher { root: schema, known: HashMap::new() }.weigh(schema, 0).map_err(refused)?;
        if weight > HEAVIEST {
            return Err(refused("its references multiply"));
        }
        // Patterns in linear time: no look-around and no back-references.
        let validator = jsonschema::draft202012::options()
            .with_pattern_options(jsonschema::PatternOptions::regex())
            .build(schema)
            .map_err(|error| LoadError::Undescribed(format!("a schema is invalid: {}", brief(&error.to_string()))))?;
        Ok(Self { validator, weight })
    }

    /// Holds a value against the schema. `length` is that of its JSON text, in bytes, or at least the number of its
    /// parts: a cheap bound of what the check can cost.
    ///
    /// # Errors
    /// What is off, with its place as a JSON pointer.
    pub fn check(&self, value: &Value, length: usize) -> Result<(), Unfit> {
        // Text has at least one byte for each part of the value, so most values need not be counted.
        let steps = |parts: usize| (parts as u64).saturating_mul(self.weight);
        if steps(length) > MOST_STEPS && steps(parts(value)) > MOST_STEPS {
            return Err(Unfit("it has more parts than can be checked against its schema".into()));
        }
        self.validator.validate(value).map_err(|error| {
            let (said, at) = (error.to_string(), error.instance_path().to_string());
            Unfit(if at.is_empty() { brief(&said) } else { format!("{} at `{}`", brief(&said), brief(&at)) })
        })
    }
}

fn parts(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(parts).sum(),
        Value::Object(members) => members.values().map(parts).sum(),
        _ => 0,
    }
}

fn brief(text: &str) -> String {
    match text.char_indices().nth(LONGEST_REASON) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

impl std::fmt::Debug for Schema {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Schema").field("weight", &self.weight).finish_non_exhaustive()
    }
}

struct Weigher<'a> {
    root: &'a Value,
    /// By the address of what is referred to; nothing while it is being weighed.
    known: HashMap<*const Value, Option<u64>>,
}

impl<'a> Weigher<'a> {
    /// Whatever may be a schema is taken for one: a part too much does no harm.
    fn weigh(&mut self, part: &'a Value, depth: usize) -> Result<u64, &'static str> {
        if depth > 500 {
            return Err("its references are nested too deeply");
        }
        let mut weight = 1_u64;
        match part {
            Value::Array(items) => {
                for item in items {
                    weight = weight.saturating_add(self.weigh(item, depth + 1)?);
                }
            }
            Value::Object(members) => {
                for (name, member) in members {
                    let more = match (name.as_str(), member) {
                        ("$ref", Value::String(place)) => self.follow(place, depth)?,
                        ("$dynamicRef" | "$recursiveRef", Value::String(_)) => return Err("it refers dynamically"),
                        ("$id", Value::String(_)) if !std::ptr::eq(part, self.root) => {
                            return Err("it contains a schema with an identity of its own");
                        }
                        _ => self.weigh(member, depth + 1)?,
                    };
                    weight = weight.saturating_add(more);
                }
            }
            _ => {}
        }
        Ok(weight)
    }

    fn follow(&mut self, place: &str, depth: usize) -> Result<u64, &'static str> {
        let Some(target) = place.strip_prefix('#').and_then(|pointer| self.root.pointer(pointer)) else {
            return Err("it refers to something that is not part of it");
        };
        match self.known.insert(target, None) {
            Some(Some(weight)) => {
                self.known.insert(target, Some(weight));
                Ok(weight)
            }
            Some(None) => Err("it refers to itself"),
            None => {
                let weight = self.weigh(target, depth + 1)?;
                self.known.insert(target, Some(weight));
                Ok(weight)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn doubling(levels: usize) -> Value {
        let mut definitions = serde_json::Map::new();
        for level in 0..levels {
            let next = format!("#/$defs/d{}", level + 1);
            definitions.insert(format!("d{level}"), json!({"allOf": [{"$ref": next}, {"$ref": next}]}));
        }
        definitions.insert(format!("d{levels}"), json!({"type": "object"}));
        json!({"$ref": "#/$defs/d0", "$defs": definitions})
    }

    #[test]
    fn schemas_without_end_are_refused() {
        for schema in [
            doubling(40),
            json!({"allOf": [{"$ref": "#"}]}),
            json!({"properties": {"a": {"allOf": [{"$ref": "#"}, {"$ref": "#"}]}}}),
            json!({"$ref": "#/$defs/a", "$defs": {"a": {"not": {"$ref": "#/$defs/b"}}, "b": {"$ref": "#/$defs/a"}}}),
            json!({"$dynamicRef": "#x", "$dynamicAnchor": "x"}),
            json!({"$ref": "#x", "$defs": {"a": {"$anchor": "x"}}}),
            json!({"$ref": "file:///etc/passwd"}),
            json!({"properties": {"a": {"$id": "other", "$ref": "#"}}}),
            json!({"pattern": "^(a+)+\\1$"}),
            json!({"pattern": "((((x{1,100}){1,100}){1,100}){1,100}){1,100}"}),
        ] {
            let refused = Schema::new(&schema).err();
            assert!(matches!(refused, Some(LoadError::Undescribed(_))), "{schema}");
        }
    }

    #[test]
    fn references_that_end_are_followed() {
        let schema = Schema::new(&doubling(8)).ok().unwrap();
        assert!(schema.check(&json!({}), 2).is_ok());
        assert!(schema.check(&json!(1), 1).is_err());
    }

    #[test]
    fn value_that_would_take_for_ever_is_refused_and_no_message_repeats_it() {
        let schema = Schema::new(&json!({"items": {"allOf": vec![json!({"type": "number"}); 10_000]}})).ok().unwrap();
        let long = Value::Array(vec![json!(1); 100_000]);
        assert!(schema.check(&long, 200_001).is_err());
        let narrow = Schema::new(&json!({"type": "object"})).ok().unwrap();
        assert!(narrow.check(&long, 200_001).is_err_and(|unfit| unfit.0.len() < 5000));
    }
}

//! JSON checked against a schema, in bounded time.
//!
//! A schema is the tool author's and is run on the caller's thread, where no deadline interrupts it. Forty definitions
//! that each name the next one twice are two kilobytes and take years, and so is a schema that names itself twice for
//! a value that is nested. What a check can cost is therefore counted before it is made.

use serde_json::Value;
use std::collections::HashMap;
use std::sync::OnceLock;

/// A JSON Schema (draft 2020-12) that was found to be one, and whose check ends.
///
/// It refers to nothing outside itself and never to itself, its patterns take linear time, and a value for which the
/// check would take too many steps is refused before it is made.
pub struct Schema {
    /// What it was made from, until it is compiled.
    source: Value,
    validator: OnceLock<Result<jsonschema::Validator, String>>,
    /// Its parts, with every reference followed: at most so many are applied to one part of a value.
    weight: u64,
    /// How many patterns it holds. Their cost grows with the length of a text.
    patterns: usize,
}

/// Why a schema is not used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SchemaError {
    /// What a check would cost cannot be bounded.
    #[error("a schema is refused: {0}")]
    Unbounded(&'static str),
    /// It is not a schema, or a pattern in it looks around or back.
    #[error("a schema is invalid: {0}")]
    Invalid(String),
}

/// One way in which a value is off its schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complaint {
    /// The part that is off, as a JSON pointer; empty for the whole.
    pub place: String,
    /// What is wrong with it, as a sentence that may repeat the value.
    pub said: String,
}

/// Why a value was turned down.
pub(crate) struct Unfit(pub(crate) String);

// Parts of a schema with its references followed. Large ones of real tools have a few thousand.
const HEAVIEST: u64 = 50_000;

// Parts of the schema times parts of the value, some seconds at most.
const MOST_STEPS: u64 = 1 << 28;

// A pattern of fifteen bytes may become a program of megabytes, and all of them are made and kept: so many bytes are shared by
// at most so many patterns, and none takes more than the largest may.
const MOST_PATTERNS: usize = 256;
const ALL_PATTERNS: usize = 64 << 20;
const LARGEST_PATTERN: usize = 8 << 20;

// So many bytes of a text take a pattern as long as one part of a value takes a part of a schema.
const BYTES_A_STEP: usize = 8;

// A message names the part that is off, which may be as long as the whole.
const LONGEST_REASON: usize = 1000;

impl Schema {
    /// Compiles a schema.
    ///
    /// # Errors
    /// [`SchemaError::Unbounded`] for one whose cost cannot be bounded, [`SchemaError::Invalid`] for a value that is not a schema.
    pub fn new(schema: &Value) -> Result<Self, SchemaError> {
        let schema = Self::deferred(schema)?;
        match schema.validator() {
            Ok(_) => Ok(schema),
            Err(reason) => Err(SchemaError::Invalid(reason.clone())),
        }
    }

    /// A schema that was found to be one before, and is compiled when something is first held against it. (Compiling takes
    /// longer than most checks, and many tools of a server are listed and never called.) Nothing fits one that turns
    /// out to be none.
    ///
    /// # Errors
    /// [`SchemaError::Unbounded`] for one whose cost cannot be bounded.
    pub fn deferred(schema: &Value) -> Result<Self, SchemaError> {
        let weight =
            Weigher { root: schema, known: HashMap::new() }.weigh(schema, 0).map_err(SchemaError::Unbounded)?;
        if weight > HEAVIEST {
            return Err(SchemaError::Unbounded("its references multiply"));
        }
        let patterns = patterns(schema);
        if patterns > MOST_PATTERNS {
            return Err(SchemaError::Unbounded("it holds more than 256 patterns"));
        }
        Ok(Self { source: schema.clone(), validator: OnceLock::new(), weight, patterns })
    }

    fn validator(&self) -> &Result<jsonschema::Validator, String> {
        self.validator.get_or_init(|| {
            // Patterns in linear time: no look-around and no back-references.
            let limit = (ALL_PATTERNS / self.patterns.max(1)).min(LARGEST_PATTERN);
            let patterns = jsonschema::PatternOptions::regex().size_limit(limit).dfa_size_limit(limit);
            jsonschema::draft202012::options()
                .with_pattern_options(patterns)
                .build(&self.source)
                .map_err(|error| brief(&error.to_string()))
        })
    }

    /// How a value is off the schema: the first so many complaints. None means that it fits.
    #[must_use]
    pub fn complaints(&self, value: &Value, most: usize) -> Vec<Complaint> {
        if !self.ends(self.size(value)) {
            return vec![Complaint { place: String::new(), said: TOO_LONG.into() }];
        }
        let complaint = |error: jsonschema::ValidationError<'_>| Complaint {
            place: error.instance_path().to_string(),
            said: error.to_string(),
        };
        match self.validator() {
            Ok(validator) => validator.iter_errors(value).take(most).map(complaint).collect(),
            Err(reason) => vec![Complaint { place: String::new(), said: unusable(reason) }],
        }
    }

    pub(crate) fn check(&self, value: &Value, length: usize) -> Result<(), Unfit> {
        // Text has at least one byte for each part of the value, so most values need not be counted.
        if !self.ends(length) && !self.ends(self.size(value)) {
            return Err(Unfit(TOO_LONG.into()));
        }
        let validator = self.validator().as_ref().map_err(|reason| Unfit(unusable(reason)))?;
        validator.validate(value).map_err(|error| {
            let (said, at) = (error.to_string(), error.instance_path().to_string());
            Unfit(if at.is_empty() { brief(&said) } else { format!("{} at `{}`", brief(&said), brief(&at)) })
        })
    }

    /// The parts of a value, and where texts are read, their length.
    fn size(&self, value: &Value) -> usize {
        parts(value).saturating_add(if self.patterns > 0 { bytes(value) / BYTES_A_STEP } else { 0 })
    }

    /// Whether the check of a value of so many parts takes few enough steps.
    fn ends(&self, parts: usize) -> bool {
        (parts as u64).saturating_mul(self.weight) <= MOST_STEPS
    }
}

fn unusable(reason: &str) -> String {
    format!("its schema is invalid: {reason}")
}

const TOO_LONG: &str = "it has more parts than can be checked against its schema";

fn parts(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(parts).sum(),
        Value::Object(members) => members.values().map(parts).sum(),
        _ => 0,
    }
}

/// The length of all texts of a value, names of members included.
fn bytes(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(bytes).sum(),
        Value::Object(members) => members.iter().map(|(name, member)| name.len().saturating_add(bytes(member))).sum(),
        _ => 0,
    }
}

/// How many patterns a schema holds. Whatever may be one is taken for one.
fn patterns(schema: &Value) -> usize {
    match schema {
        Value::Array(items) => items.iter().map(patterns).sum(),
        Value::Object(members) => {
            let own = |(name, member): (&String, &Value)| match (name.as_str(), member) {
                ("pattern", Value::String(_)) => 1,
                ("patternProperties", Value::Object(patterns)) => patterns.len(),
                _ => 0,
            };
            members.iter().map(own).sum::<usize>() + members.values().map(patterns).sum::<usize>()
        }
        _ => 0,
    }
}

fn brief(text: &str) -> String {
    match text.char_indices().nth(LONGEST_REASON) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
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
            assert!(refused.is_some(), "{schema}");
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
        assert_eq!(schema.complaints(&long, 5).len(), 1);
        let narrow = Schema::new(&json!({"type": "object"})).ok().unwrap();
        assert!(narrow.check(&long, 200_001).is_err_and(|unfit| unfit.0.len() < 5000));
    }

    #[test]
    fn patterns_are_bounded_in_size_and_number_and_long_texts_by_how_often_they_are_read() {
        let large = |count: usize| json!({"allOf": vec![json!({"pattern": "123\\p{L}{150}"}); count]});
        assert!(Schema::new(&large(1)).is_ok());
        assert!(matches!(Schema::new(&large(20)), Err(SchemaError::Invalid(_))), "together they are too large");
        let many = |count: usize| json!({"allOf": vec![json!({"pattern": "^[a-z]+$"}); count]});
        assert!(Schema::new(&many(MOST_PATTERNS)).is_ok());
        assert!(matches!(Schema::deferred(&many(MOST_PATTERNS + 1)), Err(SchemaError::Unbounded(_))));
        let named: serde_json::Map<String, Value> = (0..300).map(|one| (format!("^a{one}"), json!(true))).collect();
        assert!(Schema::deferred(&json!({"items": {"patternProperties": named}})).is_err());
        let honest =
            json!({"properties": {"name": {"type": "string", "pattern": "^[\\p{L}_][\\p{L}\\p{N}_-]{0,63}$"}}});
        assert!(Schema::new(&honest).is_ok());

        // One pattern that references apply ten thousand times to one text.
        let often =
            json!({"allOf": vec![json!({"$ref": "#/$defs/a"}); 10_000], "$defs": {"a": {"pattern": "[a-c]+d$"}}});
        let schema = Schema::new(&often).ok().unwrap();
        let long = json!("abc".repeat(1 << 20));
        assert!(schema.check(&long, 3 << 20).is_err_and(|unfit| unfit.0 == TOO_LONG));
        assert!(schema.check(&json!("abcd"), 6).is_ok());
    }

    #[test]
    fn deferred_schema_that_is_invalid_lets_nothing_pass() {
        let schema = Schema::deferred(&json!({"type": 7})).ok().unwrap();
        assert!(schema.check(&json!({}), 2).is_err_and(|unfit| unfit.0.contains("its schema is invalid")));
        assert_eq!(schema.complaints(&json!({}), 5).len(), 1);
        let sound = Schema::deferred(&json!({"type": "object"})).ok().unwrap();
        assert!(sound.check(&json!({}), 2).is_ok() && sound.check(&json!(1), 1).is_err());
    }
}

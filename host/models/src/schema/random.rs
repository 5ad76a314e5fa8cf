//! Random schemas of the kind that tools have, with values that fit them.

use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRunner};

use super::*;

/// What a property may be.
#[derive(Debug, Clone)]
enum Shape {
    Text,
    Number,
    Listed(Vec<&'static str>),
    ListedWithoutType,
    OrNull(Box<Shape>),
    List(Box<Shape>),
    Record(Vec<Field>),
    /// Records told apart by a tag that is a constant, or an enumeration of one value.
    Tagged(Vec<Vec<Field>>, bool),
    /// A record under `$defs`, with a note beside the reference.
    Defined(Vec<Field>),
}

#[derive(Debug, Clone)]
struct Field {
    required: bool,
    shape: Shape,
}

fn shape() -> impl Strategy<Value = Shape> {
    let leaf = prop_oneof![
        Just(Shape::Text),
        Just(Shape::Number),
        Just(Shape::Listed(vec!["a", "b"])),
        Just(Shape::ListedWithoutType),
    ];
    leaf.prop_recursive(3, 24, 3, |inner| {
        let field = (any::<bool>(), inner.clone()).prop_map(|(required, shape)| Field { required, shape });
        let fields = prop::collection::vec(field, 0..4);
        prop_oneof![
            inner.clone().prop_map(|shape| Shape::OrNull(Box::new(shape))),
            inner.prop_map(|shape| Shape::List(Box::new(shape))),
            fields.clone().prop_map(Shape::Record),
            (prop::collection::vec(fields.clone(), 1..4), any::<bool>())
                .prop_map(|(forms, one)| Shape::Tagged(forms, one)),
            fields.prop_map(Shape::Defined),
        ]
    })
}

/// The tool's schema.
fn schema_of(fields: &[Field]) -> Value {
    let mut definitions = Map::new();
    let mut schema = record(fields, &mut definitions);
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    schema["$defs"] = Value::Object(definitions);
    schema
}

fn record(fields: &[Field], definitions: &mut Map<String, Value>) -> Value {
    let mut properties = Map::new();
    for (number, field) in fields.iter().enumerate() {
        properties.insert(format!("f{number}"), json(&field.shape, definitions));
    }
    let required = fields.iter().enumerate().filter(|(_, field)| field.required);
    let required: Vec<String> = required.map(|(number, _)| format!("f{number}")).collect();
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

fn json(shape: &Shape, definitions: &mut Map<String, Value>) -> Value {
    match shape {
        Shape::Text => json!({"type": "string", "description": "a text", "default": ""}),
        Shape::Number => json!({"type": "integer", "format": "uint32", "minimum": 0}),
        Shape::Listed(values) => json!({"type": "string", "enum": values}),
        Shape::ListedWithoutType => json!({"enum": ["x", 1]}),
        Shape::OrNull(inner) => json!({"anyOf": [json(inner, definitions), {"type": "null"}]}),
        Shape::List(inner) => json!({"type": "array", "items": json(inner, definitions)}),
        Shape::Record(fields) => record(fields, definitions),
        Shape::Tagged(forms, as_enum) => {
            let forms = forms.iter().enumerate().map(|(number, fields)| {
                let mut form = record(fields, definitions);
                let name = tag(number);
                form["properties"]["tag"] = if *as_enum {
                    json!({"type": "string", "enum": [name]})
                } else {
                    json!({"type": "string", "const": name})
                };
                if let Some(required) = form["required"].as_array_mut() {
                    required.push("tag".into());
                }
                form
            });
            json!({"oneOf": forms.collect::<Vec<_>>()})
        }
        Shape::Defined(fields) => {
            let definition = record(fields, definitions);
            let name = format!("D{}", definitions.len());
            definitions.insert(name.clone(), definition);
            json!({"$ref": format!("#/$defs/{name}"), "description": "a note"})
        }
    }
}

fn tag(number: usize) -> String {
    format!("t{number}")
}

/// Picks a value of a shape by the bits of a number. `filled` has null for every property that was left out.
fn value(shape: &Shape, dice: &mut Dice, filled: Fill) -> Value {
    match shape {
        Shape::Text => json!(["", "é", "null"][dice.of(3)]),
        Shape::Number => json!(dice.of(5)),
        Shape::Listed(values) => json!(values[dice.of(values.len())]),
        Shape::ListedWithoutType => [json!("x"), json!(1)][dice.of(2)].clone(),
        Shape::OrNull(inner) => {
            if dice.of(2) == 0 {
                Value::Null
            } else {
                value(inner, dice, filled)
            }
        }
        Shape::List(inner) => (0..dice.of(3)).map(|_| value(inner, dice, filled)).collect(),
        Shape::Record(fields) | Shape::Defined(fields) => record_value(fields, dice, filled),
        Shape::Tagged(forms, _) => {
            let number = dice.of(forms.len());
            let mut value = record_value(&forms[number], dice, filled);
            value["tag"] = json!(tag(number));
            value
        }
    }
}

fn record_value(fields: &[Field], dice: &mut Dice, filled: Fill) -> Value {
    let mut object = Map::new();
    for (number, field) in fields.iter().enumerate() {
        let name = format!("f{number}");
        // A null that is meant and one for what was left out look alike, and both fit: only the second is made.
        let left_out = !field.required && (matches!(field.shape, Shape::OrNull(_)) || dice.of(2) == 0);
        match (left_out, filled) {
            (false, _) => drop(object.insert(name, value(&field.shape, dice, filled))),
            (true, Fill::Nulls) => drop(object.insert(name, Value::Null)),
            (true, Fill::Nothing) => {}
        }
    }
    Value::Object(object)
}

#[derive(Debug, Clone, Copy)]
enum Fill {
    Nulls,
    Nothing,
}

/// The same numbers for the same seed.
struct Dice(u64);

impl Dice {
    fn of(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }
}

#[test]
fn strict_form_takes_what_the_tool_takes_and_its_answers_fit_the_tool_again() {
    let config = Config {
        cases: bailiwick_fuzz::cases(2_000),
        rng_seed: RngSeed::Fixed(2026),
        failure_persistence: None,
        ..Config::default()
    };
    let field = (any::<bool>(), shape()).prop_map(|(required, shape)| Field { required, shape });
    let outcome = TestRunner::new(config).run(&(prop::collection::vec(field, 0..4), any::<u64>()), |(fields, seed)| {
        let original = schema_of(&fields);
        let Some(strict) = strict(&original) else {
            return Err(TestCaseError::fail(format!("not adapted: {original}")));
        };
        assert_strict(&strict);
        let plain = record_value(&fields, &mut Dice(seed), Fill::Nothing);
        let filled = record_value(&fields, &mut Dice(seed), Fill::Nulls);
        let fits = |schema: &Value, value: &Value| jsonschema::validator_for(schema).unwrap().is_valid(value);
        prop_assert!(fits(&original, &plain), "the test is wrong: {original} {plain}");
        prop_assert!(fits(&strict, &filled), "{strict} {filled}");
        let mut restored = filled.clone();
        restore(&mut restored, &original);
        prop_assert!(fits(&original, &restored), "{original} {filled} {restored}");
        // Nothing but nulls is ever taken out.
        prop_assert_eq!(without_nulls(&restored), without_nulls(&plain));
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
}

fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Object(fields) => fields
            .iter()
            .filter(|(_, field)| !field.is_null())
            .map(|(name, field)| (name.clone(), without_nulls(field)))
            .collect(),
        Value::Array(elements) => elements.iter().map(without_nulls).collect(),
        other => other.clone(),
    }
}

/// The rules of strict mode, for every schema within.
fn assert_strict(schema: &Value) {
    let Some(fields) = schema.as_object() else { panic!("{schema}") };
    assert!(!fields.contains_key("oneOf") && !fields.contains_key("default"), "{schema}");
    if fields.contains_key("$ref") {
        assert_eq!(fields.len(), 1, "{schema}");
        return;
    }
    assert!(fields.contains_key("type") || fields.contains_key("anyOf"), "{schema}");
    if let Some(properties) = fields.get("properties").and_then(Value::as_object) {
        assert_eq!(fields["additionalProperties"], json!(false), "{schema}");
        let names: Vec<&str> = properties.keys().map(String::as_str).collect();
        assert_eq!(required(fields), names, "{schema}");
    }
    let within = ["properties", "$defs"].iter().filter_map(|name| fields.get(*name)?.as_object());
    within.flat_map(Map::values).for_each(assert_strict);
    fields.get("anyOf").and_then(Value::as_array).into_iter().flatten().for_each(assert_strict);
    fields.get("items").into_iter().for_each(assert_strict);
}

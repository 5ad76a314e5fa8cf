//! The `Exit` tool: how an agent hands in its result.

use schemars::{JsonSchema, SchemaGenerator};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::toolbox::{ToolEffect, ToolSpec};

/// The name of the tool that ends a conversation. Reserved in every letter case.
pub const EXIT: &str = "Exit";

/// The arguments of `Exit`. The wrapper is there so that a result may be of any type: most providers take nothing but
/// an object as the input of a tool.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ExitInput<T> {
    result: T,
}

/// Whether a tool of this name would be taken for `Exit`.
pub(crate) fn is_reserved(name: &str) -> bool {
    name.eq_ignore_ascii_case(EXIT)
}

/// The `Exit` tool for results of type `T`.
pub(crate) fn spec<T: JsonSchema>() -> ToolSpec {
    let mut schema = SchemaGenerator::default().into_root_schema_for::<ExitInput<T>>();
    // An optional result would otherwise be one that may be left out.
    schema.insert("required".into(), json!(["result"]));
    schema.remove("title");
    schema.remove("description");
    described(schema.to_value())
}

/// The `Exit` tool for results that a schema describes. Its definitions move up, to where references look for them.
pub(crate) fn spec_of(result: &Value) -> ToolSpec {
    let mut result = result.clone();
    let definitions = result.as_object_mut().and_then(|fields| {
        fields.remove("$schema");
        fields.remove("$defs")
    });
    let mut schema = json!({
        "type": "object",
        "properties": { "result": result },
        "required": ["result"],
        "additionalProperties": false,
    });
    if let Some(definitions) = definitions {
        schema["$defs"] = definitions;
    }
    described(schema)
}

fn described(input_schema: Value) -> ToolSpec {
    ToolSpec {
        name: EXIT.into(),
        description: "Hands in the result and ends the work. Call it once, alone, when the task is done.".into(),
        input_schema,
        effect: ToolEffect::Writes,
    }
}

/// Reads a result out of the arguments of `Exit`.
pub(crate) fn decode<T: DeserializeOwned>(arguments: &Value) -> Result<T, serde_json::Error> {
    ExitInput::deserialize(arguments).map(|input| input.result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only the schema is of interest")]
    struct Node {
        name: String,
        children: Vec<Node>,
    }

    #[test]
    fn recursive_result_type_yields_a_schema_that_compiles_and_checks() {
        let schema = spec::<Node>().input_schema;
        let validator = jsonschema::validator_for(&schema).unwrap();
        assert!(validator.is_valid(&json!({"result": {"name": "a", "children": [{"name": "b", "children": []}]}})));
        assert!(!validator.is_valid(&json!({"result": {"name": "a", "children": [{"name": 1, "children": []}]}})));
    }

    #[test]
    fn definitions_of_a_result_schema_are_found_from_inside_the_wrapper() {
        let result = json!({"$defs": {"word": {"type": "string"}}, "type": "array", "items": {"$ref": "#/$defs/word"}});
        let validator = jsonschema::validator_for(&spec_of(&result).input_schema).unwrap();
        assert!(validator.is_valid(&json!({"result": ["a"]})));
        assert!(!validator.is_valid(&json!({"result": [1]})));
        assert!(!validator.is_valid(&json!(["a"])));
    }

    #[test]
    fn plain_string_result_is_wrapped() {
        let schema = spec::<String>().input_schema;
        let validator = jsonschema::validator_for(&schema).unwrap();
        assert!(validator.is_valid(&json!({"result": "done"})));
        assert!(!validator.is_valid(&json!("done")));
        assert!(!validator.is_valid(&json!({"result": "done", "more": 1})));
    }

    #[test]
    fn optional_result_may_be_null_but_not_missing() {
        let schema = spec::<Option<String>>().input_schema;
        let validator = jsonschema::validator_for(&schema).unwrap();
        assert!(validator.is_valid(&json!({"result": null})));
        assert!(!validator.is_valid(&json!({})));
    }
}

//! Schemas from types, in the form that clients can use: an object at the root, nothing referred to.

use rmcp::model::JsonObject;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;
use std::sync::Arc;

/// The schema of what a tool takes.
pub(super) fn of<T: JsonSchema>() -> Arc<JsonObject> {
    object::<T>(SchemaSettings::draft2020_12())
}

/// The schema of what a tool answers: what may be left out when it is written is not required of it. Clients hold answers
/// against it, and throw away those that do not fit.
pub(super) fn answer<T: JsonSchema>() -> Arc<JsonObject> {
    object::<T>(SchemaSettings::draft2020_12().for_serialize())
}

fn object<T: JsonSchema>(settings: SchemaSettings) -> Arc<JsonObject> {
    let settings = settings.with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let schema = settings.into_generator().into_root_schema_for::<T>();
    let mut object = match portable(schema.to_value()) {
        Value::Object(object) => object,
        _ => JsonObject::new(),
    };
    // The name and the description of a type of ours say nothing to a model.
    object.remove("title");
    object.remove("description");
    Arc::new(object)
}

/// The same schema without lists of types, which some models' tool dialects cannot express: each type is a branch.
pub(crate) fn portable(schema: Value) -> Value {
    match schema {
        Value::Array(items) => items.into_iter().map(portable).collect(),
        Value::Object(members) => {
            let mut members: JsonObject = members.into_iter().map(|(name, member)| (name, portable(member))).collect();
            let Some(Value::Array(types)) = members.get("type").cloned() else { return Value::Object(members) };
            let mut outer = JsonObject::new();
            for name in ["title", "description", "default", "examples"] {
                if let Some(member) = members.shift_remove(name) {
                    outer.insert(name.to_owned(), member);
                }
            }
            let branches = types.into_iter().map(|one| {
                if one == "null" {
                    return serde_json::json!({ "type": "null" });
                }
                let mut branch = members.clone();
                branch.insert("type".to_owned(), one);
                Value::Object(branch)
            });
            outer.insert("anyOf".to_owned(), branches.collect());
            Value::Object(outer)
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[derive(serde::Serialize, JsonSchema)]
    struct Said {
        _always: u32,
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schemars(with = "String")]
        _sometimes: Option<String>,
    }

    #[test]
    fn what_an_answer_may_leave_out_is_not_required_of_it() {
        assert_eq!(answer::<Said>()["required"], json!(["_always"]));
    }

    #[test]
    fn lists_of_types_become_branches_that_mean_the_same() {
        let schema = json!({
            "type": "object",
            "properties": { "line": { "type": ["integer", "null"], "minimum": 1, "description": "A line." } },
        });
        let expected = json!({
            "type": "object",
            "properties": {
                "line": { "description": "A line.", "anyOf": [{ "type": "integer", "minimum": 1 }, { "type": "null" }] },
            },
        });
        assert_eq!(portable(schema), expected);
    }
}

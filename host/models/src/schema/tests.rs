//! What becomes of single schemas.

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
        json!({"type": "object", "properties": {"a": {"type": "string"}}, "anyOf": [
            {"type": "object", "properties": {"b": {"type": "string"}}}
        ]}),
        json!({"type": "object", "properties": {"one": {"$ref": "#/$defs/A", "minLength": 1}}, "$defs": {"A": {"type": "string"}}}),
        (0..12).fold(json!({"type": "string"}), |inner, _| json!({"type": "object", "properties": {"a": inner}})),
    ];
    for schema in bodies {
        assert_eq!(strict(&schema), None, "{schema}");
    }
}

#[test]
fn reference_stands_alone_and_listed_values_have_a_type() {
    let schema = json!({
        "type": "object",
        "properties": {
            "one": {"$ref": "#/$defs/A", "description": "a note"},
            "kind": {"const": "a"},
            "level": {"enum": [1, 2, null]}
        },
        "required": ["one", "kind", "level"],
        "$defs": {"A": {"type": "string"}}
    });
    let strict = strict(&schema).unwrap();
    assert_eq!(strict["properties"]["one"], json!({"$ref": "#/$defs/A"}));
    assert_eq!(strict["properties"]["kind"], json!({"type": "string", "const": "a"}));
    assert_eq!(strict["properties"]["level"], json!({"type": ["integer", "null"], "enum": [1, 2, null]}));
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

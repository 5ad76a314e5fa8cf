//! JSON Schema checks whose complaints a model can act on. What a check may cost is bounded by the sandbox's rule.

use serde_json::Value;

/// How many complaints are told: a model that corrects these has usually corrected the rest.
const MAX_COMPLAINTS: usize = 5;

/// How many bytes one complaint may take; it may quote the value it is about.
const MAX_COMPLAINT_BYTES: usize = 300;

pub(crate) struct Schema(bailiwick_sandbox::Schema);

impl Schema {
    /// Compiles a schema of draft 2020-12. A reference to another document is an error: nothing is fetched. So is one
    /// whose check cannot be bounded, such as a type that contains itself.
    pub(crate) fn compile(schema: &Value) -> Result<Self, String> {
        bailiwick_sandbox::Schema::new(schema).map(Self).map_err(|error| bounded(error.to_string()))
    }

    /// Says in one sentence how a value is off the schema.
    pub(crate) fn check(&self, value: &Value) -> Result<(), String> {
        let complaints = self.0.complaints(value, MAX_COMPLAINTS).into_iter().map(|complaint| {
            let place = if complaint.place.is_empty() { String::new() } else { format!("`{}`: ", complaint.place) };
            bounded(format!("{place}{}", complaint.said))
        });
        let complaints: Vec<String> = complaints.collect();
        if complaints.is_empty() { Ok(()) } else { Err(complaints.join("; ")) }
    }
}

fn bounded(mut text: String) -> String {
    if text.len() > MAX_COMPLAINT_BYTES {
        text.truncate(text.floor_char_boundary(MAX_COMPLAINT_BYTES));
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read_file() -> Schema {
        let schema = json!({
            "type": "object",
            "properties": {"filePath": {"type": "string"}, "startLine": {"type": "integer", "minimum": 1}},
            "required": ["filePath"],
            "additionalProperties": false
        });
        Schema::compile(&schema).unwrap()
    }

    #[test]
    fn complaint_names_the_place_of_the_fault() {
        let complaint = read_file().check(&json!({"filePath": "a", "startLine": 0})).unwrap_err();
        assert!(complaint.contains("`/startLine`"), "{complaint}");
    }

    #[test]
    fn several_faults_are_told_at_once() {
        let complaint = read_file().check(&json!({"startLine": "one", "more": 1})).unwrap_err();
        for word in ["startLine", "more", "filePath"] {
            assert!(complaint.contains(word), "{word} in {complaint}");
        }
    }

    #[test]
    fn long_value_is_not_repeated_whole_in_the_complaint() {
        let complaint = read_file().check(&json!({"filePath": ["ä".repeat(10_000)]})).unwrap_err();
        assert!(complaint.len() < 400, "{} bytes", complaint.len());
    }

    #[test]
    fn reference_to_another_document_is_refused() {
        for reference in ["https://example.com/schema.json", "file:///etc/passwd"] {
            assert!(Schema::compile(&json!({"$ref": reference})).is_err(), "{reference}");
        }
    }

    #[test]
    fn schema_whose_check_could_take_for_ever_is_refused() {
        let mut definitions = serde_json::Map::new();
        for level in 0..40 {
            let next = json!({ "$ref": format!("#/$defs/d{}", level + 1) });
            definitions.insert(format!("d{level}"), json!({ "allOf": [next, next] }));
        }
        definitions.insert("d40".into(), json!({ "type": "object" }));
        for schema in [
            json!({ "$ref": "#/$defs/d0", "$defs": definitions }),
            json!({ "properties": { "a": { "allOf": [{ "$ref": "#" }, { "$ref": "#" }] } } }),
            json!({ "pattern": "^(a+)+\\1$" }),
        ] {
            assert!(Schema::compile(&schema).is_err(), "{schema}");
        }
        let wide =
            Schema::compile(&json!({ "items": { "allOf": vec![json!({ "type": "number" }); 10_000] } })).unwrap();
        assert!(wide.check(&json!(vec![1; 100_000])).unwrap_err().contains("more parts"));
    }
}

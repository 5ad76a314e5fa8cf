//! JSON Schema checks whose complaints a model can act on.

use jsonschema::Validator;
use serde_json::Value;

/// How many complaints are told: a model that corrects these has usually corrected the rest.
const MAX_COMPLAINTS: usize = 5;

/// How many bytes one complaint may take; it may quote the value it is about.
const MAX_COMPLAINT_BYTES: usize = 300;

pub(crate) struct Schema(Validator);

impl Schema {
    /// Compiles a schema of draft 2020-12. A reference to another document is an error: nothing is fetched.
    pub(crate) fn compile(schema: &Value) -> Result<Self, String> {
        jsonschema::draft202012::new(schema).map(Self).map_err(|error| bounded(error.to_string()))
    }

    /// Says in one sentence how a value is off the schema.
    pub(crate) fn check(&self, value: &Value) -> Result<(), String> {
        let mut complaints = Vec::new();
        for error in self.0.iter_errors(value).take(MAX_COMPLAINTS) {
            let place = error.instance_path().as_str();
            let place = if place.is_empty() { String::new() } else { format!("`{place}`: ") };
            complaints.push(bounded(format!("{place}{error}")));
        }
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
}

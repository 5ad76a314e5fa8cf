//! Keeps a JSON value to a number of bytes.

use serde_json::{Map, Value};

/// The size that counts for an element other than a text, so that a long list of numbers is bounded too.
const ELEMENT_BYTES: usize = 8;

/// The value with at most about `limit` bytes of text; what is left out is counted in its place. Numbers, truth values
/// and null at the top are kept in any case.
pub(super) fn value(value: Value, limit: usize) -> Value {
    let mut left = limit;
    bound(value, &mut left)
}

fn bound(value: Value, left: &mut usize) -> Value {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => {
            *left = left.saturating_sub(ELEMENT_BYTES);
            value
        }
        Value::String(text) => Value::String(cut(text, left)),
        Value::Array(elements) => {
            let total = elements.len();
            let mut kept = Vec::new();
            for element in elements {
                if *left == 0 {
                    kept.push(Value::String(format!("… ({} elements left out)", total - kept.len())));
                    break;
                }
                *left = left.saturating_sub(ELEMENT_BYTES);
                kept.push(bound(element, left));
            }
            Value::Array(kept)
        }
        Value::Object(fields) => {
            let total = fields.len();
            let mut kept = Map::new();
            for (name, field) in fields {
                if *left == 0 {
                    let omitted = total - kept.len();
                    kept.insert("…".into(), Value::String(format!("({omitted} fields left out)")));
                    break;
                }
                kept.insert(cut(name, left), bound(field, left));
            }
            Value::Object(kept)
        }
    }
}

fn cut(mut text: String, left: &mut usize) -> String {
    if text.len() <= *left {
        *left -= text.len();
        return text;
    }
    let keep = text.floor_char_boundary(*left);
    let omitted = text.len() - keep;
    text.truncate(keep);
    text.push_str(&format!("… ({omitted} bytes left out)"));
    *left = 0;
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn short_value_is_kept_as_it_is() {
        let given = json!({"a": ["x", 1, null, {"b": true}]});
        assert_eq!(value(given.clone(), 1000), given);
    }

    #[test]
    fn long_text_is_cut_between_characters_and_the_rest_counted() {
        assert_eq!(value(json!("ääää"), 3), json!("ä… (6 bytes left out)"));
    }

    #[test]
    fn texts_of_one_value_share_its_limit() {
        let given = json!(vec!["x".repeat(100); 100]);
        let bounded = value(given, 500).to_string();
        assert!(bounded.len() < 700, "{} bytes", bounded.len());
        assert!(bounded.contains("elements left out"), "{bounded}");
    }

    #[test]
    fn long_list_of_numbers_is_bounded() {
        let bounded = value(json!(vec![7; 100_000]), 800).to_string();
        assert!(bounded.len() < 1000, "{} bytes", bounded.len());
    }

    #[test]
    fn long_list_of_empty_values_is_bounded() {
        for empty in [json!(""), json!([]), json!({})] {
            let bounded = value(json!(vec![empty; 100_000]), 800).to_string();
            assert!(bounded.len() < 1000, "{} bytes", bounded.len());
        }
    }

    #[test]
    fn object_with_many_or_long_names_is_bounded() {
        let many: Map<String, Value> = (0..10_000).map(|n| (format!("name{n}"), json!(0))).collect();
        assert!(value(Value::Object(many), 200).to_string().len() < 600);
        assert!(value(json!({"n".repeat(10_000): 1}), 200).to_string().len() < 300);
    }
}

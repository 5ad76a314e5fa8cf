//! The first place where two JSON values differ.

use serde_json::Value;

/// How many characters of each side are shown.
const SHOWN: usize = 160;

/// How many characters before the difference are shown.
const BEFORE: usize = 40;

/// A place, and what stands there on each side.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Difference {
    pub(super) place: String,
    pub(super) expected: String,
    pub(super) came: String,
}

/// The first difference in the order of the expected value, or `None`.
pub(super) fn first(expected: &Value, came: &Value) -> Option<Difference> {
    at(String::new(), expected, came)
}

fn at(place: String, expected: &Value, came: &Value) -> Option<Difference> {
    match (expected, came) {
        (Value::Object(one), Value::Object(other)) => {
            let known = one.iter().find_map(|(name, value)| {
                let inner = if place.is_empty() { name.clone() } else { format!("{place}.{name}") };
                match other.get(name) {
                    Some(found) => at(inner, value, found),
                    None => Some(Difference { place: inner, expected: shown(value), came: "nothing".into() }),
                }
            });
            known.or_else(|| {
                let (name, value) = other.iter().find(|(name, _)| !one.contains_key(*name))?;
                let inner = if place.is_empty() { name.clone() } else { format!("{place}.{name}") };
                Some(Difference { place: inner, expected: "nothing".into(), came: shown(value) })
            })
        }
        (Value::Array(one), Value::Array(other)) => {
            let both = one.iter().zip(other).enumerate();
            both.into_iter().find_map(|(index, (value, found))| at(format!("{place}[{index}]"), value, found)).or_else(
                || {
                    let index = one.len().min(other.len());
                    let side = |values: &[Value]| values.get(index).map_or_else(|| "nothing".into(), shown);
                    let (expected, came) = (side(one), side(other));
                    (one.len() != other.len()).then(|| Difference {
                        place: format!("{place}[{index}]"),
                        expected,
                        came,
                    })
                },
            )
        }
        (Value::String(one), Value::String(other)) if one != other => {
            let same = one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
            Some(Difference { place, expected: around(one, same), came: around(other, same) })
        }
        _ if expected == came => None,
        _ => Some(Difference { place, expected: shown(expected), came: shown(came) }),
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => around(text, 0),
        other => {
            let text = other.to_string();
            let kept: String = text.chars().take(SHOWN).collect();
            if kept.len() < text.len() { format!("{kept}…") } else { kept }
        }
    }
}

/// The text around a character, in quotes and with its line ends escaped.
fn around(text: &str, character: usize) -> String {
    let skipped = character.saturating_sub(BEFORE);
    let kept: String = text.chars().skip(skipped).take(SHOWN).collect();
    let before = if skipped > 0 { "…" } else { "" };
    let after = if text.chars().count() > skipped + SHOWN { "…" } else { "" };
    format!("{:?}", format!("{before}{kept}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn first_differing_place_is_named() {
        let cases = [
            (json!({"a": [1, {"b": "x"}]}), json!({"a": [1, {"b": "y"}]}), "a[1].b", "\"x\"", "\"y\""),
            (json!({"a": 1, "b": 2}), json!({"a": 1}), "b", "2", "nothing"),
            (json!({"a": 1}), json!({"a": 1, "c": null}), "c", "nothing", "null"),
            (json!([1, 2]), json!([1]), "[1]", "2", "nothing"),
            (json!({"a": []}), json!({"a": [true]}), "a[0]", "nothing", "true"),
            (json!({"a": "1"}), json!({"a": 1}), "a", "\"1\"", "1"),
        ];
        for (expected, came, place, one, other) in cases {
            let found = first(&expected, &came).unwrap();
            assert_eq!((found.place.as_str(), found.expected.as_str(), found.came.as_str()), (place, one, other));
        }
    }

    #[test]
    fn order_of_fields_does_not_differ() {
        let (one, other) = (r#"{"a": 1, "b": 2}"#, r#"{"b": 2, "a": 1}"#);
        let read = |text: &str| serde_json::from_str::<Value>(text).unwrap();
        assert_eq!(first(&read(one), &read(other)), None);
    }

    #[test]
    fn long_texts_are_cut_around_the_difference() {
        let (one, other) = (format!("{}b{}", "ä".repeat(9_000), "z".repeat(9_000)), "ä".repeat(9_000));
        let found = first(&json!(one), &json!(other)).unwrap();
        assert!(found.expected.starts_with("\"…ää") && found.expected.ends_with("zz…\""), "{found:?}");
        assert!(found.expected.chars().count() < 200 && found.came.chars().count() < 200, "{found:?}");
        assert!(first(&json!(vec![0; 9_000]), &json!({})).unwrap().expected.chars().count() < 200);
    }
}

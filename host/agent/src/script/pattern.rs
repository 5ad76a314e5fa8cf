//! Takes a line of text apart: `{file}:{line} - {what}`.

use serde_json::{Map, Value};

/// Words and holes in turn. Each hole takes the shortest text up to the words after it; nothing is tried twice, so the
/// time is bounded by the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pattern {
    before: String,
    /// A hole's name, and the words after it; only the last one's may be empty.
    holes: Vec<(String, String)>,
}

impl Pattern {
    /// `None` where a brace is left open, a name is invalid or occurs twice, or two holes follow each other.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut pieces = text.split('{');
        let before = pieces.next()?.to_owned();
        let mut holes: Vec<(String, String)> = Vec::new();
        for piece in pieces {
            let (name, after) = piece.split_once('}')?;
            let plain = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
            let unbounded = holes.last().is_some_and(|(_, after)| after.is_empty());
            if !plain || unbounded || holes.iter().any(|(other, _)| other == name) {
                return None;
            }
            holes.push((name.to_owned(), after.to_owned()));
        }
        let braces = before.contains('}') || holes.iter().any(|(_, after)| after.contains('}'));
        (!braces && !holes.is_empty()).then_some(Self { before, holes })
    }

    /// What stands in the holes, or `None` where the text is another.
    pub(super) fn taken_apart(&self, text: &str) -> Option<Map<String, Value>> {
        let mut rest = text.strip_prefix(&self.before)?;
        let mut parts = Map::new();
        for (name, after) in &self.holes {
            let length = if after.is_empty() { rest.len() } else { rest.find(after)? };
            parts.insert(name.clone(), rest[..length].into());
            rest = &rest[length + after.len()..];
        }
        rest.is_empty().then_some(parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn line_is_taken_apart_where_it_matches_to_its_end() {
        let plain = Pattern::parse("{file}:{line} - Unknown word ({word})").unwrap();
        let fixed = Pattern::parse("{file}:{line} - Unknown word ({word}) fix: ({fix})").unwrap();
        let with = "docs/a.md:3:13 - Unknown word (recieves) fix: (receives)";
        let without = "docs/a.md:3:26 - Unknown word (preopen)";
        let parts = json!({"file": "docs/a.md", "line": "3:13", "word": "recieves", "fix": "receives"});
        assert_eq!(fixed.taken_apart(with).map(Value::Object), Some(parts));
        assert_eq!(plain.taken_apart(without).unwrap()["word"], "preopen");
        for (pattern, text) in [(&plain, with), (&fixed, without), (&plain, ""), (&plain, "Unknown word (x)")] {
            assert_eq!(pattern.taken_apart(text), None, "{text}");
        }
        assert_eq!(Pattern::parse("{all}").unwrap().taken_apart("ä:b").unwrap()["all"], "ä:b");
    }

    #[test]
    fn pattern_that_could_mean_two_things_is_refused() {
        for text in ["", "no hole", "{a}{b}", "{a} {a}", "{a", "a}", "{}", "{a b}", "{a}}"] {
            assert_eq!(Pattern::parse(text), None, "{text}");
        }
    }
}

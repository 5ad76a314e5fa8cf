//! Fills `${…}` in.

use std::cell::Cell;

use serde_json::{Map, Value};

/// How many bytes one turn may fill in: a script of a few lines could otherwise ask for more than there is memory.
const MOST_BYTES: usize = 64 << 20;

/// What `${…}` can lead to, and how much of it may still be filled in.
pub(super) struct Scope {
    values: Map<String, Value>,
    left: Cell<usize>,
}

impl Scope {
    pub(super) fn new(input: Value) -> Self {
        let mut scope = Self { values: Map::new(), left: Cell::new(MOST_BYTES) };
        scope.set("input", input);
        scope
    }

    pub(super) fn set(&mut self, name: &str, value: Value) {
        self.values.insert(name.to_owned(), value);
    }

    pub(super) fn remove(&mut self, name: &str) {
        self.values.remove(name);
    }

    fn take(&self, value: &Value) -> Result<(), String> {
        match self.left.get().checked_sub(weight(value)) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => Err(format!("more than {} MiB would be filled in", MOST_BYTES >> 20)),
        }
    }
}

/// About how many bytes a value takes.
fn weight(value: &Value) -> usize {
    const EACH: usize = 32;
    match value {
        Value::String(text) => EACH + text.len(),
        Value::Array(elements) => EACH + elements.iter().map(weight).sum::<usize>(),
        Value::Object(fields) => EACH + fields.iter().map(|(name, field)| name.len() + weight(field)).sum::<usize>(),
        Value::Null | Value::Bool(_) | Value::Number(_) => EACH,
    }
}

/// A value with everything filled in.
pub(super) fn value(template: &Value, scope: &Scope) -> Result<Value, String> {
    Ok(match template {
        Value::String(text) => self::text(text, scope)?,
        Value::Array(elements) => elements.iter().map(|element| value(element, scope)).collect::<Result<_, _>>()?,
        Value::Object(fields) => fields
            .iter()
            .map(|(name, field)| Ok((name.clone(), value(field, scope)?)))
            .collect::<Result<Map<_, _>, String>>()?
            .into(),
        other => other.clone(),
    })
}

/// What a text stands for: the value itself if it is one `${…}` and nothing else.
///
/// What was filled in is not looked at again: a `${…}` in an input or in a file is a text like any other.
pub(super) fn text(template: &str, scope: &Scope) -> Result<Value, String> {
    let mut filled = String::new();
    let mut rest = template;
    while let Some(start) = rest.find("${") {
        let Some(length) = rest[start..].find('}') else {
            return Err(format!("`{}` is not closed with `}}`", rest[start..].escape_debug()));
        };
        let found = look_up(&rest[start + 2..start + length], scope)?;
        if start == 0 && length + 1 == template.len() {
            return Ok(found);
        }
        filled.push_str(&rest[..start]);
        filled.push_str(&words(&found));
        rest = &rest[start + length + 1..];
    }
    filled.push_str(rest);
    Ok(Value::String(filled))
}

fn look_up(expression: &str, scope: &Scope) -> Result<Value, String> {
    let (path, filter) = match expression.split_once('|') {
        Some((path, filter)) => (path.trim(), Some(filter.trim())),
        None => (expression.trim(), None),
    };
    let mut parts = path.split('.');
    let first = scope.values.get(parts.next().unwrap_or_default());
    let found = first.and_then(|value| descend(value, &parts.collect::<Vec<_>>()));
    let found = found.ok_or_else(|| format!("`${{{}}}` leads to nothing", expression.escape_debug()))?;
    scope.take(&found)?;
    match (filter, found) {
        (None, found) => Ok(found),
        (Some("lines"), Value::String(text)) => Ok(lines(&text)),
        (Some("bullets"), Value::Array(elements)) => {
            Ok(elements.iter().map(|element| format!("- {}\n", words(element))).collect::<String>().into())
        }
        (Some("count"), Value::Array(elements)) => Ok(elements.len().into()),
        (Some("number"), Value::String(text)) => match text.trim().parse::<i64>() {
            Ok(number) => Ok(number.into()),
            Err(_) => Err(format!("`${{{path}}}` leads to no whole number")),
        },
        (Some("flat"), Value::Array(elements)) if elements.iter().all(Value::is_array) => {
            Ok(elements.iter().filter_map(Value::as_array).flatten().cloned().collect())
        }
        (Some(filter), _) => Err(format!("`|{}` does not go with what `${{{path}}}` leads to", filter.escape_debug())),
    }
}

fn descend(value: &Value, path: &[&str]) -> Option<Value> {
    let Some((first, rest)) = path.split_first() else { return Some(value.clone()) };
    match value {
        Value::Array(elements) if *first == "*" => {
            elements.iter().map(|element| descend(element, rest)).collect::<Option<Vec<_>>>().map(Value::Array)
        }
        Value::Array(elements) => descend(elements.get(first.parse::<usize>().ok()?)?, rest),
        Value::Object(fields) => descend(fields.get(*first)?, rest),
        _ => None,
    }
}

fn lines(text: &str) -> Value {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).collect()
}

fn words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(elements) => elements.iter().map(words).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn filled(template: &str) -> Result<Value, String> {
        let mut scope = Scope::new(json!({ "name": "ada", "n": 3, "trick": "${input.name}" }));
        scope.set("files", json!({ "entries": [{ "name": "a" }, { "name": "b" }] }));
        scope.set("lists", json!([[1, 2], [], [3]]));
        scope.set("line", json!("12"));
        scope.set("read", json!({ "content": "# c\n\none\n two \n" }));
        text(template, &scope)
    }

    #[test]
    fn expressions_lead_where_their_path_says() {
        for (template, expected) in [
            ("${input.n}", json!(3)),
            ("n = ${input.n}, ${ input.name }", json!("n = 3, ada")),
            ("${files.entries.*.name}", json!(["a", "b"])),
            ("${files.entries.1.name}!", json!("b!")),
            ("${files.entries|count}", json!(2)),
            ("${files.entries.*.name|bullets}", json!("- a\n- b\n")),
            ("${read.content|lines}", json!(["one", "two"])),
            ("${lists|flat}", json!([1, 2, 3])),
            ("${line|number}", json!(12)),
            ("no expression }", json!("no expression }")),
        ] {
            assert_eq!(filled(template), Ok(expected), "{template}");
        }
    }

    #[test]
    fn what_was_filled_in_is_not_filled_in_again() {
        assert_eq!(filled("${input.trick}"), Ok(json!("${input.name}")));
        assert_eq!(filled("a ${input.trick} b"), Ok(json!("a ${input.name} b")));
    }

    #[test]
    fn more_than_a_turn_may_fill_in_is_an_error() {
        let scope = Scope::new(json!("x".repeat(1 << 20)));
        assert!(text(&"${input}".repeat(60), &scope).is_ok());
        assert!(text(&"${input}".repeat(60), &scope).is_err());
        let scope = Scope::new(json!("x".repeat(1 << 20)));
        assert!(value(&json!(vec!["${input}"; 1000]), &scope).is_err());
    }

    #[test]
    fn what_leads_nowhere_is_an_error() {
        for template in [
            "${}",
            "${input.none}",
            "${other}",
            "${files.entries.7}",
            "${input.n|lines}",
            "${files.entries|flat}",
            "${input.name|number}",
            "${input.name|shout}",
            "${input",
        ] {
            assert!(filled(template).is_err(), "{template}");
        }
    }
}

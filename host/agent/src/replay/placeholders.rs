//! Placeholders for what differs between machines and runs.

use std::path::Path;

use serde_json::Value;

const OPEN: &str = "${bailiwick:";
const CLOSE: &str = "}";
/// Stands for [`OPEN`] itself where a text held it already.
const LITERAL: &str = "literal";
const RUN: &str = "run";
/// The form of a run's id: `d` is a digit, `l` a lower-case letter or a digit.
const RUN_FORM: &[u8] = b"dddddddd-dddddd-ddd-llllllll";

/// Directories whose paths differ from machine to machine, each with the name that stands for it in a file.
#[derive(Debug, Clone, Default)]
pub struct Placeholders(Vec<(String, String)>);

impl Placeholders {
    /// No directory is replaced; ids of runs are all the same.
    #[must_use]
    pub fn none() -> Self {
        Self::default()
    }

    /// Paths that are not absolute, not UTF-8, or the root, are passed over: they would be found in any text.
    pub fn new<'a>(directories: impl IntoIterator<Item = (&'a str, &'a Path)>) -> Self {
        let mut places = Vec::new();
        for (name, path) in directories {
            let Some(text) = path.to_str() else { continue };
            if path.is_absolute() && path.parent().is_some() {
                places.push((text.trim_end_matches('/').to_owned(), name.to_owned()));
            }
        }
        // The longest goes first: a directory may lie in another.
        places.sort_by_key(|(path, _)| std::cmp::Reverse(path.len()));
        Self(places)
    }

    /// The value with placeholders, in texts and in names of fields.
    pub(crate) fn hide(&self, value: Value) -> Value {
        each(value, &|text| self.hide_text(text))
    }

    /// The value with the present paths in the place of placeholders.
    pub(crate) fn show(&self, value: Value) -> Value {
        each(value, &|text| self.show_text(text))
    }

    fn hide_text(&self, text: &str) -> String {
        let (mut hidden, mut rest, mut before) = (String::with_capacity(text.len()), text, None);
        while let Some(next) = rest.chars().next() {
            let found = if rest.starts_with(OPEN) {
                Some((LITERAL, OPEN.len()))
            } else if before.is_some_and(joins) {
                None
            } else if let Some(length) = run_id(rest) {
                Some((RUN, length))
            } else {
                self.path(rest)
            };
            let taken = match found {
                Some((name, length)) => {
                    hidden.extend([OPEN, name, CLOSE]);
                    length
                }
                None => {
                    hidden.push(next);
                    next.len_utf8()
                }
            };
            before = rest[..taken].chars().next_back();
            rest = &rest[taken..];
        }
        hidden
    }

    fn path(&self, rest: &str) -> Option<(&str, usize)> {
        let ends = |path: &str| !rest[path.len()..].chars().next().is_some_and(joins);
        let (path, name) = self.0.iter().find(|(path, _)| rest.starts_with(path.as_str()) && ends(path))?;
        Some((name, path.len()))
    }

    fn show_text(&self, text: &str) -> String {
        let (mut shown, mut rest) = (String::with_capacity(text.len()), text);
        let known = || self.0.iter().map(|(path, name)| (path.as_str(), name.as_str()));
        while let Some((before, after)) = rest.split_once(OPEN) {
            let behind = |name: &str| after.strip_prefix(name)?.strip_prefix(CLOSE);
            let found = known().chain([(OPEN, LITERAL)]).find_map(|(word, name)| Some((word, behind(name)?)));
            // An id of a run has no present counterpart, and an unknown name may be meant as it stands.
            let (word, behind) = found.unwrap_or((OPEN, after));
            shown.extend([before, word]);
            rest = behind;
        }
        shown + rest
    }
}

/// Whether a character makes one word of what stands beside it.
fn joins(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '-')
}

fn run_id(rest: &str) -> Option<usize> {
    let bytes = rest.as_bytes().get(..RUN_FORM.len())?;
    let fits = bytes.iter().zip(RUN_FORM).all(|(byte, form)| match form {
        b'd' => byte.is_ascii_digit(),
        b'l' => byte.is_ascii_lowercase() || byte.is_ascii_digit(),
        other => byte == other,
    });
    (fits && !rest[RUN_FORM.len()..].chars().next().is_some_and(joins)).then_some(RUN_FORM.len())
}

fn each(value: Value, change: &dyn Fn(&str) -> String) -> Value {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => value,
        Value::String(text) => Value::String(change(&text)),
        Value::Array(elements) => elements.into_iter().map(|element| each(element, change)).collect(),
        Value::Object(fields) => fields.into_iter().map(|(name, field)| (change(&name), each(field, change))).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn places() -> Placeholders {
        Placeholders::new([
            ("sdk", Path::new("/home/a/sdk")),
            ("home", Path::new("/home/a/")),
            ("root", Path::new("/")),
        ])
    }

    #[test]
    fn paths_become_placeholders_and_the_paths_of_another_machine() {
        let text = json!({"/home/a/x": ["see `/home/a/sdk/f.py:3`, /home/a.", "/home/ab /b/home/a /home/a/sdk-2"]});
        let hidden = places().hide(text);
        let expected = json!({"${bailiwick:home}/x": [
            "see `${bailiwick:sdk}/f.py:3`, ${bailiwick:home}.", "/home/ab /b/home/a ${bailiwick:home}/sdk-2"
        ]});
        assert_eq!(hidden, expected);
        let other = Placeholders::new([("sdk", Path::new("/srv/sdk")), ("home", Path::new("/home/b"))]);
        assert_eq!(other.show(hidden)["/home/b/x"][0], "see `/srv/sdk/f.py:3`, /home/b.");
    }

    #[test]
    fn id_of_a_run_is_the_same_in_every_run_and_other_numbers_stay() {
        let text = "runs/20261120-130405-678-k3m9x2qa/work and 20261120-130405-678-k3m9x2qab and 20261120";
        let expected = "runs/${bailiwick:run}/work and 20261120-130405-678-k3m9x2qab and 20261120";
        assert_eq!(places().hide_text(text), expected);
    }

    #[test]
    fn text_that_looks_like_a_placeholder_comes_back_as_it_was() {
        for text in ["${bailiwick:home}", "a ${bailiwick: b", "${bailiwick:${bailiwick:literal}}", "${other}"] {
            assert_eq!(places().show_text(&places().hide_text(text)), text);
        }
        assert!(!places().show_text(&places().hide_text("${bailiwick:home}")).contains("/home/a"));
    }
}

//! Names in Java text that stands in strings.

use std::ops::Range;

use tree_sitter::Node;

use super::source::Source;
use crate::syntax::children;

/// A name in a piece of Java text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CodeName {
    /// Its bytes in the file.
    pub(super) span: Range<usize>,
    /// What stands in front of its dot; `Some("this")` for `this.name`, `None` where there is no dot. Empty where it
    /// is not a plain name.
    pub(super) receiver: Option<String>,
}

/// The names in a string literal that holds Java code. Strings inside that code are not code.
pub(super) fn names_in(source: &Source, literal: Node<'_>) -> Vec<CodeName> {
    let mut found = Vec::new();
    let mut inside = false;
    let mut before = String::new();
    let block = source.text(literal).starts_with("\"\"\"");
    for part in children(literal) {
        match part.kind() {
            "string_fragment" | "multiline_string_fragment" => {
                fragment(source, part.byte_range(), block, &mut inside, &mut before, &mut found);
            }
            "escape_sequence" => {
                if matches!(source.text(part), "\\\"") {
                    inside = !inside;
                }
                before.push(' ');
            }
            _ => {}
        }
    }
    found
}

fn fragment(
    source: &Source,
    span: Range<usize>,
    block: bool,
    inside: &mut bool,
    before: &mut String,
    found: &mut Vec<CodeName>,
) {
    let text = source.text.get(span.clone()).unwrap_or_default();
    let mut rest = text.char_indices().peekable();
    while let Some((at, one)) = rest.next() {
        if one == '"' && block {
            *inside = !*inside;
        }
        if !(one.is_alphabetic() || one == '_' || one == '$') {
            before.push(one);
            continue;
        }
        let mut end = at + one.len_utf8();
        while let Some(&(next, c)) = rest.peek() {
            if !(c.is_alphanumeric() || c == '_' || c == '$') {
                break;
            }
            end = next + c.len_utf8();
            rest.next();
        }
        if !*inside && !before.ends_with(|c: char| c.is_ascii_digit()) {
            found.push(CodeName { span: span.start + at..span.start + end, receiver: receiver(before) });
        }
        before.push_str(&text[at..end]);
    }
}

/// The name in front of a dot at the end of `before`.
fn receiver(before: &str) -> Option<String> {
    let trimmed = before.trim_end();
    let object = trimmed.strip_suffix('.')?.trim_end();
    let start = object
        .rfind(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'))
        .map_or(0, |at| at + object[at..].chars().next().map_or(1, char::len_utf8));
    let chained = object[..start].trim_end().ends_with('.');
    Some(if chained { String::new() } else { object[start..].to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(code: &str) -> Vec<(String, Option<String>)> {
        let text = format!("class A {{ Object o = f({code}); }}");
        let source = Source::parse("A.java", &text).unwrap();
        let literal = source.nodes().into_iter().find(|node| node.kind() == "string_literal").unwrap();
        names_in(&source, literal).into_iter().map(|one| (source.text[one.span].to_owned(), one.receiver)).collect()
    }

    #[test]
    fn names_are_found_with_what_stands_before_the_dot() {
        let found = names(r#""{ return this.displayName + other.getName() + plain; }""#);
        let wanted = [
            ("return", None),
            ("this", None),
            ("displayName", Some("this")),
            ("other", None),
            ("getName", Some("other")),
            ("plain", None),
        ];
        let wanted: Vec<_> =
            wanted.map(|(name, receiver)| (name.to_owned(), receiver.map(str::to_owned))).into_iter().collect();
        assert_eq!(found, wanted);
        assert_eq!(names(r#""a.b.c""#)[2], ("c".to_owned(), Some(String::new())));
    }

    #[test]
    fn strings_inside_the_code_are_not_code() {
        let found = names(r#""{ return \"displayName\\n\" + name; }""#);
        assert!(!found.iter().any(|(name, _)| name == "displayName" || name == "n"), "{found:?}");
        assert!(found.iter().any(|(name, _)| name == "name"));
        let block = names("\"\"\"\n  return \"displayName\" + name;\n\"\"\"");
        assert_eq!(block.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["return", "name"]);
    }
}

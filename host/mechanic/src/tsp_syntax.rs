//! Finds the top-level statements of a TypeSpec file without changing a byte of it.
//!
//! Not a parser of the language: it knows comments, strings, brackets and where a statement ends, which is what editing
//! imports, usings and augment decorators takes.

use std::ops::Range;

use super::work;

/// What a statement is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `import "…";` with the text between the quotes.
    Import(String),
    /// `using …;`
    Using(String),
    /// `@@name(…);` with its name without `@@` and namespace, and its arguments, the target first.
    Augment { name: String, arguments: Vec<Range<usize>> },
    /// Anything else.
    Other,
}

/// A top-level statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Statement {
    pub(crate) kind: Kind,
    /// Its bytes, from its first character to its `;` or `}`.
    pub(crate) span: Range<usize>,
    /// The line of its first character, from 1.
    pub(crate) line: u32,
}

/// The top-level statements of a file, in order.
pub(crate) fn statements(text: &str) -> Vec<Statement> {
    let mut found = Vec::new();
    // Lines are counted on from statement to statement.
    let (mut line, mut counted) = (1_u32, 0);
    let mut at = usize::from(text.starts_with('\u{feff}')) * '\u{feff}'.len_utf8();
    loop {
        at = skip_space(text, at);
        if at >= text.len() {
            return found;
        }
        // `#suppress …` and `#deprecated …` take a line of their own and belong to what follows.
        if text[at..].starts_with('#') {
            at = text[at..].find('\n').map_or(text.len(), |end| at + end);
            continue;
        }
        let end = statement_end(text, at);
        line = line.saturating_add(u32::try_from(text[counted..at].matches('\n').count()).unwrap_or(u32::MAX));
        work::steps(at - counted);
        counted = at;
        found.push(Statement { kind: kind(text, at..end), span: at..end, line });
        at = end;
    }
}

fn skip_space(text: &str, mut at: usize) -> usize {
    while let Some(c) = text[at..].chars().next() {
        match comment_end(text, at) {
            Some(end) => at = end,
            None if c.is_whitespace() || c == '\u{feff}' => at += c.len_utf8(),
            None => break,
        }
    }
    at
}

/// The end of the comment that begins here.
fn comment_end(text: &str, at: usize) -> Option<usize> {
    work::steps(1);
    let rest = &text[at..];
    if rest.starts_with("//") {
        Some(rest.find('\n').map_or(text.len(), |end| at + end))
    } else {
        let inner = rest.strip_prefix("/*")?;
        Some(inner.find("*/").map_or(text.len(), |end| at + 2 + end + 2))
    }
}

/// The end of the string or quoted identifier that begins here.
fn string_end(text: &str, at: usize) -> Option<usize> {
    let rest = &text[at..];
    if let Some(inner) = rest.strip_prefix("\"\"\"") {
        return Some(inner.find("\"\"\"").map_or(text.len(), |end| at + 3 + end + 3));
    }
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '`'))?;
    let mut escaped = false;
    for (offset, c) in rest.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return Some(at + offset + 1),
            _ => {}
        }
    }
    Some(text.len())
}

/// Walks over a text and tells for each character outside comments and strings where it stands and how deep.
fn walk(text: &str, range: Range<usize>, mut visit: impl FnMut(usize, char, usize) -> bool) {
    let mut at = range.start;
    let mut depth = 0_usize;
    while at < range.end {
        if let Some(end) = comment_end(text, at).or_else(|| string_end(text, at)) {
            at = end;
            continue;
        }
        let Some(c) = text[at..].chars().next() else { return };
        if matches!(c, ')' | ']' | '}') {
            depth = depth.saturating_sub(1);
        }
        if !visit(at, c, depth) {
            return;
        }
        if matches!(c, '(' | '[' | '{') {
            depth += 1;
        }
        at += c.len_utf8();
    }
}

fn statement_end(text: &str, start: usize) -> usize {
    let mut end = text.len();
    walk(text, start..text.len(), |at, c, depth| {
        if depth == 0 && matches!(c, ';' | '}') {
            end = at + 1;
            // `model A is B<{}>;` goes on after a brace that closes a value.
            let rest = &text[end..];
            work::steps(rest.len() - rest.trim_start().len());
            let goes_on = c == '}' && rest.trim_start().starts_with(['>', ',', ')', '&', '|']);
            return goes_on;
        }
        true
    });
    end
}

/// What stands between the braces of a statement's block; `None` for a statement without one.
pub(crate) fn block(text: &str, span: Range<usize>) -> Option<Range<usize>> {
    let mut open = None;
    walk(text, span.clone(), |at, c, depth| {
        if depth == 0 && c == '{' {
            open = Some(at + 1);
        }
        open.is_none()
    });
    let inside = open?..span.end.checked_sub(1)?;
    let closes = text.get(inside.end..).is_some_and(|rest| rest.starts_with('}'));
    (inside.start <= inside.end && closes).then_some(inside)
}

fn kind(text: &str, span: Range<usize>) -> Kind {
    let statement = &text[span.clone()];
    if let Some(rest) =
        statement.strip_prefix("import").filter(|rest| rest.starts_with(|c: char| c.is_whitespace() || c == '"'))
    {
        let path = rest.split('"').nth(1).unwrap_or_default();
        return Kind::Import(path.to_owned());
    }
    if let Some(rest) = statement.strip_prefix("using").filter(|rest| rest.starts_with(char::is_whitespace)) {
        return Kind::Using(rest.trim_end_matches(';').trim().to_owned());
    }
    let Some(rest) = statement.strip_prefix("@@") else { return Kind::Other };
    let Some(open) = rest.find('(') else { return Kind::Other };
    let name = rest[..open].trim().rsplit('.').next().unwrap_or_default().to_owned();
    Kind::Augment { name, arguments: arguments(text, span.start + 2 + open, span.end) }
}

/// The arguments between the bracket at `open` and its match, trimmed.
fn arguments(text: &str, open: usize, end: usize) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = open + 1;
    walk(text, open..end, |at, c, depth| {
        if (c == ',' && depth == 1) || (c == ')' && depth == 0) {
            found.push(trimmed(text, from..at));
            from = at + 1;
        }
        !(c == ')' && depth == 0)
    });
    found.retain(|argument| !argument.is_empty());
    found
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let start = skip_space(text, range.start).min(range.end);
    let end = start + text[start..range.end].trim_end().len();
    start..end
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn statements_are_found_through_comments_strings_and_brackets() {
        let text = "\u{feff}// import \"no\";\nimport \"./main.tsp\";\r\n/* using No; */ using A.B;\n#suppress \"x\" \"y;z\"\n@@clientName(A.b, \"x,)\\\";\", \"python\"); // end\nmodel C { d: string; }\n@@access(\n  A.c,\n  Access.internal\n);";
        let found = statements(text);
        let kinds: Vec<_> = found.iter().map(|statement| (&statement.kind, statement.line)).collect();
        assert_eq!(kinds[0], (&Kind::Import("./main.tsp".into()), 2));
        assert_eq!(kinds[1], (&Kind::Using("A.B".into()), 3));
        let Kind::Augment { name, arguments } = kinds[2].0 else { panic!("{kinds:?}") };
        let arguments: Vec<&str> = arguments.iter().map(|range| &text[range.clone()]).collect();
        assert_eq!((name.as_str(), arguments), ("clientName", vec!["A.b", "\"x,)\\\";\"", "\"python\""]));
        assert_eq!(kinds[3], (&Kind::Other, 6));
        let Kind::Augment { arguments, .. } = kinds[4].0 else { panic!("{kinds:?}") };
        assert_eq!((arguments.len(), kinds[4].1), (2, 7));
    }

    proptest! {
        #[test]
        fn any_text_is_walked_without_a_panic(text in "\\PC*") {
            for statement in statements(&text) {
                prop_assert!(text.get(statement.span).is_some());
            }
        }

        #[test]
        fn any_mix_of_syntax_is_walked_without_a_panic(text in "[@(){}\\[\\]\"`;,/*#\\\\ \nimportusing.é\u{feff}]{0,80}") {
            for statement in statements(&text) {
                prop_assert!(text.get(statement.span).is_some());
            }
        }
    }
}

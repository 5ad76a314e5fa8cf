//! Tells a `_patch.py` that customizes something from the stub that the emitter writes.
//!
//! The stub holds a docstring, imports for annotations, an empty `__all__`, and a `patch_sdk()` that does nothing. Every
//! other statement customizes. The text is split into statements the way Python does it, so that a quote in a comment,
//! a bracket in a string or a list over several lines change nothing; what cannot be split counts as customized.

/// Modules whose import changes nothing.
const HARMLESS: &[&str] = &["typing", "typing_extensions", "__future__", "collections.abc"];

/// Whether the file does nothing.
pub(super) fn is_stub(text: &str) -> bool {
    let Some(statements) = split(text) else {
        return false;
    };
    let mut inside_patch_sdk = false;
    statements.iter().all(|statement| {
        if statement.indented {
            return inside_patch_sdk && does_nothing(&statement.text);
        }
        inside_patch_sdk = false;
        if let Some(body) = patch_sdk_body(&statement.text) {
            inside_patch_sdk = true;
            return body.is_empty() || does_nothing(body);
        }
        does_nothing(&statement.text) || is_harmless_import(&statement.text) || is_empty_all(&statement.text)
    })
}

/// One statement: comments gone, every string replaced by `""` or, when it is not empty, by `"s"`.
struct Statement {
    indented: bool,
    text: String,
}

fn does_nothing(text: &str) -> bool {
    matches!(text, "" | "pass" | "..." | "return" | "return None" | "\"s\"" | "\"\"")
}

/// What follows the colon of `def patch_sdk(…):` on the same line.
fn patch_sdk_body(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("def ")?.trim_start();
    let rest = rest.strip_prefix("patch_sdk")?.trim_start();
    if !rest.starts_with('(') {
        return None;
    }
    let (_, after) = rest.split_once(')')?;
    let (_, body) = after.split_once(':')?;
    Some(body.trim())
}

fn is_harmless_import(text: &str) -> bool {
    let from = text.strip_prefix("from ").and_then(|rest| rest.split_once(" import")).map(|(module, _)| module.trim());
    let plain = text.strip_prefix("import ").map(str::trim);
    from.or(plain).is_some_and(|module| HARMLESS.contains(&module))
}

/// `__all__ = []`, with or without annotation, also as a tuple, and additions of nothing.
fn is_empty_all(text: &str) -> bool {
    let compact: String = text.chars().filter(|one| !one.is_whitespace()).collect();
    let Some(rest) = compact.strip_prefix("__all__") else {
        return false;
    };
    let Some((annotation, value)) = rest.split_once('=') else {
        // An annotation alone assigns nothing.
        return rest.starts_with(':');
    };
    let plain = annotation.is_empty() || annotation == "+" || annotation.starts_with(':');
    plain && matches!(value, "[]" | "()" | "list()" | "tuple()")
}

/// Statements in their order, or `None` where a string or a bracket does not end.
fn split(text: &str) -> Option<Vec<Statement>> {
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n").replace('\r', "\n");
    let mut rest = text.as_str();
    let mut statements = Vec::new();
    let mut current = String::new();
    let mut indented = rest.starts_with([' ', '\t']);
    let mut depth = 0_u32;
    let mut finish = |current: &mut String, indented: bool| {
        let text = std::mem::take(current);
        let text = text.trim();
        if !text.is_empty() {
            statements.push(Statement { indented, text: text.to_owned() });
        }
    };
    while let Some(one) = rest.chars().next() {
        match one {
            '#' => rest = &rest[rest.find('\n').unwrap_or(rest.len())..],
            '"' | '\'' => {
                let (content, after) = string(rest, is_raw(&current))?;
                drop_prefix(&mut current);
                current.push_str(if content { "\"s\"" } else { "\"\"" });
                rest = after;
            }
            '\\' if rest[1..].starts_with('\n') => rest = &rest[2..],
            '\n' => {
                rest = &rest[1..];
                if depth == 0 {
                    finish(&mut current, indented);
                    indented = rest.starts_with([' ', '\t']);
                } else {
                    current.push(' ');
                }
            }
            ';' if depth == 0 => {
                finish(&mut current, indented);
                rest = &rest[1..];
            }
            _ => {
                match one {
                    '(' | '[' | '{' => depth += 1,
                    ')' | ']' | '}' => depth = depth.checked_sub(1)?,
                    _ => {}
                }
                current.push(one);
                rest = &rest[one.len_utf8()..];
            }
        }
    }
    finish(&mut current, indented);
    (depth == 0).then_some(statements)
}

/// The letters in front of a string, as in `rb"…"`.
fn prefix_of(before: &str) -> &str {
    let letters = before.chars().rev().take_while(char::is_ascii_alphabetic).count();
    let prefix = &before[before.len() - letters..];
    let known = prefix.len() <= 2 && prefix.chars().all(|one| "rRbBuUfFtT".contains(one));
    if known { prefix } else { "" }
}

fn is_raw(before: &str) -> bool {
    prefix_of(before).contains(['r', 'R'])
}

fn drop_prefix(before: &mut String) {
    before.truncate(before.len() - prefix_of(before).len());
}

/// Whether the string at the start of `text` has content, and what follows it.
fn string(text: &str, raw: bool) -> Option<(bool, &str)> {
    let quote = &text[..1];
    let triple = quote.repeat(3);
    let delimiter = if text.starts_with(&triple) { triple.as_str() } else { quote };
    let body = &text[delimiter.len()..];
    let mut at = 0;
    while at < body.len() {
        let rest = &body[at..];
        if let Some(after) = rest.strip_prefix(delimiter) {
            return Some((at > 0, after));
        }
        if delimiter.len() == 1 && rest.starts_with('\n') {
            return None;
        }
        let first = rest.chars().next()?;
        at += first.len_utf8();
        // Even a raw string does not end at a quote behind a backslash.
        if first == '\\'
            && let Some(escaped) = body[at..].chars().next()
            && (!raw || escaped == '\\' || delimiter.starts_with(escaped))
        {
            at += escaped.len_utf8();
        }
    }
    None
}

#[cfg(test)]
mod tests;

//! Letter cases of names: telling two spellings of one name together, and writing one in the case a place asks for.

use bailiwick_sdk::tasks::{EntityKind, Language};

/// What all spellings of a name have in common: its letters and digits in lower case.
/// `deleteWidget`, `delete_widget`, `Delete-Widget` and `delete widget` share one key.
pub(crate) fn key(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The parts of a dotted name, without the backticks and escapes of TypeSpec. A name in backticks stays one part.
pub(crate) fn segments(text: &str) -> Vec<String> {
    let text = text.replace("::parameters.", ".");
    let mut parts = vec![String::new()];
    let mut quoted = false;
    let mut characters = text.chars().peekable();
    // A backtick that nothing closes quotes nothing.
    let mut ticks = text.replace("\\`", "").matches('`').count();
    while let Some(c) = characters.next() {
        let part = parts.last_mut();
        match c {
            '\\' if quoted => part.into_iter().for_each(|part| part.extend(characters.next())),
            '`' => {
                // One behind a backslash outside of quotes was not counted.
                ticks = ticks.saturating_sub(1);
                quoted = !quoted && ticks > 0;
            }
            '.' | '#' | '!' if !quoted => parts.push(String::new()),
            ':' if !quoted && characters.peek() == Some(&':') => {
                characters.next();
                parts.push(String::new());
            }
            _ => part.into_iter().for_each(|part| part.push(c)),
        }
    }
    parts
        .into_iter()
        .map(|part| part.trim().trim_end_matches("()").to_owned())
        .filter(|part| !part.is_empty())
        .collect()
}

/// Whether a text is an identifier in every client language: ASCII, no digit first, not underscores alone.
pub(crate) fn is_identifier(text: &str) -> bool {
    let mut characters = text.chars();
    characters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && characters.all(|c| c.is_ascii_alphanumeric() || c == '_')
        && text.contains(|c: char| c.is_ascii_alphabetic())
}

/// The words of an identifier, as written: `displayName` -> `display`, `Name`; `HTTPServer` -> `HTTP`, `Server`.
pub(crate) fn words(name: &str) -> Vec<String> {
    let characters: Vec<char> = name.chars().collect();
    let mut words = Vec::new();
    let mut word = String::new();
    for (at, &c) in characters.iter().enumerate() {
        if !c.is_alphanumeric() {
            if !word.is_empty() {
                words.push(std::mem::take(&mut word));
            }
            continue;
        }
        let before = at.checked_sub(1).and_then(|i| characters.get(i));
        let after = characters.get(at + 1);
        let starts = c.is_uppercase()
            && before.is_some_and(|b| {
                b.is_lowercase() || b.is_ascii_digit() || (b.is_uppercase() && after.is_some_and(|a| a.is_lowercase()))
            });
        if starts && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        word.push(c);
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

fn capitalised(word: &str) -> String {
    let mut characters = word.chars();
    characters.next().map(|first| first.to_uppercase().chain(characters).collect()).unwrap_or_default()
}

/// Whether a name is written in one letter case throughout, so that its capitals say nothing.
fn is_shouted(name: &str) -> bool {
    name.contains('_') && !name.chars().any(char::is_lowercase)
}

/// A name in PascalCase. Capitals inside words stay: `analyzeURL` -> `AnalyzeURL`.
pub(crate) fn pascal(name: &str) -> String {
    let shouted = is_shouted(name);
    words(name).iter().map(|word| capitalised(&if shouted { word.to_lowercase() } else { word.clone() })).collect()
}

/// A name in camelCase: `DisplayTitle`, `display_title` and `DISPLAY_TITLE` -> `displayTitle`.
pub(crate) fn camel(name: &str) -> String {
    let shouted = is_shouted(name);
    words(name)
        .iter()
        .enumerate()
        .map(|(at, word)| {
            if at == 0 {
                word.to_lowercase()
            } else if shouted {
                capitalised(&word.to_lowercase())
            } else {
                capitalised(word)
            }
        })
        .collect()
}

/// A client name in the case in which TypeSpec writes names of this kind. `old` decides for enum members, which have no
/// one case.
pub(crate) fn client_name(kind: EntityKind, old: &str, new: &str) -> String {
    let member_in_pascal = kind == EntityKind::EnumMember && old.starts_with(char::is_uppercase);
    if kind.is_type() || kind == EntityKind::Namespace || member_in_pascal { pascal(new) } else { camel(new) }
}

/// The words that Java keeps for itself.
pub(crate) const JAVA_KEYWORDS: &[&str] = list! {
    "abstract" "assert" "boolean" "break" "byte" "case" "catch" "char" "class" "const" "continue"
    "default" "do" "double" "else" "enum" "extends" "false" "final" "finally" "float" "for" "goto" "if"
    "implements" "import" "instanceof" "int" "interface" "long" "native" "new" "null" "package"
    "private" "protected" "public" "return" "short" "static" "strictfp" "super" "switch" "synchronized"
    "this" "throw" "throws" "transient" "true" "try" "void" "volatile" "while"
};

/// Whether the language keeps this word for itself, so that nothing in a client can have it as its name.
pub(crate) fn is_reserved(language: Language, name: &str) -> bool {
    let reserved: &[&str] = match language {
        Language::Python => bailiwick_sdk::python_names::KEYWORDS,
        Language::Java => JAVA_KEYWORDS,
        Language::Dotnet => list! {
            "abstract" "as" "base" "bool" "break" "byte" "case" "catch" "char" "checked" "class" "const"
            "continue" "decimal" "default" "delegate" "do" "double" "else" "enum" "event" "explicit" "extern"
            "false" "finally" "fixed" "float" "for" "foreach" "goto" "if" "implicit" "in" "int" "interface"
            "internal" "is" "lock" "long" "namespace" "new" "null" "object" "operator" "out" "override"
            "params" "private" "protected" "public" "readonly" "ref" "return" "sbyte" "sealed" "short" "sizeof"
            "stackalloc" "static" "string" "struct" "switch" "this" "throw" "true" "try" "typeof" "uint"
            "ulong" "unchecked" "unsafe" "ushort" "using" "virtual" "void" "volatile" "while"
        },
        Language::Javascript => list! {
            "await" "break" "case" "catch" "class" "const" "continue" "debugger" "default" "delete" "do" "else"
            "enum" "export" "extends" "false" "finally" "for" "function" "if" "implements" "import" "in"
            "instanceof" "interface" "let" "new" "null" "package" "private" "protected" "public" "return"
            "static" "super" "switch" "this" "throw" "true" "try" "typeof" "var" "void" "while" "with" "yield"
        },
        Language::Go => list! {
            "break" "case" "chan" "const" "continue" "default" "defer" "else" "fallthrough" "for" "func" "go"
            "goto" "if" "import" "interface" "map" "package" "range" "return" "select" "struct" "switch" "type"
            "var"
        },
    };
    reserved.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_name_share_a_key() {
        for name in ["deleteWidget", "delete_widget", "Delete-Widget", "delete widget", "DELETE_WIDGET"] {
            assert_eq!(key(name), "deletewidget");
        }
    }

    #[test]
    fn names_are_written_in_the_case_of_their_kind() {
        for (kind, given, written) in [
            (EntityKind::Property, "DisplayTitle", "displayTitle"),
            (EntityKind::Property, "display_title", "displayTitle"),
            (EntityKind::Property, "DISPLAY_TITLE", "displayTitle"),
            (EntityKind::Property, "TITLE", "title"),
            (EntityKind::Property, "HTTPStatus", "httpStatus"),
            (EntityKind::Operation, "Remove_widget", "removeWidget"),
            (EntityKind::Model, "widget_analysis", "WidgetAnalysis"),
            (EntityKind::Model, "widgetAnalysis", "WidgetAnalysis"),
            (EntityKind::Model, "AnalysisURL", "AnalysisURL"),
        ] {
            assert_eq!(client_name(kind, "old", given), written, "{given}");
        }
        assert_eq!(client_name(EntityKind::EnumMember, "Active", "in_use"), "InUse");
        assert_eq!(client_name(EntityKind::EnumMember, "active", "InUse"), "inUse");
    }

    #[test]
    fn only_identifiers_are_identifiers() {
        for good in ["title", "_x", "Widget2"] {
            assert!(is_identifier(good), "{good}");
        }
        for bad in ["", "2fast", "a-b", "a b", "tïtle", "_", "a.b"] {
            assert!(!is_identifier(bad), "{bad}");
        }
    }
}

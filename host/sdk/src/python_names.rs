//! Names as the Python emitter writes them, so that hand-written code can be compared with them.
//!
//! The rules are those of `@typespec/http-client-python` 0.28: snake_case by word, a digit joined to the letter before
//! it, and a suffix for words that Python or the emitter's own base classes use.

use crate::tasks::{Entity, EntityKind};

/// Python's keywords, and the words that the emitter treats like them.
pub const KEYWORDS: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del",
    "elif", "else", "except", "exec", "finally", "for", "from", "global", "if", "import", "in", "int", "is", "lambda",
    "nonlocal", "not", "or", "pass", "raise", "return", "self", "try", "while", "with", "yield",
];

/// Members of the emitter's model base class: a property of such a name gets a suffix.
const MODEL_MEMBERS: &[&str] = &[
    "keys",
    "items",
    "values",
    "popitem",
    "clear",
    "update",
    "setdefault",
    "pop",
    "get",
    "copy",
    "as_dict",
    "datetime",
];

/// `displayName` -> `display_name`, `HTTPServer` -> `http_server`, `abc2Def` -> `abc2_def`.
#[must_use]
pub fn snake(name: &str) -> String {
    let spaced = space_out(name);
    let mut parts: Vec<String> = Vec::new();
    for word in spaced.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let number = word.chars().all(|c| c.is_ascii_digit());
        match parts.last_mut() {
            // A number belongs to the word before it, unless that ends with a number too.
            Some(last) if number && !last.ends_with(|c: char| c.is_ascii_digit()) => last.push_str(word),
            _ => parts.push(word.to_lowercase()),
        }
    }
    parts.join("_")
}

/// Puts a space where a word begins: after a small letter, round numbers, and before the last capital of a run.
fn space_out(name: &str) -> String {
    let characters: Vec<char> = name.chars().collect();
    let mut spaced = String::with_capacity(name.len() + 8);
    for (at, &c) in characters.iter().enumerate() {
        let before = at.checked_sub(1).map(|i| characters[i]);
        let after = characters.get(at + 1).copied();
        let begins = before.is_some_and(|b| {
            (c.is_uppercase() && b.is_lowercase())
                || (c.is_ascii_digit() != b.is_ascii_digit())
                || (c.is_uppercase()
                    && b.is_uppercase()
                    && after.is_some_and(char::is_lowercase)
                    && !ends_plural(&characters, at))
        });
        if begins {
            spaced.push(' ');
        }
        spaced.push(c);
    }
    spaced
}

/// Whether the capital at `at` ends a plural of capitals with more behind it (`MBsFoo`), which stays one word.
fn ends_plural(characters: &[char], at: usize) -> bool {
    characters.get(at + 1) == Some(&'s') && characters.get(at + 2).is_some_and(|c| !c.is_lowercase())
}

/// The name of an entity of this kind in generated Python, from its client name.
#[must_use]
pub fn python_name(kind: EntityKind, name: &str) -> String {
    match kind {
        EntityKind::Model | EntityKind::Enum | EntityKind::Union | EntityKind::Scalar => {
            let mut characters = name.chars();
            characters.next().map(|c| c.to_uppercase().chain(characters).collect()).unwrap_or_default()
        }
        EntityKind::Interface => format!("{name}Operations"),
        EntityKind::EnumMember if !name.chars().any(char::is_lowercase) => name.to_owned(),
        EntityKind::EnumMember => snake(name).to_uppercase(),
        EntityKind::Property => padded(snake(name), "_property", true),
        EntityKind::Operation => padded(snake(name), "_method", false),
        EntityKind::Parameter => padded(snake(name), "_parameter", false),
        EntityKind::Namespace => snake(name),
    }
}

/// Whether generated Python would carry another name than the one asked for.
#[must_use]
pub fn is_padded(kind: EntityKind, name: &str) -> bool {
    let plain = snake(name);
    matches!(kind, EntityKind::Property | EntityKind::Operation | EntityKind::Parameter)
        && python_name(kind, name) != plain
}

fn padded(name: String, suffix: &str, of_model: bool) -> String {
    let taken = KEYWORDS.contains(&name.as_str()) || (of_model && MODEL_MEMBERS.contains(&name.as_str()));
    if taken { name + suffix } else { name }
}

/// The name of an entity in the generated Python of today: its client name, else its own.
#[must_use]
pub fn of_entity(entity: &Entity) -> String {
    let name = entity.client.as_ref().map_or(&entity.name, |client| &client.name);
    let plain = python_name(entity.kind, name);
    let hidden = entity.client.as_ref().is_some_and(|client| client.access == crate::tasks::Access::Internal);
    if hidden && entity.kind == EntityKind::Operation { format!("_{plain}") } else { plain }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_written_as_the_emitter_writes_them() {
        // Each pair is what `camelToSnakeCase` of the emitter yields.
        for (name, python) in [
            ("displayName", "display_name"),
            ("title", "title"),
            ("HTTPServer", "http_server"),
            ("partIds", "part_ids"),
            ("resourceIDs", "resource_i_ds"),
            ("MBsFoo", "mbs_foo"),
            ("abc2Def", "abc2_def"),
            ("v2025_03_01", "v2025_03_01"),
            ("sha256", "sha256"),
            ("URLPath", "url_path"),
            ("getHTTPSUrl", "get_https_url"),
            ("IPv4Address", "i_pv4_address"),
            ("aB", "a_b"),
            ("x509Certificate", "x509_certificate"),
            ("odata2v", "odata2_v"),
            ("userID", "user_id"),
            ("OAuth2Flow", "o_auth2_flow"),
            ("ETag", "e_tag"),
            ("DISPLAY_NAME", "display_name"),
        ] {
            assert_eq!(snake(name), python);
        }
        assert_eq!(python_name(EntityKind::Property, "class"), "class_property");
        assert_eq!(python_name(EntityKind::Property, "items"), "items_property");
        assert_eq!(python_name(EntityKind::Operation, "import"), "import_method");
        assert_eq!(python_name(EntityKind::EnumMember, "outOfStock"), "OUT_OF_STOCK");
        assert_eq!(python_name(EntityKind::Interface, "Widgets"), "WidgetsOperations");
    }

    #[test]
    fn name_the_emitter_would_change_is_told() {
        assert!(is_padded(EntityKind::Property, "items"));
        assert!(!is_padded(EntityKind::Operation, "items"));
        assert!(!is_padded(EntityKind::Property, "displayTitle"));
    }
}

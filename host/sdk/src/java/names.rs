//! Names as the Java emitter writes them.

use crate::tasks::EntityKind;

/// How generated code writes a member of this client name: a property is a field and its accessors, an operation is
/// several methods. The same position stands for the same thing, so that two names can be compared one by one.
#[must_use]
pub fn member_names(kind: EntityKind, name: &str) -> Vec<String> {
    let lower = with_first(name, char::to_lowercase);
    let upper = with_first(name, char::to_uppercase);
    match kind {
        EntityKind::Property => {
            vec![lower, format!("get{upper}"), format!("is{upper}"), format!("set{upper}"), format!("with{upper}")]
        }
        EntityKind::Operation => vec![
            lower.clone(),
            format!("{lower}WithResponse"),
            format!("{lower}Async"),
            format!("{lower}WithResponseAsync"),
            format!("begin{upper}"),
            format!("begin{upper}WithModel"),
            format!("begin{upper}Async"),
            format!("begin{upper}WithModelAsync"),
            format!("{lower}SinglePage"),
            format!("{lower}SinglePageAsync"),
            format!("{lower}NextSinglePage"),
            format!("{lower}NextSinglePageAsync"),
        ],
        EntityKind::EnumMember => vec![constant_name(name)],
        _ => vec![name.to_owned()],
    }
}

fn with_first<I: Iterator<Item = char>>(name: &str, change: impl Fn(char) -> I) -> String {
    let mut characters = name.chars();
    characters.next().map(|first| change(first).chain(characters).collect()).unwrap_or_default()
}

/// `outOfStock` -> `OUT_OF_STOCK`, and `cRLSign` -> `C_RLSIGN`: a word begins at a capital after a small letter alone, and the
/// last character begins none.
#[must_use]
pub fn constant_name(name: &str) -> String {
    let characters: Vec<char> = name.chars().collect();
    let mut constant = String::new();
    for (at, &one) in characters.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| characters[at]);
        if one.is_uppercase() && before.is_some_and(char::is_lowercase) && at + 1 < characters.len() {
            constant.push('_');
        }
        constant.extend(if one.is_alphanumeric() { one.to_uppercase().collect() } else { vec!['_'] });
    }
    constant
}

/// Whether a generated class has the operations of this interface of the client model.
#[must_use]
pub fn operation_owner(class: &str, interface: &str) -> bool {
    let rest = class.strip_prefix(interface).unwrap_or("?");
    matches!(rest, "" | "Client" | "AsyncClient" | "Impl" | "ClientImpl")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_written_as_the_emitter_writes_them() {
        assert_eq!(
            member_names(EntityKind::Property, "displayName"),
            ["displayName", "getDisplayName", "isDisplayName", "setDisplayName", "withDisplayName"]
        );
        assert!(member_names(EntityKind::Operation, "analyzeWidget").contains(&"beginAnalyzeWidget".to_owned()));
        // As the emitter's own function writes them.
        for (name, constant) in [
            ("outOfStock", "OUT_OF_STOCK"),
            ("Active", "ACTIVE"),
            ("HTTPServer", "HTTPSERVER"),
            ("cRLSign", "C_RLSIGN"),
            ("v2Beta", "V2BETA"),
            ("utf16CodeUnit", "UTF16CODE_UNIT"),
            ("myURL", "MY_URL"),
            ("fooB", "FOOB"),
            ("oct_HSM", "OCT_HSM"),
        ] {
            assert_eq!(constant_name(name), constant);
        }
        assert!(operation_owner("WidgetsAsyncClient", "Widgets") && !operation_owner("WidgetsHelper", "Widgets"));
    }
}

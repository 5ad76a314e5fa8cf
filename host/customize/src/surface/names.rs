//! One thing under the names that specification, client model and code give it.

use bailiwick_sdk::python_names::python_name;
use bailiwick_sdk::tasks::{EntityKind, Language};

/// What emitters put in front of a name, and behind it.
const BEFORE: [&str; 6] = ["get", "set", "is", "begin", "new", "list"];
const BEHIND: [&str; 9] =
    ["async", "withresponse", "options", "optionalparams", "response", "pager", "poller", "operations", "client"];

/// A name without letter case and signs.
pub(crate) fn folded(name: &str) -> String {
    name.chars().filter(|one| one.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The folded names that a name in code may stand for: itself, and itself without what emitters add.
pub(super) fn stems(name: &str) -> Vec<String> {
    let whole = folded(name);
    let mut found = vec![whole.clone()];
    let mut add = |name: &str| {
        if name.len() > 1 && !found.iter().any(|one| one == name) {
            found.push(name.to_owned());
        }
    };
    let without_end = |name: &str| BEHIND.iter().find_map(|end| name.strip_suffix(end)).map(str::to_owned);
    for begin in BEFORE.into_iter().chain([""]) {
        let Some(rest) = whole.strip_prefix(begin) else { continue };
        add(rest);
        // `listWidgetsWithResponseAsync` has two of them.
        let mut rest = rest.to_owned();
        while let Some(shorter) = without_end(&rest).filter(|shorter| !shorter.is_empty()) {
            add(&shorter);
            rest = shorter;
        }
    }
    found
}

/// A name of the client model as generated code of a language writes it.
pub(super) fn spelled(language: Language, kind: EntityKind, name: &str) -> String {
    match language {
        Language::Python if kind != EntityKind::Namespace && kind != EntityKind::Interface => python_name(kind, name),
        Language::Dotnet | Language::Go if kind != EntityKind::Parameter => {
            let mut rest = name.chars();
            rest.next().map(|first| first.to_uppercase().chain(rest).collect()).unwrap_or_default()
        }
        _ => name.to_owned(),
    }
}

/// The word for a kind.
pub(super) fn word(kind: EntityKind) -> String {
    match kind {
        EntityKind::EnumMember => "member".to_owned(),
        EntityKind::Interface => "client".to_owned(),
        other => other.noun().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_code_stand_for_those_of_the_client_model() {
        for (code, model) in [
            ("getDisplayName", "displayName"),
            ("begin_analyze_widget", "analyzeWidget"),
            ("DeleteWidgetWithResponseAsync", "deleteWidget"),
            ("NewListWidgetsPager", "listWidgets"),
            ("WidgetsClientDeleteOptions", "WidgetsClientDelete"),
        ] {
            assert!(stems(code).contains(&folded(model)), "{code}: {:?}", stems(code));
        }
        assert!(!stems("get").contains(&String::new()));
    }
}

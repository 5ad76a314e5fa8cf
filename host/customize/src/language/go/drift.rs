//! Fields and methods asked for by a name that is gone, as text: `FieldByName("DisplayName")` gives a zero value then.

use std::collections::BTreeSet;

use bailiwick_sdk::method_names::pascal;
use bailiwick_sdk::tasks::{Diagnostic, EntityKind, Severity};
use tree_sitter::Node;

use super::super::tree::{all, field, line, named_children, parse, text_of};
use super::super::{DriftRequest, LanguageError, LanguageService, files_of, listed_content, open_package};

/// Functions of `reflect` whose argument is a member's name.
const ASKS: [&str; 2] = ["FieldByName", "MethodByName"];

pub(super) fn check(
    request: &DriftRequest<'_>,
    language: &dyn LanguageService,
) -> Result<Vec<Diagnostic>, LanguageError> {
    let renamed: Vec<(String, String)> = request
        .renames
        .iter()
        .filter(|rename| matches!(rename.kind, EntityKind::Property | EntityKind::Operation))
        .map(|rename| (pascal(&rename.old), pascal(&rename.new)))
        .collect();
    if renamed.is_empty() {
        return Ok(Vec::new());
    }
    let package = &open_package(request.package)?;
    let read = |file: &str| {
        let bytes = listed_content(package, file)?;
        Ok::<_, LanguageError>(String::from_utf8_lossy(&bytes).into_owned())
    };
    let mut members = BTreeSet::new();
    for file in files_of(package)? {
        if language.is_source(&file) && !file.ends_with("_test.go") {
            members.extend(members_of(&read(&file)?));
        }
    }
    let mut found = Vec::new();
    for file in language.customization_files(request.package)? {
        for (name, at) in asked(&read(&file)?) {
            // Another type may still have a member of this name, and which type is asked only the running program knows.
            let Some((old, new)) = renamed.iter().find(|(old, _)| *old == name && !members.contains(old)) else {
                continue;
            };
            found.push(Diagnostic {
                severity: Severity::Error,
                file: Some(format!("sdk/{file}")),
                line: u32::try_from(at).ok(),
                column: None,
                code: Some("renamed-member".to_owned()),
                message: format!("`{old}` is called `{new}` now and is asked for by name here"),
                symbol: Some(name),
                tool: "drift".to_owned(),
            });
        }
    }
    Ok(found)
}

/// Every field and method that a file declares.
fn members_of(text: &str) -> Vec<String> {
    let Some(tree) = parse(&tree_sitter_go::LANGUAGE.into(), text) else { return Vec::new() };
    all(tree.root_node())
        .into_iter()
        .filter(|node| matches!(node.kind(), "field_declaration" | "method_declaration" | "method_elem"))
        .flat_map(|node| {
            let mut cursor = node.walk();
            node.children_by_field_name("name", &mut cursor)
                .map(|one| text_of(one, text).to_owned())
                .collect::<Vec<_>>()
        })
        .collect()
}

/// The names that are asked for, with their lines.
fn asked(text: &str) -> Vec<(String, usize)> {
    let Some(tree) = parse(&tree_sitter_go::LANGUAGE.into(), text) else { return Vec::new() };
    let argument = |call: Node<'_>| -> Option<(String, usize)> {
        let function = field(call, "function").filter(|node| node.kind() == "selector_expression")?;
        ASKS.contains(&text_of(field(function, "field")?, text)).then_some(())?;
        let value = named_children(field(call, "arguments")?).next()?;
        let literal = matches!(value.kind(), "interpreted_string_literal" | "raw_string_literal");
        literal.then(|| (text_of(value, text).trim_matches(['"', '`']).to_owned(), line(value)))
    };
    all(tree.root_node()).into_iter().filter(|node| node.kind() == "call_expression").filter_map(argument).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Go;
    use super::*;
    use bailiwick_sdk::tasks::{Rename, SpecIndex};

    const ASKING: &str = "package w\n\nimport \"reflect\"\n\n// FieldByName(\"DisplayName\")\nfunc f(w Widget) any {\n\
        \t_ = \"DisplayName\"\n\treturn reflect.ValueOf(w).FieldByName(\"DisplayName\")\n}\n";

    fn drift(models: &str) -> Vec<Diagnostic> {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("zz_models.go"), models).unwrap();
        std::fs::write(directory.path().join("custom.go"), ASKING).unwrap();
        let renames = [Rename {
            kind: EntityKind::Property,
            container: Some("Widget".into()),
            old: "displayName".into(),
            new: "title".into(),
        }];
        let index = SpecIndex::default();
        check(
            &DriftRequest { package: directory.path(), renames: &renames, fresh: &[], index: &index, before: &[] },
            &Go,
        )
        .unwrap()
    }

    #[test]
    fn member_that_nothing_has_any_more_and_that_is_asked_for_by_name_is_drift() {
        let found = drift("package w\n\ntype Widget struct {\n\tTitle *string\n}\n");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].place(), "sdk/custom.go:8");
        assert_eq!(found[0].symbol.as_deref(), Some("DisplayName"));
    }

    #[test]
    fn member_that_another_type_still_has_is_not_drift() {
        assert_eq!(drift("package w\n\ntype Part struct {\n\tDisplayName *string\n}\n"), []);
    }
}

//! What generated TypeScript exports: types, their members and functions, as far as an `index.ts` names them.

use bailiwick_sdk::syntax::{field, named_children, parse};
use bailiwick_sdk::tasks::EntityKind;
use tree_sitter::Node;

use super::super::exposed::{self, Rules};
use super::super::surface::Definition;

const RULES: Rules = Rules {
    grammar: || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
    around: &["export_statement", "lexical_declaration"],
    types: &[
        ("interface_declaration", EntityKind::Model),
        ("class_declaration", EntityKind::Interface),
        ("enum_declaration", EntityKind::Enum),
        ("type_alias_declaration", EntityKind::Union),
    ],
    members: &[
        ("property_signature", EntityKind::Property),
        ("method_signature", EntityKind::Operation),
        ("method_definition", EntityKind::Operation),
        ("public_field_definition", EntityKind::Property),
        ("enum_assignment", EntityKind::EnumMember),
        ("function_declaration", EntityKind::Operation),
        ("variable_declarator", EntityKind::EnumMember),
    ],
    is_public,
};

/// The definitions of one file; `None` where it cannot be read.
pub(super) fn public(file: &str, text: &str) -> Option<Vec<Definition>> {
    exposed::definitions(&RULES, file, text)
}

/// The names that an `index.ts` passes on; `None` for other files, and where it passes on all of a module.
pub(super) fn exports(file: &str, text: &str) -> Option<Vec<String>> {
    if file.rsplit('/').next() != Some("index.ts") {
        return None;
    }
    let tree = parse(&tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(), text)?;
    let mut found = Vec::new();
    for statement in named_children(tree.root_node()).into_iter().filter(|one| one.kind() == "export_statement") {
        let Some(clause) = named_children(statement).into_iter().find(|one| one.kind() == "export_clause") else {
            continue;
        };
        for specifier in named_children(clause) {
            let name = field(specifier, "alias").or_else(|| field(specifier, "name"));
            found.extend(name.and_then(|name| text.get(name.byte_range())).map(str::to_owned));
        }
    }
    Some(found)
}

fn is_public(node: Node<'_>, name: &str, within: Option<Node<'_>>, text: &str) -> bool {
    if within.is_some() {
        let said = text.get(node.byte_range()).unwrap_or_default();
        return !name.starts_with(['_', '#']) && !said.starts_with("private ") && name != "constructor";
    }
    let parent = node.parent();
    let outer = if node.kind() == "variable_declarator" { parent.and_then(|one| one.parent()) } else { parent };
    outer.is_some_and(|one| one.kind() == "export_statement")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exported_declarations_and_the_names_of_an_index_are_read() {
        let text = "export interface Widget {\n  name: string;\n  readonly id?: string;\n}\ninterface Hidden { x: number }\nexport type Kind = \"a\" | \"b\";\nexport enum Known { A = \"a\" }\nexport function widgetSerializer(w: Widget): any { return w; }\nexport class Client {\n  private _client: string;\n  constructor(a: string) { }\n  deleteWidget(id: string): void { }\n}\n";
        let found = public("generated/models.ts", text).unwrap();
        let mut shown: Vec<String> = found.iter().map(Definition::path).collect();
        shown.sort();
        assert_eq!(
            shown,
            [
                "Client",
                "Client.deleteWidget",
                "Kind",
                "Known",
                "Known.A",
                "Widget",
                "Widget.id",
                "Widget.name",
                "widgetSerializer"
            ]
        );
        let index = "export { Widget, type Kind, Known as KnownKind } from \"./models.js\";\n";
        assert_eq!(exports("generated/index.ts", index).unwrap(), ["Widget", "Kind", "KnownKind"]);
        assert_eq!(exports("generated/models.ts", index), None);
    }
}

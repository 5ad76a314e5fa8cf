//! What generated Go exports: types, their fields and methods, functions and constants.

use bailiwick_sdk::tasks::EntityKind;
use tree_sitter::Node;

use super::super::exposed::{self, Rules};
use super::super::surface::Definition;

const RULES: Rules = Rules {
    grammar: || tree_sitter_go::LANGUAGE.into(),
    around: &["type_declaration", "const_declaration", "field_declaration_list", "struct_type", "interface_type"],
    types: &[("type_spec", EntityKind::Model)],
    members: &[
        ("field_declaration", EntityKind::Property),
        ("method_elem", EntityKind::Operation),
        ("method_declaration", EntityKind::Operation),
        ("function_declaration", EntityKind::Operation),
        ("const_spec", EntityKind::EnumMember),
    ],
    is_public,
};

/// The definitions of one file; `None` where it cannot be read. Tests, fakes and internal packages are not public.
pub(super) fn public(file: &str, text: &str) -> Option<Vec<Definition>> {
    let aside = file.split('/').any(|part| matches!(part, "internal" | "fake" | "testdata"));
    if aside || file.ends_with("_test.go") {
        return Some(Vec::new());
    }
    exposed::definitions(&RULES, file, text)
}

fn is_public(node: Node<'_>, name: &str, _: Option<Node<'_>>, text: &str) -> bool {
    let receiver = bailiwick_sdk::syntax::field(node, "receiver").and_then(|one| text.get(one.byte_range()));
    let hidden_type = receiver.is_some_and(|receiver| {
        let name = receiver.trim_matches(['(', ')']).rsplit([' ', '*']).next().unwrap_or_default();
        !name.starts_with(char::is_uppercase)
    });
    name.starts_with(char::is_uppercase) && !hidden_type
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exported_names_are_read_and_others_are_not() {
        let text = "package w\n\n// Widget is one.\ntype Widget struct {\n\tDisplayName *string\n\thidden int\n}\n\ntype inner struct { X int }\n\ntype Kind string\n\nconst (\n\tKindA Kind = \"a\"\n\tkindB Kind = \"b\"\n)\n\n\
            func (c *Client) Delete(id string) error { return nil }\nfunc (c *Client) delete() { }\nfunc (i *inner) Do() { }\nfunc NewClient() *Client { return nil }\n";
        let found = public("zz_models.go", text).unwrap();
        let mut shown: Vec<String> = found.iter().map(Definition::path).collect();
        shown.sort();
        assert_eq!(shown, ["Client.Delete", "Kind", "KindA", "NewClient", "Widget", "Widget.DisplayName"]);
        assert_eq!(public("internal/x.go", text), Some(Vec::new()));
    }
}

//! What generated C# makes public: types, their methods, properties and members.

use bailiwick_sdk::tasks::EntityKind;
use tree_sitter::Node;

use super::super::exposed::{self, Rules, has_modifier};
use super::super::surface::Definition;

const RULES: Rules = Rules {
    grammar: || tree_sitter_c_sharp::LANGUAGE.into(),
    around: &["namespace_declaration", "declaration_list", "file_scoped_namespace_declaration"],
    types: &[
        ("class_declaration", EntityKind::Model),
        ("struct_declaration", EntityKind::Model),
        ("record_declaration", EntityKind::Model),
        ("interface_declaration", EntityKind::Interface),
        ("enum_declaration", EntityKind::Enum),
    ],
    members: &[
        ("method_declaration", EntityKind::Operation),
        ("property_declaration", EntityKind::Property),
        ("enum_member_declaration", EntityKind::EnumMember),
    ],
    is_public,
};

/// The definitions of one file; `None` where it cannot be read.
pub(super) fn public(file: &str, text: &str) -> Option<Vec<Definition>> {
    exposed::definitions(&RULES, file, text)
}

fn is_public(node: Node<'_>, _: &str, within: Option<Node<'_>>, text: &str) -> bool {
    let inherited = within.is_some_and(|one| matches!(one.kind(), "interface_declaration" | "enum_declaration"));
    inherited || has_modifier(node, "public", text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn public_types_and_members_are_read_and_internal_ones_are_not() {
        let text = "namespace A\n{\n  public partial class Widget\n  {\n    internal Widget() { }\n    public string Name { get; }\n    internal string Id { get; }\n    public virtual Response Delete(string id) { return null; }\n  }\n  internal partial class Hidden { public int X { get; } }\n  public enum Kind { A, B }\n}\n";
        let found = public("src/Generated/Widget.cs", text).unwrap();
        let mut shown: Vec<String> = found.iter().map(Definition::path).collect();
        shown.sort();
        assert_eq!(shown, ["Kind", "Kind.A", "Kind.B", "Widget", "Widget.Delete", "Widget.Name"]);
    }
}

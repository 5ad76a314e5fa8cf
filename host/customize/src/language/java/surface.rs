//! What generated Java makes public: types outside `implementation` packages, their methods and constants.

use bailiwick_sdk::tasks::EntityKind;
use tree_sitter::Node;

use super::super::exposed::{self, Rules, has_modifier};
use super::super::surface::Definition;

const RULES: Rules = Rules {
    grammar: || tree_sitter_java::LANGUAGE.into(),
    around: &["enum_body_declarations"],
    types: &[
        ("class_declaration", EntityKind::Model),
        ("interface_declaration", EntityKind::Interface),
        ("enum_declaration", EntityKind::Enum),
        ("record_declaration", EntityKind::Model),
    ],
    members: &[
        ("method_declaration", EntityKind::Operation),
        ("field_declaration", EntityKind::EnumMember),
        ("enum_constant", EntityKind::EnumMember),
    ],
    is_public,
};

/// The definitions of one file; `None` where it cannot be read.
pub(super) fn public(file: &str, text: &str) -> Option<Vec<Definition>> {
    let internal = file.split('/').any(|part| part == "implementation");
    if internal || file.ends_with("module-info.java") || file.ends_with("package-info.java") {
        return Some(Vec::new());
    }
    exposed::definitions(&RULES, file, text)
}

fn is_public(node: Node<'_>, _: &str, within: Option<Node<'_>>, text: &str) -> bool {
    // What an interface has is public, and so are the constants of an enum.
    let inherited = within.is_some_and(|one| one.kind() == "interface_declaration") || node.kind() == "enum_constant";
    inherited || has_modifier(node, "public", text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn public_types_methods_and_constants_are_read_and_the_rest_is_not() {
        let text = "package a;\n@Fluent public final class Widget {\n  private String name;\n  @Generated public String getName() { return name; }\n  Widget setId(int id) { return this; }\n  private static final class Inner { public void x() { } }\n}\nclass Hidden { public void y() { } }\n\
            interface P { void z(); }\npublic enum Kind { A, B; public String text() { return \"\"; } }\n\
            public final class S extends ExpandableStringEnum<S> { public static final S ON = from(\"on\"); private static final S OFF = null; }\n";
        let found = public("src/main/java/a/Widget.java", text).unwrap();
        let mut shown: Vec<String> = found.iter().map(Definition::path).collect();
        shown.sort();
        assert_eq!(shown, ["Kind", "Kind.A", "Kind.B", "Kind.text", "S", "S.ON", "Widget", "Widget.getName"]);
        assert_eq!(public("src/main/java/a/implementation/W.java", text), Some(Vec::new()));
        assert_eq!(public("src/main/java/a/W.java", "class {"), None);
    }
}

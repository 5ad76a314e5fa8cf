//! What a C# file declares, and what it says about generated code, read from its syntax.

use bailiwick_sdk::syntax::parse;
use tree_sitter::{Node, Tree};

/// Declarations of types.
const TYPES: [&str; 7] = [
    "class_declaration",
    "struct_declaration",
    "record_declaration",
    "record_struct_declaration",
    "interface_declaration",
    "enum_declaration",
    "delegate_declaration",
];

/// What an attribute of hand-written code names of the generated code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// `[CodeGenType("Name")]`, and its former names: the generated type that this declaration takes the place of.
    Type,
    /// `[CodeGenMember("Name")]` and `[CodeGenSerialization("Name")]`: the generated member that is replaced or changed.
    Member,
    /// `[CodeGenSuppress("Name", …)]`: the generated member that is left out.
    Suppressed,
    /// `[assembly: CodeGenSuppressType("Name")]`: the generated type that is left out.
    SuppressedType,
}

/// A name of generated code in a string, which no compiler looks at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Named {
    /// What it names.
    pub(super) role: Role,
    /// The name, without a namespace.
    pub(super) name: String,
    /// The type that holds the member, as generated code calls it.
    pub(super) owner: Option<String>,
    /// The line, from 1.
    pub(super) line: u32,
}

/// A property or field that a person wrote in a part of a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OwnMember<'t> {
    /// The type, as generated code calls it.
    pub(super) owner: String,
    /// Its name.
    pub(super) name: &'t str,
    /// Its line, from 1.
    pub(super) line: u32,
}

/// A C# file with its syntax tree.
pub(super) struct Source<'t> {
    text: &'t str,
    tree: Tree,
}

impl<'t> Source<'t> {
    /// Parses a file; `None` when its syntax has an error, for then nothing in it is certain, and when its tree is
    /// too deep to be looked into.
    pub(super) fn parse(text: &'t str) -> Option<Self> {
        let tree = parse(&tree_sitter_c_sharp::LANGUAGE.into(), text)?;
        Some(Self { text, tree })
    }

    /// The line, from 1, of a whole type of this name that is not declared inside another type.
    pub(super) fn declares_type(&self, name: &str) -> Option<usize> {
        let mut types = self.types().filter(|node| !is_nested(*node) && !self.is_partial(*node));
        types.find(|node| self.name(*node) == Some(name)).map(|node| line(node) as usize)
    }

    /// Whether a type is declared in part here: the rest of it is somewhere else, as a rule in generated code.
    pub(super) fn has_partial_type(&self) -> bool {
        self.types().any(|node| self.is_partial(node))
    }

    pub(super) fn is_partial(&self, node: Node<'_>) -> bool {
        self.has_modifier(node, "partial")
    }

    /// Whether one of the modifiers of a declaration or a parameter is this word.
    pub(super) fn has_modifier(&self, node: Node<'_>, word: &str) -> bool {
        children(node).any(|child| child.kind() == "modifier" && self.text(child) == word)
    }

    /// The parts of types that are declared here and that no attribute gives another name: name and line, from 1.
    pub(super) fn halves(&self) -> Vec<(&str, u32)> {
        let halves = self.types().filter(|node| self.is_partial(*node) && self.given_name(*node).is_none());
        halves.filter_map(|node| Some((self.name(node)?, line(node)))).collect()
    }

    /// The properties and fields in parts of types that no attribute ties to a generated member under another name.
    pub(super) fn own_members(&self) -> Vec<OwnMember<'_>> {
        let kinds = ["property_declaration", "field_declaration"];
        self.nodes().filter(|node| kinds.contains(&node.kind())).filter_map(|node| self.own_member(node)).collect()
    }

    fn own_member(&self, node: Node<'_>) -> Option<OwnMember<'_>> {
        let class = around(node).filter(|class| self.is_partial(*class))?;
        let attributes = children(node).filter(|child| child.kind() == "attribute_list").flat_map(descendants);
        if attributes.filter_map(|one| self.attribute(one)).any(|one| one.role == Role::Member) {
            return None;
        }
        let declarator = || descendants(node).find(|one| one.kind() == "variable_declarator");
        let name = node.child_by_field_name("name").or_else(|| declarator()?.child_by_field_name("name"))?;
        Some(OwnMember { owner: self.generated_name(class)?, name: self.text(name), line: line(name) })
    }

    /// The names of generated code that attributes hold, in the order of the file.
    pub(super) fn named(&self) -> Vec<Named> {
        self.attributes().into_iter().map(|(_, named)| named).collect()
    }

    /// The same with the attributes themselves.
    pub(super) fn attributes(&self) -> Vec<(Node<'_>, Named)> {
        self.nodes().filter_map(|node| Some((node, self.attribute(node)?))).collect()
    }

    fn attribute(&self, node: Node<'_>) -> Option<Named> {
        if node.kind() != "attribute" {
            return None;
        }
        let role = role(last_part(self.text(node.child_by_field_name("name")?)))?;
        let argument = descendants(node).find(|one| one.kind() == "attribute_argument")?;
        // Only a plain string counts: what is written with `nameof` is checked by the compiler.
        let literal = argument.named_child(0).filter(|one| one.kind() == "string_literal")?;
        let name = last_part(self.text(literal).trim_matches('"')).to_owned();
        let owner = match role {
            Role::Type | Role::SuppressedType => None,
            Role::Member | Role::Suppressed => Some(self.generated_name(around(node)?)?),
        };
        Some(Named { role, name, owner, line: line(node) })
    }

    /// What generated code calls a type: the name that its own `[CodeGenType]` holds, else its name.
    pub(super) fn generated_name(&self, node: Node<'_>) -> Option<String> {
        self.given_name(node).or_else(|| self.name(node).map(str::to_owned))
    }

    /// The name of the generated type that a type's own `[CodeGenType]` holds.
    pub(super) fn given_name(&self, node: Node<'_>) -> Option<String> {
        let lists = children(node).filter(|child| child.kind() == "attribute_list");
        lists.flat_map(descendants).find_map(|one| self.attribute_of_type(one))
    }

    fn attribute_of_type(&self, node: Node<'_>) -> Option<String> {
        let name = (node.kind() == "attribute").then(|| node.child_by_field_name("name")).flatten()?;
        (role(last_part(self.text(name))) == Some(Role::Type))
            .then(|| self.attribute(node))
            .flatten()
            .map(|one| one.name)
    }

    pub(super) fn types(&self) -> impl Iterator<Item = Node<'_>> {
        self.nodes().filter(|node| TYPES.contains(&node.kind()))
    }

    fn nodes(&self) -> impl Iterator<Item = Node<'_>> {
        descendants(self.tree.root_node())
    }

    pub(super) fn name(&self, node: Node<'_>) -> Option<&str> {
        node.child_by_field_name("name").map(|name| self.text(name))
    }

    pub(super) fn text(&self, node: Node<'_>) -> &str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }
}

fn role(attribute: &str) -> Option<Role> {
    match attribute.strip_suffix("Attribute").unwrap_or(attribute) {
        "CodeGenType" | "CodeGenModel" | "CodeGenClient" => Some(Role::Type),
        "CodeGenMember" | "CodeGenSerialization" | "CodeGenMemberSerialization" => Some(Role::Member),
        "CodeGenSuppress" => Some(Role::Suppressed),
        "CodeGenSuppressType" => Some(Role::SuppressedType),
        _ => None,
    }
}

fn last_part(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// The type around a node: its declaration, for an attribute on the type itself too.
pub(super) fn around(node: Node<'_>) -> Option<Node<'_>> {
    std::iter::successors(node.parent(), Node::parent).find(|outer| TYPES.contains(&outer.kind()))
}

pub(super) fn is_nested(node: Node<'_>) -> bool {
    around(node).is_some()
}

fn line(node: Node<'_>) -> u32 {
    u32::try_from(node.start_position().row + 1).unwrap_or(u32::MAX)
}

fn children(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    (0..node.child_count()).filter_map(move |at| node.child(at))
}

/// A node and everything below it in the order of the text, without recursion: a file may nest deeply.
fn descendants(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let mut open = vec![node];
    std::iter::from_fn(move || {
        let next = open.pop()?;
        open.extend(children(next).collect::<Vec<_>>().into_iter().rev());
        Some(next)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partial_types_of_every_kind_are_found_and_words_are_not() {
        for text in [
            "namespace A { public partial class W { } }",
            "namespace A;\npublic readonly partial struct S { }",
            "public partial record R(int X);",
            "partial interface I { }",
            "class Outer { partial class Inner { } }",
            "[CodeGenType(\"X\")]\ninternal sealed partial class W { }",
        ] {
            assert!(Source::parse(text).unwrap().has_partial_type(), "{text}");
        }
        for text in [
            "// partial class W\nclass W { string s = \"partial class\"; }",
            "class W { void M() { var partial = 1; } }",
        ] {
            assert!(!Source::parse(text).unwrap().has_partial_type(), "{text}");
        }
        assert!(Source::parse("class {").is_none());
    }

    #[test]
    fn whole_type_is_found_in_any_namespace_and_not_inside_another() {
        let text = "using System;\nnamespace A.B\n{\n    class W { class Inner { } }\n    partial class Half { }\n}\n";
        let source = Source::parse(text).unwrap();
        assert_eq!(source.declares_type("W"), Some(4));
        assert_eq!(source.declares_type("Inner"), None);
        assert_eq!(source.declares_type("Half"), None, "the other half is generated, and the two are one type");
    }

    #[test]
    fn names_in_attributes_are_told_apart_with_the_type_that_generated_code_has() {
        let text = "[assembly: CodeGenSuppressType(\"Gone\")]\nnamespace A\n{\n  [CodeGenType(\"Azure.Old\")]\n  [CodeGenSuppress(\"Sum\", typeof(int))]\n  public partial class New\n  {\n    [CodeGenMember(\"Title\")] public string Name { get; }\n    [CodeGenMember(nameof(New))] public string Checked { get; }\n    [Obsolete(\"Title\")] public int X;\n  }\n  [CodeGenSuppressAttribute(\"M\")] partial class Plain { }\n}\n";
        let found = Source::parse(text).unwrap().named();
        let brief: Vec<_> =
            found.iter().map(|one| (one.role, one.name.as_str(), one.owner.as_deref(), one.line)).collect();
        assert_eq!(
            brief,
            [
                (Role::SuppressedType, "Gone", None, 1),
                (Role::Type, "Old", None, 4),
                (Role::Suppressed, "Sum", Some("Old"), 5),
                (Role::Member, "Title", Some("Old"), 8),
                (Role::Suppressed, "M", Some("Plain"), 12),
            ]
        );
    }
}

//! What generated sources declare.

use std::collections::{BTreeMap, BTreeSet};

use tree_sitter::Node;

use super::source::Source;
use crate::syntax::{children, field, named_children};

/// A declared member.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Member {
    /// Its name.
    pub name: String,
    /// Whether it is a method.
    pub is_method: bool,
    /// The type of a field, the result type and parameter types of a method, without spaces.
    pub signature: String,
}

/// A declared type.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GeneratedType {
    /// Fields, constants and methods, in their order; a member that is declared twice is there twice.
    pub members: Vec<Member>,
}

/// Types by their simple name. Types of the same name in different packages are taken together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GeneratedCode {
    types: BTreeMap<String, GeneratedType>,
    names: BTreeSet<String>,
}

impl GeneratedCode {
    /// Takes in a file.
    pub fn add(&mut self, source: &Source) {
        for node in source.nodes() {
            let Some(body) = field(node, "body").filter(|_| is_type(node)) else { continue };
            let Some(name) = field(node, "name") else { continue };
            let declared = self.types.entry(source.text(name).to_owned()).or_default();
            let mut waiting: Vec<Node<'_>> = named_children(body);
            waiting.reverse();
            while let Some(member) = waiting.pop() {
                match member.kind() {
                    // What stands behind the constants of an enum.
                    "enum_body_declarations" => waiting.extend(named_children(member).into_iter().rev()),
                    _ => declared.members.extend(members(source, member)),
                }
            }
            self.names.extend(declared.members.iter().map(|member| member.name.clone()));
        }
    }

    /// The type of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&GeneratedType> {
        self.types.get(name)
    }

    /// Whether any type has a member of this name.
    #[must_use]
    pub fn has_member(&self, name: &str) -> bool {
        self.names.contains(name)
    }
}

impl GeneratedType {
    /// Whether it has a member of this name.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.members.iter().any(|member| member.name == name)
    }
}

fn is_type(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "class_declaration"
            | "interface_declaration"
            | "enum_declaration"
            | "record_declaration"
            | "annotation_type_declaration"
    )
}

fn members(source: &Source, node: Node<'_>) -> Vec<Member> {
    let squeezed = |node: Node<'_>| source.text(node).split_whitespace().collect::<String>();
    let kind = field(node, "type").map(squeezed).unwrap_or_default();
    match node.kind() {
        "field_declaration" | "constant_declaration" => children(node)
            .into_iter()
            .filter(|child| child.kind() == "variable_declarator")
            .filter_map(|declarator| field(declarator, "name"))
            .map(|name| Member { name: source.text(name).to_owned(), is_method: false, signature: kind.clone() })
            .collect(),
        "enum_constant" => field(node, "name")
            .map(|name| Member { name: source.text(name).to_owned(), is_method: false, signature: String::new() })
            .into_iter()
            .collect(),
        "method_declaration" => {
            let parameters = field(node, "parameters").map(named_children).unwrap_or_default();
            let types: Vec<String> =
                parameters.into_iter().filter_map(|one| field(one, "type")).map(squeezed).collect();
            field(node, "name")
                .map(|name| Member {
                    name: source.text(name).to_owned(),
                    is_method: true,
                    signature: format!("{kind}({})", types.join(",")),
                })
                .into_iter()
                .collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_of_classes_enums_and_nested_types_are_found_with_their_types() {
        let text = "package a;\npublic final class W {\n  private final String a, b;\n  List< String > get(int x, String y) { return null; }\n\
            enum K { ONE, TWO; int v; }\n}\n";
        let mut code = GeneratedCode::default();
        code.add(&Source::parse("W.java", text).unwrap());
        let names: Vec<_> =
            code.get("W").unwrap().members.iter().map(|one| (one.name.as_str(), one.signature.as_str())).collect();
        assert_eq!(names, [("a", "String"), ("b", "String"), ("get", "List<String>(int,String)")]);
        assert!(code.get("K").unwrap().has("TWO") && code.get("K").unwrap().has("v"));
        assert!(code.has_member("get") && !code.has_member("x"));
    }
}

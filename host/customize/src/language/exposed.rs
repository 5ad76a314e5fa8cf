//! What a source file of a language with braces lets other people's code use: types, their members, and functions.
//!
//! One reader with a table for each language: which nodes declare what, and how a declaration says that it is public.

// Any emitter may have generated it.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::string_slice))]

use bailiwick_sdk::syntax::{children, field, named_children, parse};
use bailiwick_sdk::tasks::EntityKind;
use tree_sitter::Node;

use super::surface::Definition;

/// How a language declares what it makes public.
pub(super) struct Rules {
    /// The grammar.
    pub(super) grammar: fn() -> tree_sitter::Language,
    /// Nodes around declarations that declare nothing themselves.
    pub(super) around: &'static [&'static str],
    /// Nodes that declare a type.
    pub(super) types: &'static [(&'static str, EntityKind)],
    /// Nodes that declare a member, or a function beside types.
    pub(super) members: &'static [(&'static str, EntityKind)],
    /// Whether a declaration is public; `within` is the type around it.
    pub(super) is_public: fn(node: Node<'_>, name: &str, within: Option<Node<'_>>, text: &str) -> bool,
}

/// The public definitions of one file; `None` where it cannot be read.
pub(super) fn definitions(rules: &Rules, file: &str, text: &str) -> Option<Vec<Definition>> {
    let tree = parse(&(rules.grammar)(), text)?;
    let mut found = Vec::new();
    // A declaration with the type around it.
    let mut open: Vec<(Node<'_>, Option<Node<'_>>)> = vec![(tree.root_node(), None)];
    while let Some((node, within)) = open.pop() {
        for child in named_children(node) {
            let kind = child.kind();
            let of = |table: &[(&str, EntityKind)]| table.iter().find(|(one, _)| *one == kind).map(|(_, kind)| *kind);
            if let Some(entity) = of(rules.types) {
                for name in names(child, text) {
                    if within.is_none() && (rules.is_public)(child, name, within, text) {
                        found.push(definition(entity, file, None, name));
                        open.extend(bodies(child).into_iter().map(|body| (body, Some(child))));
                    }
                }
            } else if let Some(entity) = of(rules.members) {
                let container = match within {
                    Some(holder) => names(holder, text).into_iter().next().map(str::to_owned),
                    None => receiver(child, text),
                };
                for name in names(child, text) {
                    if (rules.is_public)(child, name, within, text) {
                        found.push(definition(entity, file, container.clone(), name));
                    }
                }
            } else if rules.around.contains(&kind) {
                open.push((child, within));
            }
        }
    }
    Some(found)
}

fn definition(kind: EntityKind, file: &str, container: Option<String>, name: &str) -> Definition {
    Definition { kind, file: file.to_owned(), container, name: name.to_owned(), says: Vec::new() }
}

/// The names that a node declares: in its own field, or in those of its declarators.
fn names<'t>(node: Node<'_>, text: &'t str) -> Vec<&'t str> {
    let of = |node: Node<'_>| -> Vec<&'t str> {
        let mut cursor = node.walk();
        node.children_by_field_name("name", &mut cursor).filter_map(|name| text.get(name.byte_range())).collect()
    };
    let own = of(node);
    if !own.is_empty() {
        return own;
    }
    named_children(node).into_iter().filter(|child| child.kind().ends_with("declarator")).flat_map(of).collect()
}

/// Where the members of a type stand.
fn bodies(node: Node<'_>) -> Vec<Node<'_>> {
    let body = field(node, "body").or_else(|| field(node, "type").filter(|one| one.kind().ends_with("_type")));
    body.into_iter().collect()
}

/// The type that a function of Go belongs to.
fn receiver(node: Node<'_>, text: &str) -> Option<String> {
    let receiver = text.get(field(node, "receiver")?.byte_range())?;
    let name = receiver.trim_matches(['(', ')']).rsplit([' ', '*']).next()?;
    Some(name.split('[').next().unwrap_or(name).to_owned())
}

/// Whether one of a declaration's modifiers is this word.
pub(super) fn has_modifier(node: Node<'_>, word: &str, text: &str) -> bool {
    children(node).into_iter().filter(|child| matches!(child.kind(), "modifiers" | "modifier")).any(|modifiers| {
        let mut said = children(modifiers).into_iter().map(|one| one.kind()).collect::<Vec<_>>();
        said.extend(text.get(modifiers.byte_range()).filter(|_| modifiers.kind() == "modifier"));
        said.contains(&word)
    })
}

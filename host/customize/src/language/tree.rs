//! Small helpers over syntax trees.

use tree_sitter::{Language, Node, Parser, Tree};

/// Parses a text. A tree with errors is a tree all the same: what it holds beside them is there.
pub(super) fn parse(grammar: &Language, text: &str) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(grammar).ok()?;
    parser.parse(text, None)
}

pub(super) fn text_of<'a>(node: Node<'_>, text: &'a str) -> &'a str {
    text.get(node.byte_range()).unwrap_or_default()
}

/// The line of a node, from 1.
pub(super) fn line(node: Node<'_>) -> usize {
    node.start_position().row + 1
}

pub(super) fn field<'t>(node: Node<'t>, name: &str) -> Option<Node<'t>> {
    node.child_by_field_name(name)
}

pub(super) fn named_children(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    (0..node.child_count()).filter_map(move |at| node.child(at)).filter(Node::is_named)
}

/// A node and every one beneath it, parents before children.
pub(super) fn all(root: Node<'_>) -> Vec<Node<'_>> {
    let mut found = vec![root];
    let mut next = 0;
    while let Some(&node) = found.get(next) {
        next += 1;
        found.extend(named_children(node));
    }
    found
}
